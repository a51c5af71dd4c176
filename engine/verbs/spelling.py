"""How cards are written in a proposal (contract section 2).

A card alone is named by its likeness. The cards of a proposal are named so that reading the names gives these very
cards again, in this order: which of alike copies is used leaves no trace in the rules, but in the order of zones.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.references import Zone, numbered_name, of_kind
from engine.state import State
from engine.tables import SLUGS
from engine.types import JSON, KIND_MASK, Card, Kind, Seat
from engine.values import likeness


def spell_card(g: State, seat: Seat, card: Card) -> str:
    """The bare slug where all copies in the hand are alike, else `slug#n`."""
    kind = card & KIND_MASK
    if not (g.alterations or g.used or g.locks):
        return SLUGS[kind]
    copies = of_kind(g.hand(seat), kind)
    if card not in copies or len({likeness(g, one) for one in copies}) == 1:
        return SLUGS[kind]
    return numbered_name(copies, card)


def spell_hand(g: State, seat: Seat, cards: Zone, without: Card = -1) -> list[JSON]:
    """Several cards of the hand, in order; of unlike copies each by its number.

    without: a card that no bare slug means, such as the technique being played.
    """
    hand = g.hand(seat)
    unlike = [card & KIND_MASK for card in cards if "#" in spell_card(g, seat, card)]
    return spell_cards(hand, cards, [card for card in hand if card != without], unlike)


def spell_cards(zone: Zone, cards: Zone, offered: Zone | None = None, unlike: Collection[Kind] = ()) -> list[JSON]:
    """Several cards of a zone, in order: bare slugs where `Reader.cards` takes these very cards, else `slug#n`.

    offered: the cards of the zone that may be named, in the order in which bare slugs take them; by default all.
    unlike: the kinds that are numbered anyway.
    """
    named: dict[Kind, list[Card]] = {}
    for card in cards:
        named.setdefault(card & KIND_MASK, []).append(card)
    first = {kind: of_kind(zone if offered is None else offered, kind)[: len(those)] for kind, those in named.items()}
    bare = [kind for kind, those in named.items() if first[kind] == those and kind not in unlike]
    return [SLUGS[card & KIND_MASK] if card & KIND_MASK in bare else numbered_name(zone, card) for card in cards]
