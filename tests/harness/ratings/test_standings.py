"""What is told about strength: ratings on the Elo scale, what the games leave open, and what they cannot say."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from harness.errors import UserError
from harness.ratings.resampling import block_weights, rank_sets
from harness.ratings.results import GameResult
from harness.ratings.simulation import simulate
from harness.ratings.standings import Ratings, rate

SPECS = {"random": "random", "x": "merchant", "y": "merchant"}


def game(first: str, second: str, winner: str | None, deal: int = 1, line_up: int = 1) -> GameResult:
    """A game of two in which ``winner`` won; None: both have as many stacks."""
    other = second if winner == first else first
    ranking = ((first, second),) if winner is None else ((winner,), (other,))
    return GameResult("run", line_up, deal, (first, second), ranking, winner)


def block(deal: int, *winners: str | None) -> list[GameResult]:
    return [game("x", "y", winners[0], deal), game("y", "x", winners[1], deal)]


def rated(*results: GameResult) -> Ratings:
    return rate(results, SPECS, seed=1)


def test_three_wins_in_four_are_191_points() -> None:
    results = [one for deal in range(20) for one in [*block(2 * deal, "x", "x"), *block(2 * deal + 1, "x", "y")]]
    found = {one.name: one.rating for one in rated(*results).standings}
    assert found["x"] - found["y"] == pytest.approx(191, abs=3)


def test_an_anchor_is_the_zero() -> None:
    results = [game("x", "random", "x", deal) for deal in range(5)] + [game("y", "random", "random", 9)]
    found = rate(results, SPECS, seed=1, anchor="random")
    by_name = {one.name: one for one in found.standings}
    assert found.anchor == "random"
    assert (by_name["random"].rating, by_name["random"].half_width) == (0.0, 0.0)
    assert by_name["x"].rating > 0 > by_name["y"].rating


def test_an_anchor_that_did_not_play_is_refused() -> None:
    with pytest.raises(UserError, match="no entrant with a rated game is called 'z'; there are: x, y"):
        rate(block(1, "x", "y"), SPECS, seed=1, anchor="z")


def test_without_an_anchor_the_mean_is_the_zero() -> None:
    found = rated(*block(1, "x", "x"), *block(2, "x", "y"))
    assert found.anchor is None
    assert sum(one.rating for one in found.standings) == pytest.approx(0)


def test_one_block_gives_no_interval() -> None:
    found = rated(*block(1, "x", "y"))
    assert all(one.half_width is None and one.ranks is None for one in found.standings)
    assert all(seat.half_width is None for seat in found.seats)


def test_blocks_are_drawn_and_not_games() -> None:
    """Where every deal goes to one seat, blocks all end one each, and say more than as many games of single deals."""
    deals = range(10)
    paired = rated(*(one for deal in deals for one in block(deal, "x", "y")))
    single = rated(*(game("x", "y", "xy"[deal % 2], deal) for deal in range(20)))
    for one, other in zip(paired.standings, single.standings, strict=True):
        assert one.half_width is not None
        assert other.half_width is not None
        assert 0 < one.half_width < other.half_width / 2


def test_two_blocks_that_agree_are_not_certainty() -> None:
    found = rated(*block(1, "x", "x"), *block(2, "x", "x"))
    assert all(one.half_width is not None and one.half_width > 50 for one in found.standings)


def test_entrants_that_never_met_are_not_rated() -> None:
    found = rate([game("x", "y", "x"), game("v", "w", "v", line_up=2)], {}, seed=1)
    assert found.standings == ()
    assert sorted(found.apart) == [("v", "w"), ("x", "y")]


def test_entrants_that_met_through_others_are() -> None:
    found = rate([game("x", "y", "x"), game("y", "z", "y", line_up=2)], {}, seed=1)
    assert [one.name for one in found.standings] == ["x", "y", "z"]
    assert found.apart == ()


def test_two_entrants_of_one_agent_show_the_noise() -> None:
    found = rated(*block(1, "x", "x"), *block(2, "x", "y"), *block(3, "y", "y"))
    (floor,) = found.floors
    assert (floor.first, floor.second) == ("x", "y")
    assert floor.difference == pytest.approx(0)
    assert floor.half_width is not None
    assert floor.half_width > 0


def test_a_seat_that_always_wins_is_seen() -> None:
    results = [one for deal in range(10) for one in (game("x", "y", "x", deal), game("y", "x", "y", deal))]
    seats = {one.seat: one.wins for one in rated(*results).seats}
    assert seats == {"A": 1.0, "B": 0.0}


def test_ties_are_half_a_point_in_the_table_of_meetings() -> None:
    found = rated(*block(1, "x", None))
    assert [(one.first, one.second, one.games, one.score) for one in found.meetings] == [
        ("x", "y", 2, 0.75),
        ("y", "x", 2, 0.25),
    ]


def test_the_same_games_give_the_same_intervals() -> None:
    results = simulate((0.5, 0.0, -0.5), list(combinations(range(3), 2)), 6, seed=4)
    assert rate(results, {}, seed=7) == rate(results, {}, seed=7)


def test_far_apart_entrants_have_one_rank_and_close_ones_share_theirs() -> None:
    results = simulate((2.0, 0.05, 0.0, -2.0), list(combinations(range(4), 2)), 20, seed=4)
    ranks = {one.name: one.ranks for one in rate(results, {}, seed=7).standings}
    assert ranks == {"0": (1, 1), "1": (2, 3), "2": (2, 3), "3": (4, 4)}


def test_weights_of_blocks_keep_every_line_up_as_large_as_it_was() -> None:
    weights = block_weights([1, 1, 1, 2, 2], seed=3, draws=50)
    assert weights is not None
    assert weights[:, :3].sum(axis=1) == pytest.approx([3.0] * 50)
    assert weights[:, 3:].sum(axis=1) == pytest.approx([2.0] * 50)
    assert len(np.unique(weights, axis=0)) > 3


def test_line_ups_of_one_block_are_drawn_together() -> None:
    weights = block_weights([1, 2, 3], seed=3, draws=50)
    assert weights is not None
    assert weights.sum(axis=1) == pytest.approx([3.0] * 50)


def test_entrants_that_are_equal_in_every_draw_share_all_ranks() -> None:
    assert rank_sets(np.zeros(3), np.zeros((10, 3))) == [(1, 3), (1, 3), (1, 3)]
