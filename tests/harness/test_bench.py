"""`dale bench` counts what is played, whatever it finds of the speed."""

from __future__ import annotations

import pytest

from harness import bench


@pytest.fixture(autouse=True)
def no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "WARM_UP_S", 0.0)
    monkeypatch.setattr(bench, "ROUND_LIMIT", 3)


@pytest.mark.parametrize("full_lists", [False, True])
def test_every_decision_of_random_play_is_counted(full_lists: bool) -> None:
    play = bench._our_games(2, bench.TRIO, full_lists)
    first, second = play(), play()
    assert first >= 6
    assert second >= 6  # at least one decision for each of two seats in three rounds


def test_drawing_from_the_lazy_list_and_from_the_full_one_plays_the_same_games() -> None:
    lazy, full = bench._our_games(3, None, False), bench._our_games(3, None, True)
    assert [lazy() for _ in range(4)] == [full() for _ in range(4)]


def test_a_rate_is_measured_without_catanatron_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    rate, other = bench.rates(2, bench.TRIO, False, 0.01)
    assert rate > 0
    assert other is None


def test_a_list_taken_and_a_list_built_whole_are_timed_at_the_same_decisions() -> None:
    taken, whole = bench.list_times(2)
    assert len(taken) == len(whole) >= 12  # 2 games of 2 seats and 3 rounds
