"""Runs that are played to be scored again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.agents.base import Agent, Answer, Turn
from harness.agents.merchant import MerchantAgent
from harness.agents.spec import create_agent, parse_spec
from harness.config import make_tournament
from harness.log import GameLog
from harness.progress import Silent
from harness.report import read_logs
from harness.store import create_run
from harness.tournament import play_run

ILLEGAL = {"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}


class Trying(MerchantAgent):
    """The merchant, whose answer at each attempt is made worse by a rule of the test."""

    def __init__(self, spoil: Callable[[Turn, Answer], Answer]) -> None:
        super().__init__("merchant")
        self.spoil = spoil

    async def choose(self, turn: Turn) -> Answer:
        return self.spoil(turn, await super().choose(turn))


def repaired(turn: Turn, good: Answer) -> Answer:
    """Every third decision needs a repair; the others are the merchant's."""
    return replace(good, repairs=("case",)) if turn.number % 3 == 0 and turn.attempt == 0 else good


def play(folder: Path, agents: Mapping[str, str | Agent], **settings: Any) -> list[GameLog]:
    """Play a run of agents, by name, in short games; `settings` are those of a tournament."""
    data = {
        "name": "run",
        "seed": 11,
        "round_limit": 5,
        "entrants": [
            {"name": name, "agent": agent if isinstance(agent, str) else "merchant"} for name, agent in agents.items()
        ],
        **settings,
    }
    run = create_run(folder, make_tournament(data, "test"))
    seated = {
        name: create_agent(parse_spec(agent)) if isinstance(agent, str) else agent for name, agent in agents.items()
    }
    asyncio.run(play_run(run, seated, Silent()))
    return read_logs(run.folder)
