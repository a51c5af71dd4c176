"""Violations per opportunity, by entrant and code, with intervals; and which entrants differ in which code.

The intervals are those of ``harness.compliance.shares``: deals are the clusters.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from scipy.stats import false_discovery_control
from scipy.stats import t as student

from harness.compliance.opportunities import FirstAttempt
from harness.compliance.shares import Counts, share

ANY_RULE: Final = "any"
"""Stands for all codes together: one opportunity for each readable first attempt."""


@dataclass(frozen=True)
class Rate:
    """Violations of one code by one entrant; ``low`` and ``high`` bound the 95 % interval of their rate.

    ``effective`` is the number of independent opportunities that would tell as much, ``deals`` on how many deals there
    were any.
    """

    entrant: str
    code: str
    violations: int
    opportunities: int
    low: float
    high: float
    effective: float
    deals: int

    @property
    def value(self) -> float:
        """Violations per opportunity."""
        return self.violations / self.opportunities


@dataclass(frozen=True)
class Difference:
    """How much more often the first entrant breaks a code than the second.

    ``q`` is the false discovery rate of calling this difference real, and all that have a smaller one: over all
    pairs and codes, by Benjamini and Hochberg.
    """

    code: str
    first: str
    second: str
    difference: float
    p: float
    q: float


def count(attempts: Iterable[FirstAttempt]) -> dict[tuple[str, str], dict[str, tuple[int, int]]]:
    """Return violations and opportunities by deal, for every (entrant, code) that was open at all."""
    found: dict[tuple[str, str], dict[str, tuple[int, int]]] = defaultdict(dict)
    for attempt in attempts:
        for code in (ANY_RULE, *attempt.open):
            deals = found[attempt.entrant, code]
            violations, opportunities = deals.get(attempt.deal, (0, 0))
            broken = attempt.broken is not None if code == ANY_RULE else attempt.broken == code
            deals[attempt.deal] = (violations + broken, opportunities + 1)
    return dict(found)


def rate(entrant: str, code: str, counts: Counts) -> Rate:
    """Return the rate with its interval. ``counts`` must hold at least one opportunity."""
    found = share(counts)
    return Rate(entrant, code, found.part, found.whole, found.low, found.high, found.effective, found.deals)


def differences(counts: Mapping[tuple[str, str], Counts]) -> list[Difference]:
    """Compare all pairs of entrants in every code that was open to both; the clearest differences come first."""
    compared = []
    codes = dict.fromkeys(code for _, code in counts)
    entrants = sorted({entrant for entrant, _ in counts})
    for code in codes:
        for first, second in combinations(entrants, 2):
            if (first, code) in counts and (second, code) in counts:
                one, other = rate(first, code, counts[first, code]), rate(second, code, counts[second, code])
                compared.append((code, one, other, _p_value(one, other)))
    if not compared:
        return []
    adjusted = false_discovery_control([p for *_, p in compared])
    found = [
        Difference(code, one.entrant, other.entrant, one.value - other.value, p, float(q))
        for (code, one, other, p), q in zip(compared, adjusted, strict=True)
    ]
    return sorted(found, key=lambda one: (one.q, one.code, one.first, one.second))


def _p_value(one: Rate, other: Rate) -> float:
    """Two-sided, by the score test on the effective numbers of opportunities; Student's t, for deals are few."""
    pooled = (one.value * one.effective + other.value * other.effective) / (one.effective + other.effective)
    error = math.sqrt(pooled * (1 - pooled) * (1 / one.effective + 1 / other.effective))
    freedom = max(1, one.deals + other.deals - 2)
    return 1.0 if error == 0 else float(2 * student.sf(abs(one.value - other.value) / error, freedom))


def table(attempts: Iterable[FirstAttempt]) -> tuple[list[Rate], list[Difference]]:
    """Return all rates, entrant by entrant with the worst code first, and all differences."""
    counts = count(attempts)
    rates = [rate(entrant, code, deals) for (entrant, code), deals in counts.items()]
    return sorted(rates, key=_worst_first), differences(counts)


def _worst_first(one: Rate) -> tuple[str, bool, float, float, str]:
    return one.entrant, one.code != ANY_RULE, -one.value, -one.low, one.code


def worst(rates: Sequence[Rate], entrant: str, most: int) -> list[Rate]:
    """Return the codes an entrant breaks most surely: those with the highest lower bounds, violated at least once."""
    own = [one for one in rates if one.entrant == entrant and one.code != ANY_RULE and one.violations]
    return sorted(own, key=lambda one: (-one.low, one.code))[:most]
