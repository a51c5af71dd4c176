"""Positions written by hand: the `state` of a scenario file becomes a State, and back (contract section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import chance, moves, rng
from engine.errors import PositionError
from engine.setup import check_players, edition_number, market_cards, random_sets, set_numbers, starting_decks
from engine.state import State
from engine.tables import DIE, JUNK_CARDS, KINDS, SET_OF, SETS
from engine.turn import begin_turn
from engine.types import (
    DECK,
    DISCARD,
    EMPTY,
    HAND,
    HAND_LIMIT,
    JSON,
    JUNK,
    JUNK_PILE,
    MARKET,
    MARKET_DECK,
    MARKET_DISCARD,
    SEATS,
    SLOTS,
    STACKS,
    ZONES_PER_SEAT,
    Card,
    Kind,
    kind_of,
    make_card,
)

SHARED_ZONES = ("market", "market_deck", "market_discard", "junk_pile")
SEAT_ZONES = ("hand", "deck", "discard", "stall")
MOST_JUNK = 200
"""Most junk cards a position may have in the pile."""
_FIELDS = ("edition", "players", "sets", "seed", "turn", "state", "random")


class _Box:
    """Hands out physical cards by name; a position may use more copies than the box holds."""

    def __init__(self, g: State) -> None:
        self.g = g
        self.next: dict[Kind, int] = {}

    def card(self, slug: object, where: str) -> Card:
        """A new card of this name. Raises PositionError for a name that is not in this game."""
        kind = KINDS.get(slug, -1) if isinstance(slug, str) else -1
        if kind < 0 or (kind != JUNK and SET_OF[self.g.edition][kind] not in self.g.sets):
            sets = ", ".join(SETS[number] for number in self.g.sets)
            raise PositionError(f"unknown card {slug!r} in {where}: cards of this game are junk and the sets {sets}")
        copy = self.next.get(kind, 0)
        self.next[kind] = copy + 1
        return make_card(kind, copy)

    def cards(self, slugs: object, where: str) -> list[Card]:
        """New cards of these names."""
        if not isinstance(slugs, list | tuple):
            raise PositionError(f"{where} must be a list of cards, not {slugs!r}")
        return [self.card(slug, where) for slug in slugs]


def state_from_position(position: Mapping[str, Any]) -> State:
    """Build the state a scenario describes; what it leaves open is dealt by its seed. Raises PositionError."""
    unknown = [field for field in position if field not in _FIELDS]
    if unknown:
        raise PositionError(f"unknown field {unknown[0]!r} in the position: the fields are {', '.join(_FIELDS)}")
    edition = edition_number(position.get("edition", "classic"))
    players = check_players(position.get("players", 2))
    seed = position.get("seed", 1)
    sets = position.get("sets")
    g = State(edition, players, random_sets(players, seed) if sets is None else set_numbers(sets, players), seed)
    stated = position.get("state") or {}
    _check_names(g, stated)
    _build(g, stated)
    turn = position.get("turn", "A")
    if turn not in SEATS[:players]:
        raise PositionError(f"unknown seat {turn!r} in turn: the seats are {', '.join(SEATS[:players])}")
    g.forced = [_forced(entry) for entry in position.get("random") or []]
    begin_turn(g, SEATS.index(turn))
    return g


def _check_names(g: State, stated: Mapping[str, Any]) -> None:
    seats = SEATS[: g.players]
    for zone, content in stated.items():
        if zone not in SHARED_ZONES and zone not in seats:
            raise PositionError(f"unknown zone {zone!r} in state: use {', '.join((*SHARED_ZONES, *seats))}")
        if zone in seats:
            for own in content:
                if own not in SEAT_ZONES:
                    raise PositionError(f"unknown zone {own!r} of seat {zone}: use {', '.join(SEAT_ZONES)}")


def _build(g: State, stated: Mapping[str, Any]) -> None:
    box = _Box(g)
    _stated_zones(g, stated, box)
    pool = _rest(market_cards(g.edition, g.sets), g)
    if "market_deck" not in stated:
        g.zones[MARKET_DECK] = chance.shuffle(g, rng.MARKET_SHUFFLES, pool)
    if "market" not in stated:
        row = [g.zones[MARKET_DECK].pop() for _ in range(min(SLOTS, len(g.zones[MARKET_DECK])))]
        g.zones[MARKET] = row + [EMPTY] * (SLOTS - len(row))
    decks = starting_decks(g.edition, g.players, g.sets)
    for seat in range(g.players):
        _deal_seat(g, seat, stated.get(SEATS[seat]) or {}, decks[seat], box)
    if "junk_pile" not in stated:
        junk = sum(kind_of(card) == JUNK for zone in g.zones for card in zone if card != EMPTY)
        g.zones[JUNK_PILE] = [box.card("junk", "junk_pile") for _ in range(max(0, JUNK_CARDS - junk))]


def _stated_zones(g: State, stated: Mapping[str, Any], box: _Box) -> None:
    if "market" in stated:
        slots = list(stated["market"])
        if len(slots) > SLOTS:
            raise PositionError(f"market has {len(slots)} slots: it has {SLOTS}")
        row = [EMPTY if slug is None else box.card(slug, "market") for slug in slots]
        g.zones[MARKET] = row + [EMPTY] * (SLOTS - len(row))
    else:
        g.zones[MARKET] = [EMPTY] * SLOTS
    if "market_deck" in stated:
        g.zones[MARKET_DECK] = box.cards(stated["market_deck"], "market_deck")[::-1]
    g.zones[MARKET_DISCARD] = box.cards(stated.get("market_discard", []), "market_discard")
    if "junk_pile" in stated:
        count = stated["junk_pile"]
        if not isinstance(count, int) or not 0 <= count <= MOST_JUNK:
            raise PositionError(f"junk_pile must be a number of cards from 0 to {MOST_JUNK}, not {count!r}")
        g.zones[JUNK_PILE] = [box.card("junk", "junk_pile") for _ in range(count)]
    for seat in range(g.players):
        own = stated.get(SEATS[seat]) or {}
        base = ZONES_PER_SEAT * seat
        for name, zone in (("hand", HAND), ("deck", DECK), ("discard", DISCARD)):
            if name in own:
                cards = box.cards(own[name], f"{name} of {SEATS[seat]}")
                g.zones[zone + base] = cards[::-1] if name == "deck" else cards
        stall = own.get("stall", [])
        if len(stall) >= STACKS:
            raise PositionError(f"stall of {SEATS[seat]} has {len(stall)} stacks: with {STACKS} the game would be over")
        g.stalls[seat] = [tuple(box.cards(stack, f"stall of {SEATS[seat]}")) for stack in stall]


def _rest(cards: list[Card], g: State) -> list[Card]:
    """The cards of a starting pile without those the position has already used, by name."""
    placed = [card for zone in g.zones for card in zone] + [
        card for stall in g.stalls for stack in stall for card in stack
    ]
    used: dict[Kind, int] = {}
    for card in placed:
        if card != EMPTY:
            used[kind_of(card)] = used.get(kind_of(card), 0) + 1
    seen: dict[Kind, int] = {}
    rest: list[Card] = []
    for card in cards:
        kind = kind_of(card)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] > used.get(kind, 0):
            rest.append(make_card(kind, seen[kind] - 1))
    return rest


def _deal_seat(g: State, seat: int, own: Mapping[str, Any], deck: list[Card], box: _Box) -> None:
    """Deal hand and deck of a seat where they are not stated."""
    if "deck" in own and "hand" in own:
        return
    names = [moves.name(card) for card in deck]
    for card in g.hand(seat) + g.deck(seat) + g.discard(seat):
        if moves.name(card) in names:
            names.remove(moves.name(card))
    cards = chance.shuffle(g, rng.SHUFFLES + seat, box.cards(names, f"deck of {SEATS[seat]}"))
    if "hand" not in own:
        g.hand(seat)[:] = cards[len(cards) - HAND_LIMIT :]
        cards = cards[: len(cards) - HAND_LIMIT]
    if "deck" not in own:
        g.deck(seat)[:] = cards


def _forced(entry: object) -> tuple[str, object]:
    """One forced outcome: die, pick or shuffle."""
    if not isinstance(entry, Mapping) or len(entry) != 1:
        raise PositionError(f"a forced outcome is one of die, pick or shuffle, not {entry!r}")
    ((kind, outcome),) = entry.items()
    if kind == "die":
        if not isinstance(outcome, int) or not any(outcome in faces for faces in DIE):
            raise PositionError(f"a forced die shows a face of the die, not {outcome!r}")
        return kind, outcome
    if kind not in ("pick", "shuffle") or not isinstance(outcome, list):
        raise PositionError(f"a forced outcome is die: number, pick: cards or shuffle: cards, not {entry!r}")
    for slug in outcome:
        if slug not in KINDS:
            raise PositionError(f"unknown card {slug!r} in a forced {kind}")
    return kind, list(outcome)


def position_of(g: State) -> dict[str, JSON]:
    """All zones in the form of a scenario's `state`, and how many forced outcomes are left."""
    result: dict[str, JSON] = {
        "market": [None if card == EMPTY else moves.name(card) for card in g.market],
        "market_deck": moves.names(g.market_deck[::-1]),
        "market_discard": moves.names(g.market_discard),
        "junk_pile": len(g.zones[JUNK_PILE]),
    }
    for seat in range(g.players):
        result[SEATS[seat]] = {
            "hand": moves.names(g.hand(seat)),
            "deck": moves.names(g.deck(seat)[::-1]),
            "discard": moves.names(g.discard(seat)),
            "stall": [moves.names(stack) for stack in g.stalls[seat]],
        }
    result["random_left"] = len(g.forced)
    return result
