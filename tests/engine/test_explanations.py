"""What would have been legal: the smallest change of a refused proposal, as data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import Game

Position = Callable[..., Game]


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


@pytest.mark.parametrize("case", CASES)
def test_the_smallest_change(table: Game, case: str) -> None:
    tool, arguments, code, edits = CASES[case]
    found = table.explain("A", tool, arguments)
    assert found.violations[0].code == code
    assert list(found.edits) == edits
    change: Any = found.change
    assert table.judge("A", change["tool"], change["arguments"]) == ()


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
