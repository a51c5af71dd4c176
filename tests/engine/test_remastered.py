"""The remastered edition where scenarios cannot look: what each seat is shown, tool schemas, forfeits (R-CPR)."""

from __future__ import annotations

from typing import Any

import pytest
from stating import JUNK5, Accept, Position

from engine import Game, Verdict

SETS = "macaws raccoons ocelots chameleons"


def known(game: Game, seat: str) -> list[tuple[Any, ...]]:
    """What a seat knows, as (zone, card) with position or copied card behind it."""
    places: Any = game.observe(seat)["known"]
    return [tuple(place[key] for key in ("zone", "card", "position", "copies") if key in place) for place in places]


def pool(game: Game, seat: str, owner: str) -> tuple[list[str], int]:
    """What a seat is told of a pool: certain cards and the number of unknown ones."""
    pools: Any = game.observe(seat)["pools"]
    return pools[owner]["cards"], pools[owner]["unknown"]


def schemas(game: Game) -> dict[str, Any]:
    """The properties of the L1 tools by name."""
    tools: Any = game.tools("L1")
    return {tool["name"]: tool["parameters"]["properties"] for tool in tools}


def tool_names(game: Game) -> set[str]:
    """The kinds of actions the legal list holds, with the card where one is used."""
    proposals: Any = [game.proposal(action) for action in game.legal]
    return {" ".join([one["tool"], one["arguments"].get("card", "")]).strip() for one in proposals}


def of(position: Position, hand: list[str], **more: Any) -> Game:
    """A remastered game of three with this hand of A."""
    zones = {"market": ["spyglass", "cookies", "nuisance", "sabotage", "gamble"], **more}
    return position(edition="remastered", players=3, sets=SETS, A={"hand": hand, **zones.pop("A", {})}, **zones)


class TestCopies:
    """What a card has become is shown to everybody as long as it lies where they saw it (R-CPR-06)."""

    def copied(self, position: Position, accept: Accept) -> Game:
        game = of(position, ["trendsetting", "rotten_food", "junk"])
        accept(game, "A", "ability", card="trendsetting", choices={"slots": ["slot_1"]})
        return game

    def test_it_is_shown_to_the_player_and_to_the_others(self, position: Position, accept: Accept) -> None:
        game = self.copied(position, accept)
        hand: Any = game.observe("A")["hand"]
        assert hand[0] == {"card": "trendsetting", "value": 2, "copies": "cookies", "ability": "unused"}
        for seat in "BC":
            assert known(game, seat) == [("hand_A", "trendsetting", "cookies")]

    def test_not_after_the_card_may_have_left_the_hand(self, position: Position, accept: Accept) -> None:
        game = self.copied(position, accept)
        choices = {"cards": ["junk"], "opponents": ["B"]}
        accept(game, "A", "technique", card="rotten_food", choices=choices)
        assert known(game, "B") == known(game, "C") == []

    def test_it_is_over_with_the_turn(self, position: Position, accept: Accept) -> None:
        game = of(position, ["trendsetting", *JUNK5])
        accept(game, "A", "ability", card="trendsetting", choices={"slots": ["slot_0"]})
        accept(game, "A", "inventory", cards=[])
        assert known(game, "B") == [("hand_A", "trendsetting")]
        hand: Any = game.observe("A")["hand"]
        assert hand[0] == {"card": "trendsetting", "value": 5}
        assert game.to_json()["alterations"] == []

    def test_two_of_a_name_are_told_apart(self, position: Position, accept: Accept) -> None:
        game = of(position, ["reflection", "reflection"], B={"discard": ["spyglass"]}, C={"discard": ["gamble"]})
        accept(game, "A", "ability", card="reflection", choices={"opponents": ["B"], "option": "no"})
        hand: Any = game.observe("A")["hand"]
        assert hand == [
            {"card": "reflection#1", "value": 4, "copies": "spyglass"},
            {"card": "reflection#2", "value": 2, "ability": "unused"},
        ]
        assert known(game, "B") == [("hand_A", "reflection", "spyglass")]
        verdict = accept(game, "A", "technique", card="reflection#1")
        assert verdict.events[0].seen_by("B") == {
            "type": "technique",
            "seat": "A",
            "card": "reflection",
            "copied": "spyglass",
        }

    def test_what_can_be_done_is_what_the_copied_card_can_do(self, position: Position, accept: Accept) -> None:
        game = of(position, ["trendsetting", "junk"], A={"stall": [["bold_haggler"], ["cookies"], ["whirligig"]]})
        assert "technique trendsetting" not in tool_names(game)
        assert "ability trendsetting" in tool_names(game)
        assert schemas(game)["ability_trendsetting"] == {
            "slots": {
                "type": "array",
                "items": {"type": "string", "enum": [f"slot_{slot}" for slot in range(5)]},
            }
        }
        accept(game, "A", "ability", card="trendsetting", choices={"slots": ["slot_0"]})
        assert tool_names(game) == {"market", "technique trendsetting", "stall", "inventory"}
        assert schemas(game)["technique_trendsetting"] == {}
        assert "ability_trendsetting" not in schemas(game)

    def test_a_redealt_game_keeps_what_was_announced(self, position: Position, accept: Accept) -> None:
        game = self.copied(position, accept)
        for deal in range(10):
            hand: Any = game.determinise("B", deal).observe("A")["hand"]
            assert "cookies" in [card.get("copies") for card in hand]


class TestSoundDetectors:
    """Two random cards of a hand, seen by the player who looks, and known to be seen by their owner (CHA4r-1)."""

    def looking(self, position: Position, accept: Accept, hand: list[str], shown: list[str]) -> tuple[Game, Verdict]:
        game = of(position, ["sound_detectors"], B={"hand": hand, "deck": JUNK5}, random=[{"pick": shown}])
        verdict = accept(game, "A", "ability", card="sound_detectors", choices={"opponents": ["B"]})
        return game, verdict

    def test_who_sees_them(self, position: Position, accept: Accept) -> None:
        hand = ["cookies", "gamble", "spyglass"]
        game, verdict = self.looking(position, accept, hand, ["gamble", "cookies"])
        assert game.observe("A")["offered"] == ["gamble", "cookies"]
        assert game.observe("B")["offered"] == game.observe("C")["offered"] == []
        assert known(game, "A") == [("hand_B", "cookies"), ("hand_B", "gamble")]
        # that A holds Sound Detectors is public; nobody but A learns of B's cards
        assert known(game, "B") == known(game, "C") == [("hand_A", "sound_detectors")]
        look = next(event for event in verdict.events if event.type == "look")
        for seat, sees in (("A", True), ("B", True), ("C", False)):
            assert ("cards" in look.seen_by(seat)) is sees
        accept(game, "A", "choose", choices={"cards": ["gamble"]})
        assert known(game, "A") == [("hand_B", "cookies"), ("hand_B", "gamble")]
        assert known(game, "C") == [("hand_A", "sound_detectors", "gamble"), ("hand_B", "gamble")]
        assert sorted(game.position()["B"]["hand"]) == sorted(hand)

    def test_two_alike_ones_are_both_known_and_need_no_question(self, position: Position, accept: Accept) -> None:
        game, _ = self.looking(position, accept, ["cookies", "cookies", "spyglass"], ["cookies", "cookies"])
        assert game.decision is not None
        assert game.decision.kind == "action"
        assert known(game, "A") == [("hand_B", "cookies"), ("hand_B", "cookies")]
        assert known(game, "C") == [("hand_A", "sound_detectors", "cookies"), ("hand_B", "cookies")]

    def test_a_card_seen_before_may_be_the_same(self, position: Position, accept: Accept) -> None:
        game = of(
            position,
            ["sound_detectors", "sound_detectors"],
            B={"hand": ["cookies", "cookies", "gamble", "junk"]},
            random=[{"pick": ["cookies", "junk"]}, {"pick": ["cookies", "gamble"]}],
        )
        for _ in range(2):
            accept(game, "A", "ability", card="sound_detectors", choices={"opponents": ["B"]})
            accept(game, "A", "choose", choices={"cards": ["cookies"]})
        assert known(game, "A") == [("hand_B", "cookies"), ("hand_B", "gamble"), ("hand_B", "junk")]

    def test_a_third_seat_may_deal_again_what_it_cannot_see(self, position: Position, accept: Accept) -> None:
        """The cards looked at then are others, and the choice goes on with those."""
        hand = ["cookies", "gamble", "spyglass"]
        game, _ = self.looking(position, accept, hand, ["gamble", "cookies"])
        offered = set()
        for deal in range(30):
            other = game.determinise("C", deal)
            assert other.observe("C") == game.observe("C")
            seen: Any = other.observe("A")["offered"]
            offered.add(tuple(sorted(seen)))
            accept(other, "A", "choose", choices={"cards": seen[:1]})
        assert len(offered) > 3
        for seat in "AB":
            assert game.determinise(seat, 1).observe("A")["offered"] == ["gamble", "cookies"]


def test_treasure_hunter_in_a_deck_is_seen_by_the_taker_alone(position: Position, accept: Accept) -> None:
    game = of(position, ["treasure_hunter", *JUNK5], B={"deck": ["cookies", "spyglass"], "hand": ["junk"]})
    before = [pool(game, seat, "A") for seat in "BC"]
    verdict = accept(game, "A", "technique", card="treasure_hunter", choices={"opponents": ["B"], "option": "deck"})
    take = next(event for event in verdict.events if event.type == "take")
    assert [("card" in take.seen_by(seat)) for seat in "ABC"] == [True, False, False]
    assert before == [([*JUNK5, "treasure_hunter"], 0)] * 2
    assert pool(game, "A", "B") == (["junk", "spyglass"], 0)
    for seat in "BC":
        assert pool(game, seat, "A")[1] > 0
        assert "cookies" in game.observe(seat)["unlocated"]


class TestWhirligig:
    """The tops of two decks change places unseen (OCE3r-2)."""

    def test_nobody_sees_what_went_where(self, position: Position, accept: Accept) -> None:
        game = of(
            position,
            ["whirligig"],
            A={"deck": ["cookies", "junk", "gamble"]},
            B={"deck": ["spyglass", "nuisance"], "hand": ["rotten_food"]},
            random=[{"die": 1}],
        )
        accept(game, "A", "technique", card="whirligig", choices={"opponents": ["B"]})
        assert pool(game, "A", "A") == ([], 3)
        assert pool(game, "A", "B") == ([], 3)
        assert game.observe("A")["unlocated"] == sorted(
            ["cookies", "gamble", "junk", "nuisance", "rotten_food", "spyglass"]
        )
        assert pool(game, "B", "B") == ([], 2)
        assert pool(game, "C", "A") == ([], 3)
        assert known(game, "A") == known(game, "B") == known(game, "C") == []

    def test_a_deck_that_goes_whole_is_followed(self, position: Position, accept: Accept) -> None:
        """Everybody knows what A's deck held, and all of it lies in B's now; what came back is any of B's cards."""
        game = of(
            position,
            ["whirligig"],
            A={"deck": ["spyglass", "cookies"]},
            B={"deck": ["sabotage", "nuisance", "gamble"], "hand": ["junk"]},
            random=[{"die": 2}],
        )
        accept(game, "A", "technique", card="whirligig", choices={"opponents": ["B"]})
        assert pool(game, "A", "A") == pool(game, "B", "A") == pool(game, "C", "A") == ([], 2)
        assert pool(game, "A", "B") == pool(game, "C", "B") == (["cookies", "spyglass"], 2)
        assert pool(game, "B", "B") == (["cookies", "spyglass"], 1)
        assert game.observe("A")["unlocated"] == ["gamble", "junk", "nuisance", "sabotage"]
        for deal in range(20):
            for seat in "ABC":
                zones: Any = game.determinise(seat, deal).position()
                assert not {"spyglass", "cookies"} & set(zones["A"]["deck"])

    def test_two_decks_that_go_whole_leave_nothing_open(self, position: Position, accept: Accept) -> None:
        game = of(
            position,
            ["whirligig"],
            A={"deck": ["spyglass", "cookies"]},
            B={"deck": ["sabotage", "nuisance"], "hand": ["junk"]},
            random=[{"die": 2}],
        )
        accept(game, "A", "technique", card="whirligig", choices={"opponents": ["B"]})
        assert pool(game, "B", "B") == (["cookies", "spyglass"], 0)
        assert pool(game, "B", "A") == (["nuisance", "sabotage"], 0)
        assert pool(game, "A", "A") == ([], 2)

    def test_a_card_whose_place_is_known_is_followed(self, position: Position, accept: Accept) -> None:
        """A put Cookies back on top of its deck; it lies on B's deck now."""
        game = of(
            position,
            ["spyglass", "whirligig"],
            A={"deck": ["cookies", "gamble", "junk", "junk"]},
            B={"deck": ["nuisance", "rotten_food"], "hand": ["junk"]},
            random=[{"die": 1}],
        )
        accept(game, "A", "technique", card="spyglass")
        accept(game, "A", "choose", choices={"cards": ["junk"]})
        accept(game, "A", "choose", choices={"cards": ["gamble", "cookies"]})
        accept(game, "A", "technique", card="whirligig", choices={"opponents": ["B"]})
        assert known(game, "A") == [("deck_A", "gamble", 1), ("deck_B", "cookies", 0)]
        assert known(game, "B") == []
        assert game.position()["B"]["deck"] == ["cookies", "rotten_food"]


def test_blindfold_shows_the_card_to_all(position: Position, accept: Accept) -> None:
    game = of(position, ["blindfold", "junk"], A={"deck": ["cookies"]})
    verdict = accept(game, "A", "technique", card="blindfold", choices={"value": 2})
    assert {"type": "reveal", "seat": "A", "card": "cookies", "zone": "deck_A"} in [
        event.seen_by("C") for event in verdict.events
    ]
    assert known(game, "B") == known(game, "C") == [("hand_A", "cookies")]
    accept(game, "A", "choose", choices={"value": 5})
    hand: Any = game.observe("A")["hand"]
    assert hand[1] == {"card": "cookies", "value": 5, "ability": "unused", "changes": [{"set": 5}]}


def test_costs_and_hand_limit_are_shown(position: Position, accept: Accept) -> None:
    game = position(
        edition="remastered",
        sets="macaws pandas raccoons",
        A={"hand": ["exclusive_contacts", "essential_purchase", "essential_purchase"]},
        market=["cookies", "spyglass"],
    )

    def costs() -> list[int]:
        market: Any = game.observe("A")["market"]
        return [slot["cost"] for slot in market if slot]

    assert (game.observe("A")["hand_limit"], costs()) == (5, [2, 5])
    accept(game, "A", "technique", card="exclusive_contacts")
    assert (game.observe("A")["hand_limit"], costs()) == (7, [4, 7])
    assert game.observe("B")["hand_limit"] is None
    accept(game, "A", "technique", card="essential_purchase", choices={"cards": ["essential_purchase"]})
    # the card thrown away came back into the market (R-REF-05)
    assert (game.observe("A")["hand_limit"], costs()) == (7, [2, 5, 5])
    accept(game, "A", "inventory", cards=[])
    assert costs() == [2, 5, 5]


@pytest.mark.parametrize("seat", ["A", "B"])
@pytest.mark.parametrize("asks", ["copy", "value", "end_of_turn"])
def test_a_seat_may_forfeit_in_the_middle_of_the_new_decisions(
    position: Position, accept: Accept, seat: str, asks: str
) -> None:
    game = of(
        position,
        ["sound_detectors", "blindfold", "cookies", "junk", "junk"],
        A={"deck": ["spyglass", "junk"]},
        B={"hand": ["cookies", "spyglass", "gamble"], "deck": JUNK5},
        C={"hand": JUNK5, "deck": JUNK5},
        random=[{"pick": ["gamble", "cookies"]}] if asks == "copy" else [],
    )
    if asks == "copy":
        accept(game, "A", "ability", card="sound_detectors", choices={"opponents": ["B"]})
    elif asks == "value":
        accept(game, "A", "technique", card="blindfold", choices={"value": 4})
    else:
        accept(game, "A", "inventory", cards=[])
    assert game.decision is not None
    assert asks in (game.decision.asks, game.decision.kind)

    def cards() -> int:
        zones: Any = game.to_json()["zones"]
        return sum(card >= 0 for zone in zones for card in zone)

    before = cards()
    game.forfeit(seat)
    assert cards() == before
    assert game.decision is not None
    if seat == "A":
        assert (game.decision.seat, game.decision.kind) == ("B", "action")
        assert game.to_json()["alterations"] == []
    else:
        assert game.decision.seat == "A"
        game.apply(game.legal[0])
    accept(game, str(game.decision.seat), "inventory", cards=[])


def test_a_game_without_chameleons_knows_no_copies(position: Position) -> None:
    game = position(
        edition="remastered", sets="macaws pandas raccoons", A={"hand": ["cookies", "junk"]}, market=["cookies"]
    )
    assert tool_names(game) == {"market", "inventory"}
    assert not any(name.startswith("ability") for name in schemas(game))


def test_a_technique_without_anything_to_choose_has_no_fields(position: Position) -> None:
    """Treasure Hunter while no opponent has a card, Blindfold without a card to guess."""
    game = position(edition="remastered", sets="macaws raccoons ocelots", A={"hand": ["treasure_hunter", "blindfold"]})
    assert schemas(game)["technique_treasure_hunter"] == schemas(game)["technique_blindfold"] == {}
    for index in range(len(game.legal)):
        tool, arguments = game.translate("L1", *game.express("L1", index))
        assert game.judge("A", tool, arguments) == ()
