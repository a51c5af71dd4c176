"""The purchases of a legal list (rules.md 4)."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate, product
from typing import Final

from engine.actions import Action, new_action, purchase
from engine.choices import Choice
from engine.copying import copies_of
from engine.groups import Add
from engine.hand_tables import HandTable
from engine.hands import Pick
from engine.open_cards import Way
from engine.payments import COST_CODES, DEAREST, MOST_THROWN, NOT_FOR_SALE, Base, PaymentTable
from engine.polynomials import field
from engine.stacks import Piece
from engine.state import State
from engine.tables import THRIFTY, VALUE
from engine.types import EMPTY, FROM_MARKET_DISCARD, JUNK, KIND_MASK, MARKET, MARKET_TOOL, Card, Kind, Seat
from engine.values import gold_of, market_discard_cost, plain, slot_cost

Pieces = tuple[Piece, ...]
_COST: Final = 15
"""The bits of a cost code that are the cost."""


def count_purchases(g: State, table: PaymentTable) -> int:
    """How many purchases cards of one thing each can make, while nothing alters costs."""
    if g.priced != g.zones[MARKET]:
        _price(g)
    sizes = table.sizes
    first, second, third, fourth, fifth = g.codes
    total = sizes[first] + sizes[second] + sizes[third] + sizes[fourth] + sizes[fifth]
    if total < 0:
        table.count_thrifty()
        return count_purchases(g, table)
    if table.opens and g.market_discard:
        total += table.in_discard(market_discard_cost(g), g.market_discard[-1] & KIND_MASK == THRIFTY[g.edition])
    return total


def _price(g: State) -> None:
    """Note the cost codes of the market; they are kept with the state for as long as the market is the same."""
    g.priced = g.zones[MARKET][:]
    slot_0, slot_1, slot_2, slot_3, slot_4 = COST_CODES[g.edition]
    first, second, third, fourth, fifth = g.priced
    g.codes = (
        slot_0[first & KIND_MASK],
        slot_1[second & KIND_MASK],
        slot_2[third & KIND_MASK],
        slot_3[fourth & KIND_MASK],
        slot_4[fifth & KIND_MASK],
    )


def purchase_at(g: State, table: PaymentTable, pick: Pick, index: int) -> Action:
    """The index-th of these purchases."""
    for slot, code in enumerate(g.codes):
        size = table.sizes[code]
        if index < size:
            return _purchase(table, slot, code > NOT_FOR_SALE, table.of_slot(code & _COST), pick, index)
        index -= size
    thrifty = g.market_discard[-1] & KIND_MASK == THRIFTY[g.edition]
    choices = table.of_market_discard(market_discard_cost(g))
    return _purchase(table, FROM_MARKET_DISCARD, thrifty, choices, pick, index)


def _purchase(
    table: PaymentTable, source: int, thrifty: bool, choices: tuple[Choice, ...], pick: Pick, index: int
) -> Action:
    if not thrifty:
        return purchase(source, pick(choices[index]))
    choice, thrown = table.thrifty(choices)[index]
    cards = pick(choice)
    return purchase(source, cards, _first_junk(cards, thrown))


def _first_junk(cards: tuple[Card, ...], count: int) -> tuple[Card, ...]:
    return tuple([card for card in cards if card & KIND_MASK == JUNK][:count]) if count else ()


def every_purchase(g: State, table: PaymentTable, taken: list[tuple[Card, ...]]) -> list[Action]:
    """All of these purchases; taken: the cards of every choice."""
    result: list[Action] = []
    sizes = table.sizes
    for slot, code in enumerate(g.codes):
        if not sizes[code]:
            continue
        if code > NOT_FOR_SALE:
            result += _every_thrifty(table, slot, table.of_slot(code & _COST), taken)
        else:
            result += [
                new_action(Action, (MARKET_TOOL, -1, taken[choice], slot, (), (), (), ()))
                for choice in table.of_slot(code)
            ]
    if table.opens and g.market_discard:
        choices = table.of_market_discard(market_discard_cost(g))
        if g.market_discard[-1] & KIND_MASK == THRIFTY[g.edition]:
            result += _every_thrifty(table, FROM_MARKET_DISCARD, choices, taken)
        else:
            result += [purchase(FROM_MARKET_DISCARD, taken[choice]) for choice in choices]
    return result


def _every_thrifty(
    table: PaymentTable, source: int, choices: tuple[Choice, ...], taken: list[tuple[Card, ...]]
) -> list[Action]:
    """The purchases of Essential Purchase with these payments."""
    return [
        purchase(source, taken[choice], _first_junk(taken[choice], thrown)) for choice, thrown in table.thrifty(choices)
    ]


Offer = tuple[int, int]
"""A source and what its card costs."""
Paying = tuple[PaymentTable, list[Pieces]]
"""Payments, and the open cards with which they can be made."""


def purchase_parts(g: State, seat: Seat, table: HandTable, ways: Sequence[Way], pick: Pick, add: Add) -> None:
    """The purchases of any hand: cards of the table together with open cards used in one of these ways."""
    dearest = DEAREST
    offers: list[Offer] = []
    for slot, card in enumerate(g.zones[MARKET]):
        if card != EMPTY:
            cost = slot_cost(g, slot) if g.alterations else VALUE[card & KIND_MASK] + slot
            offers.append((slot, cost))
            dearest = max(dearest, cost)
    if g.market_discard:
        offers.append((FROM_MARKET_DISCARD, market_discard_cost(g)))
    gold = gold_of(g, seat)
    by_base: dict[Base, list[Pieces]] = {}
    for way in ways:
        by_base.setdefault(way.base, []).append(way.pieces)
    tables = [(table.payments(base, dearest, gold), used) for base, used in by_base.items()]
    thrifty = THRIFTY[g.edition]
    plain: list[Offer] = []
    for offer in offers:
        source, cost = offer
        bought = g.market_discard[-1] if source == FROM_MARKET_DISCARD else g.market[source]
        if bought & KIND_MASK != thrifty:
            plain.append(offer)
            continue
        _add_offers(g, seat, plain, tables, pick, add)
        plain = []
        for paying, used in tables:
            _add_thrifty(g, seat, source, paying, _choices(paying, source, cost), used, pick, add)
    _add_offers(g, seat, plain, tables, pick, add)


def _add_offers(g: State, seat: Seat, offers: list[Offer], tables: list[Paying], pick: Pick, add: Add) -> None:
    """The purchases of cards that are not Essential Purchase."""
    counts = 0
    for paying, used in tables:
        counts += paying.counts * len(used)
    total = 0
    for source, cost in offers:
        if source == FROM_MARKET_DISCARD:
            total += sum([paying.in_discard(cost) * len(used) for paying, used in tables])
        elif cost:
            total += field(counts, cost)
        else:
            total += sum([paying.size(cost) * len(used) for paying, used in tables])

    def make(index: int) -> Action:
        for source, cost in offers:
            for paying, used in tables:
                size = paying.size(cost) if source != FROM_MARKET_DISCARD else paying.in_discard(cost)
                if index < size * len(used):
                    place, index = divmod(index, size)
                    return _paid(g, seat, source, pick(_choices(paying, source, cost)[index]), used[place])
                index -= size * len(used)
        raise IndexError(index)

    if total:
        add((total, make))


def _choices(table: PaymentTable, source: int, cost: int) -> tuple[Choice, ...]:
    return table.of_market_discard(cost) if source == FROM_MARKET_DISCARD else table.of_slot(cost)


def _paid(
    g: State, seat: Seat, source: int, cards: tuple[Card, ...], used: Pieces, thrown: tuple[Card, ...] = ()
) -> Action:
    if used:
        hand = g.hand(seat)
        used = tuple(sorted(used, key=lambda piece: hand.index(piece.card)))
        cards = tuple(sorted([*cards, *[piece.card for piece in used]], key=hand.index))
    return Action(MARKET_TOOL, cards=cards, source=source, extra=thrown, copies=copies_of(g, used))


def _add_thrifty(
    g: State,
    seat: Seat,
    source: int,
    table: PaymentTable,
    choices: tuple[Choice, ...],
    used: list[Pieces],
    pick: Pick,
    add: Add,
) -> None:
    """Purchases of Essential Purchase, each with every choice of paid junk that is thrown away (PAN3c-2, PAN3c-3).

    They are counted by the names of the junk paid; cards are picked for the one that is asked for.
    """
    if not choices:
        return
    paid = [_copied_junk(pieces) for pieces in used]
    ends = {names: _ends(table, choices, names, pick) for names in dict.fromkeys(paid)}
    *starts, total = accumulate([ends[names][-1] for names in paid], initial=0)
    block: list[Action] = []
    first = 0

    def make(index: int) -> Action:
        nonlocal block, first
        if not 0 <= index - first < len(block):
            way = bisect_right(starts, index) - 1
            end = ends[paid[way]]
            place = bisect_right(end, index - starts[way])
            first = starts[way] + (end[place - 1] if place else 0)
            block = _with_thrown(g, seat, source, pick(choices[place]), used[way])
        return block[index - first]

    add((total, make))


def _copied_junk(pieces: Pieces) -> tuple[Kind, ...]:
    """The names of the open cards that are used as junk."""
    return tuple([piece.card & KIND_MASK for piece in pieces if piece.identity.kind == JUNK])


def _ends(table: PaymentTable, choices: tuple[Choice, ...], names: tuple[Kind, ...], pick: Pick) -> list[int]:
    """How many purchases there are with the first of these payments, the first two, and so on; names: of open cards."""
    groups = table.junk_groups()
    paid = [pick(worth)[0] & KIND_MASK for worth, _ in groups]
    sizes: dict[tuple[int, ...], int] = {}
    ends = []
    end = 0
    for choice in choices:
        numbers = tuple([choice // worth % room for worth, room in groups])
        size = sizes.get(numbers)
        if size is None:
            counts = Counter(names)
            for name, number in zip(paid, numbers, strict=True):
                counts[name] += number
            size = sizes[numbers] = _ways_to_throw(tuple(counts.values()))
        end += size
        ends.append(end)
    return ends


@cache
def _ways_to_throw(counts: tuple[int, ...]) -> int:
    """In how many ways up to three of the junk cards paid are thrown away, of each name so many (PAN3c-2)."""
    ways = [1] + [0] * MOST_THROWN
    for count in counts:
        ways = [sum(ways[size - min(count, size) : size + 1]) for size in range(MOST_THROWN + 1)]
    return sum(ways)


def _with_thrown(g: State, seat: Seat, source: int, cards: tuple[Card, ...], pieces: Pieces) -> list[Action]:
    """The purchases with one payment."""
    junk = [card for card in cards if plain(g, card).kind == JUNK]
    junk += [piece.card for piece in pieces if piece.identity.kind == JUNK]
    junk.sort(key=g.hand(seat).index)
    return [_paid(g, seat, source, cards, pieces, thrown) for thrown in _throwable(junk)]


def _throwable(junk: list[Card]) -> list[tuple[Card, ...]]:
    """Every choice of up to three junk cards that differs by name."""
    found: dict[tuple[Kind, ...], tuple[Card, ...]] = {}
    for picks in product((True, False), repeat=len(junk)):
        chosen = tuple(card for card, picked in zip(junk, picks, strict=True) if picked)
        if len(chosen) <= MOST_THROWN:
            found.setdefault(tuple(sorted(card & KIND_MASK for card in chosen)), chosen)
    return list(found.values())
