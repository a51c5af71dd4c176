"""Clone, JSON round trip and original are one game at every decision, in the middle of effects too."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from editions import EDITIONS
from hypothesis import given
from strategies import Play, crowd, crowded_plays, dealt_plays, examples, moves

from engine import Game

FOLLOWED = 6
"""For how many moves of the original its copies are played along."""


def copies(game: Game) -> tuple[Game, Game, Game]:
    """A clone, a saved and loaded game, and a clone to be played without events; all equal to the game."""
    clone = game.clone()
    back = Game.from_json(json.loads(json.dumps(game.to_json())))
    assert back.to_json() == clone.to_json() == game.to_json()
    assert back.digest() == clone.digest() == game.digest()
    assert back.decision == clone.decision == game.decision
    return clone, back, game.clone()


def hold(play: Play, every: int = 1) -> Counter[str]:
    """Copy at every `every`-th decision and in every effect, and play the copies along; the decisions met."""
    met: Counter[str] = Counter()
    game = play.begin()
    following: list[tuple[int, tuple[Game, Game, Game]]] = []
    for number, move in enumerate(play.moves):
        decision = game.decision
        if decision is None:
            break
        met[decision.asks or decision.kind] += 1
        if decision.asks or number % every == 0:
            following.append((number, copies(game)))
        following = [one for one in following if one[0] > number - FOLLOWED]
        action = game.legal[move % len(game.legal)]
        events = game.apply(action)
        digest = game.digest()
        for _, (clone, back, quiet) in following:
            assert clone.legal[move % len(clone.legal)] == back.legal[move % len(back.legal)] == action
            assert clone.apply(action) == back.apply(action) == events
            quiet.advance(action)
            assert clone.digest() == back.digest() == quiet.digest() == digest
    return met


@examples(30)
@given(dealt_plays(200))
def test_dealt_games(play: Play) -> None:
    hold(play, every=9)


@examples(200)
@given(crowded_plays(10))
def test_crowded_positions(play: Play) -> None:
    hold(play)


ASKED = {"action", "bonus_stack", "end_of_turn", "take", "put_back", "give_back", "throw_away", "throw_away_order"}
OF_EDITION = {"classic": {"guess", "value"}, "remastered": {"copy", "value"}}


def seldom(chance: random.Random, edition: str) -> Play:
    """A play from a crowded position; where Squirrels are in play the first seat can build Winter is Coming."""
    start = crowd(chance, edition)
    if "squirrels" in start["sets"]:
        first = start["state"]["A"]
        first |= {"hand": [*first["hand"], "winter_is_coming"], "stall": [["junk"]] * 4}
    return Play(start, moves(chance, 10))


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_question_an_effect_asks(edition: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(250):
        met += hold(seldom(random.Random(seed), edition), every=100)
    assert met.keys() >= ASKED | OF_EDITION[edition]
