"""What the people at one table share: the screen, the language, who looks at it, and what may be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.prompts import Texts
from harness.terminal.screen import Screen, View
from harness.text import clean_line


def _no_lines(typed: str) -> list[str]:
    return []


@dataclass
class Sitting:
    """One table of people and others.

    ``people`` is how many persons play; ``no_undo`` names the text that says why nothing is taken back, empty if it can
    be; ``undo`` is the seat that wants its last decision back, which ends the match until that is done.
    """

    screen: Screen
    texts: Texts
    names: dict[str, str] = field(default_factory=dict)
    people: int = 1
    no_undo: str = ""
    undo: str | None = None
    looking: str | None = None

    def name(self, seat: str) -> str:
        """Return the name of a seat's player, the letter where it has none."""
        return clean_line(self.names.get(seat, seat), 48)

    async def hand_over(self, seat: str) -> bool:
        """Give the screen to a seat; where another person looked at it before, only after a page without secrets.

        Returns False if the input ends there.
        """
        before, self.looking = self.looking, seat
        if self.people < 2 or before == seat:
            return True
        text = self.texts.say("handover", name=self.name(seat), seat=seat)
        nothing = View(seat, dict(self.names), {}, None, "", (), level="", state=text)
        await self.screen.show(nothing)
        return await self.screen.read("> ", _no_lines) is not None
