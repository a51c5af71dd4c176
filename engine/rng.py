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


def mix(value: int) -> int:
    """A 64-bit value scrambled to another one (splitmix64's finaliser)."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


def stream(seed: int, source: int, count: int) -> int:
    """The 64-bit value that starts the `count`-th random event of `source`."""
    return mix(mix(mix(seed & MASK ^ seed >> 64 & MASK) + _GOLDEN * (source + 1) & MASK) + _GOLDEN * (count + 1) & MASK)


@cache
def _runs(count: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The places 1 to `count` - 1, the last first, in runs for which one 64-bit value suffices.

    Each run with what is added to the start of the event for its value.
    """
    runs: list[tuple[int, tuple[int, ...]]] = []
    run: tuple[int, ...] = ()
    room = 1
    for last in range(count - 1, 0, -1):
        room *= last + 1
        if room >> 32:
            room = last + 1
            runs.append((_GOLDEN * len(runs), run))
            run = ()
        run += (last,)
    return (*runs, (_GOLDEN * len(runs), run))


def shuffled(items: list[int], start: int) -> list[int]:
    """A new list with the items in an order uniform over all orders (R-RND-02)."""
    result = items[:]
    for step, run in _runs(len(items)):
        draw = mix(start + step & MASK) if step else start
        for last in run:
            draw *= last + 1
            index = draw >> 64
            draw &= 0xFFFFFFFFFFFFFFFF
            result[last], result[index] = result[index], result[last]
    return result


def below(bound: int, start: int) -> int:
    """A number from 0 to bound - 1."""
    return start * bound >> 64


def sample(items: list[int], count: int, start: int) -> list[int]:
    """`count` of the items, without replacement, uniformly (R-EFF-05)."""
    return shuffled(items, start)[len(items) - count :]
