"""Thieving Northern Raccoons (decks.md 3)."""

from engine.cards._define import technique
from engine.types import CLASSIC, REMASTERED
from engine.verbs.give import discard_random, give_back, place_on_their_deck, take_random
from engine.verbs.look import TARGET, look, throw_one_of_target
from engine.verbs.players import opponent, opponent_with_discard, victim, victims
from engine.verbs.questions import hand_card
from engine.verbs.sources import pile_of_opponent
from engine.verbs.swap import swap_piles
from engine.verbs.take import take_top_discard_of, take_top_of

technique("wily_fellow", swap_piles())
technique("nuisance", victims(0), discard_random(), editions=(CLASSIC,))
technique("nuisance", victims(1), discard_random(), editions=(REMASTERED,))
technique("rotten_food", hand_card(), opponent(needs_hand=True), place_on_their_deck())
technique("dirty_exchange", victim(), take_random(), give_back())
technique("sabotage", opponent(), look(TARGET, 2), throw_one_of_target())
technique("treasure_hunter", opponent_with_discard(), take_top_discard_of(), editions=(CLASSIC,))
_source = pile_of_opponent(("deck", "discard"), "target_empty", "RAC5Br-1")
technique("treasure_hunter", _source, take_top_of(), editions=(REMASTERED,))
