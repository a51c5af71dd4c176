"""The words with which servers say why an answer ends, and what each means in ours. Pure.

One table for all wire formats: gateways translate the form of an answer and pass the word of the model's own provider
through, in its own case too.
"""

from __future__ import annotations

from typing import Any, Final

from harness.providers.types import Stop

STOPS: Final[dict[str, Stop]] = {
    "stop": "end",
    "tool_calls": "end",
    "function_call": "end",
    "eos": "end",
    "end_turn": "end",
    "tool_use": "end",
    "stop_sequence": "end",
    "length": "length",
    "max_tokens": "length",
    "max_output_tokens": "length",
    "model_length": "length",
    "model_context_window_exceeded": "length",
    "content_filter": "refusal",
    "safety": "refusal",
    "refusal": "refusal",
    "malformed_function_call": "bad_call",
}


def stop_of(word: Any) -> Stop:
    """Return what a server's word means: an end if it says none, ``other`` for anything else."""
    return "end" if word is None else STOPS.get(str(word).lower(), "other")
