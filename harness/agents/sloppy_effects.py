"""Ways to break a rule with a technique, with a copy, and in answer to an effect."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from harness.agents.base import Proposal
from harness.agents.merchant_view import JUNK, cards, slug_of
from harness.agents.sloppy_spot import Spot, Way, call, changed, choices_of, choosing, first, first_slug

_BY_CHANCE = ("nuisance", "dirty_exchange")
"""Techniques that take a card by chance."""
_FROM_HAND = ("shattered_relic", "rotten_food", "blindfold", "essential_purchase")
"""Techniques that need a card of the hand."""
_VALUES = {"guess": 21, "value": 6}
"""A number too high for each question about a value."""
_LOOKED_AT = ("take", "put_back", "throw_away", "throw_away_order", "copy")
"""Questions about cards that were looked at."""
_NEEDS_NOTHING = ("nuisance", "loyal_partner")
"""Techniques of which the list may hold several plays, but one chooses nothing, or the code is another."""
_ORDERS = ("put_back", "throw_away_order")


def _played(spot: Spot, *slugs: str) -> Iterator[Proposal]:
    """The legal plays of these techniques."""
    return (play for play in spot.techniques if slug_of(play["arguments"]["card"]) in slugs)


def _against(spot: Spot) -> Iterator[Proposal]:
    """The legal plays that name another player."""
    return (play for play in spot.techniques if choices_of(play).get("opponents"))


def _no_technique(spot: Spot) -> Proposal | None:
    info = cards(spot.edition)
    found = [card["card"] for card in spot.hand if info[slug_of(card["card"])].type != "technique"]
    return first_slug(found, lambda name: call("technique", card=name))


def _nothing_chosen(spot: Spot) -> Proposal | None:
    """A technique of which the legal list holds two plays needs a choice, with few exceptions."""
    return first(
        changed(play, choices=None)
        for play, other in pairwise(spot.techniques)
        if play["arguments"]["card"] == other["arguments"]["card"]
        and slug_of(play["arguments"]["card"]) not in _NEEDS_NOTHING
    )


def _chosen_too_much(spot: Spot) -> Proposal | None:
    """A number, which is asked for by no technique but the remastered Blindfold."""
    plays = (play for play in spot.techniques if slug_of(play["arguments"]["card"]) != "blindfold")
    return first(choosing(play, value=1) for play in plays)


def _oneself(spot: Spot) -> Proposal | None:
    return first(choosing(play, opponents=[spot.turn.seat]) for play in _against(spot))


def _nobody(spot: Spot) -> Proposal | None:
    seat = chr(ord("A") + len(spot.observation["seats"]))
    return first(choosing(play, opponents=[seat]) for play in _against(spot))


def _same_player_twice(spot: Spot) -> Proposal | None:
    return first(choosing(play, opponents=choices_of(play)["opponents"] * 2) for play in _against(spot))


def _two_market_cards(spot: Spot) -> Proposal | None:
    found = _played(spot, "prepaid_good", "gift_voucher")
    return first(choosing(play, slots=choices_of(play)["slots"] * 2) for play in found if choices_of(play))


def _empty_pile(spot: Spot) -> Proposal | None:
    """Treasure Hunter on an empty pile while another has cards."""
    seats = spot.observation["seats"]
    empty = [seat for seat in seats if seat != spot.turn.seat and not seats[seat]["discard"]]
    plays = (play for play in _played(spot, "treasure_hunter") if choices_of(play))
    option = {"option": "discard"} if spot.edition == "remastered" else {}
    return first(choosing(play, opponents=empty[:1], **option) for play in plays if empty)


def _played_on_itself(spot: Spot) -> Proposal | None:
    """The played card cannot be chosen; with another copy in the hand its name would mean that one."""
    return first(
        choosing(play, cards=[slug])
        for play in _played(spot, *_FROM_HAND)
        if spot.slugs.count(slug := slug_of(play["arguments"]["card"])) == 1 and "cards" in choices_of(play)
    )


def _own_stack(spot: Spot) -> Proposal | None:
    return first(
        choosing(play, stack={**choices_of(play)["stack"], "seat": spot.turn.seat})
        for play in _played(spot, "acorn")
        if choices_of(play)
    )


def _stack_not_there(spot: Spot) -> Proposal | None:
    return first(
        choosing(play, stack={**choices_of(play)["stack"], "number": 9})
        for play in _played(spot, "acorn")
        if choices_of(play)
    )


def _card_by_choice(spot: Spot) -> Proposal | None:
    return first(choosing(play, cards=[JUNK]) for play in _played(spot, *_BY_CHANCE))


def _junk_for_a_season(spot: Spot) -> Proposal | None:
    return first(choosing(play, cards=[JUNK]) for play in _played(spot, "new_season") if choices_of(play))


def _not_in_the_pile(spot: Spot) -> Proposal | None:
    pile = spot.observation["seats"][spot.turn.seat]["discard"]
    absent = [slug for slug in spot.strangers if slug not in pile]
    plays = (play for play in _played(spot, "new_season") if choices_of(play))
    return first(choosing(play, cards=absent[:1]) for play in plays if absent)


def _half_an_order(spot: Spot) -> Proposal | None:
    """Swift Broker's order of discarding with only one card of several."""
    for play in _played(spot, "swift_broker"):
        card = slug_of(play["arguments"]["card"])
        others = [held["card"] for held in spot.observation["hand"] if slug_of(held["card"]) != card]
        if others and len(spot.slugs) > 2:
            return choosing(play, cards=others[:1])
    return None


def _copy_unsaid(spot: Spot) -> Proposal | None:
    """Two plays that differ only in what a card copies: which of them is meant has to be said."""
    for play, other in pairwise(spot.legal):
        copies, others = play["arguments"].get("copies"), other["arguments"].get("copies")
        if copies and others and copies != others:
            unsaid = changed(play, copies=None)
            if unsaid == changed(other, copies=None) and len(copies) == len(others) == 1:
                return changed(unsaid, throw_away=None)
    return None


def _copy_of_nothing(spot: Spot) -> Proposal | None:
    """There is no junk in the market."""
    return first(
        changed(play, copies=[{"card": copies[0]["card"], "targets": [f"market:{JUNK}"]}], throw_away=None)
        for play in spot.legal
        if len(copies := play["arguments"].get("copies", ())) == 1
        and play["tool"] in ("market", "stall")
        and "from_discard" not in play["arguments"]
    )


def _copy_by_another(spot: Spot) -> Proposal | None:
    """Only chameleons copy."""
    return first(
        changed(purchase, copies=[{"card": name, "targets": [f"market:{JUNK}"]}], throw_away=None)
        for purchase in spot.purchases
        for name in purchase["arguments"]["payment"]
        if slug_of(name) not in spot.copying
    )


def _nobody_annoyed(spot: Spot) -> Proposal | None:
    """Remastered Nuisance needs a player; with a single opponent that one is meant."""
    if spot.edition == "classic" or len(spot.observation["seats"]) == 2:
        return None
    return first(changed(play, choices=None) for play in _played(spot, "nuisance"))


TECHNIQUE_WAYS: tuple[Way, ...] = (
    Way("not_a_technique", _no_technique),
    Way("missing_required_choice", _nothing_chosen),
    Way("superfluous_choice", _chosen_too_much),
    Way("target_self", _oneself),
    Way("target_self", _own_stack),
    Way("target_unknown_player", _nobody),
    Way("too_many_targets", _same_player_twice),
    Way("too_many_targets", _two_market_cards),
    Way("target_empty", _empty_pile),
    Way("too_few_targets", _nobody_annoyed),
    Way("target_invalid", _stack_not_there),
    Way("target_invalid", _junk_for_a_season),
    Way("card_in_wrong_zone", _not_in_the_pile),
    Way("self_reference", _played_on_itself),
    Way("random_choice_required", _card_by_choice),
    Way("invalid_order", _half_an_order),
    Way("copy_target_missing", _copy_unsaid),
    Way("copy_target_invalid", _copy_of_nothing),
    Way("copy_not_possible", _copy_by_another),
)


def _action_instead(spot: Spot) -> Proposal:
    return call("inventory", cards=[])


def _skip_instead(spot: Spot) -> Proposal:
    return call("skip")


def _end_instead(spot: Spot) -> Proposal:
    return call("end_turn")


def _no_answer(spot: Spot) -> Proposal:
    return call("choose", choices={})


def _answer_and_more(spot: Spot) -> Proposal:
    answer = spot.turn.legal[0]
    return choosing(answer, option="yes") if "option" not in choices_of(answer) else choosing(answer, value=1)


def _unknown_answer(spot: Spot) -> Proposal | None:
    asked = spot.turn.decision.asks in (*_LOOKED_AT, "give_back")
    return call("choose", choices={"cards": [spot.outsider]}) if asked else None


def _not_looked_at(spot: Spot) -> Proposal | None:
    if spot.turn.decision.asks not in _LOOKED_AT:
        return None
    offered = spot.observation["offered"]
    found = [slug for slug in (*spot.strangers, *spot.slugs) if slug not in offered]
    return first_slug(found, lambda slug: call("choose", choices={"cards": [slug]}))


def _both(spot: Spot) -> Proposal | None:
    if spot.turn.decision.asks not in ("take", "throw_away", "copy"):
        return None
    offered = spot.observation["offered"]
    return call("choose", choices={"cards": offered[:2]}) if len(offered) > 1 else None


def _only_one(spot: Spot) -> Proposal | None:
    offered = spot.observation["offered"]
    return call("choose", choices={"cards": offered[:1]}) if spot.turn.decision.asks in _ORDERS else None


def _give_two(spot: Spot) -> Proposal | None:
    names = [card["card"] for card in spot.observation["hand"]]
    return call("choose", choices={"cards": names[:2]}) if spot.turn.decision.asks == "give_back" else None


def _too_high(spot: Spot) -> Proposal | None:
    value = _VALUES.get(spot.turn.decision.asks)
    return call("choose", choices={"value": value}) if value is not None else None


def _not_that_copy(spot: Spot) -> Proposal | None:
    return call("choose", choices={"option": JUNK}) if spot.turn.decision.asks == "build_as" else None


def _no_set_left(spot: Spot) -> Proposal | None:
    if spot.turn.decision.asks not in ("ban", "pick"):
        return None
    gone = [*spot.observation["draft"]["banned"], *spot.observation["sets"], JUNK]
    return call("choose", choices={"option": gone[0]})


EFFECT_WAYS: tuple[Way, ...] = (
    Way("wrong_decision_type", _action_instead),
    Way("end_turn_not_available", _skip_instead),
    Way("missing_required_choice", _no_answer),
    Way("superfluous_choice", _answer_and_more),
    Way("unknown_card", _unknown_answer),
    Way("card_not_offered", _not_looked_at),
    Way("too_many_targets", _both),
    Way("too_many_targets", _give_two),
    Way("invalid_order", _only_one),
    Way("value_out_of_range", _too_high),
    Way("target_invalid", _not_that_copy),
    Way("target_invalid", _no_set_left),
)


def _unknown_ability(spot: Spot) -> Proposal:
    return call("ability", card=spot.outsider)


def _roll_too_late(spot: Spot) -> Proposal | None:
    found = [
        card["card"]
        for card in spot.hand
        if slug_of(card["card"]) == "bold_haggler" and card.get("ability") == "unused"
    ]
    return first_slug(found, lambda name: call("ability", card=name))


def _copied_too_late(spot: Spot) -> Proposal | None:
    """A remastered chameleon copies in the action phase only."""
    info = cards(spot.edition)
    found = [
        card["card"]
        for card in spot.hand
        if info[slug_of(card["card"])].set == "chameleons" and card.get("ability") == "unused"
    ]
    return first_slug(found, lambda name: call("ability", card=name)) if spot.edition == "remastered" else None


BONUS_STACK_WAYS: tuple[Way, ...] = (
    Way("wrong_decision_type", _action_instead),
    Way("end_turn_not_available", _end_instead),
)
END_OF_TURN_WAYS: tuple[Way, ...] = (
    Way("wrong_decision_type", _action_instead),
    Way("end_turn_not_available", _skip_instead),
    Way("unknown_card", _unknown_ability),
    Way("ability_wrong_timing", _roll_too_late),
    Way("ability_wrong_timing", _copied_too_late),
)
