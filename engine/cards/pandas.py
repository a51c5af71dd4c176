"""Dealing Giant Pandas (decks.md 2), and Gift Voucher, in the classic edition a chameleon.

Classic Essential Purchase and Stock Clearance speak about purchases: checks/market.py.
"""

from engine.cards._define import ability, technique
from engine.types import CLASSIC, REMASTERED
from engine.verbs.abilities import throw_market_deck_top
from engine.verbs.look import SUPPLY, look, take_offer, throw_offer
from engine.verbs.modify import change_costs, raise_limit
from engine.verbs.questions import hand_card, market_card, market_cards, market_order
from engine.verbs.swap import swap_with_market
from engine.verbs.take import take_market_card
from engine.verbs.throw import fill_market, throw_hand_card, throw_market

technique("loyal_partner", market_order(), throw_market(), fill_market(), editions=(CLASSIC,))
technique("loyal_partner", market_cards(), throw_market(), editions=(REMASTERED,))
technique("prepaid_good", market_card(), take_market_card())
technique("essential_purchase", hand_card(), throw_hand_card(), change_costs(-2), editions=(REMASTERED,))
ability("market_discovery", throw_market_deck_top(), editions=(CLASSIC,))
technique("gift_voucher", market_card(), swap_with_market())
technique("special_offer", look(SUPPLY, 3), take_offer(), throw_offer())
technique("exclusive_contacts", raise_limit(2), change_costs(2), editions=(REMASTERED,))
