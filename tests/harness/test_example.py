"""The published run in results/example is what today's code makes of its logs, and its scripted games play again."""

from __future__ import annotations

import asyncio
import base64
import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from harness.agents.spec import KINDS, create_agent, parse_spec
from harness.blobs import BlobStore
from harness.cli import run
from harness.config import load_tournament
from harness.log import GameLog, read_log
from harness.match import play
from harness.records import comparable
from harness.schedule import make_schedule

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "results" / "example"
TOURNAMENT = load_tournament(ROOT / "tournaments" / "example.toml")
AGAIN = "; if that is wanted: bash results/example.sh --tables"
ANEW = "; if that is wanted: bash results/example.sh --anew"


def files() -> list[Path]:
    return [path for path in EXAMPLE.rglob("*") if path.is_file()]


def test_it_is_the_tournament_that_is_shipped() -> None:
    agents = {entrant.name: entrant.agent for entrant in TOURNAMENT.entrants}
    plans = make_schedule(TOURNAMENT)
    assert {path.stem for path in EXAMPLE.glob("games/*.jsonl")} == {plan.game for plan in plans}, ANEW
    for plan in plans:
        header = read_log(EXAMPLE / "games" / f"{plan.game}.jsonl").header
        seated = {seat: (name, agents[name]) for seat, name in plan.seats.items()}
        assert {seat: (who.name, who.agent) for seat, who in header.seats.items()} == seated, ANEW
        assert (header.run_seed, header.seed, header.round_limit) == (1, plan.seed, plan.settings.round_limit), ANEW


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in files()) < 1_500_000


def test_every_log_replays(capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted(EXAMPLE.glob("games/*.jsonl")):
        assert run(["replay", str(path), "--check"]) == 0, capsys.readouterr().out
        assert read_log(path).outcome is not None


def test_every_answer_of_the_model_was_classed_as_a_second_reading_classes_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["audit", str(EXAMPLE)]) == 0, capsys.readouterr().out
    assert "without any answer" not in capsys.readouterr().out


def test_its_tables_are_those_of_its_logs(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["report", str(EXAMPLE)]) == 0
    assert capsys.readouterr().out == (EXAMPLE / "report.txt").read_text(encoding="utf-8"), f"other tables{AGAIN}"


def unpacked(page: str) -> str:
    """The page with its games unpacked: how small they are packed depends on the machine's zlib."""
    return re.sub(
        r"H4sI[A-Za-z0-9+/=]+", lambda match: gzip.decompress(base64.b64decode(match.group())).decode("utf-8"), page
    )


def test_its_page_is_that_of_its_logs(tmp_path: Path) -> None:
    assert run(["report", str(EXAMPLE), "--html", str(tmp_path / "page.html")]) == 0
    published, made = ((folder / "page.html").read_text(encoding="utf-8") for folder in (EXAMPLE, tmp_path))
    assert unpacked(published) == unpacked(made), f"another page{AGAIN}"
    assert len(unpacked(made)) > 2 * len(made)


def said(log: GameLog) -> list[dict[str, Any]]:
    """What a log says, but for clocks and the version that played it."""
    header, *records = map(comparable, log.records)
    return [{**header, "engine_version": None}, *records]


def test_the_games_of_scripted_agents_play_again(tmp_path: Path) -> None:
    agents = {
        entrant.name: create_agent(parse_spec(entrant.agent))
        for entrant in TOURNAMENT.entrants
        if not KINDS[parse_spec(entrant.agent).kind].is_model
    }
    played = 0
    for plan in make_schedule(TOURNAMENT):
        if agents.keys() >= set(plan.seats.values()):
            path = tmp_path / f"{plan.game}.jsonl"
            seated = {seat: agents[name] for seat, name in plan.seats.items()}
            asyncio.run(play(plan, seated, path, BlobStore(tmp_path / "blobs")))
            published, again = read_log(EXAMPLE / "games" / path.name), read_log(path)
            assert said(published) == said(again), f"{plan.game} is another game{ANEW}"
            played += 1
    assert played == 24
