"""Adapting Veiled Chameleons, classic (decks.md 6.1). What they copy: copying.py."""

from engine.cards._define import ability, technique
from engine.verbs.abilities import throw_market_deck_top
from engine.verbs.questions import market_card
from engine.verbs.swap import swap_with_market

ability("good_old_times", throw_market_deck_top())
technique("gift_voucher", market_card(), swap_with_market())
