"""Showing how a run goes: a live display in a terminal, plain lines anywhere else."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from harness import prompts
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

    def __init__(self, console: Console, games: int, finished: int, live: Progress | None) -> None:
        self.console, self.games, self.finished, self.live = console, games, finished, live
        self.attempts: Counter[str] = Counter()
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
        if record.result == "provider":
            self.trouble[plan.game] = clean_line(f"{plan.seats[record.seat]}: {record.code}: {record.detail}")
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
        trouble = f", no answer from the provider of {self.trouble[plan.game]}" if plan.game in self.trouble else ""
        self._say(f"[{self.finished}/{self.games}] {plan.game}: {tell(plan, outcome)}{trouble}")

    def _note(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in sorted(self.attempts.items()))

    def _say(self, line: str) -> None:
        self.spoke = time.monotonic()
        self.console.print(Text(line), soft_wrap=True)


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
def showing(console: Console, run: Run) -> Iterator[Watcher]:
    """Give a watcher that shows the run on this console while the block lasts."""
    games, finished = progress_of(run)
    if not console.is_terminal:
        yield _Lines(console, games, finished, None)
        return
    columns = (
        TextColumn("games"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as live:
        yield _Lines(console, games, finished, live)
