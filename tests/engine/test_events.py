"""Who sees what of an event (R-INF-01 to R-INF-03)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from stating import Accept, Position

from engine import EDITIONS, EVENT_TYPES, Game, Verdict


def seen(verdict: Verdict, seat: str, type_: str) -> dict[str, Any]:
    """The first event of a type as a seat sees it."""
    return next(dict(event.seen_by(seat)) for event in verdict.events if event.type == type_)


@pytest.mark.rules("R-INF-01", "R-INF-03", "MAC1-4")
def test_draws_are_counted_by_all_and_seen_by_one(position: Position, accept: Accept) -> None:
    game = position(A={"hand": ["swift_broker", "junk", "cookies"], "deck": ["spyglass", "nuisance", "junk"]})
    verdict = accept(game, "A", "technique", card="swift_broker")
    assert seen(verdict, "A", "draw") == {"type": "draw", "seat": "A", "count": 2, "cards": ["spyglass", "nuisance"]}
    assert seen(verdict, "B", "draw") == {"type": "draw", "seat": "A", "count": 2}
    assert seen(verdict, "B", "discard")["cards"] == ["junk", "cookies"]


@pytest.mark.rules("R-INF-03", "MAC4-1")
def test_looking_taking_and_putting_back(position: Position, accept: Accept) -> None:
    game = position(A={"hand": ["spyglass"], "deck": ["cookies", "nuisance", "junk"]})
    look = accept(game, "A", "technique", card="spyglass")
    assert seen(look, "A", "look")["cards"] == ["cookies", "nuisance", "junk"]
    assert seen(look, "B", "look") == {"type": "look", "seat": "A", "zone": "deck_A", "count": 3}
    take = accept(game, "A", "choose", choices={"cards": ["junk"]})
    assert seen(take, "A", "take")["card"] == "junk"
    assert "junk" not in str(seen(take, "B", "take"))
    back = accept(game, "A", "choose", choices={"cards": ["cookies", "nuisance"]})
    assert "cookies" in str([event.seen_by("A") for event in back.events])
    assert "cookies" not in str([event.seen_by("B") for event in back.events])


@pytest.mark.rules("R-INF-02", "RAC4-3")
def test_a_card_given_is_seen_by_giver_and_receiver(position: Position, accept: Accept) -> None:
    game = position(
        players=3,
        sets="macaws pandas raccoons ocelots",
        A={"hand": ["dirty_exchange", "cookies"]},
        B={"hand": ["spyglass"]},
    )
    take = accept(game, "A", "technique", card="dirty_exchange", choices={"opponents": ["B"]})
    give = accept(game, "A", "choose", choices={"cards": ["cookies"]})
    for seat, sees in (("A", True), ("B", True), ("C", False)):
        assert ("spyglass" in str([event.seen_by(seat) for event in take.events])) == sees
        assert ("cookies" in str([event.seen_by(seat) for event in give.events])) == sees
    assert next(event.to_json() for event in give.events if event.type == "give")["known_to"] == ["A", "B"]


@pytest.mark.rules("R-INF-02", "OCE5A-2", "OCE3c-4")
@pytest.mark.parametrize(("card", "random"), [("gamble", {"die": 1}), ("whirligig", {"pick": ["spyglass"]})])
def test_cards_that_change_hands_are_seen_by_the_two_players(
    position: Position, accept: Accept, card: str, random: dict[str, Any]
) -> None:
    game = position(
        players=3,
        sets="macaws pandas raccoons ocelots",
        A={"hand": [card, "cookies"], "deck": ["cookies"]},
        B={"hand": ["spyglass"]},
        random=[random],
    )
    verdict = accept(game, "A", "technique", card=card, choices={"opponents": ["B"]})
    for seat in "AB":
        exchange = seen(verdict, seat, "exchange")
        assert (exchange["given"], exchange["received"]) == (["cookies"], ["spyglass"])
    assert seen(verdict, "C", "exchange") == {"type": "exchange", "seat": "A", "to": "B"}


@pytest.mark.rules("R-INF-03", "RAC3-2")
def test_a_card_placed_is_seen_by_the_giver_alone(position: Position, accept: Accept) -> None:
    game = position(A={"hand": ["rotten_food", "junk", "cookies"]}, B={"deck": ["junk"]})
    place = accept(game, "A", "technique", card="rotten_food", choices={"cards": ["cookies"]})
    assert seen(place, "A", "place") == {"type": "place", "seat": "A", "zone": "deck_B", "card": "cookies"}
    assert seen(place, "B", "place") == {"type": "place", "seat": "A", "zone": "deck_B"}


@pytest.mark.rules("R-INF-01")
def test_a_purchase_is_public_in_all_its_parts(position: Position, accept: Accept) -> None:
    game = position(
        market=[None, "cookies", None, None, None],
        market_deck=["spyglass"],
        A={"hand": ["junk", "prepaid_good"], "deck": ["junk"] * 9},
    )
    verdict = accept(game, "A", "market", source="slot_1", payment=["prepaid_good", "junk"])
    assert [event.type for event in verdict.events] == ["market", "discard", "draw", "refill", "turn"]
    assert seen(verdict, "B", "market") == {
        "type": "market",
        "seat": "A",
        "source": "slot_1",
        "card": "cookies",
        "cost": 3,
        "payment": ["prepaid_good", "junk"],
    }
    assert seen(verdict, "B", "refill")["market"] == ["spyglass", None, None, None, None]
    assert seen(verdict, "B", "turn") == {"type": "turn", "seat": "B", "round": 1}


@pytest.mark.rules("R-INF-01", "R-JNK-03")
def test_junk_thrown_away_and_taken_is_counted(position: Position, accept: Accept) -> None:
    game = position(
        market=["essential_purchase", None, None, None, None],
        A={"hand": ["junk"] * 3},
        junk_pile=0,
        B={"hand": ["junk"]},
    )
    payment = ["junk"] * 3
    verdict = accept(game, "A", "market", source="slot_0", payment=payment, throw_away=["junk", "junk"])
    thrown = [event.fields["cards"] for event in verdict.events if event.type == "throw_away"]
    assert [card for cards in thrown for card in cards] == ["junk", "junk"]  # type: ignore[union-attr]  # lists
    assert seen(verdict, "B", "junk")["count"] == 3
    assert game.position()["junk_pile"] == 0


@pytest.mark.rules("R-CPC-10", "OCE5Bc-4")
def test_the_secret_card_of_blindfold_leaves_no_trace(position: Position, accept: Accept) -> None:
    """OCE5Bc-4: not even that it is a chameleon."""
    told = []
    for secret in ("cookies", "trendsetting"):
        game = position(
            sets="macaws ocelots chameleons",
            market=["spyglass", "charm", None, None, None],
            A={"hand": ["blindfold", secret]},
        )
        copies = [{"card": secret, "targets": ["market:spyglass"]}] if secret == "trendsetting" else None
        choices = {"cards": [secret]}
        verdict = accept(game, "A", "technique", card="blindfold", choices=choices, copies=copies)
        told.append(([event.seen_by("B") for event in verdict.events], game.observe("B")["known"], game.decision))
    assert told[0] == told[1]


@pytest.mark.rules("R-CPC-02", "R-CPC-10")
def test_a_chameleon_counted_as_cookies_is_announced(position: Position, accept: Accept) -> None:
    """R-CPC-02 and R-CPC-10: counting it for the hand limit is a use."""
    game = position(
        sets="macaws ocelots chameleons", A={"hand": ["reflection"], "deck": ["junk"] * 9}, B={"discard": ["cookies"]}
    )
    verdict = accept(game, "A", "inventory", cards=[])
    copied = seen(verdict, "B", "copy")
    assert (copied["seat"], copied["card"], copied["copied"]) == ("A", "reflection", "cookies")


@pytest.mark.rules("R-INF-01", "R-INF-03", "R-RND-04", "OCE4-1")
def test_die_reveal_and_win_are_public(position: Position, accept: Accept) -> None:
    game = position(
        sets="macaws pandas ocelots",
        market_deck=["spyglass"],
        A={"hand": ["charm", "bold_haggler"], "stall": [["swift_broker"]] * 3},
        random=[{"die": 2}],
    )
    assert seen(accept(game, "A", "ability", card="bold_haggler"), "B", "roll")["value"] == 2
    assert seen(accept(game, "A", "technique", card="charm"), "B", "reveal")["card"] == "spyglass"


@pytest.mark.rules("R-INF-01")
def test_shuffles_and_forfeits_are_public(position: Position, accept: Accept) -> None:
    game = position(A={"hand": ["junk"], "discard": ["junk", "cookies", "cookies", "nuisance"]}, B={"hand": ["junk"]})
    verdict = accept(game, "A", "inventory", cards=[])
    assert seen(verdict, "B", "shuffle") == {"type": "shuffle", "seat": "A", "zone": "deck_A", "count": 4}
    events = game.forfeit("B")
    assert [event.type for event in events] == ["forfeit", "win"]
    assert game.winner == "A"


def test_applying_without_asking_gives_the_same_events(position: Position) -> None:
    game = position(A={"hand": ["swift_broker", "junk"], "deck": ["spyglass"]})
    for index, action in enumerate(game.legal):
        checked, unchecked = game.clone(), game.clone()
        proposal: Any = game.proposal(action)
        verdict = checked.propose("A", proposal["tool"], proposal["arguments"])
        assert verdict.events == unchecked.apply(game.legal[index])
        assert checked.digest() == unchecked.digest()


def test_every_event_has_the_fields_published_for_its_type() -> None:
    """Contract section 6: field names and event types are published; random games meet most of them."""
    met = set()
    for seed in range(12):
        variant = "tournament" if seed == 3 else "standard"
        game = Game.new(players=2 + seed % 3, seed=seed, edition=EDITIONS[seed % 2], variant=variant)
        draws = random.Random(seed)
        while not game.over and game.round <= 60:
            legal = game.legal
            for event in game.apply(legal[draws.randrange(len(legal))]):
                shape = EVENT_TYPES[event.type]
                names = {*event.fields, *event.secret}
                assert {*shape.required} <= names <= {*shape.required, *shape.optional}, event
                assert {*event.secret} <= {*shape.secret}, event
                met.add(event.type)
    assert len(met) > len(EVENT_TYPES) - 6
