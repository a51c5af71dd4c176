from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.agents.base import Agent, Answer, MatchSettings, Turn
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.log import read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.records import comparable
from harness.replay import replay

PLAN = MatchPlan("run", 1, "game", 1, 1, 0, "classic", None, 5, {"A": "x", "B": "y"}, MatchSettings(round_limit=6))
ILLEGAL = {"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}


class Slips(RandomAgent):
    async def choose(self, turn: Turn) -> Answer:
        if turn.number % 5 == 0 and turn.attempt == 0:
            return Answer(proposal=ILLEGAL)
        if turn.number % 7 == 3:
            return Answer(failure="text_only", detail="\x1b[31mno[bold]")
        return await super().choose(turn)


class LastCopies(RandomAgent):
    """Names the last copies of the cards it pays, builds and discards, by number."""

    async def choose(self, turn: Turn) -> Answer:
        proposal: Any = json.loads(json.dumps((await super().choose(turn)).proposal))
        held: Any = turn.observation["hand"]
        left = Counter(entry["card"] for entry in held)
        for field in ("payment", "cards"):
            names = proposal["arguments"].get(field, [])
            for place, name in enumerate(names):
                if left[name]:
                    names[place] = f"{name}#{left[name]}"
                    left[name] -= 1
        return Answer(proposal=proposal)


def game(folder: Path, agents: dict[str, Agent] | None = None, plan: MatchPlan = PLAN) -> Path:
    agents = agents or {seat: Slips("random") for seat in "AB"}
    asyncio.run(play(plan, agents, folder / "g.jsonl", BlobStore(folder / "blobs")))
    return folder / "g.jsonl"


def change(path: Path, number: int, edit: Any) -> None:
    lines = path.read_text().splitlines()
    for index, line in enumerate(lines):
        record = json.loads(line)
        if record["record"] == "decision" and record["number"] == number:
            edit(record)
            lines[index] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n")


def test_a_log_replays_and_is_told_readably(tmp_path: Path) -> None:
    steps = list(replay(read_log(game(tmp_path))))
    assert not any(step.different for step in steps)
    text = "\n".join(step.text for step in steps)
    assert "Game game of run run: classic edition" in text
    assert "A: x (random)" in text
    assert "tries: " in text
    assert "[rule, " in text
    assert "[text_only]" in text
    assert "(drawn by the policy)" in text
    assert "unfinished (round limit) after 6 rounds" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("seed", [5, 8])
def test_a_game_with_copies_named_by_number_replays_and_resumes(tmp_path: Path, seed: int) -> None:
    agents: dict[str, Agent] = {seat: LastCopies("random") for seat in "AB"}
    plan = replace(PLAN, seed=seed, sets=("macaws", "pandas", "raccoons"))
    path = game(tmp_path, agents, plan)
    whole = [comparable(record) for record in read_log(path).records]
    assert '"junk#' in path.read_text()
    assert not any(step.different for step in replay(read_log(path)))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) * 2 // 3]))
    assert [comparable(record) for record in read_log(game(tmp_path, agents, plan)).records] == whole


@pytest.mark.parametrize("sets", [None, ("macaws", "pandas", "ocelots")])
def test_a_tournament_game_replays(tmp_path: Path, sets: tuple[str, ...] | None) -> None:
    plan = replace(PLAN, variant="tournament", sets=sets, start="B")
    steps = list(replay(read_log(game(tmp_path, plan=plan))))
    assert not any(step.different for step in steps)
    text = "\n".join(step.text for step in steps)
    assert f"tournament variant, sets {', '.join(sets) if sets else 'drafted'}, seed" in text
    assert ("bans" in text) == (sets is None)


@pytest.mark.parametrize("policy", ["forfeit", "void"])
def test_games_ended_by_a_policy_replay(tmp_path: Path, policy: Any) -> None:
    settings = replace(PLAN.settings, policy=policy)
    steps = list(replay(read_log(game(tmp_path, plan=replace(PLAN, settings=settings)))))
    assert not any(step.different for step in steps)
    assert f"attempts used up: {policy}" in "\n".join(step.text for step in steps)


def test_an_open_game_replays_as_far_as_it_goes(tmp_path: Path) -> None:
    path = game(tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    last = list(replay(read_log(path)))[-1]
    assert not last.different
    assert last.text == "The log ends here: the game is still open. Its torn last line was dropped."


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda record: record["events"][0].update(type="nap"), "decision 4 of seat"),
        (lambda record: record["events"].append({"type": "nap", "seat": "A"}), "here there is none"),
        (lambda record: record["events"].clear(), "here one more event follows"),
        (lambda record: record.update(proposal=ILLEGAL), "here refused with"),
        (lambda record: record.update(observation="0" * 64), "shown something else"),
        (lambda record: record.update(seat="A" if record["seat"] == "B" else "B"), "recorded for seat"),
    ],
)
def test_the_first_difference_is_named_and_ends_the_replay(tmp_path: Path, edit: Any, says: str) -> None:
    path = game(tmp_path)
    change(path, 4, edit)
    steps = list(replay(read_log(path)))
    assert [step.different for step in steps].count(True) == 1
    assert steps[-1].different
    assert says in steps[-1].text


def test_a_changed_outcome_is_a_difference(tmp_path: Path) -> None:
    path = game(tmp_path)
    lines = path.read_text().splitlines()
    lines[-1] = json.dumps(json.loads(lines[-1]) | {"winner": "A"})
    path.write_text("\n".join(lines) + "\n")
    assert list(replay(read_log(path)))[-1].text == "outcome: winner is recorded as A, here None"


def test_the_replay_agent_makes_the_same_game_again(tmp_path: Path) -> None:
    first = game(tmp_path / "1")
    agent = create_agent(parse_spec(f"replay:{first}"))
    second = game(tmp_path / "2", {"A": agent, "B": agent})
    before, after = ([comparable(record) for record in read_log(path).records[1:]] for path in (first, second))
    assert before == after
    assert read_log(second).header.seats["A"].agent == f"replay:{first}"


def test_the_replay_agent_can_play_another_seats_part_and_says_nothing_where_the_log_has_none(tmp_path: Path) -> None:
    first = game(tmp_path / "1")
    agent = create_agent(parse_spec(f"replay:{first}?seat=B"))
    second = game(tmp_path / "2", {"A": agent, "B": RandomAgent("random")})
    theirs = {(record.number, record.attempt): record for record in read_log(first).attempts if record.seat == "B"}
    mine = [record for record in read_log(second).attempts if record.seat == "A"]
    assert "empty" in {record.result for record in mine}
    for record in mine:
        model = theirs.get((record.number, record.attempt))
        assert record.stated == (model.stated if model else None)
