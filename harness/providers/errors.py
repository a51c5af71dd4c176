"""From a server's refusal to our own error: what kind of trouble it is and whether trying again can help. Pure."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from harness.providers.types import ErrorKind, Json, ProviderError

MESSAGE_LIMIT = 400
_QUOTA = (
    "insufficient_quota",
    "enforced_spend_limit_reached",
    "contract_spend_limit_reached",
    "payment_required",
)
_QUOTA_BY_NAME = (*_QUOTA, "billing")
"""What tells a spent account as a code or a type, whatever else is said."""
_QUOTA_UNLESS_A_TIME_IS_NAMED = ("billing", "credit balance")
"""The same in a message: Gemini says "check your plan and billing details", and when to come back, at its limits per
minute as well."""
_STATUS = re.compile(r"[45][0-9][0-9]")
_TIME = re.compile(r"(?:retry|try again) in (?:(\d+)m)?(\d+(?:\.\d+)?)(ms|s)\b", re.IGNORECASE)
_CONTEXT = (
    "context_length_exceeded",
    "context length",
    "context size",
    "context window",
    "prompt is too long",
    "exceed_context_size",
    "maximum context",
)
_BY_STATUS: Mapping[int, tuple[ErrorKind, bool]] = {
    400: ("bad_request", False),
    401: ("authentication", False),
    402: ("quota", False),
    403: ("authentication", False),
    404: ("not_found", False),
    408: ("timeout", True),
    409: ("server_error", True),
    413: ("context", False),
    429: ("rate_limit", True),
    503: ("overloaded", True),
    529: ("overloaded", True),
}
_BY_TYPE: Mapping[str, int] = {
    "overloaded_error": 529,
    "slow_down": 503,
    "api_error": 500,
    "server_error": 500,
    "timeout_error": 408,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "ramp_limit_exceeded": 429,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "billing_error": 402,
    "request_too_large": 413,
    "invalid_request_error": 400,
}


def error_of(status: int, body: Any, headers: Mapping[str, str], api: str) -> ProviderError:
    """Return the error behind an HTTP status of 400 or more. ``body`` is the decoded JSON or a text."""
    error = _error_of(status, body, headers)
    if status == 429 and api == "messages" and error.retry_after is None and not is_ramp_limit(error):
        error.kind, error.retryable = "quota", False  # a 429 of Anthropic that names no time is a spending limit
    return error


def is_ramp_limit(error: ProviderError) -> bool:
    """Whether a server says that the traffic grew too fast: it wants fewer requests at a time."""
    return "ramp_limit" in f"{error.code} {error.message}".lower()


def _error_of(status: int, body: Any, headers: Mapping[str, str]) -> ProviderError:
    if isinstance(body, list) and body:  # Gemini
        body = body[0]
    words, message = _told(body)
    kind, retryable = _BY_STATUS.get(status, ("server_error", True) if status >= 500 else ("bad_request", False))
    retry_after = parse_retry_after(headers)
    if retry_after is None and status in (429, 503):
        retry_after = _time_named(body)
    if status in (400, 402, 403, 429) and _is_quota(words, message, retry_after is not None):
        kind, retryable = "quota", False
    elif status in (400, 422) and _holds(" ".join((*words, message)), _CONTEXT):
        kind = "context"
    if kind != "quota" and headers.get("x-should-retry") in ("true", "false"):
        retryable = headers["x-should-retry"] == "true"
    return ProviderError(
        kind,
        f"HTTP {status}: {message}" if message else f"HTTP {status}",
        status=status,
        code=words[0] if words else None,
        retryable=retryable,
        retry_after=retry_after,
    )


def error_in_body(body: Json) -> ProviderError:
    """Return the error told in the body of an answer whose status was 200."""
    words, message = _told(body)
    error = body.get("error")
    status = _status(error.get("code")) if isinstance(error, dict) else None
    if status is None:
        status = next((_BY_TYPE[word] for word in words if word in _BY_TYPE), None)
    if status is None and _is_quota(words, message, False):
        status = 402
    if status is None:
        return unusable(f"an error instead of an answer: {message}")
    found = _error_of(status, body, {})
    found.message = f"told inside a 200: {message}"
    return found


def unusable(message: str) -> ProviderError:
    """Return the error for an answer with status 200 that is none."""
    return ProviderError("bad_gateway", message, status=200, retryable=True)


def parse_retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds a server asks to wait, None if it does not say.

    ``now`` is the present time in seconds since 1970, needed where the server names a date.
    """
    for name, per_second in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / per_second
        except (KeyError, ValueError):
            continue
        if not math.isnan(seconds):
            return max(0.0, seconds)
    try:
        date = parsedate_to_datetime(headers["retry-after"])
        return max(0.0, date.timestamp() - (time.time() if now is None else now))
    except (KeyError, ValueError, OverflowError):
        return None


def _is_quota(words: tuple[str, ...], message: str, time_is_named: bool) -> bool:
    telling = _QUOTA if time_is_named else (*_QUOTA, *_QUOTA_UNLESS_A_TIME_IS_NAMED)
    return _holds(" ".join(words), _QUOTA_BY_NAME) or _holds(message, telling)


def _holds(text: str, parts: tuple[str, ...]) -> bool:
    text = text.lower()
    return any(part in text for part in parts)


def _time_named(body: Any) -> float | None:
    """Return the seconds after which to come back that stand in the text of a refusal, None if it names none."""
    error = body.get("error") if isinstance(body, dict) else None
    found = _TIME.search(str(error.get("message"))) if isinstance(error, dict) else None
    if found is None:
        return None
    minutes, number, unit = found.groups()
    return 60.0 * float(minutes or 0) + float(number) / (1000.0 if unit.lower() == "ms" else 1.0)


def _told(body: Any) -> tuple[tuple[str, ...], str]:
    """Return the words that name an error, the most telling first, and its message, wherever they stand in a body.

    A code may hide the word that counts: gateways put the status or a word of their own there, the provider's own word
    stands in the type.
    """
    if not isinstance(body, dict):
        return (), short(str(body or ""))
    error = body.get("error", body)
    if not isinstance(error, dict):
        return (), short(str(error))
    details = error.get("details")
    metadata = error.get("metadata")
    named = (
        details.get("error_code") if isinstance(details, dict) else None,
        error.get("code"),
        error.get("type"),
    )
    words = tuple(word for word in named if isinstance(word, str) and word and _status(word) is None)
    message = str(error.get("message") or body.get("detail") or "")
    if isinstance(metadata, dict) and metadata.get("raw"):
        message = f"{message} ({metadata['raw']})"
    return words, short(message)


def _status(code: Any) -> int | None:
    """Return the HTTP status that a code is, be it a number or a text; None for any other code."""
    if isinstance(code, str):
        return int(code) if _STATUS.fullmatch(code) else None
    return code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else None


def short(text: str) -> str:
    """Return a text of a server as one line of bounded length, without control characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * MESSAGE_LIMIT]).split())
    return line if len(line) <= MESSAGE_LIMIT else line[: MESSAGE_LIMIT - 1] + "…"
