"""Open cards of a hand: chameleons that must copy when they are used, each in every identity it can take (R-CPC-03)."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from engine.copying import identities
from engine.groups import Groups
from engine.payments import NO_BASE, Base, role_of
from engine.stacks import Content, Piece, card_content, new_piece
from engine.state import State
from engine.tables import SET_OF
from engine.types import JUNK, Kind, Seat


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


_new_way: Final = tuple.__new__


@cache
def _brought(edition: int, kind: Kind, value: int) -> tuple[Content, int, int]:
    """What an identity brings: content, mask of its set, mask of its role."""
    own = SET_OF[edition][kind]
    return card_content(kind, value), 0 if kind == JUNK else 1 << own, 1 << role_of(kind)


def ways_of(g: State, seat: Seat, groups: Groups) -> list[Way]:
    """Every way to use open cards that are given in groups of alike ones; the first is to use none."""
    found = [*NO_OPEN_CARDS]
    for group in groups:
        options = identities(g, seat, group[0])
        longer = found[:]
        for count in range(1, len(group) + 1):
            for chosen in combinations_with_replacement(options, count):
                pieces = tuple([new_piece(Piece, pair) for pair in zip(group, chosen, strict=False)])
                content = total = masks = roles = 0
                smallest = chosen[0].value
                for kind, value, _, _ in chosen:
                    own, mask, role = _brought(g.edition, kind, value)
                    content += own
                    total += value
                    masks |= mask
                    roles |= role
                    if value < smallest:
                        smallest = value
                for used, whole, sets, (paid, least, others) in found:
                    base = (paid + total, smallest if smallest < least else least, others | roles)
                    longer.append(_new_way(Way, (used + pieces, whole + content, sets | masks, base)))
        found = longer
    return found
