"""The whole game as plain data: ints and lists of ints that clone in microseconds and save as JSON.

What a running effect must remember stands in its frame; nothing is kept on the Python call stack
between two choices. `log` is the list events are written to, or None (search), `memo` holds
identities while one legal list is made, `codes` what the market `priced` costs: none of them is part
of the state, saved or compared.
"""

from __future__ import annotations

from typing import Any, Final

from engine import rng
from engine.events import Event
from engine.types import (
    ACTION,
    DECK,
    DISCARD,
    HAND,
    JSON,
    MARKET,
    MARKET_DECK,
    MARKET_DISCARD,
    ZONES_PER_SEAT,
    Card,
    Kind,
    Seat,
)

Alteration = tuple[Card, int, int]
"""A change of value in force: (card or ALL_CARDS, operation, amount), in the order they happened (R-VAL-02)."""
ALL_CARDS: Final[Card] = -1
ADD: Final = 0
SET: Final = 1
COST: Final = 2
"""Changes what market cards cost the active player (remastered, R-MKT-02)."""
LIMIT: Final = 3
"""Changes the hand limit of this turn (remastered, R-CLN-02)."""
COPY: Final = 4
"""Makes the card a copy of a kind for this turn (remastered, R-CPR-02); its value then is set (R-CPR-03).

Being an alteration it ends with all that was tied to the card, and a state with a copy in it never is an ordinary one.
"""

BUILT: Final = 4
"""Added to a seat in `previous` if its action was a stack: more than any seat."""

Lock = tuple[Card, tuple[tuple[int, Card], ...], int]
"""A chameleon that stays a copy (R-CPC-08): the card, its chain of targets, and how many alterations it had before."""


class Frame:
    """A running effect: which program, how far, for whom, and the little it must remember."""

    __slots__ = ("actor", "at", "card", "count", "picked", "program", "seat")

    program: int
    at: int
    actor: Seat
    card: Card
    seat: Seat
    count: int
    picked: list[int]

    def __init__(self, program: int, actor: Seat, card: Card) -> None:
        self.program = program
        self.at = 0
        self.actor = actor
        self.card = card
        self.seat = -1
        self.count = 0
        self.picked = []

    def copy(self) -> Frame:
        """An independent frame with the same content."""
        other = Frame(self.program, self.actor, self.card)
        other.at = self.at
        other.seat = self.seat
        other.count = self.count
        other.picked = self.picked[:]
        return other

    def to_list(self) -> list[JSON]:
        """The frame as JSON."""
        return [self.program, self.at, self.actor, self.card, self.seat, self.count, list(self.picked)]


class State:
    """All that the rest of the game depends on. It is made by ``blank_state`` or as a clone.

    zones: the flat list of zones (types.py). stalls: for each seat its stacks, each a tuple of cards.
    turn: the active seat. rounds: for each seat the number of turns it has begun. previous: the seat
    whose turn has just ended while nobody has decided anything since, else -1 (R-ERR-05); with BUILT
    added if its action was a stack that gives no further one, and this from the action on.
    bonus: the open action is a bonus action. used: cards whose ability was used this turn (R-PAS-06).
    counted: chameleons that counted as Cookies in this clean-up (R-CLN-08).
    known: for a card in a hidden zone, the mask of seats that know where it is.
    limbo: for each seat, of the cards of which it no longer knows which hidden pool holds them, a class (knowledge.py).
    counters: how often each source of randomness was used. forced: outcomes fixed beforehand, next first.
    substitutes: junk substitutes made so far (R-JNK-04). forfeited: mask of seats that take no more turns.
    gold: what each seat has in the tournament variant (R-TRM-02); () in a standard game.
    """

    __slots__ = (
        "alterations",
        "bonus",
        "codes",
        "counted",
        "counters",
        "edition",
        "forced",
        "forfeited",
        "frames",
        "gold",
        "known",
        "limbo",
        "locks",
        "log",
        "memo",
        "phase",
        "players",
        "previous",
        "priced",
        "rounds",
        "seed",
        "sets",
        "stalls",
        "substitutes",
        "turn",
        "used",
        "winner",
        "zones",
    )

    edition: int
    players: int
    sets: tuple[int, ...]
    seed: int
    zones: list[list[Card]]
    stalls: list[list[tuple[Card, ...]]]
    turn: Seat
    rounds: list[int]
    previous: Seat
    phase: int
    bonus: bool
    alterations: list[Alteration]
    locks: list[Lock]
    used: list[Card]
    counted: list[Card]
    known: dict[Card, int]
    limbo: list[dict[Card, int]]
    frames: list[Frame]
    counters: list[int]
    forced: list[tuple[str, Any]]
    substitutes: int
    forfeited: int
    gold: tuple[int, ...]
    winner: Seat
    log: list[Event] | None
    memo: dict[Card, list[Any]] | None
    priced: list[Card]
    codes: tuple[int, int, int, int, int]

    def hand(self, seat: Seat) -> list[Card]:
        """A seat's hand, in order of arrival."""
        return self.zones[HAND + ZONES_PER_SEAT * seat]

    def deck(self, seat: Seat) -> list[Card]:
        """A seat's deck; the last card is the top."""
        return self.zones[DECK + ZONES_PER_SEAT * seat]

    def discard(self, seat: Seat) -> list[Card]:
        """A seat's discard pile; the last card is the top."""
        return self.zones[DISCARD + ZONES_PER_SEAT * seat]

    @property
    def market(self) -> list[Card]:
        """The five slots, slot 0 first; EMPTY where there is no card."""
        return self.zones[MARKET]

    @property
    def market_deck(self) -> list[Card]:
        """The market deck; the last card is the top."""
        return self.zones[MARKET_DECK]

    @property
    def market_discard(self) -> list[Card]:
        """The market discard; the last card is the top."""
        return self.zones[MARKET_DISCARD]

    def clone(self) -> State:
        """An independent copy, in the middle of an effect too; it has no log."""
        other = State()
        other.edition = self.edition
        other.players = self.players
        other.sets = self.sets
        other.seed = self.seed
        other.zones = list(map(_copy_cards, self.zones))
        other.stalls = list(map(_copy_stall, self.stalls))
        other.turn = self.turn
        other.rounds = self.rounds[:]
        other.previous = self.previous
        other.phase = self.phase
        other.bonus = self.bonus
        other.alterations = self.alterations[:]
        other.locks = self.locks[:]
        other.used = self.used[:]
        other.counted = self.counted[:]
        other.known = self.known.copy()
        other.limbo = list(map(_copy_marks, self.limbo))
        other.frames = [frame.copy() for frame in self.frames]
        other.counters = self.counters[:]
        other.forced = self.forced[:]
        other.substitutes = self.substitutes
        other.forfeited = self.forfeited
        other.gold = self.gold
        other.winner = self.winner
        other.log = None
        other.memo = None
        other.priced = self.priced
        other.codes = self.codes
        return other


_copy_cards = list[Card].copy
_copy_marks = dict[Card, int].copy
_copy_stall = list[tuple[Card, ...]].copy


def blank_state(edition: int, players: int, sets: tuple[int, ...], seed: int) -> State:
    """A state of a game in which no card lies anywhere yet."""
    g = State()
    g.edition = edition
    g.players = players
    g.sets = sets
    g.seed = seed
    g.zones = [[] for _ in range(HAND + ZONES_PER_SEAT * players)]
    g.stalls = [[] for _ in range(players)]
    g.turn = 0
    g.rounds = [0] * players
    g.previous = -1
    g.phase = ACTION
    g.bonus = False
    g.alterations = []
    g.locks = []
    g.used = []
    g.counted = []
    g.known = {}
    g.limbo = [{} for _ in range(players)]
    g.frames = []
    g.counters = [0] * rng.SOURCES
    g.forced = []
    g.substitutes = 0
    g.forfeited = 0
    g.gold = ()
    g.winner = -1
    g.log = None
    g.memo = None
    g.priced = []
    g.codes = (0, 0, 0, 0, 0)
    return g


def copy_of(g: State, card: Card) -> Kind:
    """The kind a remastered chameleon has copied (R-CPR-02), -1 for a card that has copied nothing."""
    for altered, operation, kind in g.alterations:
        if operation == COPY and altered == card:
            return kind
    return -1
