"""How many cards of each name are taken from a hand, as one number, and which cards these are (R-DIS-02).

A choice is a number written in digits, one for each group of alike cards: how many of its cards are taken. The first
group's digit is the lowest, and each digit has room for as many as there are cards of its group.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Final

from engine.caches import make_room
from engine.types import KIND_MASK, Card, Kind

Choice = int
Places = dict[Kind, int]
"""The group of each kind in a hand."""

MOST_CARDS: Final = 8
"""So many cards are taken by a table of masks, one byte for each choice."""
_BITS: Final = 3
_MASKS: Final[dict[int, bytes]] = {}
_MASKS_KEPT: Final = 10_000

Taker = Callable[[tuple[Card, ...]], tuple[Card, ...]]


def _taker(mask: int) -> Taker:
    """Takes the cards whose places are the bits of a mask, as a tuple."""
    places = [place for place in range(MOST_CARDS) if mask >> place & 1]
    if len(places) > 1:
        return itemgetter(*places)
    first = places[0] if places else 0
    return itemgetter(slice(first, first + len(places)))


TAKERS: Final = tuple(_taker(mask) for mask in range(1 << MOST_CARDS))
"""By mask."""


def masks_of(cards: list[Card], places: Places) -> bytes:
    """By choice the mask of the places of its cards, for at most eight cards.

    Hands in which alike cards lie in the same places share the table.
    """
    pattern = 1
    for card in cards:
        pattern = pattern << _BITS | places[card & KIND_MASK]
    return _MASKS.get(pattern) or _masks(pattern, len(cards))


def masks_by_group(cards: list[Card], groups: list[list[Card]]) -> bytes:
    """The same for cards given in groups of alike ones, the first group's digit the lowest."""
    place_of = {card: place for place, group in enumerate(groups) for card in group}
    pattern = 1
    for card in cards:
        pattern = pattern << _BITS | place_of[card]
    return _MASKS.get(pattern) or _masks(pattern, len(cards))


def _masks(pattern: int, count: int) -> bytes:
    taken: list[list[int]] = []
    for place in range(count):
        group = pattern >> _BITS * (count - 1 - place) & MOST_CARDS - 1
        while group >= len(taken):
            taken.append([0])
        ways = taken[group]
        ways.append(ways[-1] | 1 << place)
    made = [0]
    for ways in taken:
        made = [mask | more for more in ways for mask in made]
    make_room(_MASKS, _MASKS_KEPT)
    masks = _MASKS[pattern] = bytes(made)
    return masks


def cards_of(cards: list[Card], places: Places, choice: Choice) -> tuple[Card, ...]:
    """The cards of a choice, in their order; of alike ones the first."""
    if len(cards) <= MOST_CARDS:
        pattern = 1
        for card in cards:
            pattern = pattern << _BITS | places[card & KIND_MASK]
        masks = _MASKS.get(pattern) or _masks(pattern, len(cards))
        return TAKERS[masks[choice]](tuple(cards))
    kinds = [card & KIND_MASK for card in cards]
    left: dict[Kind, int] = {}
    for kind in sorted(places, key=places.__getitem__):
        choice, left[kind] = divmod(choice, kinds.count(kind) + 1)
    chosen = []
    for card, kind in zip(cards, kinds, strict=True):
        if left[kind]:
            left[kind] -= 1
            chosen.append(card)
    return tuple(chosen)
