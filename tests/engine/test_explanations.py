"""What would have been legal: the smallest change of a refused proposal, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from stating import Position

from engine import Game


@pytest.fixture
def table(position: Position) -> Game:
    """Three players, A to act with a mixed hand."""
    return position(
        players=3,
        sets="macaws pandas raccoons chameleons",
        market=["spyglass", "cookies", None, "essential_purchase", "flashy_show"],
        market_deck=["cookies"],
        A={
            "hand": ["junk", "junk", "shattered_relic", "nuisance", "swift_broker", "trendsetting"],
            "discard": ["prepaid_good"],
            "stall": [["swift_broker"], ["cookies"]],
        },
        B={"hand": ["cookies"], "discard": ["spyglass", "rotten_food"]},
        C={"hand": ["cookies"]},
    )


CASES: dict[str, tuple[str, dict[str, Any], str, list[dict[str, Any]]]] = {
    "a superfluous card is dropped": (
        "market",
        {"source": "slot_1", "payment": ["shattered_relic", "junk"]},
        "overpay_unneeded_card",
        [{"field": "payment", "drop": ["junk"]}],
    ),
    "a missing card is added": (
        "market",
        {"source": "slot_1", "payment": ["junk", "swift_broker"]},
        "insufficient_payment",
        [{"field": "payment", "add": ["junk"]}],
    ),
    "another slot is named if there is nothing to buy in the one stated": (
        "market",
        {"source": "slot_2", "payment": ["shattered_relic"]},
        "slot_empty",
        [{"field": "source", "from": "slot_2", "to": "slot_1"}],
    ),
    "a card named twice is named once": (
        "inventory",
        {"cards": ["junk#1", "junk#1", "nuisance"]},
        "duplicate_card",
        [{"field": "cards", "drop": ["junk#1"]}],
    ),
    "a card that is not there is left out": (
        "inventory",
        {"cards": ["junk", "magnet"]},
        "unknown_card",
        [{"field": "cards", "drop": ["magnet"]}],
    ),
    "the copy target is named": (
        "technique",
        {"card": "trendsetting"},
        "copy_target_missing",
        [{"field": "copies", "card": "trendsetting", "from": None, "to": ["market:spyglass"]}],
    ),
    "another copy target is named": (
        "technique",
        {"card": "trendsetting", "copies": [{"card": "trendsetting", "targets": ["market:junk"]}]},
        "copy_target_invalid",
        [{"field": "copies", "card": "trendsetting", "from": ["market:junk"], "to": ["market:spyglass"]}],
    ),
    "another opponent is named": (
        "technique",
        {"card": "nuisance", "choices": {"opponents": ["A", "C"]}},
        "target_self",
        [{"field": "choices.opponents", "drop": ["A"]}],
    ),
    "a choice that is needed is made": (
        "technique",
        {"card": "shattered_relic"},
        "missing_required_choice",
        [{"field": "choices.cards", "add": ["junk"]}],
    ),
    "a choice that is not offered is left out": (
        "technique",
        {"card": "nuisance", "choices": {"opponents": ["B"], "value": 2}},
        "superfluous_choice",
        [{"field": "choices.value", "from": 2, "to": None}],
    ),
    "an order is completed": (
        "technique",
        {
            "card": "swift_broker",
            "choices": {"cards": ["nuisance", "trendsetting", "junk", "shattered_relic"]},
        },
        "invalid_order",
        [{"field": "choices.cards", "add": ["junk"]}],
    ),
    "the number of the next stack is named": (
        "stall",
        {"cards": ["shattered_relic"], "stack": 5},
        "stack_out_of_order",
        [{"field": "stack", "from": 5, "to": 3}],
    ),
    "an adjustment in vain is left out": (
        "stall",
        {"cards": ["shattered_relic"], "adjust": [{"card": "shattered_relic", "by": 1}]},
        "adjust_not_available",
        [{"field": "adjust", "from": [{"card": "shattered_relic", "by": 1}], "to": None}],
    ),
    "to do nothing is an Inventory action without cards": (
        "skip",
        {},
        "pass_not_allowed",
        [{"field": "tool", "from": "skip", "to": "inventory"}],
    ),
}


ABILITIES: dict[str, tuple[str, dict[str, Any], str, list[dict[str, Any]]]] = {
    "the source that is missing is named, the player stays": (
        "ability",
        {"card": "reflection", "choices": {"opponents": ["C"]}},
        "missing_required_choice",
        [{"field": "choices.option", "from": None, "to": "yes"}],
    ),
    "the other source is named if the one stated is empty": (
        "ability",
        {"card": "reflection", "choices": {"opponents": ["B"], "option": "no"}},
        "ability_no_effect",
        [{"field": "choices.option", "from": "no", "to": "yes"}],
    ),
    "a player too many is left out, the source stays": (
        "ability",
        {"card": "reflection", "choices": {"opponents": ["B", "A"], "option": "yes"}},
        "target_self",
        [{"field": "choices.opponents", "drop": ["A"]}],
    ),
    "a chameleon does not copy itself": (
        "ability",
        {"card": "seeing_doubles", "choices": {"cards": ["seeing_doubles"]}},
        "copy_target_invalid",
        [{"field": "choices.cards", "drop": ["seeing_doubles"], "add": ["reflection"]}],
    ),
    "a copy said in advance is left out": (
        "ability",
        {
            "card": "reflection",
            "choices": {"opponents": ["C"], "option": "no"},
            "copies": [{"card": "reflection", "targets": ["discard_C:cookies"]}],
        },
        "copy_not_possible",
        [{"field": "copies", "card": "reflection", "from": ["discard_C:cookies"], "to": None}],
    ),
    "another card of the own stack is named": (
        "ability",
        {"card": "flexible_shopkeeper", "choices": {"stack": {"seat": "A", "number": 1, "card": "swift_broker"}}},
        "copy_target_invalid",
        [
            {
                "field": "choices.stack",
                "from": {"seat": "A", "number": 1, "card": "swift_broker"},
                "to": {"seat": "A", "number": 2, "card": "cookies"},
            }
        ],
    ),
    "a player too few is added": (
        "technique",
        {"card": "nuisance"},
        "too_few_targets",
        [{"field": "choices.opponents", "add": ["B"]}],
    ),
    "a slot named twice is named once": (
        "technique",
        {"card": "loyal_partner", "choices": {"slots": ["slot_1", "slot_0", "slot_1"]}},
        "duplicate_card",
        [{"field": "choices.slots", "drop": ["slot_1"]}],
    ),
}


@pytest.fixture
def chameleons(position: Position) -> Game:
    """Three players of the remastered edition, A to act; B has no discard pile."""
    return position(
        edition="remastered",
        players=3,
        sets="macaws pandas raccoons chameleons",
        market=["spyglass", "cookies", None, None, None],
        A={
            "hand": ["reflection", "seeing_doubles", "flexible_shopkeeper", "nuisance", "loyal_partner"],
            "stall": [["swift_broker"], ["cookies", "junk"]],
        },
        B={"hand": ["junk"], "deck": ["junk"]},
        C={"hand": ["junk"], "discard": ["cookies"]},
    )


def check(game: Game, case: tuple[str, dict[str, Any], str, list[dict[str, Any]]]) -> None:
    """The proposal is refused with the code, these edits make it legal."""
    tool, arguments, code, edits = case
    found = game.explain("A", tool, arguments)
    assert found.violations[0].code == code
    assert list(found.edits) == edits
    change: Any = found.change
    assert game.judge("A", change["tool"], change["arguments"]) == ()


@pytest.mark.parametrize("case", CASES)
def test_the_smallest_change(table: Game, case: str) -> None:
    check(table, CASES[case])


@pytest.mark.parametrize("case", ABILITIES)
def test_the_smallest_change_in_the_remastered_edition(chameleons: Game, case: str) -> None:
    check(chameleons, ABILITIES[case])


def test_what_can_be_left_out_is_not_asked_for(position: Position) -> None:
    """There is one other player."""
    game = position(edition="remastered", sets="macaws chameleons ocelots", A={"hand": ["gamble", "reflection"]},
                    B={"deck": ["junk"], "discard": ["cookies"]})  # fmt: skip
    found = game.explain("A", "technique", {"card": "gamble", "choices": {"value": 3}})
    assert found.edits == ({"field": "choices.value", "from": 3, "to": None},)
    found = game.explain("A", "ability", {"card": "reflection", "choices": {"option": "deck"}})
    assert found.edits == ({"field": "choices.option", "from": "deck", "to": "yes"},)
    change: Any = found.change
    assert change["arguments"]["choices"] == {"opponents": ["B"], "option": "yes"}


def test_a_bare_name_means_another_copy_than_the_one_used(position: Position, accept: Callable[..., Any]) -> None:
    game = position(
        edition="remastered",
        sets="macaws chameleons ocelots",
        A={"hand": ["junk", "seeing_doubles", "seeing_doubles"]},
    )
    accept(game, "A", "ability", card="seeing_doubles#2", choices={"cards": ["junk"]})
    choices = {"cards": ["seeing_doubles"], "value": 3}
    found = game.explain("A", "ability", {"card": "seeing_doubles#1", "choices": choices})
    assert found.edits == ({"field": "choices.value", "from": 3, "to": None},)


def test_a_good_old_times_without_a_copy_means_its_own_ability(position: Position, accept: Callable[..., Any]) -> None:
    """Although there is but one card to copy, its copy is not filled in (R-CLN-08)."""
    game = position(
        sets="macaws ocelots chameleons",
        market=["spyglass", "charm", "gamble", "whirligig", "blindfold"],
        market_deck=["cookies"],
        A={"hand": ["good_old_times", "good_old_times"], "deck": ["junk"] * 3},
    )
    accept(game, "A", "ability", card="good_old_times#1")
    accept(game, "A", "inventory", cards=[])
    found = game.explain("A", "ability", {"card": "good_old_times#1"})
    assert found.violations[0].code == "ability_already_used"
    assert found.edits == ({"field": "card", "from": "good_old_times#1", "to": "good_old_times#2"},)


def test_a_set_that_is_left_is_named_in_the_draft() -> None:
    game = Game.new(variant="tournament", seed=3)
    assert game.decision is not None
    choices = {"option": "macaws"}
    assert game.propose(game.decision.seat, "choose", {"choices": choices}).accepted
    found = game.explain(game.decision.seat, "choose", {"choices": choices})
    assert found.violations[0].code == "target_invalid"
    assert found.edits == ({"field": "choices.option", "from": "macaws", "to": "pandas"},)
    assert found.change == {"tool": "choose", "arguments": {"choices": {"option": "pandas"}}}


def test_what_was_stated_keeps_its_order(table: Game) -> None:
    found = table.explain("A", "inventory", {"cards": ["nuisance", "cookies", "junk"]})
    assert found.change == {"tool": "inventory", "arguments": {"cards": ["nuisance", "junk"]}}


def test_a_legal_proposal_needs_no_change(table: Game) -> None:
    assert table.explain("A", "inventory", {"cards": []}) == ((), None, ())


def test_what_cannot_be_read_or_is_not_ones_decision_has_no_nearest_proposal(table: Game) -> None:
    for seat, tool, arguments, code in [
        ("A", "market", {"source": "slot_0"}, "malformed_arguments"),
        ("A", "trade", {}, "unknown_action"),
        ("B", "inventory", {"cards": []}, "not_your_decision"),
    ]:
        found = table.explain(seat, tool, arguments)
        assert found.violations[0].code == code
        assert (found.change, found.edits) == (None, ())
    table.forfeit("B")
    table.forfeit("C")
    found = table.explain("A", "inventory", {"cards": []})
    assert (found.violations[0].code, found.change) == ("game_over", None)


def test_a_huge_legal_list_is_not_looked_at_to_its_end(position: Position) -> None:
    game = position(
        players=4,
        sets="macaws pandas chameleons squirrels ocelots",
        market=["cookies", "spyglass", "acorn", "gamble", "special_offer"],
        market_discard=["charm"],
        A={
            "hand": ["seeing_doubles", "trendsetting", "reflection", "reflection", "junk", "junk",
                     "market_discovery", "stock_clearance", "spyglass", "acorn"],
        },
        B={"discard": ["junk"]},
        C={"discard": ["cookies"]},
        D={"discard": ["whirligig"]},
    )  # fmt: skip
    assert len(game.legal) > 3_000
    found = game.explain("A", "market", {"source": "slot_4", "payment": ["junk"]})
    assert found.violations[0].code == "insufficient_payment"
    change: Any = found.change
    assert change["arguments"]["source"] == "slot_4"


@pytest.mark.parametrize(
    ("hand", "call", "wanted"),
    [
        (
            ["shattered_relic", "shattered_relic", "junk"],
            {"card": "shattered_relic#2", "choices": {"cards": ["shattered_relic#2"]}},
            ("self_reference", [{"field": "choices.cards", "drop": ["shattered_relic#2"], "add": ["shattered_relic"]}]),
        ),
        (
            ["swift_broker", "junk", "junk", "nuisance"],
            {"card": "swift_broker", "choices": {"cards": ["junk#1", "junk#1", "nuisance"]}},
            ("duplicate_card", [{"field": "choices.cards", "drop": ["junk#1"], "add": ["junk"]}]),
        ),
    ],
    ids=["the card being played, named by number", "one numbered card named twice"],
)
def test_another_copy_of_a_numbered_hand_card_is_a_change(
    position: Position, hand: list[str], call: dict[str, Any], wanted: tuple[str, list[dict[str, Any]]]
) -> None:
    game = position(A={"hand": hand, "deck": ["junk"]})
    found = game.explain("A", "technique", call)
    code, edits = wanted
    assert found.violations[0].code == code
    assert [dict(edit) for edit in found.edits] == edits
