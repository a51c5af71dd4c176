"""The game of Dale of Merchants: rules, state, legal actions, judging of proposals, observations.

Standard library only. Knows no model, no prompt and no file. This module lists the public names; everything
else is private to the engine.
"""

from engine import game as _door
from engine.actions import Action
from engine.codes import CODES, CodeInfo, Violation
from engine.decisions import Decision
from engine.errors import EngineError, ForcedOutcomeError, FormatFault, PositionError
from engine.event_types import EVENT_TYPES, LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS, EventType
from engine.events import Event
from engine.explanations.nearest import Explanation
from engine.game import Game, Verdict
from engine.opportunities.find import Opportunity
from engine.tables import SETS, CardInfo, catalogue
from engine.tools import form_of
from engine.types import EDITIONS, SEATS, TOOLS, VARIANTS

COMPILED: bool = not str(_door.__file__).endswith(".py")
"""Whether the engine that runs was compiled (CONTRIBUTING.md); it plays the same games, faster."""

__all__ = [
    "CODES",
    "COMPILED",
    "EDITIONS",
    "EVENT_TYPES",
    "LIST_FIELDS",
    "NUMBER_FIELDS",
    "SEATS",
    "SETS",
    "TEXT_FIELDS",
    "TOOLS",
    "VARIANTS",
    "Action",
    "CardInfo",
    "CodeInfo",
    "Decision",
    "EngineError",
    "Event",
    "EventType",
    "Explanation",
    "ForcedOutcomeError",
    "FormatFault",
    "Game",
    "Opportunity",
    "PositionError",
    "Verdict",
    "Violation",
    "catalogue",
    "form_of",
]
