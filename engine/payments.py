"""Which payments are legal, from tables keyed on the values at hand (R-MKT-05 to R-MKT-09).

A hand is seen as groups of alike cards: a key says value, number of cards and role of each group, a payment how many
cards of each group are paid.
"""

from __future__ import annotations

from itertools import product
from typing import Final

from engine.tables import MARKET_DISCOVERY, SLUGS, STOCK_CLEARANCE, THRIFTY, VALUE
from engine.types import EDITIONS, JUNK, KIND_MASK, SLOTS, Kind

MOST_THROWN: Final = 3
"""How many paid junk cards Essential Purchase may throw away (PAN3c-2)."""
NO_ROLE: Final = 0
LIFTS_OVERPAY: Final = 1
"""Stock Clearance: paid with, it drops the overpay rule (R-MKT-08, PAN5Bc-2)."""
OPENS_DISCARD: Final = 2
"""Market Discovery: paid with, the market discard may be bought from (PAN4c-2)."""
IS_JUNK: Final = 3
"""Junk: what Essential Purchase may throw away (PAN3c-3)."""
ROLES: Final[dict[Kind, int]] = {JUNK: IS_JUNK, STOCK_CLEARANCE: LIFTS_OVERPAY, MARKET_DISCOVERY: OPENS_DISCARD}

Key = tuple[int, ...]
"""A hand: for each group value, role and number of cards in one int (see `key_part`)."""
Vector = tuple[int, ...]
ROLE_BITS: Final = 6
_VALUE_BITS: Final = 10
_COUNT: Final = (1 << ROLE_BITS) - 1

Base = tuple[int, int, int]
"""Other cards paid as well: their total, the smallest value, a mask of 1 << role."""
_NOTHING: Final = 99
"""Larger than any value: the smallest card of an empty selection."""
NO_BASE: Final[Base] = (0, _NOTHING, 0)

DEAREST: Final = 9
"""The highest cost without alterations: value 5 in slot 4."""

_THRIFTY: Final = 16
_UNCOUNTED: Final = -1
NOT_FOR_SALE: Final = 15
"""The cost code of an empty slot; a cost is its own code, plus _THRIFTY for the classic Essential Purchase."""


def _codes(edition: int, slot: int) -> tuple[int, ...]:
    codes = [NOT_FOR_SALE] * (KIND_MASK + 1)
    for kind in range(len(SLUGS)):
        codes[kind] = VALUE[kind] + slot + (_THRIFTY if kind == THRIFTY[edition] else 0)
    return tuple(codes)


COST_CODES: Final = tuple(tuple(_codes(edition, slot) for slot in range(SLOTS)) for edition in range(len(EDITIONS)))
"""For each edition and slot the cost code of a market card by kind, while no cost is altered (R-MKT-02, R-MKT-03)."""


def role_of(kind: Kind) -> int:
    """The role of a card in payments."""
    return ROLES.get(kind, NO_ROLE)


def key_part(value: int, count: int, role: int) -> int:
    """One group of a key; up to 63 cards."""
    return value << _VALUE_BITS | role << ROLE_BITS | count


class PaymentTable:
    """The legal payments of a hand by cost; plain tuples, because the garbage collector passes over them.

    slots: for a card in a slot. market_discard: for the top card of the market discard, () if nothing opens it.
    sizes: how many purchases there are by cost code; of Essential Purchase, once for every number of junk cards thrown
    away, when counted.
    """

    __slots__ = ("_junk", "market_discard", "sizes", "slots")

    def __init__(self, slots: list[list[Vector]], market_discard: list[list[Vector]], junk: tuple[int, ...]) -> None:
        """slots, market_discard: vectors by cost. junk: the places of junk in a vector."""
        self.slots = tuple([tuple(vectors) for vectors in slots])
        self.market_discard = tuple([tuple(vectors) for vectors in market_discard]) if any(market_discard) else ()
        counts = [len(vectors) for vectors in slots[: DEAREST + 1]] + [0] * (_THRIFTY - DEAREST - 1)
        self.sizes = (*counts, *[_UNCOUNTED if count else 0 for count in counts])
        self._junk = junk

    def size(self, code: int) -> int:
        """The number of purchases by cost code."""
        size = self.sizes[code]
        if size == _UNCOUNTED:
            size = len(self.thrifty(self.slots[code - _THRIFTY]))
            self.sizes = (*self.sizes[:code], size, *self.sizes[code + 1 :])
        return size

    def of_slot(self, cost: int) -> tuple[Vector, ...]:
        """The payments for a card in a slot at this cost."""
        return self.slots[cost] if cost < len(self.slots) else ()

    def of_market_discard(self, cost: int) -> tuple[Vector, ...]:
        """The payments for the top card of the market discard at this cost."""
        return self.market_discard[cost] if cost < len(self.market_discard) else ()

    def thrifty(self, vectors: tuple[Vector, ...]) -> tuple[Vector, ...]:
        """Payments of Essential Purchase, each followed by how many paid junk cards are thrown away (PAN3c-2)."""
        found = []
        for vector in vectors:
            most = min(MOST_THROWN, sum([vector[place] for place in self._junk]))
            found += [(*vector, thrown) for thrown in range(most + 1)]
        return tuple(found)


_TABLES: Final[dict[tuple[Key, Base, int, int], PaymentTable]] = {}
_TABLES_KEPT: Final = 20_000
_MOST_KEPT_CARDS: Final = 9
"""Tables of larger hands are made anew each time: kept, a few thousand of them would fill the memory."""


def overpays(total: int, smallest: int, cost: int) -> bool:
    """The overpay rule: some paid card is superfluous (R-MKT-07)."""
    return total - smallest >= cost


def gold_needed(cost: int, total: int) -> int:
    """The gold a purchase takes: what the paid cards leave open of the cost, never more (R-TRM-03)."""
    return max(0, cost - total)


def lowest_cost(total: int, smallest: int, lifted: bool) -> int:
    """The lowest cost above 0 a payment is legal for: any lower one it overpays (R-MKT-07, R-MKT-08)."""
    return 1 if lifted else max(1, total - smallest + 1)


def payments(key: Key, base: Base = NO_BASE, dearest: int = DEAREST, gold: int = 0) -> PaymentTable:
    """The table of a hand, together with other cards that are paid as well; made when it is first needed.

    dearest: the highest cost asked for. gold: what the seat has of it (R-TRM-02).
    """
    whole = (key, base, dearest, gold)
    table = _TABLES.get(whole)
    if table is None:
        table = _build(key, base, dearest, gold)
        if sum([part & _COUNT for part in key]) <= _MOST_KEPT_CARDS:
            if len(_TABLES) >= _TABLES_KEPT:
                _TABLES.clear()
            _TABLES[whole] = table
    return table


def _build(key: Key, base: Base, dearest: int, gold: int) -> PaymentTable:
    # selections so far: vector, total, smallest value, mask of roles
    found: list[tuple[Vector, int, int, int]] = [((), *base)]
    may_lift = base[2] >> LIFTS_OVERPAY & 1 or any([part >> ROLE_BITS & 15 == LIFTS_OVERPAY for part in key])
    for part in key:
        value = part >> _VALUE_BITS
        role = 1 << (part >> ROLE_BITS & 15)
        most = part & _COUNT
        longer: list[tuple[Vector, int, int, int]] = []
        for vector, total, smallest, roles in found:
            longer.append(((*vector, 0), total, smallest, roles))
            least = smallest if smallest < value else value
            # more cards than that overpay whatever is for sale, and further ones only make it worse
            room = most if may_lift else min(most, (dearest - 1 + least - total) // value)
            for number in range(1, room + 1):
                longer.append(((*vector, number), total + value * number, least, roles | role))
        found = longer
    slots: list[list[Vector]] = [[] for _ in range(dearest + 1)]
    pile: list[list[Vector]] = [[] for _ in range(dearest + 1)]
    for vector, total, smallest, roles in found:
        lowest = lowest_cost(total, smallest, bool(roles >> LIFTS_OVERPAY & 1))
        # above its total gold pays the rest, and no card is superfluous (R-TRM-03)
        for cost in range(lowest, min(total + gold, dearest) + 1):
            slots[cost].append(vector)
            if roles >> OPENS_DISCARD & 1:
                pile[cost].append(vector)
    if base == NO_BASE:
        slots[0] = [found[0][0]]  # a cost of 0 is paid with nothing at all (R-MKT-09)
    junk = [place for place, part in enumerate(key) if part >> ROLE_BITS & 15 == IS_JUNK]
    return PaymentTable(slots, pile, tuple(junk))


_SUMS: Final[dict[tuple[tuple[tuple[int, int], ...], int], tuple[Vector, ...]]] = {}


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
