"""Dealing Giant Pandas (decks.md 2). Essential Purchase and Stock Clearance speak about purchases: checks/market.py."""

from engine.cards._define import ability, technique
from engine.verbs.abilities import throw_market_deck_top
from engine.verbs.look import SUPPLY, look, take_offer, throw_offer
from engine.verbs.questions import market_card, market_order
from engine.verbs.take import take_market_card
from engine.verbs.throw import fill_market, throw_market

technique("loyal_partner", market_order(), throw_market(), fill_market())
technique("prepaid_good", market_card(), take_market_card())
ability("market_discovery", throw_market_deck_top())
technique("special_offer", look(SUPPLY, 3), take_offer(), throw_offer())
