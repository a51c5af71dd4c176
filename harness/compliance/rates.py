"""Violations per opportunity, by entrant and code, with intervals; and which entrants differ in which code.

Decisions of one game are not independent, so intervals are Wilson's with the number of opportunities divided by the
design effect: how much more the games differ from each other than independent decisions would.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from scipy.stats import false_discovery_control, norm

from harness.compliance.opportunities import FirstAttempt

CONFIDENCE: Final = 0.95
ANY_RULE: Final = "any"
"""Stands for all codes together: one opportunity for each readable first attempt."""

Counts = Mapping[str, tuple[int, int]]
"""By game: violations and opportunities."""


@dataclass(frozen=True)
class Rate:
    """Violations of one code by one entrant; ``low`` and ``high`` bound the 95 % interval of their rate.

    ``effective`` is the number of independent opportunities that would tell as much.
    """

    entrant: str
    code: str
    violations: int
    opportunities: int
    low: float
    high: float
    effective: float

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
    """Return violations and opportunities by game, for every (entrant, code) that was open at all."""
    found: dict[tuple[str, str], dict[str, tuple[int, int]]] = defaultdict(dict)
    for attempt in attempts:
        for code in (ANY_RULE, *attempt.open):
            games = found[attempt.entrant, code]
            violations, opportunities = games.get(attempt.game, (0, 0))
            broken = attempt.broken is not None if code == ANY_RULE else attempt.broken == code
            games[attempt.game] = (violations + broken, opportunities + 1)
    return dict(found)


def rate(entrant: str, code: str, games: Counts) -> Rate:
    """Return the rate with its interval. ``games`` must hold at least one opportunity."""
    violations = sum(broken for broken, _ in games.values())
    opportunities = sum(there for _, there in games.values())
    effective = opportunities / _design_effect(games)
    low, high = _wilson(violations / opportunities, effective)
    return Rate(entrant, code, violations, opportunities, low, high, effective)


def _wilson(share: float, trials: float) -> tuple[float, float]:
    """Wilson's interval; libraries have it for whole numbers of trials only."""
    z = float(norm.isf((1 - CONFIDENCE) / 2))
    middle = share + z * z / (2 * trials)
    reach = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def _variance(games: Counts) -> float:
    """The variance of violations per opportunity, from the spread between games."""
    if len(games) < 2:
        return 0.0
    total = sum(there for _, there in games.values())
    share = sum(broken for broken, _ in games.values()) / total
    spread = math.fsum((broken - share * there) ** 2 for broken, there in games.values())
    return spread * len(games) / (len(games) - 1) / total**2


def _design_effect(games: Counts) -> float:
    total = sum(there for _, there in games.values())
    share = sum(broken for broken, _ in games.values()) / total
    independent = share * (1 - share) / total
    return max(1.0, _variance(games) / independent) if independent > 0 else 1.0


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
    """Two-sided, by the score test on the effective numbers of opportunities."""
    pooled = (one.value * one.effective + other.value * other.effective) / (one.effective + other.effective)
    error = math.sqrt(pooled * (1 - pooled) * (1 / one.effective + 1 / other.effective))
    return 1.0 if error == 0 else float(2 * norm.sf(abs(one.value - other.value) / error))


def table(attempts: Iterable[FirstAttempt]) -> tuple[list[Rate], list[Difference]]:
    """Return all rates, entrant by entrant with the worst code first, and all differences."""
    counts = count(attempts)
    rates = [rate(entrant, code, games) for (entrant, code), games in counts.items()]
    return sorted(rates, key=_worst_first), differences(counts)


def _worst_first(one: Rate) -> tuple[str, bool, float, float, str]:
    return one.entrant, one.code != ANY_RULE, -one.value, -one.low, one.code


def worst(rates: Sequence[Rate], entrant: str, most: int) -> list[Rate]:
    """Return the codes an entrant breaks most surely: those with the highest lower bounds, violated at least once."""
    own = [one for one in rates if one.entrant == entrant and one.code != ANY_RULE and one.violations]
    return sorted(own, key=lambda one: (-one.low, one.code))[:most]
