"""A comparison ends as soon as it is decided, and errs as rarely as it says."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from harness.ratings.sequential import LEAST, StoppingRule, judge

RULE = StoppingRule()
MARGIN = {0.0: 0.345, 1.0: 0.382, 2.0: 0.453}
"""By the luck of the deal: the difference of strengths that is 60 points of normalised Elo."""


def compare(difference: float, luck: float, seed: int) -> tuple[str, int]:
    """Play blocks of two games until the comparison is decided; the verdict and how many blocks it took."""
    random = np.random.default_rng(seed)
    scores: list[float] = []
    while True:
        deal = random.normal(0, luck)
        chances = [1 / (1 + math.exp(-(difference + side * deal))) for side in (1, -1)]
        scores.append(sum(float(random.random() < chance) for chance in chances) / 2)
        if len(scores) % 4 == 0:
            found = judge(scores, 2, RULE)
            if found.verdict != "open":
                return found.verdict, found.blocks


def shares(difference: float, luck: float, count: int) -> Counter[str]:
    return Counter(compare(difference, luck, seed)[0] for seed in range(count))


def test_nothing_is_decided_before_there_are_enough_blocks() -> None:
    assert judge([], 2, RULE).verdict == "open"
    assert judge([1.0] * (LEAST - 1), 2, RULE).verdict == "open"


def test_a_series_of_wins_is_decided_soon() -> None:
    assert judge([1.0] * 12, 2, RULE).verdict == "first"
    assert judge([0.0] * 12, 2, RULE).verdict == "second"


def test_a_long_even_series_is_called_alike() -> None:
    assert judge([0.5, 1.0, 0.0] * 200, 2, RULE).verdict == "alike"


def test_a_clear_winner_takes_fewer_blocks_than_a_close_one() -> None:
    clear = np.mean([compare(2 * MARGIN[1.0], 1.0, seed)[1] for seed in range(20)])
    close = np.mean([compare(MARGIN[1.0], 1.0, seed)[1] for seed in range(20)])
    assert clear < close / 1.5


@pytest.mark.slow
@pytest.mark.parametrize("luck", MARGIN)
def test_it_errs_as_rarely_as_it_says(luck: float) -> None:
    equal, apart = shares(0.0, luck, 1000), shares(MARGIN[luck], luck, 1000)
    print(f"luck {luck}: equal {dict(equal)}, apart by the margin {dict(apart)}")
    assert (equal["first"] + equal["second"]) / 1000 <= RULE.alpha + 0.02
    assert apart["first"] / 1000 >= 1 - RULE.beta - 0.02
