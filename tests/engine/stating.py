"""What tests of chameleons state: fixtures by their kinds, and the entries of `copies`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import Game, Verdict

Position = Callable[..., Game]
Accept = Callable[..., Verdict]
Codes = Callable[..., list[str]]


def copy(card: str, *targets: str) -> list[dict[str, Any]]:
    """One entry of `copies`."""
    return [{"card": card, "targets": list(targets)}]
