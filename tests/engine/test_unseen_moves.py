"""Cards that pass from one hidden place to another, seen by some seats alone: who is told what (R-INF-02, R-INF-03)."""

from __future__ import annotations

from typing import Any

import pytest
from stating import JUNK5, Accept, Position, known, pool

from engine import Game


@pytest.mark.rules("R-INF-03", "RAC3-2")
class TestRottenFood:
    """Only the giver knows the card (RAC3-2)."""

    def played(self, position: Position, accept: Accept) -> Game:
        game = position(
            players=3,
            sets="macaws pandas raccoons ocelots",
            A={"hand": ["rotten_food", "junk", "cookies"], "deck": ["junk"] * 9},
            B={"hand": JUNK5, "deck": ["prepaid_good"]},
            C={"hand": JUNK5, "deck": ["spyglass"]},
        )
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["cookies"], "opponents": ["B"]})
        return game

    def test_the_giver_knows_the_place(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        assert known(game, "A") == [("deck_B", "cookies", 0)]
        assert pool(game, "A", "B") == (["cookies", *JUNK5, "prepaid_good"], 0)

    def test_the_others_know_that_a_card_of_the_giver_has_moved(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        assert known(game, "B") == known(game, "C") == []
        assert pool(game, "B", "B") == (["prepaid_good"], 1)
        assert pool(game, "C", "B") == ([*JUNK5, "prepaid_good"], 1)
        assert pool(game, "B", "A") == ([], 10)
        assert pool(game, "B", "C") == ([*JUNK5, "spyglass"], 0)
        assert game.observe("B")["unlocated"] == ["cookies", *["junk"] * 10]

    def test_the_one_who_draws_it_knows_everything_again(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "inventory", cards=["junk"])
        assert "cookies" in game.position()["B"]["hand"]
        assert game.observe("B")["unlocated"] == []
        assert pool(game, "B", "A") == (["junk"] * 10, 0)
        assert known(game, "A") == [("hand_B", "cookies")]
        assert game.observe("C")["unlocated"] == ["cookies", *["junk"] * 10]

    def test_a_card_of_its_own_that_is_named_alike_changes_nothing(self, position: Position, accept: Accept) -> None:
        """A junk card is placed on a deck with a junk card in it: B draws the one that was placed."""
        game = position(
            A={"hand": ["rotten_food", "junk", "cookies"], "deck": ["junk"] * 9},
            B={"hand": JUNK5, "deck": ["spyglass", "junk"]},
        )
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["junk"]})
        assert pool(game, "B", "B") == (["junk", "spyglass"], 1)
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "inventory", cards=["junk"])
        assert game.position()["B"]["deck"] == ["spyglass", "junk"]
        assert pool(game, "B", "B") == (["junk", "spyglass"], 0)
        assert pool(game, "B", "A") == (["cookies", *["junk"] * 9], 0)

    def test_another_seat_that_takes_it_takes_none_of_the_decks_own(self, position: Position, accept: Accept) -> None:
        """RAC5Br-2: C takes the card unseen; B cannot name it, but has lost sight of nothing else."""
        game = position(
            edition="remastered",
            players=3,
            sets="macaws pandas raccoons ocelots",
            A={"hand": ["rotten_food", "junk", "nuisance"], "deck": ["junk"] * 9},
            B={"hand": JUNK5, "deck": ["prepaid_good", "junk"]},
            C={"hand": ["treasure_hunter"], "deck": ["spyglass"] * 9},
            turn="A",
        )
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["junk"], "opponents": ["B"]})
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "inventory", cards=[])
        accept(game, "C", "technique", card="treasure_hunter", choices={"opponents": ["B"], "option": "deck"})
        assert pool(game, "B", "B") == (["junk", "prepaid_good"], 0)
        assert pool(game, "B", "C")[1] == 1
        assert known(game, "A") == [("hand_C", "junk")]

    def test_whoever_rearranges_the_deck_lets_it_mingle(self, position: Position, accept: Accept) -> None:
        """B looks at three cards with Spyglass and takes one: C can no longer say where the placed one lies."""
        game = position(
            players=3,
            sets="macaws pandas raccoons ocelots",
            A={"hand": ["rotten_food", "junk", "cookies"], "deck": ["junk"] * 9},
            B={"hand": ["spyglass", *JUNK5], "deck": ["prepaid_good", "junk", "nuisance"]},
            C={"hand": JUNK5, "deck": ["spyglass"] * 9},
        )
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["cookies"], "opponents": ["B"]})
        tops = {game.determinise("C", deal).state.deck(1)[-1] & 255 for deal in range(40)}
        assert len(tops) == 2
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "technique", card="spyglass")
        accept(game, "B", "choose", choices={"cards": ["junk"]})
        accept(game, "B", "choose", choices={"cards": ["cookies", "prepaid_good"]})
        assert known(game, "A") == []
        assert pool(game, "B", "B") == (["cookies", "nuisance", "prepaid_good"], 0)
        assert pool(game, "C", "B") == ([*JUNK5, "junk", "nuisance", "prepaid_good"], 1)
        tops = {game.determinise("C", deal).state.deck(1)[-1] & 255 for deal in range(40)}
        assert len(tops) > 2

    def test_the_giver_follows_the_card_until_it_is_shown(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "inventory", cards=["junk"])
        accept(game, "C", "inventory", cards=[])
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "inventory", cards=["cookies"])
        assert known(game, "A") == []
        assert game.observe("C")["unlocated"] == []


@pytest.mark.rules("R-INF-02", "RAC4-3")
class TestDirtyExchange:
    """Both players know both moved cards, others do not (RAC4-3)."""

    def played(self, position: Position, accept: Accept) -> Game:
        game = position(
            players=3,
            sets="macaws pandas raccoons ocelots",
            A={"hand": ["dirty_exchange", "cookies"], "deck": ["junk"] * 9},
            B={"hand": ["spyglass", "spyglass"]},
            C={"hand": JUNK5},
        )
        accept(game, "A", "technique", card="dirty_exchange", choices={"opponents": ["B"]})
        accept(game, "A", "choose", choices={"cards": ["cookies"]})
        return game

    def test_giver_and_taker(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        assert known(game, "A") == [("hand_B", "cookies")]
        assert known(game, "B") == [("hand_A", "spyglass")]
        assert pool(game, "A", "B") == (["cookies", "spyglass"], 0)
        assert pool(game, "B", "A") == ([*["junk"] * 9, "spyglass"], 0)

    def test_a_stranger(self, position: Position, accept: Accept) -> None:
        game = self.played(position, accept)
        assert known(game, "C") == []
        assert pool(game, "C", "A") == ([], 10)
        assert pool(game, "C", "B") == ([], 2)
        assert game.observe("C")["unlocated"] == ["cookies", *["junk"] * 9, "spyglass", "spyglass"]


@pytest.mark.rules("R-INF-02", "R-EFF-06", "OCE5A-2")
def test_gamble_shows_both_players_the_cards_given_and_received(position: Position, accept: Accept) -> None:
    """OCE5A-2: also if a card of the same name comes back, the one given stays where it was given (R-EFF-06)."""
    for theirs in ("cookies", "spyglass"):
        game = position(
            sets="macaws pandas ocelots",
            A={"hand": ["gamble", "cookies"]},
            B={"hand": [theirs]},
            random=[{"die": 1}],
        )
        accept(game, "A", "technique", card="gamble")
        assert known(game, "A") == [("hand_B", "cookies")]
        assert known(game, "B") == [("hand_A", theirs)]


@pytest.mark.rules("R-INF-02", "OCE3c-4")
def test_whirligig_shows_each_the_cards_that_changed_hands(position: Position, accept: Accept) -> None:
    """OCE3c-4."""
    game = position(
        sets="macaws pandas ocelots",
        A={"hand": ["whirligig", "junk", "junk"], "deck": ["cookies", "spyglass"]},
        B={"hand": ["charm"]},
        random=[{"pick": ["charm", "cookies"]}],
    )
    accept(game, "A", "technique", card="whirligig")
    assert known(game, "A") == [("hand_B", "spyglass")]
    assert known(game, "B") == [("hand_A", "charm")]


@pytest.mark.rules("OCE3r-2", "R-INF-04")
class TestSwappedDecks:
    """Remastered Whirligig: nobody sees the cards, but everybody sees which deck they came from and where they lie."""

    def swapped(self, position: Position, accept: Accept) -> Game:
        """B has swapped two cards of each deck."""
        game = position(
            edition="remastered",
            sets="macaws pandas ocelots",
            A={"hand": ["junk"], "deck": ["spyglass", "gamble", "swift_broker", "charm"]},
            B={
                "hand": ["whirligig", "junk"],
                "deck": ["prepaid_good", "junk", "gift_voucher"],
            },
            random=[{"die": 2}],
            turn="B",
        )
        accept(game, "B", "technique", card="whirligig", choices={"opponents": ["A"]})
        assert game.position()["A"]["deck"] == ["prepaid_good", "junk", "swift_broker", "charm"]
        return game

    def test_any_card_of_a_deck_may_have_gone(self, position: Position, accept: Accept) -> None:
        game = self.swapped(position, accept)
        assert pool(game, "B", "B") == ([], 3)
        assert pool(game, "A", "A") == ([], 4)
        for deal in range(20):
            deck: Any = game.determinise("A", deal).position()["A"]["deck"]
            assert set(deck[:2]) < {"prepaid_good", "junk", "gift_voucher"}
            assert set(deck[2:]) < {"spyglass", "gamble", "swift_broker", "charm"}

    def test_whoever_draws_them_knows_the_other_hand_and_deck_again(self, position: Position, accept: Accept) -> None:
        """B draws the two that came and its last own one: so it knows which two A has, and the two A still has."""
        game = self.swapped(position, accept)
        accept(game, "B", "inventory", cards=[])
        assert sorted(game.position()["B"]["hand"])[:3] == ["gamble", "gift_voucher", "junk"]
        everything = ["charm", "junk", "junk", "prepaid_good", "swift_broker"]
        assert pool(game, "B", "A") == (everything, 0)
        assert game.observe("B")["unlocated"] == []


class TestHandsKnownWhole:
    """Of a hand of which every card is known, nothing else can leave (contract section 7: known exchanges)."""

    def begun(self, position: Position, accept: Accept, toys: int) -> Game:
        """A has taken as many cards from its discard pile, the second time the first toy; it holds no unknown card."""
        game = position(
            players=3,
            sets="macaws pandas raccoons ocelots",
            A={"hand": [*["favourite_toy"] * toys, "rotten_food"], "deck": ["nuisance"] * 9, "discard": ["junk"]},
            B={"hand": JUNK5, "deck": ["spyglass"]},
            C={"hand": JUNK5},
        )
        for _ in range(toys):
            accept(game, "A", "technique", card="favourite_toy")
        return game

    @pytest.mark.rules("R-INF-03", "RAC3-2")
    def test_a_card_of_the_only_name_can_be_followed(self, position: Position, accept: Accept) -> None:
        game = self.begun(position, accept, 1)
        assert known(game, "B") == [("hand_A", "junk")]
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["junk"], "opponents": ["B"]})
        for seat in "ABC":
            assert known(game, seat) == [("deck_B", "junk", 0)]
            assert game.observe(seat)["unlocated"] == []

    @pytest.mark.rules("R-INF-03", "RAC3-2")
    def test_of_two_names_it_is_one(self, position: Position, accept: Accept) -> None:
        """Which of the two is open; but no card of A's deck has left it."""
        game = self.begun(position, accept, 2)
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["junk"], "opponents": ["B"]})
        for seat in "BC":
            assert known(game, seat) == []
            assert game.observe(seat)["unlocated"] == ["favourite_toy", "junk"]
            assert pool(game, seat, "A")[1] == pool(game, seat, "B")[1] == 1


class TestMarketDeck:
    """Cards taken from the market deck unseen (PAN5A-2, OCE2-2)."""

    @pytest.mark.rules("R-INF-03", "PAN5A-2")
    def test_special_offer(self, position: Position, accept: Accept) -> None:
        game = position(
            market=["spyglass"] * 3 + ["nuisance"] * 2,
            market_deck=["cookies", "rotten_food", "sabotage", "flashy_show", "prepaid_good"],
            A={"hand": ["special_offer"], "deck": ["junk"] * 9},
            B={"hand": JUNK5},
        )
        accept(game, "A", "technique", card="special_offer")
        accept(game, "A", "choose", choices={"cards": ["sabotage"]})
        accept(game, "A", "choose", choices={"cards": ["rotten_food", "cookies"]})
        assert game.position()["market_discard"] == ["rotten_food", "cookies"]
        assert pool(game, "A", "market_deck") == (["flashy_show", "prepaid_good"], 0)
        assert pool(game, "B", "market_deck") == ([], 2)
        assert pool(game, "B", "A") == (["junk"] * 9, 1)
        assert game.observe("B")["unlocated"] == ["flashy_show", "prepaid_good", "sabotage"]

    def test_what_was_cleared_up_stays_clear_when_something_else_becomes_unknown(
        self, position: Position, accept: Accept
    ) -> None:
        game = position(
            market=["spyglass"] * 3 + ["nuisance"] * 2,
            market_deck=["cookies", "rotten_food", "sabotage", "flashy_show", "prepaid_good"],
            A={"hand": ["special_offer"], "deck": ["rotten_food", *["junk"] * 8]},
            B={"hand": JUNK5},
        )
        accept(game, "A", "technique", card="special_offer")
        accept(game, "A", "choose", choices={"cards": ["sabotage"]})
        accept(game, "A", "choose", choices={"cards": ["rotten_food", "cookies"]})
        accept(game, "B", "inventory", cards=[])
        accept(game, "A", "inventory", cards=["sabotage"])
        assert pool(game, "B", "market_deck") == (["flashy_show", "prepaid_good"], 0)
        accept(game, "B", "inventory", cards=[])
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["junk"]})
        assert pool(game, "B", "market_deck") == (["flashy_show", "prepaid_good"], 0)
        assert game.observe("B")["unlocated"] == ["junk"] * 8

    def test_two_unseen_moves_that_have_nothing_to_do_with_each_other(self, position: Position, accept: Accept) -> None:
        """B draws the card A placed and so knows A's pool again, whatever C took from the market deck meanwhile."""
        game = position(
            players=3,
            sets="macaws raccoons ocelots pandas",
            market=["spyglass"] * 5,
            market_deck=["gamble", "charm", "charm"],
            A={"hand": ["rotten_food", "junk", "cookies"], "deck": ["junk"] * 9},
            B={"hand": ["swift_broker", "junk"], "discard": ["junk"] * 5},
            C={"hand": ["new_season"], "deck": ["spyglass"] * 6, "discard": ["cookies"]},
            turn="C",
        )
        accept(game, "C", "technique", card="new_season", choices={"cards": ["cookies"]})
        accept(game, "C", "inventory", cards=[])
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["cookies"], "opponents": ["B"]})
        accept(game, "A", "inventory", cards=[])
        accept(game, "B", "technique", card="swift_broker")
        assert "cookies" in game.position()["B"]["hand"]
        assert pool(game, "B", "market_deck")[1] == 2
        assert pool(game, "B", "C") == (["spyglass"] * 6, 1)
        assert game.observe("B")["unlocated"] == ["charm", "charm", "gamble"]
        assert pool(game, "B", "A") == (["junk"] * 10, 0)


class TestExchangesOfOthers:
    """Cards that two other players exchange: a third seat cannot tell which of them moved (R-INF-02)."""

    def at(self, position: Position, card: str) -> Game:
        return position(
            players=3,
            sets="macaws pandas raccoons ocelots",
            A={"hand": [card, "spyglass", "cookies"], "deck": ["junk", "charm"]},
            B={"hand": ["rotten_food", "nuisance"], "deck": ["junk"]},
            random=[{"die": 1}] if card == "gamble" else [{"pick": ["charm", "junk"]}],
        )

    def test_gamble(self, position: Position, accept: Accept) -> None:
        game = self.at(position, "gamble")
        accept(game, "A", "technique", card="gamble", choices={"opponents": ["B"]})
        assert pool(game, "C", "A") == ([], 4)
        assert pool(game, "C", "B") == ([], 3)

    def test_whirligig_also_if_every_card_came_back_to_its_hand(self, position: Position, accept: Accept) -> None:
        game = self.at(position, "whirligig")
        accept(game, "A", "technique", card="whirligig", choices={"opponents": ["B"]})
        assert sorted(game.position()["A"]["hand"]) == ["charm", "junk"]
        assert pool(game, "C", "A") == ([], 2)
        assert pool(game, "C", "B") == ([], 3)
