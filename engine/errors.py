"""Every error of the engine.

EngineError
 |- PositionError         a position or setup that cannot be built: one sentence for the user
 |   |- ForcedOutcomeError  a forced random outcome that does not fit its event, or is left over
 |- FormatFault           a call in the tools of a level that cannot be read (a player's fault, never a bug)

An illegal proposal is not an exception: `Game.propose` returns its violations.
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of all errors the engine raises."""


class PositionError(EngineError):
    """A setup or position that cannot be built; the text is one sentence for the user."""


class ForcedOutcomeError(PositionError):
    """A forced random outcome does not fit the event it was used for."""


class FormatFault(EngineError):
    """A tool call that cannot be read; `code` is `malformed_arguments` or `unknown_action`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
