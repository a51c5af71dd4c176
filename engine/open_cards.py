"""Open cards of a hand: chameleons that must copy when they are used, each in every identity it can take (R-CPC-03)."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from engine.copying import identities
from engine.groups import Groups
from engine.payments import NO_BASE, Base, role_of
from engine.stacks import Content, Piece, card_content, set_mask, sum_in
from engine.state import State
from engine.types import Seat


class Way(NamedTuple):
    """Some open cards, each as one of its identities: what they bring to a stack and to a payment.

    content, sets: see `engine.stacks`. base: total, smallest value and roles, see `engine.payments`.
    """

    pieces: tuple[Piece, ...]
    content: Content
    sets: int
    base: Base


NO_OPEN_CARDS: Final = (Way((), 0, 0, NO_BASE),)
"""The one way to use no open cards."""


def ways_of(g: State, seat: Seat, groups: Groups) -> list[Way]:
    """Every way to use open cards that are given in groups of alike ones; the first is to use none."""
    found = [*NO_OPEN_CARDS]
    for group in groups:
        options = []
        for one in identities(g, seat, group[0]):
            options.append((one, card_content(one.kind, one.value), set_mask(g, one.kind), 1 << role_of(one.kind)))
        longer = found[:]
        for count in range(1, len(group) + 1):
            for chosen in combinations_with_replacement(options, count):
                pieces = tuple([Piece(card, one[0]) for card, one in zip(group, chosen, strict=False)])
                content = sum([one[1] for one in chosen])
                smallest = min([one[0].value for one in chosen])
                masks = roles = 0
                for _, _, mask, role in chosen:
                    masks |= mask
                    roles |= role
                for other in found:
                    total, least, others = other.base
                    base = (total + sum_in(content), min(least, smallest), others | roles)
                    longer.append(Way(other.pieces + pieces, other.content + content, other.sets | masks, base))
        found = longer
    return found
