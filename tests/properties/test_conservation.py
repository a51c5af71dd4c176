"""No card is lost, doubled or made, apart from junk substitutes (R-ZON-06, R-JNK-04, R-JNK-05)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import Game

Walk = Callable[..., Iterator[Game]]


def hold(game: Game, walk: Walk, physical: Callable[[Game], list[int]], seed: int, decisions: int) -> None:
    """Play at random and count the cards after every decision."""
    before = physical(game)
    for one in walk(game, seed, decisions):
        cards = physical(one)
        assert len(set(cards)) == len(cards)
        made = sorted(set(cards) - set(before))
        assert len(cards) == len(before) + len(made)
        data: Any = one.to_json()
        assert len(made) == data["substitutes"]
        assert all(card & 255 == 0 for card in made)
        zones = one.position()
        assert len(zones["market"]) == 5


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_dealt_games(walk: Walk, physical: Callable[[Game], list[int]], players: int, seed: int) -> None:
    hold(Game.new(players=players, seed=seed), walk, physical, seed, 250)


@pytest.mark.parametrize("block", range(4))
def test_crowded_positions(
    walk: Walk, crowd: Callable[..., Game], physical: Callable[[Game], list[int]], block: int
) -> None:
    for seed in range(block * 25, block * 25 + 25):
        hold(crowd(seed), walk, physical, seed, 30)


def test_substitutes_are_made_when_the_junk_pile_is_empty(walk: Walk, crowd: Callable[..., Game]) -> None:
    """They stay in the game when they are thrown away (R-JNK-05)."""
    made = 0
    for seed in range(100):
        before = 0
        for game in walk(crowd(seed), seed, 20):
            data: Any = game.to_json()
            assert data["substitutes"] >= before
            before = data["substitutes"]
        made += before
    assert made > 20
