"""Clone, JSON round trip and original are one game at every decision, in the middle of effects too."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from engine import Game

Walk = Callable[..., Iterator[Game]]


def hold(games: Iterator[Game], walk: Walk, seed: int) -> set[str]:
    """Compare the three at every decision and after five more; the kinds of decision met."""
    met = set()
    for number, game in enumerate(games):
        decision = game.decision
        assert decision is not None
        met.add(decision.asks or decision.kind)
        clone = game.clone()
        back = Game.from_json(json.loads(json.dumps(game.to_json())))
        assert back.to_json() == clone.to_json() == game.to_json()
        assert back.digest() == clone.digest() == game.digest()
        assert back.decision == clone.decision == decision
        if decision.asks or number % 5 == 0:
            third = game.clone()
            for one in (clone, back, third):
                for _ in walk(one, (seed, number), 5):
                    pass
            assert clone.digest() == back.digest() == third.digest()
            assert clone.to_json() == back.to_json()
    return met


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dealt_games(walk: Walk, players: int) -> None:
    for seed in range(6):
        hold(walk(Game.new(players=players, seed=seed), seed, 200), walk, seed)


def test_the_draft_and_what_gold_buys(walk: Walk) -> None:
    met: set[str] = set()
    for players in (2, 3, 4):
        met |= hold(walk(Game.new(players=players, seed=players, variant="tournament"), 1, 60), walk, players)
    assert met >= {"ban", "pick", "action"}


def test_crowded_positions_and_every_question_an_effect_asks(walk: Walk, crowd: Callable[..., Game]) -> None:
    met: set[str] = set()
    for seed in range(250):
        met |= hold(walk(crowd(seed), seed, 8), walk, seed)
    assert met >= {"action", "bonus_stack", "end_of_turn", "take", "put_back", "give_back", "throw_away"}
    assert met >= {"guess", "value", "throw_away_order"}
