"""How often a rule was broken where it could have been, how sure that is, and who differs from whom."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from engine import CODES
from harness.compliance.opportunities import FirstAttempt
from harness.compliance.rates import ANY_RULE, count, differences, table, worst
from harness.compliance.show import tables
from harness.prompts import code_meaning


def attempts(entrant: str, game: str, code: str, broken: int, kept: int) -> list[FirstAttempt]:
    """Decisions at which one code was open, of which some were answered by breaking it."""
    one = [FirstAttempt(f"deal of {game}", ("run", game), entrant, (code,), code)] * broken
    return one + [FirstAttempt(f"deal of {game}", ("run", game), entrant, (code,), None)] * kept


def test_only_decisions_at_which_a_code_was_open_count() -> None:
    found = count(
        [
            FirstAttempt("d", ("run", "g"), "x", ("hand_limit", "overpay"), "overpay"),
            FirstAttempt("d", ("run", "g"), "x", ("overpay",), None),
            FirstAttempt("d", ("run", "h"), "x", (), None),
        ]
    )
    assert found == {
        ("x", ANY_RULE): {"d": (1, 3)},
        ("x", "hand_limit"): {"d": (0, 1)},
        ("x", "overpay"): {"d": (1, 2)},
    }


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


@pytest.mark.parametrize("width", [60, 80, 120])
def test_codes_rules_and_meanings_are_whole_at_any_width(width: int) -> None:
    data = [one for code in ("superfluous_choice", "insufficient_payment") for one in attempts("x", "g", code, 3, 3)]
    rates, unlike = table(data)
    out = io.StringIO()
    console = Console(width=width, file=out, highlight=False)
    for shown in tables(rates, unlike):
        console.print(shown)
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    told = "".join(line.rstrip().rsplit("  ", 1)[-1] for line in lines).replace(" ", "")  # the last column, unfolded
    for code in ("superfluous_choice", "insufficient_payment"):
        for word in (code, *CODES[code].rules, *code_meaning(code).split()):
            assert word in told
