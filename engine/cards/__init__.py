"""The cards: one module for each set puts verbs together; importing this package fills the program tables.

May import verbs and everything below them.
"""

from engine.cards import chameleons, macaws, ocelots, pandas, raccoons, squirrels
from engine.cards._define import PROGRAMS, Program
from engine.frames import BONUS_STACK_PROGRAM, DRAFT_PROGRAM
from engine.verbs.build import offer_bonus_stack
from engine.verbs.draft import ban_set, deal_sets, pick_set

for _programs in PROGRAMS:
    _programs[BONUS_STACK_PROGRAM] = Program((), (offer_bonus_stack(),))
    _programs[DRAFT_PROGRAM] = Program((), (ban_set(), pick_set(), deal_sets()))

__all__ = ["chameleons", "macaws", "ocelots", "pandas", "raccoons", "squirrels"]
