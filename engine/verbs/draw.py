"""Drawing and discarding cards of the own hand."""

from __future__ import annotations

from engine import moves
from engine.frames import Step
from engine.state import Frame, State


class draw(Step):
    """Draw cards from the own deck; effects never give junk (R-DRW-04)."""

    def __init__(self, count: int) -> None:
        self.count = count

    def start(self, g: State, f: Frame) -> bool:
        """Draw them one by one."""
        moves.draw(g, f.actor, self.count)
        return True


class discard_hand(Step):
    """Discard the remaining hand in the chosen order and remember how many cards it was (MAC1-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """Discard them all."""
        moves.discard_from_hand(g, f.actor, f.picked)
        f.count = len(f.picked)
        return True


class draw_as_many(Step):
    """Draw as many cards as were discarded (MAC1-2, MAC1-5)."""

    def start(self, g: State, f: Frame) -> bool:
        """Draw them one by one and remember how many there were."""
        f.picked = moves.draw(g, f.actor, f.count)
        return True
