"""One step of a watched game in words: what was tried or decided and what followed, as far as a seat could see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from harness import prompts, render, render_change
from harness.agents.base import Proposal
from harness.prompts import Texts
from harness.quotes import rule_quote
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord
from harness.replay import decided, ending, opening
from harness.terminal.table import ALERT, HEAD, QUIET
from harness.terminal.watched import Step, WatchedGame
from harness.text import clean_line, quoted

Line = tuple[str, str]
"""A line of text, which can be long, and its style."""
RULES = 3
"""The most rules quoted for an attempt."""


def tell(watched: WatchedGame, place: int, seat: str | None, texts: Texts) -> list[Line]:
    """Return what there is to be said of a step; ``seat`` None: to somebody who sees everything."""
    step = watched.steps[place]
    record = step.record
    if isinstance(record, AttemptRecord):
        return list(_attempt(step, record, watched.names(texts), texts))
    if isinstance(record, DecisionRecord):
        return list(_decision(step, record, seat, watched.names(texts), texts))
    if isinstance(record, OutcomeRecord):
        return [(ending(record, watched.names(texts), texts), HEAD)]
    if place == 0:
        return [(line, "") for line in opening(watched.header, watched.names(texts), texts).split("\n")]
    decision = step.game.decision
    if decision is None:
        return [(texts.say("board_over"), HEAD)]
    return [(texts.say("watch_thinks", name=watched.names(texts)[decision.seat], seat=decision.seat), HEAD)]


def _decision(
    step: Step, record: DecisionRecord, seat: str | None, names: Mapping[str, str], texts: Texts
) -> Iterator[Line]:
    own = seat is None or seat == record.seat
    name = names[record.seat]
    if not own:
        yield texts.say("watch_decides", name=name, seat=record.seat), HEAD
    else:
        line = decided(record, step.game.observe(record.seat), texts)
        yield texts.say("replay_decision", round=record.round, seat=record.seat, name=name, line=line), HEAD
    for event in step.events:
        shown = event.to_json() if seat is None else event.seen_by(seat)
        yield f"- {render.event(shown, texts.language)}", ""
    if own and step.tried is not None:
        yield from _use(step.tried, texts)


def _attempt(step: Step, record: AttemptRecord, names: Mapping[str, str], texts: Texts) -> Iterator[Line]:
    seat = record.seat
    seen = step.game.observe(seat)
    name = names[seat]
    yield texts.say("watch_tries", name=name, seat=seat, attempt=record.attempt + 1), ALERT
    proposal = _proposal(record)
    if proposal is not None:
        yield render.proposal(proposal, seen, texts.language), "bold"
    if record.stated is not None and record.stated != proposal:
        yield texts.say("watch_stated", stated=quoted(record.stated, 400)), QUIET
    classed = clean_line(texts.say("watch_class", **{"class": record.result}), 60)
    yield classed + (f", {clean_line(record.code, 60)}" if record.code else ""), ALERT
    if proposal is None:
        yield prompts.failure_message(record.result, texts.language), ""
    else:
        yield from _why(step, record, proposal, seen, texts)
    if record.detail:
        yield texts.say("watch_detail", detail=clean_line(record.detail, 400)), QUIET
    yield from _use(record, texts)


def _why(
    step: Step, record: AttemptRecord, proposal: Proposal, seen: Mapping[str, Any], texts: Texts
) -> Iterator[Line]:
    """Why the engine refuses it, with the rules and the nearest legal proposal; the log's own word where it differs."""
    explanation = step.game.explain(record.seat, proposal["tool"], proposal["arguments"])
    for violation in explanation.violations:
        marks = ", ".join((violation.code, *violation.rules))
        yield f"{prompts.message(violation, texts.language)} [{marks}]", ""
    codes = [violation.code for violation in explanation.violations]
    if record.code not in codes[:1]:
        yield texts.say("watch_recorded", recorded=clean_line(str(record.code), 60)), ALERT
    nearest = render_change.nearest(explanation, seen, texts.language)
    if nearest:
        yield nearest, ""
    for rule in explanation.violations[0].rules[:RULES] if explanation.violations else ():
        quote = rule_quote(rule, texts, seen)
        if quote:
            yield texts.say("watch_rule", rule=rule, quote=quote), QUIET


def _proposal(record: AttemptRecord) -> Proposal | None:
    """The readable proposal of an attempt; the log says what it holds, so its shape is looked at."""
    stated = record.proposal
    return stated if stated is not None and "tool" in stated and "arguments" in stated else None


def _use(record: AttemptRecord, texts: Texts) -> Iterator[Line]:
    if record.repairs:
        repairs = [clean_line(repair, 60) for repair in record.repairs]
        yield texts.say("watch_repairs", repairs=repairs), QUIET
    if record.usage is not None:
        tokens = sum(record.usage.model_dump(exclude={"reasoning"}).values())
        cost = clean_line(record.cost, 20) if record.cost is not None else ""
        yield texts.say("watch_use", tokens=tokens, cost=cost, calls=record.calls), QUIET


def found(watched: WatchedGame, place: int, seat: str | None, texts: Texts, words: str) -> bool:
    """Whether what is told of a step contains all the words."""
    if not watched.steps[place].seen_by(seat):
        return False
    told = " ".join(line for line, _ in tell(watched, place, seat, texts)).casefold()
    return all(word in told for word in words.casefold().split())
