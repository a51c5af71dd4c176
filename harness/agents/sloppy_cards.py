"""Ways to break a rule by naming cards and slots that are not there, in purchases, stacks and Inventory actions."""

from __future__ import annotations

from typing import Any

from harness.agents.base import Proposal
from harness.agents.merchant_view import JUNK, cards, slug_of
from harness.agents.sloppy_spot import Spot, Way, call, changed, choices_of, choosing, first, first_slug

_BUILDERS = frozenset(("stashing_vendor", "empty_chest", "nostalgic_item", "accordion"))
"""Cards that change what makes a stack."""


def _unknown(spot: Spot) -> Proposal:
    return call("inventory", cards=[spot.outsider])


def _twice(spot: Spot) -> Proposal | None:
    return first_slug(spot.slugs, lambda slug: call("inventory", cards=[f"{slug}#1", f"{slug}#1"]))


def _not_in_hand(spot: Spot) -> Proposal | None:
    found = [slug for slug in spot.strangers if not spot.built(slug) and not spot.only_with_others(slug)]
    return first_slug(found, lambda slug: call("market", source="slot_0", payment=[slug]))


def _in_own_stall(spot: Spot) -> Proposal | None:
    found = [slug for slug in spot.strangers if spot.built(slug)]
    return first_slug(found, lambda slug: call("market", source="slot_0", payment=[slug]))


def _of_another_player(spot: Spot) -> Proposal | None:
    found = [slug for slug in spot.strangers if spot.only_with_others(slug)]
    return first_slug(found, lambda slug: call("inventory", cards=[slug]))


def _no_such_slot(spot: Spot) -> Proposal:
    return call("market", source="slot_5", payment=[])


def _empty_slot(spot: Spot) -> Proposal | None:
    empty = [f"slot_{number}" for number, offer in enumerate(spot.observation["market"]) if offer is None]
    return first_slug(empty, lambda slot: call("market", source=slot, payment=[]))


def _from_market_discard(spot: Spot) -> Proposal | None:
    paid = [card["card"] for card in spot.hand if slug_of(card["card"]) != "market_discovery"]
    return first_slug(paid, lambda name: call("market", source="market_discard", payment=[name]))


def _from_empty_market_discard(spot: Spot) -> Proposal | None:
    paid = [card["card"] for card in spot.hand if slug_of(card["card"]) == "market_discovery"]
    if spot.observation["market_discard"]:
        return None
    return first_slug(paid, lambda name: call("market", source="market_discard", payment=[name]))


def _too_little(spot: Spot) -> Proposal | None:
    """A legal payment without one of its cards: none is superfluous (R-MKT-07). If there is none: no payment at all.

    With gold, which may pay for the missing card, no payment for what the gold cannot pay alone (R-TRM-03).
    """
    for purchase in spot.purchases if not spot.gold else ():
        payment = purchase["arguments"]["payment"]
        if purchase["arguments"]["source"] != "market_discard" and payment:
            return changed(purchase, payment=payment[1:], throw_away=None)
    dear = [offer["slot"] for offer in spot.observation["market"] if offer is not None and offer["cost"] > spot.gold]
    return first_slug(dear, lambda slot: call("market", source=slot, payment=[]))


def _too_much(spot: Spot) -> Proposal | None:
    """A legal payment with one more card: that card is superfluous."""
    for purchase in spot.purchases:
        payment = purchase["arguments"]["payment"]
        left = [card["card"] for card in spot.hand]
        for name in payment:
            left.remove(name)
        more = [name for name in left if name != "stock_clearance"]
        if more:
            return changed(purchase, payment=[*payment, more[0]], throw_away=None)
    return None


def _junk_thrown_away(spot: Spot) -> Proposal | None:
    """Paid junk goes away only with Essential Purchase."""
    essential = [
        offer["slot"] for offer in spot.observation["market"] if offer and offer["card"] == "essential_purchase"
    ]
    return first(
        changed(purchase, throw_away=[JUNK])
        for purchase in spot.purchases
        if JUNK in purchase["arguments"]["payment"]
        and purchase["arguments"]["source"] not in (*essential, "market_discard")
    )


def _stack(spot: Spot, *names: str, **more: Any) -> Proposal:
    return call("stall", cards=list(names), **more)


def _empty_stack(spot: Spot) -> Proposal:
    return _stack(spot)


def _stack_ahead(spot: Spot) -> Proposal | None:
    number = spot.observation["next_stack"] + 1
    return _stack(spot, spot.hand[0]["card"], stack=number) if spot.hand else None


def _stack_again(spot: Spot) -> Proposal | None:
    number = spot.observation["next_stack"] - 1
    return _stack(spot, spot.hand[0]["card"], stack=number) if number and spot.hand else None


def _junk_stack(spot: Spot) -> Proposal | None:
    return _stack(spot, JUNK) if JUNK in spot.slugs else None


def _wrong_total(spot: Spot) -> Proposal | None:
    number = spot.observation["next_stack"]
    return first(
        _stack(spot, card["card"])
        for card in spot.animalfolk
        if card["value"] != number and slug_of(card["card"]) not in _BUILDERS
    )


def _mixed_sets(spot: Spot) -> Proposal | None:
    info = cards(spot.edition)
    plain = [card["card"] for card in spot.animalfolk if slug_of(card["card"]) not in _BUILDERS]
    return first(
        _stack(spot, one, other)
        for one in plain[:1]
        for other in plain
        if info[slug_of(one)].set != info[slug_of(other)].set
    )


def _out_of_the_discard(spot: Spot) -> Proposal | None:
    """A stack that would be right if its last card were in the hand. Not after a technique: it could change values."""
    if spot.turn.decision.bonus or spot.turn.decision.kind != "action":
        return None
    info = cards(spot.edition)
    pile = [
        slug for slug in spot.observation["seats"][spot.turn.seat]["discard"] if slug not in spot.copying | _BUILDERS
    ]
    number = spot.observation["next_stack"]
    return first(
        _stack(spot, card["card"], from_discard=[slug])
        for card in spot.animalfolk
        if slug_of(card["card"]) not in _BUILDERS
        for slug in pile
        if card["value"] + info[slug].value == number
    )


def _adjusted(spot: Spot) -> Proposal | None:
    """A stack that is right, with a card adjusted that is no Accordion."""
    return first(
        changed(build, adjust=[{"card": name, "by": 1}])
        for build in spot.of_tool("stall")
        for name in build["arguments"]["cards"][:1]
        if slug_of(name) != "accordion" and build["arguments"].keys() == {"cards"} and slug_of(name) not in spot.copying
    )


def _unknown_in_stack(spot: Spot) -> Proposal:
    return _stack(spot, spot.outsider)


def _absent_from_stack(spot: Spot) -> Proposal | None:
    found = [slug for slug in spot.strangers if not spot.built(slug) and not spot.only_with_others(slug)]
    return first_slug(found, lambda slug: _stack(spot, slug))


def _answer_nobody_asked(spot: Spot) -> Proposal:
    return call("choose", choices={"value": 1})


def _pass(spot: Spot) -> Proposal:
    return call("skip")


def _no_ability(spot: Spot) -> Proposal | None:
    info = cards(spot.edition)
    found = [card["card"] for card in spot.hand if not info[slug_of(card["card"])].ability]
    return first_slug(found, lambda name: call("ability", card=name))


def _ability_again(spot: Spot) -> Proposal | None:
    unused = [slug_of(card["card"]) for card in spot.hand if card.get("ability") == "unused"]
    used = [card["card"] for card in spot.hand if card.get("ability") == "used"]
    found = [name for name in used if slug_of(name) not in unused]
    return first_slug(found, lambda name: call("ability", card=name))


def _chosen_in_vain(spot: Spot) -> Proposal | None:
    return first(
        choosing(use, value=1)
        for use in spot.of_tool("ability")
        if slug_of(use["arguments"]["card"]) not in spot.copying
    )


def _cookies_too_early(spot: Spot) -> Proposal | None:
    """Remastered Cookies is for the end of the turn."""
    found = [card["card"] for card in spot.hand if slug_of(card["card"]) == "cookies"]
    return first_slug(found, lambda name: call("ability", card=name)) if spot.edition == "remastered" else None


def _nothing_to_copy(spot: Spot) -> Proposal | None:
    """A remastered Flexible Shopkeeper without a stack."""
    if spot.edition == "classic" or spot.observation["next_stack"] > 1:
        return None
    found = [card["card"] for card in spot.hand if slug_of(card["card"]) == "flexible_shopkeeper"]
    return first_slug(found, lambda name: call("ability", card=name))


def _copy_out_of_no_stack(spot: Spot) -> Proposal | None:
    """Only a card of the own highest stack can be copied."""
    uses = (use for use in spot.of_tool("ability") if "stack" in choices_of(use))
    return first(choosing(use, stack={**choices_of(use)["stack"], "number": 9}) for use in uses)


STACK_WAYS: tuple[Way, ...] = (
    Way("stack_empty", _empty_stack),
    Way("stack_out_of_order", _stack_ahead),
    Way("stack_sealed", _stack_again),
    Way("stack_contains_junk", _junk_stack),
    Way("stack_wrong_total", _wrong_total),
    Way("stack_mixed_sets", _mixed_sets),
    Way("discard_inclusion_not_allowed", _out_of_the_discard),
    Way("adjust_not_available", _adjusted),
    Way("unknown_card", _unknown_in_stack),
    Way("card_not_in_hand", _absent_from_stack),
)
ABILITY_WAYS: tuple[Way, ...] = (
    Way("no_ability", _no_ability),
    Way("ability_already_used", _ability_again),
    Way("superfluous_choice", _chosen_in_vain),
)
CARD_WAYS: tuple[Way, ...] = (
    Way("unknown_card", _unknown),
    Way("duplicate_card", _twice),
    Way("card_not_in_hand", _not_in_hand),
    Way("stall_card_reuse", _in_own_stall),
    Way("card_of_other_player", _of_another_player),
    Way("slot_out_of_range", _no_such_slot),
    Way("slot_empty", _empty_slot),
    Way("market_discard_not_allowed", _from_market_discard),
    Way("market_discard_empty", _from_empty_market_discard),
    Way("insufficient_payment", _too_little),
    Way("overpay_unneeded_card", _too_much),
    Way("throw_away_not_paid", _junk_thrown_away),
    Way("wrong_decision_type", _answer_nobody_asked),
    Way("pass_not_allowed", _pass),
    Way("ability_wrong_timing", _cookies_too_early),
    Way("ability_no_effect", _nothing_to_copy),
    Way("copy_target_invalid", _copy_out_of_no_stack),
)
