"""The parts a hand table is put together from: all cards of one set, with what they bring to any hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from engine.cards._define import PROGRAMS
from engine.groups import PLAYABLE, TRAITS
from engine.payments import role_of
from engine.polynomials import Polynomial, multiples, up_to
from engine.tables import NO_SET, SET_OF
from engine.types import KIND_MASK, STACKS, Kind

VALUE_SHIFT: Final = 30
ROLE_SHIFT: Final = 26
SET_SHIFT: Final = 22
TRAIT_SHIFT: Final = 14
KIND_SHIFT: Final = 6
NIBBLE: Final = 15
COUNT: Final = 63

Mark = int
"""All that has to be known of a card that is one thing, in one int: value, role, set, traits, kind; sorts by value."""
Group = int
"""Cards of one name in a hand: their mark, and in its lowest bits how many there are, up to 63."""


def mark_of(edition: int, kind: Kind, value: int) -> Mark:
    """The mark of a card that counts as this kind with this value."""
    own = SET_OF[edition][kind]
    return (
        value << VALUE_SHIFT
        | role_of(kind) << ROLE_SHIFT
        | (NIBBLE if own == NO_SET else own) << SET_SHIFT
        | TRAITS[edition][kind] << TRAIT_SHIFT
        | kind << KIND_SHIFT
    )


_PLAYABLE: Final = PLAYABLE << TRAIT_SHIFT
_SUMS: Final = up_to(STACKS)

Plays = list[tuple[Kind, int]]
"""Techniques with the number of ways in which each can be played."""
OPEN_PLAYS: Final = 1 << 40
"""Added to a number of ways to play if there are techniques of which more has to be told."""


def families_of(groups: Iterable[Group]) -> dict[int, Polynomial]:
    """By set how many choices of its cards there are by total; of junk under NIBBLE."""
    families: dict[int, Polynomial] = {}
    for group in groups:
        own = group >> SET_SHIFT & NIBBLE
        before = families.get(own, 1)
        families[own] = before + before * multiples(group >> VALUE_SHIFT, group & COUNT)
    return families


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


def plays_of(edition: int, players: int, groups: list[Group], names: int) -> tuple[Plays, tuple[Kind, ...]]:
    """The techniques that can be played in a number of ways a hand of so many names settles; and the open ones."""
    settled: Plays = []
    open_plays: tuple[Kind, ...] = ()
    for group in groups:
        if group & _PLAYABLE:
            kind = group >> KIND_SHIFT & KIND_MASK
            ways = ways_to_play(edition, players, kind, names - 1 if group & COUNT == 1 else names)
            if ways:
                settled.append((kind, ways))
            else:
                open_plays += (kind,)
    return settled, open_plays


class HandPart:
    """All cards of some sets in a hand; shared by all hands that hold the same cards of these sets.

    groups: sorted. sums: how many choices of cards of one set there are by total. together: all bits of the groups.
    """

    __slots__ = ("_edition", "_players", "_ways", "groups", "sums", "together")

    def __init__(self, edition: int, players: int, groups: list[Group]) -> None:
        together = 0
        for group in groups:
            together |= group
        families = families_of(groups)
        families.pop(NIBBLE, None)
        self.groups = groups
        self.sums = sum(families.values()) & _SUMS
        self.together = together
        self._edition = edition
        self._players = players
        self._ways: dict[int, int] = {}

    def ways(self, names: int) -> int:
        """The ways to play its techniques in a hand of so many names; `OPEN_PLAYS` is added if some are open."""
        found = self._ways.get(names)
        if found is None:
            settled, open_plays = plays_of(self._edition, self._players, self.groups, names)
            found = self._ways[names] = sum([ways for _, ways in settled]) + (OPEN_PLAYS if open_plays else 0)
        return found
