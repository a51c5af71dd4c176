"""Snappy Scarlet Macaws (decks.md 1). Classic Cookies is a passive: the hand limit in cleanup.py."""

from engine.cards._define import ability, technique
from engine.types import REMASTERED
from engine.verbs.draw import discard_hand, draw, draw_as_many
from engine.verbs.look import OWN, look, put_back, take_one
from engine.verbs.modify import raise_all
from engine.verbs.questions import hand_card, hand_order
from engine.verbs.take import take_top_discard
from engine.verbs.throw import throw_hand_card

technique("swift_broker", hand_order(), discard_hand(), draw_as_many())
ability("cookies", draw(1), editions=(REMASTERED,))
technique("shattered_relic", hand_card(), throw_hand_card(), draw(1))
technique("spyglass", look(OWN, 3), take_one(), put_back())
technique("flashy_show", raise_all())
technique("favourite_toy", take_top_discard())
