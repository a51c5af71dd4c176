from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.agents.base import Agent, Answer, Turn
from harness.agents.context import RunContext
from harness.agents.random import RandomAgent
from harness.agents.spec import AgentSpec, create_agent
from harness.config import Tournament, make_tournament
from harness.errors import UserError
from harness.log import is_finished, read_log
from harness.progress import Silent
from harness.randomness import Draws
from harness.records import comparable
from harness.store import Run, create_run, open_run, resume_run
from harness.tournament import RunResult, play_run, progress_of, seated


def tournament(**changes: Any) -> Tournament:
    data = {
        "name": "run",
        "round_limit": 3,
        "concurrency": 3,
        "schedule": {"deals": 2},
        "entrants": [{"name": name, "agent": "random"} for name in ("x", "y", "z")],
    }
    return make_tournament(data | changes, "test")


def go(run: Run, make: Callable[[AgentSpec, RunContext], Agent] = create_agent) -> RunResult:
    """Seat the agents and play what is left of the run."""

    async def play() -> RunResult:
        async with seated(run.tournament, make) as agents:
            return await play_run(run, agents, Silent())

    return asyncio.run(play())


class Waiting(RandomAgent):
    """Takes its time, as a model does, and counts what goes on at once."""

    def __init__(self, spec: str) -> None:
        super().__init__(spec)
        self.now = self.most = self.asked = 0
        self.closed = False

    async def choose(self, turn: Turn) -> Answer:
        self.asked += 1
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.001)
        self.now -= 1
        return await super().choose(turn)

    async def close(self) -> None:
        self.closed = True


def logs(folder: Path) -> dict[str, list[Any]]:
    return {path.name: [comparable(r) for r in read_log(path).records] for path in sorted(folder.glob("games/*.jsonl"))}


def test_a_run_plays_all_games_with_limited_concurrency_and_closes_its_agents(tmp_path: Path) -> None:
    run = create_run(tmp_path, tournament())
    agent = Waiting("random")
    result = go(run, lambda spec, context: agent)
    assert (result.games, result.finished, result.interrupted, result.crashed) == (12, 12, False, {})
    assert agent.most == 3
    assert agent.closed
    assert len(logs(run.folder)) == 12
    assert progress_of(run) == (12, 12)


def test_concurrency_changes_no_log(tmp_path: Path) -> None:
    one = create_run(tmp_path / "1", tournament(concurrency=1))
    many = create_run(tmp_path / "2", tournament(concurrency=12))
    for run in (one, many):
        go(run, lambda spec, context: Waiting(str(spec)))
    assert logs(one.folder) == logs(many.folder)


@pytest.mark.parametrize("signals", [1, 2])
def test_interrupted_once_or_twice_then_resumed_plays_only_the_rest(tmp_path: Path, signals: int) -> None:
    class Interrupting(Waiting):
        async def choose(self, turn: Turn) -> Answer:
            mine = self.asked
            answer = await super().choose(turn)
            if mine == 20:
                for _ in range(signals):
                    os.kill(os.getpid(), signal.SIGINT)
                    await asyncio.sleep(0.01)
            return answer

    run = create_run(tmp_path / "cut", tournament())
    agent = Interrupting("random")
    before = signal.getsignal(signal.SIGINT)
    result = go(run, lambda spec, context: agent)
    assert signal.getsignal(signal.SIGINT) == before
    assert result.interrupted
    assert 0 < result.finished < 12
    for path in run.folder.glob("games/*.jsonl"):
        assert path.read_bytes().endswith(b"\n")
        assert not read_log(path).torn
    finished = {path: path.read_bytes() for path in run.folder.glob("games/*.jsonl") if is_finished(path)}
    asked = sum(len(read_log(path).attempts) for path in run.folder.glob("games/*.jsonl"))

    rest = Waiting("random")
    again = go(resume_run(tmp_path / "cut", tournament()), lambda spec, context: rest)
    assert (again.finished, again.interrupted) == (12, False)
    assert all(path.read_bytes() == data for path, data in finished.items())
    whole = create_run(tmp_path / "whole", tournament())
    undisturbed = Waiting("random")
    go(whole, lambda spec, context: undisturbed)
    assert logs(run.folder) == logs(whole.folder)
    assert rest.asked == undisturbed.asked - asked


def test_a_name_that_exists_is_refused_and_resume_needs_the_same_settings(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no run .* to resume"):
        resume_run(tmp_path, tournament())
    create_run(tmp_path, tournament())
    with pytest.raises(UserError, match="exists already: add --resume"):
        create_run(tmp_path, tournament())
    assert resume_run(tmp_path, tournament(concurrency=7)).tournament.concurrency == 7
    with pytest.raises(UserError, match="seed is 1 there and 2 now"):
        resume_run(tmp_path, tournament(seed=2))


def test_a_run_of_another_version_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    folder = create_run(tmp_path, tournament()).folder
    path = folder / "run.json"
    plan = json.loads(path.read_text())
    path.write_text(json.dumps(plan | {"engine_version": "0.0.0-other"}))
    with pytest.raises(UserError, match="made by another version"):
        open_run(folder)
    path.write_text("{")
    with pytest.raises(UserError, match="damaged: it is not JSON"):
        open_run(folder)
    path.unlink()
    with pytest.raises(UserError, match="is not a run"):
        open_run(folder)


def test_all_agents_are_made_before_the_first_game(tmp_path: Path) -> None:
    first = Waiting("random")

    def make(spec: AgentSpec, context: RunContext) -> Agent:
        if spec.kind != "random":
            raise UserError("no key")
        return first

    entrants = [{"agent": "random"}, {"agent": "openai:m"}]
    run = create_run(tmp_path, tournament(entrants=entrants))
    with pytest.raises(UserError, match="no key"):
        go(run, make)
    assert not logs(run.folder)
    assert first.closed


def test_a_bug_stops_its_game_only_and_is_kept(tmp_path: Path) -> None:
    class Broken(RandomAgent):
        async def choose(self, turn: Turn) -> Answer:
            if turn.key.game == "d001-p01-r0" and turn.number == 2:
                raise RuntimeError("bug in here")
            return await super().choose(turn)

    run = create_run(tmp_path, tournament())
    result = go(run, lambda spec, context: Broken(str(spec)))
    assert result.finished == 11
    assert list(result.crashed) == ["d001-p01-r0"]
    assert "bug in here" in result.crashed["d001-p01-r0"].read_text()
    assert go(run).finished == 12


def test_a_users_error_in_one_game_lets_the_others_end_their_decision(tmp_path: Path) -> None:
    class Full(Waiting):
        async def choose(self, turn: Turn) -> Answer:
            if turn.number == 2:
                raise UserError("disk full")
            return await super().choose(turn)

    run = create_run(tmp_path, tournament())
    with pytest.raises(UserError, match="disk full"):
        go(run, lambda spec, context: Full(str(spec)))
    assert all(not read_log(path).torn for path in run.folder.glob("games/*.jsonl"))


def test_a_provider_that_gives_up_leaves_games_open_for_later(tmp_path: Path) -> None:
    class Down(RandomAgent):
        async def choose(self, turn: Turn) -> Answer:
            answer = await super().choose(turn)
            down = Draws(*turn.key, "down").chance(0.05)
            return replace(answer, proposal=None, failure="provider", code="timeout") if down else answer

    run = create_run(tmp_path, tournament())
    result = go(run, lambda spec, context: Down(str(spec)))
    assert result.finished < 12
    assert not result.interrupted
    assert go(run).finished == 12


def test_an_entrant_its_provider_turns_away_for_good_plays_no_more_games(tmp_path: Path) -> None:
    class Refused(RandomAgent):
        async def choose(self, turn: Turn) -> Answer:
            return Answer(failure="provider", code="authentication", detail="invalid key")

    run = create_run(tmp_path, tournament(concurrency=1, entrants=[{"agent": "random"}, {"agent": "merchant"},
                                                                   {"name": "third", "agent": "random"}]))  # fmt: skip
    bad, good = Refused("x"), Waiting("random")
    result = go(run, lambda spec, context: good if spec.kind == "random" else bad)
    assert result.refused == {"merchant": "authentication: invalid key"}
    assert result.finished == 4
    assert len(logs(run.folder)) == 5
    assert not result.interrupted


def test_the_plan_of_a_run_lists_its_games(tmp_path: Path) -> None:
    folder = create_run(tmp_path, tournament()).folder
    games = json.loads((folder / "run.json").read_text())["games"]
    assert len(games) == 12
    assert games[0]["game"] == "d001-p01-r0"
    assert games[0]["seats"] == {"A": "x", "B": "y"}
