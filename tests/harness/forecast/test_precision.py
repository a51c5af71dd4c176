"""How wide intervals will be, foretold by the statistics that will make them."""

from __future__ import annotations

from typing import Any

import pytest

from harness.config import Tournament, make_tournament
from harness.forecast.estimate import Expected
from harness.forecast.precision import following, strength
from harness.forecast.sample import Seen
from harness.forecast.sequence import ending
from harness.ratings.simulation import simulate
from harness.ratings.standings import rate as rate_strength


def tournament(count: int, players: int = 2, **schedule: Any) -> Tournament:
    entrants = [{"name": f"e{number}", "agent": "random"} for number in range(count)]
    return make_tournament({"name": "t", "players": players, "schedule": schedule, "entrants": entrants}, "test")


def mean(found: dict[str, float | None]) -> float:
    widths = [one for one in found.values() if one is not None]
    return sum(widths) / len(widths)


@pytest.mark.parametrize("players", [2, 3])
def test_more_deals_make_intervals_narrower_as_the_root_of_their_number(players: int) -> None:
    few, many = (mean(strength(tournament(3, players, deals=deals)).alone) for deals in (10, 40))
    assert few / many == pytest.approx(2, rel=0.15)


def test_the_width_is_the_one_of_a_tournament_of_equals() -> None:
    found = strength(tournament(4, deals=10))
    results = simulate([0.0] * 4, [(a, b) for a in range(4) for b in range(a + 1, 4)], 10, seed=77)
    standings = rate_strength(results, {}, seed=77).standings
    measured = sum(one.half_width or 0.0 for one in standings) / 4
    assert mean(found.alone) == pytest.approx(measured, rel=0.3)
    assert found.apart is not None
    assert found.apart > mean(found.alone)


def test_a_long_tournament_is_foretold_from_a_shorter_one() -> None:
    some, all_ = (mean(strength(tournament(3, deals=deals)).alone) for deals in (100, 10_000))
    assert some / all_ == pytest.approx(10, rel=0.1)


def test_a_wide_field_is_known_less_well() -> None:
    made = tournament(3, deals=10)
    assert mean(strength(made, 800.0).alone) > 1.2 * mean(strength(made).alone)


def test_single_games_tell_less_than_blocks() -> None:
    blocks = mean(strength(tournament(2, deals=30)).alone)
    single = mean(strength(tournament(2, deals=60, rotate=False)).alone)
    assert blocks < single


def test_who_plays_more_is_known_better_and_who_never_meets_is_not_rated() -> None:
    one = strength(tournament(5, deals=10, kind="one_against_all", entrant="e0")).alone
    assert one["e0"] is not None
    assert all(one["e0"] < other for name, other in one.items() if name != "e0" and other is not None)
    apart = strength(tournament(4, kind="line_ups", line_ups=[["e0", "e1"], ["e2", "e3"]]))
    assert apart.groups == (("e0", "e1"), ("e2", "e3"))
    assert set(apart.alone.values()) == {None}
    unseated = strength(tournament(3, deals=4, kind="line_ups", line_ups=[["e0", "e1"]]))
    assert unseated.alone["e2"] is None
    assert unseated.alone["e0"] is not None


def entrant(games: int, decisions: float, seen: Seen | None = None) -> Expected:
    return Expected("x", "random", games, decisions, None, {}, seen or Seen())


def test_rates_are_as_well_known_as_their_attempts_are_many_and_independent() -> None:
    small, large = following(entrant(40, 20), 40), following(entrant(160, 20), 160)
    assert small is not None
    assert large is not None
    assert (small.first_attempts, large.first_attempts) == (800, 3200)
    assert (small.high - small.low) / (large.high - large.low) == pytest.approx(2, rel=0.2)
    assert large.low < 0.05 < large.high
    assert large.clear == pytest.approx(3.8 / 3200, rel=0.1)  # as docs/statistics.md says
    few_deals = following(entrant(160, 20), 10)
    assert few_deals is not None
    assert few_deals.high - few_deals.low > large.high - large.low
    assert following(entrant(0, 20), 1) is None
    assert following(entrant(5, 0), 5) is None


def test_a_sample_says_how_often_rules_are_broken_and_how_unlike_deals_are() -> None:
    alike = Seen(answered=80, firsts={str(deal): (4, 20) for deal in range(4)})
    unlike = Seen(answered=80, firsts={str(deal): (16 * (deal == 0), 20) for deal in range(4)})
    half = Seen(answered=160, firsts=alike.firsts)
    found = [following(entrant(100, 20, seen), 100) for seen in (alike, unlike, half)]
    assert [one.assumed for one in found if one is not None] == [0.2, 0.2, 0.2]
    widths = [one.high - one.low for one in found if one is not None]
    assert widths[1] > 2 * widths[0]
    assert widths[2] == pytest.approx(widths[0] * 2**0.5, rel=0.15)  # half of the answers cannot be read


def test_a_run_that_ends_by_itself_is_foretold_to_end_where_such_runs_do() -> None:
    """As docs/statistics.md says: after 130 to 170 blocks on the mean, with luck of the deal or without."""
    made = tournament(2, deals=400)
    assert ending(made) is None
    stopping = make_tournament(made.model_dump(mode="json") | {"stop": {}}, "test")
    found = ending(stopping)
    assert found is not None
    assert 120 < found.blocks < 180
    assert found.decided > 0.9
    short = ending(make_tournament(tournament(2, deals=12).model_dump(mode="json") | {"stop": {}}, "test"))
    assert short is not None
    assert (short.blocks, short.decided) == (pytest.approx(12, abs=1), pytest.approx(0, abs=0.1))
