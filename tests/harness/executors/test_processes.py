"""A run played by several processes has the logs of one played by one, whatever happens to the processes."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from harness.cli import run as dale
from harness.log import read_log
from harness.records import comparable

FILE = """
name = "run"
round_limit = {rounds}
concurrency = 4
[schedule]
deals = {deals}
[[entrants]]
agent = "merchant"
[[entrants]]
agent = "sloppy:0.3"
"""


def logs(folder: Path) -> dict[str, list[Any]]:
    return {path.name: [comparable(r) for r in read_log(path).records] for path in sorted(folder.glob("games/*.jsonl"))}


def tournament(folder: Path, rounds: int = 20, deals: int = 3, more: str = "") -> str:
    path = folder / "t.toml"
    path.write_text(FILE.format(rounds=rounds, deals=deals) + more)
    return str(path)


def when_it_plays(run: Path, act: Any) -> threading.Thread:
    """Do something to the first worker process of a run once there is a log: long before the last game."""

    def wait() -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            found = [json.loads(path.read_bytes() or b"{}").get("pid") for path in run.glob("workers/*.json")]
            pids = sorted({pid for pid in found if pid not in (None, os.getpid())})
            if pids and any(run.glob("games/*.jsonl")):
                act(pids)
                return
            time.sleep(0.005)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def test_several_processes_give_the_logs_of_one_and_a_dead_ones_games_go_to_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tournament(tmp_path, deals=5)
    assert dale(["tournament", "run", file, "--results", str(tmp_path / "one")]) == 0
    capsys.readouterr()
    killer = when_it_plays(tmp_path / "many" / "run", lambda pids: os.kill(pids[0], signal.SIGKILL))
    results = ["--results", str(tmp_path / "many")]
    code = dale(["tournament", "run", file, *results, "--executor", "process", "--workers", "2"])
    killer.join()
    told = capsys.readouterr().out
    assert code == 0, told
    assert "was killed by signal 9; the games it played go to others." in told
    assert "10 of 10 games are finished" in told
    assert logs(tmp_path / "many" / "run") == logs(tmp_path / "one" / "run")


def test_a_comparison_that_several_processes_decide_ends_for_all_of_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(tournament(tmp_path, rounds=200, deals=60, more="[stop]\nmargin = 300\n"))
    file.write_text(file.read_text().replace("sloppy:0.3", "random"))
    results = ["--results", str(tmp_path)]
    assert dale(["tournament", "run", str(file), *results, "--executor", "process", "--workers", "2"]) == 0
    assert "Decided: merchant is stronger than random, after " in capsys.readouterr().out
    assert len(list((tmp_path / "run" / "games").glob("*.jsonl"))) < 60


def test_an_interruption_drains_all_processes_and_the_run_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = tournament(tmp_path, 40, 10), tmp_path / "run"
    killer = when_it_plays(folder, lambda pids: os.kill(os.getpid(), signal.SIGINT))
    results = ["--results", str(tmp_path)]
    code = dale(["tournament", "run", file, *results, "--executor", "process", "--workers", "2"])
    killer.join()
    assert code == 130
    assert "Go on with: dale tournament run" in capsys.readouterr().out
    assert not list((folder / "workers").iterdir())
    for path in folder.glob("games/*.jsonl"):
        assert path.read_bytes().endswith(b"\n")
        assert not read_log(path).torn


def test_what_one_process_alone_can_do_is_refused_for_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limited = '[[entrants]]\nagent = "compat:m@http://127.0.0.1:1/v1?rpm=5"\n'
    run = ["tournament", "run", tournament(tmp_path, more=limited), "--results", str(tmp_path / "results")]
    cases = [
        (["--executor", "process"], "limits its requests per minute (rpm), which one process alone can keep to"),
        (["--executor", "process", "--record", "tape"], "a tape belongs to one process"),
        (["--executor", "ray", "--replay", "tape"], "a tape belongs to one process"),
        (["--workers", "3"], "--workers belongs to --executor process or ray"),
        (["--executor", "magic"], "--executor must be one of local, process, ray, not 'magic'"),
    ]
    for options, says in cases:
        assert dale([*run, *options]) == 2
        told = capsys.readouterr().err
        assert says in told
        assert told.count("\n") == 1
    assert not (tmp_path / "results").exists()


def test_without_its_package_ray_is_refused_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harness.executors.choice.find_spec", lambda name: None)
    assert dale(["tournament", "run", tournament(tmp_path), "--executor", "ray"]) == 2
    assert capsys.readouterr().err == ("dale: --executor ray needs the package ray: pip install 'dale-arena[ray]'.\n")
