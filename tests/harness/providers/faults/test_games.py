"""Rows 49 and 50: games lost to the parser, and games that broke when a player ran out of attempts."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from ledger import APIS, body, row
from llmock.pytest_plugin import LLMock

from engine import Game
from harness.agents.base import Agent, MatchSettings, Policy
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.log import read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.providers.normalise import Call, normalise
from harness.providers.profiles import Api
from harness.providers.types import OutputMode, Reply, ToolSpec
from harness.providers.wires import WIRES

SETS = ("macaws", "pandas", "raccoons")


def tools_of(game: Game, level: str) -> tuple[ToolSpec, ...]:
    return tuple(ToolSpec(tool["name"], "", tool["parameters"]) for tool in game.tools(level))


@pytest.mark.parametrize("api", APIS)
@row(49)
def test_every_legal_action_written_as_the_contract_says_is_read_without_a_repair(api: Api) -> None:
    game = Game.new(players=2, sets=SETS, seed=3)
    tools = tools_of(game, "L2")
    for action in game.legal:
        proposal = game.proposal(action)
        stated: Any = proposal["arguments"] if api == "messages" else json.dumps(proposal["arguments"])
        found = normalise(WIRES[api].parse(body(api, (proposal["tool"], stated))), tools)
        assert isinstance(found, Call)
        assert (found.name, found.repairs) == (proposal["tool"], ())
        assert (
            game.clone()
            .propose("A" if game.decision is None else game.decision.seat, found.name, found.arguments)
            .accepted
        )


@pytest.mark.parametrize("mode", ["json_schema", "json_object", "text"])
@row(49)
def test_so_is_every_one_written_as_an_object(mode: OutputMode) -> None:
    game = Game.new(players=2, sets=SETS, seed=3)
    tools = tools_of(game, "L2")
    for action in game.legal:
        proposal = game.proposal(action)
        found = normalise(Reply(text=json.dumps(proposal)), tools, mode)
        assert isinstance(found, Call)
        assert ({"tool": found.name, "arguments": found.arguments}, found.repairs) == (proposal, ())


@pytest.mark.parametrize(("policy", "result"), [("forfeit", "win"), ("void", "void"), ("random_legal", "unfinished")])
@row(50)
def test_when_the_attempts_are_used_up_the_policy_of_the_run_decides(
    llmock: LLMock, tmp_path: Path, policy: Policy, result: str
) -> None:
    llmock.tool_mode("off")
    limits = MatchSettings(attempts=2, round_limit=1, rulebook="none", policy=policy)
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", SETS, 5, {"A": "model", "B": "random"}, limits)

    async def run() -> None:
        model = create_agent(parse_spec("openai:gpt-5.5"))
        agents: dict[str, Agent] = {"A": model, "B": RandomAgent("random")}
        await play(plan, agents, tmp_path / "g.jsonl", BlobStore(tmp_path))
        await model.close()

    asyncio.run(run())
    log = read_log(tmp_path / "g.jsonl")
    assert log.outcome is not None
    assert log.outcome.result == result
    mine = [record for record in log.attempts if record.seat == "A"]
    assert {record.result for record in mine} == {"text_only"}
    assert log.decisions[[one.seat for one in log.decisions].index("A")].by == policy
