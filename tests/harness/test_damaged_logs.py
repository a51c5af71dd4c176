"""Damaged logs: one sentence with file and line, exit code 2, whatever reads them."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from talker import Talker

from harness import render
from harness.agents.random import RandomAgent
from harness.budget import Budget
from harness.cli import run
from harness.config import make_tournament
from harness.errors import UserError
from harness.log import is_finished, read_log, read_outcome
from harness.progress import Silent
from harness.prompts import load
from harness.schedule import make_schedule
from harness.spending import count_spent
from harness.store import create_run, open_run
from harness.terminal.following import Followed, glance
from harness.tournament import play_run

Edit = Callable[[dict[str, Any]], object]
GAME = "d001-p01-r0.jsonl"


@pytest.fixture(name="sound", scope="module")
def sound_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = {
        "name": "sound", "round_limit": 2, "schedule": {"deals": 1},
        "entrants": [{"name": "talker", "agent": "random"}, {"name": "other", "agent": "random"}],
    }  # fmt: skip
    run = create_run(tmp_path_factory.mktemp("results"), make_tournament(data, "test"))
    asyncio.run(play_run(run, {"talker": Talker(), "other": RandomAgent("random")}, Silent()))
    return run.folder


@pytest.fixture(name="folder")
def copied_run(tmp_path: Path, sound: Path) -> Path:
    return Path(shutil.copytree(sound, tmp_path / sound.name))


def lines_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "games" / GAME).read_bytes().splitlines()]


def damage(folder: Path, kind: str, edit: Edit) -> int:
    """Edit the first record of a kind (an accepted one, of attempts); returns its line."""
    lines = lines_of(folder)
    number = next(
        number
        for number, line in enumerate(lines)
        if line["record"] == kind and line.get("class", "accepted") == "accepted"
    )
    edit(lines[number])
    (folder / "games" / GAME).write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return number + 1


@pytest.mark.parametrize(
    ("kind", "edit", "says"),
    [
        ("header", lambda line: line["seats"].pop("B"), "the seats of a game of 2 players are A, B"),
        ("header", lambda line: line.update(players=3), "the seats of a game of 3 players are A, B, C"),
        ("header", lambda line: line.update(players=9), "header.players"),
        ("header", lambda line: line.update(start="D"), "there is no seat D"),
        ("header", lambda line: line["seats"]["A"]["settings"].update(profile="x"), "profile among the settings"),
        ("attempt", lambda line: line.update(proposal={}), "a proposal holds tool and arguments"),
        ("attempt", lambda line: line["proposal"].pop("arguments"), "a proposal holds tool and arguments"),
        ("attempt", lambda line: line.update(proposal=None), "an accepted attempt without its proposal"),
        ("attempt", lambda line: line.update(seat="D"), "there is no seat D in this game"),
        ("attempt", lambda line: line.update(number=99), "decision 99 where decision"),
        ("attempt", lambda line: line.update(cost="dear"), "attempt.cost"),
        ("attempt", lambda line: line.update(timing={"latency": "long"}), "attempt.timing"),
        ("attempt", lambda line: line.update(stated={"tool": float("inf")}), "no number of JSON"),
        ("decision", lambda line: line.update(proposal={}), "a proposal holds tool and arguments"),
        ("decision", lambda line: line.update(proposal=None), "without a proposal"),
        ("decision", lambda line: line["events"].insert(0, {}), "an event holds type and seat"),
        ("decision", lambda line: line.update(number=1), "decision 1 where decision 0 is open"),
        ("outcome", lambda line: line["stacks"].pop("A"), "every seat of the game once"),
        ("outcome", lambda line: line.update(ranking=[]), "every seat of the game once"),
        ("outcome", lambda line: line.update(winner="C"), "there is no seat C in this game"),
    ],
)
def test_a_record_that_cannot_be_is_named_by_its_line(folder: Path, kind: str, edit: Edit, says: str) -> None:
    number = damage(folder, kind, edit)
    with pytest.raises(UserError, match=rf"{GAME}, line {number}: not a record of a game log \(.*{says}"):
        read_log(folder / "games" / GAME)


def test_a_record_in_the_wrong_place_is_named_by_its_line(folder: Path) -> None:
    log = folder / "games" / GAME
    lines = log.read_bytes().splitlines(keepends=True)
    deep = b"[" * 100_000 + b"\n"
    for changed, line, says in (
        ([lines[0], *lines], 2, "a second header"),
        (lines[1:], 1, "the first line must be a header record"),
        ([*lines, lines[-1]], len(lines) + 1, "a record behind the outcome"),
        ([lines[0], deep, *lines[1:]], 2, "nested too deeply"),
    ):
        log.write_bytes(b"".join(changed))
        with pytest.raises(UserError, match=rf"{GAME}, line {line}: not a record of a game log \({says}"):
            read_log(log)


def test_every_command_that_reads_logs_says_it_in_one_sentence(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = damage(folder, "decision", lambda line: line.update(proposal={}))
    log = str(folder / "games" / GAME)
    for command in (
        ["replay", log],
        ["watch", log, "--plain"],
        ["report", str(folder)],
        ["report", str(folder), "--strict"],
        ["audit", str(folder)],
        ["export", str(folder), "--to", str(tmp_path / "tables")],
        ["tournament", "resume", str(folder)],
    ):
        capsys.readouterr()
        code = run(command)
        told = capsys.readouterr()
        assert (code, told.err.count("\n")) == (2, 1), (command, told)
        assert f"{GAME}, line {number}: not a record of a game log (decision.proposal: a proposal" in told.err


def test_the_last_line_alone_is_read_with_care(folder: Path) -> None:
    log = folder / "games" / GAME
    whole = log.read_bytes()
    for last in (b"[1]\n", b"7\n", b"[" * 100_000, b'{"record": "outcome", "reason": NaN}\n'):
        log.write_bytes(whole + last)
        assert not is_finished(log)
        assert read_outcome(log) is None
    log.write_bytes(whole + b'{"record": "outcome"}\n')
    with pytest.raises(UserError, match=rf"{GAME}, the last line: not a record of a game log"):
        read_outcome(log)
    assert GAME.removesuffix(".jsonl") in glance(log, load("en"))


def test_a_growing_log_is_held_to_its_course(folder: Path) -> None:
    log = folder / "games" / GAME
    followed = Followed.open(log)
    with log.open("ab") as file:
        file.write(log.read_bytes().splitlines(keepends=True)[-1])
    with pytest.raises(UserError, match=r"what was added is no record of a game log .a record behind"):
        followed.grow()


@pytest.mark.parametrize("change", [{"seat": "D"}, {"seat": None}, {"usage": {"x": 1}}, {"cost": "dear"}])
def test_what_a_damaged_attempt_cost_is_not_guessed(folder: Path, change: dict[str, Any]) -> None:
    found = open_run(folder)
    plans = [plan for plan in make_schedule(found.tournament) if f"{plan.game}.jsonl" == GAME]
    spent = Budget()
    count_spent(spent, found, plans)
    assert spent.spent > Decimal()
    damage(folder, "attempt", lambda line: line.update(change))
    with pytest.raises(UserError, match=f"{GAME} is damaged: not every attempt in it can be read"):
        count_spent(Budget(), found, plans)


def test_an_event_of_any_shape_is_told() -> None:
    for event in (
        {"type": "stall", "seat": "A", "cards": 3, "number": []},
        {"type": "market", "seat": {}, "card": [{}]},
    ):
        assert render.event(event)
