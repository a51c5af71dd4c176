"""A game cut between records that were written in one go: nothing is lost, told twice or played on."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.agents.base import BROKEN_OFF, Answer, Fault, Leave, LetDraw, MatchSettings, Turn
from harness.blobs import BlobStore
from harness.errors import UserError
from harness.log import read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.randomness import Draws
from harness.records import OutcomeRecord, comparable

PLAN = MatchPlan("run", 1, "g", 1, 1, 0, "classic", None, 5, {"A": "x", "B": "y"}, MatchSettings(round_limit=2))
TRIES = (Fault("timeout", "slow", uncertain="0.5"), Fault("overloaded", "529"))


class Unlucky:
    """Its calls are tried again and again; what it answers is a function of the decision and the attempt."""

    spec = "unlucky"

    def __init__(self, gives_up: bool = False) -> None:
        self.settings: dict[str, Any] = {}
        self.gives_up = gives_up

    async def choose(self, turn: Turn) -> Answer:
        draws = Draws(*turn.key, turn.attempt, turn.failed)
        kind = draws.below(4)
        told: dict[str, Any] = {"faults": TRIES if kind < 2 else (), "calls": 1, "request": b"q", "answer": b"a"}
        if kind == 0 and self.gives_up and turn.number:
            return Answer(failure="provider", code="timeout", **told)
        if kind == 1:
            return Answer(failure="text_only", **told)
        return Answer(proposal=draws.choice(turn.legal), **told)

    async def close(self) -> None:
        pass


def go(folder: Path, agent: Unlucky, plan: MatchPlan) -> OutcomeRecord | None:
    log, blobs = folder / "g.jsonl", BlobStore(folder / "blobs")
    return asyncio.run(play(plan, {"A": agent, "B": agent}, log, blobs))


def records(folder: Path) -> list[Any]:
    return [comparable(record) for record in read_log(folder / "g.jsonl").records]


@pytest.mark.parametrize(
    ("plan", "gives_up", "reason"),
    [
        (PLAN, False, "round_limit"),
        (replace(PLAN, settings=replace(PLAN.settings, policy="void", attempts=1)), False, "attempts"),
        (replace(PLAN, settings=replace(PLAN.settings, policy="forfeit", attempts=1)), False, "last_seat"),
        (replace(PLAN, provider_failure="void"), True, "provider"),
    ],
    ids=["drawn", "void", "forfeit", "provider"],
)
def test_a_log_cut_behind_any_record_comes_to_the_same_game(
    tmp_path: Path, plan: MatchPlan, gives_up: bool, reason: str
) -> None:
    outcome = go(tmp_path, Unlucky(gives_up), plan)
    assert outcome is not None
    assert outcome.reason == reason
    whole, data = records(tmp_path), (tmp_path / "g.jsonl").read_bytes()
    assert any(one.get("class") == "provider" for one in whole)
    lines = data.splitlines(keepends=True)
    for kept in range(1, len(lines)):
        (tmp_path / "g.jsonl").write_bytes(b"".join(lines[:kept]) + lines[kept][:-9])
        assert go(tmp_path, Unlucky(gives_up), plan) == outcome
        assert records(tmp_path) == whole


@pytest.mark.parametrize("ending", [Leave, LetDraw])
def test_a_call_that_a_person_broke_off_is_kept(tmp_path: Path, ending: Any) -> None:
    fault = Fault(BROKEN_OFF, "a person did not wait", uncertain="0.25")
    voiding = replace(PLAN, provider_failure="void")

    class Interrupted(Unlucky):
        async def choose(self, turn: Turn) -> Answer:
            raise (ending if turn.number == 0 else Leave)(fault)

    assert go(tmp_path, Interrupted(), voiding) is None
    before = records(tmp_path)
    assert [one.get("code") for one in before if one["record"] == "attempt"] == [BROKEN_OFF] * (1 + (ending is LetDraw))
    assert go(tmp_path, Unlucky(), voiding) is not None
    assert records(tmp_path)[1 : len(before)] == before[1:]


def test_an_accepted_attempt_that_this_engine_refuses_is_one_sentence(tmp_path: Path) -> None:
    go(tmp_path, Unlucky(), PLAN)
    lines = (tmp_path / "g.jsonl").read_text().splitlines()
    accepted = next(number for number, line in enumerate(lines) if json.loads(line).get("class") == "accepted")
    wrong = {"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}
    lines[accepted] = json.dumps(json.loads(lines[accepted]) | {"proposal": wrong})
    (tmp_path / "g.jsonl").write_text("\n".join(lines[: accepted + 1]) + "\n")
    with pytest.raises(UserError, match="cannot be resumed: this version of the engine plays decision"):
        go(tmp_path, Unlucky(), PLAN)
