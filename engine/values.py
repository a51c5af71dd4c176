"""Effective values, identities, costs and the hand limit: everything in force folded at the moment of the question."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.actions import Link
from engine.state import ADD, ALL_CARDS, COST, LIMIT, SET, State, copy_of
from engine.tables import BOLD_HAGGLER, SET_OF, VALUE
from engine.types import KIND_MASK, MARKET, Card, Kind, Seat


class Identity(NamedTuple):
    """What a card counts as in one use.

    kind: its own or the copied one. value: effective value. used: its once-per-turn ability is spent.
    chain: the targets a chameleon copies, empty for a card that is itself.
    """

    kind: Kind
    value: int
    used: bool
    chain: tuple[Link, ...]


new_identity: Final = tuple.__new__
"""Makes an identity from all of its fields; quicker than by its name."""


def folded(g: State, kind: Kind, cards: tuple[Card, ...]) -> int:
    """The value of a card of this kind after all alterations in force, in the order they happened (R-VAL-01 to 03).

    cards: the card itself, then those it copies: their value now, with what was done to them and to all cards, and on
    top what was done to the card itself (R-CPC-06); once its own value has been set, theirs no longer matters. Several
    additions to all cards add up (MAC5A-3).
    """
    own, copied_cards = cards[0], cards[1:]
    value = folded(g, kind, copied_cards) if copied_cards else VALUE[kind]
    counts_for_all = not copied_cards
    for card, operation, amount in g.alterations:
        if card == own and operation == SET:
            value = amount
            counts_for_all = True
        elif operation == ADD and (card == own or (card == ALL_CARDS and counts_for_all)):
            value += amount
    return value


def lock_of(g: State, card: Card) -> tuple[Link, ...]:
    """The chain a locked chameleon copies, or () (R-CPC-08)."""
    for locked, chain, _ in g.locks:
        if locked == card:
            return chain
    return ()


def counted_cards(g: State, card: Card, chain: tuple[Link, ...]) -> tuple[Card, ...]:
    """The card and those it copies along a chain, whose alterations count for it too (R-CPC-06)."""
    counted = [card]
    while chain:
        target = chain[-1][1]
        counted.append(target)
        chain = lock_of(g, target)
    return tuple(counted)


def copied(g: State, card: Card, chain: tuple[Link, ...]) -> Identity:
    """The identity of a card that copies along a chain; the last target counts as what it is now (R-CPC-06).

    Of a Bold Haggler that has been rolled the use is copied too (decks.md 6.3); of any other ability it is each
    physical card's own (R-PAS-05).
    """
    counted = counted_cards(g, card, chain)
    kind = counted[-1] & KIND_MASK
    used = card in g.used or (kind == BOLD_HAGGLER and any([one in g.used for one in counted]))
    return Identity(kind, folded(g, kind, counted), used, chain)


def plain(g: State, card: Card) -> Identity:
    """The identity of a card that is itself, or that its lock or its copy makes it."""
    chain = lock_of(g, card) if g.locks else ()
    if chain:
        return copied(g, card, chain)
    kind = card & KIND_MASK
    if not g.alterations:
        return Identity(kind, VALUE[kind], card in g.used, ())
    if g.edition:
        copy = copy_of(g, card)
        kind = kind if copy < 0 else copy
    return Identity(kind, folded(g, kind, (card,)), card in g.used, ())


def set_of(g: State, kind: Kind) -> int:
    """Index of the set of a kind in the edition of this game; NO_SET for junk."""
    return SET_OF[g.edition][kind]


def likeness(g: State, card: Card) -> tuple[object, ...]:
    """Two cards of a zone with equal likeness are interchangeable."""
    identity = plain(g, card)
    return (card & KIND_MASK, identity)


def slot_cost(g: State, slot: int) -> int:
    """Cost of the card in an occupied slot for the active player (R-MKT-02, R-MKT-03, MAC5A-2)."""
    cost = VALUE[g.zones[MARKET][slot] & KIND_MASK] + slot
    if g.alterations:
        cost += sum(amount for _, operation, amount in g.alterations if operation == COST)
    return max(0, cost)


def market_discard_cost(g: State) -> int:
    """Cost of the top card of the market discard: its printed value (R-MKT-04)."""
    return VALUE[g.market_discard[-1] & KIND_MASK]


def gold_of(g: State, seat: Seat) -> int:
    """The gold of a seat; none in a standard game (R-TRM-02)."""
    return g.gold[seat] if g.gold else 0


def limit_shift(g: State) -> int:
    """By how much effects of this turn change the hand limit (R-CLN-02)."""
    return sum(amount for _, operation, amount in g.alterations if operation == LIMIT)
