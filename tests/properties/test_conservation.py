"""No card is lost, doubled or made, apart from junk substitutes (R-ZON-06, R-JNK-04, R-JNK-05)."""

from __future__ import annotations

from typing import Any

import pytest
from editions import EDITIONS
from hypothesis import given
from hypothesis import strategies as st
from strategies import Play, crowded_plays, dealt_plays, examples, physical

from engine import Game


def hold(play: Play) -> None:
    """Count the cards after every decision, from the deal on."""
    before: list[int] = []
    substitutes = 0
    for game in play.games():
        if not game.sets:
            continue  # the draft is not over
        before = before or physical(game)
        cards = physical(game)
        assert len(set(cards)) == len(cards)
        made = sorted(set(cards) - set(before))
        assert len(cards) == len(before) + len(made)
        assert all(card & 255 == 0 for card in made)
        data: Any = game.to_json()
        assert len(made) == data["substitutes"] >= substitutes
        substitutes = data["substitutes"]
        assert len(game.position()["market"]) == 5  # type: ignore[arg-type]  # a list


@pytest.mark.rules("R-ZON-06")
@examples(40)
@given(dealt_plays(300))
def test_dealt_games(play: Play) -> None:
    hold(play)


@pytest.mark.rules("R-ZON-06")
@examples(200)
@given(crowded_plays(30))
def test_crowded_positions(play: Play) -> None:
    hold(play)


@pytest.mark.parametrize("edition", EDITIONS)
@examples(100)
@given(
    hand=st.lists(st.sampled_from(["junk", "cookies", "spyglass", "nuisance"]), max_size=7),
    pile=st.integers(0, 8),
)
@pytest.mark.rules("R-ZON-06", "R-JNK-02", "R-JNK-04")
def test_substitutes_are_made_when_the_junk_pile_is_empty(edition: str, hand: list[str], pile: int) -> None:
    """With deck and discard pile empty too, the hand is filled from the junk pile, then with substitutes."""
    state = {"A": {"hand": hand, "deck": [], "discard": []}, "junk_pile": pile}
    game = Game.from_position({"edition": edition, "sets": ["macaws", "pandas", "raccoons"], "state": state})
    limit = game.observe("A")["hand_limit"]
    assert isinstance(limit, int)
    wanted = max(0, limit - len(hand))
    assert game.propose("A", "inventory", {"cards": []}).accepted
    data: Any = game.to_json()
    assert data["substitutes"] == max(0, wanted - pile)
    assert game.position()["junk_pile"] == max(0, pile - wanted)
    assert game.observe("A")["seats"]["A"]["hand_size"] == len(hand) + wanted  # type: ignore[index,call-overload]
