"""A model's call that its server could not read and refused: an error by its form, the model's answer by what it says.

Groq holds calls and JSON to their schemas after the model wrote them, and answers with status 400 and the text.
"""

from __future__ import annotations

from typing import Any

from harness.providers.types import Reply

_CODES = ("tool_use_failed", "json_validate_failed")
_WRITTEN = "failed_generation"


def rejected_call(body: Any) -> Reply | None:
    """Return the model's answer behind such a refusal, None for every other body. The same for all wire formats."""
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        return None
    written = error.get(_WRITTEN)
    named = next((code for code in (error.get("code"), error.get("type")) if code in _CODES), None)
    if named is None and not written:
        return None
    return Reply(text=str(written or ""), stop="bad_call", native_stop=named or _WRITTEN)
