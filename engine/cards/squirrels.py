"""Hoarding Flying Squirrels (decks.md 4). The passives speak about building: stacks.py and verbs/build.py."""

from engine.cards._define import technique
from engine.verbs.questions import stall_card
from engine.verbs.swap import swap_with_stall

technique("acorn", stall_card(), swap_with_stall())
