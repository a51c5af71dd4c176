"""Which payments are legal, from tables keyed on the values at hand (R-MKT-05 to R-MKT-09).

A hand is seen as groups of alike cards: a key is the tuple of (value, number of cards, role) of the groups,
a payment a tuple that says how many cards of each group are paid.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from engine.tables import MARKET_DISCOVERY, STOCK_CLEARANCE
from engine.types import Kind

NO_ROLE = 0
LIFTS_OVERPAY = 1
"""Stock Clearance: paid with, it drops the overpay rule (R-MKT-08)."""
OPENS_DISCARD = 2
"""Market Discovery: paid with, the market discard may be bought from (PAN4c-2)."""
ROLES: dict[Kind, int] = {STOCK_CLEARANCE: LIFTS_OVERPAY, MARKET_DISCOVERY: OPENS_DISCARD}

Key = tuple[tuple[int, int, int], ...]
Vector = tuple[int, ...]


class PaymentTable(NamedTuple):
    """For every cost above 0 that a hand can pay: its legal payments for a slot, and for the market discard."""

    slots: dict[int, tuple[Vector, ...]]
    market_discard: dict[int, tuple[Vector, ...]]


_TABLES: dict[Key, PaymentTable] = {}
_TABLES_KEPT = 20_000
_SUMS: dict[tuple[tuple[tuple[int, int], ...], int], tuple[Vector, ...]] = {}


def overpays(total: int, smallest: int, cost: int) -> bool:
    """The overpay rule: some paid card is superfluous (R-MKT-07)."""
    return total - smallest >= cost


def payments(key: Key) -> PaymentTable:
    """The table of a hand; made when it is first needed."""
    table = _TABLES.get(key)
    if table is None:
        if len(_TABLES) >= _TABLES_KEPT:
            _TABLES.clear()
        table = _TABLES[key] = _build(key)
    return table


def _build(key: Key) -> PaymentTable:
    slots: dict[int, list[Vector]] = {}
    pile: dict[int, list[Vector]] = {}
    for vector in product(*(range(count + 1) for _, count, _ in key)):
        total = 0
        smallest = 0
        roles = set()
        for (value, _, role), number in zip(key, vector, strict=True):
            if number:
                total += value * number
                smallest = value if smallest == 0 else min(smallest, value)
                roles.add(role)
        for cost in range(1, total + 1):
            if LIFTS_OVERPAY in roles or not overpays(total, smallest, cost):
                slots.setdefault(cost, []).append(vector)
                if OPENS_DISCARD in roles:
                    pile.setdefault(cost, []).append(vector)
    return PaymentTable(
        {cost: tuple(vectors) for cost, vectors in slots.items()},
        {cost: tuple(vectors) for cost, vectors in pile.items()},
    )


def exact_sums(groups: tuple[tuple[int, int], ...], total: int) -> tuple[Vector, ...]:
    """How many cards of each (value, number of cards) group add up to the total exactly; cached."""
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
