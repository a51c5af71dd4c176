"""Swapping: deck with discard pile, the played card with a card of the market or of a stall."""

from __future__ import annotations

from engine import chance, moves, rng
from engine.frames import Step
from engine.state import Frame, State
from engine.types import SEATS, in_play_zone


class swap_piles(Step):
    """Swap the own deck and discard pile, turned over as packets, and shuffle the new deck (RAC1-1, RAC1-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """The old deck's bottom card is the top of the new discard pile."""
        deck = g.deck(f.actor)
        pile = g.discard(f.actor)
        new_deck = pile[:]
        pile.clear()
        while deck:
            pile.append(moves.reveal_deck_top(g, f.actor))
        if new_deck:
            deck[:] = chance.shuffle(g, rng.SHUFFLES + f.actor, new_deck)
        moves.emit(g, "swap_piles", f.actor, deck_size=len(deck), discard=moves.names(pile))
        return True


class swap_deck_tops(Step):
    """As many cards as were rolled change places between the tops of the two decks (OCE3r-1, OCE3r-2)."""

    def start(self, g: State, f: Frame) -> bool:
        """Fewer if one side has fewer in deck and discard pile; nobody sees the cards."""
        pair = (f.actor, f.seat)
        count = min(f.count, *(len(g.deck(seat)) + len(g.discard(seat)) for seat in pair))
        if count:
            for seat in pair:
                moves.supply(g, seat, count)
            moves.swap_tops(g, f.actor, f.seat, count)
            moves.emit(g, "swap_tops", f.actor, to=SEATS[f.seat], count=count)
        return True


class swap_with_market(Step):
    """The played card takes the slot of the chosen market card, which goes to the hand (GV-1 to GV-5)."""

    def start(self, g: State, f: Frame) -> bool:
        """With an empty market nothing happens (GV-2)."""
        for slot in f.picked:
            card = g.market[slot]
            g.zones[in_play_zone(f.actor)].remove(f.card)
            g.market[slot] = f.card
            moves.into_hand_openly(g, f.actor, card)
            moves.emit(g, "swap", f.actor, card=moves.name(f.card), taken=moves.name(card), zone=f"slot_{slot}")
        return True


class swap_with_stall(Step):
    """The played card takes the place of the chosen card in a stall, which goes to the hand (SQU4-2, R-STL-08)."""

    def start(self, g: State, f: Frame) -> bool:
        """Without any opponent's stack nothing happens (SQU4-3)."""
        for card in f.picked:
            stack = g.stalls[f.seat][f.count - 1]
            place = stack.index(card)
            g.stalls[f.seat][f.count - 1] = (*stack[:place], f.card, *stack[place + 1 :])
            g.zones[in_play_zone(f.actor)].remove(f.card)
            moves.into_hand_openly(g, f.actor, card)
            zone = f"stall_{SEATS[f.seat]}"
            moves.emit(g, "swap", f.actor, card=moves.name(f.card), taken=moves.name(card), zone=zone, number=f.count)
        return True
