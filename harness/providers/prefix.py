"""The static prefix of a request: what comes again word for word with the next question, and so can be cached."""

from __future__ import annotations

from functools import lru_cache

from harness.canonical import digest
from harness.providers.types import OutputMode, Request, ToolSpec

KEY_LENGTH = 32


def prefix_key(req: Request) -> str:
    """Return a name for the system text and the tools: equal for all games and seats that are told the same."""
    return _key(req.system, req.output_mode, req.tools)


@lru_cache(maxsize=64)
def _key(system: str, output_mode: OutputMode, tools: tuple[ToolSpec, ...]) -> str:
    told = [[tool.name, tool.description, tool.parameters] for tool in tools]
    return digest([system, output_mode, told])[:KEY_LENGTH]
