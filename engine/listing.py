"""Listing payments and stacks of hands whose cards can be several things: chameleons and building passives.

Slow but rare; ordinary hands are listed from the tables of payments.py. Every candidate passes the same tests
as a proposal does.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from engine.actions import Action, Copy
from engine.copying import copies_on, identities
from engine.frames import distinct, likeness
from engine.payments import LIFTS_OVERPAY, OPENS_DISCARD, ROLES, overpays
from engine.stacks import Piece, fitting_adjustment, stack_faults
from engine.state import State
from engine.tables import ACCORDION, NOSTALGIC_ITEM
from engine.types import JUNK, KIND_MASK, STALL_TOOL, Card, Seat


class Spending(NamedTuple):
    """One selection of hand cards as a payment."""

    pieces: tuple[Piece, ...]
    total: int
    smallest: int
    roles: frozenset[int]

    def pays(self, cost: int, from_discard: bool) -> bool:
        """Whether it is a legal payment of this cost (R-MKT-06 to R-MKT-09)."""
        if from_discard and OPENS_DISCARD not in self.roles:
            return False
        if cost == 0 or self.total < cost:
            return cost == 0 == self.total
        return LIFTS_OVERPAY in self.roles or not overpays(self.total, self.smallest, cost)

    def junk(self) -> tuple[Card, ...]:
        """The cards that are junk in this payment (PAN3c-3)."""
        return tuple(piece.card for piece in self.pieces if piece.identity.kind == JUNK)


def groups_of(g: State, cards: list[Card]) -> list[list[Card]]:
    """The cards in groups of alike ones, in order of their first cards."""
    groups: dict[tuple[object, ...], list[Card]] = {}
    for card in cards:
        groups.setdefault(likeness(g, card), []).append(card)
    return list(groups.values())


def selections(g: State, seat: Seat, group: list[Card], most: int) -> list[tuple[Piece, ...]]:
    """Every way to use up to `most` cards of a group of alike ones, none included."""
    options = identities(g, seat, group[0])
    result: list[tuple[Piece, ...]] = [()]
    for count in range(1, min(len(group), most) + 1):
        for chosen in combinations_with_replacement(options, count):
            result.append(tuple(Piece(card, one) for card, one in zip(group, chosen, strict=False)))
    return result


def copies_of(g: State, pieces: tuple[Piece, ...] | list[Piece]) -> tuple[Copy, ...]:
    """What has to be announced for these pieces; a locked chameleon needs nothing."""
    return tuple(Copy(card, one.chain) for card, one in pieces if one.chain and copies_on(g, card))


def spendings(g: State, seat: Seat) -> list[Spending]:
    """Every selection of hand cards as a payment, chameleons in every identity."""
    hand = g.hand(seat)
    found: list[tuple[Piece, ...]] = [()]
    for group in groups_of(g, hand):
        ways = selections(g, seat, group, len(group))
        found = [done + way for done in found for way in ways]
    place = {card: index for index, card in enumerate(hand)}
    result = []
    for pieces in found:
        ordered = tuple(sorted(pieces, key=lambda piece: place[piece.card]))
        values = [piece.identity.value for piece in ordered]
        roles = frozenset(ROLES.get(piece.identity.kind, 0) for piece in ordered)
        result.append(Spending(ordered, sum(values), min(values, default=0), roles))
    return result


def stacks(g: State, seat: Seat, number: int) -> list[Action]:
    """Every legal Stall action for this stack number."""
    hand = g.hand(seat)
    place = {card: index for index, card in enumerate(hand)}
    result = []
    for pieces in _within(g, seat, groups_of(g, hand), number + _accordions(g, seat)):
        chosen = sorted(pieces, key=lambda piece: place[piece.card])
        for pile in _included(g, seat, chosen):
            if not stack_faults(g, chosen, pile, number):
                result.append(_stall(g, chosen, pile, number))
    return result


def _stall(g: State, hand: list[Piece], pile: list[Piece], number: int) -> Action:
    return Action(
        STALL_TOOL,
        cards=tuple(piece.card for piece in hand),
        extra=tuple(piece.card for piece in pile),
        adjust=fitting_adjustment(hand + pile, number),
        copies=copies_of(g, hand + pile),
    )


def _accordions(g: State, seat: Seat) -> int:
    """How many cards of hand and discard pile could be an Accordion."""
    cards = g.hand(seat) + distinct(g, g.discard(seat))
    return sum(any(one.kind == ACCORDION for one in identities(g, seat, card)) for card in cards)


def _within(g: State, seat: Seat, groups: list[list[Card]], most: int) -> Iterator[tuple[Piece, ...]]:
    """Every selection whose total does not exceed `most`."""
    if not groups:
        yield ()
        return
    for way in selections(g, seat, groups[0], len(groups[0])):
        total = sum(piece.identity.value for piece in way)
        if total <= most:
            for rest in _within(g, seat, groups[1:], most - total):
                yield way + rest


def _included(g: State, seat: Seat, hand: list[Piece]) -> Iterator[list[Piece]]:
    """Every selection of discard cards worth testing with these hand cards (SQU3-1): none, or as many as could count."""
    yield []
    items = sum(piece.identity.kind == NOSTALGIC_ITEM for piece in hand)
    if items:
        pile = g.discard(seat)
        more = sum(any(one.kind == NOSTALGIC_ITEM for one in identities(g, seat, card)) for card in pile)
        for pieces in _few(g, seat, groups_by_name(pile), items + more):
            if pieces:
                yield list(pieces)


def groups_by_name(cards: list[Card]) -> list[list[Card]]:
    """The cards of a pile in groups of one name."""
    groups: dict[int, list[Card]] = {}
    for card in cards:
        groups.setdefault(card & KIND_MASK, []).append(card)
    return list(groups.values())


def _few(g: State, seat: Seat, groups: list[list[Card]], most: int) -> Iterator[tuple[Piece, ...]]:
    """Every selection of at most `most` cards."""
    if not groups:
        yield ()
        return
    for way in selections(g, seat, groups[0], most):
        for rest in _few(g, seat, groups[1:], most - len(way)):
            yield way + rest
