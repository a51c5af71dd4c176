"""Each game of a run is played by one process; what a dead one held is free at once; a lost database loses nothing."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from harness import workers
from harness.budget import Budget, Caps, Reached
from harness.claims import Claims, opened
from harness.config import make_tournament
from harness.database import NAME
from harness.errors import UserError
from harness.log import LogWriter
from harness.records import OutcomeRecord
from harness.schedule import make_schedule
from harness.store import Run, create_run

OUTCOME = OutcomeRecord(
    result="void", reason="provider", winner=None, ranking=[], stacks={"A": 0}, forfeited=[], rounds=1, decisions=1,
    state="0" * 64,
)  # fmt: skip


@pytest.fixture(name="run")
def new_run(tmp_path: Path) -> Run:
    entrants = [{"name": name, "agent": "random"} for name in ("x", "y")]
    return create_run(tmp_path, make_tournament({"name": "r", "schedule": {"deals": 2}, "entrants": entrants}, "test"))


@contextmanager
def joined(run: Run, session: str | None = None, **how: Any) -> Iterator[Claims]:
    with opened(run, make_schedule(run.tournament), session, **how) as (claims, _, _):
        yield claims


GAMES = ["d001-p01-r0", "d001-p01-r1", "d002-p01-r0", "d002-p01-r1"]


def test_each_game_is_claimed_once_in_the_order_of_the_plan(run: Run) -> None:
    with joined(run) as one, joined(run) as other:
        claimed = [one.claim(), other.claim(), other.claim(closed={GAMES[2]}), one.claim(), one.claim()]
        assert claimed == [GAMES[0], GAMES[1], GAMES[3], GAMES[2], None]
        one.finish(GAMES[0], OUTCOME)
        assert one.counts() == (1, 2)
        assert other.counts() == (1, 1)
        assert other.finished() == GAMES[:1]
    assert not list((run.folder / workers.FOLDER).iterdir())


def test_a_worker_that_leaves_gives_back_what_it_held(run: Run) -> None:
    with joined(run) as one:
        with joined(run) as other:
            other.claim()
        assert one.claim() == GAMES[0]


def test_a_dead_workers_games_are_free_when_nothing_else_is(run: Run) -> None:
    with joined(run) as one, opened(run, make_schedule(run.tournament)) as (dead, worker, _):
        assert dead.claim() == GAMES[0]
        worker.file.close()  # a process that is killed loses its lock, and nothing else happens
        assert [one.claim() for _ in range(5)] == [*GAMES[1:], GAMES[0], None]
        assert one.others.names() == [one.worker]


def test_a_game_left_open_is_not_tried_again_in_its_session(run: Run) -> None:
    with joined(run, "s") as one, joined(run, "s") as same, joined(run, "t") as other:
        one.claim()
        one.leave(GAMES[0], failed=True)
        assert same.claim() == GAMES[1]
        assert other.claim() == GAMES[0]
    with joined(run, "u") as later:
        assert later.claim() == GAMES[0]


def test_failures_are_counted_over_the_last_games_of_the_session(run: Run) -> None:
    with joined(run, "s") as one, joined(run, "t") as other:
        for failed in (True, False, True):
            game = one.claim()
            assert game is not None
            if failed:
                one.leave(game, failed=True)
            else:
                one.finish(game, OUTCOME.model_copy(update={"reason": "round_limit"}))
        assert one.failures(10) == (2, 3)
        assert one.failures(2) == (1, 2)
        assert other.failures(10) == (0, 0)


def test_who_plays_alone_suffers_nobody(run: Run) -> None:
    with joined(run, alone=True), pytest.raises(UserError, match="being played by another process"), joined(run):
        pass
    with joined(run), pytest.raises(UserError, match="being played by another process"), joined(run, alone=True):
        pass


def finished_log(run: Run, game: str) -> None:
    with LogWriter(run.log(game)) as log:
        log.write(OUTCOME)


@pytest.mark.parametrize("damage", ["lost", "garbage", "torn", "another's"])
def test_a_lost_or_damaged_database_is_made_anew_from_the_logs(run: Run, damage: str) -> None:
    with joined(run) as claims:
        claims.claim()
    finished_log(run, GAMES[1])
    path = run.folder / NAME
    if damage == "lost":
        path.unlink()
    elif damage == "garbage":
        path.write_bytes(os.urandom(10_000))
    elif damage == "torn":
        os.truncate(path, 9_000)
    else:
        with sqlite3.connect(path) as rows:
            rows.execute("UPDATE games SET game = 'other' WHERE place = 0")
        rows.close()
    with opened(run, make_schedule(run.tournament)) as (claims, _, mended):
        assert mended == (damage != "lost")
        assert claims.finished() == [GAMES[1]]
        assert [claims.claim() for _ in range(4)] == [GAMES[0], *GAMES[2:], None]


def test_the_database_is_not_made_anew_while_others_play_by_it(run: Run) -> None:
    with joined(run):
        (run.folder / NAME).unlink()
        with pytest.raises(UserError, match="missing or damaged while other processes play"), joined(run):
            pass


def test_the_logs_know_better_than_the_database(run: Run) -> None:
    with joined(run) as claims:
        game = claims.claim()
        assert game is not None
        claims.finish(game, OUTCOME)
    finished_log(run, GAMES[2])
    with joined(run) as claims:  # the first game's log was taken away
        assert claims.finished() == [GAMES[2]]


def of_another_host(run: Run, database: str = "elsewhere") -> Path:
    path = run.folder / workers.FOLDER / "1-abc.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"host": "elsewhere", "pid": 1, "database": database, "alone": False}))
    return path


def test_a_worker_of_another_host_lives_as_long_as_it_renews_its_lease(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(workers, "now", lambda: now)
    path, others = of_another_host(run), workers.Others(run.folder)
    assert others.lives("1-abc")
    now += workers.LEASE_S
    assert others.lives("1-abc")
    os.utime(path, (5, 5))  # its clock may say what it likes: it was renewed
    now += 1
    assert others.lives("1-abc")
    now += workers.LEASE_S + 1
    assert not others.lives("1-abc")


def test_a_run_played_on_another_host_is_left_to_it_until_its_lease_ends(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    path = of_another_host(run)
    renewed = True

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds
        if renewed:
            os.utime(path, (now, now))

    monkeypatch.setattr(workers, "now", lambda: now)
    monkeypatch.setattr("harness.claims.now", lambda: now)
    monkeypatch.setattr("harness.claims.time.sleep", sleep)
    with pytest.raises(UserError, match="being played on elsewhere"), joined(run):
        pass
    renewed = False
    told: list[str] = []
    with joined(run, say=told.append) as claims:
        assert not path.exists()
        assert claims.claim() == GAMES[0]
    assert told == ["Waiting for up to 31 s to see whether a process on elsewhere still plays this run."]


def test_a_worker_that_slept_longer_than_its_lease_has_lost_its_games_only_if_they_were_taken(run: Run) -> None:
    with workers.entered(run.folder) as worker:
        worker.beaten -= workers.LEASE_S + 1
        assert not worker.is_lost()  # nobody minded
        workers.Others(run.folder).forget(worker.name)
        assert not worker.is_lost()  # it has renewed its lease a moment ago
        worker.beaten -= workers.LEASE_S + 1
        assert worker.is_lost()


async def test_a_cap_holds_over_all_processes(run: Run) -> None:
    budgets = [Budget(Caps(run=Decimal(10))) for _ in range(2)]
    with joined(run) as one, joined(run) as other:
        with budgets[0].sharing(one.money), budgets[1].sharing(other.money):
            assert await budgets[0].reserve("x", GAMES[0], Decimal(6)) is None
            budgets[0].settle("x", GAMES[0], Decimal(6), Decimal("4.5"))
            reached = await budgets[1].reserve("y", GAMES[1], Decimal(6))
            assert reached == Reached("run", "", Decimal(10), Decimal("4.5"), Decimal(6))
            assert await budgets[1].reserve("y", GAMES[1], Decimal("5.5")) is None
        assert budgets[1].spent == Decimal("4.5")


async def test_what_a_dead_process_set_aside_stands_against_nobody(run: Run) -> None:
    mine, its = Budget(Caps(run=Decimal(10))), Budget(Caps(run=Decimal(10)))
    with joined(run) as one, mine.sharing(one.money), opened(run, make_schedule(run.tournament)) as (dead, worker, _):
        with its.sharing(dead.money):
            assert await its.reserve("x", GAMES[0], Decimal(9)) is None
        assert one.money.reserve("y", GAMES[1], Decimal(9), mine.caps) is False
        worker.file.close()
        assert await mine.reserve("y", GAMES[1], Decimal(9)) is None


def test_the_log_of_a_game_knows_better_what_was_spent_in_it(run: Run) -> None:
    with joined(run) as claims:
        money = claims.money
        money.settle("x", GAMES[0], Decimal(0), Decimal("1.25"))
        money.settle("y", GAMES[1], Decimal(0), Decimal(2))
        money.know(GAMES[0], {"x": Decimal(1)})
        assert money.spent() == 3
        claims.recount(Budget(), make_schedule(run.tournament))
        assert money.spent() == 3  # of a game without a log the logs say nothing
