"""An ordinary hand read once for all hands of the same cards: what it can pay, build and discard.

A hand is ordinary if every card is its printed self with its printed value: no chameleon, no alteration, lock or
used ability in force. Most hands are, and tables keyed on values, counts and sets then tell everything.
"""

from __future__ import annotations

from engine.cards._define import PROGRAMS
from engine.groups import ACTS, BUILDS, COPIES_CARDS, PLAYABLE, TRAITS
from engine.payments import ROLE_BITS, PaymentTable, Vector, exact_sums, payments, role_of
from engine.state import Frame, State
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


class OrdinaryHand:
    """A hand as names and counts; a vector says how many cards of each name. Shared by all hands of the same names.

    marks: the names as marks, lowest value first. counts: how many cards of each. table: payments by cost.
    inventory: how many Inventory actions there are. plays: the techniques that can be played in a number of ways the
    hand alone settles, with that number, and their sum as played. open_plays: the others. builds: whether a
    passive that speaks about building is in the hand. acts: the cards with an activated ability. stacks: by number,
    once they are known.
    """

    __slots__ = (
        "acts",
        "builds",
        "counts",
        "inventory",
        "marks",
        "open_plays",
        "played",
        "plays",
        "stacks",
        "table",
    )

    def __init__(self, g: State, hand: list[Card], marks: list[int]) -> None:
        """Read the marks of all cards, sorted."""
        self.marks: list[int] = []
        self.counts: list[int] = []
        for mark in marks:
            if self.marks and self.marks[-1] == mark:
                self.counts[-1] += 1
            else:
                self.marks.append(mark)
                self.counts.append(1)
        together = 0
        self.inventory = 1
        key = []
        for mark, count in zip(self.marks, self.counts, strict=True):
            together |= mark
            self.inventory *= count + 1
            key.append(mark >> _ROLE_SHIFT << ROLE_BITS | count)
        self.table: PaymentTable = payments(tuple(key))
        self.plays: list[tuple[Kind, int]] = []
        self.open_plays: list[Kind] = []
        for mark in self.marks:
            if mark & _PLAYABLE:
                self._read_play(g, hand, mark & KIND_MASK)
        self.played = sum([ways for _, ways in self.plays])
        self.builds = together & _BUILDS != 0
        self.acts = [mark & KIND_MASK for mark in self.marks if mark & _ACTS]
        self.stacks: dict[int, list[Vector]] = {}

    def _read_play(self, g: State, hand: list[Card], kind: Kind) -> None:
        questions = PROGRAMS[g.edition][kind].questions
        if any([not question.by_hand for question in questions]):
            self.open_plays.append(kind)
            return
        frame = Frame(kind, g.turn, first_of(hand, kind))
        ways = 1
        for question in questions:
            ways *= question.count(g, frame) or 1
        self.plays.append((kind, ways))

    def junk(self) -> int:
        """The place of junk in a vector, -1 if there is none."""
        return next((place for place, mark in enumerate(self.marks) if mark & KIND_MASK == JUNK), -1)

    def stacks_of(self, number: int) -> list[Vector]:
        """The stacks of a hand without building passives: cards of one set with exactly the sum (R-STL-03 to 05)."""
        found = self.stacks.get(number)
        if found is None:
            found = self.stacks[number] = _exact_stacks(self.marks, self.counts, number)
        return found

    def cards(self, hand: list[Card], vector: Vector) -> tuple[Card, ...]:
        """The cards of a hand that a vector stands for, in hand order (R-DIS-02)."""
        left = {mark & KIND_MASK: count for mark, count in zip(self.marks, vector, strict=True)}
        return _first_cards(hand, left)

    def discarded(self, hand: list[Card], index: int) -> tuple[Card, ...]:
        """The index-th choice of cards of a hand to discard."""
        left = {}
        for mark, count in zip(self.marks, self.counts, strict=True):
            index, left[mark & KIND_MASK] = divmod(index, count + 1)
            if not index:
                break
        return _first_cards(hand, left)


def first_of(hand: list[Card], kind: Kind) -> Card:
    """The first card of a name that is in the hand."""
    for card in hand:
        if card & KIND_MASK == kind:
            break
    return card


def _first_cards(hand: list[Card], left: dict[Kind, int]) -> tuple[Card, ...]:
    """The first cards of each name, as many as wanted; names that are missing are not wanted."""
    chosen = []
    for card in hand:
        kind = card & KIND_MASK
        if left.get(kind):
            left[kind] -= 1
            chosen.append(card)
    return tuple(chosen)


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


_HANDS: dict[tuple[int, ...], OrdinaryHand] = {}
_HANDS_KEPT = 20_000
_MOST_KEPT_CARDS = 8
"""Larger hands are rare and their tables large: they are read anew each time, so that memory stays bounded."""


def ordinary(g: State, hand: list[Card]) -> OrdinaryHand | None:
    """The hand if it is ordinary, else None; that of a seat with gold is not."""
    if g.alterations or g.used or g.locks or (g.gold and g.gold[g.turn]):
        return None
    table = _MARKS[g.edition]
    marks = [table[card & KIND_MASK] for card in hand]
    marks.sort()
    key = (g.edition << 3 | g.players, *marks)
    read = _HANDS.get(key)
    if read is None:
        if any([mark & _COPIES_CARDS for mark in marks]):
            return None
        read = OrdinaryHand(g, hand, marks)
        if len(marks) <= _MOST_KEPT_CARDS:
            if len(_HANDS) >= _HANDS_KEPT:
                _HANDS.clear()
            _HANDS[key] = read
    return read
