"""Logged games to be watched."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from harness.agents.base import Agent, Answer, MatchSettings, Turn
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.match import play
from harness.plan import MatchPlan

UNKNOWN = {"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}


class Slips(RandomAgent):
    """Breaks a rule at some decisions, and at others says nothing that can be read."""

    async def choose(self, turn: Turn) -> Answer:
        if turn.number % 5 == 0 and turn.attempt == 0:
            return Answer(proposal=UNKNOWN, cost="0.01")
        if turn.number % 7 == 3 and turn.attempt == 0:
            return Answer(failure="text_only", detail="\x1b[31mI would [bold]rather not")
        return await super().choose(turn)


def slips(folder: Path, name: str = "game", rounds: int = 5, players: int = 2) -> Path:
    """A game in which both seats slip."""
    seats = dict(zip("ABCD", ["Ana", "Bia", "Caio", "Davi"][:players], strict=False))
    settings = MatchSettings(round_limit=rounds)
    plan = MatchPlan("run", 1, name, 1, 1, 0, "classic", None, 5, seats, settings)
    agents: dict[str, Agent] = {seat: Slips("random") for seat in seats}
    path = folder / "games" / f"{name}.jsonl"
    asyncio.run(play(plan, agents, path, BlobStore(folder / "blobs")))
    return path


def scripted(folder: Path, name: str, **specs: str) -> Path:
    """A game to its end between agents, given by seat."""
    settings = MatchSettings(round_limit=100)
    plan = MatchPlan("run", 1, name, 1, 1, 0, "classic", None, 5, {"A": "Ana", "B": "Bia"}, settings)
    agents = {seat: create_agent(parse_spec(spec)) for seat, spec in specs.items()}
    path = folder / "games" / f"{name}.jsonl"
    asyncio.run(play(plan, agents, path, BlobStore(folder / "blobs")))
    return path


def edited(path: Path, kind: str, edit: Any) -> Path:
    """The log with every record of a kind changed by ``edit``."""
    lines = []
    for line in path.read_text().splitlines():
        record = json.loads(line)
        if record["record"] == kind:
            edit(record)
        lines.append(json.dumps(record))
    changed = path.with_name(f"changed-{path.name}")
    changed.write_text("\n".join(lines) + "\n")
    return changed
