"""The tokens of an answer as OpenAI's two wire formats report them: the same fields under other names. Pure."""

from __future__ import annotations

from typing import Any, Literal

from harness.providers.types import Usage, tell_usage, token_count


def usage_of(raw: Any, asked: Literal["prompt", "input"], answered: Literal["completion", "output"]) -> Usage | None:
    """Read a usage whose fields begin with these words, such as ``prompt_tokens``; None if it tells nothing.

    Some servers (xAI) count the reasoning beside the output and not in it, which only their total tells.
    """
    if not isinstance(raw, dict) or not tell_usage(raw.get(f"{asked}_tokens"), raw.get(f"{answered}_tokens")):
        return None
    details, outputs = raw.get(f"{asked}_tokens_details"), raw.get(f"{answered}_tokens_details")
    details = details if isinstance(details, dict) else {}
    read, write = token_count(details.get("cached_tokens")), token_count(details.get("cache_write_tokens"))
    given, output = token_count(raw.get(f"{asked}_tokens")), token_count(raw.get(f"{answered}_tokens"))
    reasoning = token_count(outputs.get("reasoning_tokens")) if isinstance(outputs, dict) else 0
    if token_count(raw.get("total_tokens")) == given + output + reasoning:
        output += reasoning
    return Usage(
        uncached_input=max(0, given - read - write),
        cache_read=read,
        cache_write=write,
        output=output,
        reasoning=reasoning,
    )
