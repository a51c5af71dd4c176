"""A run stops at its budget, says so, and goes on: in whole runs and on the command line."""

from __future__ import annotations

import asyncio
import hashlib
import io
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from harness.budget import Budget
from harness.cli import run as dale
from harness.config import Tournament, make_tournament
from harness.log import is_finished, read_log
from harness.match import Record
from harness.plan import MatchPlan
from harness.progress import Silent
from harness.providers.client import Endpoint
from harness.providers.profiles import Profile
from harness.providers.types import Exchange, RawCall, Reply, Request, Usage
from harness.records import AttemptRecord, comparable
from harness.store import Run, create_run, resume_run
from harness.tournament import RunResult, play_run, seated


class Server:
    """Stands in for the server: chooses an entry of the menu by the request alone, and counts what goes on."""

    def __init__(self) -> None:
        self.calls = 0

    async def __call__(self, endpoint: Endpoint, req: Request, profile: Profile, *more: Any) -> Exchange:
        self.calls += 1
        await asyncio.sleep(0.001)
        told = hashlib.sha256(repr((req.messages, profile.model, req.seed)).encode()).digest()
        entries = req.tools[0].parameters["properties"].get("entry", {}).get("enum", [0])
        call = RawCall(req.tools[0].name, {"entry": entries[told[0] % len(entries)] if told[1] > 9 else -1})
        usage = Usage(uncached_input=100 + told[2], output=10)
        timing = {"queued": 0.0, "latency": 0.5}
        return Exchange(Reply((call,), usage=usage), None, req.messages[-1][1].encode(), told, sent=1, timing=timing)


@pytest.fixture(name="server")
def fake_server(monkeypatch: pytest.MonkeyPatch) -> Server:
    server = Server()

    async def send(endpoint: Endpoint, req: Request, profile: Profile, *more: Any) -> Exchange:
        return await server(endpoint, req, profile)

    monkeypatch.setattr(Endpoint, "send", send)
    return server


URL = "http://127.0.0.1:1/v1?level=L0&schema_mode=enum&menu_limit=200&max_output_tokens=100&rulebook=none"


def tournament(**changes: Any) -> Tournament:
    data: dict[str, Any] = {
        "name": "run",
        "round_limit": 3,
        "concurrency": 4,
        "prices": {"m": {"input": 1000, "output": 1000}},
        "entrants": [
            {"name": "one", "agent": f"compat:m@{URL}"},
            {"name": "two", "agent": f"compat:m@{URL}"},
            {"name": "plain", "agent": "random"},
        ],
    }
    return make_tournament(data | changes, "test")


class Sums(Silent):
    """Checks after every record that no cap is exceeded."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        cap = self.budget.caps.run
        assert cap is None or self.budget.spent <= cap


def go(run: Run) -> tuple[RunResult, Budget]:
    budget = Budget(run.tournament.caps)

    async def play() -> RunResult:
        async with seated(run.tournament, budget=budget) as agents:
            return await play_run(run, agents, Sums(budget), budget=budget)

    return asyncio.run(play()), budget


def attempts(run: Run) -> list[tuple[str, str, AttemptRecord]]:
    logs = [read_log(path) for path in sorted(run.folder.glob("games/*.jsonl"))]
    return [(log.header.game, log.header.seats[one.seat].name, one) for log in logs for one in log.attempts]


def logged(run: Run) -> dict[str, list[Any]]:
    """What the logs hold, but for the calls that were not made."""
    return {
        path.name: [
            comparable(record)
            for record in read_log(path).records
            if not (isinstance(record, AttemptRecord) and record.code == "budget")
        ]
        for path in sorted(run.folder.glob("games/*.jsonl"))
    }


def spent(run: Run) -> Decimal:
    return sum((Decimal(one.cost or 0) for _, _, one in attempts(run)), Decimal())


def test_a_run_stopped_by_its_budget_resumes_to_the_logs_of_an_undisturbed_one(tmp_path: Path, server: Server) -> None:
    whole = create_run(tmp_path / "whole", tournament())
    result, _ = go(whole)
    assert (result.finished, result.reached) == (6, ())
    calls, cost = server.calls, spent(whole)

    run = create_run(tmp_path / "cut", tournament(budget={"run": str(cost / 3)}))
    stops = 0
    while True:
        cap = run.tournament.caps.run
        assert cap is not None
        result, budget = go(run)
        assert budget.spent == spent(run) <= cap
        assert not result.interrupted
        if not result.reached:
            break
        stops += 1
        assert result.finished < 6
        assert [reached.kind for reached in result.reached] == ["run"]
        assert all(not read_log(path).torn for path in run.folder.glob("games/*.jsonl"))
        refused = [one for _, _, one in attempts(run) if one.code == "budget"]
        assert refused
        assert {(one.result, one.calls, one.request, one.cost) for one in refused} == {("provider", 0, None, None)}
        run = resume_run(tmp_path / "cut", tournament(budget={"run": str(cap + cost / 3)}))
    assert stops >= 2
    assert logged(run) == logged(whole)
    assert server.calls == 2 * calls


def test_an_entrants_budget_ends_only_its_own_games(tmp_path: Path, server: Server) -> None:
    dear = {"one": {"input": 100000, "output": 100000}, "m": {"input": "0.5", "output": "0.5"}}
    run = create_run(tmp_path, tournament(prices=dear, budget={"entrant": 80}))
    result, _ = go(run)
    assert [(reached.kind, reached.name) for reached in result.reached] == [("entrant", "one")]
    for path in run.folder.glob("games/*.jsonl"):
        names = {seat.name for seat in read_log(path).header.seats.values()}
        assert is_finished(path) or "one" in names
    assert sum(is_finished(path) for path in run.folder.glob("games/*.jsonl")) >= 2


def test_a_games_budget_ends_only_that_game(tmp_path: Path, server: Server) -> None:
    costs: dict[str, Decimal] = {}
    whole = create_run(tmp_path / "whole", tournament())
    go(whole)
    for game, _, one in attempts(whole):
        costs[game] = costs.get(game, Decimal()) + Decimal(one.cost or 0)
    cap = max(costs.values()) * Decimal("1.6")  # the worst case of a call is much dearer than the call
    run = create_run(tmp_path / "cut", tournament(budget={"game": str(cap)}))
    result, _ = go(run)
    ended = {reached.name for reached in result.reached}
    assert {reached.kind for reached in result.reached} == {"game"}
    assert 0 < len(ended) < 6
    assert {game for game in costs if not is_finished(run.log(game))} == ended
    assert spent(run) < sum(costs.values())


def test_a_budget_voids_no_game(tmp_path: Path, server: Server) -> None:
    run = create_run(tmp_path, tournament(budget={"run": 1}, provider_failure="void"))
    result, _ = go(run)
    assert result.finished == 0
    assert go(resume_run(tmp_path, tournament(provider_failure="void")))[0].finished == 6


def test_usage_logged_without_a_price_counts_when_the_price_is_known(tmp_path: Path, server: Server) -> None:
    run = create_run(tmp_path, tournament(prices={}))
    go(run)
    assert {one.cost for _, name, one in attempts(run) if name != "plain"} == {None}
    usages = [one.usage for _, _, one in attempts(run) if one.usage is not None]
    tokens = sum(usage.uncached_input + usage.output for usage in usages)
    assert go(resume_run(tmp_path, tournament(budget={"run": 1})))[1].spent == Decimal(tokens) / 1000


def test_the_log_says_what_prices_the_calls(tmp_path: Path, server: Server) -> None:
    run = create_run(tmp_path, tournament(prices={"one": {"input": 0.1, "output": "2.5", "cache_read": 0.01}}))
    go(run)
    log = read_log(run.log("d001-p01-r0"))
    prices = {"input": "0.1", "cache_read": "0.01", "cache_write": "0.1", "output": "2.5"}
    assert log.header.seats["A"].settings["price"] == {"source": "run", **prices}
    assert log.header.seats["B"].settings["price"] == {"source": "unknown"}


TOML = f"""
name = "tiny"
round_limit = 2

[[entrants]]
agent = "compat:m@{URL}"
name = "mind"

[[entrants]]
agent = "random"
"""
PRICES = '[prices."m"]\ninput = 1000\noutput = 1000\n'


@pytest.fixture(name="command")
def in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], server: Server
) -> Callable[..., tuple[int, str]]:
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(TOML + PRICES)
    Path("dear.toml").write_text(TOML)

    def command(*arguments: str) -> tuple[int, str]:
        code = dale(arguments)
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return command


def test_the_command_line_says_what_was_reached_and_how_to_go_on(command: Callable[..., tuple[int, str]]) -> None:
    code, out = command("tournament", "run", "tiny.toml", "--budget", "1.5")
    assert code == 1
    assert re.search(r"Stopped: the budget of the run, 1\.50 US dollars, is reached: (1|0)\.\d+ spent", out)
    assert "0 of 2 games are finished" in out
    assert "Go on with: dale tournament run tiny.toml --resume --budget MORE" in out
    assert re.search(r"stays open, stopped by the budget; \$\d\.\d+ of \$1\.50 spent, \d+ tokens", out)
    code, out = command("tournament", "run", "tiny.toml", "--resume", "--budget", "9.5")
    assert code == 0
    assert "2 of 2 games are finished" in out
    assert re.search(r"\[2/2\] .*; \$\d\.\d+ of \$9\.50 spent", out)


def test_the_command_that_goes_on_keeps_the_budget_that_was_given(
    command: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupted(*given: Any, **more: Any) -> RunResult:
        return RunResult(2, interrupted=True)

    monkeypatch.setattr("harness.tournament.play_run", interrupted)
    asked = "--name", "mine", "--no-preflight"
    code, out = command("tournament", "run", "tiny.toml", *asked, "--budget", "2.50")
    assert (code, out.splitlines()[-1]) == (
        130, "Go on with: dale tournament run tiny.toml --resume --name mine --no-preflight --budget 2.50",
    )  # fmt: skip
    _, out = command("tournament", "resume", "mine", "--budget", "1")
    assert out.splitlines()[-1] == "Go on with: dale tournament resume mine --budget 1"
    _, out = command("tournament", "resume", "mine")  # whose folder says 2.50
    assert out.splitlines()[-1] == "Go on with: dale tournament resume mine"


def test_a_budget_that_was_reached_is_said_once_in_the_command_that_goes_on(
    command: Callable[..., tuple[int, str]],
) -> None:
    command("tournament", "run", "tiny.toml", "--budget", "1.5")
    _, out = command("tournament", "resume", "tiny", "--budget", "1.6")
    assert out.splitlines()[-1] == "Go on with: dale tournament resume tiny --budget MORE"


def test_a_game_of_ones_own_has_a_budget_too(
    command: Callable[..., tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n" * 9))
    model = "openai:gpt-5.5?level=L0&schema_mode=enum"
    code, out = command("play", "--against", model, "--budget", "0.001", "--start", "A", "--seed", "3")
    assert code == 0
    assert "the budget of the run, 0.0010 US dollars, is reached: 0.00 spent" in out
    assert "dale play --resume play-1 --budget MORE" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n"))
    _, out = command("play", "--resume", "play-1", "--budget", "1")
    assert "dale play --resume play-1 --budget 1\n" in out
    log = read_log(Path("results/play-1/games/d001-p01-r0.jsonl"))
    assert next(one.code for one in log.attempts if one.seat == "B") == "budget"
    assert any(one.cost for one in log.attempts if one.seat == "B")


def test_an_unknown_price_with_a_budget_is_refused_before_anything_is_written(
    command: Callable[..., tuple[int, str]],
) -> None:
    code, out = command("tournament", "run", "dear.toml", "--budget", "1")
    assert code == 2
    assert "the price of 'mind' is unknown" in out
    assert out.count("\n") == 1
    code, out = command("play", "--against", f"compat:m@{URL}", "--budget", "1")
    assert (code, "is unknown" in out) == (2, True)
    code, out = command("tournament", "run", "tiny.toml", "--budget", "lots")
    assert (code, "budget.run: must be a number of US dollars such as 2.50, not 'lots'" in out) == (2, True)
    assert not Path("results").exists()
    assert command("tournament", "run", "dear.toml")[0] == 0
