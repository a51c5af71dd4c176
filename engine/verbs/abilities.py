"""Activated abilities of passives (R-PAS-05)."""

from __future__ import annotations

from engine import chance, moves
from engine.frames import Step
from engine.state import ADD, Frame, State
from engine.types import EMPTY


class throw_market_deck_top(Step):
    """The top card of the market deck goes to the market discard (PAN4c-1, CHA3c-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """Reshuffles the market discard first if the deck is empty."""
        card = moves.reveal_market_top(g)
        if card != EMPTY:
            moves.throw(g, card)
            moves.emit(g, "throw_away", f.actor, cards=[moves.name(card)])
        return True


class roll_for_value(Step):
    """Roll the die and add the result to the card's value for this turn (OCE1-1, OCE1-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """Die results are public (R-RND-04)."""
        result = chance.roll(g)
        g.alterations.append((f.card, ADD, result))
        moves.emit(g, "roll", f.actor, value=result)
        return True
