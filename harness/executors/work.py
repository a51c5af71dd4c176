"""What a worker does, wherever it runs: it makes its own agents, plays the games it claims, and tells how it goes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from harness.agents.base import Agent
from harness.config import make_tournament
from harness.interrupts import Stop
from harness.plan import MatchPlan
from harness.playing import RunResult, Watcher
from harness.preflight import Wired
from harness.providers.profiles import Profile
from harness.records import OutcomeRecord, Record
from harness.schedule import make_schedule
from harness.store import Run

TELL_S = 0.25
"""Records are told of together, so often."""

Message: TypeAlias = tuple[str, Any]
"""``started`` with a game, ``recorded`` with pairs of game and record, ``ended`` with a game and its outcome or None,
``done`` with the worker's RunResult, ``error`` with a sentence for the user."""
Degraded: TypeAlias = dict[str, dict[Profile, Profile]]


@dataclass(frozen=True)
class Job:
    """What a worker has to know; it can be sent to another process."""

    folder: Path
    tournament: dict[str, Any]
    session: str
    concurrency: int
    degraded: Degraded

    def run(self) -> Run:
        """The run to play."""
        return Run(self.folder, make_tournament(self.tournament, str(self.folder / "run.json")))


def learnt(agents: Mapping[str, Agent]) -> Degraded:
    """What was found out before the run about the servers of the agents, by entrant."""
    return {name: dict(agent.wire()[0].degraded) for name, agent in agents.items() if isinstance(agent, Wired)}


def teach(agents: Mapping[str, Agent], degraded: Degraded) -> None:
    """Let agents of another process know what was found out."""
    for name, found in degraded.items():
        agent = agents[name]
        if isinstance(agent, Wired):
            agent.wire()[0].degraded.update(found)


def share(concurrency: int, workers: int) -> int:
    """How many games each worker plays at a time, so that all together play ``concurrency`` or a few more."""
    return math.ceil(concurrency / workers)


@dataclass
class Teller:
    """A watcher that passes on what it is told."""

    tell: Callable[[Message], None]
    told: float = field(default_factory=time.monotonic)
    records: list[tuple[str, Record]] = field(default_factory=list)

    def started(self, plan: MatchPlan) -> None:
        """Pass on that a game starts."""
        self.tell(("started", plan.game))

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """Pass on a record, with others."""
        self.records.append((plan.game, record))
        if time.monotonic() - self.told >= TELL_S:
            self.flush()

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """Pass on that a game ended."""
        self.flush()
        self.tell(("ended", (plan.game, outcome)))

    def flush(self) -> None:
        """Pass on the records that wait."""
        if self.records:
            self.tell(("recorded", self.records))
        self.records, self.told = [], time.monotonic()


class Front:
    """Where the messages of all workers come together."""

    def __init__(self, run: Run, watcher: Watcher, result: RunResult, stop: Stop, say: Callable[[str], None]) -> None:
        self.watcher, self.result, self.stop, self.say = watcher, result, stop, say
        self.error: str | None = None
        self._plans = {plan.game: plan for plan in make_schedule(run.tournament)}

    def take(self, message: Message) -> None:
        """Tell the watcher, or add what a worker brought back; an error of one stops all."""
        kind, what = message
        if kind == "started":
            self.watcher.started(self._plans[what])
        elif kind == "recorded":
            for game, record in what:
                self.watcher.recorded(self._plans[game], record)
        elif kind == "ended":
            self.watcher.ended(self._plans[what[0]], what[1])
        elif kind == "done":
            self._add(what)
        elif kind == "error":
            self.error = self.error or what
            if not self.stop.asked:
                self.stop.ask()

    def _add(self, part: RunResult) -> None:
        whole = self.result
        whole.crashed |= part.crashed
        whole.refused |= part.refused
        reached = {(one.kind, one.name): one for one in (*part.reached, *whole.reached)}
        whole.reached = tuple(reached.values())
        whole.aborted = whole.aborted or part.aborted
        whole.remarks += part.remarks
