"""An ordinary hand read once: its names and counts, and what they can pay, build and discard.

A hand is ordinary if every card is its printed self with its printed value: no chameleon, no alteration, lock or
used ability in force. Most hands are, and tables keyed on values, counts and sets then tell everything.
"""

from __future__ import annotations

from engine.groups import ACTS, BUILDS, COPIES_CARDS, PLAYABLE, TRAITS
from engine.payments import ROLE_BITS, PaymentTable, Vector, exact_sums, payments, role_of
from engine.state import State
from engine.tables import NO_SET, SET_OF, SLUGS, VALUE
from engine.types import EDITIONS, JUNK, KIND_MASK, Card, Kind

_VALUE_SHIFT = 24
_ROLE_SHIFT = 20
_SET_SHIFT = 16
_TRAIT_SHIFT = 8
_NIBBLE = 15


def _marks(edition: int) -> list[int]:
    """All that has to be known of a kind in one int: value, role in payments, set, traits, kind; sorts by value."""
    marks = []
    for kind in range(len(SLUGS)):
        own = SET_OF[edition][kind]
        marks.append(
            VALUE[kind] << _VALUE_SHIFT
            | role_of(kind) << _ROLE_SHIFT
            | (_NIBBLE if own == NO_SET else own) << _SET_SHIFT
            | TRAITS[edition][kind] << _TRAIT_SHIFT
            | kind
        )
    return marks


_MARKS = tuple(_marks(edition) for edition in range(len(EDITIONS)))
_PLAYABLE = PLAYABLE << _TRAIT_SHIFT
_COPIES_CARDS = COPIES_CARDS << _TRAIT_SHIFT
_BUILDS = BUILDS << _TRAIT_SHIFT
_ACTS = ACTS << _TRAIT_SHIFT

_STACKS: dict[tuple[int, ...], list[Vector]] = {}
_STACKS_KEPT = 50_000


class OrdinaryHand:
    """A hand as names and counts; a vector says how many cards of each name.

    marks: the names as marks, lowest value first. counts: how many cards of each. table: payments by cost.
    inventory: how many Inventory actions there are. plays: the techniques. builds, acts: whether a passive that
    speaks about building, or one with an activated ability, is in the hand.
    """

    __slots__ = ("acts", "builds", "counts", "hand", "inventory", "marks", "plays", "table")

    hand: list[Card]
    marks: list[int]
    counts: list[int]
    table: PaymentTable
    inventory: int
    plays: list[Kind]
    builds: bool
    acts: bool

    def first(self, kind: Kind) -> Card:
        """The first card of this name."""
        for card in self.hand:
            if card & KIND_MASK == kind:
                break
        return card

    def junk(self) -> int:
        """The place of junk in a vector, -1 if there is none."""
        return next((place for place, mark in enumerate(self.marks) if mark & KIND_MASK == JUNK), -1)

    def cards(self, vector: Vector) -> tuple[Card, ...]:
        """The cards a vector stands for, in hand order (R-DIS-02)."""
        left = {mark & KIND_MASK: count for mark, count in zip(self.marks, vector, strict=True)}
        chosen = []
        for card in self.hand:
            kind = card & KIND_MASK
            if left[kind]:
                left[kind] -= 1
                chosen.append(card)
        return tuple(chosen)

    def discarded(self, index: int) -> tuple[Card, ...]:
        """The index-th choice of cards to discard."""
        vector = []
        for count in self.counts:
            index, number = divmod(index, count + 1)
            vector.append(number)
        return self.cards(tuple(vector))

    def stacks(self, number: int) -> list[Vector]:
        """The stacks of a hand without building passives: cards of one set with exactly the sum (R-STL-03 to 05)."""
        key = [number]
        for mark, count in zip(self.marks, self.counts, strict=True):
            key.append(mark >> _SET_SHIFT << 4 | count)
        found = _STACKS.get(tuple(key))
        if found is None:
            if len(_STACKS) >= _STACKS_KEPT:
                _STACKS.clear()
            found = _STACKS[tuple(key)] = _exact_stacks(self.marks, self.counts, number)
        return found


def _exact_stacks(marks: list[int], counts: list[int], number: int) -> list[Vector]:
    places_of: dict[int, list[int]] = {}
    for place, mark in enumerate(marks):
        own = mark >> _SET_SHIFT & _NIBBLE
        if own != _NIBBLE:
            places_of.setdefault(own, []).append(place)
    found = []
    for places in places_of.values():
        sizes = tuple([(marks[place] >> _VALUE_SHIFT, counts[place]) for place in places])
        for chosen in exact_sums(sizes, number):
            vector = [0] * len(marks)
            for place, count in zip(places, chosen, strict=True):
                vector[place] = count
            found.append(tuple(vector))
    return found


def ordinary(g: State, hand: list[Card]) -> OrdinaryHand | None:
    """The hand if it is ordinary, else None."""
    if g.alterations or g.used or g.locks:
        return None
    table = _MARKS[g.edition]
    number_of: dict[int, int] = {}
    for card in hand:
        mark = table[card & KIND_MASK]
        number_of[mark] = number_of.get(mark, 0) + 1
    marks = sorted(number_of)
    counts = []
    key = []
    plays = []
    inventory = 1
    together = 0
    for mark in marks:
        count = number_of[mark]
        counts.append(count)
        key.append(mark >> _ROLE_SHIFT << ROLE_BITS | count)
        inventory *= count + 1
        together |= mark
        if mark & _PLAYABLE:
            plays.append(mark & KIND_MASK)
    if together & _COPIES_CARDS:
        return None
    read = OrdinaryHand()
    read.hand = hand
    read.marks = marks
    read.counts = counts
    read.table = payments(tuple(key))
    read.inventory = inventory
    read.plays = plays
    read.builds = together & _BUILDS != 0
    read.acts = together & _ACTS != 0
    return read
