"""What the cards of a hand that are one thing each can pay and build, read once for all hands of the same cards.

A card is one thing unless it is a chameleon that must copy (R-CPC-03). Such cards of a hand are seen as names and
counts; a vector says how many cards of each name. Tables keyed on values, counts and sets then tell everything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from engine.cards._define import PROGRAMS
from engine.groups import ACTS, BUILDS, COPIES_CARDS, PLAYABLE, TRAITS, Groups
from engine.payments import ROLE_BITS, Base, PaymentTable, Vector, exact_sums, payments, role_of
from engine.stacks import (
    Content,
    accordions_in,
    card_content,
    faults_of,
    lacks_chest,
    lacks_vendor,
    lifts_tests,
    specials_in,
    sum_in,
)
from engine.state import State
from engine.tables import NO_SET, NOSTALGIC_ITEM, SET_OF, SLUGS, VALUE
from engine.types import EDITIONS, JUNK, KIND_MASK, Card, Kind
from engine.values import plain

_VALUE_SHIFT: Final = 24
_ROLE_SHIFT: Final = 20
_SET_SHIFT: Final = 16
_TRAIT_SHIFT: Final = 8
_NIBBLE: Final = 15

Mark = int
"""All that has to be known of a card that is one thing, in one int: value, role, set, traits, kind; sorts by value."""


def mark_of(edition: int, kind: Kind, value: int) -> Mark:
    """The mark of a card that counts as this kind with this value."""
    own = SET_OF[edition][kind]
    return (
        value << _VALUE_SHIFT
        | role_of(kind) << _ROLE_SHIFT
        | (_NIBBLE if own == NO_SET else own) << _SET_SHIFT
        | TRAITS[edition][kind] << _TRAIT_SHIFT
        | kind
    )


_PRINTED: Final = tuple(
    tuple(mark_of(edition, kind, VALUE[kind]) for kind in range(len(SLUGS))) for edition in range(len(EDITIONS))
)
_PLAYABLE: Final = PLAYABLE << _TRAIT_SHIFT
_COPIES_CARDS: Final = COPIES_CARDS << _TRAIT_SHIFT
_BUILDS: Final = BUILDS << _TRAIT_SHIFT
_ACTS: Final = ACTS << _TRAIT_SHIFT

Pick = Callable[[Vector], tuple[Card, ...]]
"""The cards of a hand that a vector stands for, in hand order (R-DIS-02)."""
Selection = tuple[Vector, Content, int]
"""Cards for a stack: how many of each name, the content with everything else that belongs to it, the mask of sets."""
Family = tuple[int, tuple[int, ...], tuple[tuple[int, int], ...], int]
"""The cards of one set: its mask, their places, value and number of each, the sum of all."""


class HandTable:
    """Cards of a hand that are one thing each, as names and counts. Shared by all hands of the same names.

    marks: the names as marks, lowest value first. counts: how many cards of each. table: payments by cost.
    inventory: how many Inventory actions there are. plays: the techniques that can be played in a number of ways
    these cards alone settle, with that number, and their sum as played. open_plays: the others. acts: the cards with
    an activated ability. builds: whether a passive speaks about building. item: whether there is a Nostalgic Item.
    """

    __slots__ = (
        "_families",
        "_key",
        "_places",
        "_stacks",
        "acts",
        "builds",
        "counts",
        "inventory",
        "item",
        "marks",
        "open_plays",
        "played",
        "plays",
        "table",
    )

    def __init__(self, edition: int, players: int, marks: list[Mark], counts: list[int]) -> None:
        self.marks = tuple(marks)
        self.counts = tuple(counts)
        together = 0
        self.inventory = 1
        self.item = False
        key = []
        for mark, count in zip(marks, counts, strict=True):
            together |= mark
            self.inventory *= count + 1
            key.append(mark >> _ROLE_SHIFT << ROLE_BITS | count)
            if mark & KIND_MASK == NOSTALGIC_ITEM:
                self.item = True
        self._key = tuple(key)
        self.table = payments(self._key)
        plays: list[tuple[Kind, int]] = []
        open_plays: list[Kind] = []
        if together & _PLAYABLE:
            for mark, count in zip(marks, counts, strict=True):
                if mark & _PLAYABLE:
                    ways = _ways_to_play(edition, players, mark & KIND_MASK, len(marks) - (count == 1))
                    if ways:
                        plays.append((mark & KIND_MASK, ways))
                    else:
                        open_plays.append(mark & KIND_MASK)
        self.plays = tuple(plays)
        self.open_plays = tuple(open_plays)
        self.played = sum([ways for _, ways in plays])
        self.builds = together & _BUILDS != 0
        self.acts = tuple([mark & KIND_MASK for mark in marks if mark & _ACTS])
        self._families: tuple[Family, ...] | None = None
        self._places: dict[Kind, tuple[int, int]] | None = None
        self._stacks: dict[tuple[int, Content, int], tuple[Vector, ...]] = {}

    def payments(self, base: Base, dearest: int, gold: int) -> PaymentTable:
        """The payments of these cards together with others; see `engine.payments.payments`."""
        return payments(self._key, base, dearest, gold)

    def stacks(self, number: int, content: Content = 0, sets: int = 0) -> tuple[Vector, ...]:
        """What makes a legal stack of this number, together with other hand cards of this content and these sets.

        Without cards of the discard pile (R-STL-11).
        """
        key = (number, content, sets)
        found = self._stacks.get(key)
        if found is None:
            made: list[Vector] = []
            if self.builds or specials_in(content):
                for vector, whole, masks in self.selections(number, content, sets):
                    if not faults_of(whole, masks, number):
                        made.append(vector)
            elif not lacks_vendor(content):
                made = self._plain_stacks(number - sum_in(content), sets)
            found = self._stacks[key] = tuple(made)
        return found

    def _plain_stacks(self, total: int, sets: int) -> list[Vector]:
        """Cards of one set with exactly this total; no passive speaks about building (R-STL-03 to R-STL-05)."""
        if total < 0 or sets & sets - 1:
            return []
        families = self._families
        if families is None:
            families = self._families = self._read_families()
        found = []
        open_set = bool(sets)
        for mask, places, sizes, most in families:
            if sets and sets != mask:
                continue
            open_set = False
            if most < total:
                continue
            for chosen in exact_sums(sizes, total):
                vector = [0] * len(self.marks)
                for place, count in zip(places, chosen, strict=True):
                    vector[place] = count
                found.append(tuple(vector))
        if open_set and not total:  # the open cards alone: no card here is of their set
            found.append((0,) * len(self.marks))
        return found

    def _read_families(self) -> tuple[Family, ...]:
        places_of: dict[int, list[int]] = {}
        for place, mark in enumerate(self.marks):
            own = mark >> _SET_SHIFT & _NIBBLE
            if own != _NIBBLE:
                places_of.setdefault(own, []).append(place)
        families = []
        for own, places in places_of.items():
            sizes = tuple([(self.marks[place] >> _VALUE_SHIFT, self.counts[place]) for place in places])
            families.append((1 << own, tuple(places), sizes, sum([value * count for value, count in sizes])))
        return tuple(families)

    def selections(
        self, number: int, content: Content, sets: int, slack: int = 0, lifted: bool = False, more: bool = False
    ) -> list[Selection]:
        """The selections from which a legal stack can come, together with other hand cards; hopeless ones dropped.

        slack: how many Accordions may come to these cards from elsewhere. lifted: whether a card from elsewhere may
        permit junk or mixed sets. more: whether cards from elsewhere may add to the total.
        """
        parts = []
        for place, mark in enumerate(self.marks):
            kind = mark & KIND_MASK
            mask = 0 if kind == JUNK else 1 << (mark >> _SET_SHIFT & _NIBBLE)
            parts.append((card_content(kind, mark >> _VALUE_SHIFT), mask, self.counts[place], place))
        parts.sort(key=lambda part: not lifts_tests(part[0]))
        helpful = sum([bool(lifts_tests(part[0])) for part in parts])
        left = 0
        for own, _, count, _ in parts:
            left += sum_in(own) * count
            slack += accordions_in(own) * count
        slack += accordions_in(content)
        least = 0 if more else number - slack
        found: list[Selection] = [((), content, sets)]
        for index, (own, mask, count, _) in enumerate(parts):
            settled = index >= helpful - 1 and not lifted
            left -= sum_in(own) * count
            longer: list[Selection] = []
            for vector, whole, masks in found:
                for taken in range(count + 1):
                    both = whole + own * taken
                    total = sum_in(both)
                    if total > number + slack:
                        break
                    every = masks | mask if taken else masks
                    if total + left < least or (settled and (lacks_vendor(both) or lacks_chest(both, every))):
                        continue
                    longer.append(((*vector, taken), both, every))
            found = longer
        order = sorted(range(len(parts)), key=lambda index: parts[index][3])
        return [(tuple([vector[index] for index in order]), whole, masks) for vector, whole, masks in found]

    def pick(self, hand: list[Card], vector: Vector) -> tuple[Card, ...]:
        """The cards a vector stands for in a hand where cards of one name are alike."""
        left = {mark & KIND_MASK: count for mark, count in zip(self.marks, vector, strict=True) if count}
        return _first_cards(hand, left)

    def discarded(self, hand: list[Card], index: int) -> tuple[Card, ...]:
        """The index-th choice of cards to discard, in such a hand."""
        places = self._places
        if places is None:
            places = self._places = self._digits()
        chosen = []
        more: dict[Kind, int] = {}
        for card in hand:
            worth, base = places[card & KIND_MASK]
            number = index // worth % base
            if number:
                if base > 2:
                    kind = card & KIND_MASK
                    before = more.get(kind, 0)
                    if before == number:
                        continue
                    more[kind] = before + 1
                chosen.append(card)
        return tuple(chosen)

    def _digits(self) -> dict[Kind, tuple[int, int]]:
        """By kind what one card more of it adds to the number of a choice, and how many choices of it there are."""
        places = {}
        worth = 1
        for mark, count in zip(self.marks, self.counts, strict=True):
            places[mark & KIND_MASK] = (worth, count + 1)
            worth *= count + 1
        return places


def _first_cards(hand: list[Card], left: dict[Kind, int]) -> tuple[Card, ...]:
    """The first cards of each name, as many as wanted; names that are missing are not wanted."""
    chosen = []
    for card in hand:
        kind = card & KIND_MASK
        if kind in left:
            chosen.append(card)
            if left[kind] == 1:
                del left[kind]
            else:
                left[kind] -= 1
    return tuple(chosen)


@cache
def _ways_to_play(edition: int, players: int, kind: Kind, others: int) -> int:
    """In how many ways a technique can be played beside so many different other cards; 0 if that takes more to tell."""
    ways = 1
    for question in PROGRAMS[edition][kind].questions:
        settled = question.settled(others, players)
        if settled < 0:
            return 0
        ways *= settled or 1
    return ways


def first_of(hand: list[Card], kind: Kind) -> Card:
    """The first card of a name that is in the hand."""
    for card in hand:
        if card & KIND_MASK == kind:
            break
    return card


_HANDS: Final[dict[int, HandTable]] = {}
_HANDS_KEPT: Final = 50_000
_MOST_KEPT_CARDS: Final = 8
"""Larger hands are rare and their tables large: they are read anew each time, so that memory stays bounded."""
_COUNT_BITS: Final = 4
_GAME_BITS: Final = 4


_UNITS: Final = tuple(1 << _GAME_BITS + _COUNT_BITS * kind for kind in range(len(SLUGS)))
"""For each kind what a card of it adds to the key of a hand: one in a field of its own."""
_OPEN: Final = tuple(
    sum(unit * _NIBBLE for unit, mark in zip(_UNITS, marks, strict=True) if mark & _COPIES_CARDS) for marks in _PRINTED
)
"""For each edition the fields of a key that count chameleons that must copy."""


def _read(g: State, cards: list[Card], key: int) -> HandTable:
    """Make the table of cards that are their printed selves; it is kept under `key` unless that is 0."""
    printed = _PRINTED[g.edition]
    names: list[Mark] = []
    counts: list[int] = []
    for mark in sorted([printed[card & KIND_MASK] for card in cards]):
        if names and names[-1] == mark:
            counts[-1] += 1
        else:
            names.append(mark)
            counts.append(1)
    table = HandTable(g.edition, g.players, names, counts)
    if key:
        if len(_HANDS) >= _HANDS_KEPT:
            _HANDS.clear()
        _HANDS[key] = table
    return table


def _key(g: State, cards: list[Card]) -> int:
    """What cards and game there are, in one int."""
    units = _UNITS
    key = g.edition << 3 | g.players
    for card in cards:
        key += units[card & KIND_MASK]
    return key


def table_of(g: State, cards: list[Card]) -> HandTable:
    """The table of cards that are their printed selves, in any order."""
    if len(cards) > _MOST_KEPT_CARDS:
        return _read(g, cards, 0)
    key = _key(g, cards)
    return _HANDS.get(key) or _read(g, cards, key)


def ordinary(g: State, hand: list[Card]) -> HandTable | None:
    """The table of the whole hand if every card is its printed self and the seat has no gold; else None."""
    if g.alterations or g.used or g.locks or (g.gold and g.gold[g.turn]):
        return None
    if len(hand) > _MOST_KEPT_CARDS:
        printed = _PRINTED[g.edition]
        return None if any([printed[card & KIND_MASK] & _COPIES_CARDS for card in hand]) else _read(g, hand, 0)
    key = _key(g, hand)
    table = _HANDS.get(key)
    if table is None and not key & _OPEN[g.edition]:
        table = _read(g, hand, key)
    return table


def fixed_hand(g: State, hand: list[Card], groups: Groups) -> tuple[HandTable, Pick]:
    """The table of cards given in groups of alike ones, each one thing, and how to pick from them."""
    if not (g.alterations or g.used or g.locks):
        table = table_of(g, [card for group in groups for card in group])
        return table, lambda vector: table.pick(hand, vector)
    entries = []
    for place, group in enumerate(groups):
        identity = plain(g, group[0])
        entries.append((mark_of(g.edition, identity.kind, identity.value), place))
    entries.sort()
    ordered = [groups[place] for _, place in entries]

    def pick(vector: Vector) -> tuple[Card, ...]:
        cards = [card for group, count in zip(ordered, vector, strict=True) for card in group[:count]]
        cards.sort(key=hand.index)
        return tuple(cards)

    return HandTable(g.edition, g.players, [mark for mark, _ in entries], [len(group) for group in ordered]), pick
