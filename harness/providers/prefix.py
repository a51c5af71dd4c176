"""The static prefix of a request: what comes again word for word with the next question, and so can be cached."""

from __future__ import annotations

from harness.canonical import digest
from harness.providers.types import Request

KEY_LENGTH = 32


def prefix_key(req: Request) -> str:
    """Return a name for the system text and the tools: equal for all games and seats that are told the same."""
    tools = [[tool.name, tool.description, tool.parameters] for tool in req.tools]
    return digest([req.system, req.output_mode, tools])[:KEY_LENGTH]
