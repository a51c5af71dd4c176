"""A run killed at any moment, as often as you like, goes on to the logs of an undisturbed one."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from killing import Player, play, player, wait_for_a_moment
from llmock.pytest_plugin import LLMock

from harness.blobs import BlobStore
from harness.canonical import canonical_json
from harness.config import make_tournament
from harness.log import is_finished, read_log
from harness.records import comparable
from harness.store import create_run

SCRIPTED = ["random", "merchant", "sloppy:0.3"]


@pytest.fixture(name="players", scope="module")
def two_players() -> Iterator[tuple[Player, Player]]:
    with player() as one, player() as other:
        yield one, other


def begun(results: Path, agents: list[str], **changes: Any) -> Path:
    """The folder of a new run."""
    data = {"name": "run", "round_limit": 6, "concurrency": 3, "schedule": {"deals": 1}, "rulebook": "none"}
    entrants = [{"name": f"{number} {agent[:8]}", "agent": agent} for number, agent in enumerate(agents)]
    return create_run(results, make_tournament({**data, "entrants": entrants, **changes}, "test")).folder


def logs(folder: Path) -> dict[str, list[Any]]:
    """The logs of a run without the digests of whole answers: the server gives each a number and a date."""
    return {
        path.name: [comparable(record) | {"answer": None} for record in read_log(path).records]
        for path in sorted(folder.glob("games/*.jsonl"))
    }


def recorded(folder: Path) -> set[str]:
    """The requests of all attempts in the logs."""
    attempts = [attempt for path in folder.glob("games/*.jsonl") for attempt in read_log(path).attempts]
    return {attempt.request for attempt in attempts if attempt.request is not None}


def check_whole(folder: Path) -> None:
    """No decision or attempt stands there twice, and no blob is missing."""
    blobs = BlobStore(folder / "blobs")
    for path in folder.glob("games/*.jsonl"):
        log = read_log(path)
        assert not log.torn
        assert [decision.number for decision in log.decisions] == list(range(len(log.decisions)))
        tried = Counter((one.number, one.attempt) for one in log.attempts if one.result != "provider")
        assert set(tried.values()) <= {1}
        for digest in [digest for one in log.attempts for digest in (one.request, one.answer) if digest is not None]:
            blobs.get(digest)


def kill_while_playing(first: Player, folder: Path, draws: random.Random) -> bool:
    """Let the player play for a moment; return whether it was killed before the end of the run."""
    first.begin(folder)
    wait_for_a_moment(folder, draws)
    return first.kill()


def lines(folder: Path) -> list[tuple[str, bytes]]:
    """The lines of the logs that are whole."""
    return [
        (path.name, line)
        for path in sorted(folder.glob("games/*.jsonl"))
        for line in path.read_bytes().splitlines(keepends=True)
        if line.endswith(b"\n")
    ]


def scripted_kills(tmp_path: Path, one: Player, kills: int, **how: Any) -> None:
    whole = begun(tmp_path / "whole", SCRIPTED, **how)
    play(whole)
    draws, done, number = random.Random(kills), 0, 0
    while done < kills:
        number += 1
        folder = begun(tmp_path / str(number), SCRIPTED, **how)
        killed = True
        while killed and done < kills:
            before = lines(folder)
            killed = kill_while_playing(one, folder, draws)
            done += killed
            assert set(before) <= set(lines(folder))  # what was written stays as it was
        one.begin(folder)
        assert one.ended() == 0
        check_whole(folder)
        assert logs(folder) == logs(whole)


def test_a_killed_run_goes_on_to_the_undisturbed_logs(tmp_path: Path, players: tuple[Player, Player]) -> None:
    scripted_kills(tmp_path, players[0], 5)


@pytest.mark.slow
def test_a_run_killed_a_hundred_times_goes_on_to_the_undisturbed_logs(
    tmp_path: Path, players: tuple[Player, Player]
) -> None:
    scripted_kills(tmp_path, players[0], 100, round_limit=8, schedule={"deals": 2})


def model_kills(tmp_path: Path, llmock: LLMock, one: Player, kills: int, rounds: int) -> None:
    model = f"compat:m@{llmock.base_url('openai')}?level=L0&menu_limit=200"
    how: dict[str, Any] = {"round_limit": rounds, "schedule": {"deals": 3}, "budget": {"run": 100}}
    how["prices"] = {"m": {"input": 1, "output": 1}}
    whole = begun(tmp_path / "whole", [model, "random"], **how)
    play(whole)
    undisturbed = len(llmock.requests)
    assert undisturbed == len(recorded(whole)) > 10
    draws, done, number = random.Random(kills), 0, 0
    while done < kills:
        number += 1
        folder = begun(tmp_path / str(number), [model, "random"], **how)
        begun_at = asked = len(llmock.requests)
        lost, known, killed = 0, set[str](), True
        while killed:
            killed = done < kills and kill_while_playing(one, folder, draws)
            done += killed
            if not killed:
                one.begin(folder)
                assert one.ended() == 0
            new = [hashlib.sha256(canonical_json(r.body).encode()).hexdigest() for r in llmock.requests[asked:]]
            assert known.isdisjoint(new)  # nothing that was recorded is asked, and paid for, again
            asked, known = asked + len(new), recorded(folder)
            lost += len(set(new) - known)
            assert len(set(new) - known) <= 3  # only what was under way in as many games as are played at once
        check_whole(folder)
        assert logs(folder) == logs(whole)
        assert asked - begun_at == undisturbed + lost


def test_a_killed_run_of_a_model_asks_nothing_again_that_was_recorded(
    tmp_path: Path, llmock: LLMock, players: tuple[Player, Player]
) -> None:
    model_kills(tmp_path, llmock, players[0], 5, 2)


@pytest.mark.slow
def test_a_run_of_a_model_killed_a_hundred_times_asks_nothing_again(
    tmp_path: Path, llmock: LLMock, players: tuple[Player, Player]
) -> None:
    model_kills(tmp_path, llmock, players[0], 100, 5)


def test_two_processes_share_a_run_and_a_dead_ones_games_go_to_the_other(
    tmp_path: Path, players: tuple[Player, Player]
) -> None:
    whole, folder = begun(tmp_path / "whole", SCRIPTED), begun(tmp_path / "shared", SCRIPTED)
    play(whole)
    one, other = players
    one.begin(folder)
    other.begin(folder)
    wait_for_a_moment(folder, random.Random(2))
    other.kill()
    assert one.ended() == 0
    if not all(is_finished(path) for path in folder.glob("games/*.jsonl")):  # it died when the first had left
        one.begin(folder)
        assert one.ended() == 0
    check_whole(folder)
    assert logs(folder) == logs(whole)


def test_two_processes_together_pass_no_cap(tmp_path: Path, llmock: LLMock, players: tuple[Player, Player]) -> None:
    model = f"compat:m@{llmock.base_url('openai')}?level=L0&menu_limit=200"
    prices = {"m": {"input": 1, "output": 1}}
    cap = Decimal("0.02")
    folder = begun(tmp_path, [model, "random"], round_limit=9, prices=prices, budget={"run": str(cap)})
    for one in players:
        one.begin(folder)
    assert [one.ended() for one in players] == [0, 0]
    attempts = [attempt for path in folder.glob("games/*.jsonl") for attempt in read_log(path).attempts]
    assert cap / 2 < sum(Decimal(one.cost or 0) for one in attempts) <= cap
    assert "budget" in {one.code for one in attempts}
