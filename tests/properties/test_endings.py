"""Random games come to an end: a win or the round limit, never a dead end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from editions import EDITIONS
from strategies import physical

from engine import Game


def play_out(edition: str, players: int, seed: int, round_limit: int, check: Callable[[Game], None]) -> Game:
    """A uniformly random game, up to a win or the round limit."""
    game = Game.new(edition=edition, players=players, seed=seed)
    chance = random.Random(seed)
    while not game.over and game.round <= round_limit:
        legal = game.legal
        game.apply(legal[chance.randrange(len(legal))])
        check(game)
    return game


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_decision_always_has_a_legal_answer(players: int, edition: str) -> None:
    def check(game: Game) -> None:
        decision = game.decision
        assert (decision is None) == game.over == (game.winner is not None)
        if decision is not None:
            assert len(game.legal) > 0
            assert decision.seat in game.seats
        else:
            assert game.winner is not None
            assert game.stacks[game.winner] == 8
            assert Counter(stacks == 8 for stacks in game.stacks.values())[True] == 1

    for seed in range(4):
        game = play_out(edition, players, seed, 120, check)
        assert game.over or game.round == 121


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_shares_of_wins_and_unfinished_games(players: int, edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    """1,000 games: no exception, no card lost after any decision, and the share of each ending."""
    ends: Counter[str] = Counter()
    rounds = 0
    for seed in range(1000):
        start = set(physical(Game.new(edition=edition, players=players, seed=seed)))

        def check(game: Game, start: set[int] = start) -> None:
            cards = physical(game)
            new = set(cards) - start
            assert len(cards) == len(start) + len(new)
            assert all(card & 255 == 0 for card in new)

        game = play_out(edition, players, seed, 2000, check)
        ends[f"won by {game.winner}" if game.winner else "unfinished"] += 1
        rounds += game.round
    shares = ", ".join(f"{end} {count / 10:.1f} %" for end, count in sorted(ends.items()))
    with capsys.disabled():
        print(f"\n{edition}, {players} players, 1,000 random games, limit 2,000 rounds: {shares}")
        print(f"mean {rounds / 1000:.0f} rounds")
    assert sum(ends.values()) == 1000
