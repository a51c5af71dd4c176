"""Dealing: starting decks, market deck, market and first hands (R-SET-02 to R-SET-07), and starting gold (R-TRM-02)."""

from __future__ import annotations

from typing import Final

from engine import chance, moves, rng
from engine.state import State
from engine.tables import COPIES, JUNK_CARDS, SET_KINDS, VALUE
from engine.types import (
    EMPTY,
    HAND_LIMIT,
    JUNK,
    JUNK_PILE,
    MARKET,
    MARKET_DECK,
    SLOTS,
    Card,
    Seat,
    kind_of,
    make_card,
)

DECK_SIZE: Final = 10
"""Cards of a starting deck (R-SET-02)."""


def starting_decks(edition: int, players: int, sets: tuple[int, ...]) -> list[list[Card]]:
    """One value-1 card of every set and junk up to ten cards, for each seat, unshuffled (R-SET-02)."""
    ones = [SET_KINDS[edition][number][0] for number in sets]
    junk = DECK_SIZE - len(ones)
    decks = []
    for seat in range(players):
        deck = [make_card(kind, seat) for kind in ones]
        deck += [make_card(JUNK, seat * junk + copy) for copy in range(junk)]
        decks.append(deck)
    return decks


def market_cards(edition: int, sets: tuple[int, ...]) -> list[Card]:
    """All cards of values 2 to 5 of the sets in play, unshuffled (R-SET-05)."""
    kinds = [kind for number in sets for kind in SET_KINDS[edition][number] if VALUE[kind] > 1]
    return [make_card(kind, copy) for kind in kinds for copy in range(COPIES[VALUE[kind]])]


def deal(g: State) -> None:
    """Deal the cards of the sets in play; nothing of it is an event."""
    log, g.log = g.log, None
    g.zones[MARKET_DECK] = chance.shuffle(g, rng.MARKET_SHUFFLES, market_cards(g.edition, g.sets))
    g.zones[MARKET] = [EMPTY] * SLOTS
    decks = starting_decks(g.edition, g.players, g.sets)
    dealt = sum(kind_of(card) == JUNK for deck in decks for card in deck)
    g.zones[JUNK_PILE] = [make_card(JUNK, copy) for copy in range(dealt, JUNK_CARDS)]
    moves.refill_market(g)
    for seat, deck in enumerate(decks):
        g.deck(seat)[:] = chance.shuffle(g, rng.SHUFFLES + seat, deck)
        for _ in range(HAND_LIMIT):
            moves.draw_one(g, seat)
    g.log = log


def starting_gold(players: int, first: Seat) -> tuple[int, ...]:
    """The gold of each seat: 0, 1, 2, 3 by place in turn order from the start player (R-TRM-02)."""
    return tuple([(seat - first) % players for seat in range(players)])
