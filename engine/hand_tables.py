"""What cards that are one thing each can pay and build: a table, shared by all hands of the same cards.

Such cards are seen as names and counts; a choice says how many cards of each name. Tables keyed on values, counts and
sets then tell everything.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Final

from engine.cards._define import PROGRAMS
from engine.choices import Choice, cards_of
from engine.groups import ACTS, BUILDS, PLAYABLE, TRAITS
from engine.payments import ROLE_BITS, Base, PaymentTable, payments, role_of
from engine.polynomials import FIELD, FIELD_MASK, Polynomial, field, multiples, up_to
from engine.stacks import (
    A_JUNK_CARD,
    ALL_SETS,
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
from engine.tables import NO_SET, NOSTALGIC_ITEM, SET_OF
from engine.types import JUNK, KIND_MASK, STACKS, Card, Kind

_VALUE_SHIFT: Final = 24
_ROLE_SHIFT: Final = 20
_SET_SHIFT: Final = 16
TRAIT_SHIFT: Final = 8
NIBBLE: Final = 15

Mark = int
"""All that has to be known of a card that is one thing, in one int: value, role, set, traits, kind; sorts by value."""


def mark_of(edition: int, kind: Kind, value: int) -> Mark:
    """The mark of a card that counts as this kind with this value."""
    own = SET_OF[edition][kind]
    return (
        value << _VALUE_SHIFT
        | role_of(kind) << _ROLE_SHIFT
        | (NIBBLE if own == NO_SET else own) << _SET_SHIFT
        | TRAITS[edition][kind] << TRAIT_SHIFT
        | kind
    )


_BUILDS: Final = BUILDS << TRAIT_SHIFT

_COUNT_BITS: Final = 6
_COUNT: Final = (1 << _COUNT_BITS) - 1
Group = int
"""Cards of one name in a hand: the mark and how many there are, up to 63, in one int; sorts like the mark."""

_GROUP_PLAYABLE: Final = PLAYABLE << TRAIT_SHIFT + _COUNT_BITS
_GROUP_BUILDS: Final = BUILDS << TRAIT_SHIFT + _COUNT_BITS
_GROUP_ACTS: Final = ACTS << TRAIT_SHIFT + _COUNT_BITS
_KEY_SHIFT: Final = _ROLE_SHIFT + _COUNT_BITS

_SUMS: Final = up_to(STACKS)


def group_of(mark: Mark, count: int) -> Group:
    """So many cards of this mark."""
    return mark << _COUNT_BITS | count


Plays = list[tuple[Kind, int]]
"""Techniques with the number of ways in which each can be played."""
_OPEN_PLAYS: Final = 1 << 40
"""Added to a number of ways to play if there are techniques of which more has to be told."""


class HandPart:
    """All cards of some sets in a hand; shared by all hands that hold the same cards of these sets.

    groups: sorted. sums: how many choices of cards of one set there are by total. together: all bits of the groups.
    """

    __slots__ = ("_edition", "_players", "_ways", "groups", "sums", "together")

    def __init__(self, edition: int, players: int, groups: list[Group]) -> None:
        families: dict[int, Polynomial] = {}
        together = 0
        for group in groups:
            together |= group
            own = group >> _SET_SHIFT + _COUNT_BITS & NIBBLE
            if own != NIBBLE:
                more = multiples(group >> _VALUE_SHIFT + _COUNT_BITS, group & _COUNT)
                before = families.get(own, 1)
                families[own] = before + before * more & _SUMS
        self.groups = groups
        self.sums = sum(families.values())
        self.together = together
        self._edition = edition
        self._players = players
        self._ways: dict[int, int] = {}

    def ways(self, names: int) -> int:
        """The ways to play its techniques in a hand of so many names; `_OPEN_PLAYS` is added if some are open."""
        found = self._ways.get(names)
        if found is None:
            settled, open_plays = plays_of(self._edition, self._players, self.groups, names)
            found = self._ways[names] = sum([ways for _, ways in settled]) + (_OPEN_PLAYS if open_plays else 0)
        return found


def plays_of(edition: int, players: int, groups: list[Group], names: int) -> tuple[Plays, tuple[Kind, ...]]:
    """The techniques that can be played in a number of ways a hand of so many names settles; and the open ones."""
    settled: Plays = []
    open_plays: tuple[Kind, ...] = ()
    for group in groups:
        if group & _GROUP_PLAYABLE:
            kind = group >> _COUNT_BITS & KIND_MASK
            ways = ways_to_play(edition, players, kind, names - 1 if group & _COUNT == 1 else names)
            if ways:
                settled.append((kind, ways))
            else:
                open_plays += (kind,)
    return settled, open_plays


Selection = tuple[Choice, Content, int]
"""Cards for a stack: the choice, the content with everything else that belongs to it, the mask of sets."""


class HandTable:
    """Cards of a hand that are one thing each, as names and counts. Shared by all hands of the same names.

    groups: the names with their counts, lowest value first; places: by kind which of them. table: payments by cost.
    inventory: how many Inventory actions there are. played: in how many ways techniques can be played, of those for
    which these cards alone settle it; open_plays: the others. acts: the cards with an activated ability. builds:
    whether a passive speaks about building. item: the least value of a Nostalgic Item, 0 without one. plain: whether
    there is nothing of the last four. sums: how many choices of cards of one set there are by total.
    """

    __slots__ = (
        "_edition",
        "_key",
        "_lifted",
        "_plain",
        "_players",
        "_plays",
        "_stacks",
        "acts",
        "builds",
        "groups",
        "inventory",
        "item",
        "open_plays",
        "places",
        "plain",
        "played",
        "sums",
        "table",
    )

    def __init__(self, edition: int, players: int, parts: list[HandPart]) -> None:
        """Put a hand together from parts; no set may be in two of them."""
        groups: list[Group] = []
        sums = 0
        together = 0
        for part in parts:
            groups += part.groups
            sums += part.sums
            together |= part.together
        if len(parts) > 1:
            groups.sort()
        self.groups = groups
        self.sums = sums
        self.places = places = {group >> _COUNT_BITS & KIND_MASK: place for place, group in enumerate(groups)}
        self._key = key = tuple([group >> _KEY_SHIFT << ROLE_BITS | group & _COUNT for group in groups])
        self.table = table = payments(key)
        self.inventory = table.inventory
        played = 0
        if together & _GROUP_PLAYABLE:
            names = len(groups)
            for part in parts:
                played += part.ways(names)
        self.open_plays: tuple[Kind, ...] = ()
        if played >= _OPEN_PLAYS:
            played %= _OPEN_PLAYS
            self.open_plays = plays_of(edition, players, groups, len(groups))[1]
        self.played = played
        self.builds = together & _GROUP_BUILDS != 0
        self.acts: tuple[Kind, ...] = ()
        if together & _GROUP_ACTS:
            self.acts = tuple([group >> _COUNT_BITS & KIND_MASK for group in groups if group & _GROUP_ACTS])
        self.plain = not (self.open_plays or together & (_GROUP_BUILDS | _GROUP_ACTS))
        self.item = 0
        if NOSTALGIC_ITEM in places:
            items = [mark >> _VALUE_SHIFT for mark, _ in self._counted() if mark & KIND_MASK == NOSTALGIC_ITEM]
            self.item = min(items)
        self._edition = edition
        self._players = players
        self._plays: Plays | None = None
        self._plain: dict[int, Polynomial] | None = None
        self._stacks: dict[tuple[int, Content, int], tuple[Choice, ...]] | None = None
        self._lifted: dict[tuple[int, Content, int], int] | None = None

    @property
    def plays(self) -> Plays:
        """The techniques these cards alone settle, in the order of the names, with their ways."""
        if self._plays is None:
            self._plays = plays_of(self._edition, self._players, self.groups, len(self.groups))[0]
        return self._plays

    def _counted(self) -> list[tuple[Mark, int]]:
        """The marks of the groups and how many cards each has."""
        return [(group >> _COUNT_BITS, group & _COUNT) for group in self.groups]

    def payments(self, base: Base, dearest: int, gold: int) -> PaymentTable:
        """The payments of these cards together with others; see `engine.payments.payments`."""
        return payments(self._key, base, dearest, gold)

    def count_stacks(self, number: int, content: Content = 0, sets: int = 0) -> int:
        """How many entries `stacks` has."""
        if self.builds or specials_in(content):
            key = (number, content, sets)
            if self._lifted is None:
                self._lifted = {}
            found = self._lifted.get(key)
            if found is None:
                found = self._lifted[key] = self._count_lifted(number, content, sets)
            return found
        if not content:
            return self.sums >> FIELD * number & FIELD_MASK
        total = number - sum_in(content)
        if total < 0 or sets & sets - 1 or lacks_vendor(content):
            return 0
        own = sets.bit_length() - 1
        if self._plain is None:
            self._plain = self._families(False)
        return field(self._plain.get(own, 1), total)

    def _families(self, lifters: bool) -> dict[int, Polynomial]:
        """By set how many choices of its cards there are by total; of junk under NIBBLE.

        lifters: without the cards whose passive speaks about building.
        """
        families: dict[int, Polynomial] = {}
        for mark, count in self._counted():
            if not (lifters and mark & _BUILDS):
                own = mark >> _SET_SHIFT & NIBBLE
                before = families.get(own, 1)
                families[own] = before + before * multiples(mark >> _VALUE_SHIFT, count)
        return families

    def _count_lifted(self, number: int, content: Content, sets: int) -> int:
        """How many stacks there are where a passive speaks about building (R-STL-11)."""
        families = self._families(True)
        junk = families.pop(NIBBLE, 1)
        lifted = [(content, sets)]
        for mark, count in self._counted():
            if mark & _BUILDS:
                own = _content_of(mark)
                mask = 1 << (mark >> _SET_SHIFT & NIBBLE)
                for whole, masks in lifted[:]:
                    for _ in range(count):
                        whole += own
                        lifted.append((whole, masks | mask))
        mixed = prod(families.values())
        one_set = sum(families.values())
        found = 0
        for whole, masks in lifted:
            chest = not lacks_chest(whole, ALL_SETS)
            if (masks & masks - 1 and not chest) or lacks_vendor(whole):
                continue
            if chest:
                counts = mixed
            elif masks:
                counts = families.get(masks.bit_length() - 1, 1)
            else:
                counts = one_set
            if not lacks_vendor(whole + A_JUNK_CARD):
                counts *= junk
            slack = accordions_in(whole)
            missing = number - sum_in(whole)
            if not slack:
                found += field(counts, missing) if missing >= 0 else 0
                continue
            for total in range(max(0, missing - slack), missing + slack + 1):
                found += field(counts, total)
        return found

    def stacks(self, number: int, content: Content = 0, sets: int = 0) -> tuple[Choice, ...]:
        """What makes a legal stack of this number, together with other hand cards of this content and these sets.

        Without cards of the discard pile (R-STL-11).
        """
        key = (number, content, sets)
        if self._stacks is None:
            self._stacks = {}
        found = self._stacks.get(key)
        if found is None:
            made: list[Choice] = []
            if self.builds or specials_in(content):
                for choice, whole, masks in self.selections(number, content, sets):
                    if not faults_of(whole, masks, number):
                        made.append(choice)
            elif not lacks_vendor(content):
                made = self._plain_stacks(number - sum_in(content), sets)
            found = self._stacks[key] = tuple(made)
        return found

    def _plain_stacks(self, total: int, sets: int) -> list[Choice]:
        """Cards of one set with exactly this total; no passive speaks about building (R-STL-03 to R-STL-05)."""
        if total < 0 or sets & sets - 1:
            return []
        only = sets.bit_length() - 1
        families: dict[int, list[tuple[int, Choice]]] = {}
        worth = 1
        for mark, count in self._counted():
            own = mark >> _SET_SHIFT & NIBBLE
            if own != NIBBLE and (own == only or not sets):
                value = mark >> _VALUE_SHIFT
                digit = [(value * number, worth * number) for number in range(count + 1)]
                found = families.get(own)
                if found is None:
                    families[own] = digit
                else:
                    families[own] = [
                        (one + more, choice + far)
                        for one, choice in found
                        for more, far in digit
                        if one + more <= total
                    ]
            worth *= count + 1
        if sets and not families:
            return [0] if not total else []
        return [choice for found in families.values() for one, choice in found if one == total]

    def selections(
        self, number: int, content: Content, sets: int, slack: int = 0, lifted: bool = False, more: bool = False
    ) -> list[Selection]:
        """The selections from which a legal stack can come, together with other hand cards; hopeless ones dropped.

        slack: how many Accordions may come to these cards from elsewhere. lifted: whether a card from elsewhere may
        permit junk or mixed sets. more: whether cards from elsewhere may add to the total.
        """
        parts = []
        worth = 1
        for mark, count in self._counted():
            kind = mark & KIND_MASK
            mask = 0 if kind == JUNK else 1 << (mark >> _SET_SHIFT & NIBBLE)
            parts.append((_content_of(mark), mask, count, worth))
            worth *= count + 1
        parts.sort(key=lambda part: not lifts_tests(part[0]))
        helpful = sum([bool(lifts_tests(part[0])) for part in parts])
        left = 0
        for own, _, count, _ in parts:
            left += sum_in(own) * count
            slack += accordions_in(own) * count
        slack += accordions_in(content)
        least = 0 if more else number - slack
        found: list[Selection] = [(0, content, sets)]
        for index, (own, mask, count, worth) in enumerate(parts):
            settled = index >= helpful - 1 and not lifted
            left -= sum_in(own) * count
            longer: list[Selection] = []
            for choice, whole, masks in found:
                for taken in range(count + 1):
                    both = whole + own * taken
                    total = sum_in(both)
                    if total > number + slack:
                        break
                    every = masks | mask if taken else masks
                    if total + left < least or (settled and (lacks_vendor(both) or lacks_chest(both, every))):
                        continue
                    longer.append((choice + worth * taken, both, every))
            found = longer
        return found

    def pick(self, cards: list[Card], choice: Choice) -> tuple[Card, ...]:
        """The cards a choice stands for, in hand order, where cards of one name are alike."""
        return cards_of(cards, self.places, choice)


@cache
def _content_of(mark: Mark) -> Content:
    """What a hand card of this mark brings to a stack."""
    return card_content(mark & KIND_MASK, mark >> _VALUE_SHIFT)


@cache
def ways_to_play(edition: int, players: int, kind: Kind, others: int) -> int:
    """In how many ways a technique can be played beside so many different other cards; 0 if that takes more to tell."""
    ways = 1
    for question in PROGRAMS[edition][kind].questions:
        settled = question.settled(others, players)
        if settled < 0:
            return 0
        ways *= settled or 1
    return ways
