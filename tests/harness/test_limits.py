"""A provider without credit in a tournament: its games stay open, others go on, and a resume goes on inside them."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import httpx2
import virtual
from virtual import Inventory, Server, refusal

from harness.config import make_tournament
from harness.log import read_log
from harness.progress import Silent
from harness.providers.connections import Connections
from harness.providers.tape import Tape, TapeMiss, open_tape
from harness.records import comparable
from harness.store import Run, create_run, resume_run
from harness.tournament import RunResult, play_run, seated

TOURNAMENT = make_tournament(
    {
        "name": "run",
        "round_limit": 4,
        "rulebook": "brief",
        "concurrency": 4,
        "schedule": {"kind": "line_ups", "line_ups": [["poor", "random"], ["poor too", "random"], ["rich", "random"]]},
        "entrants": [
            {"name": "poor", "agent": "compat:m@http://poor/v1"},
            {"name": "poor too", "agent": "compat:n@http://poor/v1"},
            {"name": "rich", "agent": "compat:m@http://rich/v1?rpm=3"},
            {"name": "random", "agent": "random"},
        ],
    },
    "test",
)


def go(run: Run, server: Server, tape: Tape | None = None) -> RunResult:
    async def main() -> RunResult:
        async with seated(TOURNAMENT, connections=Connections(server.wrap, tape)) as agents:
            return await play_run(run, agents, Silent(), signals=False)

    return virtual.run(main())[0]


def plain(path: Path) -> list[dict[str, Any]]:
    return [comparable(record) for record in read_log(path).records]


def test_without_credit_all_games_of_the_provider_stay_open_and_can_be_gone_on_with(tmp_path: Path) -> None:
    asked = 0

    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        nonlocal asked
        asked += request.url.host == "poor"
        return refusal(429, "insufficient_quota") if request.url.host == "poor" and asked > 5 else None

    run = create_run(tmp_path, TOURNAMENT)
    record = open_tape(tmp_path / "tape", None, False)
    assert record is not None
    result = go(run, Inventory(behave), record)
    record.close()
    assert sorted(result.refused) == ["poor", "poor too"]
    assert all(reason.startswith("quota: HTTP 429") for reason in result.refused.values())
    assert (result.games, result.finished, result.crashed) == (6, 2, {})
    assert asked <= 5 + 4  # those under way; nobody asked after them
    begun = {path: path.read_bytes() for path in run.folder.glob("games/*.jsonl")}
    last = [read_log(path).records[-1] for path in begun if read_log(path).outcome is None]
    assert {record.code for record in last} == {"quota"}

    replay = open_tape(None, tmp_path / "tape", False)
    assert replay is not None
    copy = create_run(tmp_path / "copy", TOURNAMENT)
    with contextlib.suppress(TapeMiss):  # a replay has other speeds and may begin a game that was not begun then
        go(copy, Inventory(), replay)
    replay.close()
    for path in begun:
        assert plain(copy.folder / "games" / path.name) == plain(path)

    again = go(resume_run(tmp_path, TOURNAMENT), Inventory())
    assert (again.finished, again.refused) == (6, {})
    for path, before in begun.items():
        assert path.read_bytes().startswith(before)


def test_what_a_request_waited_at_the_gates_stands_in_the_log(tmp_path: Path) -> None:
    run = create_run(tmp_path, TOURNAMENT)
    go(run, Inventory())
    waits = [
        attempt.timing["queued"]
        for path in run.folder.glob("games/*.jsonl")
        for attempt in read_log(path).attempts
        if attempt.timing is not None and "queued" in attempt.timing
    ]
    assert sum(wait >= 15 for wait in waits) >= 5  # three requests per minute, eight asked
    assert sum(wait == 0 for wait in waits) >= 16
