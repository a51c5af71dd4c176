"""Numbers as they are told: quantiles, and counts and times in few characters where there is little room."""

from __future__ import annotations

import math
from collections.abc import Sequence


def quantile_of(ordered: Sequence[float], at: float) -> float:
    """The smallest of some values, in rising order, that a share ``at`` of them does not exceed; there must be one.

    The median of an even number is the lower of the two in the middle.
    """
    return ordered[min(len(ordered), max(1, math.ceil(at * len(ordered)))) - 1]


def short(count: float) -> str:
    """A count in at most six characters: 999, 12.3k, 4.5M."""
    for divisor, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= divisor:
            return f"{count / divisor:.1f}{unit}"
    return str(round(count))


def duration(seconds: float) -> str:
    """A time as people say it, to the unit that matters: 45 s, 12 min, 3 h 20 min, 2 d 4 h."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h" if hours else f"{days} d"
