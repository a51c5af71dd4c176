"""The gates a request passes before it leaves: pauses the server asked for, limits per minute, a free place.

All time here is the event loop's, in seconds. Everything belongs to one event loop.
"""

from __future__ import annotations

import asyncio
import copy
import math
import random
from collections.abc import Callable
from dataclasses import dataclass

import anyio
from aiolimiter import AsyncLimiter

from harness.providers.estimate import tokens
from harness.providers.profiles import Profile
from harness.providers.types import ProviderError

MINUTE_S = 60.0
SPREAD_S = 0.25
"""After a pause those that waited leave spread over this time, not all in the same moment."""
GROWTH = 0.25
"""So many places come back for each round of answers."""
STRIKES = 2
"""So many signs of overload without a success between them cut the places by half."""


@dataclass(frozen=True)
class Pause:
    """How long nothing leaves to a model, in seconds from now, and the kind of trouble that began it."""

    model: str
    seconds: float
    reason: str


@dataclass(frozen=True)
class GateState:
    """The gates of one endpoint now: ``busy`` of its ``places`` are taken; ``full`` there are without overload."""

    address: str
    busy: int
    places: int
    full: int
    pauses: tuple[Pause, ...]


class Places:
    """How many requests may be under way at one server.

    Halved when the server is overloaded or a limit is met, and grown little by little with the answers after that, up
    to the full number (additive increase, multiplicative decrease).
    """

    def __init__(self, full: int) -> None:
        self.full = full
        self._size = float(full)
        self._limiter = anyio.CapacityLimiter(full)
        self._strikes = 0
        self.cuts = 0

    @property
    def size(self) -> int:
        """How many places there are now."""
        return int(self._size)

    @property
    def busy(self) -> int:
        """How many of them are taken."""
        return self._limiter.borrowed_tokens

    async def take(self) -> None:
        """Wait for a free place and take it."""
        try:
            self._limiter.acquire_nowait()
        except anyio.WouldBlock:
            await self._limiter.acquire()

    def give(self) -> None:
        """Give the place back; in the task that took it."""
        self._limiter.release()

    def strained(self, cuts: int, at_once: bool = False) -> None:
        """A request that left after so many ``cuts`` met an overloaded server.

        ``at_once`` cuts without waiting for a second sign.
        """
        if cuts < self.cuts:  # says nothing about the places there are since
            return
        self._strikes += 1
        if self._strikes >= STRIKES or at_once:
            self._strikes = 0
            self.cuts += 1
            self._resize(self._size / 2)

    def eased(self) -> None:
        """A request was answered."""
        self._strikes = 0
        if self._size < self.full:
            self._resize(self._size + GROWTH / self._size)

    def _resize(self, size: float) -> None:
        self._size = min(max(size, 1.0), float(self.full))
        self._limiter.total_tokens = self.size


class Lane:
    """The way of one model to its server: the pause asked of it and its limits per minute."""

    def __init__(self, places: Places, requests: int | None, tokens: int | None) -> None:
        """Share the places of the server; the limits are per minute, None for none."""
        self._places = places
        self._requests = AsyncLimiter(requests, MINUTE_S) if requests is not None else None
        self._tokens = AsyncLimiter(tokens, MINUTE_S) if tokens is not None else None
        self._not_before = -math.inf
        self._clock: Callable[[], float] | None = None
        self._reason: ProviderError | None = None

    def pause(self, seconds: float, reason: ProviderError) -> None:
        """Let nothing leave for that long: one request that was told so tells all that wait."""
        clock = asyncio.get_running_loop().time
        until = clock() + seconds
        if until > self._not_before:
            self._not_before, self._reason, self._clock = until, reason, clock

    def paused(self) -> tuple[float, str] | None:
        """Return how many seconds a pause has to go and the kind of trouble behind it, None if there is none.

        May be asked by another thread than the event loop's.
        """
        clock, reason, until = self._clock, self._reason, self._not_before
        if clock is None or reason is None or until <= clock():
            return None
        return until - clock(), reason.kind

    async def enter(self, tokens: int, patience: float) -> None:
        """Wait until a request of so many tokens may leave, and take a place for it.

        Raises a copy of the error that began the pause if the pause has longer to go than ``patience`` seconds.
        """
        await self._pass_pause(patience)
        if self._requests is not None:
            await self._requests.acquire()
        if self._tokens is not None:
            await self._tokens.acquire(min(tokens, self._tokens.max_rate))
        while True:
            await self._pass_pause(patience)
            await self._places.take()
            if self._left() <= 0:
                return
            self._places.give()  # a pause began while this one waited; others need not wait for it

    def leave(self) -> None:
        """Give the place back."""
        self._places.give()

    def _left(self) -> float:
        return self._not_before - asyncio.get_running_loop().time()

    async def _pass_pause(self, patience: float) -> None:
        while (left := self._left()) > 0:
            if left > patience:
                assert self._reason is not None
                error = copy.copy(self._reason)
                error.retry_after = left
                raise error
            await asyncio.sleep(left + random.uniform(0.0, SPREAD_S))


class Gates:
    """All gates of one endpoint. Agents of one model that state the same limits share a lane."""

    def __init__(self, places: int) -> None:
        self.places = Places(places)
        self._lanes: dict[tuple[str, int | None, int | None], Lane] = {}

    def lane(self, profile: Profile) -> Lane:
        """Return the lane of a model."""
        key = (profile.model, profile.rpm, profile.tpm)
        if key not in self._lanes:
            self._lanes[key] = Lane(self.places, profile.rpm, profile.tpm)
        return self._lanes[key]

    def strained(self, profile: Profile, error: ProviderError, cuts: int) -> None:
        """A request that left after so many cuts failed; if it was for the load, those that wait are held back."""
        if error.kind not in ("rate_limit", "overloaded"):
            return
        self.places.strained(cuts, at_once=error.kind == "rate_limit")  # a limit is no matter of luck
        if error.retry_after is not None:
            self.lane(profile).pause(error.retry_after, error)

    def state(self, address: str) -> GateState:
        """Return how the gates are now; may be asked by another thread."""
        pauses = [(key[0], lane.paused()) for key, lane in list(self._lanes.items())]
        told = tuple(Pause(model, *paused) for model, paused in pauses if paused is not None)
        return GateState(address, self.places.busy, self.places.size, self.places.full, told)


def estimated_tokens(request: bytes, max_output_tokens: int) -> int:
    """Return what a request is reckoned to use at most; servers, too, count the whole output that is allowed."""
    return tokens(len(request)) + max_output_tokens
