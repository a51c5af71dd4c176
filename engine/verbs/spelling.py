"""How cards of the own hand are written in a proposal (contract section 2)."""

from __future__ import annotations

from engine.frames import likeness
from engine.references import of_kind
from engine.state import State
from engine.tables import SLUGS
from engine.types import JSON, KIND_MASK, Card, Seat


def spell_card(g: State, seat: Seat, card: Card) -> str:
    """The bare slug where all copies in the hand are alike, else `slug#n`."""
    kind = card & KIND_MASK
    if not (g.alterations or g.used or g.locks):
        return SLUGS[kind]
    copies = of_kind(g.hand(seat), kind)
    if card not in copies or len({likeness(g, one) for one in copies}) == 1:
        return SLUGS[kind]
    return f"{SLUGS[kind]}#{copies.index(card) + 1}"


def spell_hand(g: State, seat: Seat, cards: tuple[Card, ...]) -> list[JSON]:
    """Several cards of the hand, in order."""
    return [spell_card(g, seat, card) for card in cards]
