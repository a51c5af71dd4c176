"""Strengths from rankings: the same as the reference library gives, and right where there is a formula."""

from __future__ import annotations

import math

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.ratings.plackett_luce import Floats, Model, choices_in, fit


def fitted(
    rankings: list[list[list[int]]], players: int, model: Model = "plackett_luce", phantom: float = 1e-9
) -> Floats:
    choices = choices_in(rankings, players, model)
    return fit(choices, np.ones((1, len(rankings))), phantom)[0]


ROUND = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 0, 1, 3], [3, 2, 1, 0], [0, 2, 1, 3], [1, 0, 2, 3], [3, 0, 1, 2]]


def test_rankings_give_what_choix_gives() -> None:
    wanted = choix.opt_rankings(4, [tuple(order) for order in ROUND], alpha=1e-9, tol=1e-10)
    assert fitted([[[one] for one in order] for order in ROUND], 4) == pytest.approx(wanted - wanted.mean(), abs=1e-4)


def test_winners_only_give_what_choix_gives() -> None:
    data = [(order[0], tuple(order[1:])) for order in ROUND]
    wanted = choix.opt_top1(4, data, alpha=1e-9, tol=1e-10)
    found = fitted([[[one] for one in order] for order in ROUND], 4, "winner_only")
    assert found == pytest.approx(wanted - wanted.mean(), abs=1e-4)


def test_two_players_give_the_logarithm_of_the_odds() -> None:
    found = fitted([[[0], [1]]] * 30 + [[[1], [0]]] * 10, 2)
    assert found[0] - found[1] == pytest.approx(math.log(3), abs=1e-6)


def test_a_tie_is_half_a_win_for_each() -> None:
    tied = fitted([[[0, 1]], [[0, 1]], [[0], [1]], [[0], [1]]], 2)
    assert tied == pytest.approx(fitted([[[0], [1]]] * 3 + [[[1], [0]]], 2))


def test_a_tie_of_three_is_every_order_in_equal_shares() -> None:
    orders = [[[0], [1], [2], [3]], [[0], [2], [1], [3]], [[1], [0], [2], [3]]]
    orders += [[[1], [2], [0], [3]], [[2], [0], [1], [3]], [[2], [1], [0], [3]]]
    other = [[[3], [0], [1], [2]], [[0], [3], [2], [1]]]
    spelt = choices_in(orders + other * 6, 4)
    tied = choices_in([[[0, 1, 2], [3]], *other], 4)
    same = fit(spelt, np.array([[1 / 6] * len(orders + other * 6)]))
    assert fit(tied, np.ones((1, 3)))[0] == pytest.approx(same[0])


def test_an_entrant_without_a_defeat_gets_a_finite_strength() -> None:
    found = fitted([[[0], [1]]] * 20, 2, phantom=1)
    assert np.isfinite(found).all()
    assert found[0] - found[1] > 3


def test_a_weight_of_two_is_the_game_played_twice() -> None:
    rankings = [[[one] for one in order] for order in ROUND]
    doubled = fit(choices_in(rankings, 4), np.array([[2.0] + [1.0] * 6]))[0]
    assert doubled == pytest.approx(fit(choices_in([rankings[0], *rankings], 4), np.ones((1, 8)))[0])


@pytest.mark.parametrize("ranking", [[[0], [0]], [[0], [2]], [[-1], [1]]])
def test_what_is_no_ranking_is_refused(ranking: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="not a ranking of players 0 to 1"):
        choices_in([ranking], 2)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.permutations(range(4)), min_size=1, max_size=12), st.integers(1, 1000))
def test_the_fit_is_the_highest_point(orders: list[list[int]], seed: int) -> None:
    choices = choices_in([[[one] for one in order] for order in orders], 4)
    weight = np.ones(len(orders)) @ choices.counts

    def likelihood(strengths: Floats) -> float:
        logs = np.log(choices.among @ np.exp(strengths)[:, None])[:, 0]
        phantom = np.log1p(np.exp(-strengths)) + np.log1p(np.exp(strengths))
        return float(weight @ (strengths[choices.chosen] - logs) - 0.5 * phantom.sum())

    found = fit(choices, np.ones((1, len(orders))))[0]
    best = max(likelihood(found + shift) for shift in np.linspace(-2, 2, 401))  # fits are shown with mean 0
    tried = found + np.random.default_rng(seed).normal(0, 0.5, 4)
    assert likelihood(tried) <= best + 1e-3
