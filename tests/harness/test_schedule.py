from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from harness.config import Tournament, make_tournament
from harness.schedule import line_ups, make_schedule


def tournament(count: int = 4, players: int = 2, **schedule: Any) -> Tournament:
    data = {
        "name": "t",
        "players": players,
        "schedule": schedule,
        "entrants": [{"name": f"e{i}", "agent": "random"} for i in range(count)],
    }
    return make_tournament(data, "test")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_round_robin_seats_every_line_up_in_every_rotation_of_every_deal(players: int) -> None:
    plans = make_schedule(tournament(5, players, deals=2))
    tables = list(combinations([f"e{i}" for i in range(5)], players))
    assert len(plans) == 2 * len(tables) * players
    assert len({plan.game for plan in plans}) == len(plans)
    sat = Counter((plan.deal, seat, name) for plan in plans for seat, name in plan.seats.items())
    assert len(set(sat.values())) == 1  # everybody sits equally often in every seat of every deal
    blocks = Counter((plan.deal, frozenset(plan.seats.values())) for plan in plans)
    assert set(blocks.values()) == {players}


def test_games_of_a_deal_share_its_seed_and_other_deals_have_others() -> None:
    plans = make_schedule(tournament(3, deals=3))
    seeds = {deal: {plan.seed for plan in plans if plan.deal == deal} for deal in (1, 2, 3)}
    assert all(len(found) == 1 for found in seeds.values())
    assert len(set.union(*seeds.values())) == 3


def test_adding_deals_changes_no_earlier_game() -> None:
    assert make_schedule(tournament(deals=3))[: 2 * 6] == make_schedule(tournament(deals=1))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_against_all_has_the_one_at_every_table_in_every_seat(players: int) -> None:
    plans = make_schedule(tournament(5, players, kind="one_against_all", entrant="e2"))
    tables = {frozenset(plan.seats.values()) for plan in plans}
    others = [f"e{i}" for i in range(5) if i != 2]
    assert tables == {frozenset(("e2", *table)) for table in combinations(others, players - 1)}
    sat = Counter(seat for plan in plans for seat, name in plan.seats.items() if name == "e2")
    assert sat == dict.fromkeys("ABCD"[:players], len(tables))


@pytest.mark.parametrize("players", [3, 4])
def test_fixed_line_ups_are_seated_as_written_first(players: int) -> None:
    table = ["e3", "e0", "e2", "e1"][:players]
    plans = make_schedule(tournament(4, players, kind="line_ups", line_ups=[table], deals=2))
    assert [list(plan.seats.values()) for plan in plans[:2]] == [table, [*table[1:], table[0]]]
    assert len(plans) == 2 * players


def test_one_against_all_and_fixed_line_ups() -> None:
    one = line_ups(tournament(kind="one_against_all", entrant="e2"))
    assert one == [("e0", "e2"), ("e1", "e2"), ("e2", "e3")]
    fixed = tournament(kind="line_ups", line_ups=[["e3", "e0"]], rotate=False)
    (plan,) = make_schedule(fixed)
    assert plan.seats == {"A": "e3", "B": "e0"}
