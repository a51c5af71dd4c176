"""Watchers of a run: a screen in a terminal, lines anywhere else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from harness.budget import Budget
from harness.plan import MatchPlan
from harness.progress.lines import Lines, ending, money_of
from harness.progress.picture import Moment, picture
from harness.progress.rater import Rater
from harness.progress.tally import Tally, tally_of
from harness.providers.connections import Connections
from harness.providers.gates import GateState
from harness.records import AttemptRecord, OutcomeRecord, Record
from harness.schedule import make_schedule
from harness.store import Run
from harness.tournament import Watcher

REFRESHES = 2
"""Pictures a second."""


class Silent:
    """Shows nothing: for a game whose player sees it anyway."""

    def started(self, plan: MatchPlan) -> None:
        """A game starts."""

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """A record was written."""

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """A game ended."""


class Screen:
    """Keeps a picture of the run at the foot of a terminal, and tells every game that ends above it.

    The picture is drawn by a thread of its own, so that time passes on it while nothing happens: the lock keeps it from
    looking at a tally that is just being changed, and the budget, which belongs to the event loop, is looked at there.
    """

    def __init__(
        self, name: str, tally: Tally, budget: Budget, rater: Rater, gates: Callable[[], list[GateState]],
        clock: Callable[[], float],
    ) -> None:  # fmt: skip
        self.console: Console | None = None
        self._name, self._tally, self._budget, self._rater = name, tally, budget, rater
        self._gates, self._clock = gates, clock
        self._began = clock()
        self._money = money_of(budget)
        self._lock = threading.Lock()

    def started(self, plan: MatchPlan) -> None:
        """A game starts."""
        with self._lock:
            self._tally.started(plan)
            self._money = money_of(self._budget)

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """Count it."""
        with self._lock:
            self._tally.recorded(plan, record)
            if isinstance(record, AttemptRecord) and record.calls:
                self._money = money_of(self._budget)

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """Say how a game ended."""
        with self._lock:
            line = ending(self._tally, self._tally.ended(plan, outcome), outcome, self._money)
        if self.console is not None:  # without the lock: the console waits for the thread that draws
            self.console.print(Text(line), soft_wrap=True)

    def draw(self, width: int, height: int) -> Group:
        """Return the picture as it is now."""
        with self._lock:
            standings = self._rater.look(self._tally.results)
            now = Moment(self._clock() - self._began, width, height)
            return picture(self._name, self._tally, self._money, standings, self._gates(), now)


@contextmanager
def showing(
    console: Console,
    run: Run,
    budget: Budget,
    connections: Connections | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Watcher]:
    """Give a watcher that shows the run, and what is spent of its budget, on this console while the block lasts.

    ``connections`` are those of this process, whose pauses and limits are shown too; ``clock`` gives seconds.
    """
    tournament = run.tournament
    plans = make_schedule(tournament)
    tally = tally_of(plans, [entrant.name for entrant in tournament.entrants], run.log(plans[0].game).parent)
    if not console.is_terminal:
        yield Lines(console, tally, budget, clock)
        return
    pool = ThreadPoolExecutor(1)
    rater = Rater(tournament.seed, pool, clock)
    gates = connections.gates if connections is not None else list
    screen = Screen(tournament.name, tally, budget, rater, gates, clock)
    live = Live(
        console=console, transient=True, refresh_per_second=REFRESHES, vertical_overflow="crop",
        get_renderable=lambda: screen.draw(console.width, console.height),
    )  # fmt: skip
    try:
        with live:
            screen.console = console
            yield screen
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
