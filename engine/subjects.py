"""Which copy is meant: by a bare slug whose technique or ability is used, by `#n` in `adjust` (contract section 2)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.references import Choices, Zone, of_kind, split_name
from engine.state import State
from engine.tables import SLUGS
from engine.types import CLASSIC, KIND_MASK, Card, Kind, Seat
from engine.values import plain
from engine.window import allowed_now, has_effect


def card_played(g: State, seat: Seat, kind: Kind, choices: Choices) -> Card:
    """The first copy in the hand that the choices do not name by `#n`, else the first; -1 if there is none."""
    named = _numbered_in_hand(g, seat, choices)
    return min(of_kind(g.hand(seat), kind), key=lambda card: card in named, default=-1)


def card_used(g: State, seat: Seat, kind: Kind, choices: Choices) -> Card:
    """The same for an ability, but before all a copy whose ability is unused, if there is one."""
    named = _numbered_in_hand(g, seat, choices)
    copies = of_kind(g.hand(seat), kind)
    return min(copies, key=lambda card: (card in named, _spent(g, card), card in g.counted), default=-1)


def counted_for_adjust(g: State, seat: Seat, built: Iterable[Card]) -> Zone:
    """The cards among which `#n` counts in `adjust`: those of the hand with a name built from there, then the pile."""
    kinds = {card & KIND_MASK for card in built}
    return [*(card for card in g.hand(seat) if card & KIND_MASK in kinds), *g.discard(seat)]


def _numbered_in_hand(g: State, seat: Seat, choices: Choices) -> list[Card]:
    """The hand cards that the choices name by `#n`: a bare slug elsewhere means another copy."""
    names = choices.get("cards")
    found = []
    for written in names if isinstance(names, list) else []:
        slug, number = split_name(written)
        copies = [card for card in g.hand(seat) if SLUGS[card & KIND_MASK] == slug]
        if 0 < number <= len(copies):
            found.append(copies[number - 1])
    return found


def _spent(g: State, card: Card) -> bool:
    """Whether a card has no ability left for now; a classic chameleon may still copy one."""
    kind, _, used, _ = plain(g, card)
    return used or (g.edition != CLASSIC and not (allowed_now(g, kind) and has_effect(g, kind, card)))
