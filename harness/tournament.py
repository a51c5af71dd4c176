"""Playing a run: all its games, several at a time, into logs that can be gone on with.

The first interruption (Ctrl-C) lets running calls end and stops every game before its next decision; the second drops
the calls. Either way each log holds whole records only.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import threading
import traceback
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Protocol

from harness.agents.base import Agent
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec, create_agent, parse_spec
from harness.budget import Budget, Reached
from harness.config import Tournament
from harness.errors import UserError
from harness.log import is_finished
from harness.match import play
from harness.plan import MatchPlan
from harness.providers.connections import Connections
from harness.providers.tape import TapeMiss
from harness.providers.types import FATAL
from harness.records import AttemptRecord, OutcomeRecord, Record
from harness.schedule import make_schedule
from harness.secrets import without_keys
from harness.spending import count_spent
from harness.stopping import Comparison, comparison_of
from harness.store import Run, locked
from harness.text import clean

CRASH_LIMIT = 200_000
"""Characters of a traceback that are kept."""


class Watcher(Protocol):
    """What is told about a run as it goes."""

    def started(self, plan: MatchPlan) -> None:
        """A game starts or goes on."""

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """A record was written."""

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """A game is finished, or stays open (None)."""


@dataclass
class RunResult:
    """How far a run got.

    ``crashed`` maps games to the file that tells what broke; ``refused`` maps entrants to what their provider said
    when it turned them away for good (no valid key, no credit, no such model); ``reached`` holds the budgets that a
    call stood against; ``comparison`` is what the run is to decide, if it ends by that; ``spent`` is in US dollars and
    of the whole run, what is uncertain counted at worst; ``missed`` is what a replayed tape first did not hold.
    """

    games: int
    finished: int = 0
    interrupted: bool = False
    crashed: dict[str, Path] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    reached: tuple[Reached, ...] = ()
    comparison: Comparison | None = None
    spent: Decimal = Decimal()
    missed: TapeMiss | None = None


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


async def play_run(
    run: Run, agents: Mapping[str, Agent], watcher: Watcher, signals: bool = True, budget: Budget | None = None
) -> RunResult:
    """Play every game of a run that is not finished yet; ``agents`` are by entrant.

    ``signals`` False leaves Ctrl-C to the caller. ``budget`` is what the agents spend from; what the logs say was spent
    before is counted first. Once a budget is reached, the games it is for end before their next decision. Raises
    UserError for what the user can put right; games that run then end after their present decision. A tape that lacks
    something is complained of when all games are as far as it goes.
    """
    plans = make_schedule(run.tournament)
    left = [plan for plan in plans if not is_finished(run.log(plan.game))]
    result = RunResult(len(plans), len(plans) - len(left), comparison=comparison_of(run, plans))
    stop, budget = _Stop(), budget or Budget()
    with locked(run), stop.on_signal() if signals else nullcontext(), _fewer_collections():
        count_spent(budget, run, plans)
        await _Play(run, agents, watcher, stop, budget, result).all(left)
    result.reached, result.spent = tuple(budget.reached.values()), budget.spent
    return result


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Keep the garbage collector from what was there before the run, and from looking after every few turns.

    Texts, tables and libraries fill most of the memory; going through them took an eighth of the time of a turn.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(10_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


class _Stop:
    """Whether the run was asked to stop, and the tasks a second request cancels."""

    def __init__(self) -> None:
        self.asked = False
        self.tasks: set[asyncio.Task[None]] = set()

    def ask(self) -> None:
        """Stop before the next decisions; asked again, at once."""
        if self.asked:
            for task in self.tasks:
                task.cancel()
        self.asked = True

    @contextmanager
    def on_signal(self) -> Iterator[None]:
        """Let Ctrl-C and a polite kill ask for the stop; outside the main thread signals stay as they are."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, lambda *_: loop.call_soon_threadsafe(self.ask)) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


@dataclass(frozen=True)
class _Play:
    """A run as it is played."""

    run: Run
    agents: Mapping[str, Agent]
    watcher: Watcher
    stop: _Stop
    budget: Budget
    result: RunResult

    async def all(self, left: list[MatchPlan]) -> None:
        """Play the games that are left, as many at a time as the run allows."""
        waiting = iter(left)

        async def worker() -> None:
            for plan in waiting:
                if self.stop.asked:
                    return
                if self.is_decided():
                    return
                if self.is_closed(plan):
                    continue
                try:
                    await self.one(plan)
                except BaseException:
                    self.stop.asked = True  # the other games end after their present decision: nothing paid for is lost
                    raise

        self.stop.tasks = {
            asyncio.create_task(worker()) for _ in range(min(self.run.tournament.concurrency, len(left)))
        }
        endings = await asyncio.gather(*self.stop.tasks, return_exceptions=True)
        self.result.interrupted = self.stop.asked
        for ending in endings:
            if isinstance(ending, Exception):
                raise ending
        if self.result.missed is not None:
            raise self.result.missed

    def is_decided(self) -> bool:
        """Whether the games played so far have answered the question of the run."""
        return self.result.comparison is not None and self.result.comparison.decided

    def is_closed(self, plan: MatchPlan) -> bool:
        """Whether a game cannot go on: a provider turned one of its players away, or a budget is reached."""
        refused = not self.result.refused.keys().isdisjoint(plan.seats.values())
        return refused or self.budget.closed(plan.game, plan.seats.values())

    async def one(self, plan: MatchPlan) -> None:
        """Play one game as far as it goes."""

        def observe(record: Record) -> None:
            if isinstance(record, AttemptRecord) and record.result == "provider" and record.code in FATAL:
                self.result.refused[plan.seats[record.seat]] = f"{record.code}: {record.detail}"
            self.watcher.recorded(plan, record)

        self.watcher.started(plan)
        outcome = None
        try:
            outcome = await play(
                plan,
                {seat: self.agents[name] for seat, name in plan.seats.items()},
                self.run.log(plan.game),
                self.run.blobs,
                # Not for a refusal in another game: this one meets it at its own next call, which is not sent, so that
                # its log does not depend on which game was faster.
                lambda: self.stop.asked or self.budget.closed(plan.game, plan.seats.values()),
                observe,
            )
        except TapeMiss as miss:
            self.result.missed = self.result.missed or miss
        except UserError:
            raise
        except Exception:  # a bug in an agent or the engine stops its game only, and is kept for whoever mends it
            path = self.run.folder / "crashes" / f"{plan.game}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(clean(without_keys(traceback.format_exc()), CRASH_LIMIT), encoding="utf-8")
            self.result.crashed[plan.game] = path
        self.result.finished += outcome is not None
        if outcome is not None and self.result.comparison is not None:
            self.result.comparison.note(plan, outcome)
        self.watcher.ended(plan, outcome)
