"""Cards that go between players: given, taken at random, placed on a deck, discarded by chance."""

from __future__ import annotations

from engine import chance, moves
from engine.frames import Step
from engine.state import Frame, State
from engine.types import JSON, SEATS, Answer
from engine.verbs.look import ask_if_unlike
from engine.verbs.questions import hand_card


class discard_random(Step):
    """Each chosen player discards one random hand card, in the order chosen (RAC2-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """A player with an empty hand is passed over."""
        for seat in f.picked:
            if g.hand(seat):
                moves.discard_from_hand(g, seat, chance.pick(g, g.hand(seat), 1))
        return True


class place_on_their_deck(Step):
    """Put the chosen hand card face down on the chosen player's deck (RAC3-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """Nothing happens without another card in the hand (RAC3-3)."""
        for card in f.picked:
            moves.place_on_deck(g, f.actor, f.seat, card)
        return True


class take_random(Step):
    """Take one random card of the chosen player's hand (RAC4-2); remembers how many (0 or 1)."""

    def start(self, g: State, f: Frame) -> bool:
        """Only the two players see the card (RAC4-3)."""
        f.count = 0
        if g.hand(f.seat):
            (card,) = chance.pick(g, g.hand(f.seat), 1)
            moves.exchange(g, f.seat, f.actor, [card], [])
            f.count = 1
            secret: dict[str, JSON] = {"card": moves.name(card)}
            moves.emit_private(g, "take", f.actor, 1 << f.actor | 1 << f.seat, secret, zone=f"hand_{SEATS[f.seat]}")
        return True


class give_back(ask_if_unlike):
    """Give one card of the whole hand to the player a card was taken from (RAC4-2)."""

    asks = "give_back"

    def __init__(self) -> None:
        self.question = hand_card()

    def start(self, g: State, f: Frame) -> bool:
        """Only if a card was taken (RAC4-1)."""
        return f.count == 0 or super().start(g, f)

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Only the two players see the card (RAC4-3)."""
        moves.exchange(g, f.actor, f.seat, [answer[0]], [])
        secret: dict[str, JSON] = {"card": moves.name(answer[0])}
        moves.emit_private(g, "give", f.actor, 1 << f.actor | 1 << f.seat, secret, to=SEATS[f.seat])
        return True
