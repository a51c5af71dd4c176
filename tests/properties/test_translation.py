"""Every legal action's own proposal is judged legal and means that action, written at L0, L1 and L2 alike."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from strategies import Play, crowded_plays, dealt_plays, examples

from engine import Game

LEVELS = ("L0", "L1", "L2")


def hold(game: Game, most: int = 40) -> None:
    """Write and read back up to `most` entries of the legal list."""
    decision = game.decision
    assert decision is not None
    legal = game.legal
    step = max(1, len(legal) // most)
    tools = {level: {tool["name"]: tool["parameters"] for tool in game.tools(level)} for level in LEVELS}
    for index in range(0, len(legal), step):
        action = legal[index]
        proposal: Any = game.proposal(action)
        assert json.loads(json.dumps(proposal)) == proposal
        trial = game.clone()
        trial.apply(action)
        after = trial.digest()
        asked = [("section 1", proposal["tool"], proposal["arguments"])]
        for level in LEVELS:
            name, call = game.express(level, index)
            fits(call, tools[level][name])
            asked.append((level, *game.translate(level, name, json.loads(json.dumps(call)))))
        for form, tool, arguments in asked:
            trial = game.clone()
            verdict = trial.propose(decision.seat, tool, arguments)
            assert verdict.accepted, (form, proposal, arguments, verdict.violations)
            assert verdict.proposal == proposal, (form, arguments)
            assert trial.digest() == after, (form, proposal)


def fits(value: Any, schema: Any) -> None:
    """The value is what the schema asks for."""
    if "anyOf" in schema:
        if value is not None:
            fits(value, schema["anyOf"][0])
    elif schema["type"] == "object":
        assert isinstance(value, dict)
        assert list(value) == schema["required"]
        for key, part in schema["properties"].items():
            fits(value[key], part)
    elif schema["type"] == "array":
        assert isinstance(value, list)
        for one in value:
            fits(one, schema["items"])
    else:
        assert type(value) is {"string": str, "integer": int}[schema["type"]], (value, schema)
        assert value in schema.get("enum", [value]), (value, schema)


@examples(100)
@given(dealt_plays(200))
def test_dealt_games(play: Play) -> None:
    game = play.game()
    if not game.over:
        hold(game)


@examples(160)
@given(crowded_plays(6, hand=5, pile=4))
def test_crowded_positions(play: Play) -> None:
    game = play.game()
    if not game.over:
        hold(game)


@examples(60)
@given(crowded_plays(6, hand=7, pile=6))
def test_big_hands(play: Play) -> None:
    game = play.game()
    if not game.over:
        hold(game)


def test_a_locked_chameleon_beside_an_unlocked_one() -> None:
    """One Reflection stays a Spyglass after a wrong guess, the other may still copy either pile."""
    game = Game.from_position(
        {
            "players": 3,
            "sets": ["macaws", "pandas", "ocelots", "chameleons"],
            "state": {
                "market": [None] * 5,
                "A": {"hand": ["blindfold", "reflection", "reflection"]},
                "B": {"discard": ["spyglass"]},
                "C": {"discard": ["special_offer"]},
            },
        }
    )
    copies = [{"card": "reflection", "targets": ["discard_B:spyglass"]}]
    choices = {"cards": ["reflection#1"], "opponents": ["B"]}
    assert game.propose("A", "technique", {"card": "blindfold", "choices": choices, "copies": copies}).accepted
    assert game.propose("B", "choose", {"choices": {"value": 20}}).accepted
    assert game.propose("A", "choose", {"choices": {"value": 5}}).accepted
    hold(game)


def test_a_chameleon_played_as_blindfold_on_another_of_its_name() -> None:
    game = Game.from_position(
        {
            "players": 3,
            "sets": ["macaws", "pandas", "ocelots", "chameleons"],
            "state": {
                "market": [None] * 5,
                "A": {"hand": ["reflection", "reflection", "junk"]},
                "B": {"discard": ["spyglass"]},
                "C": {"discard": ["blindfold"]},
            },
        }
    )
    hold(game)


def test_an_adjustment_by_nothing_is_the_same_action() -> None:
    """A default spelled out is one action with the default left out (contract section 1)."""
    game = Game.from_position(
        {
            "sets": ["macaws", "pandas", "squirrels"],
            "state": {"market": [None] * 5, "A": {"hand": ["accordion", "junk"], "stall": [["cookies"]] * 4}},
        }
    )
    plain = game.clone().propose("A", "stall", {"cards": ["accordion"]})
    spelled = game.propose("A", "stall", {"cards": ["accordion"], "adjust": [{"card": "accordion", "by": 0}]})
    assert spelled.proposal == plain.proposal
    assert spelled.action == plain.action
