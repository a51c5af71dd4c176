"""How wide the 95 % intervals of a tournament will be, by simulating it with the project's own statistics.

Ratings: entrants of equal strength, and of a wide field, luck as in ``harness.ratings.simulation``, rated as a report
rates. Rates of rule following: first attempts that are correlated within a deal, counted as a report counts them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

import numpy as np

from harness.compliance.rates import ANY_RULE, rate
from harness.config import Tournament
from harness.forecast import assumptions as assumed
from harness.forecast.estimate import Expected
from harness.randomness import derive_seed
from harness.ratings.simulation import Luck, simulate
from harness.ratings.standings import ELO, Ratings
from harness.ratings.standings import rate as rate_strength
from harness.schedule import line_ups

GAMES: Final = 1200
"""Games of one simulated tournament; a longer one is cut to as many, and widths shrink with the root of the rest."""
RUNS: Final = 10
"""Simulated tournaments at most, and fewer of large ones."""
ALL_GAMES: Final = 4000
"""Games of all simulated tournaments together at most."""
RATES: Final = 200
"""Simulated counts of violations of one entrant at most, and fewer over many deals."""
LUCK: Final = Luck()
SPREAD: Final = 800.0
"""Elo points between the first and the last entrant of a field that is not of equals."""


@dataclass(frozen=True)
class Strength:
    """Half the widths of rating intervals in Elo points; None where too few blocks are played.

    ``alone`` is of the rating of each entrant, by name, ``apart`` of the difference of two on the mean. ``groups``
    holds entrants that never meet, directly or through others: there are no common ratings then.
    """

    alone: dict[str, float | None]
    apart: float | None
    groups: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Following:
    """The interval of the share of first attempts that break a rule, in one entrant's games.

    ``assumed`` is the share that is assumed or was seen in a sample; ``clear`` the highest share that is still left
    open if none breaks any.
    """

    first_attempts: int
    assumed: float
    low: float
    high: float
    clear: float


def strength(tournament: Tournament, spread: float = 0.0) -> Strength:
    """Return how well the strengths of entrants will be known.

    ``spread`` is how many Elo points the first entrant is stronger than the last, given the deal; the others stand
    evenly between them.
    """
    names = [entrant.name for entrant in tournament.entrants]
    tables = [[names.index(name) for name in table] for table in line_ups(tournament)]
    rotations = tournament.players if tournament.schedule.rotate else 1
    deals = tournament.schedule.deals
    some = tables[:: math.ceil(len(tables) * rotations * min(2, deals) / GAMES)]
    tried = min(deals, max(2, GAMES // (len(some) * rotations)))
    runs = max(2, min(RUNS, ALL_GAMES // (len(some) * rotations * tried)))
    true = [float(one) for one in np.linspace(spread, 0.0, len(names)) / ELO]
    found = [_rated(some, tried, true, run, tournament.schedule.rotate) for run in range(runs)]
    if found[0].apart:
        groups = tuple(tuple(names[int(one)] for one in group) for group in found[0].apart)
        return Strength(dict.fromkeys(names), None, groups if some == tables else ())
    shrink = math.sqrt(len(some) * tried / (len(tables) * deals))
    widths: dict[str, list[float]] = {name: [] for name in names}
    for ratings in found:
        for one in ratings.standings:
            if one.half_width is not None:
                widths[names[int(one.name)]].append(one.half_width)
    apart = [one.half_width for ratings in found for one in ratings.floors if one.half_width is not None]
    return Strength(
        {name: fmean(all_) * shrink if all_ else None for name, all_ in widths.items()},
        fmean(apart) * shrink if apart else None,
    )


def _rated(tables: Sequence[Sequence[int]], deals: int, true: Sequence[float], run: int, rotate: bool) -> Ratings:
    seed = derive_seed(run, "forecast")
    results = simulate(true, tables, deals, seed, LUCK, rotate=rotate)
    return rate_strength(results, {str(one): "alike" for one in range(len(true))}, seed=seed)


def following(one: Expected, deals: int) -> Following | None:
    """Return how well it will be known how often an entrant breaks a rule; None if it states nothing readable."""
    attempts = round(one.games * one.decisions * one.seen.readable)
    if not attempts:
        return None
    each = max(1, round(attempts / deals))
    seen = one.seen.violations(one.name)
    share = assumed.VIOLATION_RATE if seen is None else seen.value
    clustering = assumed.CLUSTERING if seen is None else _clustering(seen.opportunities / seen.effective, one)
    random = np.random.Generator(np.random.Philox(derive_seed(0, "rates")))
    lows, highs = [], []
    for _ in range(max(20, min(RATES, 20_000 // deals))):
        broken = random.binomial(each, _shares(random, share, clustering, deals))
        drawn = rate(one.name, ANY_RULE, {str(deal): (int(count), each) for deal, count in enumerate(broken)})
        lows.append(drawn.low)
        highs.append(drawn.high)
    none = rate(one.name, ANY_RULE, {str(deal): (0, each) for deal in range(deals)})
    return Following(attempts, share, fmean(lows), fmean(highs), none.high)


def _shares(random: np.random.Generator, share: float, clustering: float, deals: int) -> np.ndarray:
    """The share of violations on each deal: from a beta distribution, whose spread makes the correlation."""
    if not 0 < share < 1 or clustering <= 0:
        return np.full(deals, share)
    strength = 1 / clustering - 1
    return random.beta(share * strength, (1 - share) * strength, size=deals)


def _clustering(effect: float, one: Expected) -> float:
    """The correlation within a deal that a design effect tells of (Kish: effect = 1 + (size - 1) * correlation)."""
    sizes = [there for _, there in one.seen.firsts.values()]
    mean = fmean(sizes)
    return min(0.99, (effect - 1) / (mean - 1)) if mean > 1 else 0.0
