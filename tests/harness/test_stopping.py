"""A run of two entrants ends when its blocks have decided, the same whichever game ended first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.config import Tournament, make_tournament
from harness.errors import UserError
from harness.plan import MatchPlan
from harness.ratings.sequential import LEAST, StoppingRule
from harness.records import OutcomeRecord
from harness.schedule import make_schedule
from harness.stopping import Comparison, verdict


def tournament(**changes: Any) -> Tournament:
    data: dict[str, Any] = {
        "name": "t",
        "round_limit": 200,
        "concurrency": 2,
        "stop": {"margin": 200},
        "schedule": {"deals": 40},
        "entrants": [{"name": "x", "agent": "merchant"}, {"name": "y", "agent": "random"}],
    }
    return make_tournament(data | changes, "test")


def won(plan: MatchPlan, winner: str | None, result: str = "win") -> OutcomeRecord:
    """The outcome of a game that this entrant won; None for equal ranks."""
    seats = sorted(plan.seats, key=lambda seat: plan.seats[seat] != winner)
    ranking = [] if result == "void" else [seats] if winner is None else [[seat] for seat in seats]
    return OutcomeRecord.model_validate(
        {
            "result": result,
            "reason": "provider" if result == "void" else "eighth_stack",
            "winner": None,
            "ranking": ranking,
            "stacks": {"A": 0, "B": 0},
            "forfeited": [],
            "rounds": 1,
            "decisions": 1,
            "state": "0" * 64,
        }
    )


def started() -> tuple[Comparison, list[MatchPlan]]:
    plans = make_schedule(tournament())
    return Comparison(StoppingRule(margin=200), "x", plans), plans


def test_a_run_of_wins_is_decided_before_its_end() -> None:
    comparison, plans = started()
    for plan in plans:
        if comparison.decided:
            break
        comparison.note(plan, won(plan, "x"))
    assert comparison.progress.verdict == "first"
    assert LEAST <= comparison.progress.blocks < 20


def test_blocks_behind_a_gap_do_not_count() -> None:
    comparison, plans = started()
    for plan in plans[1:]:
        comparison.note(plan, won(plan, "x"))
    assert comparison.progress.blocks == 0
    comparison.note(plans[0], won(plans[0], "x"))
    assert comparison.decided


def test_the_order_in_which_games_end_changes_nothing() -> None:
    one, plans = started()
    other, _ = started()
    outcomes = {plan.game: won(plan, "x" if int(plan.game[1:4]) % 5 else "y") for plan in plans}
    for plan in plans:
        one.note(plan, outcomes[plan.game])
    for plan in reversed(plans):
        other.note(plan, outcomes[plan.game])
    assert one.progress == other.progress


def test_a_void_game_leaves_its_block_out() -> None:
    comparison, plans = started()
    for plan in plans[:6]:
        comparison.note(plan, won(plan, None, "void") if plan is plans[2] else won(plan, "x"))
    assert comparison.progress.blocks == 2


def test_equal_ranks_are_half_a_point() -> None:
    comparison, plans = started()
    for plan in plans[:2]:
        comparison.note(plan, won(plan, None))
    assert comparison.progress.mean == 0.5


def test_the_verdict_is_a_sentence() -> None:
    comparison, plans = started()
    for plan in plans:
        comparison.note(plan, won(plan, "y"))
    told = verdict(comparison.progress, "x", "y", comparison.rule)
    assert told == f"y is stronger than x, after {comparison.progress.blocks} blocks (mean score of x: 0.0%)"


@pytest.mark.parametrize(
    "changes",
    [
        {"entrants": [{"name": name, "agent": "random"} for name in ("x", "y", "z")]},
        {"schedule": {"rotate": False}},
    ],
)
def test_a_stop_needs_two_entrants_in_every_seating(changes: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="stop: a comparison that ends by itself needs two entrants"):
        tournament(**changes)


def test_an_impossible_rule_is_named() -> None:
    with pytest.raises(UserError, match=r"stop\.margin"):
        tournament(stop={"margin": 0})
    with pytest.raises(UserError, match=r"unknown key 'stop\.marginn'; did you mean 'margin'"):
        tournament(stop={"marginn": 10})


def test_a_run_stops_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from harness.cli.app import run

    file = tmp_path / "t.toml"
    file.write_text(
        'name = "t"\nround_limit = 200\n[stop]\nmargin = 200\n[schedule]\ndeals = 40\n'
        '[[entrants]]\nagent = "merchant"\n[[entrants]]\nagent = "random"\n'
    )
    assert run(["tournament", "run", str(file), "--results", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert "Decided: merchant is stronger than random, after " in told
    logs = len(list((tmp_path / "t" / "games").glob("*.jsonl")))
    assert 2 * LEAST <= logs < 40
    assert run(["tournament", "run", str(file), "--results", str(tmp_path), "--resume"]) == 0
    assert len(list((tmp_path / "t" / "games").glob("*.jsonl"))) == logs
