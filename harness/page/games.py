"""Games as data for the replay on the page: what was decided, attempted and seen, step by step, all seats open."""

from __future__ import annotations

from typing import Any

from engine import Game
from harness import prompts, render
from harness.log import GameLog
from harness.playback import new_game, playback
from harness.prompts import Texts
from harness.records import AttemptRecord, DecisionRecord
from harness.replay import decided
from harness.text import clean_line, quoted

Json = dict[str, Any]


def game_data(log: GameLog, language: str) -> Json:
    """Return one game as plain JSON of cleaned texts.

    Every decision is a step: who decided what, the attempts that failed before, the events, and the table afterwards.
    Raises UserError for a log that the engine now plays differently.
    """
    texts = prompts.load(language)
    steps: list[Json] = [_step(texts.say("page_deal"), [])]
    failed: list[Json] = []
    game: Game | None = None
    for game, record in playback(log):
        steps[-1].setdefault("table", _table(game))
        if isinstance(record, AttemptRecord) and record.result != "accepted":
            failed.append(_attempt(record, game, texts))
        elif isinstance(record, DecisionRecord):
            told = decided(record, game.observe(record.seat), texts)
            events = [render.event(event, language) for event in record.events]
            place = {"number": record.number, "round": record.round, "seat": record.seat, "by": record.by}
            steps.append({**_step(told, failed), "events": events, **place})
            failed = []
    if failed:  # the decision that is still open
        steps.append(_step(texts.say("page_open"), failed))
    steps[-1].setdefault("table", _table(game or new_game(log)))
    return {
        "game": clean_line(log.header.game),
        "seats": {str(seat): clean_line(who.name, 48) for seat, who in log.header.seats.items()},
        "steps": steps,
    }


def _step(told: str, attempts: list[Json]) -> Json:
    return {"told": told, "attempts": attempts, "events": []}


def _attempt(record: AttemptRecord, game: Game, texts: Texts) -> Json:
    stated = ""
    if record.proposal is not None:
        stated = render.proposal(record.proposal, game.observe(record.seat), texts.language)
    elif record.stated is not None:
        stated = quoted(record.stated, 300)
    return {
        "class": record.result,
        "code": record.code or "",
        "rules": record.violations[0].rules if record.violations else [],
        "stated": stated,
        "detail": clean_line(record.detail, 300),
    }


def _table(game: Game) -> Json:
    """Everything that lies on the table and in the hands."""
    views: dict[str, Any] = {seat: game.observe(seat) for seat in game.seats}
    seen = next(iter(views.values()))
    if "draft" in seen:
        return {"draft": seen["draft"]}
    return {
        "market": [[slot["card"], slot["cost"]] if slot else None for slot in seen["market"]],
        "market_deck": seen["market_deck_size"],
        "market_discard": seen["market_discard"],
        "junk": seen["junk_pile"],
        "seats": {
            seat: {
                "hand": [card["card"] for card in view["hand"]],
                "deck": view["seats"][seat]["deck_size"],
                "discard": view["seats"][seat]["discard"],
                "in_play": view["seats"][seat]["in_play"],
                "stall": view["seats"][seat]["stall"],
            }
            for seat, view in views.items()
        },
    }
