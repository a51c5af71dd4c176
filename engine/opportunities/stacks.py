"""Illegal examples of group F: stacks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.opportunities.spot import Call, Spot
from engine.stacks import Piece, next_stack
from engine.tables import ACCORDION, NOSTALGIC_ITEM, SLUGS
from engine.types import JSON, JUNK, KIND_MASK
from engine.values import set_of


def empty(spot: Spot) -> Iterator[Call]:
    """`stack_empty`."""
    if "stall" in spot.tools:
        yield spot.stall([])


def _singles(spot: Spot) -> Iterator[Call]:
    for piece in [*spot.in_hand, *spot.in_pile]:
        yield _build(spot, piece)


def ahead(spot: Spot) -> Iterator[Call]:
    """`stack_out_of_order`: a stack beyond the next one."""
    if "stall" in spot.tools:
        number = next_stack(spot.g, spot.seat)
        for tool, arguments in _singles(spot):
            for beyond in (1, 2):
                yield tool, {**arguments, "stack": number + beyond}


def again(spot: Spot) -> Iterator[Call]:
    """`stack_sealed`: a stack that is built already."""
    if "stall" in spot.tools:
        for tool, arguments in _singles(spot):
            for number in range(next_stack(spot.g, spot.seat) - 1, 0, -1):
                yield tool, {**arguments, "stack": number}


def with_junk(spot: Spot) -> Iterator[Call]:
    """`stack_contains_junk`: junk, or what is built as junk, with any card or alone."""
    if "stall" in spot.tools:
        for piece in spot.in_hand:
            if piece.identity.kind == JUNK:
                yield spot.stall([piece])
                for other in spot.in_hand:
                    if other.card != piece.card:
                        yield spot.stall([other, piece])


def mixed(spot: Spot) -> Iterator[Call]:
    """`stack_mixed_sets`: two cards of different sets."""
    if "stall" in spot.tools:
        for one, other in combinations(_animalfolk(spot), 2):
            if one.card != other.card and set_of(spot.g, one.identity.kind) != set_of(spot.g, other.identity.kind):
                yield spot.stall([one, other])


def _animalfolk(spot: Spot) -> list[Piece]:
    return [piece for piece in spot.in_hand if piece.identity.kind != JUNK]


def wrong_total(spot: Spot) -> Iterator[Call]:
    """`stack_wrong_total`: single cards, an Accordion adjusted in vain, and pairs.

    More is not needed: if every single card has the right value, any two that may lie together have not.
    """
    if "stall" not in spot.tools:
        return
    pieces = [*_animalfolk(spot), *spot.in_pile]
    for piece in pieces:
        yield _build(spot, piece)
        if piece.identity.kind == ACCORDION:
            for by in (1, 0):  # one of them is wrong for every number
                adjust: list[JSON] = [{"card": SLUGS[piece.card & KIND_MASK], "by": by}]
                yield _build(spot, piece, adjust=adjust)
    for one, other in combinations([*spot.in_hand, *spot.in_pile], 2):
        if one.card != other.card:
            yield _build(spot, one, other)


def _build(spot: Spot, *pieces: Piece, **more: JSON) -> Call:
    """A stack of these pieces, wherever they lie."""
    hand = spot.hand
    built = [piece for piece in pieces if piece.card in hand]
    return spot.stall(built, [piece for piece in pieces if piece.card not in hand], **more)


def discarded(spot: Spot) -> Iterator[Call]:
    """`discard_inclusion_not_allowed`: discarded cards, the total right or untold."""
    if "stall" in spot.tools:
        for piece in spot.in_pile:
            for other in _animalfolk(spot):
                yield _build(spot, other, piece)
            yield _build(spot, piece)
        for piece in spot.in_pile:
            yield _build(spot, piece, adjust=_in_vain(piece))


def too_many_discarded(spot: Spot) -> Iterator[Call]:
    """`discard_inclusion_limit`: two discarded cards with one Nostalgic Item, the total right or untold."""
    if "stall" not in spot.tools:
        return
    pile = [piece for piece in spot.in_pile if piece.identity.kind != NOSTALGIC_ITEM]
    pairs = [(one, other) for one, other in combinations(pile, 2) if one.card != other.card]
    for item in spot.in_hand:
        if item.identity.kind == NOSTALGIC_ITEM:
            for one, other in pairs:
                yield _build(spot, item, one, other)
            for one, other in pairs[:1]:
                yield _build(spot, item, one, other, adjust=_in_vain(item))


def _in_vain(piece: Piece) -> list[JSON]:
    """An adjustment that is not available, so that the total cannot be told (R-ERR-04, R-ERR-05)."""
    return [{"card": SLUGS[piece.card & KIND_MASK], "by": 2}]


def no_accordion(spot: Spot) -> Iterator[Call]:
    """`adjust_not_available`: a card that is no Accordion, or an Accordion by more than one (SQU5A-1)."""
    if "stall" in spot.tools:
        for piece in _animalfolk(spot):
            for by in (1, -1, 2):
                adjust: list[JSON] = [{"card": SLUGS[piece.card & KIND_MASK], "by": by}]
                yield spot.stall([piece], adjust=adjust)
