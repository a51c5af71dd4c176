"""What the full-screen applications have in common: the table above or beside what is told, and a window for both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.widgets import Static

from harness.prompts import Texts
from harness.terminal.cells import cut, ends, hanging, styled
from harness.terminal.room import COLUMNS, LINES
from harness.terminal.style import SHEET
from harness.terminal.table import HEAD
from harness.terminal.windows import HelpWindow

WIDE = 132
"""From this width on what is told stands beside the table."""
LEAST, MOST = 3, 12
"""Lines for what is told below the table: at least, and while it asks for more as many, or half of the window."""


class Panes(App[None]):
    """A window with the table, what is told, and below them the lines that ``bottom`` makes.

    ``chrome`` is how many those are; ``texts_prefix`` names the texts of the keys and of their explanation.
    """

    CSS = SHEET
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "keys", show=False, priority=True),
        Binding("f3", "zoom", show=False, priority=True),
        Binding("pageup", "scroll('told', -1)", show=False),
        Binding("pagedown", "scroll('told', 1)", show=False),
        Binding("ctrl+pageup", "scroll('board', -1)", show=False),
        Binding("ctrl+pagedown", "scroll('board', 1)", show=False),
    ]
    chrome: ClassVar[int] = 3
    texts_prefix: ClassVar[str] = "app"

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self.texts = texts
        self.told_width = COLUMNS - 1
        self._zoom = 0
        self._tallest = 0

    # What an application says of itself.

    def board_lines(self, width: int, height: int) -> list[Text]:
        """The table in a width, if it goes in a height."""
        raise NotImplementedError

    def told(self) -> Sequence[tuple[str, str]]:
        """What is told, as texts of one or more lines with their styles."""
        raise NotImplementedError

    def fresh(self) -> Sequence[tuple[str, str]]:
        """What of it should be seen at once."""
        raise NotImplementedError

    def bottom(self) -> ComposeResult:
        """The widgets between the panes and the line of keys; one is ``#status``."""
        raise NotImplementedError

    def settle(self) -> None:
        """Fill what ``bottom`` has made, and scroll what is told."""
        raise NotImplementedError

    # The window.

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        with Container(id="panes"):
            with VerticalScroll(id="board", can_focus=False):
                yield Static(id="table")
            with VerticalScroll(id="told", can_focus=False):
                yield Static(id="lines")
        yield Static(id="small")
        yield from self.bottom()
        yield Static(id="keys")

    def on_resize(self) -> None:
        """Lay everything out anew."""
        self._tallest = 0
        self.call_next(self.lay_out)  # the new size is known behind this message

    def action_keys(self) -> None:
        """Explain the keys and the signs."""
        if len(self.screen_stack) == 1:
            self.push_screen(HelpWindow(self.texts.say(f"{self.texts_prefix}_help")))

    def action_zoom(self) -> None:
        """Both, the table alone, what is told alone."""
        self._zoom = (self._zoom + 1) % 3
        self.lay_out()

    def action_scroll(self, pane: str, pages: int) -> None:
        """Scroll a pane by pages."""
        area = self.pane(pane)
        area.scroll_relative(y=pages * max(1, area.size.height - 1), animate=False)

    def pane(self, name: str) -> VerticalScroll:
        """The pane of the table, ``board``, or of what is told, ``told``."""
        return self.screen_stack[0].query_one(f"#{name}", VerticalScroll)

    def say_status(self, line: Text) -> None:
        """Fill the line ``#status``, with words at its end for what there is more to scroll to."""
        told, table = self.pane("told"), self.pane("board")
        more = [self.texts.say("app_more")] if told.display and told.scroll_y < told.max_scroll_y else []
        more += [self.texts.say("app_more_table")] if table.display and table.max_scroll_y > 0 else []
        if more:
            line = ends(line, styled(("  ".join(more), HEAD)), self.size.width)
        self.screen_stack[0].query_one("#status", Static).update(cut(line, self.size.width))

    def lay_out(self) -> None:
        """Divide the window between the panes, and fill them."""
        if not self.is_running or not self.query("#keys"):
            return
        width, height = self.size
        small = width < COLUMNS or height < LINES
        main = self.screen_stack[0]
        main.query_one("#panes").display = not small
        note = main.query_one("#small", Static)
        note.display = small
        if small:
            note.update(self.texts.say("app_small", width=width, height=height, columns=COLUMNS, lines=LINES))
            return
        main.query_one("#keys", Static).update(cut(Text(" " + self.texts.say(f"{self.texts_prefix}_keys")), width))
        self._divide(width, height - self.chrome)
        self.settle()

    def _divide(self, width: int, height: int) -> None:
        wide = width >= WIDE and self._zoom == 0
        beside = max(48, width * 2 // 5) if wide else 0
        wanted = sum(len(hanging(text, width - 1)) for text, _ in self.fresh())
        room = height if wide or self._zoom else height - max(LEAST, min(max(MOST, height // 2), wanted))
        lines = self.board_lines(width - beside - 1, room)
        if len(lines) > room:  # the tersest table goes before what is told, which can be scrolled
            room = min(len(lines), height - LEAST)
        pressed = wanted > height - self._tallest  # else the panes keep their sizes from step to step
        self._tallest = min(room, len(lines) if pressed else max(self._tallest, len(lines)))
        main = self.screen_stack[0]
        area, told = main.query_one("#board"), main.query_one("#told")
        main.query_one("#panes").styles.layout = "horizontal" if wide else "vertical"
        area.display, told.display = self._zoom != 2, self._zoom != 1
        area.styles.width = width - beside if wide else "100%"
        area.styles.height = "100%" if wide or self._zoom else self._tallest
        told.styles.width = beside if wide else "100%"
        told.styles.height = "1fr"
        main.query_one("#table", Static).update(Text("\n").join(lines))
        self.told_width = (beside or width) - 1  # one for the scroll bar
        texts = [Text("\n".join(hanging(text, self.told_width)), style) for text, style in self.told()]
        main.query_one("#lines", Static).update(Text("\n").join(texts))
