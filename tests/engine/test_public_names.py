"""Everything a user of the engine may import, and that each name is what the contract says."""

from __future__ import annotations

import engine
from engine import Game

CONTRACT = {
    "CODES": dict,
    "COMPILED": bool,
    "EDITIONS": tuple,
    "EVENT_TYPES": dict,
    "LIST_FIELDS": tuple,
    "NUMBER_FIELDS": tuple,
    "SEATS": str,
    "SETS": tuple,
    "TEXT_FIELDS": tuple,
    "TOOLS": tuple,
    "VARIANTS": tuple,
    "Action": type,
    "CardInfo": type,
    "CodeInfo": type,
    "Decision": type,
    "EngineError": type,
    "Event": type,
    "EventType": type,
    "Explanation": type,
    "ForcedOutcomeError": type,
    "FormatFault": type,
    "Game": type,
    "Opportunity": type,
    "PositionError": type,
    "Verdict": type,
    "Violation": type,
    "catalogue": type(engine.catalogue),
    "form_of": type(engine.form_of),
}


def test_the_public_names_are_exactly_these() -> None:
    assert sorted(engine.__all__) == sorted(CONTRACT)
    for name, kind in CONTRACT.items():
        assert isinstance(getattr(engine, name), kind), name


def test_errors_are_one_tree() -> None:
    for name in ("PositionError", "ForcedOutcomeError", "FormatFault"):
        assert issubclass(getattr(engine, name), engine.EngineError)
    assert issubclass(engine.ForcedOutcomeError, engine.PositionError)


def test_names_of_the_contract() -> None:
    assert engine.EDITIONS == ("classic", "remastered")
    assert engine.VARIANTS == ("standard", "tournament")
    assert engine.SEATS == "ABCD"
    assert engine.SETS == ("macaws", "pandas", "raccoons", "squirrels", "ocelots", "chameleons")
    assert engine.TOOLS == ("market", "technique", "stall", "inventory", "ability", "choose", "skip", "end_turn")
    assert engine.Decision._fields == ("seat", "kind", "asks", "card", "bonus")
    assert engine.Violation._fields == ("code", "rules", "facts")
    assert engine.Explanation._fields == ("violations", "change", "edits")
    assert engine.Opportunity._fields == ("code", "tool", "arguments")
    assert engine.CodeInfo._fields == ("code", "group", "rules")
    assert engine.Verdict._fields == ("accepted", "action", "proposal", "events", "violations")
    assert engine.CardInfo._fields == (("slug", "name", "set", "value", "copies", "type", "plus", "ability", "code"))


def test_what_a_game_offers() -> None:
    game = Game.new(players=3, seed=1)
    for name in [
        "new",
        "from_position",
        "from_json",
        "to_json",
        "clone",
        "digest",
        "seats",
        "edition",
        "variant",
        "sets",
        "seed",
        "decision",
        "legal",
        "proposal",
        "propose",
        "judge",
        "explain",
        "opportunities",
        "apply",
        "forfeit",
        "observe",
        "round",
        "over",
        "winner",
        "stacks",
        "forfeited",
        "tools",
        "translate",
        "express",
        "determinise",
        "position",
    ]:
        assert hasattr(game, name), name
    assert game.seats == ("A", "B", "C")
    assert (game.edition, game.seed, game.round) == ("classic", 1, 1)
    assert (game.over, game.winner, game.forfeited) == (False, None, ())
    assert game.stacks == {"A": 0, "B": 0, "C": 0}


def test_the_keys_of_an_observation_stand_in_a_fixed_order() -> None:
    observation = Game.new(players=2, seed=3).observe("B")
    assert list(observation) == [
        "seat",
        "edition",
        "sets",
        "round",
        "turn",
        "decision",
        "next_stack",
        "hand_limit",
        "hand",
        "market",
        "market_deck_size",
        "market_discard",
        "junk_pile",
        "seats",
        "offered",
        "known",
        "pools",
        "unlocated",
    ]
    assert list(observation["seats"]["A"]) == ["hand_size", "deck_size", "discard", "stall", "in_play", "forfeited"]
    assert list(observation["pools"]) == ["A", "B", "market_deck"]
    assert list(observation["pools"]["A"]) == ["cards", "unknown"]
