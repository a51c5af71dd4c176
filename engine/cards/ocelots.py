"""Lucky Ocelots (decks.md 5)."""

from engine.cards._define import ability, technique
from engine.types import CLASSIC, REMASTERED
from engine.verbs.abilities import roll_for_value
from engine.verbs.build import build_or_throw, reveal_market_deck_top
from engine.verbs.draw import discard_hand, draw_as_many
from engine.verbs.guess import decide_value, guess_top_card, guess_value
from engine.verbs.mix import exchange_random, mix_hands, roll_die
from engine.verbs.players import opponent
from engine.verbs.questions import discarded_animalfolk, hand_card, hand_order, top_card_value
from engine.verbs.swap import swap_deck_tops
from engine.verbs.take import draw_from_market_deck
from engine.verbs.throw import throw_discarded

ability("bold_haggler", roll_for_value())
technique("new_season", discarded_animalfolk(), throw_discarded(), draw_from_market_deck())
technique("whirligig", opponent(), hand_order(), discard_hand(), draw_as_many(), mix_hands(), editions=(CLASSIC,))
technique("whirligig", opponent(), roll_die(), swap_deck_tops(), editions=(REMASTERED,))
technique("charm", reveal_market_deck_top(), build_or_throw())
technique("gamble", opponent(), roll_die(), exchange_random())
_secret = (hand_card(), opponent(needs_hand=True), guess_value(), decide_value("OCE5Bc-3"))
technique("blindfold", *_secret, editions=(CLASSIC,))
_guess = (top_card_value(1, 5, "OCE5Br-1"), guess_top_card(), decide_value("OCE5Br-2"))
technique("blindfold", *_guess, editions=(REMASTERED,))
