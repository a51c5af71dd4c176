"""Names for the plain integers the engine computes with: cards, kinds, seats, zones, phases, tools.

A card is one int: its kind in the low eight bits, the number of the copy above them. A kind is the
index of a card name in the static tables; kind 0 is junk. Nothing here knows a rule.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Card: TypeAlias = int
Kind: TypeAlias = int
Seat: TypeAlias = int
JSON: TypeAlias = bool | int | str | list["JSON"] | dict[str, "JSON"] | None
Answer: TypeAlias = tuple[int, ...]
"""What was chosen for one question, as ints: cards, seats, slots, a number, or (seat, stack number, card)."""

KIND_BITS: Final = 8
KIND_MASK: Final = 255
EMPTY: Final[Card] = -1
"""An empty market slot."""
JUNK: Final[Kind] = 0

CLASSIC: Final = 0
REMASTERED: Final = 1
EDITIONS: Final = ("classic", "remastered")

STANDARD: Final = 0
TOURNAMENT: Final = 1
VARIANTS: Final = ("standard", "tournament")

SEATS: Final = "ABCD"
SLOTS: Final = 5
STACKS: Final = 8
HAND_LIMIT: Final = 5

# Zones: one flat list. The shared zones first, then four of every seat.
MARKET: Final = 0
MARKET_DECK: Final = 1
MARKET_DISCARD: Final = 2
JUNK_PILE: Final = 3
HAND: Final = 4
DECK: Final = 5
DISCARD: Final = 6
IN_PLAY: Final = 7
ZONES_PER_SEAT: Final = 4
MARKET_POOL: Final = -1
"""The owner of the market deck where owners are seats."""

# Phases of a turn.
ACTION: Final = 0
CLEAN_UP: Final = 1
END_OF_TURN: Final = 2
OVER: Final = 3

# Decision kinds (R-DEC-01).
DECISION_ACTION: Final = "action"
DECISION_BONUS_STACK: Final = "bonus_stack"
DECISION_EFFECT: Final = "effect_choice"
DECISION_END_OF_TURN: Final = "end_of_turn"

# Tools (contract, section 1).
MARKET_TOOL: Final = 0
TECHNIQUE_TOOL: Final = 1
STALL_TOOL: Final = 2
INVENTORY_TOOL: Final = 3
ABILITY_TOOL: Final = 4
CHOOSE_TOOL: Final = 5
SKIP_TOOL: Final = 6
END_TURN_TOOL: Final = 7
TOOLS: Final = ("market", "technique", "stall", "inventory", "ability", "choose", "skip", "end_turn")

FROM_MARKET_DISCARD: Final = 5
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
