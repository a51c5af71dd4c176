"""Illegal examples of group C: purchases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.opportunities.spot import Call, Spot, list_in, primary_code
from engine.references import kinds_of, split_name
from engine.stacks import Piece
from engine.tables import MARKET_DISCOVERY, SLUGS, STOCK_CLEARANCE
from engine.types import JSON, JUNK, SLOTS, Card

_TOO_MANY: Final = 4
"""One junk card more than Essential Purchase throws away (PAN3c-2)."""


def no_slots(spot: Spot) -> Iterator[Call]:
    """`slot_out_of_range`."""
    if "market" in spot.tools:
        for slot in (SLOTS, SLOTS + 1):
            yield "market", {"source": f"slot_{slot}", "payment": _first(spot)}


def empty_slots(spot: Spot) -> Iterator[Call]:
    """`slot_empty`."""
    if "market" in spot.tools:
        for slot in range(SLOTS):
            if slot not in spot.occupied:
                yield "market", {"source": f"slot_{slot}", "payment": _first(spot)}


def _first(spot: Spot) -> list[JSON]:
    return [spot.names[card] for card in spot.hand[:1]]


def without_discovery(spot: Spot) -> Iterator[Call]:
    """`market_discard_not_allowed`: paid without a Market Discovery."""
    if "market" in spot.tools:
        for piece in spot.in_hand:
            yield spot.market("market_discard", [piece])
        yield spot.market("market_discard", [])


def empty_market_discard(spot: Spot) -> Iterator[Call]:
    """`market_discard_empty`: with Market Discovery, or with a chameleon of which nobody knows what it is."""
    if "market" in spot.tools:
        for piece in _discoveries(spot):
            yield spot.market("market_discard", [piece])
        for payment, copies in _riddles(spot):
            yield "market", {"source": "market_discard", "payment": payment, **copies}


def _discoveries(spot: Spot) -> list[Piece]:
    return [piece for piece in spot.in_hand if piece.identity.kind == MARKET_DISCOVERY]


def _riddles(spot: Spot) -> Iterator[tuple[list[JSON], dict[str, JSON]]]:
    """Payments whose sum cannot be told: a chameleon with a chain of copies that leads nowhere."""
    for card in spot.copying:
        name = spot.names[card]
        yield [name], {"copies": [{"card": name, "targets": []}]}


def too_little(spot: Spot) -> Iterator[Call]:
    """`insufficient_payment`: legal payments without one of their cards, and no payment at all."""
    if "market" not in spot.tools:
        return
    for slot in spot.occupied:
        yield spot.market(f"slot_{slot}", [])
    for piece in _discoveries(spot):
        yield spot.market("market_discard", [piece])
    for action, arguments in spot.purchases():
        if len(action.cards) > 1 and not action.copies:
            payment: list[JSON] = [spot.names[card] for card in action.cards[1:]]
            yield "market", {**arguments, "payment": payment}


def too_much(spot: Spot) -> Iterator[Call]:
    """`overpay_unneeded_card`: legal payments with one more card, and the whole hand at its highest values.

    The more cards are paid, and the higher each counts, the more certainly one of them is superfluous: if the whole
    hand without Stock Clearances overpays nothing, no payment does.
    """
    if "market" not in spot.tools:
        return
    whole = [spot.market(f"slot_{slot}", _dearest(spot)) for slot in spot.occupied]
    whole += [spot.market("market_discard", [piece, *_dearest(spot, piece.card)]) for piece in _discoveries(spot)]
    if all(primary_code(spot.g, spot.seat, call) != "overpay_unneeded_card" for call in whole):
        return
    for action, arguments in spot.purchases():
        kinds = [spot.paid_as(action, card) for card in action.cards]
        if action.cards and not action.copies and STOCK_CLEARANCE not in kinds:
            for card in spot.hand:
                if card not in action.cards and card not in spot.copying:
                    paid: list[JSON] = [spot.names[one] for one in (*action.cards, card)]
                    yield "market", {**arguments, "payment": paid}
    yield from whole


def _dearest(spot: Spot, without: Card = -1) -> list[Piece]:
    """The hand, each card as what counts most but for Stock Clearance, which lifts the overpay rule (R-MKT-08)."""
    best: dict[Card, Piece] = {}
    for piece in spot.in_hand:
        if piece.card != without and piece.identity.kind != STOCK_CLEARANCE:
            known = best.setdefault(piece.card, piece)
            if piece.identity.value > known.identity.value:
                best[piece.card] = piece
    return list(best.values())


def no_junk_thrown(spot: Spot) -> Iterator[Call]:
    """`throw_away_not_junk`: a card that is not paid as junk, of a legal payment or of one whose sum cannot be told."""
    for action, arguments in spot.purchases():
        for card in action.cards:
            if spot.paid_as(action, card) != JUNK:
                payment: list[JSON] = [spot.exact(one) for one in action.cards]
                yield "market", {**arguments, "payment": payment, "throw_away": [spot.exact(card)]}
    if "market" in spot.tools:
        for piece in spot.in_hand:
            if piece.card not in spot.copying and piece.identity.kind != JUNK:
                name = spot.exact(piece.card)
                for riddle, copies in _riddles(spot):
                    for source in spot.sources:
                        yield "market", {"source": source, "payment": [*riddle, name], "throw_away": [name], **copies}


def too_much_thrown(spot: Spot) -> Iterator[Call]:
    """`throw_away_too_many`: four junk, whether paid or not."""
    for tool, arguments in _bargains(spot):
        yield tool, {**arguments, "throw_away": [SLUGS[JUNK]] * _TOO_MANY}


def unpaid_thrown(spot: Spot) -> Iterator[Call]:
    """`throw_away_not_paid`: junk where something else is bought, or a card that is not in the payment."""
    kinds = kinds_of(spot.g)
    for tool, arguments in _bargains(spot):
        paid = {split_name(str(name))[0] for name in list_in(arguments, "payment")}
        for kind in kinds:
            if kind == JUNK or SLUGS[kind] not in paid:
                yield tool, {**arguments, "throw_away": [SLUGS[kind]]}


def _bargains(spot: Spot) -> Iterator[Call]:
    """Purchases against which nothing stands that comes before what is thrown away: legal ones, and riddles."""
    for _, arguments in spot.purchases():
        yield "market", arguments
    if "market" in spot.tools:
        for source in spot.sources:
            for payment, copies in _riddles(spot):
                yield "market", {"source": source, "payment": payment, **copies}
