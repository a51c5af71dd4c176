"""Playing a run: all its games, several at a time, into logs that can be gone on with.

Several processes may play one run: each claims the games that nobody plays (``harness.claims``).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, replace

from harness.agents.base import Agent
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec, create_agent, parse_spec
from harness.budget import Budget
from harness.claims import opened
from harness.config import Tournament
from harness.interrupts import Stop
from harness.log import is_finished
from harness.playing import Playing, RunResult, Watcher
from harness.providers.connections import Connections
from harness.schedule import make_schedule
from harness.store import Run

__all__ = ["Part", "RunResult", "Watcher", "play_run", "progress_of", "seated"]

MENDED = "The database of the run was damaged; it was made anew from the logs."


def progress_of(run: Run) -> tuple[int, int]:
    """Return how many games a run has, and how many of them are finished."""
    plans = make_schedule(run.tournament)
    return len(plans), sum(is_finished(run.log(plan.game)) for plan in plans)


@asynccontextmanager
async def seated(
    tournament: Tournament,
    make: Callable[[AgentSpec, RunContext], Agent] = create_agent,
    budget: Budget | None = None,
    connections: Connections | None = None,
) -> AsyncIterator[dict[str, Agent]]:
    """Make the agents of all entrants, by name, and close them in the end. They spend from ``budget``.

    All are made before anything is played or written, so that a missing key costs nothing. ``connections`` None opens
    new ones. Raises UserError for what the user can put right.
    """
    agents: dict[str, Agent] = {}
    context = RunContext(
        tournament.rulebook,
        tournament.language,
        Connections() if connections is None else connections,
        budget=budget or Budget(),
        prices=tournament.unit_prices,
    )
    try:
        for entrant in tournament.entrants:
            agents[entrant.name] = make(parse_spec(entrant.agent), replace(context, entrant=entrant.name))
        yield agents
    finally:
        for agent in agents.values():
            await agent.close()


@dataclass(frozen=True)
class Part:
    """What a worker is told that plays a run together with others of one command.

    ``session`` is None without others.
    """

    session: str | None
    stop: Stop
    concurrency: int


async def play_run(
    run: Run,
    agents: Mapping[str, Agent],
    watcher: Watcher,
    signals: bool = True,
    budget: Budget | None = None,
    alone: bool = False,
    part: Part | None = None,
    say: Callable[[str], object] | None = None,
) -> RunResult:
    """Play every game of a run that is not finished and that nobody else plays; ``agents`` are by entrant.

    ``signals`` False leaves Ctrl-C to the caller, ``alone`` suffers no other process, ``part`` is for one worker of
    several, ``say`` shows a sentence at once. ``budget`` is what the agents spend from; what all processes spent
    counts. Once a budget is reached, the games it is for end before their next decision. Raises UserError for what the
    user can put right; games that run then end after their present decision. A tape that lacks something is complained
    of when all games are as far as it goes.
    """
    plans = make_schedule(run.tournament)
    part = part or Part(None, Stop(), run.tournament.concurrency)
    with opened(run, plans, part.session, alone, say) as (claims, worker, mended):
        budget = budget or Budget()
        with budget.sharing(claims.money), part.stop.on_signal() if signals else nullcontext():
            if part.session is None:
                claims.recount(budget, plans)
            result = RunResult(len(plans), remarks=[MENDED] if mended else [])
            playing = Playing(run, agents, watcher, budget, claims, part.stop, result, worker.is_lost)
            return await playing.play(part.concurrency)
