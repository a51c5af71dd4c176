"""How often a rule was broken where it could have been, how sure that is, and who differs from whom."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from harness.compliance.opportunities import FirstAttempt
from harness.compliance.rates import ANY_RULE, count, differences, rate, table, worst


def attempts(entrant: str, game: str, code: str, broken: int, kept: int) -> list[FirstAttempt]:
    """Decisions at which one code was open, of which some were answered by breaking it."""
    one = [FirstAttempt(game, entrant, (code,), code)] * broken
    return one + [FirstAttempt(game, entrant, (code,), None)] * kept


def test_only_decisions_at_which_a_code_was_open_count() -> None:
    found = count(
        [
            FirstAttempt("g", "x", ("hand_limit", "overpay"), "overpay"),
            FirstAttempt("g", "x", ("overpay",), None),
            FirstAttempt("g", "x", (), None),
        ]
    )
    assert found == {
        ("x", ANY_RULE): {"g": (1, 3)},
        ("x", "hand_limit"): {"g": (0, 1)},
        ("x", "overpay"): {"g": (1, 2)},
    }


def test_independent_decisions_give_the_interval_of_wilson() -> None:
    games = {f"g{number}": (1, 10) for number in range(10)}
    found = rate("x", "overpay", games)
    wanted = binomtest(10, 100).proportion_ci(0.95, method="wilson")
    assert (found.violations, found.opportunities, found.value, found.effective) == (10, 100, 0.1, 100)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_games_that_differ_more_than_chance_widen_it() -> None:
    even = rate("x", "overpay", {f"g{number}": (1, 10) for number in range(10)})
    uneven = rate("x", "overpay", {f"g{number}": (10 if number == 0 else 0, 10) for number in range(10)})
    assert uneven.value == even.value
    assert uneven.effective == pytest.approx(9)
    assert uneven.low < even.low < even.high < uneven.high


def test_no_violation_in_n_opportunities_is_at_most_four_in_n() -> None:
    found = rate("x", "overpay", {f"g{number}": (0, 10) for number in range(10)})
    assert found.low == pytest.approx(0)
    assert 0.03 < found.high < 0.04


def test_one_game_is_taken_as_it_is() -> None:
    assert rate("x", "overpay", {"g": (2, 10)}).effective == 10


def test_the_intervals_hold_the_truth_where_games_differ() -> None:
    """Each game has a rate of its own around 0.2, as a model that misreads one position again and again."""
    random = np.random.default_rng(5)
    held = 0
    for _ in range(400):
        own = random.beta(0.2 * 6, 0.8 * 6, size=40)
        games = {str(number): (int(random.binomial(15, share)), 15) for number, share in enumerate(own)}
        found = rate("x", "overpay", games)
        held += found.low <= 0.2 <= found.high
    assert held / 400 >= 0.93


def test_a_clear_difference_is_found_and_noise_is_not() -> None:
    data = [one for game in range(20) for one in attempts("weak", f"w{game}", "overpay", 4, 6)]
    data += [one for game in range(20) for one in attempts("good", f"g{game}", "overpay", 0, 10)]
    data += [one for game in range(20) for one in attempts("alike", f"a{game}", "overpay", 4, 6)]
    found = {(one.first, one.second): one for one in differences(count(data)) if one.code == "overpay"}
    assert found["alike", "good"].difference == pytest.approx(0.4)
    assert found["alike", "good"].q < 0.001
    assert found["alike", "weak"].q == pytest.approx(1)


def test_among_many_comparisons_of_equals_few_are_called_different() -> None:
    random = np.random.default_rng(6)
    data = []
    for code in range(40):
        for entrant in ("x", "y"):
            for game in range(10):
                broken = int(random.binomial(20, 0.1))
                data += attempts(entrant, f"{entrant}{game}", f"code{code}", broken, 20 - broken)
    found = [one for one in differences(count(data)) if one.code != ANY_RULE]
    assert len(found) == 40
    assert sum(one.p < 0.05 for one in found) >= 1  # chance alone
    assert not [one for one in found if one.q < 0.05]


def test_codes_open_to_one_entrant_only_are_not_compared() -> None:
    data = attempts("x", "g", "overpay", 1, 1) + attempts("y", "h", "hand_limit", 1, 1)
    assert {one.code for one in differences(count(data))} == {ANY_RULE}


def test_no_attempts_give_no_table() -> None:
    assert table([]) == ([], [])


def test_the_worst_codes_are_those_surely_broken() -> None:
    data = attempts("x", "g", "rare", 1, 0) + attempts("x", "g", "often", 30, 20) + attempts("x", "g", "never", 0, 50)
    rates, _ = table(data)
    assert [one.code for one in worst(rates, "x", 5)] == ["often", "rare"]
    assert rates[0].code == ANY_RULE
