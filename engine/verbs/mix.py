"""Exchanging random cards between hands: Gamble and the classic Whirligig."""

from __future__ import annotations

from engine import chance, knowledge, moves
from engine.events import EVERYBODY
from engine.frames import Step
from engine.state import Frame, State
from engine.types import KIND_MASK, SEATS, Card


class roll_die(Step):
    """Roll the ocelot die and remember the result."""

    def start(self, g: State, f: Frame) -> bool:
        """Die results are public (R-RND-04)."""
        f.count = chance.roll(g)
        moves.emit(g, "roll", f.actor, value=f.count)
        return True


class exchange_random(Step):
    """That many random cards of each hand change places, determined before any moves (OCE5A-1, R-EFF-06, R-EFF-07)."""

    def start(self, g: State, f: Frame) -> bool:
        """Each of the two players knows the cards given and received (OCE5A-2)."""
        count = min(f.count, len(g.hand(f.actor)), len(g.hand(f.seat)))
        if count:
            given = chance.pick(g, g.hand(f.actor), count)
            received = chance.pick(g, g.hand(f.seat), count)
            moves.exchange(g, f.actor, f.seat, given, received)
            _report(g, f, given, received)
        return True


class mix_hands(Step):
    """Shuffle the cards just drawn with another hand and deal the original numbers back (OCE3c-2 to OCE3c-4)."""

    def start(self, g: State, f: Frame) -> bool:
        """Copies that could have gone either way stay where they are: nobody can tell them apart."""
        drawn = f.picked
        theirs = g.hand(f.seat)[:]
        if not drawn or not theirs:
            return True
        received = chance.pick(g, drawn + theirs, len(drawn))
        strangers = EVERYBODY & ~(1 << f.actor | 1 << f.seat)
        moving = [(f.actor, f.seat, drawn[0]), (f.seat, f.actor, theirs[0])]
        knowledge.leave_unseen(g, strangers, moving, in_hand=True)
        going, coming = _net(drawn, theirs, received)
        moves.exchange(g, f.actor, f.seat, going, coming)
        _report(g, f, going, coming)
        return True


def _net(mine: list[Card], theirs: list[Card], received: list[Card]) -> tuple[list[Card], list[Card]]:
    """Which of my cards go and which of theirs come, counted by name alone."""
    going = mine[:]
    coming: list[Card] = []
    left = theirs[:]
    for card in received:
        kind = card & KIND_MASK
        own = next((one for one in going if one & KIND_MASK == kind), None)
        if own is not None:
            going.remove(own)
        else:
            other = next(one for one in left if one & KIND_MASK == kind)
            left.remove(other)
            coming.append(other)
    return going, coming


def _report(g: State, f: Frame, given: list[Card], received: list[Card]) -> None:
    pair = 1 << f.actor | 1 << f.seat
    secret = {"given": moves.names(given), "received": moves.names(received)}
    moves.emit_private(g, "exchange", f.actor, pair, dict(secret), to=SEATS[f.seat])
