"""The names in `copies`: which card an entry is for, and what is blamed where it is for none (contract section 2)."""

from __future__ import annotations

from typing import Any

import pytest
from stating import Accept, Codes, Position, copy

SETS = "macaws ocelots chameleons"


def test_entries_for_two_copies_of_one_name(position: Position, codes: Codes) -> None:
    """Contract section 2: a bare slug means the first copy that is not named elsewhere, in `copies` too."""
    game = position(
        players=3,
        sets="macaws pandas ocelots chameleons",
        market=[None, "cookies", None, None, None],
        A={"hand": ["reflection", "reflection"]},
        B={"discard": ["swift_broker"]},
        C={"discard": ["cookies"]},
    )
    first = copy("reflection#1", "discard_B:swift_broker")
    second = copy("reflection", "discard_C:cookies")
    for copies in (first + second, second + first):
        payment = ["reflection", "reflection"]
        assert codes(game, "A", "market", source="slot_1", payment=payment, copies=copies) == []


@pytest.mark.rules("R-ERR-01", "R-CMP-05")
@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        (copy("magnet", "market:spyglass"), ["unknown_card", "copy_target_missing"]),
        (copy("trendsetting#x", "market:spyglass"), ["unknown_card", "copy_target_missing"]),
        (copy("trendsetting#0", "market:spyglass"), ["unknown_card", "copy_target_missing"]),
        (copy("trendsetting#2", "market:spyglass"), ["copy_target_missing", "copy_not_possible"]),
        (copy("trendsetting", "market:magnet"), ["unknown_card"]),
        (copy("trendsetting", "market:spyglass#x"), ["unknown_card"]),
        (copy("trendsetting", "spyglass"), ["copy_target_invalid"]),
        (copy("trendsetting#1", "market:spyglass") * 2, ["duplicate_card"]),
        (copy("trendsetting#1", "market:spyglass"), []),
    ],
)
def test_names_in_copies_are_read_the_same_for_every_tool(
    position: Position, codes: Codes, entries: list[dict[str, Any]], expected: list[str]
) -> None:
    market = ["spyglass", "cookies", None, None, None]
    hand = ["trendsetting"]
    game = position(sets=SETS, market=market, A={"hand": hand, "stall": [["junk"]] * 3})
    assert codes(game, "A", "technique", card="trendsetting", copies=entries) == expected
    assert codes(game, "A", "market", source="slot_0", payment=hand, copies=entries) == expected
    assert codes(game, "A", "stall", cards=hand, copies=entries) == expected
    ability = codes(game, "A", "ability", card="trendsetting", copies=entries)
    assert [code for code in ability if code != "no_ability"] == expected


@pytest.mark.rules("R-ERR-04")
@pytest.mark.parametrize(("tool", "field"), [("market", "payment"), ("stall", "cards")])
def test_copies_are_not_called_needless_while_a_card_of_the_proposal_is_unknown(
    position: Position, codes: Codes, tool: str, field: str
) -> None:
    game = position(
        sets="macaws pandas chameleons", market=["cookies"] + [None] * 4, A={"hand": ["trendsetting", "junk"]}
    )
    source = {"source": "slot_0"} if tool == "market" else {}
    stated = copy("trendsetting", "market:cookies")
    assert codes(game, "A", tool, **source, **{field: ["magnet", "junk"]}, copies=stated)[0] == "unknown_card"
    assert "copy_not_possible" not in codes(game, "A", tool, **source, **{field: ["magnet"]}, copies=stated)
    assert "copy_not_possible" in codes(game, "A", tool, **source, **{field: ["junk"]}, copies=stated)


def test_names_in_copies_are_read_where_the_card_used_is_none(position: Position, codes: Codes) -> None:
    game = position(sets=SETS, A={"hand": ["junk"]})
    unknown = copy("magnet", "market:spyglass")
    assert codes(game, "A", "technique", card="junk", copies=unknown) == ["unknown_card", "not_a_technique"]
    for tool in ("technique", "ability"):
        assert codes(game, "A", tool, card="charm", copies=unknown) == ["unknown_card", "card_not_in_hand"]


@pytest.mark.rules("R-ERR-04")
def test_a_copy_that_may_be_the_secret_cards_is_not_blamed(position: Position, codes: Codes) -> None:
    hand = ["blindfold", "reflection", "junk"]
    game = position(sets=SETS, A={"hand": hand}, B={"discard": ["cookies"]}, market=["cookies"] + [None] * 4)
    secret = copy("reflection", "discard_B:cookies")

    def refused(cards: list[str], copies: list[dict[str, Any]]) -> list[str]:
        return codes(game, "A", "technique", card="blindfold", choices={"cards": cards}, copies=copies)

    assert refused(["reflection"], secret) == []
    assert refused(["magnet"], secret) == ["unknown_card"]
    assert refused(["junk"], secret) == ["copy_not_possible"]
    assert refused(["magnet"], copy("junk", "market:cookies")) == ["unknown_card", "copy_not_possible"]


@pytest.mark.rules("R-CPC-08")
def test_a_lock_is_repeated_by_naming_the_very_card(position: Position, accept: Accept, codes: Codes) -> None:
    game = position(
        sets=SETS,
        market=["cookies", None, None, None, None],
        random=[{"die": 3}, {"die": 2}],
        A={"hand": ["bold_haggler", "bold_haggler", "seeing_doubles"]},
    )
    accept(game, "A", "ability", card="bold_haggler#1")
    accept(game, "A", "ability", card="seeing_doubles", copies=copy("seeing_doubles", "hand:bold_haggler#2"))
    for target, expected in (("bold_haggler#2", []), ("bold_haggler", ["copy_not_possible"])):
        copies = copy("seeing_doubles", f"hand:{target}")
        refused = codes(game, "A", "market", source="slot_0", payment=["seeing_doubles"], copies=copies)
        assert refused == expected
