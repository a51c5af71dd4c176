"""What is a failure of form and what a broken rule does not depend on the level (contract section 4).

The same move is stated in the tools of L1 and of L2; both must come to the same class, codes and repairs.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from engine import FormatFault, Game, form_of
from harness.providers.normalise import Failure, normalise
from harness.providers.types import RawCall, Reply, ToolSpec

GAME = Game.from_position(
    {
        "players": 2,
        "sets": ["macaws", "pandas", "raccoons"],
        "seed": 1,
        "state": {
            "market": ["spyglass", "cookies", "nuisance", None, "flashy_show"],
            "A": {"hand": ["shattered_relic", "junk", "prepaid_good", "nuisance", "junk"]},
            "B": {"hand": ["junk"]},
        },
    }
)


def outcome(level: str, name: str, raw: Any) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """The class of an attempt, its codes and its repairs."""
    tools = [ToolSpec(str(one["name"]), "", one["parameters"]) for one in GAME.tools(level)]  # type: ignore[arg-type]
    found = normalise(Reply((RawCall(name, raw),)), tools, form=partial(form_of, 2, level))
    if isinstance(found, Failure):
        return found.kind, (str(found.code),), ()
    try:
        tool, arguments = GAME.translate(level, found.name, found.arguments)
    except FormatFault as fault:
        return "format", (fault.code,), found.repairs
    verdict = GAME.clone().propose("A", tool, arguments)
    return ("accepted" if verdict.accepted else "rule"), tuple(one.code for one in verdict.violations), found.repairs


SLOTS_AND_SEATS = {"slots": ["slot_0"], "opponents": ["B"]}


@pytest.mark.parametrize(
    ("guided", "stated", "plain", "same", "expected"),
    [
        # tools that are not offered now
        ("end_turn", "", "end_turn", "", ("rule", "pass_not_allowed")),
        ("end_turn", None, "end_turn", None, ("rule", "pass_not_allowed")),
        ("end_turn", {"reason": "x"}, "end_turn", {"reason": "x"}, ("rule", "pass_not_allowed")),
        ("technique_spyglass", "", "technique", {"card": "spyglass"}, ("rule", "card_not_in_hand")),
        ("technique_junk", {"why": "x"}, "technique", {"card": "junk", "why": "x"}, ("rule", "not_a_technique")),
        # an offered tool without the choice it needs
        ("technique_shattered_relic", {}, "technique", {"card": "shattered_relic"},
         ("rule", "missing_required_choice")),
        # what was stated is judged, though the tool offered no such field
        ("technique_prepaid_good", SLOTS_AND_SEATS, "technique", {"card": "prepaid_good", "choices": SLOTS_AND_SEATS},
         ("rule", "superfluous_choice")),
        ("market", {"source": "slot_1", "payment": ["shattered_relic"], "throw_away": ["junk"]},
         "market", {"source": "slot_1", "payment": ["shattered_relic"], "throw_away": ["junk"]},
         ("rule", "throw_away_not_paid")),
        ("stall", {"cards": ["shattered_relic"], "stack": 3}, "stall", {"cards": ["shattered_relic"], "stack": 3},
         ("rule", "stack_out_of_order")),
        # fixed words are eased, names of cards are not
        ("market", {"source": " SLOT_1", "payment": ["nuisance"]}, "market",
         {"source": " SLOT_1", "payment": ["nuisance"]}, ("rule", "insufficient_payment")),
        ("inventory", {"cards": ["Junk"]}, "inventory", {"cards": ["Junk"]}, ("rule", "unknown_card")),
        ("inventory", {"cards": [" junk"]}, "inventory", {"cards": [" junk"]}, ("rule", "unknown_card")),
        # structure and types
        ("inventory", {}, "inventory", {}, ("format", "malformed_arguments")),
        ("technique_nuisance", {"opponents": 2}, "technique", {"card": "nuisance", "choices": {"opponents": 2}},
         ("format", "malformed_arguments")),
        ("technique_nuisance", {"value": "2"}, "technique", {"card": "nuisance", "choices": {"value": "2"}},
         ("rule", "superfluous_choice")),
    ],
)  # fmt: skip
def test_a_move_is_read_alike_at_l1_and_at_l2(
    guided: str, stated: Any, plain: str, same: Any, expected: tuple[str, str]
) -> None:
    found = outcome("L1", guided, stated)
    assert found == outcome("L2", plain, same)
    assert found[0] == expected[0]
    assert expected[1] in found[1]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("technique_shattered_relic", {"card": "nuisance", "cards": ["junk"]}),
        ("technique_shattered_relic", {"choices": {"cards": ["junk"]}}),
        ("choose", {"choices": {"value": 2}}),
    ],
)
def test_a_flat_tool_that_is_told_two_things_plays_neither(name: str, arguments: Any) -> None:
    assert outcome("L1", name, arguments)[:2] == ("format", ("malformed_arguments",))


def test_every_field_a_level_offers_is_a_field_of_its_form() -> None:
    for level in ("L1", "L2"):
        for tool in GAME.tools(level):
            form = form_of(2, level, str(tool["name"]))
            assert form is not None
            assert set(tool["parameters"]["properties"]) <= set(form["properties"])  # type: ignore[index,arg-type,call-overload]


@pytest.mark.parametrize("level", ["L0", "L1", "L2"])
def test_an_unknown_tool_has_no_form(level: str) -> None:
    assert form_of(2, level, "fly") is None
    assert (form_of(2, level, "technique_charm") is None) == (level != "L1")
