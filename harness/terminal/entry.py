"""The line a person types in on the full screen: completion, and the lines typed before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

from harness.terminal.cells import cut, styled
from harness.terminal.screen import Complete

HINTS = 40
"""The most completions looked at."""


def no_completion(typed: str) -> Sequence[str]:
    """Complete nothing."""
    return ()


class _First(Suggester):
    """Shows the best completion behind the cursor."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._entry = entry

    async def get_suggestion(self, value: str) -> str | None:
        """Return the best line that begins with what is typed."""
        return next((line for line in self._entry.candidates if line.startswith(value)), None)


class Entry(Input):
    """One line of input. Tab goes through the completions; Up and Down through the lines entered before."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete(1)", show=False),
        Binding("shift+tab", "complete(-1)", show=False),
        Binding("up", "recall(-1)", show=False),
        Binding("down", "recall(1)", show=False),
        Binding("escape", "empty", show=False),
        Binding("ctrl+d", "finish", show=False),
    ]

    class Hints(Message):
        """What the line can become, as one line of text; empty if nothing is known."""

        def __init__(self, hints: Text) -> None:
            super().__init__()
            self.hints = hints

    class End(Message):
        """The person ended the input."""

    def __init__(self, id: str) -> None:
        super().__init__(suggester=_First(self), select_on_focus=False, id=id)
        self.complete: Complete = no_completion
        self.candidates: Sequence[str] = ()
        self._tried = -1
        self._set: str | None = None
        self._typed = ""
        self._lines: list[str] = []
        self._place = 0

    def ready(self, complete: Complete) -> None:
        """Take a new line that is completed by ``complete``."""
        self.complete = complete
        self.value = ""
        self._place = len(self._lines)
        self._look()

    def remember(self, line: str) -> None:
        """Keep a line that was entered, to be recalled."""
        if line and line not in self._lines[-1:]:
            self._lines.append(line)
        self._place = len(self._lines)

    def forget(self) -> None:
        """Keep nothing of what was entered: somebody else sits down."""
        self._lines.clear()
        self._place = 0

    def watch_value(self, value: str) -> None:
        """Look for completions of what the person typed, not of what Tab has put there."""
        if value != self._set:
            self._set = None
            self._look()

    def action_complete(self, step: int) -> None:
        """Put the next completion into the line; if there is no other one, it can be gone on with at once."""
        if not self.candidates:
            self.candidates = list(self.complete(self.value))[:HINTS]
        if not self.candidates:
            return
        self._tried = (self._tried + step) % len(self.candidates)
        line = self.candidates[self._tried]
        if len(self.candidates) == 1:
            self.value = f"{line} "
        else:
            self._set = self.value = line
        self.cursor_position = len(self.value)
        self._tell()

    def action_recall(self, step: int) -> None:
        """Put an earlier or later line into the line."""
        place = self._place + step
        if 0 <= place <= len(self._lines):
            self._place = place
            self.value = [*self._lines, ""][place]
            self.cursor_position = len(self.value)

    def action_empty(self) -> None:
        """Empty the line."""
        self.value = ""

    def action_finish(self) -> None:
        """End the input from an empty line; elsewhere delete a character."""
        if self.value:
            self.action_delete_right()
        else:
            self.post_message(self.End())

    def _look(self) -> None:
        typed = self.value
        self.candidates = list(self.complete(typed))[:HINTS] if typed.strip() else []
        self._typed = typed
        self._tried = -1
        self._tell()

    def _tell(self) -> None:
        """Say how the line can go on: the completions from the word on that is being typed."""
        start = len(self._typed.rpartition(" ")[0])
        hints = Text()
        for number, line in enumerate(self.candidates):
            hints.append("  " if number else "")
            hints.append(line[start:].strip(), "reverse" if number == self._tried else "")
        self.post_message(self.Hints(hints))


def hint_line(hints: Text, width: int) -> Text:
    """The completions on one line."""
    return cut(Text.assemble(styled(("Tab ", "bold")), hints), width) if hints.plain else hints
