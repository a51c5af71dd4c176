"""Illegal examples of group A: answering when another seat decides, or with a tool that does not answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.opportunities.spot import Call, Spot
from engine.tables import SLUGS
from engine.types import JSON, JUNK, TOOLS

NO_ANSWERS: Final = ("skip", "end_turn")
"""The tools that end something instead of doing something."""


def plain_call(tool: str, card: str) -> Call:
    """The shortest readable call of a tool."""
    empty: dict[str, dict[str, JSON]] = {
        "market": {"source": "slot_0", "payment": []},
        "technique": {"card": card},
        "stall": {"cards": []},
        "inventory": {"cards": []},
        "ability": {"card": card},
        "choose": {"choices": {}},
    }
    return tool, empty.get(tool, {})


def other_answers(spot: Spot) -> Iterator[Call]:
    """`wrong_decision_type`: a tool that answers another kind of decision."""
    card = spot.names[spot.hand[0]] if spot.hand else SLUGS[JUNK]
    for tool in TOOLS:
        if tool not in spot.tools and tool not in NO_ANSWERS:
            yield plain_call(tool, card)


def endings(spot: Spot) -> Iterator[Call]:
    """`pass_not_allowed` and `end_turn_not_available`: skip or end_turn where it is not an answer."""
    for tool in NO_ANSWERS:
        if tool not in spot.tools:
            yield plain_call(tool, "")


def out_of_turn() -> Iterator[Call]:
    """`not_your_decision` and, from the seat whose turn has just ended, `second_action_without_bonus` (R-ERR-05)."""
    for tool in reversed(TOOLS):
        yield plain_call(tool, SLUGS[JUNK])
