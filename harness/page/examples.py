"""For each rule that an entrant breaks most: one of its attempts, why it was illegal, and the rule itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine import Game, Violation
from harness import prompts, render
from harness.compliance.rates import Rate, worst
from harness.log import GameLog
from harness.playback import playback
from harness.quotes import rule_quote
from harness.records import AttemptRecord, Header, SeatRecord

WORST = 5
"""Codes shown of each entrant."""
MAX_RULES = 3


@dataclass(frozen=True)
class Example:
    """One illegal attempt. ``rules`` are pairs of rule ID and its text; ``number`` is the decision in ``game``."""

    rate: Rate
    game: str
    number: int
    seat: str
    stated: str
    reason: str
    rules: tuple[tuple[str, str], ...]


def examples(
    logs: Sequence[GameLog], rates: Sequence[Rate], label: Callable[[SeatRecord, Header], str], language: str
) -> list[Example]:
    """Return an example for each entrant's worst codes, the first that its games hold."""
    wanted = {
        (one.entrant, one.code): one
        for entrant in dict.fromkeys(rate.entrant for rate in rates)
        for one in worst(rates, entrant, WORST)
    }
    found: dict[tuple[str, str], Example] = {}
    for log in logs:
        names = {seat: label(who, log.header) for seat, who in log.header.seats.items()}
        if not any((names[one.seat], one.code) in wanted.keys() - found.keys() for one in log.attempts):
            continue
        for game, record in playback(log):
            if isinstance(record, AttemptRecord) and record.result == "rule":
                key = (names[record.seat], str(record.code))
                if key in wanted and key not in found:
                    found[key] = _example(log, game, record, wanted[key], language)
    return [found[key] for key in wanted if key in found]


def _example(log: GameLog, game: Game, record: AttemptRecord, rate: Rate, language: str) -> Example:
    seen = game.observe(record.seat)
    first = record.violations[0]
    quotes = [(rule, rule_quote(rule, prompts.load(language), seen)) for rule in first.rules]
    assert record.proposal is not None
    return Example(
        rate=rate,
        game=log.header.game,
        number=record.number,
        seat=record.seat,
        stated=render.proposal(record.proposal, seen, language),
        reason=prompts.message(Violation(first.code, tuple(first.rules), first.facts), language),
        rules=tuple((rule, text) for rule, text in quotes if text)[:MAX_RULES],
    )
