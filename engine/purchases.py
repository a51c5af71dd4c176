"""The purchases of a legal list (rules.md 4)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from engine.actions import Action
from engine.groups import Add, Groups
from engine.listing import Spending, copies_of, junk_of, opens_discard, spendings
from engine.payments import MOST_THROWN, PaymentTable, Vector, key_part, payments, role_of
from engine.state import State
from engine.tables import ESSENTIAL_PURCHASE, VALUE
from engine.types import EMPTY, FROM_MARKET_DISCARD, JUNK, KIND_MASK, MARKET, MARKET_TOOL, Card, Kind, Seat
from engine.values import gold_of, market_discard_cost, plain, slot_cost

Paid = Callable[[Vector], tuple[Card, ...]]
"""The cards a vector stands for."""


def market_parts(g: State, hand: list[Card], groups: Groups, add: Add) -> None:
    """The purchases of a hand without chameleons, from the payment tables."""
    entries = []
    for place, group in enumerate(groups):
        identity = plain(g, group[0])
        entries.append((identity.value, len(group), role_of(identity.kind), place))
    entries.sort()
    key = tuple([key_part(value, count, role) for value, count, role, _ in entries])
    table = payments(key, gold_of(g, g.turn))
    ordered = [groups[entry[3]] for entry in entries]
    junk = next((index for index, group in enumerate(ordered) if group[0] & KIND_MASK == JUNK), -1)

    def paid(vector: Vector) -> tuple[Card, ...]:
        cards = [card for group, count in zip(ordered, vector, strict=True) for card in group[:count]]
        cards.sort(key=hand.index)
        return tuple(cards)

    table_parts(g, table, lambda: junk, paid, add)


def table_parts(g: State, table: PaymentTable, junk: Callable[[], int], paid: Paid, add: Add) -> None:
    """The purchases a payment table allows; `junk`: the place of junk in a vector, `paid`: the cards of a vector."""
    offers = _offers(g, table)
    size = 0
    for place, (source, bought, vectors) in enumerate(offers):
        if bought & KIND_MASK == ESSENTIAL_PURCHASE:
            vectors = _thrifty(vectors, junk())
            offers[place] = (source, bought, vectors)
        size += len(vectors)
    if not size:
        return

    def make(index: int) -> Action:
        for source, bought, vectors in offers:
            if index < len(vectors):
                if bought & KIND_MASK == ESSENTIAL_PURCHASE:
                    *vector, thrown = vectors[index]
                    cards = paid(tuple(vector))
                    extra = tuple([card for card in cards if card & KIND_MASK == JUNK][:thrown])
                    return Action(MARKET_TOOL, cards=cards, source=source, extra=extra)
                return Action(MARKET_TOOL, cards=paid(vectors[index]), source=source)
            index -= len(vectors)
        raise IndexError(index)

    add((size, make))


def _thrifty(vectors: tuple[Vector, ...], junk: int) -> tuple[Vector, ...]:
    """Payments of Essential Purchase, each followed by how many paid junk cards are thrown away, 0 to 3 (PAN3c-2)."""
    return tuple(
        [
            (*vector, thrown)
            for vector in vectors
            for thrown in range(min(MOST_THROWN, vector[junk] if junk >= 0 else 0) + 1)
        ]
    )


def _offers(g: State, table: PaymentTable) -> list[tuple[int, Card, tuple[Vector, ...]]]:
    """What can be bought: source, card, and its legal payments."""
    slots = table.slots
    altered = bool(g.alterations)
    offers = []
    for slot, card in enumerate(g.zones[MARKET]):
        if card != EMPTY:
            cost = slot_cost(g, slot) if altered else VALUE[card & KIND_MASK] + slot
            vectors = slots.get(cost)
            if vectors:
                offers.append((slot, card, vectors))
    if table.market_discard and g.market_discard:
        vectors = table.market_discard.get(market_discard_cost(g))
        if vectors:
            offers.append((FROM_MARKET_DISCARD, g.market_discard[-1], vectors))
    return offers


def copying_market_parts(g: State, seat: Seat, add: Add) -> None:
    """The purchases of a hand with chameleons, each in every identity."""
    sources = [(slot, slot_cost(g, slot), card) for slot, card in enumerate(g.market) if card != EMPTY]
    if g.market_discard:
        sources.append((FROM_MARKET_DISCARD, market_discard_cost(g), g.market_discard[-1]))
    by_cost = spendings(g, seat, {cost for _, cost, _ in sources})
    for source, cost, bought in sources:
        found = by_cost[cost]
        if source == FROM_MARKET_DISCARD:
            found = [one for one in found if opens_discard(one)]
        if bought & KIND_MASK == ESSENTIAL_PURCHASE:
            variants = [(one, thrown) for one in found for thrown in _throwable(junk_of(one))]
        else:
            variants = [(one, ()) for one in found]
        if variants:
            add((len(variants), _spender(g, seat, source, variants)))


def _spender(
    g: State, seat: Seat, source: int, variants: list[tuple[Spending, tuple[Card, ...]]]
) -> Callable[[int], Action]:
    hand = g.hand(seat)

    def make(index: int) -> Action:
        spending, thrown = variants[index]
        pieces = sorted(spending[0], key=lambda piece: hand.index(piece.card))
        paid = tuple([piece.card for piece in pieces])
        return Action(MARKET_TOOL, cards=paid, source=source, extra=thrown, copies=copies_of(g, pieces))

    return make


def _throwable(junk: tuple[Card, ...]) -> list[tuple[Card, ...]]:
    """Every choice of up to three junk cards that differs by name (PAN3c-2, PAN3c-3)."""
    found: dict[tuple[Kind, ...], tuple[Card, ...]] = {}
    for picks in product((True, False), repeat=len(junk)):
        chosen = tuple(card for card, picked in zip(junk, picks, strict=True) if picked)
        if len(chosen) <= MOST_THROWN:
            found.setdefault(tuple(sorted(card & KIND_MASK for card in chosen)), chosen)
    return list(found.values())
