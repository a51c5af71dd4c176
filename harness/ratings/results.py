"""The outcomes that ratings are computed from, read from game logs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.log import GameLog


@dataclass(frozen=True)
class GameResult:
    """How one game ended. ``ranking`` lists entrants best first, those of equal rank together (R-END-04)."""

    line_up: int
    deal: int
    seats: tuple[str, ...]
    ranking: tuple[tuple[str, ...], ...]
    winner: str | None

    @property
    def block(self) -> tuple[int, int]:
        """The games of one block share deal and line-up, and differ in who sits where."""
        return self.line_up, self.deal


def results_of(logs: Iterable[GameLog]) -> list[GameResult]:
    """Return the results of all games that have a ranking: void and open games have none."""
    found = []
    for log in logs:
        outcome = log.outcome
        if outcome is None or outcome.result == "void":
            continue
        header = log.header
        names = {seat: who.name for seat, who in header.seats.items()}
        found.append(
            GameResult(
                line_up=header.line_up,
                deal=header.deal,
                seats=tuple(names.values()),
                ranking=tuple(tuple(names[seat] for seat in group) for group in outcome.ranking),
                winner=names[outcome.winner] if outcome.winner is not None else None,
            )
        )
    return found
