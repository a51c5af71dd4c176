"""The classic Blindfold: a secret card, a guess, and a value set by the player (OCE5Bc)."""

from __future__ import annotations

from engine import knowledge, moves
from engine.announce import announce
from engine.frames import Asking
from engine.state import SET, Frame, State
from engine.types import Answer, Seat
from engine.values import plain
from engine.verbs.questions import number_between

NO_GUESS = -1
"""Stands for the guess of a seat that has forfeited; it is never right."""


class guess_value(Asking):
    """The chosen opponent guesses the secret card's current effective value (OCE5Bc-2)."""

    asks = "guess"

    def __init__(self) -> None:
        self.question = number_between(0, 20, "OCE5Bc-2")

    def chooser(self, f: Frame) -> Seat:
        """The opponent, the one exception of R-TRN-10."""
        return f.seat

    def start(self, g: State, f: Frame) -> bool:
        """Without a card nothing is guessed (OCE5Bc-1); a seat that has forfeited is not asked."""
        if f.picked and g.forfeited >> f.seat & 1:
            return self.answer(g, f, (NO_GUESS,))
        return not f.picked

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Right: the card is discarded. Wrong: it is shown and stays (OCE5Bc-3)."""
        (card,) = f.picked
        identity = plain(g, card)
        right = answer == (identity.value,)
        moves.emit(g, "guess", f.seat, value=answer[0], right=right)
        if identity.chain:
            announce(g, f.actor, card, identity.chain)
        if right:
            moves.discard_from_hand(g, f.actor, [card])
            f.picked = []
        else:
            knowledge.show_in_hand(g, f.actor, card)
            moves.emit(g, "reveal", f.actor, card=moves.name(card), zone="hand")
        return True


class decide_value(Asking):
    """After a wrong guess the player sets the card's value for this turn (OCE5Bc-3, R-VAL-03)."""

    asks = "value"

    def __init__(self) -> None:
        self.question = number_between(1, 5, "OCE5Bc-3")

    def start(self, g: State, f: Frame) -> bool:
        """Only for a card that stayed in the hand."""
        return not f.picked

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Note the alteration."""
        (card,) = f.picked
        g.alterations.append((card, SET, answer[0]))
        moves.emit(g, "value", f.actor, card=moves.name(card), value=answer[0])
        return True
