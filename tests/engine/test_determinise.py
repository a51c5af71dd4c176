"""A re-dealt game is one the seat could be in: what others know there and its future are not those of the real one."""

from __future__ import annotations

from typing import Any

import pytest
from stating import JUNK5, Accept, Position

from engine import Game


class TestTheFuture:
    """Chance decides anew (R-RND-01)."""

    def rolled(self, game: Game) -> tuple[object, object]:
        """What a die shows, and the order of a shuffle."""
        events = game.propose("A", "ability", {"card": "bold_haggler"}).events
        assert game.propose("A", "technique", {"card": "wily_fellow"}).accepted
        zones: Any = game.position()
        return next(event.fields["value"] for event in events if event.type == "roll"), str(zones["A"]["deck"])

    def game(self, position: Position, **more: Any) -> Game:
        pile = ["spyglass", "cookies", "junk", "gamble", "charm"]
        own = {"hand": ["bold_haggler", "wily_fellow"], "deck": ["junk"], "discard": pile}
        sets = "macaws raccoons ocelots"
        return position(edition="remastered", sets=sets, A=own, B={"hand": ["junk"]}, **more)

    def test_dice_and_shuffles_come_out_as_they_like(self, position: Position) -> None:
        game = self.game(position)
        found = [self.rolled(game.determinise("A", deal)) for deal in range(40)]
        assert len({die for die, _ in found}) > 2
        assert len({deck for _, deck in found}) > 20

    def test_also_with_the_seed_of_the_game(self, position: Position) -> None:
        found = [self.rolled(self.game(position, seed=seed)) for seed in range(20)]
        again = [self.rolled(self.game(position, seed=seed).determinise("A", seed)) for seed in range(20)]
        assert sum(one == other for one, other in zip(found, again, strict=True)) < 3

    def test_an_outcome_fixed_beforehand_is_not_known_to_anybody(self, position: Position) -> None:
        game = self.game(position, random=[{"die": 2}])
        assert len({self.rolled(game.determinise("A", deal))[0] for deal in range(40)}) > 2
        assert self.rolled(game)[0] == 2

    @pytest.mark.rules("R-TRM-01")
    def test_the_deal_after_a_draft(self) -> None:
        game = Game.new(players=2, edition="remastered", variant="tournament", seed=77, start="A")
        drawn = set()
        for deal in range(30):
            other = game.determinise("A", deal)
            for name in ("macaws", "pandas", "raccoons", "ocelots"):
                assert other.decision is not None
                assert other.propose(other.decision.seat, "choose", {"choices": {"option": name}}).accepted
            zones: Any = other.position()
            drawn.add((other.sets, tuple(zones["market_deck"])))
        assert len({sets for sets, _ in drawn}) > 1
        assert len(drawn) == 30

    def test_it_follows_from_the_seed_and_not_from_hidden_cards(self) -> None:
        game = Game.new(players=3, sets=["macaws", "pandas", "raccoons", "ocelots"], seed=3)
        assert game.determinise("A", 5).digest() == game.determinise("A", 5).digest()
        assert game.determinise("A", 5).seed != game.determinise("A", 6).seed
        assert game.determinise("A", 5).determinise("A", 6).seed == game.determinise("A", 6).seed


class TestWhatOthersKnow:
    """It stays with the place: they know the card that lies there in the re-dealt game (R-INF-03)."""

    def placed(self, position: Position, accept: Accept) -> Game:
        """A has put Gamble on B's deck."""
        game = position(
            players=3,
            edition="remastered",
            sets="macaws raccoons ocelots pandas",
            A={"hand": ["rotten_food", "gamble"], "deck": ["junk", "spyglass", "charm"]},
            B={"hand": ["cookies", "charm"], "deck": ["nuisance", "spyglass", "junk", "wily_fellow"]},
            C={"hand": ["junk"], "deck": ["cookies", "nuisance", "junk", "gamble"]},
        )
        accept(game, "A", "technique", card="rotten_food", choices={"cards": ["gamble"], "opponents": ["B"]})
        return game

    def test_the_place_of_a_card_another_seat_has_put_there(self, position: Position, accept: Accept) -> None:
        game = self.placed(position, accept)
        found = set()
        for deal in range(60):
            other = game.determinise("C", deal)
            assert other.observe("C") == game.observe("C")
            known: Any = other.observe("A")["known"]
            assert [(place["zone"], place["position"]) for place in known] == [("deck_B", 0)]
            found.add(known[0]["card"])
        assert found == {"gamble", "junk", "spyglass", "charm"}  # A's cards, and none of B's own

    def test_a_placed_card_is_dealt_among_those_that_could_have_been_placed(
        self, position: Position, accept: Accept
    ) -> None:
        """B draws it; whichever it was, B's own deck has not changed."""
        game = self.placed(position, accept)
        own = ["junk", "nuisance", "spyglass", "wily_fellow"]
        drawn = set()
        for deal in range(60):
            other = game.determinise("B", deal)
            assert other.observe("B") == game.observe("B")
            deck: Any = other.position()["B"]
            assert sorted(deck["deck"][1:]) == own
            drawn.add(deck["deck"][0])
            accept(other, "A", "inventory", cards=[])
            accept(other, "B", "inventory", cards=["charm"])
            seen: Any = other.observe("B")["pools"]
            assert seen["B"]["unknown"] == 0
        assert drawn == {"gamble", "junk", "spyglass", "charm"}

    def test_how_much_another_seat_cannot_place(self, position: Position, accept: Accept) -> None:
        game = self.placed(position, accept)
        for deal in range(20):
            for seat, other in (("C", "B"), ("B", "C"), ("A", "B"), ("A", "C")):
                seen: Any = game.observe(other)["pools"]
                dealt: Any = game.determinise(seat, deal).observe(other)["pools"]
                assert {owner: pool["unknown"] for owner, pool in dealt.items()} == {
                    owner: pool["unknown"] for owner, pool in seen.items()
                }


@pytest.mark.rules("R-CPC-08", "R-CPC-10")
def test_a_secret_card_copies_what_its_owner_holds_in_the_deal(position: Position, accept: Accept) -> None:
    """Seeing Doubles is the secret card and a copy of another hand card: after the guess both are shown (R-CPC-10)."""
    game = position(
        sets="macaws ocelots chameleons",
        A={"hand": ["blindfold", "seeing_doubles", "spyglass"], "deck": ["cookies", "swift_broker", "charm", "gamble"]},
        B={"hand": ["junk"]},
    )
    copies = [{"card": "seeing_doubles", "targets": ["hand:spyglass"]}]
    accept(game, "A", "technique", card="blindfold", choices={"cards": ["seeing_doubles"]}, copies=copies)
    shown = set()
    for deal in range(60):
        other = game.determinise("B", deal)
        assert other.observe("B") == game.observe("B")
        accept(other, "B", "choose", choices={"value": 12})
        zones: Any = other.position()
        known: Any = other.observe("B")["known"]
        for place in known:
            assert place["zone"] == "hand_A"
            assert place["card"] in zones["A"]["hand"]
            shown.add(place["card"])
    assert len(shown) > 4


def test_a_saved_game_is_dealt_again_as_the_game_itself(position: Position, accept: Accept) -> None:
    """B cannot place cards of two kinds: what C drew from the market deck, and what A put on B's deck."""
    game = position(
        players=3,
        sets="macaws raccoons ocelots pandas",
        market=["spyglass"] * 5,
        market_deck=["gamble", "charm", "charm"],
        A={"hand": ["rotten_food", "junk", "cookies"], "deck": ["junk", "cookies", "nuisance", "sabotage"]},
        B={"hand": ["swift_broker", "junk"], "discard": JUNK5},
        C={"hand": ["new_season"], "deck": ["spyglass"] * 6, "discard": ["cookies"]},
        turn="C",
    )
    accept(game, "C", "technique", card="new_season", choices={"cards": ["cookies"]})
    accept(game, "C", "inventory", cards=[])
    accept(game, "A", "technique", card="rotten_food", choices={"cards": ["cookies"], "opponents": ["B"]})
    saved = Game.from_json(game.to_json())
    assert saved.digest() == game.digest()
    for deal in range(10):
        assert saved.determinise("B", deal).digest() == game.determinise("B", deal).digest()
