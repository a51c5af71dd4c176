"""Which code is primary and which others are reported (R-ERR-01, R-ERR-04, R-ERR-05)."""

from __future__ import annotations

from typing import Any

import pytest
from stating import Accept, Codes, Position

from engine import CODES, Game


@pytest.fixture
def table(position: Position) -> Game:
    """A three-player game with something in every public zone, A to act."""
    return position(
        players=3,
        sets="macaws pandas raccoons ocelots",
        market=["spyglass", "cookies", None, "essential_purchase", "flashy_show"],
        A={
            "hand": ["junk", "junk", "shattered_relic", "shattered_relic", "nuisance", "treasure_hunter", "accordion"][
                :6
            ],
            "discard": ["prepaid_good"],
            "stall": [["swift_broker"], ["cookies"]],
        },
        B={"hand": ["charm"], "discard": ["spyglass", "rotten_food"], "stall": [["wily_fellow"]]},
        C={"hand": ["gamble"]},
    )


class TestForm:
    """What cannot be read is decided by structure and types alone."""

    @pytest.mark.parametrize(
        ("tool", "arguments", "code"),
        [
            ("trade", {}, "unknown_action"),
            (None, {}, "unknown_action"),
            (["market"], {}, "unknown_action"),
            ("market", None, "malformed_arguments"),
            ("market", [], "malformed_arguments"),
            ("market", {"payment": ["junk"]}, "malformed_arguments"),
            ("market", {"source": "slot_0"}, "malformed_arguments"),
            ("market", {"source": 0, "payment": []}, "malformed_arguments"),
            ("market", {"source": "slot_0", "payment": "junk"}, "malformed_arguments"),
            ("market", {"source": "slot_0", "payment": [1]}, "malformed_arguments"),
            ("market", {"source": "slot_0", "payment": [], "tip": 1}, "malformed_arguments"),
            ("market", {"source": "slot_0", "payment": [], "copies": {"card": "junk"}}, "malformed_arguments"),
            ("technique", {"card": "nuisance", "choices": {"seat": "B"}}, "malformed_arguments"),
            ("technique", {"card": "nuisance", "choices": {"value": "3"}}, "malformed_arguments"),
            ("technique", {"card": "nuisance", "choices": {"value": True}}, "malformed_arguments"),
            ("technique", {"card": "nuisance", "choices": {"stack": {"seat": "B"}}}, "malformed_arguments"),
            ("stall", {"cards": [], "stack": 2.0}, "malformed_arguments"),
            ("stall", {"cards": [], "adjust": [{"card": "junk"}]}, "malformed_arguments"),
            ("inventory", {}, "malformed_arguments"),
            ("inventory", {"cards": None}, "malformed_arguments"),
            ("choose", {}, "malformed_arguments"),
        ],
    )
    def test_codes(self, table: Game, tool: Any, arguments: Any, code: str) -> None:
        (violation,) = table.judge("A", tool, arguments)
        assert violation.code == code
        assert violation.is_format

    def test_null_and_empty_fields_count_as_not_given(self, table: Game) -> None:
        everything_null = {
            "card": "nuisance",
            "choices": {"cards": [], "opponents": ["B"], "slots": None, "stack": None, "value": None, "option": ""},
            "copies": None,
        }
        assert table.judge("A", "technique", everything_null) == ()
        assert table.judge("A", "technique", {"card": "nuisance", "choices": {}}) == ()
        assert table.judge("A", "technique", {"card": "nuisance"}) == ()
        arguments = {"source": "slot_1", "payment": ["shattered_relic"], "throw_away": [], "copies": []}
        assert table.judge("A", "market", arguments) == ()


class TestAuthority:
    """Who may act, and how (R-DEC-01, R-ERR-05)."""

    def test_another_seat(self, table: Game, codes: Codes) -> None:
        assert codes(table, "B", "inventory", cards=[]) == ["not_your_decision"]

    @pytest.mark.parametrize("tool", ["skip", "end_turn"])
    def test_a_pass_instead_of_an_action(self, table: Game, codes: Codes, tool: str) -> None:
        assert codes(table, "A", tool) == ["pass_not_allowed"]

    def test_choosing_when_nothing_is_asked(self, table: Game, codes: Codes) -> None:
        assert codes(table, "A", "choose", choices={"cards": ["junk"]}) == ["wrong_decision_type"]

    def test_the_seat_whose_turn_has_just_ended(self, table: Game, accept: Accept, codes: Codes) -> None:
        accept(table, "A", "inventory", cards=[])
        assert codes(table, "A", "market", source="slot_0", payment=[]) == [
            "second_action_without_bonus",
            "not_your_decision",
        ]
        assert codes(table, "A", "stall", cards=[])[0] == "second_action_without_bonus"
        assert codes(table, "C", "inventory", cards=[]) == ["not_your_decision"]
        accept(table, "B", "inventory", cards=[])
        assert codes(table, "A", "inventory", cards=[]) == ["not_your_decision"]

    @pytest.mark.rules("R-STL-01", "R-STL-13", "R-ERR-04")
    def test_a_second_stack_is_one_after_a_stall_action_alone(
        self, position: Position, accept: Accept, codes: Codes
    ) -> None:
        """EX-STL-27; after another action no code is guessed."""
        out_of_turn = ["second_action_without_bonus", "not_your_decision"]
        more: dict[str, list[str]] = {"inventory": [], "stall": ["bonus_stack_not_available"]}
        for tool, expected in more.items():
            game = position(A={"hand": ["swift_broker"]})
            accept(game, "A", tool, cards=["swift_broker"])
            back = Game.from_json(game.to_json())
            for one in (game, back):
                assert codes(one, "A", "stall", cards=["junk"]) == out_of_turn + expected
                assert codes(one, "A", "inventory", cards=[]) == out_of_turn

    def test_a_second_stack_in_the_end_of_turn_window(self, position: Position, accept: Accept, codes: Codes) -> None:
        hand = ["swift_broker", "market_discovery", "market_discovery"]
        wrong = ["wrong_decision_type", "second_action_without_bonus"]
        more: dict[str, list[str]] = {"inventory": [], "stall": ["bonus_stack_not_available"]}
        for tool, expected in more.items():
            game = position(A={"hand": hand, "deck": ["junk"] * 6}, market_deck=["cookies"] * 9)
            accept(game, "A", tool, cards=["swift_broker"])
            for _ in range(2):
                assert codes(game, "A", "stall", cards=["junk"]) == wrong + expected
                assert codes(game, "A", "market", source="slot_0", payment=[]) == wrong
                accept(game, "A", "ability", card="market_discovery")
            assert codes(game, "A", "stall", cards=["junk"])[2:] == expected

    def test_a_bonus_stack_that_was_skipped_was_available(
        self, position: Position, accept: Accept, codes: Codes
    ) -> None:
        game = position(sets="macaws pandas squirrels", A={"hand": ["winter_is_coming"], "stall": [["junk"]] * 4})
        accept(game, "A", "stall", cards=["winter_is_coming"])
        accept(game, "A", "skip")
        out_of_turn = ["second_action_without_bonus", "not_your_decision"]
        assert codes(game, "A", "stall", cards=["junk"]) == out_of_turn

    def test_while_an_effect_asks(self, position: Position, accept: Accept, codes: Codes) -> None:
        game = position(A={"hand": ["spyglass"], "deck": ["junk", "cookies", "nuisance"]})
        accept(game, "A", "technique", card="spyglass")
        assert codes(game, "A", "inventory", cards=[]) == ["wrong_decision_type"]
        assert codes(game, "A", "end_turn") == ["end_turn_not_available"]
        assert codes(game, "A", "choose", choices={"cards": ["flashy_show"]}) == ["card_not_offered"]
        assert codes(game, "A", "choose", choices={}) == ["missing_required_choice"]
        assert codes(game, "A", "choose", choices={"cards": ["junk", "cookies"]}) == ["too_many_targets"]
        assert codes(game, "B", "choose", choices={"cards": ["junk"]}) == ["not_your_decision"]


class TestNamesOfCards:
    """R-ERR-05: a card named as if in the own hand, judged by public zones alone."""

    @pytest.mark.parametrize(
        ("card", "code"),
        [
            ("magnet", "unknown_card"),
            ("accordion", "unknown_card"),
            ("junk#", "unknown_card"),
            ("junk#x", "unknown_card"),
            ("junk#0", "unknown_card"),
            ("", "unknown_card"),
            ("#1", "unknown_card"),
            ("junk#3", "card_not_in_hand"),
            ("cookies", "stall_card_reuse"),
            ("rotten_food", "card_of_other_player"),
            ("wily_fellow", "card_of_other_player"),
            ("spyglass", "card_of_other_player"),
            ("prepaid_good", "card_not_in_hand"),
            ("charm", "card_not_in_hand"),
            ("flashy_show", "card_not_in_hand"),
        ],
    )
    def test_codes(self, table: Game, codes: Codes, card: str, code: str) -> None:
        assert codes(table, "A", "inventory", cards=[card]) == [code]
        assert codes(table, "A", "market", source="slot_0", payment=[card])[0] == code
        assert codes(table, "A", "stall", cards=[card])[0] == code
        assert codes(table, "A", "technique", card=card) == [code]

    def test_a_number_named_twice(self, table: Game, codes: Codes) -> None:
        assert codes(table, "A", "inventory", cards=["junk#2", "junk#2"]) == ["duplicate_card"]
        assert codes(table, "A", "inventory", cards=["junk#1", "junk"]) == []
        assert codes(table, "A", "inventory", cards=["junk#1", "junk", "junk"]) == ["card_not_in_hand"]

    def test_the_technique_itself(self, table: Game, codes: Codes) -> None:
        alone = "shattered_relic"
        assert codes(table, "A", "technique", card=alone, choices={"cards": [alone]}) == []
        both = {"cards": ["shattered_relic#1"]}
        assert codes(table, "A", "technique", card="shattered_relic#1", choices=both) == ["self_reference"]
        assert codes(table, "A", "technique", card="shattered_relic", choices=both) == []

    def test_the_technique_in_play_is_not_there_to_be_given_back(
        self, position: Position, accept: Accept, codes: Codes
    ) -> None:
        game = position(A={"hand": ["dirty_exchange", "junk"]}, B={"hand": ["cookies"]})
        accept(game, "A", "technique", card="dirty_exchange")
        assert codes(game, "A", "choose", choices={"cards": ["dirty_exchange"]}) == ["self_reference"]

    @pytest.mark.rules("R-ERR-01")
    @pytest.mark.parametrize(
        ("card", "cards", "expected"),
        [
            ("seeing_doubles", ["magnet", "junk"], ["unknown_card", "too_many_targets"]),
            ("seeing_doubles", ["junk#1", "junk#1"], ["duplicate_card", "too_many_targets"]),
            ("seeing_doubles", ["spyglass", "junk"], ["card_not_in_hand", "too_many_targets"]),
            ("seeing_doubles", ["seeing_doubles", "junk"], ["too_many_targets", "copy_target_invalid"]),
            ("seeing_doubles", ["seeing_doubles#1"], ["copy_target_invalid"]),
            ("seeing_doubles", ["seeing_doubles#2"], ["card_not_in_hand"]),
            ("new_season", ["cookies", "magnet"], ["unknown_card", "too_many_targets"]),
            ("new_season", ["cookies#1", "cookies#1"], ["duplicate_card", "too_many_targets"]),
            ("new_season", ["cookies", "spyglass"], ["card_in_wrong_zone", "too_many_targets"]),
            ("new_season", ["junk", "cookies"], ["target_invalid", "too_many_targets"]),
            ("new_season", ["junk#x"], ["unknown_card"]),
        ],
    )
    def test_names_are_read_before_they_are_counted(
        self, position: Position, codes: Codes, card: str, cards: list[str], expected: list[str]
    ) -> None:
        game = position(
            edition="remastered",
            sets="chameleons ocelots macaws",
            A={"hand": ["seeing_doubles", "new_season", "junk"], "discard": ["cookies", "gamble", "junk"]},
        )
        tool = "ability" if card == "seeing_doubles" else "technique"
        assert codes(game, "A", tool, card=card, choices={"cards": cards}) == expected

    def test_hidden_cards_change_no_code(self, position: Position) -> None:
        """B holds the card or does not: the refusal is the same to the last fact."""
        refusals = []
        for hand in (["cookies"], ["nuisance"]):
            game = position(A={"hand": ["junk"]}, B={"hand": hand}, market_deck=hand)
            refusals.append(game.judge("A", "inventory", {"cards": ["cookies"]}))
        assert refusals[0] == refusals[1]


class TestSeveralCodes:
    """All that can be established, by the priority of the table; nothing that depends on a missing fact."""

    @pytest.mark.rules("R-ERR-01")
    def test_ordered_by_priority(self, table: Game) -> None:
        arguments = {
            "source": "slot_9",
            "payment": ["magnet", "junk#1", "junk#1", "cookies"],
            "throw_away": ["junk"] * 4,
        }
        found = [violation.code for violation in table.judge("A", "market", arguments)]
        assert found[:4] == ["unknown_card", "duplicate_card", "stall_card_reuse", "slot_out_of_range"]
        assert found == sorted(found, key=list(CODES).index)
        assert "insufficient_payment" not in found

    def test_each_code_once(self, table: Game, codes: Codes) -> None:
        assert codes(table, "A", "inventory", cards=["magnet", "anvil"]) == ["unknown_card"]

    @pytest.mark.rules("R-ERR-04")
    def test_a_missing_card_stops_the_sum(self, table: Game, codes: Codes) -> None:
        assert codes(table, "A", "market", source="slot_4", payment=["charm"]) == ["card_not_in_hand"]

    def test_the_market_discard_without_market_discovery(self, table: Game, codes: Codes) -> None:
        """Both facts hold whatever the other: the payment has none, and nothing lies there."""
        assert codes(table, "A", "market", source="market_discard", payment=["junk"]) == [
            "market_discard_not_allowed",
            "market_discard_empty",
        ]

    def test_essential_purchase(self, position: Position, codes: Codes) -> None:
        market = ["essential_purchase", "cookies", None, None, None]
        game = position(market=market, A={"hand": ["junk"] * 4 + ["swift_broker"] * 2})
        three = ["junk"] * 3
        four = ["junk"] * 4

        def buy(source: str, payment: list[str], thrown: list[str]) -> list[str]:
            return codes(game, "A", "market", source=source, payment=payment, throw_away=thrown)

        assert buy("slot_0", three, three) == []
        assert buy("slot_0", three, ["junk#1", "junk#2"]) == []
        assert buy("slot_0", three, ["junk#1", "junk#1"]) == ["duplicate_card"]
        assert buy("slot_0", three, ["junk#4"]) == ["throw_away_not_paid"]
        assert buy("slot_0", ["junk", "junk", "swift_broker"], ["swift_broker"]) == ["throw_away_not_junk"]
        assert buy("slot_0", ["junk", "swift_broker", "swift_broker"], ["junk", "junk"]) == ["throw_away_not_paid"]
        assert buy("slot_0", four, four) == ["overpay_unneeded_card", "throw_away_too_many"]
        assert buy("slot_1", three, ["junk"]) == ["throw_away_not_paid"]

    def test_what_is_thrown_away_is_judged_though_a_paid_card_must_still_copy(
        self, position: Position, codes: Codes
    ) -> None:
        """R-ERR-05: the copy that is missing is of another card."""
        game = position(
            sets="macaws pandas chameleons",
            market=["essential_purchase", "cookies", None, None, None],
            A={"hand": ["prepaid_good", "trendsetting", "junk"]},
        )
        paid = {"source": "slot_0", "payment": ["prepaid_good", "trendsetting", "junk"]}
        found = codes(game, "A", "market", **paid, throw_away=["prepaid_good"])
        assert found == ["throw_away_not_junk", "copy_target_missing"]
        assert codes(game, "A", "market", **paid, throw_away=["junk"]) == ["copy_target_missing"]
        assert codes(game, "A", "market", **paid, throw_away=["trendsetting"]) == ["copy_target_missing"]


class TestChoices:
    """Group D."""

    def test_choices_a_card_does_not_offer(self, table: Game, codes: Codes) -> None:
        choices = {"cards": ["junk"], "opponents": ["B"]}
        assert codes(table, "A", "technique", card="shattered_relic", choices=choices) == ["superfluous_choice"]
        nuisance = {"opponents": ["B"], "cards": ["charm"]}
        assert codes(table, "A", "technique", card="nuisance", choices=nuisance) == ["random_choice_required"]

    @pytest.mark.parametrize(
        ("opponents", "expected"),
        [
            (["B", "C"], []),
            ([], []),
            (["B", "B"], ["too_many_targets"]),
            (["A"], ["target_self"]),
            (["D"], ["target_unknown_player"]),
            (["E"], ["target_unknown_player"]),
            (["b"], ["target_unknown_player"]),
            (["A", "B", "C"], ["target_self", "too_many_targets"]),
        ],
    )
    def test_players(self, table: Game, codes: Codes, opponents: list[str], expected: list[str]) -> None:
        assert codes(table, "A", "technique", card="nuisance", choices={"opponents": opponents}) == expected

    def test_a_player_without_the_card_needed(self, table: Game, codes: Codes) -> None:
        hunter = "treasure_hunter"
        assert codes(table, "A", "technique", card=hunter, choices={"opponents": ["C"]}) == ["target_empty"]
        assert codes(table, "A", "technique", card=hunter, choices={"opponents": ["B"]}) == []

    def test_where_nobody_has_one_naming_a_player_is_no_fault(self, position: Position, codes: Codes) -> None:
        """`target_empty` is for a source without cards "although another source has"; R-TEC-03: it may be played."""
        game = position(A={"hand": ["treasure_hunter", "junk"]})
        assert codes(game, "A", "technique", card="treasure_hunter") == []
        assert codes(game, "A", "technique", card="treasure_hunter", choices={"opponents": ["B"]}) == []

    def test_an_order_that_leaves_a_card_out(self, position: Position, codes: Codes) -> None:
        """EX-MAC1-2."""
        game = position(A={"hand": ["swift_broker", "junk", "spyglass"]})
        for order, code in ((["junk"], "invalid_order"), (["junk", "spyglass", "junk"], "card_not_in_hand")):
            assert codes(game, "A", "technique", card="swift_broker", choices={"cards": order}) == [code]
        good = {"cards": ["spyglass", "junk"]}
        assert codes(game, "A", "technique", card="swift_broker", choices=good) == []


class TestAbilities:
    """Group E."""

    def test_codes(self, position: Position, accept: Accept, codes: Codes) -> None:
        game = position(
            sets="pandas ocelots squirrels",
            A={"hand": ["market_discovery", "bold_haggler", "empty_chest", "charm", "junk"]},
        )
        for card in ("empty_chest", "charm", "junk"):
            assert codes(game, "A", "ability", card=card) == ["no_ability"]
        assert codes(game, "A", "ability", card="market_discovery") == ["ability_no_effect"]
        assert codes(game, "A", "ability", card="bold_haggler", choices={"value": 3}) == ["superfluous_choice"]
        accept(game, "A", "ability", card="bold_haggler")
        assert codes(game, "A", "ability", card="bold_haggler") == ["ability_already_used"]

    def test_timing(self, position: Position, accept: Accept, codes: Codes) -> None:
        hand = ["market_discovery", "bold_haggler", "junk", "junk", "junk"]
        game = position(sets="pandas ocelots squirrels", market_deck=["charm"] * 9, A={"hand": hand})
        accept(game, "A", "inventory", cards=[])
        assert game.decision is not None
        assert game.decision.kind == "end_of_turn"
        assert codes(game, "A", "ability", card="bold_haggler") == ["ability_wrong_timing"]
        accept(game, "A", "ability", card="market_discovery")
        assert game.decision is not None
        assert game.decision.seat == "B"


def test_a_refusal_names_its_facts_as_plain_json(table: Game) -> None:
    for tool, arguments in (
        ("market", {"source": "slot_0", "payment": ["junk"]}),
        ("stall", {"cards": ["junk", "nuisance"]}),
        ("technique", {"card": "nuisance", "choices": {"opponents": ["A", "A", "A"]}}),
    ):
        for violation in table.judge("A", tool, arguments):
            assert violation.rules[: len(CODES[violation.code].rules)] == CODES[violation.code].rules
            assert violation.facts or violation.code == "stack_empty"
