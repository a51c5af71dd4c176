"""Playing a game log through the engine again: the same events must come out; and telling the game readably."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine import Game
from harness import prompts, render
from harness.canonical import digest
from harness.log import GameLog
from harness.playback import new_game
from harness.prompts import DEFAULT_LANGUAGE, Texts
from harness.records import AttemptRecord, DecisionRecord, Header, OutcomeRecord
from harness.text import clean_data, clean_line, quoted


@dataclass(frozen=True)
class Step:
    """One record of the log as text, or the first difference from what the engine does now."""

    text: str
    different: bool = False


def replay(log: GameLog, language: str = DEFAULT_LANGUAGE) -> Iterator[Step]:
    """Replay a log, giving a step for each record, told in ``language``; a step that is ``different`` is the last."""
    texts = prompts.load(language)
    header = log.header
    game = new_game(log)
    names = {str(seat): clean_line(who.name, 48) for seat, who in header.seats.items()}
    yield Step(opening(header, names, texts))
    seen: dict[str, Any] = {}
    for record in log.records[1:]:
        difference = ""
        if isinstance(record, OutcomeRecord):
            yield Step(ending(record, names, texts))
            difference = _outcome_difference(game, record)
        elif isinstance(record, AttemptRecord | DecisionRecord):
            decision = game.decision
            if decision is None or decision.seat != record.seat:
                who = "nobody" if decision is None else f"seat {decision.seat}"
                yield Step(f"decision {record.number}: recorded for seat {record.seat}, here {who} decides", True)
                return
            seen = game.observe(record.seat)
            yield Step(_tell(record, names[record.seat], seen, texts))
            if isinstance(record, DecisionRecord):
                difference = _decision_difference(game, record, seen)
        if difference:
            yield Step(difference, True)
            return
    if log.outcome is None:
        yield Step(texts.say("replay_open", torn=log.torn))


def opening(header: Header, names: Mapping[str, str], texts: Texts) -> str:
    """What game it is and who plays, in lines; ``names`` are by seat and fit to be shown."""
    seats = "\n".join(f"  {seat}: {names[seat]} ({clean_line(who.agent, 200)})" for seat, who in header.seats.items())
    line = texts.say(
        "replay_opening",
        game=clean_line(header.game),
        run=clean_line(header.run),
        edition=header.edition,
        variant=header.variant,
        sets=clean_data(header.sets),
        seed=header.seed,
    )
    return f"{line}\n{seats}"


def _tell(record: AttemptRecord | DecisionRecord, name: str, seen: dict[str, Any], texts: Texts) -> str:
    if isinstance(record, AttemptRecord):
        if record.result == "accepted":
            return ""
        return f"     {_attempt(record, name, seen, texts)}"
    line = decided(record, seen, texts)
    told = texts.say("replay_decision", round=record.round, seat=record.seat, name=name, line=line)
    events = [f"       {render.event(event, texts.language)}" for event in record.events]
    return "\n".join([f"{record.number:>4} {told}", *events])


def decided(record: DecisionRecord, seen: dict[str, Any], texts: Texts) -> str:
    """Return how a decision ended, in one line: what was proposed, or what the policy did and why."""
    if record.proposal is None:
        return texts.say("replay_resigned") if record.asked else texts.say("replay_used_up", by=record.by)
    line = render.proposal(record.proposal, seen, texts.language)
    if record.by != "random_legal":
        return line
    return texts.say("replay_drawn_asked" if record.asked else "replay_drawn", line=line)


def _attempt(record: AttemptRecord, name: str, seen: dict[str, Any], texts: Texts) -> str:
    stated = ""
    if record.proposal:
        stated = f"{render.proposal(record.proposal, seen, texts.language)} "
    elif record.stated:
        stated = f"{quoted(record.stated, 200)} "
    code = f", {record.code}" if record.code else ""
    rules = " ".join(record.violations[0].rules) if record.violations else ""
    marks = clean_line(f"{record.result}{code}{f': {rules}' if rules else ''}")
    return texts.say("replay_attempt", seat=record.seat, name=name, stated=stated, marks=marks)


def ending(record: OutcomeRecord, names: Mapping[str, str], texts: Texts) -> str:
    """How a game ended, in one line."""
    stacks = ", ".join(f"{seat} {count}" for seat, count in record.stacks.items())
    reason = texts.say(f"reason_{record.reason}")
    if record.winner is not None:
        ended = texts.say("replay_win", winner=record.winner, name=names[record.winner], reason=reason)
    else:
        ended = texts.say("replay_no_win", result=texts.say(f"result_{record.result}"), reason=reason)
    return texts.say("replay_ending", ended=ended, rounds=record.rounds, decisions=record.decisions, stacks=stacks)


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
