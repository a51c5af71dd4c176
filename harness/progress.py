"""Showing how a run goes: a live display in a terminal, plain lines anywhere else."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Column
from rich.text import Text

from harness import prompts
from harness.budget import BUDGET_CODE, Budget, dollars
from harness.plan import MatchPlan
from harness.records import AttemptRecord, OutcomeRecord, Record
from harness.store import Run
from harness.text import clean_line
from harness.tournament import Watcher, progress_of

HEARTBEAT = 30.0
"""Seconds after which a silent run says that it is alive, where there is no live display."""


class Silent:
    """Shows nothing: for a game whose player sees it anyway."""

    def started(self, plan: MatchPlan) -> None:
        """A game starts."""

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """A record was written."""

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """A game ended."""


class _Lines:
    """A line for every game that ends, and a sign of life in between."""

    def __init__(self, console: Console, games: int, finished: int, budget: Budget, live: Progress | None) -> None:
        self.console, self.games, self.finished, self.live = console, games, finished, live
        self.budget = budget
        self.attempts: Counter[str] = Counter()
        self.tokens = 0
        self.unpriced = False
        self.trouble: dict[str, str] = {}
        self.spoke = time.monotonic()
        self.task = live.add_task("games", total=games, completed=finished, note="") if live is not None else None

    def started(self, plan: MatchPlan) -> None:
        """A game starts."""

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """Count attempts."""
        if not isinstance(record, AttemptRecord):
            return
        self.attempts[record.result] += 1
        if record.usage is not None:
            self.tokens += sum(record.usage.model_dump(exclude={"reasoning"}).values())
            self.unpriced = self.unpriced or record.cost is None
        if record.code == BUDGET_CODE:
            self.trouble[plan.game] = "stopped by the budget"
        elif record.result == "provider":
            name = clean_line(plan.seats[record.seat], 48)
            told = clean_line(f"{record.code}: {record.detail}")
            self.trouble[plan.game] = f"no answer from the provider of {name}: {told}"
        else:
            self.trouble.pop(plan.game, None)
        if self.live is not None and self.task is not None:
            self.live.update(self.task, note=self._note())
        elif time.monotonic() - self.spoke >= HEARTBEAT:
            self._say(f"{self.finished} of {self.games} games finished; {self._note()}")

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """Say how a game ended."""
        self.finished += outcome is not None
        if self.live is not None and self.task is not None:
            self.live.update(self.task, completed=self.finished)
        trouble = f", {self.trouble[plan.game]}" if plan.game in self.trouble else ""
        money = "".join(f"; {part}" for part in [", ".join(self._money())] if part)
        self._say(f"[{self.finished}/{self.games}] {plan.game}: {tell(plan, outcome)}{trouble}{money}")

    def _note(self) -> str:
        return ", ".join([*self._money(), *(f"{count} {name}" for name, count in sorted(self.attempts.items()))])

    def _money(self) -> list[str]:
        """What the run has spent, of how much, and the tokens since it was started or gone on with."""
        spent, cap = self.budget.spent, self.budget.caps.run
        told = []
        if cap is not None:
            told.append(f"${dollars(spent)} of ${dollars(cap)} spent")
        elif spent:
            told.append(f"${dollars(spent)} spent")
        if self.unpriced:
            told.append("some prices unknown")
        if self.tokens:
            told.append(f"{_short(self.tokens)} tokens")
        return told

    def _say(self, line: str) -> None:
        self.spoke = time.monotonic()
        self.console.print(Text(line), soft_wrap=True)


def _short(count: int) -> str:
    """A number in at most five characters."""
    for divisor, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= divisor:
            return f"{count / divisor:.1f}{unit}"
    return str(count)


def tell(plan: MatchPlan, outcome: OutcomeRecord | None, language: str = prompts.DEFAULT_LANGUAGE) -> str:
    """Return in one line who played and how it ended."""
    texts = prompts.load(language)
    players = {seat: clean_line(name, 48) for seat, name in plan.seats.items()}
    table = texts.say("table", players=list(players.values()))
    if outcome is None:
        return texts.say("ending_open", table=table)
    ended = {"table": table, "score": "-".join(map(str, outcome.stacks.values())), "rounds": outcome.rounds}
    if outcome.winner is not None:
        return texts.say("ending_win", winner=players[outcome.winner], **ended)
    if outcome.result == "void":
        return texts.say("ending_void", table=table, reason=texts.say(f"reason_{outcome.reason}"))
    return texts.say("ending_unfinished", **ended)


@contextmanager
def showing(console: Console, run: Run, budget: Budget) -> Iterator[Watcher]:
    """Give a watcher that shows the run, and what is spent of its budget, on this console while the block lasts."""
    games, finished = progress_of(run)
    if not console.is_terminal:
        yield _Lines(console, games, finished, budget, None)
        return
    rest = Column(no_wrap=True, overflow="ellipsis", ratio=1)  # the other columns keep their width
    columns = (
        TextColumn("games"),
        BarColumn(bar_width=12),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False, table_column=rest),
    )
    with Progress(*columns, console=console, transient=True, expand=True) as live:
        yield _Lines(console, games, finished, budget, live)
