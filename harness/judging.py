"""From answers to records: classing an attempt, replaying a recorded decision, the outcome of a game."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any, Literal

from engine import Event, Game, Verdict
from harness.agents.base import Answer, Fault, Proposal, Usage
from harness.blobs import BlobStore
from harness.canonical import plain
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord, Reason, UsageRecord, ViolationRecord


def judge(
    game: Game, place: Mapping[str, Any], answer: Answer, seconds: float, blobs: BlobStore
) -> tuple[AttemptRecord, Verdict | None]:
    """Class an answer to the open decision; an accepted proposal is played.

    ``place`` holds the fields number, seat and attempt. Returns the record, not written yet, and the engine's verdict,
    None if there was nothing to judge. Raises TypeError for an answer with neither a proposal nor a failure.
    """
    fields: dict[str, Any] = {
        "class": answer.failure,
        "code": answer.code,
        "detail": plain(answer.detail),
        "repairs": list(answer.repairs),
        "usage": _usage(answer.usage) if answer.usage is not None else None,
        "cost": answer.cost,
        "uncertain": answer.uncertain,
        "calls": answer.calls,
        "request": blobs.put(answer.request) if answer.request is not None else None,
        "answer": blobs.put(answer.answer) if answer.answer is not None else None,
        "timing": {"seconds": round(seconds, 6), **answer.timing},
    }
    if answer.proposal is None and answer.failure is None:
        raise TypeError(f"an answer holds neither a proposal nor a failure: {answer!r}")
    verdict = None
    try:
        proposal: Proposal | None = plain(answer.proposal)
        fields["stated"] = plain(answer.stated if answer.stated is not None else answer.proposal)
    except ValueError as error:
        proposal = None
        fields |= {"class": "format", "code": "malformed_arguments", "detail": f"arguments {error}"}
    if proposal is not None:
        verdict = game.propose(place["seat"], proposal["tool"], proposal["arguments"])
        fields |= _judgement(verdict, proposal)
    return AttemptRecord(**place, **fields), verdict


def apply_decision(game: Game, record: DecisionRecord) -> tuple[Event, ...] | None:
    """Play a recorded decision; returns its events, None if the engine now refuses it or gives other events."""
    if game.decision is None or game.decision.seat != record.seat:
        return None
    events: tuple[Event, ...] = ()
    if record.proposal is not None:
        verdict = game.propose(record.seat, record.proposal["tool"], record.proposal["arguments"])
        if not verdict.accepted:
            return None
        events = verdict.events
    elif record.by == "forfeit":
        events = game.forfeit(record.seat)
    return events if [event.to_json() for event in events] == record.events else None


def _judgement(verdict: Verdict, proposal: Proposal) -> dict[str, Any]:
    """Return the fields of an attempt that the engine's verdict decides."""
    if verdict.accepted:
        return {"class": "accepted", "proposal": verdict.proposal}
    primary = verdict.primary
    assert primary is not None
    return {
        "class": "format" if primary.is_format else "rule",
        "proposal": proposal,
        "code": primary.code,
        "violations": [
            ViolationRecord(code=violation.code, rules=list(violation.rules), facts=dict(violation.facts))
            for violation in verdict.violations
        ],
    }


def _usage(usage: Usage) -> UsageRecord:
    return UsageRecord(**{name: getattr(usage, name) for name in UsageRecord.model_fields})


def fault_record(fault: Fault, place: Mapping[str, Any]) -> AttemptRecord:
    """Return the attempt of class ``provider`` that a fault counts as."""
    fields: dict[str, Any] = {"class": "provider", "code": fault.code, "detail": plain(fault.detail)}
    fields["uncertain"] = fault.uncertain
    return AttemptRecord(**place, **fields, calls=1, timing=dict(fault.timing))


def repeated(record: AttemptRecord, attempt: int) -> AttemptRecord:
    """Return the attempt for which an earlier refusal stands, since the same question would be asked once more.

    It is paid for once; the attempts are used up as if it had been asked each time.
    """
    unasked: dict[str, object] = {
        "attempt": attempt,
        "detail": "the same question was refused, and is not asked again",
        **dict.fromkeys(("usage", "cost", "uncertain", "timing")),
        "repairs": [],
        "calls": 0,
    }
    return record.model_copy(update=unasked)


def outcome_record(game: Game, reason: Reason, round_limit: int, decisions: int) -> OutcomeRecord:
    """Return how a game ended."""
    result: Literal["win", "unfinished", "void"] = "void"
    if reason in ("eighth_stack", "last_seat"):
        result = "win"
    elif reason in ("round_limit", "decision_limit"):
        result = "unfinished"
    return OutcomeRecord.model_validate(
        {
            "result": result,
            "reason": reason,
            "winner": game.winner,
            "ranking": _ranking(game) if result != "void" else [],
            "stacks": game.stacks,
            "forfeited": list(game.forfeited),
            "rounds": min(game.round, round_limit),
            "decisions": decisions,
            "state": game.digest(),
        }
    )


def _ranking(game: Game) -> list[list[str]]:
    """Rank the seats: the winner, then by stacks (R-END-04), seats that forfeited last."""

    def key(seat: str) -> tuple[bool, bool, int]:
        return (seat != game.winner, seat in game.forfeited, -game.stacks[seat])

    order = sorted(game.seats, key=key)
    return [list(group) for _, group in groupby(order, key=key)]
