"""Intervals of shares, of differences, of means and of quantiles where the decisions of one deal are alike."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from scipy.stats import binomtest, norm
from scipy.stats import t as student

from harness.compliance.shares import Share, gap, interval, mean_and_reach, quantile, share

Drawn = dict[str, tuple[int, int]]


def deals(random: np.random.Generator, truth: float, number: int, alike: float = 6) -> Drawn:
    """Decisions on deals each of which has a rate of its own around the truth, as a model that misreads positions."""
    own = random.beta(truth * alike, (1 - truth) * alike, size=number)
    return {str(deal): (int(random.binomial(15, rate)), 15) for deal, rate in enumerate(own)}


def same(part: int, whole: int, number: int) -> Mapping[str, tuple[int, int]]:
    return {str(deal): (part, whole) for deal in range(number)}


def test_independent_decisions_give_the_interval_of_wilson_with_the_quantile_of_student() -> None:
    found = share(same(1, 10, 10))
    level = 1 - 2 * norm.sf(student.isf(0.025, 9))
    wanted = binomtest(10, 100).proportion_ci(level, method="wilson")
    assert found == Share(10, 100, pytest.approx(wanted.low), pytest.approx(wanted.high), 100, 10)
    assert found.value == 0.1


def test_deals_that_differ_more_than_chance_widen_it() -> None:
    even = share(same(1, 10, 10))
    uneven = share({str(deal): (10 if deal == 0 else 0, 10) for deal in range(10)})
    assert uneven.value == even.value
    assert uneven.effective == pytest.approx(9)
    assert uneven.low < even.low < even.high < uneven.high


def test_nothing_in_n_decisions_is_not_nothing() -> None:
    found = share(same(0, 10, 10))
    assert found.low == pytest.approx(0)
    assert 0.045 < found.high < 0.05
    many = share(same(0, 1, 1000))
    assert many.high == pytest.approx(3.85 / 1000, rel=0.01)


def test_one_deal_tells_no_more_than_two() -> None:
    one, two = share({"d": (5, 10)}), share(same(5, 10, 2))
    assert one.high - one.low >= two.high - two.low > 0.9


def test_a_narrow_interval_is_told_with_a_decimal() -> None:
    assert share(same(200, 200, 10)).bounds() == "99.7-100.0"
    assert share(same(5, 10, 4)).bounds("–") == "28–72"


def test_a_drawn_game_counts_half() -> None:
    low, high, effective = interval({"d": (0.5, 1), "e": (0.5, 1)})
    assert low + high == pytest.approx(1)
    assert effective == 2


def shares_held(random: np.random.Generator, number: int, times: int) -> float:
    """How often the interval of a share holds the truth."""
    found = [share(deals(random, 0.2, number)) for _ in range(times)]
    return sum(one.low <= 0.2 <= one.high for one in found) / times


def gaps_held(random: np.random.Generator, number: int, times: int) -> float:
    """The same of a difference, over two pairs (two languages at each of two levels), on deals hard or easy for all."""
    held = 0
    for _ in range(times):
        luck = random.normal(0, 0.1, size=number)
        pairs = []
        for truth in (0.7, 0.4):
            one, other = (
                {str(d): (int(random.binomial(12, np.clip(rate + luck[d], 0, 1))), 12) for d in range(number)}
                for rate in (truth, truth - 0.2)
            )
            pairs.append((one, other))
        found = gap(pairs)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.2 <= found.high
    return held / times


def quantiles_held(random: np.random.Generator, number: int, times: int, at: float) -> float:
    """The same of a quantile of seconds, where deals are slow or fast."""
    truth = np.exp(norm.ppf(at) * np.sqrt(1.25))
    held = 0
    for _ in range(times):
        values = {str(d): list(np.exp(random.normal(0, 0.5) + random.normal(0, 1, size=20))) for d in range(number)}
        found, low, high = quantile(values, at)
        below, above = -np.inf if low is None else low, np.inf if high is None else high
        assert below <= found <= above
        held += bool(below <= truth <= above)
    return held / times


def test_a_bound_beyond_all_values_is_not_known() -> None:
    few = {"a": [1.0, 2.0, 3.0], "b": [2.0, 3.0, 4.0]}
    assert quantile(few, 0.95) == (4.0, None, None)
    assert quantile({"a": [5.0]}, 0.5) == (5.0, None, None)


@pytest.mark.parametrize("number", [3, 8, 40])
def test_the_intervals_hold_the_truth_where_deals_differ(number: int) -> None:
    assert shares_held(np.random.default_rng(5), number, 400) >= 0.93


@pytest.mark.parametrize("number", [3, 10, 40])
def test_the_intervals_of_differences_hold_the_truth_on_shared_deals(number: int) -> None:
    assert gaps_held(np.random.default_rng(7), number, 300) >= 0.93


@pytest.mark.parametrize("at", [0.5, 0.95])
def test_the_intervals_of_quantiles_hold_the_truth_where_deals_are_slow_or_fast(at: float) -> None:
    assert quantiles_held(np.random.default_rng(9), 15, 200, at) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("number", [3, 8, 15, 40])
def test_in_two_thousand_simulations_each_the_intervals_hold_the_truth(number: int) -> None:
    random = np.random.default_rng(number)
    held = [shares_held(random, number, 2000), gaps_held(random, number, 2000)]
    held += [quantiles_held(random, number, 2000, at) for at in (0.5, 0.95)]
    print(f"{number} deals: share, difference, median, 95 of 100:", *(f"{one:.1%}" for one in held))
    assert min(held) >= 0.93


def test_what_deals_do_to_both_alike_cancels() -> None:
    hard = {str(deal): (2 if deal % 2 else 9, 10) for deal in range(10)}
    better = {deal: (part + 1, whole) for deal, (part, whole) in hard.items()}
    paired = gap([(better, hard)])
    turned = {str(deal): hard[str((deal + 1) % 10)] for deal in range(10)}
    crossed = gap([(better, turned)])
    assert paired.value == crossed.value == pytest.approx(0.1)
    assert paired.low is not None
    assert paired.high is not None
    assert crossed.low is not None
    assert crossed.high is not None
    assert paired.high - paired.low < (crossed.high - crossed.low) * 0.7


def test_all_against_nothing_is_not_certain_either() -> None:
    found = gap([(same(5, 5, 4), same(0, 5, 4))])
    assert found.value == 1
    assert found.low is not None
    assert 0.3 < found.low < 0.7
    assert found.high == pytest.approx(1)


def test_only_deals_that_both_played_are_compared() -> None:
    found = gap([({"a": (1, 2), "b": (2, 2)}, {"b": (1, 2), "c": (0, 9)})])
    assert (found.value, found.deals) == (0.5, 1)
    assert (found.low, found.high) == (None, None)


def test_every_pair_weighs_the_same() -> None:
    large, small = (same(90, 100, 3), same(80, 100, 3)), (same(5, 10, 3), same(1, 10, 3))
    assert gap([large, small]).value == pytest.approx((0.1 + 0.4) / 2)


def test_amounts_per_decision_have_the_interval_of_a_ratio() -> None:
    value, reach = mean_and_reach({"a": (100.0, 10), "b": (300.0, 10), "c": (200.0, 10)})
    assert value == pytest.approx(20 / 3 * 3)
    assert reach == pytest.approx(student.isf(0.025, 2) * np.std([10, 30, 20], ddof=1) / np.sqrt(3))
    assert mean_and_reach({"a": (30.0, 10)}) == (3, None)
