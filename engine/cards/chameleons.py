"""Adapting Veiled Chameleons (decks.md 6). What the classic ones copy: copying.py. Gift Voucher: pandas.py."""

from engine.cards._define import ability
from engine.types import CLASSIC, REMASTERED
from engine.verbs.abilities import throw_market_deck_top
from engine.verbs.copy import (
    card_in_market,
    copy_chosen,
    copy_discarded,
    copy_in_slot,
    copy_shown,
    copy_thrown_away,
    holder,
    look_at_hand,
    other_hand_card,
    own_stack_card,
    pile_to_copy,
    throw_first,
)

ability("good_old_times", throw_market_deck_top(), editions=(CLASSIC,))

_source = pile_to_copy(("yes", "no"), "ability_no_effect", "CHA2r-1")
ability("flexible_shopkeeper", own_stack_card(), copy_chosen(), editions=(REMASTERED,))
ability("reflection", _source, copy_discarded(), editions=(REMASTERED,))
ability("good_old_times", throw_first(), copy_thrown_away(), editions=(REMASTERED,))
ability("sound_detectors", holder(), look_at_hand(), copy_shown(), editions=(REMASTERED,))
ability("trendsetting", card_in_market(), copy_in_slot(), editions=(REMASTERED,))
ability("seeing_doubles", other_hand_card(), copy_chosen(), editions=(REMASTERED,))
