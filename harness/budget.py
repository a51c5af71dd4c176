"""What a run may spend: the worst case of a call is reserved before it and settled after it.

A call that would pass a cap is not made, nor is another try of one after a try that may be charged for. A call that
only other calls' reservations stand against waits for them: a reservation belongs to a call under way, and none is held
while waiting, so waiting ends. All amounts are US dollars as decimals.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, Protocol

import anyio

from harness.errors import UserError
from harness.providers.estimate import prompt_characters, tool_characters
from harness.providers.estimate import tokens as estimated
from harness.providers.prices import FREE, Tariff, stated_tiers
from harness.providers.types import Allow, Exchange, ProviderError, Request, Usage

BUDGET_CODE: Final = "budget"
"""The code of an attempt (class ``provider``) that was not made because a budget is reached."""

SHARED_PAUSE_S = 0.2
"""So often a call looks again that waits for reservations of other processes."""

Kind = Literal["run", "entrant", "game"]
Scope = tuple[Kind, str]
_RUN: Scope = ("run", "")


@dataclass(frozen=True)
class Caps:
    """The most a run, each of its entrants and each of its games may cost; None is no limit."""

    run: Decimal | None = None
    entrant: Decimal | None = None
    game: Decimal | None = None


@dataclass(frozen=True)
class Reached:
    """A cap that a call could have passed: what was spent of it, and what the call would have cost at worst."""

    kind: Kind
    name: str
    cap: Decimal
    spent: Decimal
    call: Decimal

    def __str__(self) -> str:
        """Say it in one clause."""
        of = {"run": "the run", "entrant": f"entrant {self.name}", "game": f"game {self.name}"}[self.kind]
        return (
            f"the budget of {of}, {dollars(self.cap)} US dollars, is reached: {dollars(self.spent)} spent, and the "
            f"next call may cost {dollars(self.call)}"
        )


class Ledger(Protocol):
    """Where a run's money is counted: in this process alone, or shared by all that play the run."""

    def spent(self) -> Decimal:
        """What the run has spent."""

    def know(self, game: str, spent: Mapping[str, Decimal]) -> None:
        """Set what each entrant has spent in a game, whatever was known of it."""

    def reserve(self, entrant: str, game: str, call: Decimal, caps: Caps) -> Reached | bool:
        """Set aside what a call may cost; false if other calls' reservations have to be settled first."""

    def settle(self, entrant: str, game: str, reserved: Decimal, spent: Decimal) -> None:
        """Replace a reservation by what was spent."""


def stands_against(
    caps: Caps, entrant: str, game: str, call: Decimal, spent: Callable[[Scope], Decimal],
    reserved: Callable[[Scope], Decimal],
) -> Reached | bool:  # fmt: skip
    """Return the cap that a call could pass, else whether it would pass one together with the calls under way."""
    held = False
    for scope, cap in zip(scopes(entrant, game), (caps.run, caps.entrant, caps.game), strict=True):
        if cap is None:
            continue
        if spent(scope) + call > cap:
            return Reached(*scope, cap, spent(scope), call)
        held = held or spent(scope) + reserved(scope) + call > cap
    return held


class _Own:
    """The ledger of a process that plays by itself."""

    def __init__(self) -> None:
        self._spent: defaultdict[Scope, Decimal] = defaultdict(Decimal)
        self._of: defaultdict[tuple[str, str], Decimal] = defaultdict(Decimal)
        self._reserved: defaultdict[Scope, Decimal] = defaultdict(Decimal)

    def spent(self) -> Decimal:
        return self._spent[_RUN]

    def know(self, game: str, spent: Mapping[str, Decimal]) -> None:
        for entrant, amount in spent.items():
            self._add(entrant, game, amount - self._of[game, entrant])

    def reserve(self, entrant: str, game: str, call: Decimal, caps: Caps) -> Reached | bool:
        against = stands_against(caps, entrant, game, call, self._spent.__getitem__, self._reserved.__getitem__)
        if isinstance(against, Reached):
            return against
        if not against:
            for scope in scopes(entrant, game):
                self._reserved[scope] += call
        return not against

    def settle(self, entrant: str, game: str, reserved: Decimal, spent: Decimal) -> None:
        for scope in scopes(entrant, game):
            self._reserved[scope] -= reserved
        self._add(entrant, game, spent)

    def _add(self, entrant: str, game: str, amount: Decimal) -> None:
        self._of[game, entrant] += amount
        for scope in scopes(entrant, game):
            self._spent[scope] += amount


class Budget:
    """The money of one run, which has a tournament ``file`` or not. Belongs to one event loop at a time."""

    def __init__(self, caps: Caps | None = None, file: bool = True) -> None:
        self.caps, self._file = caps or Caps(), file
        self.reached: dict[Scope, Reached] = {}
        self._ledger: Ledger = _Own()
        self._patience: float | None = None
        self._tariffs: dict[str, Tariff] = {}
        self._settled = asyncio.Event()
        self.broken_off: dict[str, Decimal | None] = {}  # by entrant, what its cancelled call cost at worst, if known

    @property
    def spent(self) -> Decimal:
        """What the run has spent so far, what is unknown counted at worst."""
        return self._ledger.spent()

    @property
    def limited(self) -> bool:
        """Whether there is any cap."""
        return self.caps != Caps()

    @contextmanager
    def sharing(self, ledger: Ledger) -> Iterator[None]:
        """Count in a ledger that other processes use, too, while the block lasts; its sum is kept."""
        self._ledger, self._patience = ledger, SHARED_PAUSE_S
        try:
            yield
        finally:
            self._ledger, self._patience = _Own(), None
            with suppress(UserError):
                self._ledger.settle("", "", FREE, ledger.spent())

    def purse(self, entrant: str, tariff: Tariff) -> Purse:
        """Return the means of an entrant; UserError if there is a cap and its price is unknown."""
        if self.limited and not tariff.known:
            prices = f'[prices."{tariff.model}"]'
            way = (
                f"add {prices} to the tournament file, with input and output in US dollars per million tokens or with "
                "free = true, or leave out the budget"
                if self._file
                else f"leave out --budget, or let it play in a tournament, whose file can state prices ({prices})"
            )
            raise UserError(f"the run has a budget, but the price of {entrant!r} is unknown: {way}.")
        self._tariffs[entrant] = tariff
        return Purse(self, entrant, tariff)

    def price(self, entrant: str, spent: Decimal | None, usage: Usage | None = None) -> Decimal:
        """What an attempt of a log has cost; where no amount is known, its usage is priced as now."""
        if spent is None and usage is not None and entrant in self._tariffs:
            spent = self._tariffs[entrant].cost(usage)
        return spent or FREE

    def know(self, game: str, spent: Mapping[str, Decimal]) -> None:
        """Take from a game's log what each entrant has spent in it."""
        self._ledger.know(game, spent)

    async def reserve(self, entrant: str, game: str, call: Decimal) -> Reached | None:
        """Set aside what a call costs at worst, waiting for other calls to settle where that can help.

        Returns None when it is done, or the cap that stands against it.
        """
        while True:
            done = self._ledger.reserve(entrant, game, call, self.caps)
            if isinstance(done, Reached):
                self.reached.setdefault((done.kind, done.name), done)
                return done
            if done:
                return None
            with anyio.move_on_after(self._patience):  # nobody tells of what another process settles
                await self._settled.wait()

    def settle(self, entrant: str, game: str, reserved: Decimal, spent: Decimal) -> None:
        """Replace a reservation by what was spent, and let those who wait look again."""
        self._ledger.settle(entrant, game, reserved, spent)
        self._settled.set()
        self._settled = asyncio.Event()

    def closed(self, game: str, entrants: Iterable[str]) -> bool:
        """Whether a cap has been reached that ends a game of these entrants."""
        return any(scope in self.reached for name in entrants for scope in scopes(name, game))


@dataclass(frozen=True)
class Paid:
    """A call that was made. ``cost`` is None if unknown.

    ``uncertain`` is what it counts for at worst where the server did not say what it used; ``faults`` the same for each
    try that failed before. None where nothing is uncertain or no price is known.
    """

    exchange: Exchange
    cost: Decimal | None
    uncertain: Decimal | None
    faults: tuple[Decimal | None, ...]


class Purse:
    """The means of one entrant. Learns from answers how many tokens its texts make, and at what tier it is served."""

    def __init__(self, budget: Budget, entrant: str, tariff: Tariff) -> None:
        self.tariff = tariff
        self._budget, self._entrant = budget, entrant
        self._ratio = 1.0
        self._tiers: dict[str, str] = {}

    async def pay(self, game: str, request: Request, send: Callable[[Allow], Awaitable[Exchange]]) -> Paid | Reached:
        """Make a call if no cap stands against it; ``send`` asks before it tries again.

        A call that breaks off counts at worst: the server may have worked on it.
        """
        reserved = settled = FREE

        async def reserve() -> Reached | None:
            nonlocal reserved
            if not self._budget.limited:
                return None
            worst = self._estimate(request, self._ratio, self._tiers) or FREE
            reached = await self._budget.reserve(self._entrant, game, worst)
            reserved = FREE if reached is not None else worst
            return reached

        async def allow(before: ProviderError) -> ProviderError | None:
            """Count a try that may be charged for at worst; the next one needs money like a call of its own.

            Nothing is held while it waits for that: two calls could wait for each other.
            """
            nonlocal reserved, settled
            worst = self._of_failure(request, before)
            if worst is None:
                return None
            self._budget.settle(self._entrant, game, reserved, worst)
            reserved, settled = FREE, settled + worst
            reached = await reserve()
            return ProviderError(BUDGET_CODE, str(reached)) if reached is not None else None

        reached = await reserve()
        if reached is not None:
            return reached
        spent = None
        try:
            paid = self._bill(request, await send(allow))
            spent = sum((part or FREE for part in (paid.cost, paid.uncertain, *paid.faults)), FREE) - settled
        except asyncio.CancelledError:
            self._budget.broken_off[self._entrant] = settled + (self._estimate(request) or FREE) or None
            raise
        finally:
            self._budget.settle(self._entrant, game, reserved, reserved if spent is None else spent)
        return paid

    def _bill(self, request: Request, exchange: Exchange) -> Paid:
        reply, cost, uncertain = exchange.reply, None, None
        if reply is None:
            uncertain = self._of_failure(request, exchange.error)
        elif reply.usage is None:
            uncertain = self._estimate(request)
        else:
            self._tiers = stated_tiers(exchange.answer) if self.tariff.source == "table" else {}
            cost = self.tariff.cost(reply.usage, reply.model, self._tiers)
            self._learn(request, reply.usage)
        return Paid(exchange, cost, uncertain, tuple(self._of_failure(request, one.error) for one in exchange.faults))

    def _of_failure(self, request: Request, error: ProviderError | None) -> Decimal | None:
        return self._estimate(request) if error is not None and error.maybe_billed else None

    def _estimate(self, request: Request, ratio: float = 1.0, tiers: Mapping[str, str] | None = None) -> Decimal | None:
        """What a request costs at worst, None for nothing.

        What was learnt goes into reservations only: what is logged is the same whatever other games went before.
        """
        tokens = math.ceil(estimated(_characters(request)) * ratio)
        return self.tariff.at_most(tokens, request.max_output_tokens, tiers) or None

    def _learn(self, request: Request, usage: Usage) -> None:
        """Estimate more from now on if the server counted more tokens than were estimated."""
        if self._budget.limited:
            counted = usage.uncached_input + usage.cache_read + usage.cache_write
            self._ratio = max(self._ratio, counted / max(1, estimated(_characters(request))))


def dollars(sum_of_money: Decimal) -> str:
    """Return an amount for people: two or four decimals, or the first two digits of a very small one."""
    if 0 < sum_of_money < Decimal("0.0001"):
        return f"{sum_of_money:.{1 - sum_of_money.adjusted()}f}"
    return f"{sum_of_money:.4f}".removesuffix("00")


def scopes(entrant: str, game: str) -> tuple[Scope, Scope, Scope]:
    """Everything a call is counted under: the run, its entrant, its game."""
    return _RUN, ("entrant", entrant), ("game", game)


def _characters(request: Request) -> int:
    """The characters of everything a request holds."""
    return prompt_characters(request) + tool_characters(request)
