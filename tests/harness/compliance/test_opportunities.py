"""Opportunities are found again from a log: sloppy's rate of violations is its denominator's share."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from engine import Game
from harness.agents.base import Agent, MatchSettings
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.compliance.opportunities import first_attempts
from harness.compliance.rates import ANY_RULE, table
from harness.compliance.shares import deal_of
from harness.errors import UserError
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.records import Header, SeatRecord

SETS = ("macaws", "pandas", "raccoons")


def logged(folder: Path, rate: float, seed: int = 5) -> GameLog:
    limits = MatchSettings(attempts=3, round_limit=10)
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", SETS, seed, {"A": "sloppy", "B": "random"}, limits)
    agents: dict[str, Agent] = {
        "A": create_agent(parse_spec(f"sloppy:{rate}")),
        "B": create_agent(parse_spec("random")),
    }
    path = folder / f"g{seed}.jsonl"
    asyncio.run(play(plan, agents, path, BlobStore(folder)))
    return read_log(path)


def name(who: SeatRecord, header: Header) -> str:
    return who.name


def test_every_readable_first_attempt_is_one_row(tmp_path: Path) -> None:
    log = logged(tmp_path, 0.5)
    rows = list(first_attempts([log], name))
    first = [record for record in log.attempts if record.attempt == 0]
    assert [row.broken for row in rows] == [None if one.result == "accepted" else one.code for one in first]
    assert [row.entrant for row in rows] == [log.header.seats[one.seat].name for one in first]
    assert {row.game for row in rows} == {("run", "g")}
    assert {row.deal for row in rows} == {deal_of(log.header)}


def test_the_open_codes_are_those_the_engine_names_at_that_decision(tmp_path: Path) -> None:
    row = next(first_attempts([logged(tmp_path, 0.0)], name))
    assert row.open == tuple(one.code for one in Game.new(2, SETS, 5).opportunities())


def test_whatever_sloppy_breaks_was_open(tmp_path: Path) -> None:
    rows = [row for row in first_attempts([logged(tmp_path, 1.0)], name) if row.entrant == "sloppy"]
    assert rows
    assert all(row.broken in row.open for row in rows)


def test_the_rate_of_sloppy_is_the_stated_one(tmp_path: Path) -> None:
    rates, _ = table(first_attempts([logged(tmp_path, 0.3, seed) for seed in range(4)], name))
    found = next(one for one in rates if one.entrant == "sloppy" and one.code == ANY_RULE)
    assert found.low <= 0.3 <= found.high
    assert all(one.violations == 0 for one in rates if one.entrant == "random")


def test_a_log_that_plays_differently_now_is_named(tmp_path: Path) -> None:
    log = logged(tmp_path, 0.0)
    other = log.path.read_text().replace('"seed":5', '"seed":6')
    log.path.write_text(other)
    with pytest.raises(UserError, match="plays decision 0 differently"):
        list(first_attempts([read_log(log.path)], name))
