"""Taking cards that lie open, from a discard pile or the market, into the hand, to be used at once (R-TEC-08)."""

from __future__ import annotations

from engine import moves
from engine.frames import Step
from engine.state import Frame, State
from engine.types import EMPTY, JSON, MARKET_POOL, SEATS


class take_top_discard(Step):
    """Take the top card of the own discard pile; an empty pile is not refilled (MAC5B-1, MAC5B-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """Take it if there is one."""
        pile = g.discard(f.actor)
        if pile:
            card = pile.pop()
            moves.into_hand_openly(g, f.actor, card)
            moves.emit(g, "take", f.actor, card=moves.name(card), zone=f"discard_{SEATS[f.actor]}")
        return True


class take_top_discard_of(Step):
    """Take the top card of the chosen player's discard pile (RAC5Bc-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """Take it if a player could be chosen."""
        if f.seat >= 0:
            card = g.discard(f.seat).pop()
            moves.into_hand_openly(g, f.actor, card)
            moves.emit(g, "take", f.actor, card=moves.name(card), zone=f"discard_{SEATS[f.seat]}")
        return True


class take_market_card(Step):
    """Take the chosen market card without paying; the slot stays empty until the refill (PAN2-1, PAN2-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """Take it if there was one."""
        for slot in f.picked:
            card = g.market[slot]
            g.market[slot] = EMPTY
            moves.into_hand_openly(g, f.actor, card)
            moves.emit(g, "take", f.actor, card=moves.name(card), zone=f"slot_{slot}")
        return True


class draw_from_market_deck(Step):
    """Draw the remembered number of cards from the market deck into the hand (OCE2-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """Draw, reshuffling the market discard if needed."""
        drawn = []
        for _ in range(f.count):
            if moves.supply(g, MARKET_POOL, 1):
                card = g.market_deck[-1]
                moves.take_from_market_deck(g, f.actor, card)
                drawn.append(card)
        if drawn:
            secret: dict[str, JSON] = {"cards": moves.names(drawn)}
            moves.emit_private(g, "draw", f.actor, 1 << f.actor, secret, count=len(drawn), zone="market_deck")
        return True
