"""The wire formats there are: where a request goes, how it is written and how its answer is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from harness.providers import anthropic_messages, openai_chat, openai_responses
from harness.providers.profiles import Api, Profile
from harness.providers.types import Json, Reply, Request


class Wire(NamedTuple):
    """One wire format. ``path`` is relative to the base address; both functions are pure."""

    path: str
    request: Callable[[Request, Profile], Json]
    parse: Callable[[Any], Reply]


WIRES: Final[Mapping[Api, Wire]] = {
    "chat": Wire(openai_chat.PATH, openai_chat.request, openai_chat.parse),
    "responses": Wire(openai_responses.PATH, openai_responses.request, openai_responses.parse),
    "messages": Wire(anthropic_messages.PATH, anthropic_messages.request, anthropic_messages.parse),
}
