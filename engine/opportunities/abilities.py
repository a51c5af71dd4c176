"""Illegal examples of group E: abilities, and copies of chameleons."""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions import STALL, Link
from engine.checks.copies import spell_chain, zone_name
from engine.copying import copies_on, targets
from engine.opportunities.spot import Call, Spot, arguments_of, list_in
from engine.references import copy_name, kinds_of
from engine.stacks import Piece
from engine.tables import COOKIES, GOOD_OLD_TIMES, HAS_ABILITY, SLUGS
from engine.types import ABILITY_TOOL, JSON, JUNK, KIND_MASK, MARKET, Card, hand_zone
from engine.values import Identity


def no_abilities(spot: Spot) -> Iterator[Call]:
    """`no_ability`: every card as anything it can be; the judge passes over those that have one."""
    if "ability" in spot.tools:
        for piece in spot.in_hand:
            yield spot.used("ability", piece)


def abilities(spot: Spot) -> Iterator[Call]:
    """`ability_already_used`, `ability_wrong_timing`, `ability_no_effect`: all that has an ability."""
    if "ability" in spot.tools:
        having = HAS_ABILITY[spot.g.edition]
        for piece in spot.in_hand:
            if having[piece.identity.kind] or piece.identity.kind == COOKIES:
                yield spot.used("ability", piece)
        for card in spot.copying:
            if card & KIND_MASK == GOOD_OLD_TIMES:
                yield spot.used("ability", Piece(card, Identity(GOOD_OLD_TIMES, 0, False, ())))


def _uses(spot: Spot, copies: list[JSON], card: Card, from_pile: bool = False) -> Iterator[Call]:
    """Every way to use one card, with these copies stated."""
    more: dict[str, JSON] = {"copies": copies} if copies else {}
    if from_pile:
        if "stall" in spot.tools:
            yield "stall", {"cards": [], "from_discard": [copy_name(spot.pile, card)], **more}
        return
    name = spot.names[card]
    if "market" in spot.tools:
        for slot in spot.occupied[:1]:
            yield "market", {"source": f"slot_{slot}", "payment": [name], **more}
    if "stall" in spot.tools:
        yield "stall", {"cards": [name], **more}
    for tool in ("technique", "ability"):
        if tool in spot.tools:
            yield tool, {"card": name, **more}


def _each(spot: Spot) -> Iterator[tuple[Card, str, bool]]:
    """Every chameleon that must copy, how it is named, and whether it lies in the discard pile."""
    for card in spot.copying:
        yield card, spot.names[card], False
    for card in spot.copying_pile:
        yield card, SLUGS[card & KIND_MASK], True


def unsaid(spot: Spot) -> Iterator[Call]:
    """`copy_target_missing`: several identities and none named (R-CPC-12)."""
    for card, _, from_pile in _each(spot):
        if len(spot.identities(card)) > 1:
            yield from _uses(spot, [], card, from_pile)


def wrong_targets(spot: Spot) -> Iterator[Call]:
    """`copy_target_invalid`: cards and zones out of a chameleon's reach (R-CPC-04)."""
    own: list[Link] = [(hand_zone(spot.seat), card) for card in spot.hand]
    own += [(STALL, card) for stack in spot.g.stalls[spot.seat] for card in stack]
    own += [(MARKET, spot.g.market[slot]) for slot in spot.occupied]
    for card, name, from_pile in _each(spot):
        valid = targets(spot.g, spot.seat, card & KIND_MASK, card)
        wrong = [spell_chain(spot.g, spot.seat, (link,)) for link in own if link not in valid]
        for chain in [*wrong, [f"market:{SLUGS[JUNK]}"]]:
            targeted: list[JSON] = [*chain]
            yield from _uses(spot, [{"card": name, "targets": targeted}], card, from_pile)


def wrong_chains(spot: Spot) -> Iterator[Call]:
    """`copy_chain_invalid`: going on after a card that does not copy, stopping at one that must (R-CPC-05)."""
    for card, name, from_pile in _each(spot):
        for link in targets(spot.g, spot.seat, card & KIND_MASK, card):
            chain: list[JSON] = [*spell_chain(spot.g, spot.seat, (link,))]
            if not copies_on(spot.g, link[1]):
                chain.append(f"{zone_name(MARKET)}:{SLUGS[JUNK]}")
            yield from _uses(spot, [{"card": name, "targets": chain}], card, from_pile)
        yield from _uses(spot, [{"card": name, "targets": []}], card, from_pile)


def no_copying(spot: Spot) -> Iterator[Call]:
    """`copy_not_possible`: copies stated for a card that does not copy, or is not used (R-CPC-01)."""
    target: list[JSON] = [f"{zone_name(MARKET)}:{SLUGS[spot.g.market[slot] & KIND_MASK]}" for slot in spot.occupied[:1]]
    for card in spot.hand:
        if card not in spot.copying:
            yield from _uses(spot, [{"card": spot.names[card], "targets": target}], card)
    if "stall" in spot.tools:
        yield "stall", {"cards": [], "copies": [{"card": SLUGS[JUNK], "targets": target}]}
    for action in spot.legal.of_tool(ABILITY_TOOL):
        arguments = arguments_of(spot.g, action)
        for kind in kinds_of(spot.g):
            if kind != action.card & KIND_MASK:
                entry: JSON = {"card": SLUGS[kind], "targets": target}
                yield "ability", {**arguments, "copies": [*list_in(arguments, "copies"), entry]}
