"""Names for the plain integers the engine computes with: cards, kinds, seats, zones, phases, tools.

A card is one int: its kind in the low eight bits, the number of the copy above them. A kind is the
index of a card name in the static tables; kind 0 is junk. Nothing here knows a rule.
"""

from __future__ import annotations

from typing import TypeAlias

Card: TypeAlias = int
Kind: TypeAlias = int
Seat: TypeAlias = int
JSON: TypeAlias = bool | int | str | list["JSON"] | dict[str, "JSON"] | None
Answer: TypeAlias = tuple[int, ...]
"""What was chosen for one question, as ints: cards, seats, slots, a number, or (seat, stack number, card)."""

KIND_BITS = 8
KIND_MASK = 255
EMPTY: Card = -1
"""An empty market slot."""
JUNK: Kind = 0

CLASSIC = 0
REMASTERED = 1
EDITIONS = ("classic", "remastered")

STANDARD = 0
TOURNAMENT = 1
VARIANTS = ("standard", "tournament")

SEATS = "ABCD"
SLOTS = 5
STACKS = 8
HAND_LIMIT = 5

# Zones: one flat list. The shared zones first, then four of every seat.
MARKET = 0
MARKET_DECK = 1
MARKET_DISCARD = 2
JUNK_PILE = 3
HAND = 4
DECK = 5
DISCARD = 6
IN_PLAY = 7
ZONES_PER_SEAT = 4
MARKET_POOL = -1
"""The owner of the market deck where owners are seats."""

# Phases of a turn.
ACTION = 0
CLEAN_UP = 1
END_OF_TURN = 2
OVER = 3

# Decision kinds (R-DEC-01).
DECISION_ACTION = "action"
DECISION_BONUS_STACK = "bonus_stack"
DECISION_EFFECT = "effect_choice"
DECISION_END_OF_TURN = "end_of_turn"

# Tools (contract, section 1).
MARKET_TOOL = 0
TECHNIQUE_TOOL = 1
STALL_TOOL = 2
INVENTORY_TOOL = 3
ABILITY_TOOL = 4
CHOOSE_TOOL = 5
SKIP_TOOL = 6
END_TURN_TOOL = 7
TOOLS = ("market", "technique", "stall", "inventory", "ability", "choose", "skip", "end_turn")

FROM_MARKET_DISCARD = 5
"""The `source` of a purchase from the market discard; 0 to 4 are slots."""


def kind_of(card: Card) -> Kind:
    """The kind printed on a physical card."""
    return card & KIND_MASK


def make_card(kind: Kind, copy: int) -> Card:
    """The card of this kind with this copy number (0-based)."""
    return kind | copy << KIND_BITS


def hand_zone(seat: Seat) -> int:
    """Index of a seat's hand in `State.zones`."""
    return HAND + ZONES_PER_SEAT * seat


def discard_zone(seat: Seat) -> int:
    """Index of a seat's discard pile in `State.zones`; its last card is the top."""
    return DISCARD + ZONES_PER_SEAT * seat


def in_play_zone(seat: Seat) -> int:
    """Index of a seat's in-play area in `State.zones`."""
    return IN_PLAY + ZONES_PER_SEAT * seat
