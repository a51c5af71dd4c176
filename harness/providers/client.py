"""Asking a model: one endpoint for each server and key, one retry layer, one answer or one error.

What the server refused is left out and remembered; what it will refuse again is not asked again. Every try passes
the gates of the endpoint, and goes to the network or, in a replay, to the tape.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tenacity import AsyncRetrying, RetryCallState, wait_exponential_jitter

from harness.providers.degrade import degraded, difference
from harness.providers.errors import short, unusable
from harness.providers.fixed import canonical_body
from harness.providers.gates import Gates, GateState, estimated_tokens
from harness.providers.outcomes import Outcome, Refused, answer_of, decoded
from harness.providers.profiles import Profile
from harness.providers.tape import Scope, Tape
from harness.providers.types import FATAL, Allow, ErrorKind, Exchange, FailedTry, Json, ProviderError, Reply, Request
from harness.providers.wires import WIRES

if TYPE_CHECKING:
    from harness.providers.network import Network, Wrap

BAD_GATEWAY_RETRIES = 2
EMBEDDED = "embedded"
"""What stands in messages and logs for the address of the embedded model, whose port changes from run to run."""
_BACKOFF = wait_exponential_jitter(multiplier=0.5, max=120.0, jitter=0.25)
_MARGIN = wait_exponential_jitter(multiplier=0.0, max=0.25, jitter=0.25)


class Endpoint:
    """One server and key, shared by all agents that play through it. Belongs to one event loop at a time."""

    def __init__(self, profile: Profile, wrap: Wrap | None = None, tape: Tape | None = None) -> None:
        """Read the key; UserError if it is missing. A replay needs none.

        ``wrap`` is given a transport that goes to the network and returns the one to use.
        """
        self.address = EMBEDDED if profile.name == "local" else profile.base_url
        self.tape = tape
        self.replaying = tape is not None and tape.replaying
        self._api = profile.api
        self._concurrency = profile.concurrency
        self._network = None if self.replaying else _network(profile, wrap)
        self._gates: Gates | None = None
        self.degraded: dict[Profile, Profile] = {}
        self._fatal: dict[str | None, ProviderError] = {}

    def __repr__(self) -> str:
        """Return the address only."""
        return f"Endpoint({self._api}, {self.address})"

    async def send(self, req: Request, profile: Profile, scope: Scope = (), allow: Allow | None = None) -> Exchange:
        """Ask the model once, trying again where that can help and ``allow`` lets it. Never raises ProviderError.

        ``scope`` is the call's name on the tape: no two calls of a run have the same, and a call without one is not
        recorded. A try that was not allowed is on the tape like any other, so that a replay need not ask. Raises
        TapeMiss if a tape is replayed that does not hold the call.
        """
        return await _Call(self, req, profile, scope, allow).run()

    def current(self, profile: Profile) -> Profile:
        """Return the profile without what the server is known to refuse."""
        return _less(profile, self.degraded)

    def stop(self, profile: Profile, error: ProviderError) -> None:
        """Ask no more of what an error shows to be in vain: without credit the whole server, else the model."""
        if error.kind in FATAL and not self.replaying:
            self._fatal.setdefault(None if error.kind == "quota" else profile.model, error)

    async def post(self, call: _Call, profile: Profile) -> Outcome:
        """Make one try, once the gates let it pass."""
        if self.replaying:
            assert self.tape is not None
            return self.tape.play(call.scope, call.tries, WIRES[profile.api].path, call.request)
        outcome = await self._passed(call, profile)
        if self.tape is not None and call.scope:
            without = _changes(call.profile, profile)
            self.tape.keep(call.scope, call.tries, WIRES[profile.api].path, call.request, without, outcome)
        return outcome

    async def _passed(self, call: _Call, profile: Profile) -> Outcome:
        assert self._network is not None
        if (stopped := self._stopped(profile)) is not None:
            return stopped
        if self._gates is None:
            self._gates = Gates(self._concurrency)
        lane = self._gates.lane(profile)
        clock = asyncio.get_running_loop().time
        asked = clock()
        if (forbidden := await call.forbidden()) is not None:
            return forbidden
        try:
            tokens = estimated_tokens(call.request, call.req.max_output_tokens) if profile.tpm is not None else 0
            await lane.enter(tokens, profile.max_wait_s)
        except ProviderError as error:
            return Refused(error.with_traceback(None))
        try:
            call.queued += clock() - asked
            call.cuts = self._gates.places.cuts
            if (stopped := self._stopped(profile)) is not None:  # meanwhile
                return stopped
            return await self._network.post(WIRES[profile.api].path, call.body, profile.deadline_s)
        finally:
            lane.leave()

    def _stopped(self, profile: Profile) -> Refused | None:
        error = self._fatal.get(None) or self._fatal.get(profile.model)
        return Refused(error) if error is not None else None

    def judged(self, profile: Profile, error: ProviderError | None, cuts: int) -> None:
        """Let the gates know how the server bore a request that left after so many cuts of its places."""
        if self._gates is None:
            return
        if error is None:
            self._gates.places.eased()
        else:
            self._gates.strained(profile, error, cuts)

    def hold(self, profile: Profile, seconds: float, reason: ProviderError) -> None:
        """Let nothing leave to a model for that long."""
        if self._gates is not None:
            self._gates.lane(profile).pause(seconds, reason)

    def gates(self) -> GateState | None:
        """Return how the gates are now, None before a request was made; may be asked by another thread."""
        gates = self._gates
        return gates.state(self.address) if gates is not None else None

    async def close(self) -> None:
        """Close the connections; the next request opens them again."""
        self._gates = None
        if self._network is not None:
            await self._network.close()


class _Call:
    """The tries of one question."""

    def __init__(self, endpoint: Endpoint, req: Request, profile: Profile, scope: Scope, allow: Allow | None) -> None:
        self.endpoint, self.req, self.profile, self.scope = endpoint, req, profile, scope
        self._allow = allow
        self._before: ProviderError | None = None
        self.faults: list[FailedTry] = []
        self.body: Json = {}
        self.request = b""
        self.answer: bytes | None = None
        self.tries = self.sent = self.cuts = 0
        self.queued = self.latency = 0.0
        self._built: Profile | None = None
        self._first: ProviderError | None = None
        self._degraded = endpoint.degraded
        if endpoint.replaying and endpoint.tape is not None:  # what other games had found out by then, the tape knows
            changes = endpoint.tape.variant(scope)
            start = replace(profile, **{name: value for name, value in changes.items() if name in vars(profile)})
            self._degraded = {profile: start} if start != profile else {}

    async def run(self) -> Exchange:
        """Make the tries and return what became of the question.

        The first is made outside of the retry layer: nearly all calls succeed at once and never need it set up.
        """
        try:
            return self._result(await self._once(), None)
        except ProviderError as error:
            self._first = error
        retrying = AsyncRetrying(
            retry=self._again,
            wait=self._wait,
            stop=self._enough,
            before_sleep=self._failed,
            reraise=True,
        )
        try:
            return self._result(await retrying(self._next), None)
        except ProviderError as error:
            self.endpoint.stop(self.profile, error)
            return self._result(None, error.with_traceback(None))

    async def _next(self) -> Reply:
        """What the retry layer tries: first what the first try came to, then once more each time."""
        first, self._first = self._first, None
        if first is not None:
            raise first
        return await self._once()

    async def _once(self) -> Reply:
        """One try; what the server does not take is left out at once and does not count as a try."""
        clock = asyncio.get_running_loop().time
        while True:
            current = _less(self.profile, self._degraded)
            self._build(current)
            self.answer = None
            started, queued = clock(), self.queued
            outcome = await self.endpoint.post(self, current)
            self.latency = clock() - started - (self.queued - queued)
            self.tries += 1
            error: ProviderError | None = None
            try:
                reply = self._understood(outcome, current)
            except ProviderError as raised:
                error = raised
            if not isinstance(outcome, Refused):
                self.sent += 1
                self.endpoint.judged(current, error, self.cuts)
            if error is None:
                return reply
            less = self._give_up(current, error)
            if less is None:
                raise error
            told = f"{error.message} (sent again with {difference(current, less)})"
            unsupported = ProviderError("unsupported", told, status=error.status, code=error.code)
            self.faults.append(FailedTry(unsupported, self.latency))

    async def forbidden(self) -> Refused | None:
        """Return what forbids to send again after a try that failed, None if nothing does or this is the first."""
        before, self._before = self._before, None
        error = await self._allow(before) if before is not None and self._allow is not None else None
        return Refused(error) if error is not None else None

    def _understood(self, outcome: Outcome, profile: Profile) -> Reply:
        """Read what came back; ProviderError if it is no answer."""
        spoken = profile.api if profile.key_required else "chat"  # a provider's own habits are not those of its copies
        answer = answer_of(outcome, spoken, self.endpoint.address, profile.deadline_s)
        if isinstance(answer, ProviderError):
            raise answer
        self.answer = answer
        body = decoded(answer)
        if isinstance(body, str):
            raise unusable(f"the answer is not JSON: {short(body[:80])!r}")
        return WIRES[profile.api].parse(body)

    def _build(self, profile: Profile) -> None:
        if profile != self._built:
            self.body = WIRES[profile.api].request(self.req, profile)
            self.request = canonical_body(self.body)
            self._built = profile

    def _give_up(self, profile: Profile, error: ProviderError) -> Profile | None:
        """Remember that the server refuses something; return what is left, None if the error is not about that."""
        less = degraded(profile, error)
        if less is None or less in self._degraded:  # a server that refuses both of two ways is not asked in a circle
            return None
        self._degraded[profile] = less
        return less

    def _again(self, state: RetryCallState) -> bool:
        """Whether the outcome of a try calls for another one."""
        error = state.outcome.exception() if state.outcome is not None else None
        if not isinstance(error, ProviderError) or not error.retryable:
            return False
        if error.kind == "bad_gateway" and self._failures("bad_gateway") >= BAD_GATEWAY_RETRIES:
            return False
        return error.retry_after is None or error.retry_after <= self.profile.max_wait_s

    def _enough(self, state: RetryCallState) -> bool:
        """Whether there were tries enough; those that came too soon for the server's limits count half."""
        return state.attempt_number - self._failures("rate_limit") / 2 > self.profile.retries

    def _failures(self, kind: ErrorKind) -> int:
        """How many tries before the last one failed so."""
        return sum(fault.error.kind == kind for fault in self.faults)

    def _wait(self, state: RetryCallState) -> float:
        """Return the seconds to wait: what the server asks for and a little more, else longer each time."""
        if self.endpoint.replaying:
            return 0.0
        asked = _error(state).retry_after
        return _BACKOFF(state) if asked is None else asked + _MARGIN(state)

    def _failed(self, state: RetryCallState) -> None:
        """Keep the error of a try that will be made again."""
        error = self._before = _error(state)
        self.faults.append(FailedTry(error, self.latency))
        if error.kind == "rate_limit" and error.retry_after is None and state.next_action is not None:
            self.endpoint.hold(self.profile, state.next_action.sleep, error)

    def _result(self, reply: Reply | None, error: ProviderError | None) -> Exchange:
        timing = {"queued": round(self.queued, 6), "latency": round(self.latency, 6)}
        return Exchange(reply, error, self.request, self.answer, tuple(self.faults), self.sent, timing)


def _network(profile: Profile, wrap: Wrap | None) -> Network:
    from harness.providers.network import Network  # with both SDKs, which take a second to import

    return Network(profile, wrap)


def _less(profile: Profile, degraded: Mapping[Profile, Profile]) -> Profile:
    while profile in degraded:
        profile = degraded[profile]
    return profile


def _changes(asked: Profile, sent: Profile) -> Mapping[str, Any]:
    """Return the fields in which the profile that was sent differs from the one asked for."""
    return {name: value for name, value in vars(sent).items() if getattr(asked, name) != value}


def _error(state: RetryCallState) -> ProviderError:
    error = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(error, ProviderError)
    return error
