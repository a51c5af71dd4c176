"""The purchases of a legal list (rules.md 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Final

from engine.actions import Action
from engine.copying import copies_of
from engine.groups import Add
from engine.hands import HandTable, Pick
from engine.open_cards import Way
from engine.payments import COST_CODES, DEAREST, MOST_THROWN, Base, PaymentTable, Vector
from engine.stacks import Piece
from engine.state import State
from engine.tables import THRIFTY
from engine.types import EMPTY, FROM_MARKET_DISCARD, JUNK, KIND_MASK, MARKET, MARKET_TOOL, Card, Kind, Seat
from engine.values import gold_of, market_discard_cost, plain, slot_cost

Pieces = tuple[Piece, ...]
_COST: Final = 15
"""The bits of a cost code that are the cost."""


def count_purchases(g: State, table: PaymentTable) -> int:
    """How many purchases cards of one thing each can make, while nothing alters costs."""
    sizes = table.sizes
    slots = COST_CODES[g.edition]
    codes_0, codes_1, codes_2, codes_3, codes_4 = slots
    first, second, third, fourth, fifth = g.zones[MARKET]
    own = sizes[codes_0[first & KIND_MASK]]
    one = sizes[codes_1[second & KIND_MASK]]
    two = sizes[codes_2[third & KIND_MASK]]
    three = sizes[codes_3[fourth & KIND_MASK]]
    four = sizes[codes_4[fifth & KIND_MASK]]
    if own | one | two | three | four < 0:
        total = sum([table.size(codes[card & KIND_MASK]) for codes, card in zip(slots, g.market, strict=True)])
    else:
        total = own + one + two + three + four
    if table.market_discard and g.market_discard:
        total += len(_from_market_discard(g, table))
    return total


def purchase_at(g: State, table: PaymentTable, pick: Pick, index: int) -> Action:
    """The index-th of these purchases."""
    for slot, card in enumerate(g.zones[MARKET]):
        code = COST_CODES[g.edition][slot][card & KIND_MASK]
        size = table.size(code)
        if index < size:
            thrifty = card & KIND_MASK == THRIFTY[g.edition]
            return _purchase(table, slot, thrifty, table.slots[code & _COST], pick, index)
        index -= size
    vectors = table.of_market_discard(market_discard_cost(g))
    thrifty = g.market_discard[-1] & KIND_MASK == THRIFTY[g.edition]
    return _purchase(table, FROM_MARKET_DISCARD, thrifty, vectors, pick, index)


def _from_market_discard(g: State, table: PaymentTable) -> tuple[Vector, ...]:
    vectors = table.of_market_discard(market_discard_cost(g))
    return table.thrifty(vectors) if g.market_discard[-1] & KIND_MASK == THRIFTY[g.edition] else vectors


def _purchase(
    table: PaymentTable, source: int, thrifty: bool, vectors: tuple[Vector, ...], pick: Pick, index: int
) -> Action:
    if not thrifty:
        return Action(MARKET_TOOL, cards=pick(vectors[index]), source=source)
    *vector, thrown = table.thrifty(vectors)[index]
    cards = pick(tuple(vector))
    extra = tuple([card for card in cards if card & KIND_MASK == JUNK][:thrown])
    return Action(MARKET_TOOL, cards=cards, source=source, extra=extra)


def purchase_parts(g: State, seat: Seat, table: HandTable, ways: Sequence[Way], pick: Pick, add: Add) -> None:
    """The purchases of any hand: cards of the table together with open cards used in one of these ways."""
    sources = [(slot, slot_cost(g, slot), card) for slot, card in enumerate(g.market) if card != EMPTY]
    dearest = max([DEAREST, *[cost for _, cost, _ in sources]])
    gold = gold_of(g, seat)
    if g.market_discard:
        sources.append((FROM_MARKET_DISCARD, market_discard_cost(g), g.market_discard[-1]))
    by_base: dict[Base, list[Pieces]] = {}
    for way in ways:
        by_base.setdefault(way.base, []).append(way.pieces)
    tables = [(table.payments(base, dearest, gold), used) for base, used in by_base.items()]
    for source, cost, bought in sources:
        for paying, used in tables:
            vectors = paying.of_market_discard(cost) if source == FROM_MARKET_DISCARD else paying.of_slot(cost)
            if not vectors:
                continue
            if bought & KIND_MASK == THRIFTY[g.edition]:
                thrifty = _thrifty(g, seat, source, vectors, used, pick)
                add((len(thrifty), thrifty.__getitem__))
            else:
                add((len(vectors) * len(used), _maker(g, seat, source, vectors, used, pick)))


def _maker(
    g: State, seat: Seat, source: int, vectors: tuple[Vector, ...], used: list[Pieces], pick: Pick
) -> Callable[[int], Action]:
    def make(index: int) -> Action:
        place, index = divmod(index, len(vectors))
        return _paid(g, seat, source, pick(vectors[index]), used[place])

    return make


def _paid(
    g: State, seat: Seat, source: int, cards: tuple[Card, ...], used: Pieces, thrown: tuple[Card, ...] = ()
) -> Action:
    if used:
        hand = g.hand(seat)
        used = tuple(sorted(used, key=lambda piece: hand.index(piece.card)))
        cards = tuple(sorted([*cards, *[piece.card for piece in used]], key=hand.index))
    return Action(MARKET_TOOL, cards=cards, source=source, extra=thrown, copies=copies_of(g, used))


def _thrifty(
    g: State, seat: Seat, source: int, vectors: tuple[Vector, ...], used: list[Pieces], pick: Pick
) -> list[Action]:
    """Purchases of Essential Purchase, each with every choice of paid junk that is thrown away (PAN3c-2, PAN3c-3)."""
    result = []
    for pieces in used:
        copied = [piece.card for piece in pieces if piece.identity.kind == JUNK]
        for vector in vectors:
            cards = pick(vector)
            junk = [card for card in cards if plain(g, card).kind == JUNK]
            for thrown in _throwable(sorted([*junk, *copied], key=g.hand(seat).index)):
                result.append(_paid(g, seat, source, cards, pieces, thrown))
    return result


def _throwable(junk: list[Card]) -> list[tuple[Card, ...]]:
    """Every choice of up to three junk cards that differs by name."""
    found: dict[tuple[Kind, ...], tuple[Card, ...]] = {}
    for picks in product((True, False), repeat=len(junk)):
        chosen = tuple(card for card, picked in zip(junk, picks, strict=True) if picked)
        if len(chosen) <= MOST_THROWN:
            found.setdefault(tuple(sorted(card & KIND_MASK for card in chosen)), chosen)
    return list(found.values())
