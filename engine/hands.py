"""An ordinary hand read once: its names and counts, and what they can pay, build and discard.

A hand is ordinary if every card is its printed self with its printed value: no chameleon, no alteration, lock or
used ability in force. Most hands are, and the tables of payments.py then tell everything from the values alone.
"""

from __future__ import annotations

from engine.groups import ACTS, BUILDS, COPIES_CARDS, PLAYABLE, TRAITS
from engine.payments import NO_ROLE, ROLES, PaymentTable, Vector, exact_sums, payments
from engine.state import State
from engine.tables import SET_OF, SETS, SLUGS, VALUE
from engine.types import JUNK, KIND_MASK, Card, Kind

_RANK = [VALUE[kind] << 8 | kind for kind in range(len(SLUGS))]
"""Sorts kinds by value."""
_ROLE = [ROLES.get(kind, NO_ROLE) for kind in range(len(SLUGS))]


class OrdinaryHand:
    """A hand as names and counts; a vector says how many cards of each name.

    kinds, counts: the names, lowest value first, and how many cards of each. table: payments by cost. junk: the
    place of junk among the kinds, -1 if there is none. inventory: how many Inventory actions there are.
    plays: the techniques. sums: by set, the sum of its cards' values. traits: of all cards together.
    """

    __slots__ = ("counts", "hand", "inventory", "junk", "kinds", "plays", "sums", "table", "traits")

    def __init__(self, hand: list[Card], kinds: list[Kind], counts: list[int], edition: int) -> None:
        self.hand = hand
        self.kinds = kinds
        self.counts = counts
        self.plays: list[Kind] = []
        self.sums = [0] * (len(SETS) + 1)
        self.inventory = 1
        self.junk = -1
        self.traits = 0
        key = []
        sets = SET_OF[edition]
        for place, kind in enumerate(kinds):
            count = counts[place]
            value = VALUE[kind]
            trait = TRAITS[edition][kind]
            key.append((value, count, _ROLE[kind]))
            self.sums[sets[kind]] += value * count
            self.inventory *= count + 1
            self.traits |= trait
            if trait & PLAYABLE:
                self.plays.append(kind)
            elif kind == JUNK:
                self.junk = place
        self.table: PaymentTable = payments(tuple(key))

    def first(self, kind: Kind) -> Card:
        """The first card of this name."""
        for card in self.hand:
            if card & KIND_MASK == kind:
                break
        return card

    def cards(self, vector: Vector) -> tuple[Card, ...]:
        """The cards a vector stands for, in hand order (R-DIS-02)."""
        left = dict(zip(self.kinds, vector, strict=True))
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

    def stacks(self, g: State, number: int) -> list[Vector]:
        """The stacks of a hand without building passives: cards of one set with exactly the sum (R-STL-03 to 05)."""
        found: list[Vector] = []
        for own in g.sets:
            if self.sums[own] >= number:
                sets = SET_OF[g.edition]
                places = [place for place, kind in enumerate(self.kinds) if sets[kind] == own]
                sizes = tuple([(VALUE[self.kinds[place]], self.counts[place]) for place in places])
                for counts in exact_sums(sizes, number):
                    vector = [0] * len(self.kinds)
                    for place, count in zip(places, counts, strict=True):
                        vector[place] = count
                    found.append(tuple(vector))
        return found

    @property
    def builds(self) -> bool:
        """Whether a passive that speaks about building is in the hand."""
        return bool(self.traits & BUILDS)

    @property
    def acts(self) -> bool:
        """Whether a card with an activated ability is in the hand."""
        return bool(self.traits & ACTS)


def ordinary(g: State, hand: list[Card]) -> OrdinaryHand | None:
    """The hand if it is ordinary, else None."""
    if g.alterations or g.used or g.locks:
        return None
    traits = TRAITS[g.edition]
    counts: dict[int, int] = {}
    for card in hand:
        kind = card & KIND_MASK
        if traits[kind] & COPIES_CARDS:
            return None
        rank = _RANK[kind]
        counts[rank] = counts.get(rank, 0) + 1
    ranks = sorted(counts)
    return OrdinaryHand(hand, [rank & 255 for rank in ranks], [counts[rank] for rank in ranks], g.edition)
