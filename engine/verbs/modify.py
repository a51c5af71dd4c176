"""Changing values for this turn (R-VAL-03)."""

from __future__ import annotations

from engine import moves
from engine.frames import Step
from engine.state import ADD, ALL_CARDS, Frame, State


class raise_all(Step):
    """Every card the player uses this turn counts one more, also cards that come later (MAC5A-1, R-VAL-04)."""

    def start(self, g: State, f: Frame) -> bool:
        """Note the alteration."""
        g.alterations.append((ALL_CARDS, ADD, 1))
        moves.emit(g, "value", f.actor, add=1)
        return True
