"""Which payments are legal, from tables keyed on the values at hand (R-MKT-05 to R-MKT-09).

A hand is seen as groups of alike cards: a key says value, number of cards and role of each group, a payment how many
cards of each group are paid.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from engine.tables import MARKET_DISCOVERY, STOCK_CLEARANCE
from engine.types import Kind

MOST_THROWN = 3
"""How many paid junk cards Essential Purchase may throw away (PAN3c-2)."""
NO_ROLE = 0
LIFTS_OVERPAY = 1
"""Stock Clearance: paid with, it drops the overpay rule (R-MKT-08, PAN5Bc-2)."""
OPENS_DISCARD = 2
"""Market Discovery: paid with, the market discard may be bought from (PAN4c-2)."""
ROLES: dict[Kind, int] = {STOCK_CLEARANCE: LIFTS_OVERPAY, MARKET_DISCOVERY: OPENS_DISCARD}

Key = tuple[int, ...]
"""A hand: for each group value, role and number of cards in one int (see `key_part`)."""
Vector = tuple[int, ...]
ROLE_BITS = 6
_VALUE_BITS = 10


def role_of(kind: Kind) -> int:
    """The role of a card in payments."""
    return ROLES.get(kind, NO_ROLE)


def key_part(value: int, count: int, role: int) -> int:
    """One group of a key; up to 63 cards."""
    return value << _VALUE_BITS | role << ROLE_BITS | count


class PaymentTable(NamedTuple):
    """For every cost that a hand can pay: its legal payments for a slot, and for the market discard."""

    slots: dict[int, tuple[Vector, ...]]
    market_discard: dict[int, tuple[Vector, ...]]


_TABLES: dict[Key, PaymentTable] = {}
_TABLES_KEPT = 10_000
_MOST_KEPT_CARDS = 9
"""Tables of larger hands are made anew each time: kept, a few thousand of them would fill the memory."""


def overpays(total: int, smallest: int, cost: int) -> bool:
    """The overpay rule: some paid card is superfluous (R-MKT-07)."""
    return total - smallest >= cost


def lowest_cost(total: int, smallest: int, lifted: bool) -> int:
    """The lowest cost above 0 a payment is legal for: any lower one it overpays (R-MKT-07, R-MKT-08)."""
    return 1 if lifted else max(1, total - smallest + 1)


def payments(key: Key) -> PaymentTable:
    """The table of a hand; made when it is first needed."""
    table = _TABLES.get(key)
    if table is None:
        table = _build(key)
        if sum([part & 63 for part in key]) <= _MOST_KEPT_CARDS:
            if len(_TABLES) >= _TABLES_KEPT:
                _TABLES.clear()
            _TABLES[key] = table
    return table


def _build(key: Key) -> PaymentTable:
    # selections so far: vector, total, smallest value, lifts the overpay rule, opens the market discard
    found: list[tuple[Vector, int, int, bool, bool]] = [((), 0, _NOTHING, False, False)]
    for part in key:
        value = part >> _VALUE_BITS
        role = part >> ROLE_BITS & 15
        count = part & 63
        lifts = role == LIFTS_OVERPAY
        opens = role == OPENS_DISCARD
        more = []
        for vector, total, smallest, lifted, opened in found:
            more.append(((*vector, 0), total, smallest, lifted, opened))
            least = min(smallest, value)
            for number in range(1, count + 1):
                paid = total + value * number
                more.append(((*vector, number), paid, least, lifted or lifts, opened or opens))
        found = more
    slots: dict[int, list[Vector]] = {}
    pile: dict[int, list[Vector]] = {}
    for vector, total, smallest, lifted, opened in found:
        for cost in range(lowest_cost(total, smallest, lifted), total + 1):
            slots.setdefault(cost, []).append(vector)
            if opened:
                pile.setdefault(cost, []).append(vector)
    slots[0] = [found[0][0]]  # a cost of 0 is paid with nothing at all (R-MKT-09)
    return PaymentTable(
        {cost: tuple(vectors) for cost, vectors in slots.items()},
        {cost: tuple(vectors) for cost, vectors in pile.items()},
    )


_NOTHING = 99
"""Larger than any value: the smallest card of an empty selection."""


_SUMS: dict[tuple[tuple[tuple[int, int], ...], int], tuple[Vector, ...]] = {}


def exact_sums(groups: tuple[tuple[int, int], ...], total: int) -> tuple[Vector, ...]:
    """How many cards of each (value, number of cards) group add up to the total exactly; kept."""
    found = _SUMS.get((groups, total))
    if found is None:
        if len(_SUMS) >= _TABLES_KEPT:
            _SUMS.clear()
        found = _SUMS[(groups, total)] = tuple(
            vector
            for vector in product(*(range(count + 1) for _, count in groups))
            if sum(value * number for (value, _), number in zip(groups, vector, strict=True)) == total
        )
    return found
