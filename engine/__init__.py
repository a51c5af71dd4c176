"""The game of Dale of Merchants: rules, state, legal actions, judging of proposals, observations.

Standard library only. Knows no model, no prompt and no file. This module lists the public names; everything
else is private to the engine.
"""

from engine.actions import Action
from engine.codes import CODES, CodeInfo, Violation
from engine.decisions import Decision
from engine.errors import EngineError, ForcedOutcomeError, FormatFault, InvariantError, PositionError
from engine.events import Event
from engine.game import Game, Verdict
from engine.tables import SETS, CardInfo, catalogue
from engine.types import EDITIONS, SEATS, TOOLS

__all__ = [
    "CODES",
    "EDITIONS",
    "SEATS",
    "SETS",
    "TOOLS",
    "Action",
    "CardInfo",
    "CodeInfo",
    "Decision",
    "EngineError",
    "Event",
    "ForcedOutcomeError",
    "FormatFault",
    "Game",
    "InvariantError",
    "PositionError",
    "Verdict",
    "Violation",
    "catalogue",
]
