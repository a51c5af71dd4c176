"""Keys do not belong into files: what looks like one is refused where it is written, and taken out of crash reports."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[\w-]{12,}|gsk_\w{16,}|xai-\w{16,}|hf_\w{16,}|AIza[\w-]{20,})"  # well-known kinds of keys
    r"|https?://(?:[^/\s@:]*:[^/\s@]+|[^\s@?#\"']*[^\s@?#\"'/])@"  # a name or a password in an address
)
_NAMED = re.compile(r"(?<![a-z0-9])(?:api[_-]?key|key|token|secret|password|authorization)", re.IGNORECASE)
_GIVEN = re.compile(rf"{_NAMED.pattern}=[^&\s]", re.IGNORECASE)
_HEADER = re.compile(r"(?i)\bbearer[\s+]+[^\s'\",;]{4,}")
_VARIABLE = re.compile(r"(?i)key|token|secret|passw|credential")
_SECRET_HEADER = re.compile(rf"{_VARIABLE.pattern}|auth|cookie")
_named_by_profiles: set[str] = set()
SHORTEST_KEY = 8
"""Shorter values are dummies for servers that want no key, and are left: taking every "k" out of a text changes it."""


def holds_key(text: str) -> bool:
    """Whether a text looks as if a key, or a password in an address, stood in it."""
    return bool(_SHAPES.search(text) or _GIVEN.search(text))


def find_key(data: Any, place: str = "") -> str | None:
    """Where in plain data something looks like a key, as a path that repeats none of it; None if nothing does."""
    if isinstance(data, str):
        return (place or "it") if holds_key(data) else None
    if isinstance(data, Mapping):
        for name, value in data.items():
            if holds_key(str(name)):
                return place or "a name in it"
            inner = f"{place}.{name}" if place else str(name)
            if isinstance(value, str) and _NAMED.fullmatch(str(name)):
                return inner
            found = find_key(value, inner)
            if found:
                return found
    if isinstance(data, list | tuple):
        return next(filter(None, (find_key(one, f"{place}[{number}]") for number, one in enumerate(data))), None)
    return None


def remember(variable: str) -> None:
    """Have the environment variable taken for one that holds a secret, whatever it is called."""
    _named_by_profiles.add(variable)


def secrets_of(headers: Mapping[str, object]) -> list[str]:
    """Return the values of headers of a request that are secret by their names, without the word before (Bearer)."""
    return [
        value.split()[-1]
        for name, value in headers.items()
        if _SECRET_HEADER.search(name) and isinstance(value, str) and value.strip()
    ]


def masking(secrets: Iterable[str]) -> Callable[[bytes], bytes]:
    r"""Return what writes ``[key]`` for ASCII secrets in a body, however JSON spells them there.

    PHP writes ``\/`` for a slash and Go ``\u0026`` for an ampersand; in JSON inside JSON, as gateways pass it on, there
    are more backslashes. Dummies of a few characters are left.
    """
    known = []
    for secret in (one for one in secrets if len(one) >= SHORTEST_KEY):
        letters = max(re.findall("[A-Za-z0-9]*", secret), key=len)
        known.append((secret.encode(), letters.encode(), re.compile(b"".join(map(_spelt, secret)))))

    def mask(body: bytes) -> bytes:
        for plain, letters, spelt in known:
            body = body.replace(plain, b"[key]")
            if letters in body or rb"\u00" in body:  # looked for elsewhere it would take long
                body = spelt.sub(b"[key]", body)
        return body

    return mask


def _spelt(letter: str) -> bytes:
    """Match one character: what begins with a backslash first, and few enough of those that no body takes long."""
    byte = letter.encode()
    escaped = rb"\\\\{0,15}(?:u00(?i:%02x)%b)" % (ord(letter), b"|" + byte if letter in '/"' else b"")
    plain = rb"\\\\|\\" if letter == "\\" else re.escape(byte)
    return b"(?:%b|%b)" % (escaped, plain)


def without_keys(text: str) -> str:
    """The text without the values of environment variables that hold secrets, and without what looks like a key."""
    for name, value in os.environ.items():
        value = value.strip()
        if (_VARIABLE.search(name) or name in _named_by_profiles) and len(value) >= SHORTEST_KEY:
            text = text.replace(value, "[key]")
    return _HEADER.sub("Bearer [key]", _SHAPES.sub("[key]", text))
