"""Rule following of every entrant: legality at the first try, recovery after feedback, and what the policy had to do.

An entrant under other settings is a row of its own (``harness.report``), so that every figure is of one level, one
language, one kind of feedback.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from harness.compliance.decisions import Decided
from harness.compliance.shares import Share, share

FIGURES: Final[Mapping[str, str]] = {
    "first_try": "accepted at the first try, of all decisions",
    "first_try_strict": "accepted at the first try without a repair of form, of all decisions",
    "put_right_by_second": "accepted at the second try, of the decisions refused at the first and allowed a second",
    "put_right_by_third": "accepted by the third try, of the decisions refused at the first and allowed a third",
    "by_policy": "left to the policy because the tries were used up, of all decisions",
}
"""The figures by name, and what is counted of what."""

EVERY_REFUSAL: Final = ""
"""Stands for all refusals together where recovery is told by code."""

_RECOVERY: Final = {"put_right_by_second": 2, "put_right_by_third": 3}


@dataclass(frozen=True)
class Following:
    """One figure of one entrant; ``code`` why the first try was refused, where it is recovery from that alone."""

    entrant: str
    figure: str
    code: str
    share: Share


def count(decisions: Iterable[Decided]) -> dict[tuple[str, str, str], dict[str, tuple[int, int]]]:
    """Return how many of how many by deal, for every (entrant, figure, code) of which there are any."""
    found: dict[tuple[str, str, str], dict[str, tuple[int, int]]] = defaultdict(dict)

    def add(one: Decided, figure: str, held: bool, code: str = EVERY_REFUSAL) -> None:
        deals = found[one.entrant, figure, code]
        part, whole = deals.get(one.deal, (0, 0))
        deals[one.deal] = (part + held, whole + 1)

    for one in decisions:
        add(one, "first_try", one.settled == 1)
        add(one, "first_try_strict", one.strict)
        add(one, "by_policy", one.settled is None)
        for figure, tries in _RECOVERY.items() if one.refused is not None else ():
            if one.allowed >= tries:
                for code in (EVERY_REFUSAL, str(one.refused)):
                    add(one, figure, one.settled is not None and one.settled <= tries, code)
    return dict(found)


def following(
    counts: Mapping[tuple[str, str, str], Mapping[str, tuple[int, int]]], order: Iterable[str]
) -> list[Following]:
    """Return all figures with their intervals: entrants in the given order, commonest refusals first."""
    found = [Following(entrant, figure, code, share(deals)) for (entrant, figure, code), deals in counts.items()]
    places = {name: place for place, name in enumerate(order)}
    return sorted(found, key=_sorter(places))


def _sorter(places: Mapping[str, int]) -> Callable[[Following], tuple[int, bool, int, str, int]]:
    figures = list(FIGURES)

    def key(one: Following) -> tuple[int, bool, int, str, int]:
        told = one.code != EVERY_REFUSAL
        return places[one.entrant], told, -one.share.whole if told else 0, one.code, figures.index(one.figure)

    return key
