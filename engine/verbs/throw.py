"""Throwing cards away (R-THR-01 to R-THR-04)."""

from __future__ import annotations

from engine import moves
from engine.frames import Step
from engine.state import Frame, State
from engine.types import EMPTY


class throw_hand_card(Step):
    """Throw away the chosen hand card, if there was one to choose."""

    def start(self, g: State, f: Frame) -> bool:
        """Throw it away."""
        for card in f.picked:
            moves.throw_from_hand(g, f.actor, card)
        return True


class throw_market(Step):
    """Throw away the chosen market cards in their order."""

    def start(self, g: State, f: Frame) -> bool:
        """Empty the slots."""
        cards = [g.market[slot] for slot in f.picked]
        for slot in f.picked:
            g.market[slot] = EMPTY
        for card in cards:
            moves.throw(g, card)
        if cards:
            moves.emit(g, "throw_away", f.actor, cards=moves.names(cards))
        return True


class fill_market(Step):
    """Fill the market at once (PAN1c-2, R-REF-04)."""

    def start(self, g: State, f: Frame) -> bool:
        """Carry out the refill procedure."""
        moves.refill_market(g)
        return True


class throw_discarded(Step):
    """Throw away the chosen card of the own discard pile; without one the effect ends (OCE2-1, R-EFF-03)."""

    def start(self, g: State, f: Frame) -> bool:
        """Move it and remember how many cards may be drawn for it."""
        for card in f.picked:
            g.discard(f.actor).remove(card)
            moves.throw(g, card)
            moves.emit(g, "throw_away", f.actor, cards=[moves.name(card)])
        f.count = len(f.picked)
        return True
