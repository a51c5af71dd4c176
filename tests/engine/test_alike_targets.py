"""Alike targets of remastered effects are one action: the list holds the first, naming another stays legal."""

from __future__ import annotations

from typing import Any

import pytest
from stating import Accept, Position

from engine import Game


def of(position: Position, hand: list[str], **zones: Any) -> Game:
    """A remastered game of three with this hand of A."""
    sets = "macaws pandas raccoons chameleons"
    return position(edition="remastered", players=3, sets=sets, A={"hand": hand, "deck": ["junk"] * 5}, **zones)


def choices(game: Game, tool: str) -> list[dict[str, Any]]:
    """The choices of the listed actions of a tool."""
    listed: Any = [game.proposal(action) for action in game.legal]
    return [one["arguments"].get("choices", {}) for one in listed if one["tool"] == tool]


@pytest.mark.rules("CHA5Ar-1")
def test_alike_market_cards_are_one_thing_to_copy(position: Position, accept: Accept) -> None:
    game = of(position, ["trendsetting"], market=["spyglass", "spyglass", "nuisance", "spyglass", None])
    assert choices(game, "ability") == [{"slots": ["slot_0"]}, {"slots": ["slot_2"]}]
    other = game.clone()
    events = [
        accept(one, "A", "ability", card="trendsetting", choices={"slots": [slot]}).events
        for one, slot in ((game, "slot_0"), (other, "slot_3"))
    ]
    assert events[0] == events[1]
    assert game.digest() == other.digest()


@pytest.mark.rules("CHA5Ar-1", "R-DEC-02")
def test_a_market_of_alike_cards_leaves_nothing_to_choose(position: Position, accept: Accept) -> None:
    game = of(position, ["trendsetting"], market=["spyglass", "spyglass", None, None, None])
    accept(game, "A", "ability", card="trendsetting")
    assert game.observe("A")["hand"] == [{"card": "trendsetting", "value": 4, "copies": "spyglass"}]


@pytest.mark.rules("CHA2r-1")
def test_alike_tops_of_discard_piles_are_one_thing_to_copy(position: Position, accept: Accept) -> None:
    """But not decks: whose top card is discarded makes a difference."""
    game = of(position, ["reflection"], B={"discard": ["cookies", "junk"]}, C={"discard": ["junk"], "deck": ["junk"]})
    assert choices(game, "ability") == [
        {"opponents": ["B"], "option": "yes"},
        {"opponents": ["B"], "option": "no"},
        {"opponents": ["C"], "option": "yes"},
    ]
    other = game.clone()
    for one, seat in ((game, "B"), (other, "C")):
        accept(one, "A", "ability", card="reflection", choices={"opponents": [seat], "option": "no"})
    assert game.digest() == other.digest()


@pytest.mark.rules("PAN1r-1", "R-REF-05")
@pytest.mark.parametrize(
    ("market", "listed"),
    [
        (["spyglass", "spyglass", "nuisance", None, None], ["", "0", "2", "0 1", "0 2", "0 1 2"]),
        (["spyglass", None, "nuisance", "spyglass", None], ["", "0", "2", "3", "0 2", "0 3", "0 2 3"]),
        (["spyglass"] * 5, ["", "0", "0 1", "0 1 2", "0 1 2 3", "0 1 2 3 4"]),
        ([None] * 5, [""]),
    ],
)
def test_market_cards_thrown_away_are_told_by_the_row_they_leave(
    position: Position, accept: Accept, market: list[str | None], listed: list[str]
) -> None:
    game = of(position, ["loyal_partner"], market=market, market_deck=["cookies"] * 6)
    found = [[int(slot[-1]) for slot in one.get("slots", [])] for one in choices(game, "technique")]
    assert found == [[int(slot) for slot in one.split()] for one in listed]
    assert len(list(game.legal)) == len(game.legal)
    rows: set[str] = set()
    for action in game.legal.of_tool(game.legal[0].tool):
        other = game.clone()
        other.apply(action)
        rows.add(str(other.observe("B")["market"]))
    assert len(rows) == len(listed)


@pytest.mark.rules("CHA3r-1", "R-JNK-05")
def test_junk_on_the_market_deck_is_thrown_away_and_copied(position: Position, accept: Accept) -> None:
    """A position may have it there. It goes to the junk pile, and what is copied is that card."""
    for discarded in ([], ["spyglass"]):
        game = of(position, ["good_old_times"], market_deck=["junk", "cookies"], market_discard=discarded)
        accept(game, "A", "ability", card="good_old_times", choices={"option": "yes"})
        assert game.observe("A")["hand"] == [{"card": "good_old_times", "value": 1, "copies": "junk"}]
        assert game.position()["junk_pile"] == 7
        assert game.position()["market_discard"] == discarded
