"""The pending decision: who must answer what (R-DEC-01); nothing else interrupts a turn (R-EFF-10)."""

from __future__ import annotations

from typing import NamedTuple

from engine.cards._define import PROGRAMS
from engine.frames import ABILITY_PROGRAMS, BONUS_STACK_PROGRAM, DRAFT_PROGRAM, Asking
from engine.state import Frame, State
from engine.tables import SLUGS
from engine.types import (
    DECISION_ACTION,
    DECISION_BONUS_STACK,
    DECISION_EFFECT,
    DECISION_END_OF_TURN,
    END_OF_TURN,
    OVER,
    SEATS,
)


class Decision(NamedTuple):
    """What one seat must decide now.

    kind: action, bonus_stack, effect_choice or end_of_turn. asks: for an effect_choice what is asked
    (take, put_back, throw_away, throw_away_order, give_back, guess, value, build_as, copy, ban, pick), else empty.
    card: the card that asks, None before the deal. bonus: the action is a bonus action.
    """

    seat: str
    kind: str
    asks: str = ""
    card: str | None = None
    bonus: bool = False


def pending_step(g: State) -> Asking | None:
    """The step of the running effect that waits for an answer, if one does."""
    if not g.frames or g.frames[-1].program == BONUS_STACK_PROGRAM:
        return None
    frame = g.frames[-1]
    step = PROGRAMS[g.edition][frame.program].steps[frame.at]
    return step if isinstance(step, Asking) else None


def asking_card(frame: Frame) -> str | None:
    """The name of the card whose effect runs; None in the draft."""
    return None if frame.program == DRAFT_PROGRAM else SLUGS[frame.program % ABILITY_PROGRAMS]


def decision_of(g: State) -> Decision | None:
    """The pending decision, None when the game is over."""
    if g.phase == OVER:
        return None
    step = pending_step(g)
    if step is not None:
        frame = g.frames[-1]
        return Decision(SEATS[step.chooser(frame)], DECISION_EFFECT, step.asks, asking_card(frame))
    if g.frames:
        return Decision(SEATS[g.turn], DECISION_BONUS_STACK)
    if g.phase == END_OF_TURN:
        return Decision(SEATS[g.turn], DECISION_END_OF_TURN)
    return Decision(SEATS[g.turn], DECISION_ACTION, bonus=g.bonus)
