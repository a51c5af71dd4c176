"""A hand as groups of alike cards, and what has to be looked at because of its kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.actions import Action
from engine.stacks import SPECIAL_KINDS
from engine.state import State
from engine.tables import HAS_ABILITY, IS_CHAMELEON, IS_TECHNIQUE, SLUGS
from engine.types import CLASSIC, EDITIONS, KIND_MASK, Card
from engine.values import likeness

Add = Callable[[tuple[int, Callable[[int], Action]]], None]
"""Adds a part of a legal list: how many actions, and how to make one of them."""

PLAYABLE: Final = 1
COPIES_CARDS: Final = 2
BUILDS: Final = 4
ACTS: Final = 8


def _traits(edition: int) -> list[int]:
    """For each kind what has to be looked at when it is in a hand."""
    result = []
    for kind in range(len(SLUGS)):
        copies = COPIES_CARDS | BUILDS | ACTS if edition == CLASSIC and IS_CHAMELEON[kind] else 0
        builds = BUILDS if kind in SPECIAL_KINDS else 0
        acts = ACTS if HAS_ABILITY[edition][kind] else 0
        result.append(copies | builds | acts | (PLAYABLE if IS_TECHNIQUE[edition][kind] else 0))
    return result


TRAITS: Final = tuple(_traits(edition) for edition in range(len(EDITIONS)))

Groups = list[list[Card]]


def groups_of(g: State, cards: list[Card]) -> Groups:
    """The cards in groups of alike ones, in order of their first cards."""
    if not (g.alterations or g.used or g.locks):
        return groups_by_name(cards)
    groups: dict[tuple[object, ...], list[Card]] = {}
    for card in cards:
        groups.setdefault(likeness(g, card), []).append(card)
    return list(groups.values())


def groups_by_name(cards: list[Card]) -> Groups:
    """The cards in groups of one name, in order of their first cards."""
    groups: dict[int, list[Card]] = {}
    for card in cards:
        groups.setdefault(card & KIND_MASK, []).append(card)
    return list(groups.values())
