"""Waiting for a model: who is thinking and what it has cost so far, and what Ctrl-C can do about it."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal

from harness.agents.base import BROKEN_OFF, Agent, Answer, Fault, Leave, LetDraw, Turn
from harness.budget import Budget, dollars
from harness.log import GameLog
from harness.plan import MatchPlan
from harness.providers.prices import amount
from harness.records import AttemptRecord, OutcomeRecord, Record
from harness.terminal.sitting import Sitting
from harness.terminal.vocabulary import folded


@dataclass
class Bill:
    """What the seats of a game have used so far, told by its records."""

    tokens: Counter[str] = field(default_factory=Counter)
    cost: dict[str, Decimal] = field(default_factory=dict)
    unpriced: set[str] = field(default_factory=set)

    def count(self, log: GameLog) -> None:
        """Count what a log holds already."""
        for record in log.attempts:
            self._add(record)

    def started(self, plan: MatchPlan) -> None:
        """A game starts."""

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """Count an attempt."""
        if isinstance(record, AttemptRecord):
            self._add(record)

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """A game ended."""

    def _add(self, record: AttemptRecord) -> None:
        if record.usage is not None:
            self.tokens[record.seat] += sum(record.usage.model_dump(exclude={"reasoning"}).values())
        if record.cost is not None:
            self.cost[record.seat] = self.cost.get(record.seat, Decimal()) + Decimal(record.cost)
        elif record.calls and record.result != "provider" and record.uncertain is None:
            self.unpriced.add(record.seat)


class Awaited:
    """A model at a table with people: they are told that it is thinking, and need not wait for it.

    ``entrant`` is the name under which it spends from ``budget``.
    """

    def __init__(self, agent: Agent, sitting: Sitting, bill: Bill, budget: Budget, entrant: str) -> None:
        self.spec, self.settings = agent.spec, agent.settings
        self._agent, self._sitting, self._bill = agent, sitting, bill
        self._budget, self._entrant = budget, entrant

    async def choose(self, turn: Turn) -> Answer:
        """Wait for the model's answer. Raises LetDraw or Leave if a person does not want to."""
        screen, name = self._sitting.screen, self._sitting.name(turn.seat)
        asked = asyncio.Event()
        answer = asyncio.create_task(self._agent.choose(turn))
        try:
            with _on_interrupt(asked):
                while not answer.done():
                    screen.thinking(name, self._note(turn.seat))
                    interrupt = asyncio.create_task(asked.wait())
                    await asyncio.wait((answer, interrupt), return_when=asyncio.FIRST_COMPLETED)
                    interrupt.cancel()
                    if not answer.done():
                        asked.clear()
                        choice = await self._ask(name)
                        if choice != "wait":
                            raise await self._break_off(answer, name, choice)
                return answer.result()
        finally:
            screen.thinking("", "")
            await _cancel(answer)

    async def close(self) -> None:
        """Close the model."""
        await self._agent.close()

    async def _break_off(self, answer: asyncio.Task[Answer], name: str, choice: str) -> Leave | LetDraw:
        """End the call; returns what is to be raised, with what the call cost at worst."""
        await _cancel(answer)
        faults: tuple[Fault, ...] = ()
        if self._entrant in self._budget.broken_off:
            worst = self._budget.broken_off.pop(self._entrant)
            faults = (Fault(BROKEN_OFF, "a person at the table did not wait", {}, amount(worst) if worst else None),)
        if choice == "quit":
            return Leave(*faults)
        self._sitting.screen.write(self._sitting.texts.say("drawn_for", name=name))
        return LetDraw(*faults)

    async def _ask(self, name: str) -> str:
        """Ask what to do: wait, random or quit; whatever is not understood waits on."""
        texts = self._sitting.texts
        words = {
            folded(word): choice
            for choice in ("wait", "random", "quit")
            for word in texts.terminal[f"wait_{choice}"].split()
        }
        self._sitting.screen.write(texts.say("waiting", name=name))
        line = await self._sitting.screen.read("> ", lambda typed: [])
        return "quit" if line is None else words.get(folded(line.strip()), "wait")

    def _note(self, seat: str) -> str:
        texts, bill = self._sitting.texts, self._bill
        unknown = seat in bill.unpriced
        cost = (
            texts.say("cost_unknown")
            if unknown
            else texts.say("cost_known", cost=dollars(bill.cost.get(seat, Decimal())))
        )
        model = str(self._profile().get("model") or self.spec)
        return texts.say("thinking_note", model=model, tokens=str(bill.tokens[seat]), cost=cost)

    def _profile(self) -> Mapping[str, object]:
        profile = self.settings.get("profile")
        return profile if isinstance(profile, Mapping) else {}


async def _cancel(answer: asyncio.Task[Answer]) -> None:
    if not answer.done():
        answer.cancel()
        await asyncio.wait((answer,))


@contextmanager
def _on_interrupt(asked: asyncio.Event) -> Iterator[None]:
    """Let Ctrl-C set an event instead of breaking off what runs; outside the main thread signals stay as they are."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = signal.signal(signal.SIGINT, lambda *_: loop.call_soon_threadsafe(asked.set))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
