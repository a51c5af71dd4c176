"""The full-screen table: a Textual application in the event loop of the match, which is a ``Screen`` for a person.

Textual is a core dependency: whoever installs this can play at the table at once, and it brings little that rich and
platformdirs have not brought already (markdown-it-py, mdit-py-plugins, pygments, typing-extensions; all pure Python).
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from harness import render
from harness.prompts import Texts
from harness.terminal.board import board
from harness.terminal.cells import cut, ends, hanging, styled
from harness.terminal.entry import Entry, hint_line, no_completion
from harness.terminal.panes import Panes
from harness.terminal.screen import Complete, View
from harness.terminal.table import HEAD, QUIET, Table
from harness.terminal.windows import MenuWindow
from harness.text import clean, clean_line

KEPT = 400
"""Messages kept to scroll back to."""
LONGEST_SIGN = 30
"""The longest prompt that stands before the input, in characters; a longer one becomes a message."""
SPINNER = "|/-\\"
"""Plain signs: not every font has the prettier ones."""


class TableApp(Panes):
    """The application; ``harness.terminal.screen.Screen`` says what its first four methods are for.

    Ctrl-C while no line is asked for goes to the handler of SIGINT; if that is the usual one, the owner is cancelled.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "interrupt", show=False, priority=True),
        Binding("f2", "menu", show=False, priority=True),
    ]

    def __init__(self, texts: Texts, owner: asyncio.Task[object] | None = None) -> None:
        super().__init__(texts)
        self.ready = asyncio.Event()
        self.view: View | None = None
        self.stopped = False
        self.broken_off = False
        self._owner = owner
        self._said: list[tuple[str, str]] = []
        self._new = 0
        self._end: int | None = None
        self._asked: asyncio.Future[str | None] | None = None
        self._thinking: tuple[str, str, float] | None = None
        self._hints = Text()

    # What a match uses.

    async def show(self, view: View) -> None:
        """Show how things stand now, and tell what has happened; another seat starts with no messages.

        Of a state as text the end is shown: the decision, the menu and the last refusal stand there.
        """
        if self.view is not None and self.view.seat != view.seat:
            self._said.clear()
            self._entry().forget()
        self.view = view
        self._end = None if view.state is None else -1
        if view.happened.strip():
            self._tell(clean(view.happened, 20_000), QUIET)
        self.lay_out()

    def write(self, text: str) -> None:
        """Show a message."""
        if text.strip():
            self._tell(clean(text, 20_000).strip("\n"), "")
            self.lay_out()

    async def read(self, prompt: str, complete: Complete) -> str | None:
        """Return the line the person enters; None at Ctrl-C, at Ctrl-D and when the application has ended."""
        if self.stopped:
            return None
        self._asked = asyncio.get_running_loop().create_future()
        sign = clean_line(prompt, 400)
        if len(sign) > LONGEST_SIGN:
            self._tell(sign, "")
            sign = ">"
        self._sign(f"{sign} ")
        entry = self._entry()
        entry.disabled = False
        entry.ready(complete)
        self.screen_stack[0].set_focus(entry)
        self.lay_out()
        try:
            line = await self._asked
        finally:
            self._asked = None
            if not self.stopped:
                entry.ready(no_completion)
                entry.disabled = True
                self._sign("")
                self._new = 0
        if line is not None and line.strip():
            self._tell(f"{sign} {clean_line(line, 400)}", HEAD)
            self.lay_out()
        return line

    def thinking(self, name: str, note: str) -> None:
        """Say that another player is deciding, with a moving sign; an empty name: nobody is."""
        since = self._thinking[2] if self._thinking and self._thinking[0] == name else time.monotonic()
        self._thinking = (clean_line(name, 40), clean_line(note, 200), since) if name else None
        self._status()

    # The application.

    def bottom(self) -> ComposeResult:
        """The line that says what goes on, and the input."""
        yield Static(id="status")
        with Horizontal(id="entry"):
            yield Static(id="prompt")
            yield Entry(id="line")

    def on_mount(self) -> None:
        """Get going."""
        self._entry().disabled = True
        self.begin_capture_print(self)
        self.set_interval(0.25, self._status)
        self.lay_out()
        self.ready.set()

    def on_print(self, event: events.Print) -> None:
        """Show what something printed among the messages instead of across the table."""
        if event.text.strip():
            self.write(event.text)

    def on_unmount(self) -> None:
        """Nobody can be asked any more."""
        self.end()

    def end(self) -> None:
        """Give no more lines, and keep nobody waiting."""
        self.stopped = True
        self._answer(None)
        self.ready.set()

    def on_input_submitted(self, event: Entry.Submitted) -> None:
        """Hand a line over."""
        if isinstance(event.input, Entry):
            event.input.remember(event.value.strip())
            self._answer(event.value)

    def on_entry_end(self) -> None:
        """End the input."""
        self._answer(None)

    def on_entry_hints(self, event: Entry.Hints) -> None:
        """Show how the line can go on."""
        self._hints = event.hints
        self._status()

    def action_interrupt(self) -> None:
        """End the input if a line is asked for, else interrupt what goes on."""
        if self._asked is not None:
            self._answer(None)
        elif callable(handler := signal.getsignal(signal.SIGINT)) and handler is not signal.default_int_handler:
            signal.raise_signal(signal.SIGINT)
        elif self._owner is not None:  # the usual handler would break off the application in the middle of this call
            self.broken_off = True
            self._owner.cancel()

    def action_menu(self) -> None:
        """Let the person look for a legal move and take it."""
        if self._asked is None or self.view is None or len(self.screen_stack) > 1 or not len(self.view.menu):
            return
        lines = [clean_line(line, 400) for line in self.view.menu]
        self.push_screen(MenuWindow(lines, self.texts), self._chosen)

    def _chosen(self, number: int | None) -> None:
        if number is not None:
            self._answer(str(number))

    def _answer(self, line: str | None) -> None:
        if self._asked is not None and not self._asked.done():
            self._asked.set_result(line)

    def _tell(self, text: str, style: str) -> None:
        self._said.append((text, style))
        del self._said[:-KEPT]
        self._new += 1

    def told(self) -> Sequence[tuple[str, str]]:
        """The messages."""
        return self._said

    def fresh(self) -> Sequence[tuple[str, str]]:
        """The messages since the last line was entered."""
        return self._said[-self._new :] if self._new else []

    def board_lines(self, width: int, height: int) -> list[Text]:
        """The table, or what a model at the level of the seat is told instead."""
        view = self.view
        if view is None:
            return []
        if view.state is not None:
            return [Text(line) for line in hanging(clean(view.state, 100_000), width)]
        return board(Table(view.observation, view.names, self.texts), width, height)

    def settle(self) -> None:
        """Show the newest message, from its beginning if it is long."""
        area = self.pane("told")
        area.scroll_end(animate=False)
        self.call_after_refresh(self._begin_with_newest, area)

    def _begin_with_newest(self, area: VerticalScroll) -> None:
        lines = len(hanging(self._said[-1][0], self.told_width)) if self._said else 0
        if lines > area.size.height:
            area.scroll_to(y=max(0, area.virtual_size.height - lines), animate=False)
        self._status()

    def action_scroll(self, pane: str, pages: int) -> None:
        """Scroll a pane by pages."""
        super().action_scroll(pane, pages)
        self.call_after_refresh(self._status)

    def _keep_end(self) -> None:
        """Stay at the end of a state, whatever its size, until the person scrolls; again when they are back there.

        ``_end`` is where the end was, None where it is not kept; below zero while the pane cannot be scrolled there.
        """
        state = self.pane("board")
        moving = self._end is not None and state.max_scroll_y != self._end
        if moving:
            state.scroll_end(animate=False, immediate=True)
        if self.view is None or self.view.state is None:
            self._end = None
        elif state.scroll_y >= state.max_scroll_y:
            self._end = state.max_scroll_y
        else:
            self._end = -1 if moving else None

    def _entry(self) -> Entry:
        return self.screen_stack[0].query_one(Entry)

    def _sign(self, text: str) -> None:
        self.screen_stack[0].query_one("#prompt", Static).update(Text(text))

    def _status(self) -> None:
        """The line above the input: who is deciding, how the line can go on, or what is asked."""
        if not self.is_running:
            return
        self._keep_end()
        width = self.size.width
        line = Text()
        if self._thinking is not None:
            name, note, since = self._thinking
            passed = time.monotonic() - since
            sign = SPINNER[int(passed * 4) % len(SPINNER)]
            told = self.texts.say("app_thinking", name=name, note=note, seconds=int(passed))
            line = ends(styled((f"{sign} ", "bold #ffd75f"), told), Text(self.texts.say("app_thinking_keys")), width)
        elif self._hints.plain:
            line = hint_line(self._hints, width)
        elif self._asked is not None and self.view is not None and self.view.decision is not None:
            line = cut(Text(render.decision(self.view.decision, self.texts.language)), width)
        self.say_status(line)


@asynccontextmanager
async def full_screen(texts: Texts) -> AsyncIterator[TableApp]:
    """Run the table in the running event loop, in the terminal of this process, for as long as the context lasts.

    Raises KeyboardInterrupt if Ctrl-C broke off what the task that entered was waiting for.
    """
    loop = asyncio.get_running_loop()
    factory = loop.get_task_factory()
    app = TableApp(texts, asyncio.current_task())
    running = asyncio.create_task(app.run_async())
    running.add_done_callback(lambda _: app.end())  # however it ended
    await app.ready.wait()
    loop.set_task_factory(factory)  # Textual makes the tasks of the whole loop eager, those of the match too
    try:
        yield app
    except asyncio.CancelledError:
        if app.broken_off:
            raise KeyboardInterrupt from None
        raise
    finally:
        if not app.stopped:
            app.exit()
        await running
