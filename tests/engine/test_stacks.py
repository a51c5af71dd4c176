"""The exact test of a stack, row by row: R-STL-11, EX-STL-01 to EX-STL-28 and the checks of decks.md 4 and 6.3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import Game, Verdict

SETS = "macaws pandas squirrels ocelots chameleons"
HAND = (
    "junk junk junk swift_broker cookies shattered_relic spyglass prepaid_good loyal_partner stashing_vendor "
    "empty_chest nostalgic_item nostalgic_item acorn accordion winter_is_coming"
)
PILE = "junk junk swift_broker spyglass nostalgic_item stashing_vendor empty_chest cookies"

# built stacks; cards from the hand; cards from the discard pile; stated adjustment; codes, none if legal
TABLE = [
    (0, "swift_broker", "", None, ""),
    (0, "junk", "", None, "stack_contains_junk"),
    (0, "cookies", "", None, "stack_wrong_total"),
    (0, "", "", None, "stack_empty"),
    (2, "swift_broker cookies", "", None, ""),
    (2, "swift_broker prepaid_good", "", None, "stack_mixed_sets"),
    (1, "swift_broker loyal_partner", "", None, "stack_mixed_sets"),
    (2, "swift_broker junk junk", "", None, "stack_contains_junk"),
    (2, "stashing_vendor junk junk", "", None, ""),
    (3, "stashing_vendor junk junk junk", "", None, ""),
    (4, "empty_chest swift_broker prepaid_good", "", None, ""),
    (2, "empty_chest junk", "", None, "stack_contains_junk"),
    (3, "stashing_vendor cookies junk", "", None, "stack_mixed_sets"),
    (5, "stashing_vendor empty_chest cookies junk", "", None, ""),
    (6, "empty_chest acorn stashing_vendor", "", None, ""),
    (7, "spyglass", "", None, "stack_wrong_total"),
    # cards of the discard pile
    (3, "nostalgic_item", "junk", None, ""),
    (3, "nostalgic_item junk", "", None, "stack_contains_junk"),
    (4, "nostalgic_item", "junk junk", None, "discard_inclusion_limit"),
    (0, "", "swift_broker", None, "discard_inclusion_not_allowed"),
    (2, "cookies", "swift_broker", None, "discard_inclusion_not_allowed"),
    (5, "nostalgic_item", "spyglass", None, "stack_wrong_total"),
    (6, "nostalgic_item", "spyglass", None, ""),
    (7, "nostalgic_item nostalgic_item", "junk junk", None, ""),
    (7, "nostalgic_item stashing_vendor", "nostalgic_item junk", None, ""),
    (6, "nostalgic_item stashing_vendor", "cookies junk", None, "discard_inclusion_limit"),
    (2, "", "nostalgic_item", None, "discard_inclusion_not_allowed"),
    (4, "nostalgic_item junk", "stashing_vendor", None, ""),
    (6, "nostalgic_item cookies", "empty_chest", None, ""),
    (5, "nostalgic_item cookies", "swift_broker", None, "stack_mixed_sets"),
    # Accordion
    (7, "accordion stashing_vendor junk", "", None, ""),
    (3, "accordion", "", None, ""),
    (4, "accordion", "", None, ""),
    (5, "accordion", "", None, ""),
    (6, "accordion", "", None, "stack_wrong_total"),
    (3, "accordion", "", {"accordion": -1}, ""),
    (4, "accordion", "", {"accordion": -1}, "stack_wrong_total"),
    (4, "accordion", "", {"accordion": 0}, ""),
    (6, "accordion", "", {"accordion": 2}, "adjust_not_available"),
    (3, "spyglass", "", {"spyglass": 1}, "adjust_not_available"),
    (4, "spyglass", "", {"spyglass": 1}, "adjust_not_available"),
    # several codes at once
    (5, "swift_broker prepaid_good junk", "", None, "stack_contains_junk stack_mixed_sets stack_wrong_total"),
    (2, "swift_broker", "junk junk", None, "discard_inclusion_not_allowed"),
]


@pytest.mark.rules("R-STL-11")
@pytest.mark.parametrize(("built", "cards", "pile", "adjust", "expected"), TABLE)
def test_the_table(
    position: Callable[..., Game], built: int, cards: str, pile: str, adjust: dict[str, int] | None, expected: str
) -> None:
    stall = [["swift_broker"]] * built
    game = position(sets=SETS, players=4, A={"hand": HAND.split(), "discard": PILE.split(), "stall": stall})
    arguments: dict[str, Any] = {"cards": cards.split(), "from_discard": pile.split()}
    if adjust is not None:
        arguments["adjust"] = [{"card": card, "by": by} for card, by in adjust.items()]
    verdict = game.propose("A", "stall", arguments)
    found = [violation.code for violation in verdict.violations]
    wanted = expected.split()
    assert found[:1] == wanted[:1]
    assert set(wanted) <= set(found)
    if not wanted:
        assert sorted(game.position()["A"]["stall"][built]) == sorted(cards.split() + pile.split())
    if built == 7 and not wanted:
        assert game.winner == "A"


@pytest.mark.parametrize(
    ("stack", "expected"), [(3, "stack_sealed"), (4, ""), (5, "stack_out_of_order"), (0, "stack_out_of_order")]
)
def test_a_named_number_must_be_the_next_one(
    position: Callable[..., Game], codes: Callable[..., list[str]], stack: int, expected: str
) -> None:
    game = position(A={"hand": ["spyglass"], "stall": [["swift_broker"], ["cookies"], ["shattered_relic"]]})
    assert codes(game, "A", "stall", cards=["spyglass"], stack=stack) == expected.split()


@pytest.mark.parametrize(("built", "legal"), [(4, False), (6, False), (7, True)])
def test_two_accordions_reach_eight_to_twelve(
    position: Callable[..., Game], codes: Callable[..., list[str]], built: int, legal: bool
) -> None:
    """decks.md 6.3: Seeing Doubles copying the Accordion it is built with."""
    hand = ["seeing_doubles", "accordion"]
    game = position(sets="macaws squirrels chameleons", A={"hand": hand, "stall": [["swift_broker"]] * built})
    expected = [] if legal else ["stack_wrong_total"]
    assert codes(game, "A", "stall", cards=hand) == expected
    if legal:
        both = [{"card": "accordion", "by": -1}, {"card": "seeing_doubles", "by": -1}]
        assert codes(game, "A", "stall", cards=hand, adjust=both) == []
        assert codes(game, "A", "stall", cards=hand, adjust=both[:1]) == ["stack_wrong_total"]


def test_an_included_card_leaves_the_rest_of_the_pile_in_order(
    position: Callable[..., Game], accept: Callable[..., Verdict]
) -> None:
    pile = ["junk", "cookies", "spyglass", "nuisance"]
    game = position(
        players=3,
        sets="macaws raccoons squirrels pandas",
        A={"hand": ["nostalgic_item"] + ["junk"] * 5, "discard": pile, "stall": [["swift_broker"]] * 6},
    )
    accept(game, "A", "stall", cards=["nostalgic_item"], from_discard=["spyglass"])
    assert game.position()["A"]["discard"] == ["junk", "cookies", "nuisance"]


def test_the_bonus_stack_of_winter_is_coming(
    position: Callable[..., Game], accept: Callable[..., Verdict], codes: Callable[..., list[str]]
) -> None:
    """EX-STL-25 and EX-STL-26; asked even if nothing can be built."""
    hand = ["winter_is_coming", "acorn", "empty_chest", "junk"]
    game = position(sets="macaws squirrels pandas", A={"hand": hand, "stall": [["swift_broker"]] * 4})
    accept(game, "A", "stall", cards=["winter_is_coming"])
    assert game.decision is not None
    assert (game.decision.seat, game.decision.kind) == ("A", "bonus_stack")
    assert codes(game, "A", "inventory", cards=[]) == ["wrong_decision_type", "second_action_without_bonus"]
    assert codes(game, "A", "end_turn") == ["end_turn_not_available"]
    skipping = game.clone()
    accept(skipping, "A", "skip")
    accept(game, "A", "stall", cards=["acorn", "empty_chest"])
    for one in (game, skipping):
        assert one.decision is not None
        assert (one.decision.seat, one.decision.kind) == ("B", "action")
    assert game.stacks == {"A": 6, "B": 0}
    assert skipping.stacks == {"A": 5, "B": 0}


def test_an_eighth_stack_ends_the_game_at_once(
    position: Callable[..., Game], accept: Callable[..., Verdict], codes: Callable[..., list[str]]
) -> None:
    """EX-END-02 and EX-END-03: winning by a bonus stack, no clean-up."""
    hand = ["winter_is_coming", "empty_chest", "acorn", "acorn"]
    game = position(sets="macaws squirrels pandas", A={"hand": hand, "deck": ["junk"], "stall": [["cookies"]] * 6})
    accept(game, "A", "stall", cards=["winter_is_coming", "empty_chest"])
    verdict = accept(game, "A", "stall", cards=["acorn", "acorn"])
    assert verdict.events[-1].to_json() == {"type": "win", "seat": "A", "stacks": {"A": 8, "B": 0}}
    assert (game.over, game.winner, game.decision) == (True, "A", None)
    assert len(game.legal) == 0
    assert codes(game, "A", "inventory", cards=[]) == ["game_over"]
    assert codes(game, "B", "inventory", cards=[]) == ["game_over"]


@pytest.mark.rules("R-STL-10")
@pytest.mark.parametrize(
    ("adjust", "expected"),
    [
        ("reflection#1", ""),
        ("reflection", ""),
        ("reflection#2", "adjust_not_available"),
        ("reflection#3", "adjust_not_available"),
        ("junk", "adjust_not_available"),
        ("reflection#1 reflection#1", "duplicate_card"),
        ("reflection#x", "unknown_card"),
        ("magnet", "unknown_card"),
    ],
)
def test_an_adjustment_is_of_the_copy_it_names(
    position: Callable[..., Game], codes: Callable[..., list[str]], adjust: str, expected: str
) -> None:
    """The first Reflection copies an Accordion, the second one Cookies: 5 + 2 + 2 - 1 is 8."""
    game = position(
        players=3,
        sets="macaws pandas squirrels chameleons",
        A={"hand": ["reflection", "reflection", "empty_chest", "junk"], "stall": [["swift_broker"]] * 7},
        B={"discard": ["accordion"]},
        C={"discard": ["cookies"]},
    )
    arguments = {
        "cards": ["reflection#1", "reflection#2", "empty_chest"],
        "copies": [
            {"card": "reflection#1", "targets": ["discard_B:accordion"]},
            {"card": "reflection#2", "targets": ["discard_C:cookies"]},
        ],
        "adjust": [{"card": card, "by": -1} for card in adjust.split()],
    }
    assert codes(game, "A", "stall", **arguments) == expected.split()


def test_an_unknown_card_in_an_adjustment_is_found_beside_a_missing_one(
    position: Callable[..., Game], codes: Callable[..., list[str]]
) -> None:
    game = position(A={"hand": ["junk"]})
    adjust = [{"card": "magnet", "by": 1}]
    assert codes(game, "A", "stall", cards=["cookies"], adjust=adjust) == ["unknown_card", "card_not_in_hand"]


def test_two_discarded_copies_of_one_name_are_listed_once_whichever_is_which(position: Callable[..., Game]) -> None:
    """Contract section 1: which of alike copies is used makes no other action."""
    pile = ["flexible_shopkeeper", "spyglass", "flexible_shopkeeper"]
    game = position(
        sets="macaws squirrels chameleons",
        A={
            "hand": ["nostalgic_item", "nostalgic_item"],
            "discard": pile,
            "stall": [["junk"]] * 6 + [["stashing_vendor", "swift_broker"]],
        },
    )
    listed: Any = [game.proposal(action) for action in game.legal]
    copies = [one["arguments"]["copies"] for one in listed if one["tool"] == "stall"]
    assert [[entry["targets"] for entry in entries] for entries in copies] == [
        [["stall:stashing_vendor"], ["stall:stashing_vendor"]],
        [["stall:stashing_vendor"], ["stall:swift_broker"]],
        [["stall:swift_broker"], ["stall:swift_broker"]],
    ]


@pytest.mark.parametrize("pile", [["bold_haggler", "nostalgic_item"], ["nostalgic_item", "bold_haggler"]])
def test_a_discarded_item_makes_room_wherever_it_lies(position: Callable[..., Game], pile: list[str]) -> None:
    """SQU3-1: 3 + 3 + 1 is 7, with one item of the hand and one that is itself included."""
    own = {"hand": ["nostalgic_item"], "discard": pile, "stall": [["acorn"]] * 6}
    game = position(sets="macaws squirrels ocelots", A=own)
    listed: Any = [game.proposal(action) for action in game.legal]
    stacks = [one["arguments"]["from_discard"] for one in listed if one["tool"] == "stall"]
    assert stacks == [pile]


def test_alike_discarded_cards_that_do_not_lie_together_are_listed_once(position: Callable[..., Game]) -> None:
    own = {"hand": ["nostalgic_item"] * 2, "discard": ["junk", "stashing_vendor", "junk"], "stall": [["acorn"]] * 7}
    game = position(sets="macaws squirrels ocelots", A=own)
    listed: Any = [game.proposal(action) for action in game.legal]
    stacks = [one["arguments"]["from_discard"] for one in listed if one["tool"] == "stall"]
    assert stacks == [["junk", "junk"], ["junk", "stashing_vendor"]]
