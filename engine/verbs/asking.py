"""Small look-ups the questions share."""

from __future__ import annotations

from engine.moves import name
from engine.references import Choices, numbered_name
from engine.state import Frame, State
from engine.types import SEATS, Card


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


def names_top(g: State, f: Frame, choices: Choices) -> bool:
    """Whether `cards` names the top card of the discard pile that is chosen; of any that can be if none is."""
    wanted = listed(choices, "opponents")
    piles = [g.discard(seat) for seat in opponents_of(g, f) if not wanted or SEATS[seat] in wanted]
    tops = [[written] for pile in piles if pile for written in (name(pile[-1]), numbered_name(pile, pile[-1]))]
    return listed(choices, "cards") in tops
