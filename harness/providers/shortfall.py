"""Whether a server read the whole question: some cut long ones off without a word, and count what is left. Pure."""

from __future__ import annotations

from harness.providers.estimate import prompt_characters, tokens, tool_characters
from harness.providers.types import Reply, Request

SHORT = 0.5
"""Share of the estimate below which a server can hardly have read everything; tokenizers differ by far less."""
MINIMUM = 2000
"""Tokens; below it an estimate says little, and no server cuts."""


def shortfall(request: Request, reply: Reply) -> str:
    """Return a clause that says that the server counted far fewer tokens than were sent, or an empty text.

    A function of one question and its answer alone, so that it stands beside every attempt concerned, however a run is
    interrupted and in whatever order its games are played.
    """
    if reply.usage is None:
        return ""
    counted = reply.usage.uncached_input + reply.usage.cache_read + reply.usage.cache_write
    expected = estimate(request)
    if not counted or expected < MINIMUM or counted >= SHORT * expected:
        return ""
    return (
        f"the server counted {counted} tokens where about {expected} were sent: it may have cut the question off, or "
        "left out the tools"
    )


def estimate(request: Request) -> int:
    """Return about how many tokens a question has, without what is held to a schema outside of the prompt."""
    return tokens(prompt_characters(request) + (tool_characters(request) if request.output_mode == "tools" else 0))
