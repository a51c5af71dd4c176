"""Positions written by hand: the `state` of a scenario file becomes a State, and back (contract section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine import chance, moves, rng
from engine.deal import market_cards, starting_decks, starting_gold
from engine.errors import PositionError
from engine.references import split_name
from engine.setup import check_players, edition_number, is_tournament, random_sets, set_numbers
from engine.state import State, blank_state
from engine.tables import DIE, JUNK_CARDS, KINDS, SET_OF, SETS
from engine.turn import begin_turn, run
from engine.types import (
    DECK,
    DISCARD,
    EDITIONS,
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
    STANDARD,
    VARIANTS,
    ZONES_PER_SEAT,
    Card,
    Kind,
    kind_of,
    make_card,
)
from engine.verbs.draft import open_draft

SHARED_ZONES: Final = ("market", "market_deck", "market_discard", "junk_pile")
SEAT_ZONES: Final = ("hand", "deck", "discard", "stall")
MOST_GOLD: Final = 20
"""Most gold a position may give a seat."""
MOST_JUNK: Final = 200
"""Most junk cards a position may have in the pile."""
_FIELDS: Final = ("edition", "variant", "players", "sets", "seed", "turn", "state", "random")


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
        return [self.card(slug, where) for slug in _sequence(slugs, where)]


def _sequence(value: object, where: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise PositionError(f"{where} must be a list of cards, not {value!r}")
    return list(value)


def _number(value: object, where: str, lowest: int, highest: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= highest:
        raise PositionError(f"{where} must be a whole number from {lowest} to {highest}, not {value!r}")
    return value


def _mapping(value: object, where: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    """A mapping with known keys only; nothing at all is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise PositionError(f"{where} must have the fields {', '.join(allowed)}, not be {value!r}")
    for key in value:
        if key not in allowed:
            raise PositionError(f"unknown field {key!r} in {where}: the fields are {', '.join(allowed)}")
    return dict(value)


def state_from_position(position: Mapping[str, Any]) -> State:
    """Build the state a scenario describes; what it leaves open is dealt by its seed. Raises PositionError."""
    given = _mapping(position, "the position", _FIELDS)
    edition = edition_number(given.get("edition", EDITIONS[0]))
    tournament = is_tournament(given.get("variant", VARIANTS[STANDARD]))
    players = check_players(given.get("players", 2))
    seed = _number(given.get("seed", 1), "seed", -(2**63), 2**64)
    sets = given.get("sets")
    numbers: tuple[int, ...] = ()
    if sets is not None:
        numbers = set_numbers([str(one) for one in _sequence(sets, "sets")], players)
    elif not tournament:
        numbers = random_sets(players, seed)
    g = blank_state(edition, players, numbers, seed)
    seats = tuple(SEATS[:players])
    stated = _mapping(given.get("state"), "state", (*SHARED_ZONES, *seats))
    fields = (*SEAT_ZONES, "gold") if tournament else SEAT_ZONES
    own = {seat: _mapping(stated.get(seat), f"seat {seat}", fields) for seat in seats}
    turn = given.get("turn", seats[0])
    if turn not in seats:
        raise PositionError(f"unknown seat {turn!r} in turn: the seats are {', '.join(seats)}")
    forced = [_forced(entry) for entry in _sequence(given.get("random") or [], "random")]
    if tournament:
        g.gold = starting_gold(players, seats.index(turn))
    if numbers:
        _build(g, stated, own)
        begin_turn(g, seats.index(turn))
    elif stated:
        raise PositionError("state needs sets: in the tournament variant without sets the draft comes before the deal")
    else:
        open_draft(g, seats.index(turn))
        run(g)
    g.forced = forced
    return g


def _build(g: State, stated: dict[str, Any], own: dict[str, dict[str, Any]]) -> None:
    box = _Box(g)
    _shared_zones(g, stated, box)
    for seat in range(g.players):
        _stated_seat(g, seat, own[SEATS[seat]], box)
    _deal_market(g, stated)
    decks = starting_decks(g.edition, g.players, g.sets)
    for seat in range(g.players):
        _deal_seat(g, seat, own[SEATS[seat]], decks[seat], box)
    if "junk_pile" not in stated:
        junk = sum(kind_of(card) == JUNK for zone in g.zones for card in zone if card != EMPTY)
        g.zones[JUNK_PILE] = [box.card("junk", "junk_pile") for _ in range(max(0, JUNK_CARDS - junk))]


def _shared_zones(g: State, stated: dict[str, Any], box: _Box) -> None:
    g.zones[MARKET] = [EMPTY] * SLOTS
    if "market" in stated:
        slots = _sequence(stated["market"], "market")
        if len(slots) > SLOTS:
            raise PositionError(f"market has {len(slots)} slots: it has {SLOTS}")
        for slot, slug in enumerate(slots):
            g.market[slot] = EMPTY if slug is None else box.card(slug, "market")
    if "market_deck" in stated:
        g.zones[MARKET_DECK] = box.cards(stated["market_deck"], "market_deck")[::-1]
    g.zones[MARKET_DISCARD] = box.cards(stated.get("market_discard", []), "market_discard")
    if "junk_pile" in stated:
        count = _number(stated["junk_pile"], "junk_pile", 0, MOST_JUNK)
        g.zones[JUNK_PILE] = [box.card("junk", "junk_pile") for _ in range(count)]


def _stated_seat(g: State, seat: int, own: dict[str, Any], box: _Box) -> None:
    base = ZONES_PER_SEAT * seat
    for name, zone in (("hand", HAND), ("deck", DECK), ("discard", DISCARD)):
        if name in own:
            cards = box.cards(own[name], f"{name} of {SEATS[seat]}")
            g.zones[zone + base] = cards[::-1] if name == "deck" else cards
    where = f"stall of {SEATS[seat]}"
    stall = _sequence(own.get("stall", []), where)
    if len(stall) >= STACKS:
        raise PositionError(f"{where} has {len(stall)} stacks: with {STACKS} the game would be over")
    g.stalls[seat] = [tuple(box.cards(stack, where)) for stack in stall]
    if "gold" in own:
        gold = _number(own["gold"], f"gold of {SEATS[seat]}", 0, MOST_GOLD)
        g.gold = (*g.gold[:seat], gold, *g.gold[seat + 1 :])


def _deal_market(g: State, stated: dict[str, Any]) -> None:
    """Deal the market and its deck where they are not stated, from the starting cards that lie nowhere yet."""
    rest = chance.shuffle(g, rng.MARKET_SHUFFLES, _rest(market_cards(g.edition, g.sets), g))
    if "market" not in stated:
        row = [rest.pop() for _ in range(min(SLOTS, len(rest)))]
        g.zones[MARKET] = row + [EMPTY] * (SLOTS - len(row))
    if "market_deck" not in stated:
        g.zones[MARKET_DECK] = rest


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


def _deal_seat(g: State, seat: int, own: dict[str, Any], deck: list[Card], box: _Box) -> None:
    """Deal hand and deck of a seat where they are not stated, from what is left of its starting cards."""
    if "deck" in own and "hand" in own:
        return
    names = [moves.name(card) for card in deck]
    for card in g.hand(seat) + g.deck(seat) + g.discard(seat):
        if moves.name(card) in names:
            names.remove(moves.name(card))
    cards = chance.shuffle(g, rng.SHUFFLES + seat, box.cards(names, f"deck of {SEATS[seat]}"))
    if "hand" not in own:
        dealt = min(HAND_LIMIT, len(cards))
        g.hand(seat)[:] = cards[len(cards) - dealt :]
        cards = cards[: len(cards) - dealt]
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
        if not isinstance(slug, str) or not _may_be_forced(kind, slug):
            raise PositionError(f"unknown card {slug!r} in a forced {kind}")
    return kind, list(outcome)


def _may_be_forced(kind: str, name: str) -> bool:
    """Whether a shuffle can name it, a slug, or a pick, a slug or one copy as `slug#n` (contract section 2)."""
    slug, number = split_name(name)
    return slug in KINDS and (number == 0 or (number > 0 and kind == "pick"))


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
            **({"gold": g.gold[seat]} if g.gold else {}),
        }
    result["random_left"] = len(g.forced)
    return result
