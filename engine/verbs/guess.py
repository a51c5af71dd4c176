"""Blindfold: a guess at the value of a card, and a value set by the player (OCE5Bc, OCE5Br)."""

from __future__ import annotations

from typing import Final

from engine import knowledge, moves
from engine.announce import announce
from engine.frames import Asking, Step
from engine.state import SET, Frame, State
from engine.tables import VALUE
from engine.types import KIND_MASK, SEATS, Answer, Seat
from engine.values import plain
from engine.verbs.questions import number_between

NO_GUESS: Final = -1
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


class guess_top_card(Step):
    """The player's guess against the printed value of the own deck's top card (OCE5Br-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """Right: the card is taken, seen by all. Wrong: it is discarded (OCE5Br-2)."""
        if not f.picked:
            return True
        (guess,) = f.picked
        moves.supply(g, f.actor, 1)
        card = moves.reveal_deck_top(g, f.actor)
        right = VALUE[card & KIND_MASK] == guess
        zone = f"deck_{SEATS[f.actor]}"
        moves.emit(g, "guess", f.actor, value=guess, right=right)
        moves.emit(g, "reveal", f.actor, card=moves.name(card), zone=zone)
        if right:
            moves.into_hand_openly(g, f.actor, card)
            moves.emit(g, "take", f.actor, card=moves.name(card), zone=zone)
            f.picked = [card]
        else:
            moves.lay_off(g, f.actor, card)
            moves.emit(g, "discard", f.actor, cards=[moves.name(card)])
            f.picked = []
        return True


class decide_value(Asking):
    """The player sets the value of a card that stayed in, or came to, the hand for this turn (R-VAL-03)."""

    asks = "value"

    def __init__(self, rule: str) -> None:
        self.question = number_between(1, 5, rule)

    def start(self, g: State, f: Frame) -> bool:
        """Only for a card that stayed in the hand."""
        return not f.picked

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Note the alteration."""
        (card,) = f.picked
        g.alterations.append((card, SET, answer[0]))
        moves.emit(g, "value", f.actor, card=moves.name(card), value=answer[0])
        return True
