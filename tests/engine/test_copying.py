"""Classic chameleons: forced copies, chains, locks, and what a copy must say (rules.md 11.1)."""

from __future__ import annotations

from typing import Any

import pytest
from stating import Accept, Codes, Position, copy

from engine.types import TECHNIQUE_TOOL

SETS = "macaws ocelots chameleons"


@pytest.mark.parametrize(
    ("card", "zones", "value"),
    [
        ("reflection", {"B": {"discard": ["junk", "spyglass"]}}, 4),
        ("reflection", {"B": {"discard": ["spyglass", "junk"]}}, 1),
        ("reflection", {}, 2),
        ("good_old_times", {"market_discard": ["junk", "spyglass"]}, 4),
        ("good_old_times", {}, 3),
        ("trendsetting", {"market": [None, "cookies", None, None, None]}, 2),
        ("trendsetting", {}, 5),
    ],
)
def test_a_chameleon_must_copy_what_it_can_reach_and_is_itself_otherwise(
    position: Position, codes: Codes, card: str, zones: dict[str, Any], value: int
) -> None:
    """R-CPC-03, R-CPC-04 and R-CPC-12: with one reachable identity nothing needs to be said."""
    for built in range(1, 6):
        game = position(sets=SETS, **zones, A={"hand": [card], "stall": [["bold_haggler"]] * (built - 1)})
        refused = codes(game, "A", "stall", cards=[card])
        if built == value:
            assert refused == (["stack_contains_junk"] if value == 1 else [])
        else:
            assert refused[-1] == "stack_wrong_total"


def test_a_shopkeeper_copies_the_rightmost_stack_alone(position: Position, codes: Codes) -> None:
    game = position(
        players=3,
        sets="macaws squirrels chameleons ocelots",
        market=["spyglass", None, None, None, None],
        A={"hand": ["flexible_shopkeeper"], "stall": [["spyglass"], ["cookies"], ["empty_chest", "swift_broker"]]},
    )
    assert codes(game, "A", "market", source="slot_0", payment=["flexible_shopkeeper"]) == ["copy_target_missing"]
    for target in ("stall:spyglass", "stall:cookies", "market:spyglass", "stall:junk"):
        copies = copy("flexible_shopkeeper", target)
        refused = codes(game, "A", "market", source="slot_0", payment=["flexible_shopkeeper"], copies=copies)
        assert refused == ["copy_target_invalid"]
    copies = copy("flexible_shopkeeper", "stall:empty_chest")
    refused = codes(game, "A", "market", source="slot_0", payment=["flexible_shopkeeper"], copies=copies)
    assert refused == ["insufficient_payment"]


def test_a_copy_that_is_missing_stops_the_checks_that_need_it(position: Position, codes: Codes) -> None:
    """R-ERR-05, last line: no total is guessed."""
    market = ["cookies", "spyglass", None, None, None]
    game = position(sets=SETS, market=market, A={"hand": ["trendsetting", "junk"]})
    assert codes(game, "A", "market", source="slot_1", payment=["trendsetting"]) == ["copy_target_missing"]
    assert codes(game, "A", "stall", cards=["trendsetting"]) == ["copy_target_missing"]
    assert codes(game, "A", "technique", card="trendsetting") == ["copy_target_missing"]


def test_inventory_needs_no_copy(position: Position, accept: Accept) -> None:
    """EX-CPY-09."""
    market = ["cookies", "spyglass", None, None, None]
    game = position(sets=SETS, market=market, A={"hand": ["trendsetting"] + ["junk"] * 5})
    accept(game, "A", "inventory", cards=["trendsetting"])
    assert game.position()["A"]["discard"] == ["trendsetting"]


class TestChains:
    """R-CPC-05."""

    def test_a_copied_chameleon_copies_on_from_the_players_point_of_view(
        self, position: Position, codes: Codes
    ) -> None:
        """EX-CPY-05."""
        game = position(
            sets=SETS,
            market=["reflection", "cookies", None, None, None],
            A={"hand": ["trendsetting"]},
            B={"discard": ["junk"]},
        )
        copies = copy("trendsetting", "market:reflection", "discard_B:junk")
        assert codes(game, "A", "market", source="slot_1", payment=["trendsetting"], copies=copies) == [
            "insufficient_payment"
        ]
        assert codes(game, "A", "stall", cards=["trendsetting"], copies=copies) == ["stack_contains_junk"]

    def test_stopping_at_a_chameleon_is_no_chain(self, position: Position, codes: Codes) -> None:
        hand = ["seeing_doubles", "trendsetting"]
        game = position(sets=SETS, market=["cookies", "charm", None, None, None], A={"hand": hand})
        stopped = copy("seeing_doubles", "hand:trendsetting")
        assert codes(game, "A", "stall", cards=["seeing_doubles"], copies=stopped) == ["copy_chain_invalid"]
        gone_on = copy("seeing_doubles", "hand:trendsetting", "market:cookies")
        assert codes(game, "A", "stall", cards=["seeing_doubles"], copies=gone_on) == ["stack_wrong_total"]
        too_far = copy("seeing_doubles", "hand:trendsetting", "market:cookies", "market:charm")
        assert codes(game, "A", "stall", cards=["seeing_doubles"], copies=too_far) == ["copy_chain_invalid"]

    def test_no_name_comes_twice(self, position: Position, codes: Codes) -> None:
        game = position(
            players=3,
            sets="macaws pandas ocelots chameleons",
            A={"hand": ["reflection", "good_old_times"]},
            market_discard=["reflection"],
            B={"discard": ["good_old_times"]},
            C={"discard": ["junk"]},
        )
        turning = copy("reflection", "discard_B:good_old_times", "market_discard:reflection", "discard_C:junk")
        assert codes(game, "A", "stall", cards=["reflection"], copies=turning) == ["copy_chain_invalid"]

    def test_a_dead_end_is_not_taken_while_another_way_is_open(self, position: Position, codes: Codes) -> None:
        """The market holds a Reflection that can reach nothing and a Cookies: Cookies is the only identity."""
        market = ["reflection", "cookies", None, None, None]
        game = position(sets=SETS, market=market, A={"hand": ["trendsetting"], "stall": [["junk"]]})
        assert codes(game, "A", "stall", cards=["trendsetting"]) == []

    def test_with_nothing_but_dead_ends_the_card_is_itself(self, position: Position, codes: Codes) -> None:
        market = ["reflection", None, None, None, None]
        game = position(sets=SETS, market=market, A={"hand": ["trendsetting"], "stall": [["junk"]] * 4})
        assert codes(game, "A", "stall", cards=["trendsetting"]) == []
        assert codes(game, "A", "technique", card="trendsetting") == ["not_a_technique"]

    def test_seeing_doubles_never_copies_itself(self, position: Position, codes: Codes) -> None:
        """EX-CHA5B-1 and EX-CHA5B-2."""
        game = position(sets=SETS, A={"hand": ["seeing_doubles"], "stall": [["junk"]] * 4})
        assert codes(game, "A", "stall", cards=["seeing_doubles"]) == []
        copies = copy("seeing_doubles", "hand:seeing_doubles")
        assert codes(game, "A", "stall", cards=["seeing_doubles"], copies=copies) == ["copy_target_invalid"]


def test_only_copying_cards_copy(position: Position, codes: Codes) -> None:
    market = ["spyglass", None, None, None, None]
    game = position(sets=SETS, market=market, A={"hand": ["gift_voucher", "cookies"]})
    for card in ("gift_voucher", "cookies"):
        copies = copy(card, "market:spyglass")
        refused = codes(game, "A", "market", source="slot_0", payment=["gift_voucher"], copies=copies)
        assert refused == ["copy_not_possible"]


def test_seeing_doubles_may_be_paid_with_the_card_it_copies(position: Position, accept: Accept) -> None:
    """EX-CPY-08 and R-CPC-07: 4 + 4, determined before either moves."""
    market = [None, None, None, None, "spyglass"]
    game = position(sets=SETS, market=market, A={"hand": ["seeing_doubles", "spyglass"], "deck": ["junk"] * 9})
    verdict = accept(game, "A", "market", source="slot_4", payment=["seeing_doubles", "spyglass"])
    copied = next(event.to_json() for event in verdict.events if event.type == "copy")
    assert (copied["card"], copied["copied"], copied["value"]) == ("seeing_doubles", "spyglass", 4)
    assert game.position()["A"]["discard"] == ["seeing_doubles", "spyglass"]


def test_a_rolled_haggler_is_copied_with_its_bonus_and_counts_as_used(
    position: Position, accept: Accept, codes: Codes
) -> None:
    """R-CPC-06."""
    game = position(
        sets=SETS,
        A={"hand": ["seeing_doubles", "bold_haggler"], "stall": [["junk"]] * 7},
        random=[{"die": 3}],
    )
    accept(game, "A", "ability", card="bold_haggler")
    assert codes(game, "A", "ability", card="seeing_doubles") == ["ability_already_used"]
    accept(game, "A", "stall", cards=["seeing_doubles", "bold_haggler"])
    assert game.winner == "A"


def test_a_chameleon_played_as_a_technique_is_discarded_as_itself(position: Position, accept: Accept) -> None:
    """R-CPC-09, and R-TRN-05: the copied + counts."""
    game = position(sets=SETS, A={"hand": ["reflection", "junk"]}, B={"discard": ["favourite_toy"]})
    accept(game, "A", "technique", card="reflection")
    assert game.position()["A"]["discard"] == ["reflection"]
    assert game.decision is not None
    assert game.decision.bonus


def test_a_chameleon_takes_the_slot_as_gift_voucher(position: Position, accept: Accept) -> None:
    """GV-5."""
    market = ["spyglass", None, None, None, None]
    game = position(sets=SETS, market=market, A={"hand": ["reflection"]}, B={"discard": ["gift_voucher"]})
    accept(game, "A", "technique", card="reflection", choices={"slots": ["slot_0"]})
    assert game.position()["market"][0] == "reflection"
    assert game.position()["A"]["hand"] == ["spyglass"]


class TestCookies:
    """R-CLN-08."""

    def test_a_chameleon_that_can_only_be_cookies_is_counted(self, position: Position, accept: Accept) -> None:
        game = position(sets=SETS, A={"hand": ["reflection"], "deck": ["junk"] * 9}, B={"discard": ["cookies"]})
        accept(game, "A", "inventory", cards=[])
        assert len(game.position()["A"]["hand"]) == 6
        assert game.decision is not None
        assert game.decision.seat == "B"

    def test_one_that_could_be_something_else_may_be_declared(
        self, position: Position, accept: Accept, codes: Codes
    ) -> None:
        market = ["cookies", "spyglass", "charm", "gamble", "blindfold"]
        game = position(sets=SETS, market=market, A={"hand": ["trendsetting"], "deck": ["junk"] * 9})
        early = copy("trendsetting", "market:cookies")
        assert codes(game, "A", "ability", card="trendsetting", copies=early) == ["ability_wrong_timing"]
        accept(game, "A", "inventory", cards=[])
        assert game.decision is not None
        assert (game.decision.seat, game.decision.kind) == ("A", "end_of_turn")
        assert len(game.position()["A"]["hand"]) == 5
        accept(game, "A", "ability", card="trendsetting", copies=early)
        assert len(game.position()["A"]["hand"]) == 6
        assert game.decision is not None
        assert game.decision.seat == "B"

    def test_two_cookies_of_different_value_are_still_only_cookies(self, position: Position, accept: Accept) -> None:
        """A passive without "may" is mandatory (R-PAS-02): whichever it copies, the limit is one higher."""
        hand = ["blindfold", "cookies", "cookies", "seeing_doubles"]
        game = position(sets=SETS, A={"hand": hand, "deck": ["cookies"] * 9})
        accept(game, "A", "technique", card="blindfold", choices={"cards": ["cookies"]})
        accept(game, "B", "choose", choices={"value": 20})
        accept(game, "A", "choose", choices={"value": 5})
        assert game.observe("A")["hand_limit"] == 8

    def test_a_chameleon_locked_as_cookies_is_a_cookies_to_copy(self, position: Position, accept: Accept) -> None:
        """Seeing Doubles has nothing else in sight than Cookies, one of them a locked Trendsetting."""
        hand = ["blindfold", "trendsetting", "seeing_doubles", "cookies"]
        market = ["cookies", "spyglass", None, None, None]
        game = position(sets=SETS, market=market, A={"hand": hand, "deck": ["junk"] * 9})
        secret = copy("trendsetting", "market:cookies")
        accept(game, "A", "technique", card="blindfold", choices={"cards": ["trendsetting"]}, copies=secret)
        accept(game, "B", "choose", choices={"value": 20})
        accept(game, "A", "choose", choices={"value": 3})
        assert game.observe("A")["hand_limit"] == 8

    def test_good_old_times_that_threw_a_cookies_away_may_be_declared(self, position: Position, accept: Accept) -> None:
        """Declaring is no use of an ability (R-PAS-05); the new top card is the only target (CHA3c-1)."""
        market = ["spyglass", "charm", "gamble", "blindfold", "spyglass"]
        game = position(
            sets=SETS,
            market=market,
            market_deck=["cookies"],
            A={"hand": ["good_old_times", "junk", "junk", "junk", "junk"], "deck": ["junk"] * 9},
        )
        accept(game, "A", "inventory", cards=[])
        accept(game, "A", "ability", card="good_old_times")
        assert game.position()["market_discard"] == ["cookies"]
        copies = copy("good_old_times", "market_discard:cookies")
        accept(game, "A", "ability", card="good_old_times", copies=copies)
        assert len(game.position()["A"]["hand"]) == 6


class TestBlindfoldsSecretCard:
    """OCE5Bc-4."""

    def test_the_copy_is_shown_with_the_result_and_locked(self, position: Position, accept: Accept) -> None:
        game = position(sets=SETS, A={"hand": ["blindfold", "seeing_doubles", "junk", "spyglass"]})
        verdict = accept(
            game,
            "A",
            "technique",
            card="blindfold",
            choices={"cards": ["seeing_doubles"]},
            copies=copy("seeing_doubles", "hand:spyglass"),
        )
        seen = [event.seen_by("B") for event in verdict.events]
        assert seen == [{"type": "technique", "seat": "A", "card": "blindfold"}]
        assert game.observe("B")["known"] == []
        verdict = accept(game, "B", "choose", choices={"value": 20})
        assert "spyglass" in str([event.seen_by("B") for event in verdict.events])
        assert game.observe("B")["known"] == [
            {"zone": "hand_A", "card": "seeing_doubles"},
            {"zone": "hand_A", "card": "spyglass"},
        ]
        accept(game, "A", "choose", choices={"value": 1})
        hand: Any = game.observe("A")["hand"]
        assert hand[0] == {"card": "seeing_doubles", "value": 1, "copies": "spyglass", "changes": [{"set": 1}]}

    def test_the_blindfold_being_played_is_nowhere_offered_as_a_target(self, position: Position) -> None:
        """R-VOC-04: over a chain neither."""
        market = ["seeing_doubles", "cookies", None, None, None]
        game = position(sets=SETS, market=market, A={"hand": ["blindfold", "seeing_doubles", "trendsetting", "junk"]})
        listed: Any = [game.proposal(action) for action in game.legal.of_tool(TECHNIQUE_TOOL)]
        played = [one["arguments"] for one in listed if one["arguments"]["card"] == "blindfold"]
        assert len(played) == 5
        assert "hand:blindfold" not in str(played)
        schema = next(one for one in game.tools("L1") if one["name"] == "technique_blindfold")
        assert "hand:junk" in str(schema)
        assert "hand:blindfold" not in str(schema)

    def test_a_copy_must_be_named_if_there_are_several(self, position: Position, codes: Codes) -> None:
        hand = ["blindfold", "seeing_doubles", "junk", "spyglass"]
        game = position(sets=SETS, A={"hand": hand})
        choices = {"cards": ["seeing_doubles"]}
        assert codes(game, "A", "technique", card="blindfold", choices=choices) == ["copy_target_missing"]
