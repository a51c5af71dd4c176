"""What cards that are one thing each can pay and build: a table, shared by all hands of the same cards.

Such cards are seen as names and counts; a choice says how many cards of each name. Tables keyed on values, counts and
sets then tell everything.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Final

from engine.choices import Choice, cards_of
from engine.groups import ACTS, BUILDS, PLAYABLE
from engine.hand_parts import (
    COUNT,
    KIND_SHIFT,
    NIBBLE,
    OPEN_PLAYS,
    ROLE_SHIFT,
    SET_SHIFT,
    TRAIT_SHIFT,
    VALUE_SHIFT,
    Group,
    HandPart,
    Plays,
    families_of,
    plays_of,
)
from engine.payments import ROLE_BITS, Base, PaymentTable, payments
from engine.polynomials import FIELD, FIELD_MASK, Polynomial, field
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
from engine.tables import NOSTALGIC_ITEM
from engine.types import JUNK, KIND_MASK, Card, Kind

_BUILDS: Final = BUILDS << TRAIT_SHIFT
_ACTS: Final = ACTS << TRAIT_SHIFT
_PLAYABLE: Final = PLAYABLE << TRAIT_SHIFT

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
        self.places = places = {group >> KIND_SHIFT & KIND_MASK: place for place, group in enumerate(groups)}
        self._key = key = tuple([group >> ROLE_SHIFT << ROLE_BITS | group & COUNT for group in groups])
        self.table = table = payments(key)
        self.inventory = table.inventory
        played = 0
        if together & _PLAYABLE:
            names = len(groups)
            for part in parts:
                played += part.ways(names)
        self.open_plays: tuple[Kind, ...] = ()
        if played >= OPEN_PLAYS:
            played %= OPEN_PLAYS
            self.open_plays = plays_of(edition, players, groups, len(groups))[1]
        self.played = played
        self.builds = together & _BUILDS != 0
        self.acts: tuple[Kind, ...] = ()
        if together & _ACTS:
            self.acts = tuple([group >> KIND_SHIFT & KIND_MASK for group in groups if group & _ACTS])
        self.plain = not (self.open_plays or together & (_BUILDS | _ACTS))
        self.item = 0
        if NOSTALGIC_ITEM in places:
            values = [group >> VALUE_SHIFT for group in groups if group >> KIND_SHIFT & KIND_MASK == NOSTALGIC_ITEM]
            self.item = min(values)
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
            self._plain = families_of(self.groups)
        return field(self._plain.get(own, 1), total)

    def _count_lifted(self, number: int, content: Content, sets: int) -> int:
        """How many stacks there are where a passive speaks about building (R-STL-11)."""
        families = families_of([group for group in self.groups if not group & _BUILDS])
        junk = families.pop(NIBBLE, 1)
        lifted = [(content, sets)]
        for group in self.groups:
            if group & _BUILDS:
                own = _content_of(group)
                mask = 1 << (group >> SET_SHIFT & NIBBLE)
                for whole, masks in lifted[:]:
                    for _ in range(group & COUNT):
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
        for group in self.groups:
            own, count = group >> SET_SHIFT & NIBBLE, group & COUNT
            if own != NIBBLE and (own == only or not sets):
                value = group >> VALUE_SHIFT
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
        for group in self.groups:
            count = group & COUNT
            mask = 0 if group >> KIND_SHIFT & KIND_MASK == JUNK else 1 << (group >> SET_SHIFT & NIBBLE)
            parts.append((_content_of(group), mask, count, worth))
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
def _content_of(group: Group) -> Content:
    """What one hand card of a group brings to a stack."""
    return card_content(group >> KIND_SHIFT & KIND_MASK, group >> VALUE_SHIFT)
