"""Effective values: everything in force folded in the order it happened (rules.md 10)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from stating import Accept, Position

from engine import Game

SETS = "macaws pandas ocelots"


def values(game: Game, seat: str = "A") -> dict[str, int]:
    """The values a seat is shown of its hand."""
    hand: Any = game.observe(seat)["hand"]
    return {card["card"]: card["value"] for card in hand}


def blindfold(game: Game, accept: Accept, card: str, value: int) -> None:
    """Set a card to a value by a Blindfold that B guesses wrong."""
    accept(game, "A", "technique", card="blindfold", choices={"cards": [card]})
    accept(game, "B", "choose", choices={"value": 20})
    accept(game, "A", "choose", choices={"value": value})


def test_a_die_is_added_to_the_printed_value(position: Position, accept: Accept) -> None:
    game = position(sets=SETS, A={"hand": ["bold_haggler", "junk"]}, random=[{"die": 3}])
    accept(game, "A", "ability", card="bold_haggler")
    assert values(game) == {"bold_haggler": 4, "junk": 1}


def test_shows_add_up_and_raise_junk_too(position: Position, accept: Accept) -> None:
    """EX-VAL-01: two Flashy Shows."""
    game = position(sets=SETS, A={"hand": ["flashy_show", "flashy_show", "junk", "spyglass"]})
    for _ in range(2):
        accept(game, "A", "technique", card="flashy_show")
    assert values(game) == {"junk": 3, "spyglass": 6}


def test_setting_overrides_what_came_before_and_additions_count_on_top(position: Position, accept: Accept) -> None:
    """EX-VAL-02 and EX-VAL-03."""
    hand = ["blindfold", "flashy_show", "cookies", "junk"]
    first = position(sets=SETS, A={"hand": hand})
    blindfold(first, accept, "cookies", 5)
    accept(first, "A", "technique", card="flashy_show")
    assert values(first) == {"cookies": 6, "junk": 2}
    second = position(sets=SETS, A={"hand": hand})
    accept(second, "A", "technique", card="flashy_show")
    blindfold(second, accept, "cookies", 5)
    assert values(second) == {"cookies": 5, "junk": 2}


def test_a_roll_after_a_set_value_counts_on_top(position: Position, accept: Accept) -> None:
    game = position(sets=SETS, A={"hand": ["blindfold", "bold_haggler"]}, random=[{"die": 2}])
    blindfold(game, accept, "bold_haggler", 3)
    accept(game, "A", "ability", card="bold_haggler")
    assert values(game) == {"bold_haggler": 5}


def test_a_card_that_leaves_the_hand_and_comes_back_is_as_printed(
    position: Position, accept: Accept, codes: Callable[..., list[str]]
) -> None:
    """EX-VAL-04 and R-PAS-06: discarded and drawn again by Swift Broker, Bold Haggler may be rolled again."""
    game = position(sets=SETS, A={"hand": ["bold_haggler", "swift_broker"]}, random=[{"die": 2}, {"die": 1}])
    accept(game, "A", "ability", card="bold_haggler")
    assert values(game)["bold_haggler"] == 3
    assert codes(game, "A", "ability", card="bold_haggler") == ["ability_already_used"]
    accept(game, "A", "technique", card="swift_broker")
    assert values(game) == {"bold_haggler": 1}
    accept(game, "A", "ability", card="bold_haggler")
    assert values(game) == {"bold_haggler": 2}


def test_effects_for_this_turn_end_with_it(position: Position, accept: Accept) -> None:
    game = position(sets=SETS, A={"hand": ["flashy_show", "bold_haggler", "junk"]}, random=[{"die": 3}])
    accept(game, "A", "technique", card="flashy_show")
    accept(game, "A", "ability", card="bold_haggler")
    assert values(game) == {"bold_haggler": 5, "junk": 2}
    accept(game, "A", "inventory", cards=[])
    assert values(game) == {"bold_haggler": 1, "junk": 1, "flashy_show": 5}


def test_costs_are_printed_values_and_slots(position: Position, accept: Accept) -> None:
    """R-MKT-03: Flashy Show does not change them."""
    market = ["spyglass", "cookies", None, "shattered_relic", "blindfold"]
    game = position(sets=SETS, market=market, A={"hand": ["flashy_show", "junk", "junk"]})
    accept(game, "A", "technique", card="flashy_show")
    shown: Any = game.observe("A")["market"]
    assert [slot and slot["cost"] for slot in shown] == [4, 3, None, 6, 9]
    accept(game, "A", "market", source="slot_0", payment=["junk", "junk"])


@pytest.mark.parametrize(
    ("built", "shows", "revealed", "goes_to"),
    [
        (3, 0, "spyglass", "stall"),
        (3, 0, "cookies", "market_discard"),
        (3, 1, "shattered_relic", "stall"),
        (3, 1, "spyglass", "market_discard"),
        (2, 0, "cookies", "market_discard"),
    ],
)
def test_charm_counts_the_effective_value(
    position: Position, accept: Accept, built: int, shows: int, revealed: str, goes_to: str
) -> None:
    game = position(
        sets=SETS,
        market_deck=[revealed],
        A={"hand": ["charm"] + ["flashy_show"] * shows, "stall": [["swift_broker"]] * built},
    )
    for _ in range(shows):
        accept(game, "A", "technique", card="flashy_show")
    accept(game, "A", "technique", card="charm")
    zones = game.position()
    assert zones["A"]["stall"][built:] == ([[revealed]] if goes_to == "stall" else [])
    assert zones["market_discard"] == ([revealed] if goes_to == "market_discard" else [])
    assert game.decision is not None
    assert game.decision.bonus


@pytest.mark.parametrize(("built", "is_built"), [(3, True), (4, True), (5, True), (6, False)])
def test_charm_builds_an_accordion_as_four_five_or_six(
    position: Position, accept: Accept, built: int, is_built: bool
) -> None:
    game = position(
        sets="squirrels pandas ocelots",
        market_deck=["accordion"],
        A={"hand": ["charm"], "stall": [["stashing_vendor"]] * built},
    )
    accept(game, "A", "technique", card="charm")
    assert game.stacks["A"] == built + is_built


def test_copies_of_unlike_value_are_told_apart(position: Position, accept: Accept) -> None:
    """Contract section 2: numbers in the order of the hand; a bare slug means the first not named elsewhere."""
    game = position(
        sets=SETS,
        market=["spyglass", None, None, None, None],
        A={"hand": ["bold_haggler", "junk", "bold_haggler"]},
        random=[{"die": 3}],
    )
    accept(game, "A", "ability", card="bold_haggler#2")
    assert values(game) == {"bold_haggler#1": 1, "junk": 1, "bold_haggler#2": 4}
    verdict = accept(game, "A", "market", source="slot_0", payment=["bold_haggler#2"])
    assert verdict.proposal == {"tool": "market", "arguments": {"source": "slot_0", "payment": ["bold_haggler#2"]}}


def shown(game: Game, card: str) -> dict[str, Any]:
    """What the active seat is shown of one of its hand cards."""
    hand: Any = game.observe("A")["hand"]
    return next(entry for entry in hand if entry["card"] == card)


def test_what_changed_a_value_is_shown_with_what_no_longer_counts(position: Position, accept: Accept) -> None:
    """R-VAL-02: whoever knows printed values alone can tell EX-VAL-02 from EX-VAL-03."""
    hand = ["blindfold", "flashy_show", "cookies", "junk"]
    first = position(sets=SETS, A={"hand": hand})
    blindfold(first, accept, "cookies", 5)
    accept(first, "A", "technique", card="flashy_show")
    assert shown(first, "cookies")["changes"] == [{"set": 5}]
    second = position(sets=SETS, A={"hand": hand})
    accept(second, "A", "technique", card="flashy_show")
    blindfold(second, accept, "cookies", 5)
    assert shown(second, "cookies")["changes"] == [{"set": 5, "overrides": 1}]


def test_a_copy_shows_the_value_that_came_with_it(position: Position, accept: Accept) -> None:
    """R-CPR-03: of two alike targets with different values."""
    sets, hand = "macaws ocelots chameleons", ["seeing_doubles", "bold_haggler", "bold_haggler"]
    for target, changes in ((1, [{"set": 4}]), (2, None)):
        game = position(edition="remastered", sets=sets, A={"hand": hand}, random=[{"die": 3}, {"die": 0}])
        for number in (1, 2):
            accept(game, "A", "ability", card=f"bold_haggler#{number}")
        accept(game, "A", "ability", card="seeing_doubles", choices={"cards": [f"bold_haggler#{target}"]})
        assert shown(game, "seeing_doubles").get("changes") == changes


def test_a_lock_shows_what_happened_to_its_target(position: Position, accept: Accept) -> None:
    """R-CPC-06: the value of the target counts as it is now, what the copy has rolled on top of it."""
    game = position(
        sets="macaws ocelots chameleons",
        A={"hand": ["seeing_doubles", "bold_haggler", "blindfold", "junk"]},
        random=[{"die": 3}],
    )
    copies = [{"card": "seeing_doubles", "targets": ["hand:bold_haggler"]}]
    accept(game, "A", "ability", card="seeing_doubles", copies=copies)
    blindfold(game, accept, "bold_haggler", 2)
    assert (shown(game, "bold_haggler")["value"], shown(game, "seeing_doubles")["value"]) == (2, 5)
    assert shown(game, "seeing_doubles")["changes"] == [{"set": 2}, {"add": 3}]
