"""Setting up a game (rules.md 1)."""

from __future__ import annotations

from collections.abc import Sequence

from engine import chance, moves, rng
from engine.errors import PositionError
from engine.state import State
from engine.tables import COPIES, JUNK_CARDS, SET_KINDS, SETS, VALUE
from engine.turn import begin_turn
from engine.types import (
    CLASSIC,
    EDITIONS,
    EMPTY,
    HAND_LIMIT,
    JUNK,
    JUNK_PILE,
    MARKET,
    MARKET_DECK,
    SEATS,
    SLOTS,
    Card,
    kind_of,
    make_card,
)

DECK_SIZE = 10
"""Cards of a starting deck (R-SET-02)."""


def edition_number(edition: object) -> int:
    """The number of an edition that can be played (R-EDN-01); PositionError for any other."""
    if edition not in EDITIONS:
        raise PositionError(f"unknown edition {edition!r}: the editions are {', '.join(EDITIONS)}")
    number = EDITIONS.index(str(edition))
    if number != CLASSIC:
        raise PositionError(f"the {edition} edition is not implemented yet: play edition 'classic'")
    return number


def check_players(players: object) -> int:
    """The number of players if it is 2, 3 or 4 (R-CMP-01)."""
    if isinstance(players, bool) or players not in (2, 3, 4):
        raise PositionError(f"{players!r} players: the game is for 2, 3 or 4")
    return int(str(players))


def set_numbers(sets: Sequence[str], players: int) -> tuple[int, ...]:
    """The indices of the sets in play, in the order of SETS; one more than players (R-SET-01)."""
    for name in sets:
        if name not in SETS:
            raise PositionError(f"unknown set {name!r}: the sets are {', '.join(SETS)}")
    if len(set(sets)) < len(sets):
        raise PositionError(f"a set is named twice in {', '.join(sets)}")
    if len(sets) != players + 1:
        raise PositionError(f"{len(sets)} sets for {players} players: it must be {players + 1}, one more than players")
    return tuple(sorted(SETS.index(name) for name in sets))


def random_sets(players: int, seed: int) -> tuple[int, ...]:
    """Sets chosen by the seed, without repetition (R-SET-01)."""
    order = rng.shuffled(list(range(len(SETS))), rng.stream(seed, rng.SETS, 0))
    return tuple(sorted(order[: players + 1]))


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


def new_state(edition: str, players: int, sets: Sequence[str] | None, seed: int, start: str | None) -> State:
    """A dealt game whose first decision is pending (R-SET-01 to R-SET-08). Raises PositionError."""
    number = edition_number(edition)
    players = check_players(players)
    chosen = random_sets(players, seed) if sets is None else set_numbers(sets, players)
    if start is not None and start not in SEATS[:players]:
        raise PositionError(f"unknown start seat {start!r}: the seats are {', '.join(SEATS[:players])}")
    g = State(number, players, chosen, seed)
    first = rng.below(players, rng.stream(seed, rng.START_PLAYER, 0)) if start is None else SEATS.index(start)
    g.zones[MARKET_DECK] = chance.shuffle(g, rng.MARKET_SHUFFLES, market_cards(number, chosen))
    g.zones[MARKET] = [EMPTY] * SLOTS
    decks = starting_decks(number, players, chosen)
    dealt = sum(kind_of(card) == JUNK for deck in decks for card in deck)
    g.zones[JUNK_PILE] = [make_card(JUNK, copy) for copy in range(dealt, JUNK_CARDS)]
    moves.refill_market(g)
    for seat, deck in enumerate(decks):
        g.deck(seat)[:] = chance.shuffle(g, rng.SHUFFLES + seat, deck)
        for _ in range(HAND_LIMIT):
            moves.draw_one(g, seat)
    begin_turn(g, first)
    return g
