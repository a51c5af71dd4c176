"""Which cards make a legal stack: the exact test of R-STL-11, used by refusals, the legal list and Charm alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

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


SPECIAL_KINDS = frozenset((ACCORDION, EMPTY_CHEST, NOSTALGIC_ITEM, STASHING_VENDOR, WINTER_IS_COMING))
"""The passives that speak about building (R-STL-10)."""



def next_stack(g: State, seat: int) -> int:
    """The number of the only stack a seat may build (R-STL-02)."""
    return len(g.stalls[seat]) + 1


def total_of(pieces: Iterable[Piece]) -> int:
    """Sum of effective values."""
    return sum(piece.identity.value for piece in pieces)


def stack_faults(g: State, hand: list[Piece], pile: list[Piece], number: int) -> list[str]:
    """The codes of the tests of R-STL-11 that a stack of hand and discard cards fails, in the order of the list.

    Values may be adjusted by Accordions as it suits; a stated adjustment is checked by the caller.
    """
    if not hand and not pile:
        return ["stack_empty"]
    kinds_hand = [piece.identity.kind for piece in hand]
    kinds = kinds_hand + [piece.identity.kind for piece in pile]
    faults = []
    if JUNK in kinds_hand and STASHING_VENDOR not in kinds:
        faults.append("stack_contains_junk")
    sets = {set_of(g, kind) for kind in kinds_hand if kind != JUNK}
    if len(sets) > 1 and EMPTY_CHEST not in kinds:
        faults.append("stack_mixed_sets")
    if abs(total_of(hand) + total_of(pile) - number) > kinds.count(ACCORDION):
        faults.append("stack_wrong_total")
    if pile:
        if NOSTALGIC_ITEM not in kinds_hand:
            faults.append("discard_inclusion_not_allowed")
        elif len(pile) > kinds.count(NOSTALGIC_ITEM):
            faults.append("discard_inclusion_limit")
    return faults


def fitting_adjustment(pieces: list[Piece], number: int) -> tuple[tuple[Card, int], ...]:
    """The adjustment of Accordions that makes a legal stack's total fit, the first Accordions first (SQU5A-1)."""
    missing = number - total_of(pieces)
    step = 1 if missing > 0 else -1
    accordions = [piece.card for piece in pieces if piece.identity.kind == ACCORDION]
    return tuple((card, step) for card in accordions[: abs(missing)])
