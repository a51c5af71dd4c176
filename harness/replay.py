"""Playing a game log through the engine again: the same events must come out; and telling the game readably."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import Game, PositionError
from harness import render
from harness.canonical import digest
from harness.errors import UserError
from harness.log import GameLog
from harness.records import AttemptRecord, DecisionRecord, Header, OutcomeRecord
from harness.text import clean_line, quoted


@dataclass(frozen=True)
class Step:
    """One record of the log as text, or the first difference from what the engine does now."""

    text: str
    different: bool = False


def replay(log: GameLog) -> Iterator[Step]:
    """Replay a log, giving a step for each record; a step that is ``different`` is the last."""
    header = log.header
    try:
        sets = header.sets or None
        game = Game.new(header.players, sets, header.seed, header.edition, header.start, header.variant)
    except PositionError as error:
        raise UserError(f"{log.path}: the engine cannot set up this game: {error}") from None
    yield Step(_opening(header))
    names = {str(seat): clean_line(who.name, 48) for seat, who in header.seats.items()}
    seen: dict[str, Any] = {}
    for record in log.records[1:]:
        difference = ""
        if isinstance(record, OutcomeRecord):
            yield Step(_ending(record, names))
            difference = _outcome_difference(game, record)
        elif isinstance(record, AttemptRecord | DecisionRecord):
            decision = game.decision
            if decision is None or decision.seat != record.seat:
                who = "nobody" if decision is None else f"seat {decision.seat}"
                yield Step(f"decision {record.number}: recorded for seat {record.seat}, here {who} decides", True)
                return
            seen = game.observe(record.seat)
            yield Step(_tell(record, names[record.seat], seen))
            if isinstance(record, DecisionRecord):
                difference = _decision_difference(game, record, seen)
        if difference:
            yield Step(difference, True)
            return
    if log.outcome is None:
        yield Step("The log ends here: the game is still open." + (" Its torn last line was dropped." * log.torn))


def _opening(header: Header) -> str:
    seats = "\n".join(
        f"  {seat}: {clean_line(who.name, 48)} ({clean_line(who.agent, 200)})" for seat, who in header.seats.items()
    )
    variant = f"{header.variant} variant, " if header.variant != "standard" else ""
    return (
        f"Game {clean_line(header.game)} of run {clean_line(header.run)}: {header.edition} edition, {variant}"
        f"sets {clean_line(', '.join(header.sets)) or 'drafted'}, "
        f"seed {header.seed}\n{seats}"
    )


def _tell(record: AttemptRecord | DecisionRecord, name: str, seen: dict[str, Any]) -> str:
    if isinstance(record, AttemptRecord):
        if record.result == "accepted":
            return ""
        stated = render.proposal(record.proposal, seen) if record.proposal else quoted(record.stated, 200)
        what = f"{stated} " if record.proposal or record.stated else ""
        code = f", {record.code}" if record.code else ""
        rules = " ".join(record.violations[0].rules) if record.violations else ""
        return f"     {record.seat} ({name}) tries: {what}[{record.result}{code}{f': {rules}' if rules else ''}]"
    if record.proposal is None:
        line = f"attempts used up: {record.by}"
    else:
        line = render.proposal(record.proposal, seen)
        line += " (drawn by the policy)" if record.by == "random_legal" else ""
    events = [f"       {render.event(event)}" for event in record.events]
    return "\n".join([f"{record.number:>4} round {record.round}, {record.seat} ({name}): {line}", *events])


def _ending(record: OutcomeRecord, names: dict[str, str]) -> str:
    stacks = ", ".join(f"{seat} {count}" for seat, count in record.stacks.items())
    if record.winner is not None:
        ended = f"{record.winner} ({names[record.winner]}) wins ({record.reason.replace('_', ' ')})"
    else:
        ended = f"{record.result} ({record.reason.replace('_', ' ')})"
    return f"{ended} after {record.rounds} rounds and {record.decisions} decisions; stacks: {stacks}"


def _decision_difference(game: Game, record: DecisionRecord, seen: dict[str, Any]) -> str:
    where = f"decision {record.number} of seat {record.seat}"
    if digest(seen) != record.observation:
        return f"{where}: the seat is shown something else than when the log was written"
    if record.proposal is not None:
        verdict = game.propose(record.seat, record.proposal["tool"], record.proposal["arguments"])
        if verdict.primary is not None:
            return f"{where}: recorded as accepted, here refused with {verdict.primary.code}"
        events = [event.to_json() for event in verdict.events]
    else:
        events = [event.to_json() for event in game.forfeit(record.seat)] if record.by == "forfeit" else []
    for index, recorded in enumerate(record.events):
        if index >= len(events):
            return f"{where}: event {index} is recorded as {quoted(recorded, 300)}, here there is none"
        if events[index] != recorded:
            return f"{where}: event {index} is recorded as {quoted(recorded, 300)}, here {quoted(events[index], 300)}"
    if len(events) > len(record.events):
        return f"{where}: here one more event follows, {quoted(events[len(record.events)], 300)}"
    return ""


def _outcome_difference(game: Game, record: OutcomeRecord) -> str:
    here = {"winner": game.winner, "stacks": game.stacks, "state": game.digest()}
    for name, value in here.items():
        recorded = getattr(record, name)
        if value != recorded:
            return f"outcome: {name} is recorded as {recorded}, here {value}"
    return ""
