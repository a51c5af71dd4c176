"""What became of every decision, from the attempts in game logs alone: the first try, and the tries after feedback."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from harness.compliance.shares import deal_of
from harness.log import GameLog
from harness.records import AttemptRecord, Header, SeatRecord


@dataclass(frozen=True)
class Decided:
    """One decision that was made, by its player or by the policy.

    ``refused`` is why the first try failed: a code, or the class of an answer that held no call; None if it was
    accepted. ``strict`` says that it was, and needed no repair. ``settled`` is the number of the try that was accepted,
    from 1, None if the policy decided; ``allowed`` how many tries there could be. ``asked``: the policy decided as a
    person asked it to, so that it tells nothing of the player.
    """

    deal: str
    entrant: str
    refused: str | None
    strict: bool
    settled: int | None
    allowed: int
    asked: bool


def decided(logs: Iterable[GameLog], label: Callable[[SeatRecord, Header], str]) -> Iterator[Decided]:
    """Yield the decisions of these logs, game by game; ``label`` says for whom a seat counts.

    Attempts of class ``provider`` are nobody's and are passed over; a decision that is still open is left out.
    """
    for log in logs:
        deal, names = deal_of(log.header), {seat: label(who, log.header) for seat, who in log.header.seats.items()}
        tries: dict[int, list[AttemptRecord]] = defaultdict(list)
        for record in log.attempts:
            if record.result != "provider":
                tries[record.number].append(record)
        for decision in log.decisions:
            made = tries[decision.number]
            accepted = bool(made) and made[-1].result == "accepted"
            first = made[0] if made else None
            yield Decided(
                deal=deal,
                entrant=names[decision.seat],
                refused=None if first is None or first.result == "accepted" else first.code or first.result,
                strict=first is not None and first.result == "accepted" and not first.repairs,
                settled=len(made) if accepted else None,
                allowed=log.header.attempts,
                asked=decision.asked,
            )
