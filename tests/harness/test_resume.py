"""``dale tournament resume``: a run goes on from its folder alone, and what keeps it from that is said."""

from __future__ import annotations

import json
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from killing import play

from harness.blobs import BlobStore
from harness.cli import run as dale
from harness.config import load_tournament, make_tournament
from harness.errors import UserError
from harness.log import LogWriter, read_log
from harness.providers.client import Endpoint
from harness.providers.types import Exchange, ProviderError
from harness.records import comparable
from harness.store import create_run

FILE = """
name = "mine"
round_limit = 6
[schedule]
deals = 2
[[entrants]]
agent = "merchant"
[[entrants]]
agent = "sloppy:0.3"
"""
MODEL = '[[entrants]]\nname = "mind"\nagent = "compat:m@http://127.0.0.1:1/v1?level=L0&rulebook=none"\n'

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="command")
def in_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    Path("t.toml").write_text(FILE)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = dale(["tournament", *arguments])
        told = capsys.readouterr()
        return code, told.out, told.err

    return command


def logs(folder: Path) -> dict[str, list[Any]]:
    return {path.name: [comparable(r) for r in read_log(path).records] for path in sorted(folder.glob("games/*.jsonl"))}


def cut(log: Path, lines: int, rest: bytes = b"") -> None:
    """Leave so many lines of a log, and something behind them."""
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:lines]) + rest)


@pytest.fixture(name="finished", scope="module")
def finished_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    (folder / "t.toml").write_text(FILE)
    play(create_run(folder, load_tournament(folder / "t.toml")).folder)
    return folder / "mine"


@pytest.fixture(name="cut_run")
def run_that_was_cut(command: Command, finished: Path) -> tuple[Path, dict[str, list[Any]]]:
    """A run whose first game stands open, with the logs it should come to."""
    run = Path("results/mine")
    shutil.copytree(finished, run)
    whole = logs(run)
    cut(run / "games" / "d001-p01-r0.jsonl", 9)
    Path("t.toml").unlink()
    return run, whole


@pytest.mark.parametrize("name", ["mine", "results/mine"])
def test_a_run_goes_on_from_its_folder_without_the_file(
    command: Command, cut_run: tuple[Path, dict[str, list[Any]]], name: str
) -> None:
    run, whole = cut_run
    code, out, _ = command("resume", name, "--concurrency", "2", "--budget", "5")
    assert (code, "4 of 4 games are finished" in out) == (0, True)
    assert logs(run) == whole
    assert command("resume", name)[0] == 0  # there is nothing left to do


def test_what_is_no_run_of_models_and_scripts_is_named(command: Command) -> None:
    assert command("resume", "mine")[2] == "dale: there is no run 'mine', neither as a folder nor in results.\n"
    Path("results/mine/games").mkdir(parents=True)
    assert command("resume", "mine")[0] == 2


def test_a_torn_last_line_is_said_and_cut_off(command: Command, cut_run: tuple[Path, dict[str, list[Any]]]) -> None:
    run, whole = cut_run
    log = run / "games" / "d001-p01-r0.jsonl"
    cut(log, 9, b'{"record":"atte')
    code, out, _ = command("resume", "mine")
    assert code == 0
    assert f"The last line of {log} was torn when a process was killed; it was cut off" in out
    assert logs(run) == whole


def test_a_damaged_line_in_the_middle_stops_with_what_to_do(
    command: Command, cut_run: tuple[Path, dict[str, list[Any]]]
) -> None:
    run, whole = cut_run
    log = run / "games" / "d001-p01-r0.jsonl"
    kept = log.read_bytes()
    lines = kept.splitlines(keepends=True)
    lines[4] = b"rubbish\n"
    log.write_bytes(b"".join(lines))
    code, _, err = command("resume", "mine")
    assert code == 2
    assert err.count("\n") == 1
    assert "d001-p01-r0.jsonl, line 5: not a record of a game log" in err
    assert "put back a copy of the file, or take it away to have the game played anew" in err
    assert log.read_bytes() == b"".join(lines)
    log.unlink()
    assert command("resume", "mine")[0] == 0
    assert logs(run) == whole


def test_a_run_of_another_engine_is_refused_with_both_versions(
    command: Command, cut_run: tuple[Path, dict[str, list[Any]]]
) -> None:
    run, _ = cut_run
    before = logs(run)
    plan = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(plan | {"engine_version": "0.0.1"}))
    code, _, err = command("resume", "mine")
    assert code == 2
    assert "was made by another version" in err
    assert "0.0.1" in err
    assert logs(run) == before


@pytest.mark.parametrize("person", ["human", "human?casual=true"])
def test_a_game_with_a_person_goes_on_with_dale_play(command: Command, person: str) -> None:
    entrants = [{"name": "me", "agent": person}, {"agent": "merchant"}]
    create_run(Path("results"), make_tournament({"name": "play-1", "entrants": entrants}, "test"))
    code, _, err = command("resume", "play-1")
    assert (code, err.strip()) == (
        2, "dale: results/play-1 is a game of dale play: go on with dale play --resume play-1."
    )  # fmt: skip


def test_a_log_whose_decisions_this_engine_plays_differently_is_refused(
    command: Command, cut_run: tuple[Path, dict[str, list[Any]]]
) -> None:
    log = cut_run[0] / "games" / "d001-p01-r0.jsonl"
    lines = [json.loads(line) for line in log.read_bytes().splitlines()]
    decision = next(line for line in lines if line["record"] == "decision")
    decision["events"] = decision["events"][:-1]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, _, err = command("resume", "mine")
    assert code == 2
    assert "this version of the engine plays decision 0 differently than recorded" in err


LONG = FILE.replace("round_limit = 6", "round_limit = 20").replace("deals = 2", "deals = 1")


@pytest.fixture(name="long_run", scope="module")
def run_with_longer_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    (folder / "t.toml").write_text(LONG)
    play(create_run(folder, load_tournament(folder / "t.toml")).folder)
    return folder / "mine"


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """A full disk, as far as a process can be told of one."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("size", [100, 10_000, 80_000])
def test_a_full_disk_stops_the_run_with_what_to_do_and_half_writes_nothing(
    command: Command, long_run: Path, size: int
) -> None:
    Path("t.toml").write_text(LONG)
    with no_file_longer_than(size):
        code, _, err = command("run", "t.toml")
    assert code == 2
    assert err.count("\n") == 1
    assert "cannot write" in err
    assert "make room there, then go on with dale tournament resume" in err
    assert not list(Path("results").glob(".*"))
    for path in Path("results/mine").rglob("*.jsonl"):
        assert not path.read_bytes() or path.read_bytes().endswith(b"\n")
        assert not read_log(path).torn
    if not Path("results/mine").exists():
        create_run(Path("results"), load_tournament(Path("t.toml")))
    play(Path("results/mine"))
    assert logs(Path("results/mine")) == logs(long_run)


def test_a_record_that_the_disk_does_not_take_leaves_nothing_of_itself(long_run: Path, tmp_path: Path) -> None:
    records = read_log(next(iter(sorted(long_run.glob("games/*.jsonl"))))).records
    path = tmp_path / "g.jsonl"
    refused = pytest.raises(UserError, match=r"cannot write the game log .*: make room there")
    with no_file_longer_than(10_000), LogWriter(path) as log, refused:
        any(map(log.write, records))
    found = read_log(path)
    assert not found.torn
    assert found.records == records[: len(found.records)]
    assert 0 < path.stat().st_size <= 10_000
    blobs = BlobStore(tmp_path / "blobs")
    with no_file_longer_than(10), pytest.raises(UserError, match=r"cannot write under .*: make room there"):
        blobs.put(b"x" * 5 + bytes(range(200)))
    assert not [path for path in blobs.folder.rglob("*") if path.is_file()]


def test_a_run_whose_games_fail_is_given_up_and_can_go_on(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0

    async def down(*told: Any) -> Exchange:
        nonlocal asked
        asked += 1
        return Exchange(None, ProviderError("server_error", "out of order"), b"", None)

    monkeypatch.setattr(Endpoint, "send", down)
    file = FILE.replace("deals = 2", "deals = 9\n[abort]\nwindow = 6\nrate = 0.5") + MODEL
    Path("t.toml").write_text(file.replace('name = "mine"', 'name = "mine"\nconcurrency = 1'))
    code, out, _ = command("run", "t.toml", "--no-preflight")
    assert code == 1
    assert "Given up: 4 of the last 6 games failed" in out
    assert "Go on with: dale tournament run t.toml --resume --no-preflight" in out
    assert asked == 4
    assert "Given up" in command("resume", "mine", "--no-preflight")[1]
    assert asked == 8  # a new start is a new count


def test_the_abort_table_is_checked_and_may_change_when_a_run_goes_on(command: Command) -> None:
    assert command("run", "t.toml")[0] == 0
    Path("t.toml").write_text(FILE + "[abort]\nrate = 1.0\n")
    assert command("run", "t.toml", "--resume")[0] == 0
    for table, says in (("rate = 0", "abort.rate must be greater than 0"), ("windw = 3", "did you mean 'window'")):
        Path("t.toml").write_text(FILE + f"[abort]\n{table}\n")
        code, _, err = command("run", "t.toml", "--resume")
        assert (code, says in err) == (2, True), err
