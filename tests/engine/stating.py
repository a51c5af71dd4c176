"""What tests of the engine share: fixtures by their kinds, entries of `copies`, and what a seat is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import Game, Verdict

Position = Callable[..., Game]
Accept = Callable[..., Verdict]
Codes = Callable[..., list[str]]
JUNK5 = ["junk"] * 5


def copy(card: str, *targets: str) -> list[dict[str, Any]]:
    """One entry of `copies`."""
    return [{"card": card, "targets": list(targets)}]


def known(game: Game, seat: str) -> list[tuple[Any, ...]]:
    """What a seat knows, as (zone, card) or (zone, card, position)."""
    places: Any = game.observe(seat)["known"]
    return [tuple(place[key] for key in ("zone", "card", "position") if key in place) for place in places]


def pool(game: Game, seat: str, owner: str) -> tuple[list[str], int]:
    """What a seat is told of a pool: certain cards and the number of unknown ones."""
    pools: Any = game.observe(seat)["pools"]
    return pools[owner]["cards"], pools[owner]["unknown"]
