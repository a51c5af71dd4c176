"""Which payments are legal, from tables keyed on the values at hand (R-MKT-05 to R-MKT-09).

A hand is seen as groups of alike cards: a key says value, number of cards and role of each group, a payment is a
choice (`engine.choices`) of how many cards of each group are paid. How many payments there are is counted without
making them (`engine.polynomials`).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.caches import make_room
from engine.choices import Choice
from engine.polynomials import FIELD, FIELD_MASK, Polynomial, field, multiples, steps, up_to
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
_UNCOUNTED: Final = -1 << 40
_GAP: Final = (0,) * (_THRIFTY - DEAREST - 1)
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


Group = tuple[int, int, int]
"""Alike cards of a hand: value, role, number of cards."""


class PaymentTable:
    """The legal payments of a hand by cost.

    counts: how many payments there are by cost, of those above 0. sizes: how many purchases of an ordinary hand there
    are by cost code, of Essential Purchase once for every number of junk cards thrown away; below 0 where
    `count_thrifty` has to be called first. opens: whether the market discard may be bought from. inventory: how many
    choices of cards there are.
    """

    __slots__ = ("_base", "_dearest", "_gold", "_rungs", "_slots", "counts", "groups", "inventory", "opens", "sizes")

    def __init__(self, groups: list[Group], base: Base, dearest: int, gold: int, counts: Polynomial) -> None:
        self.groups = groups
        self._base = base
        self._dearest = dearest
        self._gold = gold
        self.counts = counts
        self._slots: dict[int, tuple[Choice, ...]] | None = None
        self._rungs: dict[int, tuple[Polynomial, Polynomial]] | None = None
        roles = base[2]
        inventory = 1
        for _, role, count in groups:
            roles |= 1 << role
            inventory *= count + 1
        self.inventory = inventory
        self.opens = roles >> OPENS_DISCARD & 1 != 0
        self.sizes: tuple[int, ...] = ()
        if base == NO_BASE and dearest == DEAREST:
            plain = _by_cost(counts)
            junk = roles >> IS_JUNK & 1
            thrifty = [_UNCOUNTED if junk and size else size for size in plain]
            self.sizes = (*plain, *_GAP, *thrifty)

    def count_thrifty(self) -> None:
        """Complete `sizes`."""
        counts = _counts(self.groups, self._base, self._dearest, self._gold, True)
        self.sizes = (*self.sizes[:_THRIFTY], *_by_cost(counts))

    def size(self, cost: int) -> int:
        """The number of payments for a card in a slot."""
        return field(self.counts, cost) if cost else int(self._base == NO_BASE)

    def together_with(self, base: Base) -> Polynomial:
        """How many payments there are by cost together with other cards, for the table of the hand alone."""
        total, smallest, roles = base
        if roles >> LIFTS_OVERPAY & 1 or any([role == LIFTS_OVERPAY for _, role, _ in self.groups]):
            return _counts(self.groups, base, self._dearest, self._gold, False)
        if self._rungs is None:
            self._rungs = {}
        rung = self._rungs.get(smallest)
        if rung is None:
            rung = self._rungs[smallest] = _rung(self.groups, smallest, self._dearest, self._gold, False)
        with_base = rung[0] * steps(smallest + self._gold) << FIELD * total >> FIELD * smallest
        return with_base + (rung[1] << FIELD * total)

    def of_slot(self, cost: int) -> tuple[Choice, ...]:
        """The payments for a card in a slot at this cost, fewest cards of the first groups first."""
        if self._slots is None:
            self._slots = {}
        found = self._slots.get(cost)
        if found is None:
            found = self._slots[cost] = self._payments(cost)
        return found

    def in_discard(self, cost: int, thrifty: bool = False) -> int:
        """How many purchases of the top card of the market discard there are; thrifty: as of Essential Purchase."""
        if not self.opens or not 0 < cost <= self._dearest:
            return 0
        if thrifty:
            return len(self.thrifty(self.of_market_discard(cost)))
        if self._base[2] >> OPENS_DISCARD & 1:
            return self.size(cost)
        closed = [group for group in self.groups if group[1] != OPENS_DISCARD]
        return self.size(cost) - field(_counts(closed, self._base, self._dearest, self._gold, False), cost)

    def of_market_discard(self, cost: int) -> tuple[Choice, ...]:
        """The payments for the top card of the market discard at this cost."""
        if not self.opens:
            return ()
        choices = self.of_slot(cost)
        if self._base[2] >> OPENS_DISCARD & 1:
            return choices
        found = []
        for choice in choices:
            left = choice
            for _, role, count in self.groups:
                left, number = divmod(left, count + 1)
                if number and role == OPENS_DISCARD:
                    found.append(choice)
                    break
        return tuple(found)

    def junk_groups(self) -> list[tuple[int, int]]:
        """The digits of a choice that say how much junk is paid: what one card adds, and how many numbers there are."""
        groups = []
        worth = 1
        for _, role, count in self.groups:
            if role == IS_JUNK:
                groups.append((worth, count + 1))
            worth *= count + 1
        return groups

    def thrifty(self, choices: tuple[Choice, ...]) -> tuple[tuple[Choice, int], ...]:
        """Payments of Essential Purchase, each with how many paid junk cards are thrown away (PAN3c-2)."""
        groups = self.junk_groups()
        found = []
        for choice in choices:
            junk = sum([choice // worth % room for worth, room in groups])
            found += [(choice, thrown) for thrown in range(min(MOST_THROWN, junk) + 1)]
        return tuple(found)

    def _payments(self, cost: int) -> tuple[Choice, ...]:
        if cost > self._dearest:
            return ()
        if not cost:
            return (0,) if self._base == NO_BASE else ()
        total, smallest, roles = self._base
        lifted = roles >> LIFTS_OVERPAY & 1
        may_lift = lifted or any([role == LIFTS_OVERPAY for _, role, _ in self.groups])
        # in one int each the total, the choice, and in the last bit whether the overpay rule is lifted
        room = self.inventory.bit_length() + 1
        least = cost - self._gold - total << room
        most = cost + smallest - total << room
        # of the groups so far, the last ones first
        rest = [lifted]
        found = [lifted] if least <= 0 and (most > 0 or lifted) else []
        worth = self.inventory
        for value, role, count in reversed(self.groups):
            worth //= count + 1
            one_more = value << room | worth << 1
            longer: list[int] = []
            last = [one | 1 for one in rest] if role == LIFTS_OVERPAY else rest
            for _ in range(count):
                last = [one + one_more for one in last]
                longer += last
            if value < smallest:
                most = cost + value - total << room  # a card of this group is the smallest
            found += [one for one in longer if least <= one and (one < most or one & 1)]
            # further cards of smaller value than these overpay
            rest += longer if may_lift else [one for one in longer if one < most]
        choices = (1 << room - 1) - 1
        return tuple([one >> 1 & choices for one in found])


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


def payments(key: Key, base: Base = NO_BASE, dearest: int = DEAREST, gold: int = 0) -> PaymentTable:
    """The table of a hand, together with other cards that are paid as well; made when it is first needed.

    dearest: the highest cost asked for. gold: what the seat has of it (R-TRM-02).
    """
    whole = (key, base, dearest, gold)
    table = _TABLES.get(whole)
    if table is None:
        if base == NO_BASE:
            groups = [(part >> _VALUE_BITS, part >> ROLE_BITS & 15, part & _COUNT) for part in key]
            counts = _counts(groups, base, dearest, gold, False)
        else:
            alone = payments(key, NO_BASE, dearest, gold)
            groups = alone.groups
            counts = alone.together_with(base)
        table = PaymentTable(groups, base, dearest, gold, counts)
        if sum([part & _COUNT for part in key]) <= _MOST_KEPT_CARDS:
            make_room(_TABLES, _TABLES_KEPT)
            _TABLES[whole] = table
    return table


@cache
def _thrown(value: int, count: int) -> Polynomial:
    """Paying at least one of so many junk cards, once for every number of them that is thrown away (PAN3c-2)."""
    return sum([multiples(value, 1) ** number * (min(MOST_THROWN, number) + 1) for number in range(1, count + 1)])


def _by_cost(counts: Polynomial) -> list[int]:
    """The numbers of payments for costs up to the dearest; a cost of 0 is paid with nothing at all (R-MKT-09)."""
    sizes = [1]
    for _ in range(DEAREST):
        counts >>= FIELD
        sizes.append(counts & FIELD_MASK)
    return sizes


def _paying(group: Group, thrifty: bool) -> Polynomial:
    value, role, count = group
    return _thrown(value, count) if thrifty and role == IS_JUNK else multiples(value, count)


def _counts(groups: list[Group], base: Base, dearest: int, gold: int, thrifty: bool) -> Polynomial:
    """How many payments there are by cost; thrifty: each once for every number of junk cards thrown away."""
    if base[2] >> LIFTS_OVERPAY & 1:
        return _lifted(groups, base[0], dearest, gold, thrifty)
    others = [group for group in groups if group[1] != LIFTS_OVERPAY]
    counts = _not_lifted(others, base, dearest, gold, thrifty)
    if len(others) < len(groups):
        counts += _lifted(groups, base[0], dearest, gold, thrifty) - _lifted(others, base[0], dearest, gold, thrifty)
    return counts


def _not_lifted(groups: list[Group], base: Base, dearest: int, gold: int, thrifty: bool) -> Polynomial:
    """Payments the overpay rule holds for, by cost (R-MKT-07, R-TRM-03).

    One with the total `t` and the smallest card `v` serves for the costs above `t - v` up to `t`, and beyond by gold.
    """
    total, smallest, _ = base
    larger, counts = _rung(groups, smallest, dearest, gold, thrifty)
    if smallest == _NOTHING:
        return counts + steps(gold)
    with_base = larger * steps(smallest + gold) << FIELD * total >> FIELD * smallest
    return with_base + (counts << FIELD * total)


def _rung(groups: list[Group], smallest: int, dearest: int, gold: int, thrifty: bool) -> tuple[Polynomial, Polynomial]:
    """The choices of cards of at least a value, by total; and the payments with a card below that value, by cost.

    Groups are given by ascending value: a group's cards are the smallest of a payment together with any choice of the
    groups after it.
    """
    mask = up_to(dearest + max(0 if smallest == _NOTHING else smallest, groups[-1][0] if groups else 0))
    rest = 1
    place = len(groups)
    while place and groups[place - 1][0] >= smallest:
        place -= 1
        rest += rest * _paying(groups[place], thrifty) & mask
    larger = rest
    counts = 0
    for group in reversed(groups[:place]):
        longer = rest * _paying(group, thrifty) & mask
        counts += (longer >> FIELD * group[0]) * steps(group[0] + gold)
        rest += longer
    return larger, counts


def _lifted(groups: list[Group], total: int, dearest: int, gold: int, thrifty: bool) -> Polynomial:
    """All that pays a cost, together with cards of a total, as if there were no overpay rule (R-MKT-08)."""
    mask = up_to(dearest)
    every = 1
    rest = 1
    for group in groups:
        paying = _paying(group, thrifty)
        rest += rest * paying & mask
        every += every * sum([field(paying, group[0] * number) for number in range(1, group[2] + 1)])
    counts = 0
    short = 0
    for cost in range(1, dearest + 1):
        if cost > gold + total:
            short += field(rest, cost - gold - total - 1)
        counts += every - short << FIELD * cost
    return counts
