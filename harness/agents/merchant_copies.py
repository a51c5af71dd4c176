"""When the merchant lets a remastered chameleon copy a card: for a stack it can build then, or to pay with more.

Only copies whose result is known beforehand are made, and each chameleon copies once in a turn, so every turn ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from harness.agents.base import Proposal
from harness.agents.merchant_finals import Final
from harness.agents.merchant_view import Key, View, cards, key_of, slug_of

_MORE_VALUE = 3
"""By how much a copy must count more to be made for its value alone."""
_MOST_CARDS = 4


def best_copy(view: View, proposals: Sequence[Proposal], final: Final | None) -> Proposal | None:
    """Return the copy that makes the next stack, else the one that adds most value; None if none is worth it.

    ``final`` is the action settled on, None before a bonus stack, where only a stack is worth a copy.
    """
    if view.edition != "remastered" or (final is not None and final.proposal["tool"] == "stall"):
        return None
    info = cards(view.edition)
    found: list[tuple[int, Proposal]] = []
    for proposal in proposals:
        name = proposal["arguments"].get("card", "")
        if proposal["tool"] != "ability" or name in view.copies or view.names.count(name) > 1:
            continue
        copied = predicted(view, slug_of(name), proposal["arguments"].get("choices", {}))
        if copied is None:
            continue
        gain = info[copied].value - view.values[name]
        if _builds(view, name, copied):
            found.append((100, proposal))
        elif final is not None and gain >= _MORE_VALUE:
            found.append((gain, proposal))
    return max(found, key=lambda entry: entry[0], default=(0, None))[1]


def predicted(view: View, chameleon: str, choices: Mapping[str, Any]) -> str | None:
    """Return what a chameleon would copy by these choices, None if chance has a part in it."""
    if chameleon == "flexible_shopkeeper":
        return slug_of(choices["stack"]["card"])
    if chameleon == "trendsetting":
        return next(offer.slug for offer in view.market if offer.slot == choices["slots"][0])
    if chameleon == "seeing_doubles":
        return slug_of(choices["cards"][0])
    if chameleon == "good_old_times" and choices["option"] == "no":
        return view.market_discard[-1]
    if chameleon == "reflection" and choices["option"] == "no":
        pile: list[str] = view.opponents[choices["opponents"][0]]["discard"]
        return pile[-1]
    return None


def _builds(view: View, name: str, copied: str) -> bool:
    """Whether the copy and other hand cards of its set add up to the next stack."""
    key = key_of(view.edition, copied)
    if key is None:
        return False
    others = [other for other in view.names if other != name]
    values = [view.values[other] for other in others if _set_of(view, other) == key[0]]
    missing = view.number - key[1]
    return any(
        sum(chosen) == missing
        for count in range(min(_MOST_CARDS, len(values) + 1))
        for chosen in combinations(values, count)
    )


def _set_of(view: View, name: str) -> str | None:
    key: Key | None = key_of(view.edition, view.copies.get(name, slug_of(name)))
    return key[0] if key else None
