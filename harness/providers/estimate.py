"""How many tokens a text will be, before any server has counted them."""

from __future__ import annotations

import math
from typing import Final

from harness.providers.types import Request

CHARACTERS_PER_TOKEN: Final = 3.5


def tokens(characters: int) -> int:
    """Return about how many tokens so many characters make."""
    return math.ceil(characters / CHARACTERS_PER_TOKEN)


def prompt_characters(request: Request) -> int:
    """Return the characters of what the model reads as text: the system text and the messages."""
    return len(request.system) + sum(len(text) for _, text in request.messages)


def tool_characters(request: Request) -> int:
    """Return the characters of all tools with their schemas."""
    return sum(tool.characters for tool in request.tools)
