"""Watching whole runs: as lines in a pipe, as a screen in a terminal, from the first game and gone on with."""

from __future__ import annotations

import asyncio
import io
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

from rich.console import Console

from harness.budget import Budget, Caps
from harness.config import make_tournament
from harness.figures import duration, short
from harness.log import read_log
from harness.plan import MatchPlan
from harness.progress import showing
from harness.progress.lines import HEARTBEAT, Lines
from harness.progress.rater import SHARE, Rater
from harness.progress.showing import Screen
from harness.progress.tally import Player, Tally, tally_of
from harness.providers.connections import Connections
from harness.providers.gates import Gates
from harness.providers.profiles import make_profile
from harness.providers.types import ProviderError
from harness.records import AttemptRecord, Record
from harness.schedule import make_schedule
from harness.store import Run, create_run
from harness.tournament import Watcher, play_run, seated


def run_of(results: Path, **changes: Any) -> Run:
    entrants = [{"name": name, "agent": "random"} for name in ("one", "two")]
    data = {"name": "run", "round_limit": 2, "schedule": {"deals": 2}, "entrants": entrants}
    return create_run(results, make_tournament(data | changes, "test"))


def play(run: Run, watcher: Watcher, budget: Budget | None = None) -> None:
    async def go() -> None:
        async with seated(run.tournament) as agents:
            await play_run(run, agents, watcher, signals=False, budget=budget)

    asyncio.run(go())


def test_in_a_pipe_every_game_that_ends_is_a_line(tmp_path: Path) -> None:
    out = io.StringIO()
    run = run_of(tmp_path)
    with showing(Console(file=out, width=80), run, Budget()) as watcher:
        play(run, watcher)
    lines = out.getvalue().splitlines()
    assert sorted(line.split(": ")[0].split("] ")[1] for line in lines) == [
        f"d{deal:03}-p01-r{rotation}" for deal in (1, 2) for rotation in (0, 1)
    ]
    assert [line.split("]")[0] for line in lines] == ["[1/4", "[2/4", "[3/4", "[4/4"]
    assert all("unfinished after 2 rounds, stacks 0-0" in line for line in lines)
    assert "\x1b" not in out.getvalue()


def test_a_long_run_says_in_a_pipe_now_and_then_how_it_stands(tmp_path: Path) -> None:
    out = io.StringIO()
    run = run_of(tmp_path, round_limit=1, schedule={"deals": 10})
    with showing(Console(file=out, width=80), run, Budget()) as watcher:
        play(run, watcher)
    lines = out.getvalue().splitlines()
    told = [place for place, line in enumerate(lines) if line.startswith("So far: ")]
    assert told == [3 * number - 1 for number in range(1, 10)]  # after every second game but the last
    assert lines[told[-1]] == (
        "So far: one won 0 of 18, 100.0% legal at first try; two won 0 of 18, 100.0% legal at first try"
    )


def test_a_silent_run_says_in_a_pipe_that_it_is_alive() -> None:
    plans = make_schedule(make_tournament({"name": "t", "entrants": [{"agent": "random", "copies": 2}]}, "test"))
    now, out = [0.0], io.StringIO()
    budget = Budget(Caps(Decimal(5)))
    tally = Tally(4, {"random": Player(), "random (2)": Player()}, finished=2, since=1)
    lines = Lines(Console(file=out, width=60), tally, budget, lambda: now[0])
    lines.started(plans[0])
    attempt = AttemptRecord.model_validate({"number": 0, "seat": "A", "attempt": 0, "class": "rule"})
    lines.recorded(plans[0], attempt)
    assert out.getvalue() == ""
    now[0] = HEARTBEAT
    lines.recorded(plans[0], attempt)
    lines.recorded(plans[0], attempt)
    assert out.getvalue() == ("2 of 4 games finished, 1 running; $0.00 of $5.00 spent, 2 rule; about 60 s left\n")


def test_a_run_that_goes_on_is_told_with_the_games_it_has(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    with showing(Console(file=io.StringIO()), run, Budget()) as watcher:
        play(run, watcher)
    plans = make_schedule(run.tournament)
    open_ = run.log(plans[0].game)
    open_.write_bytes(b"\n".join(open_.read_bytes().splitlines()[:-1]) + b"\n")  # without its outcome
    tally = tally_of(plans, ["one", "two"], open_.parent)
    assert (tally.finished, tally.since, len(tally.results)) == (3, 0, 3)
    assert [player.games for player in tally.players.values()] == [3, 3]
    ranked = [[log.header.seats[seat].name for seat in group] for group in log.outcome.ranking] if (
        log := read_log(run.log(plans[1].game))
    ).outcome else []  # fmt: skip
    assert [list(group) for group in tally.results[0].ranking] == ranked
    out = io.StringIO()
    with showing(Console(file=out), run, Budget()) as watcher:
        play(run, watcher)
    assert out.getvalue().startswith("[4/4] d001-p01-r0: ")


def test_in_a_terminal_the_screen_stands_below_the_lines(tmp_path: Path) -> None:
    out = io.StringIO()
    run = run_of(tmp_path)
    console = Console(file=out, width=80, height=24, force_terminal=True, color_system=None, legacy_windows=False)
    with showing(console, run, Budget(), Connections()) as watcher:
        assert isinstance(watcher, Screen)
        play(run, watcher)
    text = out.getvalue()
    assert "[4/4] d00" in text
    assert "4/4 games" in text
    assert "agent games wins rating" in text


def test_the_screen_is_drawn_by_another_thread_while_the_run_counts_its_money(tmp_path: Path) -> None:
    """The books of a run are open in the thread of its event loop only."""
    run, budget = run_of(tmp_path), Budget(Caps(Decimal(5)))
    tally = tally_of(make_schedule(run.tournament), ["one", "two"], run.log("x").parent)
    seen = set()

    class Peeking(Screen):
        def recorded(self, plan: MatchPlan, record: Record) -> None:
            super().recorded(plan, record)
            console = Console(file=io.StringIO(), width=80, height=24, record=True)
            console.print(drawer.submit(self.draw, 80, 24).result())
            seen.update(console.export_text().splitlines()[1].split())

    with ThreadPoolExecutor(1) as drawer:
        play(run, Peeking("run", tally, budget, Rater(1, Pool(), lambda: 0.0), list, lambda: 0.0), budget)
    assert {"$0.00", "$5.00"} <= seen


def test_the_screen_is_drawn_from_the_records_alone(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    names = [entrant.name for entrant in run.tournament.entrants]
    tally = tally_of(make_schedule(run.tournament), names, run.log("x").parent)
    rater = Rater(1, Pool(), lambda: 0.0)
    screen = Screen("run", tally, Budget(), rater, list, lambda: 0.0)
    play(run, screen)
    console = Console(file=io.StringIO(), width=80, height=24, record=True)
    console.print(screen.draw(80, 24))
    lines = console.export_text().splitlines()
    assert "4/4 games" in lines[0]
    decided = sum(len(read_log(path).decisions) for path in run.folder.glob("games/*.jsonl"))
    assert lines[1].strip() == f"attempts: {decided} accepted"


class Pool(Executor):
    """Computes when it is told to."""

    def __init__(self) -> None:
        self.asked: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.asked.append((future, lambda: fn(*args, **kwargs)))
        return future

    def work(self) -> None:
        future, compute = self.asked[-1]
        future.set_result(compute())


def test_ratings_are_computed_seldom_and_beside_the_games(tmp_path: Path) -> None:
    run = run_of(tmp_path, schedule={"deals": 3})
    with showing(Console(file=io.StringIO()), run, Budget()) as watcher:
        play(run, watcher)
    results = tally_of(make_schedule(run.tournament), ["one", "two"], run.log("x").parent).results
    now = [0.0]
    pool = Pool()
    rater = Rater(1, pool, lambda: now[0])
    assert rater.look([]) == {}
    assert pool.asked == []
    assert rater.look(results[:4]) == {}
    assert rater.look(results[:5]) == {}
    assert len(pool.asked) == 1  # one at a time
    now[0] = 2.0
    pool.work()
    assert {one.games for one in rater.look(results[:5]).values()} == {4}
    now[0] = 2.0 + 2 * SHARE - 1
    rater.look(results)
    assert len(pool.asked) == 1
    now[0] += 1
    rater.look(results)
    assert len(pool.asked) == 2
    pool.work()
    assert {one.games for one in rater.look(results).values()} == {6}
    now[0] = 1e6
    rater.look(results)
    assert len(pool.asked) == 2  # nothing new


def test_the_gates_tell_how_they_are() -> None:
    profile = make_profile("compat", "m", "http://127.0.0.1:1/v1")

    async def go() -> None:
        gates = Gates(4)
        lane = gates.lane(profile)
        await lane.enter(1, 1.0)
        state = gates.state("here")
        assert (state.address, state.busy, state.places, state.full, state.pauses) == ("here", 1, 4, 4, ())
        gates.strained(profile, ProviderError("rate_limit", "slow down", retry_after=60.0), 0)
        (pause,) = gates.state("here").pauses
        assert (pause.model, pause.reason) == ("m", "rate_limit")
        assert 0 < pause.seconds <= 60
        assert gates.state("here").places == 2
        lane.leave()
        assert gates.state("here").busy == 0

    asyncio.run(go())
    assert Connections().gates() == []


def test_numbers_and_times_are_short() -> None:
    assert [short(one) for one in (0, 999, 1000, 12_345, 4_500_000, 2 * 10**9)] == [
        "0", "999", "1.0k", "12.3k", "4.5M", "2.0G",
    ]  # fmt: skip
    told = [duration(one) for one in (0, 45, 89, 90, 720, 5400, 12_000, 7200, 190_000, 172_800)]
    assert told == ["0 s", "45 s", "89 s", "2 min", "12 min", "1 h 30 min", "3 h 20 min", "2 h", "2 d 4 h", "2 d"]
