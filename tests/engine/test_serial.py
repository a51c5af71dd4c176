"""A saved game comes back equal, in the middle of an effect too."""

from __future__ import annotations

import json
from typing import Any

import pytest
from stating import Accept, Position

from engine import Game, PositionError


def again(game: Game) -> Game:
    """The game after a trip through a JSON text."""
    return Game.from_json(json.loads(json.dumps(game.to_json())))


def test_a_new_game() -> None:
    game = Game.new(players=4, seed=2**65 + 1)
    back = again(game)
    assert back.to_json() == game.to_json()
    assert back.digest() == game.digest()
    assert back.observe("C") == game.observe("C")


def test_in_the_middle_of_an_effect_with_everything_in_force(position: Position, accept: Accept) -> None:
    game = position(
        players=3,
        sets="macaws raccoons ocelots chameleons",
        A={"hand": ["bold_haggler", "flashy_show", "reflection", "blindfold", "rotten_food", "junk", "cookies"]},
        B={"discard": ["bold_haggler"], "deck": ["junk"]},
        random=[{"die": 3}, {"die": 2}],
    )
    accept(game, "A", "technique", card="rotten_food", choices={"cards": ["junk"], "opponents": ["B"]})
    accept(game, "A", "ability", card="bold_haggler")
    accept(game, "A", "ability", card="reflection")
    accept(game, "A", "technique", card="flashy_show")
    accept(game, "A", "technique", card="blindfold", choices={"cards": ["cookies"], "opponents": ["C"]})
    back, clone = again(game), game.clone()
    for one in (game, back, clone):
        assert one.decision is not None
        assert (one.decision.seat, one.decision.asks, one.decision.card) == ("C", "guess", "blindfold")
        accept(one, "C", "choose", choices={"value": 7})
        accept(one, "A", "choose", choices={"value": 4})
        accept(one, "A", "inventory", cards=["cookies", "reflection"])
    assert game.digest() == back.digest() == clone.digest()
    assert game.to_json() == back.to_json() == clone.to_json()


def test_a_clone_is_independent(position: Position, accept: Accept) -> None:
    game = position(A={"hand": ["junk", "junk", "swift_broker"], "deck": ["cookies"] * 5})
    before = game.digest()
    clone = game.clone()
    accept(clone, "A", "stall", cards=["swift_broker"])
    assert game.digest() == before != clone.digest()
    assert game.stacks == {"A": 0, "B": 0}


@pytest.mark.parametrize("damage", ["format", "zones", "frames", "known", "counters"])
def test_a_damaged_file_is_one_sentence(damage: str) -> None:
    data: dict[str, Any] = Game.new(players=2, seed=1).to_json()
    without = {key: value for key, value in data.items() if key != damage}
    with pytest.raises(PositionError, match=r"^a saved game[^\n]*$"):
        Game.from_json(without)
    with pytest.raises(PositionError, match=r"^a saved game[^\n]*$"):
        Game.from_json({**data, damage: 7})
