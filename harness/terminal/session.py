"""One game of ``dale play``: seats people and others at one screen and plays on until the game ends or is left."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from harness.agents.base import Agent
from harness.agents.context import RunContext
from harness.agents.human import HumanAgent
from harness.agents.spec import KINDS, AgentSpec, create_agent, parse_spec
from harness.budget import Budget
from harness.config import Tournament
from harness.log import read_log
from harness.prompts import Texts
from harness.providers.connections import Connections
from harness.schedule import make_schedule
from harness.store import Run, create_run
from harness.terminal.screen import Screen
from harness.terminal.sitting import Sitting
from harness.terminal.undo import take_back
from harness.terminal.waiting import Awaited, Bill
from harness.tournament import RunResult, play_run, seated


async def play_session(
    tournament: Tournament, results: Path, found: Run | None, connections: Connections, screen: Screen, texts: Texts
) -> RunResult:
    """Play the one game of a run, a new one or what is left of the one ``found``.

    Raises UserError for what the user can put right, before anything is written if it is a key or a setting.
    """
    (plan,) = make_schedule(tournament)
    kinds = [parse_spec(entrant.agent) for entrant in tournament.entrants]
    people = sum(spec.kind == "human" for spec in kinds)
    sitting = Sitting(screen, texts, dict(plan.seats), people, _no_undo(kinds))
    bill, budget = Bill(), Budget(tournament.caps, file=False)
    async with seated(tournament, partial(_seat, sitting, bill, budget), budget, connections) as agents:
        run = found or create_run(results, tournament)
        log = run.log(plan.game)
        if log.exists():
            bill.count(read_log(log))
        while True:
            result = await play_run(run, agents, bill, signals=False, budget=budget, alone=True)
            if sitting.undo is None:
                return result
            aside = take_back(log, sitting.undo)
            sitting.undo = None
            screen.write(texts.say("undone", path=aside))


def _seat(sitting: Sitting, bill: Bill, budget: Budget, spec: AgentSpec, context: RunContext) -> Agent:
    """Make the agent of an entrant: a person at this table, a model that is waited for, or any other."""
    if spec.kind == "human":
        options: dict[str, Any] = spec.resolved()
        return HumanAgent(str(spec), sitting, options["level"], options["casual"])
    agent = create_agent(spec, context)
    if not KINDS[spec.kind].is_model:
        return agent
    return Awaited(agent, sitting, bill, budget, context.entrant)


def _no_undo(kinds: list[AgentSpec]) -> str:
    """Which text says why nothing is taken back in a game of these agents; empty if it can be."""
    people = [spec for spec in kinds if spec.kind == "human"]
    if any(KINDS[spec.kind].is_model for spec in kinds):
        return "undo_models"
    if len(people) > 1:
        return "undo_people"
    return "" if all(spec.options.get("casual") for spec in people) else "undo_named"
