"""Counter-based randomness by source (R-RND-01): a value depends on the seed, its source and that source's counter.

So the k-th shuffle of a seat is the same whatever the other players did, and a state needs no
generator, only its counters. Mixing is splitmix64's finaliser; a range is taken by multiply-and-shift
from the upper bits, with a fresh 64-bit value before the used-up share of its bits could be felt
(bias below 2**-30).
"""

from __future__ import annotations

from functools import cache
from typing import Final

MASK: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15

# Sources. Shuffles of seat s use SHUFFLES + s.
SETS: Final = 0
START_PLAYER: Final = 1
MARKET_SHUFFLES: Final = 2
DICE: Final = 3
PICKS: Final = 4
SHUFFLES: Final = 5
SOURCES: Final = 9
REDEALS: Final = SOURCES
"""No source of a game: what re-dealing draws from, by a seed of its own (determinise.py)."""


def mix(value: int) -> int:
    """A 64-bit value scrambled to another one (splitmix64's finaliser)."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


def stream(seed: int, source: int, count: int) -> int:
    """The 64-bit value that starts the `count`-th random event of `source`."""
    return mix(mix(mix(seed & MASK ^ seed >> 64 & MASK) + _GOLDEN * (source + 1) & MASK) + _GOLDEN * (count + 1) & MASK)


Run = tuple[int, int, tuple[tuple[int, int], ...]]
"""Places for which one 64-bit value suffices: what is added to the start of the event for that value; how many outcomes
they have together; and each place with how many outcomes those after it have."""


@cache
def _runs(count: int) -> tuple[Run, ...]:
    """The places 1 to `count` - 1, the last first, in runs of at most 2**32 outcomes."""
    runs: list[Run] = []
    places: list[int] = []
    outcomes = 1
    for last in range(count - 1, 0, -1):
        if outcomes * (last + 1) >> 32:
            runs.append(_run(len(runs), places))
            places = []
            outcomes = 1
        outcomes *= last + 1
        places.append(last)
    return (*runs, _run(len(runs), places))


def _run(number: int, places: list[int]) -> Run:
    outcomes = 1
    further = []
    for last in reversed(places):
        further.append((last, outcomes))
        outcomes *= last + 1
    return _GOLDEN * number, outcomes, tuple(further[::-1])


def shuffled(items: list[int], start: int) -> list[int]:
    """A new list with the items in an order uniform over all orders (R-RND-02)."""
    result = items[:]
    for step, outcomes, places in _runs(len(items)):
        # one number below `outcomes`, whose digits are the places to change with
        draw = (mix(start + step & MASK) if step else start) * outcomes >> 64
        for last, further in places:
            index = draw // further
            draw -= index * further
            result[last], result[index] = result[index], result[last]
    return result


def below(bound: int, start: int) -> int:
    """A number from 0 to bound - 1."""
    return start * bound >> 64


def sample(items: list[int], count: int, start: int) -> list[int]:
    """`count` of the items, without replacement, uniformly (R-EFF-05)."""
    return shuffled(items, start)[len(items) - count :]
