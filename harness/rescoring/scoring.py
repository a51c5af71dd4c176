"""How a game ends under another policy, fewer attempts or strict reading, as far as its log can tell.

The players' answers are taken as they were given. A decision whose answers no longer suffice is decided by the policy.
Where the game behind it is not the one that was played, it is cut: it has no outcome then, and nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from engine import Game
from harness.agents.base import Policy
from harness.judging import outcome_record
from harness.log import GameLog
from harness.playback import playback
from harness.randomness import Draws
from harness.records import AttemptRecord, DecisionRecord, Header, OutcomeRecord, Record
from harness.rescoring.rejudging import Rejudged, decided

How = Literal["drawn", "forfeit", "void", "untried", "engine"]
"""Why a game leaves the course it was played on: the policy draws a move that was not played; the seat forfeits; the
game is void; more attempts are allowed than were made; the engine judges a proposal otherwise."""


@dataclass(frozen=True)
class Scoring:
    """What games are scored by; None leaves what they were played under. ``strict``: a repaired answer is no answer."""

    policy: Policy | None = None
    attempts: int | None = None
    strict: bool = False


@dataclass(frozen=True)
class Departure:
    """The decision at which a game leaves its recorded course.

    ``early`` says that the decision counts as used up although attempts were left: after an answer that strict reading
    does not take, a player would have been asked again, but never was.
    """

    number: int
    how: How
    early: bool = False


@dataclass(frozen=True)
class Rescored:
    """A game as it was recorded, and as it is scored again; ``departure`` None if it keeps its course."""

    recorded: GameLog
    log: GameLog
    departure: Departure | None

    @property
    def fate(self) -> Literal["same", "changed", "cut"]:
        """Whether the game ends with the result it had, with another one, or without any that can be computed."""
        old, new = self.recorded.outcome, self.log.outcome
        if new is None:
            return "cut" if self.departure is not None else "same"
        return "same" if old is not None and _result(old) == _result(new) else "changed"


def _result(outcome: OutcomeRecord) -> tuple[object, ...]:
    return outcome.result, outcome.winner, outcome.ranking


def rescore(recorded: GameLog, judged: Rejudged, scoring: Scoring) -> Rescored:
    """Score a game again; ``judged`` is its log as the engine judges it now.

    Under the game's own policy and attempts, read leniently and judged as before, the records stay the same.
    """
    header = _header(judged.log.header, scoring)
    kept: list[Record] = [header]
    for tried, end in _decisions(judged.log):
        read = _read(tried, header.attempts, scoring.strict)
        kept += read.attempts
        if _stays(read, end, header, judged.log.header):
            kept += [end] if end is not None else []
            continue
        number = end.number if isinstance(end, DecisionRecord) else tried[-1].number
        if read.end == "open" and not read.refused:
            return _rescored(recorded, judged.log, kept, Departure(number, "untried"))
        ending = _ending(judged.log, header, number, end)
        kept += ending.records
        if ending.how is not None:
            return _rescored(recorded, judged.log, kept, Departure(number, ending.how, early=read.end == "open"))
    by_the_engine = Departure(judged.cut, "engine") if judged.cut is not None else None
    return _rescored(recorded, judged.log, kept, by_the_engine)


def _header(header: Header, scoring: Scoring) -> Header:
    changes = {"policy": scoring.policy, "attempts": scoring.attempts}
    return header.model_copy(update={name: value for name, value in changes.items() if value is not None})


def _rescored(recorded: GameLog, judged: GameLog, kept: list[Record], departure: Departure | None) -> Rescored:
    return Rescored(recorded, replace(judged, records=tuple(kept)), departure)


def _decisions(log: GameLog) -> Iterator[tuple[list[AttemptRecord], DecisionRecord | OutcomeRecord | None]]:
    """Yield the attempts at each decision and how it ended; last the outcome, or None for a game without."""
    tried: list[AttemptRecord] = []
    for record in log.records[1:]:
        if isinstance(record, AttemptRecord):
            tried.append(record)
        elif isinstance(record, DecisionRecord | OutcomeRecord):
            yield tried, record
            tried = []
    if tried:
        yield tried, None


@dataclass(frozen=True)
class _Read:
    """The attempts at a decision that count, and what they came to."""

    attempts: list[AttemptRecord]
    end: Literal["settled", "used up", "open"]
    refused: bool
    """Whether strict reading does not take the answer that was accepted."""


def _read(tried: list[AttemptRecord], attempts: int, strict: bool) -> _Read:
    counted: list[AttemptRecord] = []
    used, refused = 0, False
    for recorded in tried:
        attempt = _strictly(recorded) if strict else recorded
        counted.append(attempt)
        if attempt.result == "accepted":
            return _Read(counted, "settled", refused)
        refused |= recorded.result == "accepted"
        used += attempt.result != "provider"
        if used == attempts:
            return _Read(counted, "used up", refused)
    return _Read(counted, "open", refused)


def _strictly(record: AttemptRecord) -> AttemptRecord:
    """A repaired answer read strictly is one that cannot be read (section 4 of the contract)."""
    if not record.repairs or record.result not in ("accepted", "rule"):
        return record
    unread: dict[str, object] = {"result": "format", "code": "malformed_arguments", "violations": [], "proposal": None}
    return record.model_copy(update=unread)


def _stays(read: _Read, end: DecisionRecord | OutcomeRecord | None, now: Header, then: Header) -> bool:
    """Whether a decision, the last one of an open or void game included, ends as it was recorded."""
    if read.end == "settled":
        return True
    if isinstance(end, DecisionRecord) and end.asked:  # what a person asked for hangs on no policy
        return True
    if not isinstance(end, DecisionRecord):
        return not read.refused and (read.end == "open" or now == then)
    if read.end == "used up":
        return end.by == now.policy
    return end.by == "agent" and not read.refused


@dataclass(frozen=True)
class _Ending:
    """What the policy makes of a decision; ``how`` None if it draws just the move that was played."""

    records: list[Record]
    how: Literal["drawn", "forfeit", "void"] | None


def _ending(log: GameLog, header: Header, number: int, end: DecisionRecord | OutcomeRecord | None) -> _Ending:
    """Let the policy decide, as a match does."""
    game = _position(log, number)
    assert game.decision is not None
    seat, here = game.decision.seat, game.clone()
    if header.policy == "random_legal":
        draws = Draws(header.run_seed, header.game, seat, number, "policy")
        drawn = game.proposal(draws.choice(game.legal))
        if isinstance(end, DecisionRecord) and drawn == end.proposal:
            return _Ending([end.model_copy(update={"by": "random_legal"})], None)
        events = here.propose(seat, drawn["tool"], drawn["arguments"]).events
        return _Ending([decided(game, number, "random_legal", drawn, events)], "drawn")
    if header.policy == "void":
        void = outcome_record(game, "attempts", header.round_limit, number + 1)
        return _Ending([decided(game, number, "void", None, ()), void], "void")
    events = here.forfeit(seat)
    records: list[Record] = [decided(game, number, "forfeit", None, events)]
    if here.decision is None:  # one seat is left and wins; with more seats their game goes on, but was never played
        records.append(outcome_record(here, "last_seat", header.round_limit, number + 1))
    return _Ending(records, "forfeit")


def _position(log: GameLog, number: int) -> Game:
    """The game at a decision that was asked."""
    for game, record in playback(log):
        if isinstance(record, AttemptRecord | DecisionRecord) and record.number == number:
            return game
    raise ValueError(f"{log.path} holds no decision {number}")
