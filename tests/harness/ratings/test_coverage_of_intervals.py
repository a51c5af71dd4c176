"""Intervals hold what they promise, and playing each deal in every seat makes them narrower."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest

from harness.ratings.plackett_luce import choices_in, fit
from harness.ratings.simulation import Luck, simulate
from harness.ratings.standings import ELO, Ratings, rate

STRENGTHS = {2: (-0.9, -0.2, 0.3, 0.8), 3: (-0.6, -0.1, 0.2, 0.5), 4: (-0.6, -0.1, 0.2, 0.5)}
DEALS = {2: 8, 3: 8, 4: 12}


def line_ups(players: int) -> list[tuple[int, ...]]:
    return list(combinations(range(4), players))


def truth(players: int) -> list[float]:
    """Where the ratings of ever more games of this design end (luck of the deal draws them closer together)."""
    results = simulate(STRENGTHS[players], line_ups(players), 4000, seed=99)
    rankings = [[[int(name) for name in group] for group in result.ranking] for result in results]
    return [float(one) for one in ELO * fit(choices_in(rankings, 4), np.ones((1, len(rankings))))[0]]


def rated(players: int, seed: int, paired: bool = True) -> Ratings:
    results = simulate(STRENGTHS[players], line_ups(players), DEALS[players], seed, Luck(), paired)
    return rate(results, {}, seed=seed)


def covered(players: int, tournaments: Sequence[int]) -> tuple[float, float, float]:
    """The share of intervals with the truth in them, of whole sets of ranks with all true ranks, and the mean width."""
    wanted = truth(players)
    held, sets, widths = [], [], []
    for seed in tournaments:
        found = rated(players, seed)
        for one in found.standings:
            assert one.half_width is not None
            held.append(abs(one.rating - wanted[int(one.name)]) <= one.half_width)
            widths.append(2 * one.half_width)
        sets.append(all(one.ranks and one.ranks[0] <= 4 - int(one.name) <= one.ranks[1] for one in found.standings))
    return float(np.mean(held)), float(np.mean(sets)), float(np.mean(widths))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_truth_lies_in_the_intervals(players: int) -> None:
    held, sets, _ = covered(players, range(20))
    assert held >= 0.85  # 80 intervals; the full count is below
    assert sets >= 0.85


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_truth_lies_in_93_of_100_intervals(players: int) -> None:
    held, sets, width = covered(players, range(1000))
    print(f"{players} players: {held:.1%} of the intervals, {sets:.1%} of the sets of ranks, {width:.0f} Elo wide")
    assert held >= 0.93
    assert sets >= 0.93


@pytest.mark.parametrize("players", [2, 4])
def test_paired_deals_make_intervals_narrower(players: int) -> None:
    def width(paired: bool) -> float:
        found = [one.half_width for seed in range(20) for one in rated(players, seed, paired).standings]
        return float(np.mean([one for one in found if one is not None]))

    paired, unpaired = width(True), width(False)
    print(f"{players} players: half width {paired:.0f} Elo in blocks, {unpaired:.0f} in unpaired games")
    assert paired < unpaired
