"""The clean-up phase: hand limit, draw step, market refill (rules.md 13)."""

from __future__ import annotations

from typing import Final

from engine import knowledge, moves
from engine.announce import announce
from engine.copying import copies_on, identities, surely_other
from engine.state import State
from engine.tables import CHAMELEON_SET, COOKIES, HAND_RAISER, IS_CHAMELEON, SETS
from engine.types import (
    CLASSIC,
    DECK,
    EMPTY,
    END_OF_TURN,
    HAND,
    HAND_LIMIT,
    KIND_MASK,
    MARKET,
    ZONES_PER_SEAT,
    Card,
    Seat,
)
from engine.values import limit_shift, plain

_COOKIES_SET: Final = SETS.index("macaws")


def clean_up(g: State) -> None:
    """Draw step and market refill in the order of the edition (R-REF-03); then the end-of-turn window (R-CLN-01)."""
    if g.edition == CLASSIC:
        draw_to_limit(g, g.turn)
        if EMPTY in g.zones[MARKET]:
            moves.refill_market(g)
    else:
        moves.refill_market(g)
        draw_to_limit(g, g.turn)
    g.phase = END_OF_TURN


def _forced_cookies(g: State, seat: Seat) -> list[Card]:
    """Chameleons whose only reachable identity is Cookies (R-CLN-08)."""
    found = []
    for card in g.hand(seat):
        if IS_CHAMELEON[card & KIND_MASK] and copies_on(g, card) and not surely_other(g, seat, card, COOKIES):
            reached = identities(g, seat, card)
            if all([one.kind == COOKIES for one in reached]):
                found.append(card)
    return found


def hand_limit(g: State, seat: Seat) -> int:
    """The hand limit if the draw step came now (R-CLN-02, R-PAS-02, MAC2c-1 to MAC2c-4)."""
    hand = g.hand(seat)
    limit = HAND_LIMIT
    if g.alterations:
        limit += limit_shift(g)
    if g.edition != CLASSIC:
        return limit
    if _may_copy_cookies(g) and _has_chameleon(hand):
        return limit + _limit_by_copies(g, seat, hand)
    return limit + _cookies_in(hand)


def _cookies_in(cards: list[Card]) -> int:
    return sum([card & KIND_MASK == COOKIES for card in cards])


def _may_copy_cookies(g: State) -> bool:
    """Whether a chameleon can count for the hand limit at all: classic ones, if both sets are in play."""
    return g.edition == CLASSIC and CHAMELEON_SET in g.sets and _COOKIES_SET in g.sets


def _limit_by_copies(g: State, seat: Seat, hand: list[Card]) -> int:
    counted = set(g.counted) | set(_forced_cookies(g, seat))
    count = 0
    for card in hand:
        if card & KIND_MASK == COOKIES or card in counted or (g.locks and plain(g, card).kind == COOKIES):
            count += 1
    return count


def draw_to_limit(g: State, seat: Seat) -> None:
    """The draw step: single draws up to the limit, which each Cookies drawn raises; then junk (R-CLN-03, R-CLN-04).

    It is not optional, and a larger hand stays as it is (R-CLN-05, R-CLN-07, R-DRW-05, R-EFF-09).
    """
    hand = g.zones[HAND + ZONES_PER_SEAT * seat]
    before = len(hand)
    copying = CHAMELEON_SET in g.sets and _may_copy_cookies(g)
    junk = _draw_with_copies(g, seat, hand) if copying else _draw(g, seat, hand)
    if g.log is not None:
        # junk comes only when there is nothing left to draw
        _report_draw(g, seat, hand[before : len(hand) - junk], junk)
    if copying:
        _count(g, seat)


def _draw(g: State, seat: Seat, hand: list[Card]) -> int:
    """The draw step where no chameleon counts as Cookies; the number of junk cards taken."""
    deck = g.zones[DECK + ZONES_PER_SEAT * seat]
    raiser = HAND_RAISER[g.edition]
    limit = HAND_LIMIT
    if g.alterations:
        limit += limit_shift(g)
    for card in hand:
        if card & KIND_MASK == raiser:
            limit += 1
    junk = 0
    while (missing := limit - len(hand)) > 0:
        top = deck[: -missing - 1 : -1]
        if top and g.known.keys().isdisjoint(top) and not knowledge.any_lost(g, top):
            # drawn one by one it would be the same
            del deck[-len(top) :]
            hand += top
            for card in top:
                if card & KIND_MASK == raiser:
                    limit += 1
        else:
            card = moves.draw_one(g, seat)
            if card == EMPTY:
                moves.take_junk(g, seat)
                junk += 1
            elif card & KIND_MASK == raiser:
                limit += 1
    return junk


def _draw_with_copies(g: State, seat: Seat, hand: list[Card]) -> int:
    """The draw step where chameleons may count as Cookies: the limit is found anew after every card."""
    junk = 0
    copying = _has_chameleon(hand)
    limit = hand_limit(g, seat)
    while len(hand) < limit:
        card = moves.draw_one(g, seat)
        if card == EMPTY:
            moves.take_junk(g, seat)
            junk += 1
        kind = hand[-1] & KIND_MASK
        copying = copying or IS_CHAMELEON[kind]
        if copying:
            limit = hand_limit(g, seat)
        elif kind == COOKIES:
            limit += 1
    return junk


def _count(g: State, seat: Seat) -> None:
    """Chameleons that had to count as Cookies were used: everybody is told (R-CPC-02, R-CPC-10)."""
    for card in _forced_cookies(g, seat):
        if card not in g.counted:
            g.counted.append(card)
            knowledge.show_in_hand(g, seat, card)
            announce(g, seat, card, identities(g, seat, card)[0].chain)


def _report_draw(g: State, seat: Seat, drawn: list[Card], junk: int) -> None:
    """What was drawn is private, how much junk was taken is public (R-JNK-03)."""
    if drawn:
        moves.emit_private(g, "draw", seat, 1 << seat, {"cards": moves.names(drawn)}, count=len(drawn))
    if junk:
        moves.emit(g, "junk", seat, count=junk)


def _has_chameleon(hand: list[Card]) -> bool:
    return any([IS_CHAMELEON[card & KIND_MASK] for card in hand])
