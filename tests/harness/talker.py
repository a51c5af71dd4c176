"""An agent that looks like a model in the log: requests, answers, faults, costs, and texts as bad as they can be."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.agents.base import Answer, Fault, Turn, Usage
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.config import make_tournament
from harness.progress import Silent
from harness.randomness import Draws
from harness.store import create_run
from harness.tournament import play_run

HOSTILE = '"; DROP TABLE attempts; --\n=HYPERLINK("x"),\x1b[31mred\x00'
SECRET = "sk-proj-0123456789abcdefghij"


class Talker(RandomAgent):
    """Plays at random, and before that sometimes makes a mistake; its answers are as bad as texts can be."""

    def __init__(self) -> None:
        super().__init__("random")
        profile = {"model": "talker-1", "output_mode": "tools", "api": "chat"}
        self.settings: dict[str, Any] = {"level": "L2", "language": "pt-BR", "rulebook": "brief", "profile": profile}

    async def choose(self, turn: Turn) -> Answer:
        good = await super().choose(turn)
        kind = Draws(*turn.key, "fault").below(5) if turn.attempt == 0 else 4
        spent: dict[str, Any] = {
            "usage": Usage(uncached_input=100, cache_read=300, output=7), "calls": 1, "cost": "0.000000125",
            "request": f"request {turn.number} {HOSTILE} {SECRET}".encode(), "answer": f"answer {HOSTILE}".encode(),
            "timing": {"latency": 2.5, "queued": 0.5},
        }  # fmt: skip
        if kind == 0:
            bad = {"tool": "inventory", "arguments": {"cards": [HOSTILE]}}
            return Answer(proposal=bad, stated=bad, detail=HOSTILE, **spent)
        if kind == 1:
            return Answer(failure="text_only", detail=HOSTILE, **spent)
        if kind == 2:
            return replace(good, repairs=("case", "fence"), **spent)
        if kind == 3:
            return replace(good, faults=(Fault("overloaded", "529", uncertain="0.25"),), **spent)
        return replace(good, **spent)


def played(results: Path) -> Path:
    """The folder of a run it played: two deals at tables of two, every seating, against two scripted players."""
    data = {
        "name": "sample", "round_limit": 5, "schedule": {"deals": 2}, "attempts": 2,
        "entrants": [{"name": "talker", "agent": "random"}, {"agent": "sloppy:0.4"}, {"agent": "merchant"}],
    }  # fmt: skip
    run = create_run(results, make_tournament(data, "test"))
    others = {name: create_agent(parse_spec(name)) for name in ("sloppy:0.4", "merchant")}
    asyncio.run(play_run(run, {"talker": Talker(), **others}, Silent()))
    return run.folder
