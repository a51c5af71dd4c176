"""Wrong answers the questions share: names that are not there, one card twice, seats and slots that do not exist.

Each is a claim for `Question.wrong`: a code and the field that breaks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from engine.frames import Wrong
from engine.moves import name
from engine.references import Reader, absent_name, copy_name, kinds_of, numbered_name, strangers
from engine.state import Frame, State
from engine.types import EMPTY, JSON, SEATS, SLOTS, Card
from engine.verbs.asking import opponents_of, rest_of_hand

NO_SLOT: Final = f"slot_{SLOTS}"
"""One slot too far."""


def wrong_hand_cards(g: State, f: Frame) -> Iterator[Wrong]:
    """In `cards`, as if in the own hand: what is not in it (R-ERR-05), the card being played, one card twice."""
    hand = g.hand(f.actor)
    reader = Reader(g, f.actor)
    reader.playing = f.card
    for kind in kinds_of(g):
        yield reader.absent_from_hand(kind), {"cards": [absent_name(hand, kind)]}
    if f.card in hand:
        yield "self_reference", {"cards": [copy_name(hand, f.card)]}
    yield from unknown_cards(g)
    yield from twice(rest_of_hand(g, f), hand)


def too_many_cards(g: State, f: Frame) -> Iterator[Wrong]:
    """In `cards`, two of the own hand, the card itself if there are no others."""
    names: list[JSON] = [copy_name(g.hand(f.actor), card) for card in rest_of_hand(g, f)]
    own = name(f.card)
    for pair in pairwise([*names, own, own]):
        yield "too_many_targets", {"cards": [*pair]}


def wrong_cards(g: State, zone: list[Card], missing: str) -> Iterator[Wrong]:
    """In `cards`, as if in this zone: what is not in it, which is blamed with `missing`, and one card twice."""
    for kind in kinds_of(g):
        yield missing, {"cards": [absent_name(zone, kind)]}
    yield from unknown_cards(g)
    yield from twice(zone, zone)


def unknown_cards(g: State) -> Iterator[Wrong]:
    """In `cards`, a card of another game."""
    for slug in strangers(g):
        yield "unknown_card", {"cards": [slug]}


def twice(cards: list[Card], zone: list[Card]) -> Iterator[Wrong]:
    """In `cards`, the same copy two times."""
    for card in cards:
        name = numbered_name(zone, card)
        yield "duplicate_card", {"cards": [name, name]}


def wrong_opponents(g: State, f: Frame, most: int) -> Iterator[Wrong]:
    """In `opponents`: oneself, nobody, the same player twice, too many."""
    others = [SEATS[seat] for seat in opponents_of(g, f)]
    yield "target_self", {"opponents": [SEATS[f.actor]]}
    yield "target_unknown_player", {"opponents": [no_seat(g)]}
    for seat in others:
        yield "too_many_targets", {"opponents": [seat, seat]}
    if len(others) > most:
        yield "too_many_targets", {"opponents": [*others[: most + 1]]}


def no_seat(g: State) -> str:
    """One seat too far."""
    return "ABCDE"[g.players]


def wrong_slots(g: State) -> Iterator[Wrong]:
    """In `slots`: what is no slot, and slots that hold no card."""
    yield "slot_out_of_range", {"slots": [NO_SLOT]}
    for slot, card in enumerate(g.market):
        if card == EMPTY:
            yield "slot_empty", {"slots": [f"slot_{slot}"]}


def occupied_slots(g: State) -> list[str]:
    """The slots with a card, as they are written."""
    return [f"slot_{slot}" for slot, card in enumerate(g.market) if card != EMPTY]
