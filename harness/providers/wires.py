"""The wire formats there are: where a request goes, how it is written and how its answer is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from harness.providers import anthropic_messages, openai_chat, openai_responses
from harness.providers.profiles import Api, Profile
from harness.providers.rejected import rejected_call
from harness.providers.types import Json, Reply, Request


class Wire(NamedTuple):
    """One wire format. ``path`` is relative to the base address; both functions are pure."""

    path: str
    request: Callable[[Request, Profile], Json]
    parse: Callable[[Any], Reply]


def _reading(parse: Callable[[Any], Reply]) -> Callable[[Any], Reply]:
    """Return a wire's parser for whatever came back, a call that the server itself refused included."""

    def read(raw: Any) -> Reply:
        rejected = rejected_call(raw)
        return rejected if rejected is not None else parse(raw)

    return read


WIRES: Final[Mapping[Api, Wire]] = {
    "chat": Wire(openai_chat.PATH, openai_chat.request, _reading(openai_chat.parse)),
    "responses": Wire(openai_responses.PATH, openai_responses.request, _reading(openai_responses.parse)),
    "messages": Wire(anthropic_messages.PATH, anthropic_messages.request, _reading(anthropic_messages.parse)),
}
