"""Illegal examples of group B: cards that do not exist, are named twice or lie elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from engine.opportunities.spot import Call, Spot
from engine.references import absent_name, kinds_of, numbered_name, of_kind, strangers
from engine.tables import SLUGS
from engine.types import JSON


def _as_own(spot: Spot, names: list[JSON]) -> Iterator[Call]:
    """Every tool that takes cards of the hand, with these names."""
    if "inventory" in spot.tools:
        yield "inventory", {"cards": names}
    if "market" in spot.tools:
        yield "market", {"source": f"slot_{(spot.occupied or [0])[0]}", "payment": names}
    if "stall" in spot.tools:
        yield "stall", {"cards": names}
    if len(names) == 1:
        for tool in ("technique", "ability"):
            if tool in spot.tools:
                yield tool, {"card": names[0]}


def unknown_cards(spot: Spot) -> Iterator[Call]:
    """`unknown_card`: cards of other sets."""
    for slug in strangers(spot.g):
        yield from _as_own(spot, [slug])


def twice(spot: Spot) -> Iterator[Call]:
    """`duplicate_card`: the same copy two times, of the hand or of the own discard pile.

    Where abilities are all that can be used, two entries of `copies` name it.
    """
    for card in spot.hand:
        yield from _as_own(spot, [numbered_name(spot.hand, card)] * 2)
        if "ability" in spot.tools and "stall" not in spot.tools:
            entry: JSON = {"card": numbered_name(spot.hand, card), "targets": []}
            yield "ability", {"card": spot.names[card], "copies": [entry, entry]}
    if "stall" in spot.tools:
        for card in spot.pile:
            yield "stall", {"cards": [], "from_discard": [numbered_name(spot.pile, card)] * 2}


def absent(spot: Spot, code: str) -> Iterator[Call]:
    """`card_not_in_hand`, `card_of_other_player`, `stall_card_reuse`: what the hand does not hold (R-ERR-05)."""
    for kind in spot.absent.get(code, []):
        held = len(of_kind(spot.hand, kind))
        if held:
            yield from _as_own(spot, [SLUGS[kind]] * (held + 1))
        yield from _as_own(spot, [absent_name(spot.hand, kind)])


def not_in_pile(spot: Spot) -> Iterator[Call]:
    """`card_in_wrong_zone`: built from the own discard pile without lying there."""
    if "stall" in spot.tools:
        for kind in kinds_of(spot.g):
            cards: list[JSON] = [spot.names[card] for card in spot.hand[:1]]
            yield "stall", {"cards": cards, "from_discard": [absent_name(spot.pile, kind)]}
