"""A seat that forfeits takes no more turns, keeps its cards and ranks last (contract section 4)."""

from __future__ import annotations

from typing import Any

import pytest
from stating import Accept, Position

from engine import Game

SETS = "macaws pandas ocelots raccoons"


def deciding(game: Game) -> str | None:
    """The seat that must decide."""
    return game.decision.seat if game.decision else None


def test_the_last_seat_left_wins() -> None:
    game = Game.new(players=3, seed=1, start="A")
    game.forfeit("B")
    assert (game.forfeited, game.over, deciding(game)) == (("B",), False, "A")
    events = game.forfeit("A")
    assert (game.winner, game.decision, len(game.legal)) == ("C", None, 0)
    assert events[-1].type == "win"


def test_it_is_passed_over(accept: Accept) -> None:
    game = Game.new(players=3, seed=1, start="A")
    game.forfeit("B")
    zones = game.position()["B"]
    for seat in "ACAC":
        assert deciding(game) == seat
        accept(game, seat, "inventory", cards=[])
    assert game.position()["B"] == zones
    assert game.observe("A")["seats"]["B"]["forfeited"] is True


@pytest.mark.parametrize(
    ("hand", "steps", "asks"),
    [
        (["spyglass"], [{}], "take"),
        (["spyglass"], [{}, {"cards": ["cookies"]}], "put_back"),
        (["dirty_exchange", "junk"], [{"opponents": ["B"]}], "give_back"),
        (["sabotage"], [{"opponents": ["B"]}], "throw_away"),
        (["special_offer"], [{}, {"cards": ["charm"]}], "throw_away_order"),
        (["blindfold", "junk"], [{"opponents": ["B"], "cards": ["junk"]}], "guess"),
    ],
)
@pytest.mark.parametrize("seat", ["A", "B"])
def test_in_the_middle_of_an_effect_no_card_is_lost(
    position: Position, accept: Accept, hand: list[str], steps: list[dict[str, Any]], asks: str, seat: str
) -> None:
    game = position(
        players=3,
        sets=SETS,
        market=["spyglass"] * 5,
        market_deck=["charm", "gamble", "nuisance", "cookies"],
        A={"hand": hand, "deck": ["cookies", "junk", "nuisance", "junk"]},
        B={"hand": ["cookies"], "deck": ["junk", "spyglass"]},
        C={"hand": ["junk"] * 5},
    )
    before = cards(game)
    accept(game, "A", "technique", card=hand[0], choices=steps[0])
    for choices in steps[1:]:
        accept(game, "A", "choose", choices=choices)
    assert game.decision is not None
    assert game.decision.asks == asks
    game.forfeit(seat)
    assert cards(game) == before
    assert game.decision is not None
    assert game.decision.seat not in game.forfeited
    zones: Any = game.observe("C")["seats"]
    if seat == "A":
        assert deciding(game) == "B"
        assert zones["A"]["in_play"] == []
        assert zones["A"]["discard"] == [hand[0]]
    assert not game.over


def cards(game: Game) -> list[int]:
    """Every physical card, wherever it is."""
    data: Any = game.to_json()
    stalls = [card for stall in data["stalls"] for stack in stall for card in stack]
    return sorted(card for zone in data["zones"] for card in zone if card >= 0) + sorted(stalls)


def test_a_guess_that_is_owed_counts_as_wrong(position: Position, accept: Accept) -> None:
    game = position(players=3, sets=SETS, A={"hand": ["blindfold", "cookies"]}, B={"hand": ["junk"]})
    accept(game, "A", "technique", card="blindfold", choices={"cards": ["cookies"], "opponents": ["B"]})
    game.forfeit("B")
    assert game.decision is not None
    assert (game.decision.seat, game.decision.asks) == ("A", "value")


def test_a_seat_that_has_forfeited_is_never_asked(position: Position, accept: Accept) -> None:
    game = position(players=3, sets=SETS, A={"hand": ["blindfold", "cookies"]}, B={"hand": ["junk"]})
    game.forfeit("B")
    accept(game, "A", "technique", card="blindfold", choices={"cards": ["cookies"], "opponents": ["B"]})
    assert deciding(game) == "A"
