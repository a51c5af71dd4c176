"""Which table a hand has: read once for all hands of the same cards, and kept.

A card is one thing unless it is a chameleon that must copy (R-CPC-03).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.caches import make_room
from engine.choices import Choice
from engine.groups import COPIES_CARDS, Groups
from engine.hand_parts import NIBBLE, TRAIT_SHIFT, Group, HandPart, mark_of
from engine.hand_tables import HandTable
from engine.state import State
from engine.tables import SET_KINDS, SLUGS, VALUE
from engine.types import EDITIONS, JUNK, KIND_MASK, Card, Kind
from engine.values import plain

_PRINTED: Final = tuple(
    tuple(mark_of(edition, kind, VALUE[kind]) for kind in range(len(SLUGS))) for edition in range(len(EDITIONS))
)
_COPIES_CARDS: Final = COPIES_CARDS << TRAIT_SHIFT

Pick = Callable[[Choice], tuple[Card, ...]]
"""The cards of a hand that a choice stands for, in hand order (R-DIS-02)."""


def first_of(hand: list[Card], kind: Kind) -> Card:
    """The first card of a name that is in the hand."""
    for card in hand:
        if card & KIND_MASK == kind:
            break
    return card


_MOST_KEPT_CARDS: Final = 8
"""Larger hands are rare and their tables large: they are read anew each time, so that memory stays bounded."""
_HANDS: Final[tuple[dict[int, HandTable], ...]] = tuple([{} for _ in range(_MOST_KEPT_CARDS + 1)])
"""By number of cards, then by key; together they would be a dict that grows in milliseconds."""
_HANDS_KEPT: Final = 20_000
"""Of each number of cards."""
_COUNT_BITS: Final = 4
_GAME_BITS: Final = 4
_UNITS: Final = tuple(1 << _GAME_BITS + _COUNT_BITS * kind for kind in range(len(SLUGS)))
"""For each kind what a card of it adds to the key of a hand: one in a field of its own."""
_OPEN: Final = tuple(
    sum(unit * NIBBLE for unit, mark in zip(_UNITS, marks, strict=True) if mark & _COPIES_CARDS) for marks in _PRINTED
)
"""For each edition the fields of a key that count chameleons that must copy."""


_PARTS: Final[dict[int, HandPart]] = {}
"""By the fields of a key that stand for one set and for the game; there are some thousand for each kind of game."""
_GAME: Final = (1 << _GAME_BITS) - 1
_FIELDS: Final = tuple(
    tuple(sum(_UNITS[kind] * NIBBLE for kind in kinds) for kinds in ([JUNK], *sets)) for sets in SET_KINDS
)
"""For each edition the fields of a key that count junk, and those of each set."""


def _read(g: State, key: int, count: int) -> HandTable:
    """Make the table of a small hand from the key that says which cards it holds, and keep it."""
    game = key & _GAME
    parts: list[HandPart] = []
    for fields in _FIELDS[g.edition]:
        own = key & fields
        if own:
            parts.append(_PARTS.get(own | game) or _read_part(g, own | game))
    kept = _HANDS[count]
    make_room(kept, _HANDS_KEPT)
    table = kept[key] = HandTable(g.edition, g.players, parts)
    return table


def _read_part(g: State, key: int) -> HandPart:
    groups: list[Group] = []
    for mark, unit in zip(_PRINTED[g.edition], _UNITS, strict=True):
        count = key // unit & NIBBLE
        if count:
            groups.append(mark | count)
    groups.sort()
    part = _PARTS[key] = HandPart(g.edition, g.players, groups)
    return part


def _of_large(g: State, cards: list[Card]) -> HandTable:
    """The table of a hand that is too large for a key."""
    counts: dict[Kind, int] = {}
    for card in cards:
        kind = card & KIND_MASK
        counts[kind] = counts.get(kind, 0) + 1
    printed = _PRINTED[g.edition]
    groups = sorted([printed[kind] | count for kind, count in counts.items()])
    return HandTable(g.edition, g.players, [HandPart(g.edition, g.players, groups)])


def _key(g: State, cards: list[Card]) -> int:
    """What cards and game there are, in one int."""
    units = _UNITS
    key = g.edition << 3 | g.players
    for card in cards:
        key += units[card & KIND_MASK]
    return key


def table_of(g: State, cards: list[Card]) -> HandTable:
    """The table of cards that are their printed selves, in any order."""
    count = len(cards)
    if count > _MOST_KEPT_CARDS:
        return _of_large(g, cards)
    key = _key(g, cards)
    return _HANDS[count].get(key) or _read(g, key, count)


def ordinary(g: State, hand: list[Card]) -> HandTable | None:
    """The table of the whole hand if every card is its printed self and the seat has no gold; else None."""
    if g.alterations or g.used or g.locks or (g.gold and g.gold[g.turn]):
        return None
    count = len(hand)
    if count > _MOST_KEPT_CARDS:
        printed = _PRINTED[g.edition]
        return None if any([printed[card & KIND_MASK] & _COPIES_CARDS for card in hand]) else _of_large(g, hand)
    units = _UNITS
    key = g.edition << 3 | g.players
    for card in hand:  # `_key`, written out: this is asked at every decision
        key += units[card & KIND_MASK]
    table = _HANDS[count].get(key)
    if table is None and not key & _OPEN[g.edition]:
        table = _read(g, key, count)
    return table


def fixed_hand(g: State, hand: list[Card], groups: Groups) -> tuple[HandTable, Pick]:
    """The table of cards given in groups of alike ones, each one thing, and how to pick from them."""
    if not (g.alterations or g.used or g.locks):
        names = {group[0] & KIND_MASK for group in groups}
        cards = [card for card in hand if card & KIND_MASK in names]
        table = table_of(g, cards)
        return table, lambda choice: table.pick(cards, choice)
    entries = []
    for place, group in enumerate(groups):
        identity = plain(g, group[0])
        entries.append((mark_of(g.edition, identity.kind, identity.value), place))
    entries.sort()
    ordered = [groups[place] for _, place in entries]

    def pick(choice: Choice) -> tuple[Card, ...]:
        cards: list[Card] = []
        for group in ordered:
            choice, count = divmod(choice, len(group) + 1)
            cards += group[:count]
        cards.sort(key=hand.index)
        return tuple(cards)

    counted = [mark | len(groups[place]) for mark, place in entries]
    return HandTable(g.edition, g.players, [HandPart(g.edition, g.players, counted)]), pick
