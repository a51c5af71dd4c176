"""Windows that open above the table: an explanation to scroll, and a list to look for something in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from harness.prompts import Texts


class HelpWindow(ModalScreen[None]):
    """A text that any of the usual keys closes."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,f1,q", "dismiss", show=False),
        Binding("down,pagedown,space", "scroll(1)", show=False),
        Binding("up,pageup", "scroll(-1)", show=False),
    ]
    DEFAULT_CSS = """
    HelpWindow > VerticalScroll { width: 78; max-width: 100%; height: auto; max-height: 95%; }
    HelpWindow > VerticalScroll > Static { height: auto; }
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        with VerticalScroll(classes="window"):
            yield Static(Text(self._text))

    def action_scroll(self, pages: int) -> None:
        """Scroll."""
        self.query_one(VerticalScroll).scroll_relative(y=pages * 10, animate=False)


class MenuWindow(ModalScreen[int | None]):
    """Numbered lines, those shown that contain all the words typed; gives the number of the one taken."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f2", "dismiss(None)", show=False),
        Binding("down", "move('down')", show=False, priority=True),
        Binding("up", "move('up')", show=False, priority=True),
        Binding("pagedown", "move('page_down')", show=False, priority=True),
        Binding("pageup", "move('page_up')", show=False, priority=True),
        Binding("enter", "take", show=False, priority=True),
    ]
    DEFAULT_CSS = """
    MenuWindow > Vertical { width: 96%; height: 90%; }
    MenuWindow Static { height: 1; color: #9e9e9e; }
    MenuWindow Input { height: 1; border: none; padding: 0; background: #303030; }
    MenuWindow Input:focus { border: none; }
    MenuWindow OptionList { height: 1fr; border: none; background: #262626; padding: 0; }
    MenuWindow OptionList:focus { border: none; }
    """

    def __init__(self, lines: Sequence[str], texts: Texts, title: str = "") -> None:
        super().__init__()
        self._lines, self._texts = lines, texts
        self._heading = title or texts.say("app_menu_title")

    def compose(self) -> ComposeResult:
        """Make the widgets."""
        with Vertical(classes="window"):
            yield Static(Text(self._heading))
            yield Input(select_on_focus=False)
            yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Show all."""
        options = self.query_one(OptionList)
        options.can_focus = False
        self._fill("")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the lines that contain the words."""
        self._fill(event.value)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take a line that was clicked."""
        self.action_take()

    def action_move(self, how: str) -> None:
        """Go up or down the list."""
        getattr(self.query_one(OptionList), f"action_cursor_{how}" if "_" not in how else f"action_{how}")()

    def action_take(self) -> None:
        """Take the line the mark is on."""
        options = self.query_one(OptionList)
        if options.highlighted is not None:
            chosen = options.get_option_at_index(options.highlighted).id
            self.dismiss(int(chosen) if chosen is not None else None)

    def _fill(self, typed: str) -> None:
        words = typed.casefold().split()
        options = self.query_one(OptionList)
        options.clear_options()
        found = [
            Option(f"{number:>4}  {line}", id=str(number))
            for number, line in enumerate(self._lines)
            if all(word in f"{number} {line}".casefold() for word in words)
        ]
        options.add_options(found or [Option(self._texts.say("app_menu_none"), disabled=True)])
        options.highlighted = 0 if found else None
