"""Changing values, costs and the hand limit for this turn (R-VAL-03, R-MKT-02, R-CLN-02)."""

from __future__ import annotations

from engine import moves
from engine.frames import Step
from engine.state import ADD, ALL_CARDS, COST, LIMIT, Frame, State


class raise_all(Step):
    """Every card the player uses this turn counts one more, also cards that come later (MAC5A-1, R-VAL-04)."""

    def start(self, g: State, f: Frame) -> bool:
        """Note the alteration."""
        g.alterations.append((ALL_CARDS, ADD, 1))
        moves.emit(g, "value", f.actor, add=1)
        return True


class change_costs(Step):
    """Market cards cost the player more or less this turn; several changes add up (PAN3r-2, PAN5Br-1)."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def start(self, g: State, f: Frame) -> bool:
        """Note the change."""
        g.alterations.append((ALL_CARDS, COST, self.amount))
        moves.emit(g, "costs", f.actor, add=self.amount)
        return True


class raise_limit(Step):
    """The hand limit of this turn's clean-up is higher; several changes add up (PAN5Br-1)."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def start(self, g: State, f: Frame) -> bool:
        """Note the change."""
        g.alterations.append((ALL_CARDS, LIMIT, self.amount))
        moves.emit(g, "hand_limit", f.actor, add=self.amount)
        return True
