"""A hand as groups of alike cards, and what has to be looked at because of its kinds."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions import Action
from engine.listing import groups_of
from engine.stacks import SPECIAL_KINDS
from engine.state import State
from engine.tables import IS_CHAMELEON, IS_TECHNIQUE, SLUGS
from engine.types import EDITIONS, KIND_MASK, Card, Kind
from engine.window import ABILITY_KINDS

Add = Callable[[tuple[int, Callable[[int], Action]]], None]
"""Adds a part of a legal list: how many actions, and how to make one of them."""

PLAYABLE = 1
COPIES_CARDS = 2
BUILDS = 4
ACTS = 8


def _traits(edition: int) -> list[int]:
    """For each kind what has to be looked at when it is in a hand."""
    result = []
    for kind in range(len(SLUGS)):
        copies = COPIES_CARDS | BUILDS | ACTS if IS_CHAMELEON[kind] else 0
        builds = BUILDS if kind in SPECIAL_KINDS else 0
        acts = ACTS if kind in ABILITY_KINDS else 0
        result.append(copies | builds | acts | (PLAYABLE if IS_TECHNIQUE[edition][kind] else 0))
    return result


TRAITS = tuple(_traits(edition) for edition in range(len(EDITIONS)))

Groups = list[list[Card]]


def grouped(g: State, hand: list[Card]) -> tuple[Groups, int]:
    """The hand in groups of alike cards, and the traits of all its cards together."""
    traits = 0
    table = TRAITS[g.edition]
    groups: dict[Kind, list[Card]] = {}
    for card in hand:
        kind = card & KIND_MASK
        group = groups.get(kind)
        if group is None:
            groups[kind] = [card]
            traits |= table[kind]
        else:
            group.append(card)
    if g.used or g.locks or g.alterations:
        return groups_of(g, hand), traits
    return list(groups.values()), traits
