"""A person whose lines are given beforehand, at a screen that keeps what it was told."""

from __future__ import annotations

from collections.abc import Iterable

from harness import prompts
from harness.agents.human import HumanAgent
from harness.prompting import Level
from harness.terminal.lines import LineScreen
from harness.terminal.screen import Complete
from harness.terminal.sitting import Sitting


class Script(LineScreen):
    """The plain lines of a session as data: ``typed`` goes in, ``shown`` comes out."""

    def __init__(self, typed: Iterable[str], language: str = "en") -> None:
        super().__init__(prompts.load(language))
        self.language = language
        self.shown: list[str] = []
        self.offered: list[str] = []
        self._typed = iter(typed)

    def write(self, text: str) -> None:
        self.shown.append(text)

    async def read(self, prompt: str, complete: Complete) -> str | None:
        self.shown.append(prompt)
        line = next(self._typed, None)
        if line is not None and line.endswith("\t"):
            self.offered = list(complete(line.rstrip("\t")))
            return await self.read(prompt, complete)
        return line

    @property
    def text(self) -> str:
        """All that was shown."""
        return "\n".join(self.shown)


def person(typed: Iterable[str], language: str = "en", level: Level | None = None) -> tuple[HumanAgent, Script]:
    """A person of one seat and its screen."""
    screen = Script(typed, language)
    return HumanAgent("human", Sitting(screen, prompts.load(language)), level), screen
