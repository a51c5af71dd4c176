"""Which makers of illegal examples serve which code.

A maker yields calls for one code, the plainest first. They are claims: `find` has every one judged before it counts,
so a maker may yield too much, but for every position in which a readable proposal can break its code as the primary one
it has to yield one that does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from engine.opportunities import abilities, authority, effects, market, naming, stacks
from engine.opportunities.spot import Call, Spot

Maker = Callable[[Spot], Iterable[Call]]


def _absent(code: str) -> Maker:
    return lambda spot: naming.absent(spot, code)


MAKERS: Final[dict[str, Maker]] = {
    "wrong_decision_type": authority.other_answers,
    "pass_not_allowed": authority.endings,
    "end_turn_not_available": authority.endings,
    "unknown_card": naming.unknown_cards,
    "duplicate_card": naming.twice,
    "card_not_in_hand": _absent("card_not_in_hand"),
    "card_of_other_player": _absent("card_of_other_player"),
    "stall_card_reuse": _absent("stall_card_reuse"),
    "card_in_wrong_zone": naming.not_in_pile,
    "slot_out_of_range": market.no_slots,
    "slot_empty": market.empty_slots,
    "market_discard_not_allowed": market.without_discovery,
    "market_discard_empty": market.empty_market_discard,
    "insufficient_payment": market.too_little,
    "overpay_unneeded_card": market.too_much,
    "throw_away_not_junk": market.no_junk_thrown,
    "throw_away_too_many": market.too_much_thrown,
    "throw_away_not_paid": market.unpaid_thrown,
    "not_a_technique": effects.no_techniques,
    "no_ability": abilities.no_abilities,
    "ability_already_used": abilities.abilities,
    "ability_wrong_timing": abilities.abilities,
    "ability_no_effect": abilities.abilities,
    "copy_target_missing": abilities.unsaid,
    "copy_target_invalid": abilities.wrong_targets,
    "copy_chain_invalid": abilities.wrong_chains,
    "copy_not_possible": abilities.no_copying,
    "stack_empty": stacks.empty,
    "stack_out_of_order": stacks.ahead,
    "stack_sealed": stacks.again,
    "stack_contains_junk": stacks.with_junk,
    "stack_mixed_sets": stacks.mixed,
    "stack_wrong_total": stacks.wrong_total,
    "discard_inclusion_not_allowed": stacks.discarded,
    "discard_inclusion_limit": stacks.too_many_discarded,
    "adjust_not_available": stacks.no_accordion,
}
"""One maker for a code; wrong answers to the questions of effects come on top (`effects.wrong_answers`)."""
