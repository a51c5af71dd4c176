"""What passes between an agent and a server of a language model, in a form that no provider owns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from harness.canonical import canonical_json

OutputMode = Literal["tools", "json_schema", "json_object", "text"]
"""How an answer is asked for: as a tool call, or as a JSON object that the server holds to a schema (``json_schema``),
holds to being an object (``json_object``), or leaves to the model (``text``)."""
AnswerForm = Literal["call", "arguments"]
Stop = Literal["end", "length", "refusal", "bad_call", "other"]
Json = dict[str, Any]


@dataclass(frozen=True)
class ToolSpec:
    """A tool a model may call; ``parameters`` is the JSON schema of its arguments, an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]

    def __hash__(self) -> int:
        """Return a hash: schemas have none, and the name and description tell nearly all tools apart."""
        return hash((self.name, self.description))

    @cached_property
    def characters(self) -> int:
        """The length of the whole tool as JSON, found once: tools stay the same from turn to turn."""
        return len(canonical_json([self.name, self.description, self.parameters]))


@dataclass(frozen=True)
class Request:
    """One question to a model.

    ``messages`` are (role, text) with the roles ``user`` and ``assistant``. In every output mode but ``tools`` the
    answer is one JSON object: ``{"tool", "arguments"}``, or with ``answer_form`` ``arguments`` the bare arguments of
    the only tool. ``seed`` is sent only to servers whose profile says they take one. ``static_prefix`` says that the
    system text and the tools come again with the next question, so that caching them pays.
    """

    system: str
    messages: tuple[tuple[str, str], ...]
    tools: tuple[ToolSpec, ...]
    max_output_tokens: int
    output_mode: OutputMode = "tools"
    answer_form: AnswerForm = "call"
    seed: int | None = None
    static_prefix: bool = True


@dataclass(frozen=True)
class RawCall:
    """A tool call as it arrived: arguments as a JSON text, an object, or anything else a server sends."""

    name: str
    raw: Any


@dataclass(frozen=True)
class Usage:
    """Tokens. The three kinds of input do not overlap; ``output`` includes ``reasoning``."""

    uncached_input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0

    def __add__(self, other: Usage) -> Usage:
        """Return the sum, kind by kind."""
        return Usage(**{name: value + getattr(other, name) for name, value in vars(self).items()})


MOST_TOKENS: Final = 10**9
"""Far more than any model takes at once: a number beyond it counts something else, or nothing."""


def token_count(value: Any) -> int:
    """Return a number of tokens as a server reported it, 0 for anything that is none."""
    if isinstance(value, float) and value.is_integer():  # some write every number so
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_TOKENS else 0


def tell_usage(*counts: Any) -> bool:
    """Whether the counts of a server, None for one left out, tell what a call used.

    One of them has to be a number of tokens, and none of them something else: such a call was not free.
    """
    return any(map(token_count, counts)) and all(count is None or count == 0 or token_count(count) for count in counts)


@dataclass(frozen=True)
class Reply:
    """What a server answered. ``stop`` is its reason to stop in our words, ``native_stop`` in its own.

    ``bad_call`` means that the server itself could not read the model's call; its text stands in ``text``. ``usage``
    is None if the server reported none that can be read.
    """

    calls: tuple[RawCall, ...] = ()
    text: str = ""
    stop: Stop = "end"
    usage: Usage | None = None
    native_stop: str | None = None
    model: str | None = None


ErrorKind = Literal[
    "timeout",
    "connection",
    "rate_limit",
    "overloaded",
    "server_error",
    "bad_gateway",
    "quota",
    "authentication",
    "not_found",
    "context",
    "unsupported",
    "bad_request",
    "budget",
]
"""The kinds of trouble; ``budget`` is not the server's: the caller's means did not allow another try."""
FATAL: tuple[ErrorKind, ...] = ("quota", "authentication", "not_found")
"""Kinds that no later request to the same model can escape."""


class ProviderError(Exception):
    """No usable answer, for reasons outside the model.

    Holds nothing of the SDK's exception, whose request carries the key. ``retry_after`` is in seconds;
    ``maybe_billed`` says that the server may have worked on the request all the same, and may charge for it.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        maybe_billed: bool = False,
    ) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message
        self.status = status
        self.code = code
        self.retryable = retryable
        self.retry_after = retry_after
        self.maybe_billed = maybe_billed or kind in ("timeout", "bad_gateway")

    def __str__(self) -> str:
        """Return the message with the kind in front."""
        return f"{self.kind}: {self.message}"


Allow: TypeAlias = Callable[[ProviderError], Awaitable[ProviderError | None]]
"""Asked before another try, with the error of the one before: returns what forbids it, or None."""


@dataclass(frozen=True)
class FailedTry:
    """A try that failed before the one that counts, and how many seconds it took."""

    error: ProviderError
    seconds: float


@dataclass(frozen=True)
class Exchange:
    """One question and what became of it: a ``reply``, or the last ``error``.

    ``request`` is the canonical JSON of the body sent last, ``answer`` the raw body that came back. ``sent`` counts the
    requests that left, those of ``faults`` included. ``timing`` holds seconds: ``queued`` for a free place at the
    endpoint, ``latency`` of the last try.
    """

    reply: Reply | None
    error: ProviderError | None
    request: bytes
    answer: bytes | None
    faults: tuple[FailedTry, ...] = ()
    sent: int = 0
    timing: Mapping[str, float] = field(default_factory=dict)
