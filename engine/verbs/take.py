"""Taking cards that lie open, from a discard pile or the market, into the hand, to be used at once (R-TEC-08)."""

from __future__ import annotations

from engine import moves
from engine.frames import Step
from engine.state import Frame, State
from engine.types import EMPTY, JSON, MARKET_POOL, SEATS
from engine.verbs.sources import FROM_DISCARD


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


class take_top_of(Step):
    """Take the top card of the chosen player's deck or discard pile (RAC5Br-1)."""

    def start(self, g: State, f: Frame) -> bool:
        """Take it if a source could be chosen; a card from a deck is known to the taker only (RAC5Br-2)."""
        if f.seat >= 0 and f.count == FROM_DISCARD:
            return take_top_discard_of().start(g, f)
        if f.seat >= 0:
            moves.supply(g, f.seat, 1)
            card = g.deck(f.seat)[-1]
            moves.take_from_deck(g, f.actor, f.seat, card)
            secret: dict[str, JSON] = {"card": moves.name(card)}
            moves.emit_private(g, "take", f.actor, 1 << f.actor, secret, zone=f"deck_{SEATS[f.seat]}")
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
                moves.take_from_deck(g, f.actor, MARKET_POOL, card)
                drawn.append(card)
        if drawn:
            secret: dict[str, JSON] = {"cards": moves.names(drawn)}
            moves.emit_private(g, "draw", f.actor, 1 << f.actor, secret, count=len(drawn), zone="market_deck")
        return True
