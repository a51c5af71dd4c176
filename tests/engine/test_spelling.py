"""The canonical form of an accepted proposal, read again, is the very same action: `#n` over alike copies (contract 2).

Of alike copies it is named which one is meant only where the bare slug would mean another.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from stating import Position

from engine import Game


def canonical(game: Game, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The canonical arguments of a legal proposal; read in the same position they are the same action."""
    assert game.decision is not None
    other = game.clone()
    verdict = game.propose(game.decision.seat, tool, arguments)
    assert verdict.accepted, verdict.violations
    proposal: Any = json.loads(json.dumps(verdict.proposal))
    again = other.propose(other.decision.seat if other.decision else "", tool, proposal["arguments"])
    assert (again.action, again.proposal) == (verdict.action, proposal)
    assert other.digest() == game.digest()
    written: dict[str, Any] = proposal["arguments"]
    return written


@pytest.mark.parametrize(
    ("named", "written"),
    [
        (["junk#2", "cookies"], ["junk#2", "cookies"]),
        (["junk#1", "cookies"], ["junk", "cookies"]),
        (["junk#1", "junk#2"], ["junk", "junk"]),
        (["junk#2", "junk#1"], ["junk#2", "junk#1"]),
        (["junk", "junk#1"], ["junk#2", "junk#1"]),
        (["junk#3", "junk"], ["junk#3", "junk#1"]),
        (["junk#3", "junk", "junk"], ["junk#3", "junk#1", "junk#2"]),
    ],
)
def test_lists_of_hand_cards(position: Position, named: list[str], written: list[str]) -> None:
    game = position(A={"hand": ["junk", "cookies", "junk", "junk"]})
    assert canonical(game, "inventory", {"cards": named}) == {"cards": written}


def test_a_payment_and_what_is_thrown_away_of_it(position: Position) -> None:
    game = position(market=["essential_purchase", *[None] * 4], A={"hand": ["junk", "junk", "junk"]})
    arguments = {"source": "slot_0", "payment": ["junk#1", "junk#3", "junk#2"], "throw_away": ["junk#2"]}
    assert canonical(game.clone(), "market", arguments) == arguments
    arguments["throw_away"] = ["junk#1", "junk#3"]
    assert canonical(game.clone(), "market", arguments) == {**arguments, "throw_away": ["junk", "junk"]}
    arguments["throw_away"] = ["junk", "junk#1"]
    assert canonical(game, "market", arguments) == {**arguments, "throw_away": ["junk#3", "junk#1"]}


def test_a_stack_and_the_discarded_cards_in_it(position: Position) -> None:
    game = position(
        sets="macaws squirrels ocelots",
        A={
            "hand": ["nostalgic_item", "nostalgic_item", "stashing_vendor"],
            "discard": ["junk", "junk", "junk"],
            "stall": [["swift_broker"]] * 7,
        },
    )
    hand = ["nostalgic_item#2", "nostalgic_item#1"]
    for named, written in {("junk#2", "junk#1"): ["junk#2", "junk#1"], ("junk#1", "junk#2"): ["junk", "junk"]}.items():
        found = canonical(game.clone(), "stall", {"cards": hand, "from_discard": [*named]})
        assert found == {"cards": hand, "from_discard": written}


@pytest.mark.parametrize(
    ("named", "written"),
    [
        (["accordion#1", "accordion#2"], ["accordion", "accordion"]),
        (["accordion#2", "accordion#1"], ["accordion#2", "accordion#1"]),
        (["accordion", "accordion#1"], ["accordion#2", "accordion#1"]),
    ],
)
def test_the_accordion_that_is_adjusted(position: Position, named: list[str], written: list[str]) -> None:
    """Twice 5, each less 1, is 8."""
    hand = ["accordion", "accordion"]
    game = position(sets="macaws squirrels ocelots", A={"hand": hand, "stall": [["swift_broker"]] * 7})
    found = canonical(game, "stall", {"cards": hand, "adjust": [{"card": card, "by": -1} for card in named]})
    assert found == {"cards": hand, "adjust": [{"card": card, "by": -1} for card in written]}


def test_an_accordion_of_the_discard_pile_is_counted_there(position: Position) -> None:
    game = position(
        sets="macaws squirrels ocelots",
        A={"hand": ["accordion", "nostalgic_item"], "discard": ["accordion"] * 2, "stall": [["swift_broker"]] * 6},
    )
    cards = {"cards": ["nostalgic_item"], "from_discard": ["accordion#2"]}
    found = canonical(game.clone(), "stall", {**cards, "adjust": [{"card": "accordion#2", "by": -1}]})
    assert found == {**cards, "adjust": [{"card": "accordion", "by": -1}]}
    refused = game.judge("A", "stall", {**cards, "adjust": [{"card": "accordion#1", "by": -1}]})
    assert [one.code for one in refused] == ["adjust_not_available"]


def test_the_technique_played_and_the_card_chosen_for_it(position: Position) -> None:
    game = position(A={"hand": ["shattered_relic", "shattered_relic", "shattered_relic", "junk"]})
    for card, chosen, written in [
        ("shattered_relic#1", "shattered_relic#2", ("shattered_relic", "shattered_relic")),
        ("shattered_relic#2", "shattered_relic#1", ("shattered_relic#2", "shattered_relic")),
        ("shattered_relic", "shattered_relic#1", ("shattered_relic#2", "shattered_relic")),
        ("shattered_relic#3", "shattered_relic#2", ("shattered_relic#3", "shattered_relic#2")),
        ("shattered_relic#2", "junk", ("shattered_relic#2", "junk")),
    ]:
        found = canonical(game.clone(), "technique", {"card": card, "choices": {"cards": [chosen]}})
        assert (found["card"], *found["choices"]["cards"]) == written


def test_the_order_in_which_a_hand_is_discarded(position: Position) -> None:
    game = position(A={"hand": ["junk", "swift_broker", "junk", "swift_broker"], "deck": ["junk"] * 6})
    orders = {
        ("junk#2", "junk#1", "swift_broker#2"): ["junk#2", "junk#1", "swift_broker"],
        ("swift_broker#2", "junk#1", "junk#2"): ["swift_broker", "junk", "junk"],
    }
    for order, written in orders.items():
        found = canonical(game.clone(), "technique", {"card": "swift_broker#1", "choices": {"cards": [*order]}})
        assert found["choices"]["cards"] == written


def test_the_ability_used_is_that_of_the_copy_named(position: Position) -> None:
    game = position(sets="ocelots macaws pandas", A={"hand": ["bold_haggler", "bold_haggler"]}, random=[{"die": 3}])
    assert canonical(game, "ability", {"card": "bold_haggler#2"}) == {"card": "bold_haggler#2"}
    assert canonical(game, "ability", {"card": "bold_haggler"}) == {"card": "bold_haggler#1"}


def test_cards_looked_at_and_their_order(position: Position) -> None:
    game = position(A={"hand": ["spyglass"], "deck": ["junk", "cookies", "junk"]})
    assert game.propose("A", "technique", {"card": "spyglass"}).accepted
    taken = game.clone()
    assert canonical(taken, "choose", {"choices": {"cards": ["junk#2"]}}) == {"choices": {"cards": ["junk#2"]}}
    assert game.propose("A", "choose", {"choices": {"cards": ["cookies"]}}).accepted
    assert game.decision is None or game.decision.kind != "effect_choice"


def test_the_copy_of_a_card_in_a_stack(position: Position) -> None:
    stall = [["swift_broker"], ["stashing_vendor", "junk", "junk"]]
    game = position(sets="macaws squirrels pandas", A={"hand": ["acorn", "junk"]}, B={"stall": stall})
    for card, written in {"junk#2": "junk#2", "junk#1": "junk"}.items():
        choices = {"stack": {"seat": "B", "number": 2, "card": card}}
        found = canonical(game.clone(), "technique", {"card": "acorn", "choices": choices})
        assert found["choices"]["stack"] == {"seat": "B", "number": 2, "card": written}


@pytest.mark.parametrize(
    ("card", "target", "written"),
    [
        ("trendsetting", "market:bold_haggler#2", "market:bold_haggler#2"),
        ("trendsetting", "market:bold_haggler#1", "market:bold_haggler"),
        ("seeing_doubles", "hand:bold_haggler#2", "hand:bold_haggler#2"),
        ("flexible_shopkeeper", "stall:bold_haggler#2", "stall:bold_haggler#2"),
    ],
)
def test_the_target_a_chameleon_stays_a_copy_of(position: Position, card: str, target: str, written: str) -> None:
    game = position(
        sets="macaws ocelots chameleons",
        market=["bold_haggler", None, "bold_haggler", "cookies", None],
        A={
            "hand": [card, "bold_haggler", "bold_haggler", "junk"],
            "stall": [["bold_haggler", "cookies", "bold_haggler"]],
        },
        random=[{"die": 3}],
    )
    found = canonical(game, "ability", {"card": card, "copies": [{"card": card, "targets": [target]}]})
    assert found == {"card": card, "copies": [{"card": card, "targets": [written]}]}


def test_a_chameleon_played_as_blindfold_and_another_as_its_secret_card(position: Position) -> None:
    game = position(
        players=3,
        sets="macaws pandas ocelots chameleons",
        A={"hand": ["reflection", "reflection", "reflection"]},
        B={"discard": ["spyglass"], "hand": ["junk"]},
        C={"discard": ["blindfold"]},
    )
    copies = [
        {"card": "reflection#3", "targets": ["discard_C:blindfold"]},
        {"card": "reflection#2", "targets": ["discard_B:spyglass"]},
    ]
    choices = {"cards": ["reflection#2"], "opponents": ["B"]}
    found = canonical(game, "technique", {"card": "reflection#3", "choices": choices, "copies": copies})
    assert (found["card"], found["choices"]) == ("reflection#3", choices)
