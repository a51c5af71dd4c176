"""The only code that moves a card (R-ZON-06). Each function keeps the knowledge of all seats and writes the events.

A card that leaves a hand loses its alterations, its lock and the mark of a used ability (R-VAL-05, R-CPC-08, R-PAS-06).
"""

from __future__ import annotations

from typing import Final

from engine import chance, knowledge, rng
from engine.events import EVERYBODY, event, private_event
from engine.state import State
from engine.tables import SLUGS
from engine.types import (
    DECK,
    DISCARD,
    EMPTY,
    HAND,
    JSON,
    JUNK,
    JUNK_PILE,
    KIND_MASK,
    MARKET,
    MARKET_DECK,
    MARKET_DISCARD,
    MARKET_POOL,
    SEATS,
    SLOTS,
    ZONES_PER_SEAT,
    Card,
    Seat,
    make_card,
)

FIRST_SUBSTITUTE: Final = 4096
"""The copy number of the first junk substitute, beyond any a box or a position holds."""


def name(card: Card) -> str:
    """The slug printed on a physical card."""
    return SLUGS[card & KIND_MASK]


def names(cards: list[Card] | tuple[Card, ...]) -> list[JSON]:
    """Slugs of several cards, in order."""
    return [SLUGS[card & KIND_MASK] for card in cards]


def emit(g: State, type_: str, seat: Seat, **fields: JSON) -> None:
    """Write an event that everybody sees."""
    if g.log is not None:
        g.log.append(event(type_, seat, **fields))


def emit_private(g: State, type_: str, seat: Seat, knows: int, secret: dict[str, JSON], **fields: JSON) -> None:
    """Write an event of which only some seats see the secret fields."""
    if g.log is not None:
        g.log.append(private_event(type_, seat, knows, secret, **fields))


def forget(g: State, card: Card) -> None:
    """End everything that was tied to a card being in the hand."""
    if g.used and card in g.used:
        g.used.remove(card)
    if g.alterations:
        g.alterations = [change for change in g.alterations if change[0] != card]
    if g.locks:
        g.locks = [lock for lock in g.locks if lock[0] != card]


def out_of_hand(g: State, seat: Seat, card: Card) -> None:
    """Take a card from a hand to a place where everybody sees it."""
    known = g.known
    everybody_else = knowledge.others(g, seat)
    if known.get(card) == everybody_else:
        del known[card]
    elif knowledge.concerns(g, everybody_else, seat, card, in_hand=True):
        knowledge.identify(g, everybody_else, seat, card, in_hand=True)
        known.pop(card, None)
    g.zones[HAND + ZONES_PER_SEAT * seat].remove(card)
    if g.used or g.alterations or g.locks:
        forget(g, card)


def into_hand_openly(g: State, seat: Seat, card: Card) -> None:
    """Put a card into a hand from a place where everybody saw it."""
    g.zones[HAND + ZONES_PER_SEAT * seat].append(card)
    knowledge.learn(g, knowledge.others(g, seat), card)


def lay_off(g: State, seat: Seat, card: Card) -> None:
    """Put a card on top of a seat's discard pile (R-ZON-03)."""
    g.zones[DISCARD + ZONES_PER_SEAT * seat].append(card)


def throw(g: State, card: Card) -> None:
    """Put a card that has left its zone where thrown-away cards go (R-THR-01, R-THR-02, R-JNK-05)."""
    if card & KIND_MASK == JUNK:
        g.zones[JUNK_PILE].append(card)
    else:
        g.zones[MARKET_DISCARD].append(card)


def discard_from_hand(g: State, seat: Seat, cards: list[Card] | tuple[Card, ...]) -> None:
    """Discard cards in the listed order (R-DIS-01, R-DIS-02)."""
    if not cards:
        return
    hand = g.zones[HAND + ZONES_PER_SEAT * seat]
    if g.used or g.alterations or g.locks or knowledge.any_lost(g, cards):
        for card in cards:
            out_of_hand(g, seat, card)
    elif g.known.keys().isdisjoint(hand):
        if len(cards) == len(hand):
            hand.clear()
        else:
            for card in cards:
                hand.remove(card)
    else:
        known = knowledge.known_kinds(g, hand)
        for card in cards:
            if card & KIND_MASK in known:
                out_of_hand(g, seat, card)
            else:
                hand.remove(card)
    g.zones[DISCARD + ZONES_PER_SEAT * seat] += cards
    if g.log is not None:
        emit(g, "discard", seat, cards=names(cards))


def throw_from_hand(g: State, seat: Seat, card: Card) -> None:
    """Throw away one card of a hand."""
    out_of_hand(g, seat, card)
    throw(g, card)
    emit(g, "throw_away", seat, cards=[name(card)])


def reshuffle(g: State, seat: Seat) -> None:
    """Make the discard pile the new deck, below any cards that are being looked at (R-DRW-02, R-DRW-06)."""
    deck = g.zones[DECK + ZONES_PER_SEAT * seat]
    pile = g.zones[DISCARD + ZONES_PER_SEAT * seat]
    if pile:
        deck[:0] = chance.shuffle(g, rng.SHUFFLES + seat, pile)
        emit(g, "shuffle", seat, zone=f"deck_{SEATS[seat]}", count=len(pile))
        pile.clear()


def reshuffle_market(g: State) -> None:
    """Make the market discard the new market deck, below any cards that are being looked at (R-DRW-03)."""
    pile = g.zones[MARKET_DISCARD]
    if pile:
        g.zones[MARKET_DECK][:0] = chance.shuffle(g, rng.MARKET_SHUFFLES, pile)
        emit(g, "shuffle", g.turn, zone="market_deck", count=len(pile))
        pile.clear()


def supply(g: State, owner: int, count: int) -> int:
    """See to it that a deck holds `count` cards, reshuffling if needed (R-DRW-07); return how many there are."""
    deck = g.zones[MARKET_DECK] if owner == MARKET_POOL else g.zones[DECK + ZONES_PER_SEAT * owner]
    if len(deck) < count:
        if owner == MARKET_POOL:
            reshuffle_market(g)
        else:
            reshuffle(g, owner)
    return min(count, len(deck))


def draw_one(g: State, seat: Seat) -> Card:
    """Draw the top card of the own deck to the hand; EMPTY if there is none (R-DRW-01 to R-DRW-04). Writes no event."""
    base = ZONES_PER_SEAT * seat
    deck = g.zones[DECK + base]
    if not deck:
        reshuffle(g, seat)
        if not deck:
            return EMPTY
    card = deck[-1]
    if knowledge.concerns(g, 1 << seat, seat, card, in_hand=False):
        knowledge.identify(g, 1 << seat, seat, card, in_hand=False)
        knowledge.mingle(g, seat, card)
    deck.pop()
    g.zones[HAND + base].append(card)
    return card


def draw(g: State, seat: Seat, count: int) -> list[Card]:
    """Draw up to `count` cards one by one; fewer if deck and discard pile run out (R-EFF-07)."""
    drawn = []
    for _ in range(count):
        card = draw_one(g, seat)
        if card == EMPTY:
            break
        drawn.append(card)
    if g.log is not None and drawn:
        emit_private(g, "draw", seat, 1 << seat, {"cards": names(drawn)}, count=len(drawn))
    return drawn


def take_junk(g: State, seat: Seat) -> None:
    """Take a junk card, or a substitute when the pile is empty (R-JNK-01, R-JNK-02, R-JNK-04). Writes no event."""
    pile = g.zones[JUNK_PILE]
    if pile:
        card = pile.pop()
    else:
        card = make_card(JUNK, FIRST_SUBSTITUTE + g.substitutes)
        g.substitutes += 1
    into_hand_openly(g, seat, card)


def reveal_market_top(g: State) -> Card:
    """Turn up the top card of the market deck and take it off; EMPTY if there is none."""
    if not supply(g, MARKET_POOL, 1):
        return EMPTY
    card = g.zones[MARKET_DECK][-1]
    if knowledge.concerns(g, EVERYBODY, MARKET_POOL, card, in_hand=False):
        knowledge.identify(g, EVERYBODY, MARKET_POOL, card, in_hand=False)
        g.known.pop(card, None)
    g.zones[MARKET_DECK].pop()
    return card


def reveal_deck_top(g: State, owner: Seat) -> Card:
    """Turn up the top card of a seat's deck and take it off. The deck must not be empty."""
    deck = g.zones[DECK + ZONES_PER_SEAT * owner]
    card = deck[-1]
    knowledge.identify(g, EVERYBODY, owner, card, in_hand=False)
    g.known.pop(card, None)
    return deck.pop()


def refill_market(g: State) -> None:
    """Slide the cards to the right, then fill the empty slots from right to left (R-REF-01, R-REF-02)."""
    market = g.zones[MARKET]
    empty = market.count(EMPTY)
    if not empty or (not g.zones[MARKET_DECK] and not g.zones[MARKET_DISCARD] and market.index(EMPTY) == SLOTS - empty):
        return
    row = [card for card in market if card != EMPTY]
    before = len(row)
    for _ in range(SLOTS - before):
        card = reveal_market_top(g)
        if card == EMPTY:
            break
        row.append(card)
    changed = row + [EMPTY] * (SLOTS - len(row))
    if changed != market:
        market[:] = changed
        if g.log is not None:
            shown: list[JSON] = [None if card == EMPTY else name(card) for card in changed]
            emit(g, "refill", g.turn, market=shown, new=names(row[before:]))


def exchange(g: State, one: Seat, other: Seat, given: list[Card], received: list[Card]) -> None:
    """Cards of two hands change places at once: those `one` gives and those it receives (R-EFF-06).

    The two players see them, nobody else does, not even how many kinds changed (R-INF-02). Writes no event.
    """
    moving = [(one, other, card) for card in given] + [(other, one, card) for card in received]
    if g.players > 2:
        knowledge.leave_unseen(g, EVERYBODY & ~(1 << one | 1 << other), moving, in_hand=True)
    for giver, receiver, card in moving:
        knowledge.identify(g, 1 << receiver, giver, card, in_hand=True)
        g.hand(giver).remove(card)
        forget(g, card)
    for giver, receiver, card in moving:
        g.hand(receiver).append(card)
        knowledge.learn(g, 1 << giver, card)


def place_on_deck(g: State, giver: Seat, owner: Seat, card: Card) -> None:
    """Put a hand card face down on top of another player's deck; only the giver knows it (R-INF-03)."""
    knowledge.leave_unseen(g, knowledge.others(g, giver), [(giver, owner, card)], in_hand=True, placed=True)
    g.hand(giver).remove(card)
    forget(g, card)
    g.deck(owner).append(card)
    knowledge.learn(g, 1 << giver, card)
    emit_private(g, "place", giver, 1 << giver, {"card": name(card)}, zone=f"deck_{SEATS[owner]}")


def take_from_deck(g: State, seat: Seat, owner: int, card: Card) -> None:
    """Take one of the topmost cards of the market deck or another player's deck; only the taker sees it (R-INF-03)."""
    knowledge.leave_unseen(g, knowledge.others(g, seat), [(owner, seat, card)], in_hand=False)
    knowledge.identify(g, 1 << seat, owner, card, in_hand=False)
    deck = g.zones[MARKET_DECK] if owner == MARKET_POOL else g.deck(owner)
    deck.remove(card)
    g.hand(seat).append(card)


def swap_tops(g: State, one: Seat, other: Seat, count: int) -> None:
    """The top cards of two decks change places as packets, in their order, seen by nobody (OCE3r-2).

    Both decks must hold that many cards. Writes no event.
    """
    mine, theirs = g.deck(one), g.deck(other)
    going, coming = mine[len(mine) - count :], theirs[len(theirs) - count :]
    moving = [(one, other, card) for card in going] + [(other, one, card) for card in coming]
    knowledge.leave_unseen(g, EVERYBODY, moving, in_hand=False, placed=True)
    mine[len(mine) - count :] = coming
    theirs[len(theirs) - count :] = going
