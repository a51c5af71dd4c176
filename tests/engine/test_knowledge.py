"""What a seat is told about hidden zones: everything it has learnt, until it may have changed (contract section 7)."""

from __future__ import annotations

import pytest
from stating import JUNK5, Accept, Position, known, pool

from engine import Game


@pytest.mark.rules("R-INF-04", "R-ZON-01")
def test_at_the_start_the_pools_are_fixed_and_no_place_is_known() -> None:
    game = Game.new(players=2, sets=["macaws", "pandas", "raccoons"], seed=4)
    zones = game.position()
    for seat, other in ("AB", "BA"):
        assert known(game, seat) == []
        assert game.observe(seat)["unlocated"] == []
        assert pool(game, seat, seat) == (sorted(zones[seat]["deck"]), 0)
        assert pool(game, seat, other) == (sorted(zones[other]["hand"] + zones[other]["deck"]), 0)
        assert pool(game, seat, "market_deck") == (sorted(zones["market_deck"]), 0)


@pytest.mark.rules("R-INF-03", "R-INF-04", "MAC4-1")
class TestSpyglass:
    """Looked at, taken, put back (MAC4-1, MAC4-2, R-INF-03)."""

    def played(self, position: Position, accept: Accept) -> Game:
        deck = ["cookies", "nuisance", "rotten_food", "junk", "junk", "junk", "junk", "junk", "junk", "junk"]
        game = position(A={"hand": ["spyglass"], "deck": deck, "discard": ["prepaid_good"]}, B={"hand": JUNK5})
        accept(game, "A", "technique", card="spyglass")
        assert game.observe("A")["offered"] == ["cookies", "nuisance", "rotten_food"]
        assert game.observe("B")["offered"] == []
        accept(game, "A", "choose", choices={"cards": ["nuisance"]})
        assert game.observe("A")["offered"] == ["cookies", "rotten_food"]
        accept(game, "A", "choose", choices={"cards": ["cookies", "rotten_food"]})
        return game

    def test_the_cards_put_back_are_known_to_the_one_who_put_them(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        assert known(game, "A") == [("deck_A", "rotten_food", 0), ("deck_A", "cookies", 1)]
        assert known(game, "B") == []
        cards = ["cookies", *["junk"] * 7, "nuisance", "rotten_food"]
        assert pool(game, "B", "A") == (cards, 0)

    def test_they_are_known_until_drawn_or_shuffled(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        drawing = game.clone()
        accept(drawing, "A", "inventory", cards=[])
        assert known(drawing, "A") == []
        hand = sorted(drawing.position()["A"]["hand"])
        assert hand == ["cookies", "junk", "junk", "junk", "nuisance", "rotten_food"]
        shuffling = position(
            A={"hand": ["spyglass", "wily_fellow"], "deck": ["cookies", "nuisance"]}, B={"hand": JUNK5}
        )
        accept(shuffling, "A", "technique", card="spyglass")
        accept(shuffling, "A", "choose", choices={"cards": ["nuisance"]})
        assert known(shuffling, "A") == [("deck_A", "cookies", 0)]
        accept(shuffling, "A", "technique", card="wily_fellow")
        assert known(shuffling, "A") == []
        assert shuffling.position()["A"]["discard"] == ["cookies", "wily_fellow"]

    def test_a_known_card_keeps_its_place_when_cards_are_shuffled_below_it(
        self, position: Position, accept: Accept
    ) -> None:
        game = position(
            A={"hand": ["rotten_food", "cookies"]},
            B={"hand": ["spyglass"], "discard": ["junk", "nuisance", "spyglass", "junk"]},
        )
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["cookies"]})
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "technique", card="spyglass")
        assert game.position()["B"]["discard"] == []
        assert known(game, "A") == [("deck_B", "cookies", 0)]
        accept(game, "B", "choose", choices={"cards": [game.observe("B")["offered"][1]]})
        assert known(game, "A") == []


class TestPublicMoves:
    """What everybody saw stays known until it may have moved."""

    def test_a_bought_card_is_known_to_be_in_the_hand(self, position: Position, accept: Accept) -> None:
        game = position(
            market=["cookies", None, None, None, None],
            A={"hand": ["junk", "junk", "rotten_food", "dirty_exchange"], "deck": ["junk"] * 9},
            B={"hand": ["dirty_exchange", "junk"], "deck": JUNK5},
        )
        accept(game, "A", "market", source="slot_0", payment=["junk", "junk"])
        assert known(game, "B") == [("hand_A", "cookies")]

    def test_it_is_forgotten_when_a_hidden_card_leaves_that_hand(self, position: Position, accept: Accept) -> None:
        game = position(
            market=["cookies", None, None, None, None],
            A={"hand": ["prepaid_good"], "deck": ["rotten_food", "junk", "junk", "junk", "junk"]},
            B={"hand": JUNK5, "deck": ["spyglass"]},
        )
        accept(game, "A", "technique", card="prepaid_good")
        accept(game, "B", "inventory", cards=[])
        assert known(game, "B") == [("hand_A", "cookies")]
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["junk"]})
        assert known(game, "B") == []

    def test_a_card_taken_back_from_a_discard_pile(self, position: Position, accept: Accept) -> None:
        game = position(A={"hand": ["favourite_toy"], "discard": ["spyglass"]}, B={"hand": JUNK5})
        accept(game, "A", "technique", card="favourite_toy")
        assert known(game, "B") == [("hand_A", "spyglass")]

    def test_an_alike_card_that_is_played_may_be_the_known_one(self, position: Position, accept: Accept) -> None:
        game = position(A={"hand": ["favourite_toy", "spyglass"], "discard": ["spyglass"]}, B={"hand": JUNK5})
        accept(game, "A", "technique", card="favourite_toy")
        accept(game, "A", "technique", card="spyglass")
        assert known(game, "B") == []
        accept(game, "A", "technique", card="spyglass")
        assert known(game, "B") == []

    @pytest.mark.rules("R-PAS-07")
    def test_using_an_ability_shows_the_card(self, position: Position, accept: Accept) -> None:
        """R-PAS-07."""
        game = position(sets="macaws pandas ocelots", A={"hand": ["bold_haggler", "junk"]}, B={"hand": JUNK5})
        accept(game, "A", "ability", card="bold_haggler")
        assert known(game, "B") == [("hand_A", "bold_haggler")]
        assert known(game, "A") == []

    @pytest.mark.rules("R-CPC-10", "CHA5Bc-1")
    def test_seeing_doubles_shows_the_card_it_copies(self, position: Position, accept: Accept) -> None:
        """R-CPC-10, by a payment and by Charm."""
        sets = "macaws ocelots chameleons"
        market = ["spyglass", None, None, None, None]
        hand = ["seeing_doubles", "spyglass", *JUNK5]
        paying = position(sets=sets, market=market, A={"hand": hand}, B={"hand": JUNK5})
        copies = [{"card": "seeing_doubles", "targets": ["hand:spyglass"]}]
        accept(paying, "A", "market", source="slot_0", payment=["seeing_doubles"], copies=copies)
        assert known(paying, "B") == [("hand_A", "spyglass"), ("hand_A", "spyglass")]
        stall = [["swift_broker"]] * 3
        building = position(
            sets=sets,
            market_deck=["seeing_doubles"],
            A={"hand": ["charm", "spyglass"], "stall": stall},
            B={"hand": JUNK5},
        )
        accept(building, "A", "technique", card="charm")
        assert building.stacks["A"] == 4
        assert known(building, "B") == [("hand_A", "spyglass")]


def test_sabotage_shows_both_cards_to_everybody(position: Position, accept: Accept) -> None:
    game = position(
        players=3,
        sets="macaws pandas raccoons ocelots",
        A={"hand": ["sabotage"]},
        B={"deck": ["cookies", "junk", "spyglass"], "hand": JUNK5},
        C={"hand": JUNK5},
    )
    accept(game, "A", "technique", card="sabotage", choices={"opponents": ["B"]})
    assert known(game, "A") == [("deck_B", "cookies", 0), ("deck_B", "junk", 1)]
    assert known(game, "C") == []
    accept(game, "A", "choose", choices={"cards": ["junk"]})
    assert known(game, "A") == []
    assert pool(game, "C", "B") == ([*JUNK5, "spyglass"], 0)


@pytest.mark.rules("R-JNK-03")
def test_junk_taken_in_clean_up_is_public(position: Position, accept: Accept) -> None:
    game = position(A={"hand": ["cookies"]}, B={"hand": JUNK5})
    accept(game, "A", "inventory", cards=[])
    assert known(game, "B") == [("hand_A", "junk")] * 5
