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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from harness.agents.base import Agent
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec, create_agent, parse_spec
from harness.config import Tournament
from harness.errors import UserError
from harness.log import is_finished
from harness.match import play
from harness.plan import MatchPlan
from harness.providers.types import FATAL
from harness.records import AttemptRecord, OutcomeRecord, Record
from harness.schedule import make_schedule
from harness.secrets import without_keys
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
    when it turned them away for good (no valid key, no credit, no such model).
    """

    games: int
    finished: int = 0
    interrupted: bool = False
    crashed: dict[str, Path] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def progress_of(run: Run) -> tuple[int, int]:
    """Return how many games a run has, and how many of them are finished."""
    plans = make_schedule(run.tournament)
    return len(plans), sum(is_finished(run.log(plan.game)) for plan in plans)


@asynccontextmanager
async def seated(
    tournament: Tournament, make: Callable[[AgentSpec, RunContext], Agent] = create_agent
) -> AsyncIterator[dict[str, Agent]]:
    """Make the agents of all entrants, by name, and close them in the end.

    All are made before anything is played or written, so that a missing key costs nothing. Raises UserError for what
    the user can put right.
    """
    agents: dict[str, Agent] = {}
    context = RunContext(tournament.rulebook, tournament.language)
    try:
        for entrant in tournament.entrants:
            agents[entrant.name] = make(parse_spec(entrant.agent), context)
        yield agents
    finally:
        for agent in agents.values():
            await agent.close()


async def play_run(run: Run, agents: Mapping[str, Agent], watcher: Watcher, signals: bool = True) -> RunResult:
    """Play every game of a run that is not finished yet; ``agents`` are by entrant.

    ``signals`` False leaves Ctrl-C to the caller. Raises UserError for what the user can put right; games that run then
    end after their present decision.
    """
    plans = make_schedule(run.tournament)
    left = [plan for plan in plans if not is_finished(run.log(plan.game))]
    result = RunResult(len(plans), len(plans) - len(left))
    stop = _Stop()
    with locked(run), stop.on_signal() if signals else nullcontext(), _fewer_collections():
        await _play_all(run, left, agents, watcher, stop, result)
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

    def __call__(self) -> bool:
        return self.asked

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


async def _play_all(
    run: Run, left: list[MatchPlan], agents: Mapping[str, Agent], watcher: Watcher, stop: _Stop, result: RunResult
) -> None:
    waiting = iter(left)

    async def worker() -> None:
        for plan in waiting:
            if stop.asked:
                return
            if not result.refused.keys().isdisjoint(plan.seats.values()):
                continue
            try:
                await _play_one(run, plan, agents, watcher, stop, result)
            except BaseException:
                stop.asked = True  # the other games end after their present decision: nothing paid for is lost
                raise

    stop.tasks = {asyncio.create_task(worker()) for _ in range(min(run.tournament.concurrency, len(left)))}
    endings = await asyncio.gather(*stop.tasks, return_exceptions=True)
    result.interrupted = stop.asked
    for ending in endings:
        if isinstance(ending, Exception):
            raise ending


async def _play_one(
    run: Run, plan: MatchPlan, agents: Mapping[str, Agent], watcher: Watcher, stop: _Stop, result: RunResult
) -> None:
    def observe(record: Record) -> None:
        if isinstance(record, AttemptRecord) and record.result == "provider" and record.code in FATAL:
            result.refused[plan.seats[record.seat]] = f"{record.code}: {record.detail}"
        watcher.recorded(plan, record)

    watcher.started(plan)
    outcome = None
    try:
        outcome = await play(
            plan,
            {seat: agents[name] for seat, name in plan.seats.items()},
            run.log(plan.game),
            run.blobs,
            stop,
            observe,
        )
    except UserError:
        raise
    except Exception:  # a bug in an agent or the engine stops its game only, and is kept for whoever mends it
        path = run.folder / "crashes" / f"{plan.game}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(clean(without_keys(traceback.format_exc()), CRASH_LIMIT), encoding="utf-8")
        result.crashed[plan.game] = path
    result.finished += outcome is not None
    watcher.ended(plan, outcome)
