"""The outcomes that ratings are computed from, read from game logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from harness.compliance.shares import deal_of
from harness.log import GameLog
from harness.records import Header, SeatRecord


@dataclass(frozen=True)
class GameResult:
    """How one game ended. ``ranking`` lists entrants best first, those of equal rank together (R-END-04).

    ``deal`` tells its cards from those of all other deals that are looked at together.
    """

    deal: str
    seats: tuple[str, ...]
    ranking: tuple[tuple[str, ...], ...]
    winner: str | None

    @property
    def stratum(self) -> tuple[str, ...]:
        """The line-up, by who is in it; each plays the same deals as the others."""
        return tuple(sorted(self.seats))

    @property
    def block(self) -> tuple[str, ...]:
        """The games of one block share cards and line-up, in whatever run, and differ in who sits where."""
        return self.deal, *self.stratum


def score(ranking: Sequence[Sequence[str]], first: str, second: str) -> float:
    """Return 1 if the first of two that are in a ranking stands above the second, 0 if below, one half for a tie."""
    places = {name: place for place, group in enumerate(ranking) for name in group}
    return 0.5 if places[first] == places[second] else float(places[first] < places[second])


def results_of(logs: Iterable[GameLog], label: Callable[[SeatRecord, Header], str]) -> list[GameResult]:
    """Return the results of all games that have a ranking: void and open games have none.

    ``label`` says under which name a seat is counted (``Report.label``).
    """
    found = []
    for log in logs:
        outcome = log.outcome
        if outcome is None or outcome.result == "void":
            continue
        header = log.header
        names = {seat: label(who, header) for seat, who in header.seats.items()}
        found.append(
            GameResult(
                deal=deal_of(header),
                seats=tuple(names.values()),
                ranking=tuple(tuple(names[seat] for seat in group) for group in outcome.ranking),
                winner=names[outcome.winner] if outcome.winner is not None else None,
            )
        )
    return found
