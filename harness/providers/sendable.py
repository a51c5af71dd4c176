"""The last look at the body of a request: servers refuse one that holds half characters (lone surrogates)."""

from __future__ import annotations

from typing import Any

from harness.canonical import plain
from harness.providers.fixed import Fixed
from harness.providers.types import Json


def sendable(body: Json) -> Json:
    """Return the body itself if every text in it can be sent, else a copy with question marks for half characters."""
    return body if _is_sendable(body) else dict(plain(body))


def _is_sendable(value: Any) -> bool:
    if isinstance(value, str):
        return value.isascii() or _is_unicode(value)
    if isinstance(value, Fixed):  # as ASCII every character that might be a half is spelled out
        return "\\ud" not in value.canonical or all(map(_is_sendable, value))
    if isinstance(value, dict):
        return all(map(_is_sendable, value)) and all(map(_is_sendable, value.values()))
    return not isinstance(value, list | tuple) or all(map(_is_sendable, value))


def _is_unicode(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
