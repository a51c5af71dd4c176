"""A few quick games with the settings of a tournament: how many decisions a seat has, and how large requests are.

Scripted entrants play themselves; ``merchant`` sits in for everybody else. Every game is played twice, for the places
at which requests are measured are spread evenly over its decisions.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from harness.agents.base import Agent, Answer, Turn
from harness.agents.spec import AgentSpec, create_agent, parse_spec
from harness.blobs import BlobStore
from harness.config import Tournament
from harness.forecast.meter import Meter
from harness.match import play
from harness.plan import MatchPlan
from harness.records import DecisionRecord, Record

STAND_IN = "merchant"
_SCRIPTED = ("random", "merchant", "sloppy")
GAMES = 4
"""Games played for each different table of stand-ins."""
TABLES = 12
"""Different tables that are played at most."""
LONGEST = 2000
"""Decisions after which a quick game ends."""
PLACES = 8
"""Decisions of one game at which requests are measured."""

_Table = tuple[str, ...]


@dataclass
class Quick:
    """What the games showed. ``decisions`` holds decisions of one seat in one game, by stand-in and table.

    ``stand_ins`` says by entrant who played for it.
    """

    stand_ins: Mapping[str, str]
    games: int = 0
    decisions: dict[tuple[str, _Table], list[int]] = field(default_factory=lambda: defaultdict(list))

    def of(self, name: str, plans: Sequence[MatchPlan]) -> float:
        """Return the decisions of an entrant in one of its games, on the mean; 0 if it plays none."""
        own = self.stand_ins[name]
        tables = {_table(plan, self.stand_ins): None for plan in plans if name in plan.seats.values()}
        found = [one for table in tables for one in self.decisions.get((own, table), ())]
        found = found or [one for (who, _), counts in self.decisions.items() if who == own for one in counts]
        return fmean(found) if found else 0.0


def stand_in(spec: AgentSpec) -> str:
    """Return the agent that plays for an entrant in quick games."""
    return str(spec) if spec.kind in _SCRIPTED else STAND_IN


def play_quickly(tournament: Tournament, plans: Sequence[MatchPlan], meters: Mapping[str, Meter]) -> Quick:
    """Play some games of a tournament; ``meters`` are by entrant, and weigh what they would be asked in them."""
    stand_ins = {one.name: stand_in(parse_spec(one.agent)) for one in tournament.entrants}
    found = Quick(stand_ins)
    for plan in _chosen(plans, stand_ins):
        agents = {name: create_agent(parse_spec(spec)) for name, spec in stand_ins.items()}
        asked = asyncio.run(_play(plan, agents))
        found.games += 1
        for seat, name in plan.seats.items():
            own = [number for number, who in asked if who == seat]
            found.decisions[stand_ins[name], _table(plan, stand_ins)].append(len(own))
        alike = [number for number, seat in asked if stand_ins[plan.seats[seat]] == STAND_IN]
        if alike and meters:
            places = frozenset(alike[len(alike) * i // PLACES] for i in range(PLACES))
            distinct = tuple({id(meter): meter for meter in meters.values()}.values())
            asyncio.run(_play(plan, {name: _Weighing(agent, distinct, places) for name, agent in agents.items()}))
    return found


def _chosen(plans: Sequence[MatchPlan], stand_ins: Mapping[str, str]) -> list[MatchPlan]:
    """The first games of every table of stand-ins."""
    chosen: dict[_Table, list[MatchPlan]] = {}
    for plan in plans:
        table = _table(plan, stand_ins)
        if table in chosen or len(chosen) < TABLES:
            chosen.setdefault(table, []).append(plan)
    played = [plan for games in chosen.values() for plan in games[:GAMES]]
    missing = {stand_ins[name]: plan for plan in reversed(plans) for name in plan.seats.values()}
    for plan in played:
        for name in plan.seats.values():
            missing.pop(stand_ins[name], None)
    return played + list(missing.values())


def _table(plan: MatchPlan, stand_ins: Mapping[str, str]) -> _Table:
    return tuple(sorted(stand_ins[name] for name in plan.seats.values()))


@dataclass
class _Weighing:
    """Plays as another agent does, and at some decisions has requests measured first."""

    agent: Agent
    meters: Sequence[Meter]
    places: frozenset[int]
    spec: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    async def choose(self, turn: Turn) -> Answer:
        """Answer as the agent does."""
        answer = await self.agent.choose(turn)
        if turn.number in self.places and not turn.attempt:
            for meter in self.meters:
                await meter.weigh(turn, answer.proposal)
        return answer

    async def close(self) -> None:
        """Nothing to give back."""


async def _play(plan: MatchPlan, agents: Mapping[str, Agent]) -> list[tuple[int, str]]:
    """Play a game, leaving nothing behind; return the number and the seat of every decision."""
    asked: list[tuple[int, str]] = []

    def observe(record: Record) -> None:
        if isinstance(record, DecisionRecord):
            asked.append((record.number, record.seat))

    with TemporaryDirectory() as folder:
        seats = {seat: agents[name] for seat, name in plan.seats.items()}
        log, blobs = Path(folder) / "game.jsonl", BlobStore(Path(folder) / "blobs")
        await play(plan, seats, log, blobs, lambda: len(asked) >= LONGEST, observe)
    return asked
