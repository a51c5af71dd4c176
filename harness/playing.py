"""Playing the games that this process claims, several at a time.

A request to stop lets running calls end and stops every game before its next decision; a second one drops the calls.
Either way each log holds whole records only.
"""

from __future__ import annotations

import asyncio
import gc
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Protocol

from harness.agents.base import Agent
from harness.budget import BUDGET_CODE, Budget, Reached
from harness.claims import Claims
from harness.errors import UserError, cannot_write
from harness.interrupts import Stop
from harness.log import is_torn, read_outcome
from harness.match import play
from harness.plan import MatchPlan
from harness.providers.tape import TapeMiss
from harness.providers.types import FATAL
from harness.records import AttemptRecord, OutcomeRecord, Record
from harness.schedule import make_schedule
from harness.secrets import without_keys
from harness.spending import count_spent
from harness.stopping import Comparison, comparison_of
from harness.store import Run
from harness.text import clean

TORN = "The last line of {log} was torn when a process was killed; it was cut off, and the game went on from there."
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
    of the whole run, what is uncertain counted at worst; ``missed`` is what a replayed tape first did not hold;
    ``elsewhere`` counts the games that other processes play; ``aborted`` says how many of how many games failed if the
    run was given up for that; ``remarks`` are sentences about what was mended.
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
    elsewhere: int = 0
    aborted: tuple[int, int] | None = None
    remarks: list[str] = field(default_factory=list)


@contextmanager
def fewer_collections() -> Iterator[None]:
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


@dataclass(frozen=True)
class Playing:
    """A run as it is played. ``lost`` says whether another host has taken the claims over."""

    run: Run
    agents: Mapping[str, Agent]
    watcher: Watcher
    budget: Budget
    claims: Claims
    stop: Stop
    result: RunResult
    lost: Callable[[], bool]

    @cached_property
    def plans(self) -> Mapping[str, MatchPlan]:
        """The games of the run."""
        return {plan.game: plan for plan in make_schedule(self.run.tournament)}

    async def play(self, at_once: int) -> RunResult:
        """Play the games there are to claim, so many at a time, and say how far the run is."""
        self.result.comparison = comparison_of(self.run, self.plans.values())
        with fewer_collections():
            await self.all(min(at_once, len(self.plans)))
        self.result.finished, self.result.elsewhere = self.claims.counts()
        self.result.reached, self.result.spent = tuple(self.budget.reached.values()), self.budget.spent
        return self.result

    async def all(self, at_once: int) -> None:
        """Play the games there are to claim, so many at a time."""

        async def worker() -> None:
            try:
                while (plan := self.next()) is not None:
                    await self.one(plan)
            except BaseException:
                self.stop.asked = True  # the other games end after their present decision: nothing paid for is lost
                raise

        self.stop.tasks = {asyncio.create_task(worker()) for _ in range(at_once)}
        endings = await asyncio.gather(*self.stop.tasks, return_exceptions=True)
        self.result.interrupted = self.stop.asked
        for ending in endings:
            if isinstance(ending, Exception):
                raise ending
        if self.result.missed is not None:
            raise self.result.missed

    def next(self) -> MatchPlan | None:
        """Claim the next game; None if there is none, or nothing more is to be played."""
        if self.stop.asked or self.fails() or self.is_decided():
            return None
        closed = {game for game, plan in self.plans.items() if self.is_closed(plan)} if self.any_closed() else ()
        game = self.claims.claim(closed)
        if game is None:
            return None
        plan = self.plans[game]
        count_spent(self.budget, self.run, [plan])  # a worker that was killed had no time to settle
        return plan

    def is_decided(self) -> bool:
        """Whether the games played so far, by whomever, have answered the question of the run."""
        comparison = self.result.comparison
        if comparison is None:
            return False
        for game in self.claims.finished():
            if not comparison.knows(game) and (outcome := read_outcome(self.run.log(game))) is not None:
                comparison.note(self.plans[game], outcome)
        return comparison.decided

    def fails(self) -> bool:
        """Whether so many of the last games failed that the run is given up."""
        table = self.run.tournament.abort
        if self.result.aborted is None:
            failed, of = self.claims.failures(table.window)
            if of == table.window and failed >= table.rate * of:
                self.result.aborted = (failed, of)
        return self.result.aborted is not None

    def any_closed(self) -> bool:
        """Whether there may be games that cannot go on."""
        return bool(self.result.refused or self.budget.reached)

    def is_closed(self, plan: MatchPlan) -> bool:
        """Whether a game cannot go on: a provider turned one of its players away, or a budget is reached."""
        refused = not self.result.refused.keys().isdisjoint(plan.seats.values())
        return refused or self.budget.closed(plan.game, plan.seats.values())

    def ends_early(self, plan: MatchPlan) -> bool:
        """Whether a game ends before its next decision.

        Not for a refusal in another game: this one meets it at its own next call, which is not sent, so that its log
        does not depend on which game was faster. Raises UserError if the game is another's by now.
        """
        if self.lost():
            raise UserError(
                f"another host has taken over the games of {self.run.folder} while this one slept: leave them to it, "
                "or stop it and go on with dale tournament resume."
            )
        return self.stop.asked or self.result.aborted is not None or self.budget.closed(plan.game, plan.seats.values())

    async def one(self, plan: MatchPlan) -> None:
        """Play one claimed game as far as it goes."""
        failed = False

        def observe(record: Record) -> None:
            nonlocal failed
            failed = isinstance(record, AttemptRecord) and _is_failure(record)
            if isinstance(record, AttemptRecord) and record.result == "provider" and record.code in FATAL:
                self.result.refused[plan.seats[record.seat]] = f"{record.code}: {record.detail}"
            self.watcher.recorded(plan, record)

        log = self.run.log(plan.game)
        if is_torn(log):
            self.result.remarks.append(TORN.format(log=log))
        self.watcher.started(plan)
        outcome = None
        try:
            outcome = await play(
                plan,
                {seat: self.agents[name] for seat, name in plan.seats.items()},
                log,
                self.run.blobs,
                lambda: self.ends_early(plan),
                observe,
            )
        except TapeMiss as miss:
            self.result.missed = self.result.missed or miss
        except UserError:
            raise
        except Exception:  # a bug in an agent or the engine stops its game only, and is kept for whoever mends it
            failed = True
            self.result.crashed[plan.game] = self.keep_crash(plan.game)
        if outcome is not None:
            self.claims.finish(plan.game, outcome)
        else:
            self.claims.leave(plan.game, failed)
        self.fails()
        self.watcher.ended(plan, outcome)

    def keep_crash(self, game: str) -> Path:
        """Write down the present exception; UserError if the disk refuses."""
        path = self.run.folder / "crashes" / f"{game}.txt"
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text(clean(without_keys(traceback.format_exc()), CRASH_LIMIT), encoding="utf-8")
        except OSError as error:
            raise cannot_write(path, error) from None
        return path


def _is_failure(record: AttemptRecord) -> bool:
    """Whether a provider gave up for reasons that may meet every game, and that no other guard looks after."""
    return record.result == "provider" and record.code not in (*FATAL, BUDGET_CODE)
