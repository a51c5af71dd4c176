"""The legal list of hands beyond the limit, which no turn knows (R-EFF-09): the same by entry as by iteration."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import EDITIONS, Game

HANDS = {
    "nine plain cards": ["junk"] * 6 + ["nuisance", "nuisance", "sabotage"],
    "nine cards, two of them Cookies": ["cookies", "cookies", *["junk"] * 5, "spyglass", "shattered_relic"],
    "ten cards, some with an ability": ["bold_haggler", "bold_haggler", *["junk"] * 7, "whirligig"],
    "nine cards with a chameleon": ["trendsetting", *["junk"] * 7, "cookies"],
}


@pytest.mark.rules("R-EFF-09")
@pytest.mark.parametrize("hand", HANDS.values(), ids=HANDS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_hand_of_nine_cards_and_more_lists_what_it_counts(
    position: Callable[..., Game], edition: str, hand: list[str]
) -> None:
    game = position(
        edition=edition,
        players=3,
        sets="macaws raccoons ocelots chameleons",
        market=["spyglass", "cookies", "nuisance", "sabotage", "gamble"],
        A={"hand": hand, "deck": ["junk"] * 3},
    )
    legal = game.legal
    assert legal[0] in legal
    assert list(legal) == [legal[index] for index in range(len(legal))]
