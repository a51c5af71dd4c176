"""Telling everybody what a chameleon copies (R-CPC-10, R-CPR-06)."""

from __future__ import annotations

from engine import knowledge, moves
from engine.actions import Link
from engine.state import State
from engine.tables import SLUGS
from engine.types import JSON, Card, Seat, hand_zone
from engine.values import Identity, copied


def announce_copy(g: State, seat: Seat, card: Card, target: Card, identity: Identity) -> None:
    """Say what a remastered chameleon has become; an own hand card that it copies is shown (R-CPR-06, CHA5Br-1)."""
    fields: dict[str, JSON] = {"card": moves.name(card), "copied": SLUGS[identity.kind], "value": identity.value}
    moves.emit(g, "copy", seat, **fields, targets=[moves.name(target)])
    if target in g.hand(seat):
        knowledge.show_in_hand(g, seat, target)


def announce(g: State, seat: Seat, card: Card, chain: tuple[Link, ...]) -> Identity:
    """Say what a card copies; a hand card that is copied is shown. Returns what the card counts as."""
    identity = copied(g, card, chain)
    if g.log is not None:
        targets = moves.names([target for _, target in chain])
        fields: dict[str, JSON] = {"card": moves.name(card), "copied": SLUGS[identity.kind], "value": identity.value}
        moves.emit(g, "copy", seat, **fields, targets=targets)
    for zone, target in chain:
        if zone == hand_zone(seat):
            knowledge.show_in_hand(g, seat, target)
    return identity
