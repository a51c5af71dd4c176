"""Draws that depend on nothing but their key, so that an interrupted and resumed run equals an undisturbed one.

Built on SHA-256 and not on ``random``, whose methods may change between Python versions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def derive_seed(*key: str | int) -> int:
    """Return a 63-bit seed that depends on the key alone."""
    return _number(key) >> 1


class Draws:
    """A stream of draws; two streams of the same key are the same.

    Agents start theirs from ``Turn.key``: ``Draws(*turn.key)``, or ``Draws(*turn.key, turn.attempt)`` where a second
    attempt shall differ from the first. Further words keep streams for different purposes apart.
    """

    def __init__(self, *key: str | int) -> None:
        self._key = key
        self._drawn = 0

    def _next(self) -> int:
        value = _number((*self._key, self._drawn))
        self._drawn += 1
        return value

    def below(self, count: int) -> int:
        """Return a uniform integer from 0 to ``count - 1``; ValueError unless ``count`` is positive."""
        if count < 1:
            raise ValueError(f"nothing to draw from: {count}")
        limit = (1 << 64) - (1 << 64) % count  # reject the uneven rest, so that every value is equally likely
        while (value := self._next()) >= limit:
            continue
        return value % count

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self._next() < probability * (1 << 64)

    def choice(self, items: Sequence[T]) -> T:
        """Return one of the items, each equally likely; ValueError if there is none."""
        return items[self.below(len(items))]


def _number(key: tuple[str | int, ...]) -> int:
    text = json.dumps(key, ensure_ascii=True, separators=(",", ":"))
    return int.from_bytes(hashlib.sha256(text.encode("ascii")).digest()[:8], "big")
