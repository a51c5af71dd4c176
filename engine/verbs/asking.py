"""Small look-ups the questions share."""

from __future__ import annotations

from engine.references import Choices
from engine.state import Frame, State
from engine.types import Card


def rest_of_hand(g: State, f: Frame) -> list[Card]:
    """The actor's hand without the technique itself (R-VOC-04)."""
    return [card for card in g.hand(f.actor) if card != f.card]


def opponents_of(g: State, f: Frame) -> list[int]:
    """The other seats, clockwise from the actor."""
    return [(f.actor + step) % g.players for step in range(1, g.players)]


def listed(choices: Choices, field: str) -> list[str]:
    """A list field of the choices, empty if not given."""
    value = choices.get(field)
    return value if isinstance(value, list) else []
