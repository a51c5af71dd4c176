"""Opportunities to break a rule and what became of them, found by playing game logs through the engine again.

One opportunity is one decision at which a code is open, and only the first attempt at a decision counts: later ones
know more. An attempt that was no readable proposal broke no rule and kept none; its decision is no opportunity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from harness.compliance.shares import deal_of
from harness.log import GameLog
from harness.playback import playback
from harness.records import AttemptRecord, Header, SeatRecord


@dataclass(frozen=True)
class FirstAttempt:
    """The readable first attempt at one decision: the codes that were open, and the one that was broken, if any.

    ``deal`` says which attempts belong together, for on one deal they are not independent; ``game`` is the names
    of the run and of the game in it.
    """

    deal: str
    game: tuple[str, str]
    entrant: str
    open: tuple[str, ...]
    broken: str | None


def first_attempts(logs: Iterable[GameLog], label: Callable[[SeatRecord, Header], str]) -> Iterator[FirstAttempt]:
    """Return the readable first attempts in these logs, game by game; ``label`` says for whom a seat counts.

    Takes some milliseconds of computing for each decision. Raises UserError for a log that the engine now plays
    differently.
    """
    for log in logs:
        header = log.header
        for game, record in playback(log):
            if isinstance(record, AttemptRecord) and record.attempt == 0 and record.result in ("rule", "accepted"):
                yield FirstAttempt(
                    deal=deal_of(header),
                    game=(header.run, header.game),
                    entrant=label(header.seats[record.seat], header),
                    open=tuple(one.code for one in game.opportunities()),
                    broken=record.code if record.result == "rule" else None,
                )
