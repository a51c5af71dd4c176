"""Counting choices without making them: one int whose field `n` says how many choices have the total `n`.

Such ints add and multiply like polynomials, all totals at once.
"""

from __future__ import annotations

from functools import cache
from typing import Final

FIELD: Final = 32
"""Bits of a field: no hand has so many choices that one runs over."""
FIELD_MASK: Final = (1 << FIELD) - 1

Polynomial = int


def field(counts: Polynomial, total: int) -> int:
    """The number of choices with this total."""
    return counts >> FIELD * total & FIELD_MASK


def up_to(most: int) -> int:
    """The mask of the fields 0 to `most`."""
    return (1 << FIELD * (most + 1)) - 1


@cache
def multiples(value: int, count: int) -> Polynomial:
    """Taking at least one of so many alike cards of a value."""
    return sum([1 << FIELD * value * number for number in range(1, count + 1)])


@cache
def steps(most: int) -> Polynomial:
    """One choice for each total from 1 to `most`."""
    return sum([1 << FIELD * total for total in range(1, most + 1)])
