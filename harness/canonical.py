"""The one way values are written as JSON and digested: sorted keys, no blanks, ASCII."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

MAX_DEPTH = 32
"""Deepest nesting of a value that somebody else made; a proposal needs 4."""


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def canonical_json(value: Any) -> str:
    """Return the canonical JSON text of a plain value; ValueError for NaN and infinities."""
    return _ENCODER.encode(value)


def digest(value: Any) -> str:
    """Return the SHA-256 of a plain value's canonical JSON, in hex."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def plain(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Return a value from outside as plain JSON that every reader accepts.

    NaN and infinities become strings, half characters (lone surrogates) question marks. Keys are put in order, as they
    come back from a log, so that a game that was gone on with quotes the value alike. Raises ValueError for what JSON
    cannot hold and for nesting deeper than ``depth``.
    """
    if depth < 0:
        raise ValueError("nested too deeply")
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        items = {plain(str(key), depth): item for key, item in value.items()}
        return {key: plain(items[key], depth - 1) for key in sorted(items)}
    if isinstance(value, list | tuple):
        return [plain(item, depth - 1) for item in value]
    raise ValueError(f"not a JSON value: {type(value).__name__}")
