"""What became of one request: heard, lost on the way, or never sent; and what that means. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from harness.providers.errors import error_of, parse_retry_after
from harness.providers.rejected import rejected_call
from harness.providers.types import ProviderError

TIMEOUT = "timeout"
_NOT_ASKED = (
    "ConnectError", "ConnectTimeout", "PoolTimeout", "ProxyError", "UnsupportedProtocol", "LocalProtocolError",
    "TooManyRedirects",
)  # fmt: skip
"""Errors before any server could take up a request; after all others it may work on, unheard."""


@dataclass(frozen=True)
class Heard:
    """A whole answer, without the key. Of its ``headers`` those that decide anything (``deciding``)."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Lost:
    """No whole answer: ``timeout``, or the name of the error that ended the connection."""

    reason: str


@dataclass(frozen=True)
class Refused:
    """Not sent at all, because of what the server said before."""

    error: ProviderError


Outcome: TypeAlias = Heard | Lost | Refused


def deciding(headers: Mapping[str, str]) -> dict[str, str]:
    """Return what of an answer's headers decides about another try; times as seconds, for a date means less later."""
    kept = {}
    seconds = parse_retry_after(headers)
    if seconds is not None:
        kept["retry-after"] = repr(seconds)
    if headers.get("x-should-retry") in ("true", "false"):
        kept["x-should-retry"] = headers["x-should-retry"]
    return kept


def answer_of(outcome: Outcome, api: str, address: str, deadline: float) -> bytes | ProviderError:
    """Return the body in which an answer is to be looked for, or the error behind an outcome.

    ``deadline`` is what the request had, in seconds.
    """
    if isinstance(outcome, Refused):
        return outcome.error
    if isinstance(outcome, Lost):
        if outcome.reason == TIMEOUT:
            return ProviderError("timeout", f"no answer within {deadline:g} seconds", retryable=True)
        lost = f"{address} does not answer ({outcome.reason})"
        asked = outcome.reason not in _NOT_ASKED
        return ProviderError("connection", lost, retryable=True, maybe_billed=asked)
    if outcome.status < 400:
        return outcome.body
    told = decoded(outcome.body)
    if outcome.status < 500 and rejected_call(told) is not None:  # its verdict on what the model wrote
        return outcome.body
    return error_of(outcome.status, told, outcome.headers, api)


def decoded(raw: bytes) -> Any:
    """Return the JSON of a body, or its text if it is none."""
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw.decode("utf-8", "replace")
