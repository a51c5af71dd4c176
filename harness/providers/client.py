"""The only place that sends. One client per endpoint, one retry layer, one wall-clock deadline per try.

The SDKs sign and send; they do not retry, and what comes back is read from the raw body. Nothing that leaves here holds
a key: errors are our own, and the key is taken out of every text of a server that repeats it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import anthropic
import anyio
import httpx2
import openai
from tenacity import AsyncRetrying, RetryCallState, stop_after_attempt, wait_exponential_jitter

from harness.canonical import canonical_json
from harness.providers.degrade import degraded, difference
from harness.providers.errors import error_of, short, unusable
from harness.providers.profiles import NO_KEY, Profile, read_key
from harness.providers.types import FATAL, Exchange, FailedTry, Json, ProviderError, Reply, Request
from harness.providers.wires import WIRES

CONNECT_S = 15.0
POOL_S = 600.0
BAD_GATEWAY_RETRIES = 2
_BACKOFF = wait_exponential_jitter(multiplier=0.5, max=120.0, jitter=0.25)
_MARGIN = wait_exponential_jitter(multiplier=0.0, max=0.25, jitter=0.25)
_LOGGERS = ("httpx2", "httpcore2", "openai", "anthropic")

Sdk = openai.AsyncOpenAI | anthropic.AsyncAnthropic
Wrap = Callable[[httpx2.AsyncBaseTransport], httpx2.AsyncBaseTransport]


class Endpoint:
    """One server and key, shared by all agents that play through it. Belongs to one event loop at a time."""

    def __init__(self, profile: Profile, wrap: Wrap | None = None) -> None:
        """Hold the profile's address and key; ``wrap`` makes what sends out of what would. UserError without a key."""
        self._wrap = wrap
        self._api = profile.api
        self._base_url = profile.base_url
        self._concurrency = profile.concurrency
        self._key = read_key(profile)
        self._official = profile.key_required
        self._sdk: Sdk | None = None
        self._limiter: anyio.CapacityLimiter | None = None
        self._degraded: dict[Profile, Profile] = {}
        self._fatal: dict[str, ProviderError] = {}

    def __repr__(self) -> str:
        """Return the address only."""
        return f"Endpoint({self._api}, {self._base_url})"

    async def send(self, req: Request, profile: Profile) -> Exchange:
        """Ask the model once, trying again where that can help. Never raises ProviderError."""
        call = _Call(self, req, profile)
        fatal = self._fatal.get(profile.model)
        if fatal is not None:
            return call.result(None, fatal)
        retrying = AsyncRetrying(
            retry=_again,
            wait=_wait,
            stop=stop_after_attempt(profile.retries + 1),
            before_sleep=call.failed,
            reraise=True,
        )
        try:
            reply: Reply = await retrying(call.once)
        except ProviderError as error:
            if error.kind in FATAL:
                self._fatal[profile.model] = error
            return call.result(None, error.with_traceback(None))
        return call.result(reply, None)

    def current(self, profile: Profile) -> Profile:
        """Return the profile without what the server is known to refuse."""
        while profile in self._degraded:
            profile = self._degraded[profile]
        return profile

    def give_up(self, profile: Profile, error: ProviderError) -> Profile | None:
        """Remember that the server refuses something; return what is left, None if the error is not about that."""
        less = degraded(profile, error)
        if less is None or less in self._degraded:  # a server that refuses both of two ways is not asked in a circle
            return None
        self._degraded[profile] = less
        return less

    async def post(self, body: Json, deadline: float) -> tuple[bytes, float, float]:
        """Send one body; return the raw answer and the seconds spent waiting for a place and for the answer."""
        if self._sdk is None or self._limiter is None:
            self._sdk, self._limiter = self._open(), anyio.CapacityLimiter(self._concurrency)
        asked = time.perf_counter()
        async with self._limiter:
            started = time.perf_counter()
            outcome = await self._post(self._sdk, WIRES[self._api].path, body, deadline)
            ended = time.perf_counter()
        if isinstance(outcome, ProviderError):
            raise outcome
        return outcome, started - asked, ended - started

    async def _post(self, sdk: Sdk, path: str, body: Json, deadline: float) -> bytes | ProviderError:
        """Return errors instead of raising them: one raised in a handler would keep the SDK's as its context."""
        try:
            async with asyncio.timeout(deadline):
                response = await sdk.post(path, cast_to=httpx2.Response, body=body)
                return self._redacted(response.content)
        except (TimeoutError, openai.APITimeoutError, anthropic.APITimeoutError):
            return ProviderError("timeout", f"no answer within {deadline:g} seconds", retryable=True)
        except (openai.APIStatusError, anthropic.APIStatusError) as error:
            content = self._redacted(error.response.content)
            told = _decoded(content)
            if _is_rejected_call(told):
                return content
            return error_of(error.status_code, told, error.response.headers, self._api)
        except (openai.APIConnectionError, anthropic.APIConnectionError) as error:
            reason = type(error.__cause__ or error).__name__
            return ProviderError("connection", f"{self._base_url} does not answer ({reason})", retryable=True)
        except (openai.OpenAIError, anthropic.AnthropicError, httpx2.HTTPError) as error:
            return ProviderError("connection", f"the request failed ({type(error).__name__})", retryable=True)

    def _redacted(self, content: bytes) -> bytes:
        """Return what a server sent without the key, should it repeat it."""
        return content if self._key == NO_KEY else content.replace(self._key.encode(), b"[key]")

    def read(self, raw: bytes) -> Reply:
        """Parse a raw answer; ProviderError if it is none."""
        body = _decoded(raw)
        if isinstance(body, str):
            raise unusable(f"the answer is not JSON: {short(body[:80])!r}")
        return WIRES[self._api].parse(body)

    def _open(self) -> Sdk:
        for name in _LOGGERS:  # at their lower levels they print addresses and whole requests
            logging.getLogger(name).setLevel(logging.WARNING)
        loopback = (urlsplit(self._base_url).hostname or "") in ("127.0.0.1", "localhost", "::1")
        limits = httpx2.Limits(max_connections=max(100, self._concurrency), max_keepalive_connections=100)
        transport = None
        if self._wrap is not None:
            transport = self._wrap(httpx2.AsyncHTTPTransport(limits=limits, trust_env=not loopback))
        http = httpx2.AsyncClient(
            transport=transport,
            timeout=httpx2.Timeout(POOL_S, connect=CONNECT_S),
            limits=limits,
            follow_redirects=True,
            trust_env=not loopback,  # a proxy cannot reach this machine's own servers
        )
        if self._api == "messages":
            return anthropic.AsyncAnthropic(api_key=self._key, base_url=self._base_url, max_retries=0, http_client=http)
        sdk = openai.AsyncOpenAI(api_key=self._key, base_url=self._base_url, max_retries=0, http_client=http)
        if not self._official:
            sdk.organization = sdk.project = None  # read from the environment, and no business of other servers
        return sdk

    async def close(self) -> None:
        """Close the connections; the next request opens them again."""
        sdk, self._sdk, self._limiter = self._sdk, None, None
        if sdk is not None:
            await sdk.close()


class _Call:
    """The tries of one question."""

    def __init__(self, endpoint: Endpoint, req: Request, profile: Profile) -> None:
        self.endpoint, self.req, self.profile = endpoint, req, profile
        self.faults: list[FailedTry] = []
        self.body: Json = self._build(endpoint.current(profile))
        self.answer: bytes | None = None
        self.sent = 0
        self.queued = self.latency = 0.0

    def _build(self, profile: Profile) -> Json:
        return WIRES[profile.api].request(self.req, profile)

    async def once(self) -> Reply:
        """One try; what the server does not take is left out at once and does not count as a try."""
        while True:
            current = self.endpoint.current(self.profile)
            self.body, self.answer = self._build(current), None
            started = time.perf_counter()
            try:
                self.sent += 1
                self.answer, queued, self.latency = await self.endpoint.post(self.body, current.deadline_s)
                self.queued += queued
                return self.endpoint.read(self.answer)
            except ProviderError as error:
                self.latency = time.perf_counter() - started
                less = self.endpoint.give_up(current, error)
                if less is None:
                    raise
                told = f"{error.message} (sent again with {difference(current, less)})"
                unsupported = ProviderError("unsupported", told, status=error.status, code=error.code)
                self.faults.append(FailedTry(unsupported, self.latency))

    def failed(self, state: RetryCallState) -> None:
        """Keep the error of a try that will be made again."""
        self.faults.append(FailedTry(_error(state), self.latency))

    def result(self, reply: Reply | None, error: ProviderError | None) -> Exchange:
        """Return what became of the question."""
        timing = {"queued": round(self.queued, 6), "latency": round(self.latency, 6)}
        sent = canonical_json(self.body).encode("ascii")
        return Exchange(reply, error, sent, self.answer, tuple(self.faults), self.sent, timing)


def _error(state: RetryCallState) -> ProviderError:
    error = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(error, ProviderError)
    return error


def _again(state: RetryCallState) -> bool:
    """Whether the outcome of a try calls for another one."""
    error = state.outcome.exception() if state.outcome is not None else None
    if not isinstance(error, ProviderError) or not error.retryable:
        return False
    if error.kind == "bad_gateway" and state.attempt_number > BAD_GATEWAY_RETRIES:
        return False
    return error.retry_after is None or error.retry_after <= _longest_wait(state)


def _longest_wait(state: RetryCallState) -> float:
    call = getattr(state.fn, "__self__", None)
    assert isinstance(call, _Call)
    return call.profile.max_wait_s


def _wait(state: RetryCallState) -> float:
    """Return the seconds to wait: what the server asks for and a little more, else longer each time."""
    asked = _error(state).retry_after
    return _BACKOFF(state) if asked is None else asked + _MARGIN(state)


def _decoded(raw: bytes) -> Any:
    """Return the JSON of a body, or its text if it is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw.decode("utf-8", "replace")


def _is_rejected_call(told: Any) -> bool:
    """Whether a refusal is the server's own verdict on the model's call (Groq), and so the model's answer."""
    error = told.get("error") if isinstance(told, dict) else None
    return isinstance(error, dict) and error.get("code") == "tool_use_failed"
