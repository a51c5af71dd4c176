"""What a run may spend: the worst case of a call is reserved before it and settled after it.

A call that would pass a cap is not made. A call that only other calls' reservations stand against waits for them: a
reservation belongs to a call under way, so waiting ends. All amounts are US dollars as decimals.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from harness.errors import UserError
from harness.providers.estimate import prompt_characters, tool_characters
from harness.providers.estimate import tokens as estimated
from harness.providers.prices import FREE, Tariff, stated_tiers
from harness.providers.types import Exchange, ProviderError, Request, Usage

BUDGET_CODE = "budget"
"""The code of an attempt (class ``provider``) that was not made because a budget is reached."""
_MAYBE_BILLED = ("timeout", "bad_gateway")
"""Errors of tries that a server may have worked on, and may charge for, all the same."""

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


class Budget:
    """The money of one run. Belongs to one event loop at a time."""

    def __init__(self, caps: Caps | None = None) -> None:
        self.caps = caps or Caps()
        self.reached: dict[Scope, Reached] = {}
        self._spent: defaultdict[Scope, Decimal] = defaultdict(Decimal)
        self._reserved: defaultdict[Scope, Decimal] = defaultdict(Decimal)
        self._tariffs: dict[str, Tariff] = {}
        self._settled = asyncio.Event()
        self.broken_off: dict[str, Decimal | None] = {}  # by entrant, what its cancelled call cost at worst, if known

    @property
    def spent(self) -> Decimal:
        """What the run has spent so far, what is unknown counted at worst."""
        return self._spent[_RUN]

    @property
    def limited(self) -> bool:
        """Whether there is any cap."""
        return self.caps != Caps()

    def purse(self, entrant: str, tariff: Tariff) -> Purse:
        """Return the means of an entrant; UserError if there is a cap and its price is unknown."""
        if self.limited and not tariff.known:
            raise UserError(
                f'the run has a budget, but the price of {entrant!r} is unknown: add [prices."{tariff.model}"] to the '
                "tournament file, with input and output in US dollars per million tokens or with free = true, or leave "
                "out the budget."
            )
        self._tariffs[entrant] = tariff
        return Purse(self, entrant, tariff)

    def count(self, entrant: str, game: str, spent: Decimal | None, usage: Usage | None = None) -> None:
        """Count what was spent before this process; where no amount is known, the usage is priced as now."""
        if spent is None and usage is not None and entrant in self._tariffs:
            spent = self._tariffs[entrant].cost(usage)
        for scope in _scopes(entrant, game):
            self._spent[scope] += spent or FREE

    async def reserve(self, entrant: str, game: str, call: Decimal) -> Reached | None:
        """Set aside what a call costs at worst, waiting for other calls to settle where that can help.

        Returns None when it is done, or the cap that stands against it.
        """
        while True:
            held = False
            for scope, cap in self._capped(entrant, game):
                if self._spent[scope] + call > cap:
                    reached = Reached(*scope, cap, self._spent[scope], call)
                    self.reached.setdefault(scope, reached)
                    return reached
                held = held or self._spent[scope] + self._reserved[scope] + call > cap
            if not held:
                for scope in _scopes(entrant, game):
                    self._reserved[scope] += call
                return None
            await self._settled.wait()

    def settle(self, entrant: str, game: str, reserved: Decimal, spent: Decimal) -> None:
        """Replace a reservation by what was spent, and let those who wait look again."""
        for scope in _scopes(entrant, game):
            self._reserved[scope] -= reserved
            self._spent[scope] += spent
        self._settled.set()
        self._settled = asyncio.Event()

    def closed(self, game: str, entrants: Iterable[str]) -> bool:
        """Whether a cap has been reached that ends a game of these entrants."""
        return any(scope in self.reached for name in entrants for scope in _scopes(name, game))

    def _capped(self, entrant: str, game: str) -> list[tuple[Scope, Decimal]]:
        caps = (self.caps.run, self.caps.entrant, self.caps.game)
        return [(scope, cap) for scope, cap in zip(_scopes(entrant, game), caps, strict=True) if cap is not None]


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

    async def pay(self, game: str, request: Request, send: Callable[[], Awaitable[Exchange]]) -> Paid | Reached:
        """Make a call if no cap stands against it.

        A call that breaks off counts at worst: the server may have worked on it.
        """
        reserved = FREE
        if self._budget.limited:
            reserved = self._estimate(request, self._ratio, self._tiers) or FREE
            reached = await self._budget.reserve(self._entrant, game, reserved)
            if reached is not None:
                return reached
        spent = reserved
        try:
            paid = self._bill(request, await send())
            spent = sum((part or FREE for part in (paid.cost, paid.uncertain, *paid.faults)), FREE)
        except asyncio.CancelledError:
            self._budget.broken_off[self._entrant] = self._estimate(request)
            raise
        finally:
            self._budget.settle(self._entrant, game, reserved, spent)
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
        return self._estimate(request) if error is not None and error.kind in _MAYBE_BILLED else None

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


def _scopes(entrant: str, game: str) -> tuple[Scope, Scope, Scope]:
    return _RUN, ("entrant", entrant), ("game", game)


def _characters(request: Request) -> int:
    """The characters of everything a request holds."""
    return prompt_characters(request) + tool_characters(request)
