"""What is told about strength: ratings on the Elo scale, what the games leave open, and what they cannot say."""

from __future__ import annotations

import io
from itertools import combinations

import numpy as np
import pytest
from made import made_log
from rich.console import Console

from harness.errors import UserError
from harness.log import GameLog
from harness.ratings.resampling import block_weights, rank_sets
from harness.ratings.results import GameResult, results_of
from harness.ratings.show import tables
from harness.ratings.simulation import simulate
from harness.ratings.standings import Ratings, rate

SPECS = {"random": "random", "x": "merchant", "y": "merchant"}


def game(first: str, second: str, winner: str | None, deal: int = 1) -> GameResult:
    """A game of two in which ``winner`` won; None: both have as many stacks."""
    other = second if winner == first else first
    ranking = ((first, second),) if winner is None else ((winner,), (other,))
    return GameResult(str(deal), (first, second), ranking, winner)


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
    assert all(seat.low < 0.1 and seat.high > 0.9 for seat in found.seats)


def test_blocks_are_drawn_and_not_games() -> None:
    """Where every deal goes to one seat, blocks all end one each, and say more than as many games of single deals."""
    deals = range(10)
    paired = rated(*(one for deal in deals for one in block(deal, "x", "y")))
    single = rated(*(game("x", "y", "xy"[deal % 2], deal) for deal in range(20)))
    for one, other in zip(paired.standings, single.standings, strict=True):
        assert one.half_width is not None
        assert other.half_width is not None
        assert 0 < one.half_width < other.half_width / 2


def run(name: str, winners: str, **header: int) -> list[GameLog]:
    """The logs of a run in which x and y meet once on each deal."""
    seats = {"A": ("x", "random", {}), "B": ("y", "merchant", {})}
    return [
        made_log(seats, [], deal=deal, game=f"d{deal}", winner=winner, run=name, **header)
        for deal, winner in enumerate(winners, 1)
    ]


def rated_logs(*logs: GameLog) -> Ratings:
    return rated(*results_of(logs, lambda who, header: who.name))


def test_games_on_the_same_cards_are_one_block_and_one_cluster_in_all_runs() -> None:
    once = rated_logs(*run("one", "AABABABAAB"))
    twice = rated_logs(*run("one", "AABABABAAB"), *run("other", "AABABABAAB", line_up=7))
    assert (once.games, twice.games, once.blocks, twice.blocks) == (10, 20, 10, 10)
    for first, second in zip(once.meetings, twice.meetings, strict=True):
        assert (second.games, second.low, second.high) == (20, pytest.approx(first.low), pytest.approx(first.high))
    for alone, beside in zip(once.standings, twice.standings, strict=True):
        assert alone.half_width is not None
        assert beside.half_width is not None
        assert beside.half_width > 0.9 * alone.half_width
        assert (alone.blocks, beside.blocks) == (10, 10)


def test_deals_of_one_number_but_other_cards_are_not_one_block() -> None:
    others = [log for seed, log in enumerate(run("other", "AB"), 50) for log in run("other", "A", seed=seed)]
    assert rated_logs(*run("one", "AB"), *others).blocks == 4


def test_two_blocks_that_agree_are_not_certainty() -> None:
    found = rated(*block(1, "x", "x"), *block(2, "x", "x"))
    assert all(one.half_width is not None and one.half_width > 50 for one in found.standings)


def test_entrants_that_never_met_are_not_rated() -> None:
    found = rate([game("x", "y", "x"), game("v", "w", "v")], {}, seed=1)
    assert found.standings == ()
    assert sorted(found.apart) == [("v", "w"), ("x", "y")]


def test_entrants_that_met_through_others_are() -> None:
    found = rate([game("x", "y", "x"), game("y", "z", "y")], {}, seed=1)
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
    seats = {one.seat: one for one in rated(*results).seats}
    assert {name: one.wins for name, one in seats.items()} == {"A": 1.0, "B": 0.0}
    assert 0.5 < seats["A"].low < seats["A"].high == 1.0
    assert 0.0 == seats["B"].low < seats["B"].high < 0.5


def test_what_a_deal_gives_a_seat_it_gives_it_in_all_line_ups() -> None:
    """On each deal one seat wins all games: however many pairs play it, it tells no more of seats than one game."""

    def seat_a(names: str) -> tuple[float, float, float]:
        tables = [game(*pair, pair[deal % 2], deal) for deal in range(10) for pair in combinations(names, 2)]
        seat, _ = rated(*tables).seats
        return seat.wins, seat.low, seat.high

    assert seat_a("wxyz") == pytest.approx(seat_a("xy"))
    assert seat_a("xy")[1] < 0.3
    assert seat_a("xy")[2] > 0.7


def test_games_without_a_winner_are_in_no_share_of_a_seat() -> None:
    found = rated(*block(1, "x", None), *block(2, None, None))
    assert [(one.seat, one.wins) for one in found.seats] == [("A", 1.0), ("B", 0.0)]
    assert rated(*block(2, None, None)).seats == ()


def test_ties_are_half_a_point_in_the_table_of_meetings() -> None:
    found = rated(*block(1, "x", None))
    assert [(one.first, one.second, one.games, one.score) for one in found.meetings] == [
        ("x", "y", 2, 0.75),
        ("y", "x", 2, 0.25),
    ]


def test_of_six_long_names_the_table_of_meetings_leaves_room_for_one_in_a_row() -> None:
    def drawn(*names: str) -> list[str]:
        file = io.StringIO()
        for table in tables(rated(*(game(*pair, pair[0]) for pair in combinations(names, 2)))):
            Console(width=80, file=file).print(table)
        lines = file.getvalue().splitlines()
        assert max(map(len, lines)) <= 80
        return lines[[line.startswith("Share of games") for line in lines].index(True) :]

    long = drawn(*(f"merchant number {number}" for number in "123456"))
    assert sum(line.startswith(" merchant ") for line in long) == 6
    short = drawn("sloppy", "weak merchant", "merchant", "model at L0", "model at L2", "random")
    assert all(name in short[2] for name in ("model at L0", "model at L2"))


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
