"""Which cards make a legal stack: the exact test of R-STL-11, used by refusals, the legal list and Charm alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.state import State
from engine.tables import (
    ACCORDION,
    EMPTY_CHEST,
    NOSTALGIC_ITEM,
    STASHING_VENDOR,
    WINTER_IS_COMING,
)
from engine.types import JUNK, Card, Kind
from engine.values import Identity, set_of


class Piece(NamedTuple):
    """One card of a stack or payment together with what it counts as."""

    card: Card
    identity: Identity


new_piece: Final = tuple.__new__
"""Makes a piece from a pair; quicker than by its name."""

SPECIAL_KINDS: Final = frozenset((ACCORDION, EMPTY_CHEST, NOSTALGIC_ITEM, STASHING_VENDOR, WINTER_IS_COMING))
"""The passives that speak about building, singly or together (R-STL-10, R-PAS-03)."""


def next_stack(g: State, seat: int) -> int:
    """The number of the only stack a seat may build (R-STL-02)."""
    return len(g.stalls[seat]) + 1


def total_of(pieces: Iterable[Piece]) -> int:
    """Sum of effective values, each in full (R-VAL-07)."""
    return sum(piece.identity.value for piece in pieces)


Content = int
"""What the tests of R-STL-11 ask about the cards of a stack, packed into one int so that parts add up by `+`.

Eight bits each, from the lowest: sum of effective values, cards, junk cards from the hand, Stashing Vendors, Empty
Chests, Accordions, Nostalgic Items, Nostalgic Items from the hand, cards from the discard pile. Which sets the other
hand cards are of does not add up and is kept beside it as a mask.
"""
_CARDS: Final = 8
_JUNK: Final = 16
_VENDORS: Final = 24
_CHESTS: Final = 32
_ACCORDIONS: Final = 40
_ITEMS: Final = 48
_HAND_ITEMS: Final = 56
_PILE: Final = 64
_FIELD: Final = 255

A_JUNK_CARD: Final[Content] = 1 << _JUNK
ALL_SETS: Final = _FIELD

_SPECIALS: Final[dict[Kind, Content]] = {
    STASHING_VENDOR: 1 << _VENDORS,
    EMPTY_CHEST: 1 << _CHESTS,
    ACCORDION: 1 << _ACCORDIONS,
    NOSTALGIC_ITEM: 1 << _ITEMS,
}


def card_content(kind: Kind, value: int, from_hand: bool = True) -> Content:
    """The content of one card; a card from the discard pile is exempt from the tests on junk and sets (SQU3-2).

    Its passive counts like that of a hand card (SQU3-4).
    """
    content = value + (1 << _CARDS) + _SPECIALS.get(kind, 0)
    if not from_hand:
        return content + (1 << _PILE)
    if kind == JUNK:
        content += 1 << _JUNK
    elif kind == NOSTALGIC_ITEM:
        content += 1 << _HAND_ITEMS
    return content


def specials_in(content: Content) -> int:
    """Not 0 if a card speaks about building."""
    return content >> _VENDORS


def sum_in(content: Content) -> int:
    """Sum of effective values."""
    return content & _FIELD


def accordions_in(content: Content) -> int:
    """Number of Accordions, each adjusted by itself (SQU5A-2)."""
    return content >> _ACCORDIONS & _FIELD


def items_in(content: Content) -> int:
    """Number of Nostalgic Items, from hand and discard pile."""
    return content >> _ITEMS & _FIELD


def hand_items_in(content: Content) -> int:
    """Number of Nostalgic Items from the hand."""
    return content >> _HAND_ITEMS & _FIELD


def lacks_vendor(content: Content) -> bool:
    """Junk from the hand without a Stashing Vendor (R-STL-11, test 3; SQU1-1, SQU1-2)."""
    return bool(content >> _JUNK & _FIELD) and not content >> _VENDORS & _FIELD


def lacks_chest(content: Content, sets: int) -> bool:
    """Hand cards of several sets without an Empty Chest (R-STL-11, test 4; SQU2-1)."""
    return bool(sets & sets - 1) and not content >> _CHESTS & _FIELD


def lifts_tests(content: Content) -> int:
    """Number of Stashing Vendors and Empty Chests, which permit junk and mixed sets."""
    return (content >> _VENDORS & _FIELD) + (content >> _CHESTS & _FIELD)


def faults_of(content: Content, sets: int, number: int) -> list[str]:
    """The codes of the tests of R-STL-11 that a stack of this content fails as stack `number`.

    Any number of cards will do (R-STL-15). Accordions may be adjusted as it suits; a stated adjustment is tested by the
    caller.
    """
    if not content:
        return ["stack_empty"]
    faults = []
    if lacks_vendor(content):
        faults.append("stack_contains_junk")
    if lacks_chest(content, sets):
        faults.append("stack_mixed_sets")
    if abs(sum_in(content) - number) > accordions_in(content):
        faults.append("stack_wrong_total")
    pile = content >> _PILE
    if pile:
        if not hand_items_in(content):
            faults.append("discard_inclusion_not_allowed")
        elif pile > items_in(content):
            faults.append("discard_inclusion_limit")
    return faults


def set_mask(g: State, kind: Kind) -> int:
    """The mask of the set of a hand card; 0 for junk."""
    return 0 if kind == JUNK else 1 << set_of(g, kind)


def stack_faults(g: State, hand: list[Piece], pile: list[Piece], number: int) -> list[str]:
    """The tests of R-STL-11 for a stack of these hand and discard cards."""
    content = 0
    sets = 0
    for piece in hand:
        content += card_content(piece.identity.kind, piece.identity.value)
        sets |= set_mask(g, piece.identity.kind)
    for piece in pile:
        content += card_content(piece.identity.kind, piece.identity.value, from_hand=False)
    return faults_of(content, sets, number)


def fitting_adjustment(pieces: list[Piece], number: int) -> tuple[tuple[Card, int], ...]:
    """The adjustment of Accordions that makes a legal stack's total fit, the first Accordions first (SQU5A-1)."""
    missing = number - total_of(pieces)
    step = 1 if missing > 0 else -1
    accordions = [piece.card for piece in pieces if piece.identity.kind == ACCORDION]
    return tuple((card, step) for card in accordions[: abs(missing)])
