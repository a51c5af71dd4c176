"""Every recorded proposal put to the engine as it is now, decision by decision, and what it judges differently."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from engine import Event, Game, Verdict
from harness.canonical import digest
from harness.judging import outcome_record
from harness.log import GameLog
from harness.playback import new_game
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord, Record, ViolationRecord

Json = dict[str, Any]
Kind = Literal["now accepted", "now refused", "other violation", "other events", "other turn", "other outcome"]


@dataclass(frozen=True)
class Difference:
    """One thing the engine now judges otherwise than the log says; ``attempt`` is None outside attempts."""

    game: str
    number: int
    seat: str | None
    attempt: int | None
    kind: Kind
    proposal: Json | None
    recorded: Json
    now: Json


@dataclass(frozen=True)
class Rejudged:
    """A log with the verdicts of the present engine.

    ``log`` ends, without an outcome, at the decision ``cut`` where the engine would have let the game go another way.
    Differences are listed beyond that, along the recorded game, up to the decision ``lost`` from which on it can no
    longer be followed. Both are None where nothing changes the course of the game. ``judged`` counts the proposals.
    """

    log: GameLog
    differences: tuple[Difference, ...]
    judged: int
    cut: int | None = None
    lost: int | None = None


def rejudge(log: GameLog) -> Rejudged:
    """Play a log through the engine and judge every recorded proposal again.

    Attempts that were no readable proposal stay as they were classed. Raises UserError for a game that the engine
    cannot set up.
    """
    walk = _Walk(log, new_game(log), [log.header])
    for record in log.records[1:]:
        if isinstance(record, OutcomeRecord):
            walk.outcome(record)
        elif isinstance(record, AttemptRecord | DecisionRecord):
            decision = walk.game.decision
            if decision is None or decision.seat != record.seat:
                now = {"seat": decision and decision.seat}
                walk.note(record, "other turn", None, {"seat": record.seat}, now)
                walk.leave(record.number)
                walk.lost = record.number
            elif isinstance(record, AttemptRecord):
                walk.attempt(record)
            else:
                walk.decision(record)
        if walk.lost is not None:
            break
    return Rejudged(replace(log, records=tuple(walk.kept)), tuple(walk.differences), walk.judged, walk.cut, walk.lost)


def decided(
    game: Game,
    number: int,
    by: Literal["agent", "random_legal", "forfeit", "void"],
    proposal: Json | None,
    events: tuple[Event, ...],
) -> DecisionRecord:
    """Return the record of a decision that ended like this; ``game`` stands where it is open."""
    decision = game.decision
    assert decision is not None
    fields = {
        "number": number,
        **decision._asdict(),
        "round": game.round,
        "observation": digest(game.observe(decision.seat)),
        "by": by,
        "proposal": proposal,
        "events": [event.to_json() for event in events],
    }
    return DecisionRecord.model_validate(fields)


@dataclass
class _Walk:
    """A log on its way through the engine; ``kept`` are the records of the game as it is judged now."""

    log: GameLog
    game: Game
    kept: list[Record]
    differences: list[Difference] = field(default_factory=list)
    judged: int = 0
    cut: int | None = None
    lost: int | None = None

    def keep(self, record: Record) -> None:
        """Take over a record, unless the game has left its course."""
        if self.cut is None:
            self.kept.append(record)

    def leave(self, number: int) -> None:
        """Cut the game at a decision, unless it was cut before."""
        self.cut = number if self.cut is None else self.cut

    def note(
        self, record: AttemptRecord | DecisionRecord, kind: Kind, proposal: Json | None, old: Json, new: Json
    ) -> None:
        """List a difference."""
        attempt = record.attempt if isinstance(record, AttemptRecord) else None
        where = (self.log.header.game, record.number, record.seat, attempt)
        self.differences.append(Difference(*where, kind, proposal, old, new))

    def attempt(self, record: AttemptRecord) -> None:
        """Judge an attempt; the game itself goes on with the decision behind it."""
        if record.proposal is None:
            self.keep(record)
            return
        self.judged += 1
        verdict = self.game.clone().propose(record.seat, record.proposal["tool"], record.proposal["arguments"])
        new = _judged(record, verdict)
        if _told(new) != _told(record):
            kind: Kind = "other violation"
            if verdict.accepted != (record.result == "accepted"):
                kind = "now accepted" if verdict.accepted else "now refused"
            self.note(record, kind, record.proposal, _told(record), _told(new))
        self.keep(new)
        if verdict.accepted and record.result != "accepted":
            self.keep(decided(self.game, record.number, "agent", verdict.proposal, verdict.events))
        if verdict.accepted != (record.result == "accepted"):
            self.leave(record.number)

    def decision(self, record: DecisionRecord) -> None:
        """Play a decision as recorded; the game is lost if the engine refuses it or lets something else happen."""
        here = self.game.clone()
        if record.proposal is not None:
            verdict = here.propose(record.seat, record.proposal["tool"], record.proposal["arguments"])
            if not verdict.accepted:
                if not self._is_listed(record.number):
                    self.note(record, "now refused", record.proposal, {"class": "accepted"}, _verdict(verdict))
                self.leave(record.number)
                self.lost = record.number
                return
            events = verdict.events
        else:
            events = here.forfeit(record.seat) if record.by == "forfeit" else ()
        told = [event.to_json() for event in events]
        if told == record.events:
            self.keep(record)
        else:
            old, new = _first_difference(record.events, told)
            self.note(record, "other events", record.proposal, old, new)
            self.keep(decided(self.game, record.number, record.by, record.proposal, events))
            self.leave(record.number)
            self.lost = record.number + 1
        self.game = here

    def outcome(self, record: OutcomeRecord) -> None:
        """Hold the outcome against what the engine says of the final position."""
        over = record.reason in ("eighth_stack", "last_seat")
        new = outcome_record(self.game, record.reason, self.log.header.round_limit, record.decisions)
        known = _result(record)
        now = _result(new) if over == (self.game.decision is None) else {"over": not over}
        if known != now:
            self.differences.append(
                Difference(self.log.header.game, record.decisions, None, None, "other outcome", None, known, now)
            )
        if "over" in now:
            self.leave(record.decisions)
        self.keep(record if known == now else new)

    def _is_listed(self, number: int) -> bool:
        return any(one.number == number and one.kind == "now refused" for one in self.differences)


def _judged(record: AttemptRecord, verdict: Verdict) -> AttemptRecord:
    """An attempt as the engine judges it now; the very same one if nothing is different."""
    violations = [
        ViolationRecord(code=one.code, rules=list(one.rules), facts=dict(one.facts)) for one in verdict.violations
    ]
    now = _verdict(verdict)
    if now == _told(record):
        return record
    return record.model_copy(
        update={
            "result": now["class"],
            "code": now.get("code"),
            "violations": violations,
            "proposal": verdict.proposal if verdict.accepted else record.proposal,
        }
    )


def _told(record: AttemptRecord) -> Json:
    """The verdict a record holds, without the facts behind it."""
    return _plain(record.result, [(one.code, one.rules) for one in record.violations], record.code)


def _verdict(verdict: Verdict) -> Json:
    """The engine's verdict in the same form."""
    primary = verdict.primary
    if primary is None:
        return _plain("accepted", [], None)
    found = [(one.code, list(one.rules)) for one in verdict.violations]
    return _plain("format" if primary.is_format else "rule", found, primary.code)


def _plain(result: str, violations: list[tuple[str, list[str]]], code: str | None) -> Json:
    if code is None and not violations:
        return {"class": result}
    told = [{"code": one, "rules": rules} for one, rules in violations]
    return {"class": result, "code": code, "violations": told}


def _first_difference(recorded: list[Json], now: list[Json]) -> tuple[Json, Json]:
    """The first event that differs, on both sides; null where there is none."""
    index = 0
    while index < min(len(recorded), len(now)) and recorded[index] == now[index]:
        index += 1
    old, new = (side[index] if index < len(side) else None for side in (recorded, now))
    return {"event": index, "is": old}, {"event": index, "is": new}


def _result(record: OutcomeRecord) -> Json:
    """What an outcome says about who won; the digest of the state is no matter of judging."""
    return record.model_dump(mode="json", include={"result", "winner", "ranking", "stacks", "forfeited"})
