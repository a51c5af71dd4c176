"""What a person's seat is shown on and asked through: plain lines, or the full-screen table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Complete = Callable[[str], Sequence[str]]
"""From what is typed so far to the whole lines it can become, best first."""


@dataclass(frozen=True)
class View:
    """What one seat is shown at one moment: everything comes from its own observation and history."""

    seat: str
    names: dict[str, str]
    observation: dict[str, Any]
    decision: dict[str, Any] | None
    happened: str
    """What has happened since the seat was last asked, told in the player's language; may be empty."""
    menu: Sequence[str]
    """The legal list in words, made when looked at."""
    level: str | None = None
    state: str | None = None
    """At a level below full help: the state as text, as a model at that level gets it; shown instead of the table."""


class Screen(Protocol):
    """Where a person reads and types."""

    async def show(self, view: View) -> None:
        """Show how things stand now."""

    def write(self, text: str) -> None:
        """Show a message: an answer to a question, a refusal, help."""

    async def read(self, prompt: str, complete: Complete) -> str | None:
        """Return the line the person enters; None at the end of the input."""

    def thinking(self, name: str, note: str) -> None:
        """Say that another player is deciding; ``note`` is its model, tokens and cost so far; empty name: nobody."""
