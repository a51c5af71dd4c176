"""Shares of decisions with 95 % intervals, and differences of shares, where decisions of one deal are alike.

The games on one deal share its cards, so that whoever misreads one position misreads it in all of them. Deals are
therefore the clusters: the spread between them says how many independent decisions would tell as much (the design
effect), and a quantile of Student's t for the number of deals takes the place of the normal one, for a few deals tell
little about that spread.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from scipy.stats import t as student

from harness.figures import quantile_of
from harness.records import Header

CONFIDENCE: Final = 0.95

Counts = Mapping[str, tuple[int, int]]
"""By deal: how many of how many."""
Points = Mapping[Any, tuple[float, int]]
"""The same where one of them may count in part, as a draw for half a game."""


@dataclass(frozen=True)
class Share:
    """``part`` of ``whole``; ``low`` and ``high`` bound the 95 % interval of the share.

    ``effective`` is the number of independent decisions that would tell as much.
    """

    part: int
    whole: int
    low: float
    high: float
    effective: float
    deals: int

    @property
    def value(self) -> float:
        """The share itself, from 0 to 1."""
        return self.part / self.whole

    def bounds(self, dash: str = "-") -> str:
        """Return the interval in percent as people read it, with one decimal where it is narrow."""
        digits = 1 if self.high - self.low < 0.1 else 0
        return f"{100 * self.low:.{digits}f}{dash}{100 * self.high:.{digits}f}"


@dataclass(frozen=True)
class Gap:
    """The difference of two shares on the same deals; ``low`` and ``high`` are None for fewer than two deals."""

    value: float
    low: float | None
    high: float | None
    deals: int


def deal_of(header: Header) -> str:
    """Return what tells the deal of a game from all others, in any run: games that share it share their cards."""
    place = (header.edition, header.variant, header.players, *header.sets, header.start or "drawn", header.seed)
    return "/".join(map(str, place))


def share(counts: Counts) -> Share:
    """Return a share with its interval. ``counts`` must hold at least one decision."""
    low, high, effective = interval(counts)
    part, whole = (sum(one[side] for one in counts.values()) for side in (0, 1))
    return Share(part, whole, low, high, effective, len(counts))


def interval(counts: Points) -> tuple[float, float, float]:
    """Return the bounds of the 95 % interval of a share (Wilson's), and the effective number it is of."""
    part, whole = _total(counts)
    effective = whole / design_effect(counts)
    return *_wilson(part / whole, effective, critical(len(counts))), effective


@cache
def critical(deals: int) -> float:
    """How many standard errors an interval reaches; one deal, which tells nothing of others, is taken for two."""
    return float(student.isf((1 - CONFIDENCE) / 2, max(1, deals - 1)))


def design_effect(counts: Points) -> float:
    """How much more the deals differ than independent decisions would: the ratio of the variances, at least 1."""
    part, whole = _total(counts)
    independent = part / whole * (1 - part / whole) / whole
    return max(1.0, _variance(list(_residuals(counts).values())) / independent) if independent > 0 else 1.0


def _residuals(counts: Points) -> dict[Any, float]:
    """By deal what it adds to the error of the share (a ratio, linearised)."""
    part, whole = _total(counts)
    return {deal: (own - part / whole * there) / whole for deal, (own, there) in counts.items()}


def gap(pairs: Sequence[tuple[Counts, Counts]]) -> Gap:
    """Return the difference of two shares, first less second, as the mean over pairs of counts.

    Deals at which one of a pair has no decision are left out; each pair weighs the same. The interval is Newcombe's
    (his method 10) with both numbers of decisions divided by the design effect of the difference. Every pair must
    have a deal in common.
    """
    kept = [(_on(one, other), _on(other, one)) for one, other in pairs]
    deals = sorted({deal for one, _ in kept for deal in one})
    errors = dict.fromkeys(deals, 0.0)
    for one, other in kept:
        mine, theirs = _residuals(one), _residuals(other)
        for deal in mine:
            errors[deal] += (mine[deal] - theirs[deal]) / len(kept)
    first, second = (_mean_of([pair[side] for pair in kept]) for side in (0, 1))
    value = first.value - second.value
    if len(deals) < 2:
        return Gap(value, None, None, len(deals))
    independent = first.variance + second.variance
    widened = max(1.0, _variance(list(errors.values())) / independent) if independent > 0 else 1.0
    reach = critical(len(deals))
    (low1, high1), (low2, high2) = (_wilson(one.value, one.trials / widened, reach) for one in (first, second))
    down = math.hypot(first.value - low1, high2 - second.value)
    up = math.hypot(high1 - first.value, second.value - low2)
    return Gap(value, value - down, value + up, len(deals))


@dataclass(frozen=True)
class _Mean:
    """The mean of shares, its variance were all decisions independent, and the trials that have the same."""

    value: float
    variance: float
    trials: float


def _mean_of(cells: Sequence[Counts]) -> _Mean:
    totals = [_total(counts) for counts in cells]
    value = math.fsum(part / whole for part, whole in totals) / len(totals)
    variance = math.fsum(part / whole * (1 - part / whole) / whole for part, whole in totals) / len(totals) ** 2
    return _Mean(value, variance, len(totals) ** 2 / math.fsum(1 / whole for _, whole in totals))


def _on(counts: Counts, other: Counts) -> dict[str, tuple[int, int]]:
    return {deal: own for deal, own in counts.items() if deal in other}


def _total(counts: Points) -> tuple[float, int]:
    return sum(part for part, _ in counts.values()), sum(whole for _, whole in counts.values())


def _variance(errors: Sequence[float]) -> float:
    """The variance of a sum whose parts, one for each deal, are independent; 0 for a single deal."""
    if len(errors) < 2:
        return 0.0
    return math.fsum(error**2 for error in errors) * len(errors) / (len(errors) - 1)


def _wilson(share: float, trials: float, reach: float) -> tuple[float, float]:
    """Wilson's interval; libraries have it for whole numbers of trials only."""
    middle = share + reach**2 / (2 * trials)
    spread = reach * math.sqrt(share * (1 - share) / trials + reach**2 / (4 * trials**2))
    whole = 1 + reach**2 / trials
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def mean_and_reach(amounts: Mapping[str, tuple[float, int]]) -> tuple[float, float | None]:
    """Return an amount per decision and half the width of its 95 % interval, from (amount, decisions) by deal.

    The half width is None for fewer than two deals. There must be at least one decision.
    """
    total, whole = math.fsum(own for own, _ in amounts.values()), sum(there for _, there in amounts.values())
    ratio = total / whole
    if len(amounts) < 2:
        return ratio, None
    errors = [(own - ratio * there) / whole for own, there in amounts.values()]
    return ratio, critical(len(errors)) * math.sqrt(_variance(errors))


def quantile(values: Mapping[str, Sequence[float]], at: float) -> tuple[float, float | None, float | None]:
    """Return a quantile of values by deal and the bounds of its 95 % interval.

    The bounds are the values between which the interval of the share of values that are no larger holds ``at`` (a test
    inverted, after Francisco and Fuller). A bound that lies beyond all values is None. There must be a value.
    """
    every = sorted(value for own in values.values() for value in own)
    deals = {deal: sorted(own) for deal, own in values.items() if own}

    def bounds(value: float) -> tuple[float, float]:
        """The interval of the share of values that are no larger than this one; both ends rise with it."""
        low, high, _ = interval({deal: (bisect_right(own, value), len(own)) for deal, own in deals.items()})
        return low, high

    last = len(every) - 1
    first = bisect_left(every, True, key=lambda value: bounds(value)[1] >= at)
    behind = bisect_left(every, True, key=lambda value: bounds(value)[0] > at)
    low, high = every[first] if 0 < first <= last else None, every[behind] if behind <= last else None
    return quantile_of(every, at), low, high
