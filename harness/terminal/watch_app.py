"""``dale watch`` on the full screen: the table at a step, what was tried and decided there, and keys to walk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from harness.errors import UserError
from harness.prompts import Texts
from harness.terminal.board import board
from harness.terminal.cells import styled
from harness.terminal.following import Followed, glance, running
from harness.terminal.panes import Panes
from harness.terminal.table import ALERT, HEAD, QUIET
from harness.terminal.walk import Walk
from harness.terminal.watched import By
from harness.terminal.windows import MenuWindow
from harness.text import clean_line

POLL = 0.5
"""Seconds between looks at a log that grows."""


class WatchApp(Panes):
    """Walks through one of the games. The first is opened at once if it is the only one."""

    chrome: ClassVar[int] = 3
    texts_prefix: ClassVar[str] = "watch"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,space,enter", "go('decision', 1)", show=False),
        Binding("left,backspace", "go('decision', -1)", show=False),
        Binding("down", "go('step', 1)", show=False),
        Binding("up", "go('step', -1)", show=False),
        Binding("right_square_bracket", "go('turn', 1)", show=False),
        Binding("left_square_bracket", "go('turn', -1)", show=False),
        Binding("x", "go('illegal', 1)", show=False),
        Binding("X", "go('illegal', -1)", show=False),
        Binding("home", "first", show=False),
        Binding("end", "last", show=False),
        Binding("v", "next_view", show=False),
        Binding("0", "look('')", show=False),
        *(Binding(seat.lower(), f"look('{seat}')", show=False) for seat in "ABCD"),
        Binding("slash", "search", show=False, priority=True),  # before what is typed right behind it is sent on
        Binding("n", "again(1)", show=False),
        Binding("N", "again(-1)", show=False),
        Binding("g", "games", show=False),
        Binding("f", "follow", show=False),
        Binding("question_mark", "keys", show=False),
        Binding("q,escape,ctrl+c,ctrl+q", "leave", show=False),
    ]

    def __init__(self, games: Sequence[Path], texts: Texts, seat: str | None = None, follow: bool = False) -> None:
        super().__init__(texts)
        self.games, self.follow = games, follow
        self.walk: Walk | None = None
        self._first_view = seat
        self._note = ""
        self._problem = ""
        going_on = running(games) if follow else None
        if going_on is not None or len(games) == 1:
            self._open(going_on or games[0])

    def bottom(self) -> ComposeResult:
        """Where one is, and what is searched for."""
        yield Static(id="status")
        yield Input(id="line", select_on_focus=False, placeholder=self.texts.terminal["watch_search"])

    def on_mount(self) -> None:
        """Get going."""
        self._line().disabled = True
        self.set_interval(POLL, self._poll)
        if self.walk is None:
            self.action_games()
        self.lay_out()

    def board_lines(self, width: int, height: int) -> list[Text]:
        """The table at the step."""
        return board(self.walk.table(), width, height) if self.walk is not None else []

    def told(self) -> Sequence[tuple[str, str]]:
        """What is to be said of the step; before it, what is wrong with a log."""
        problem = [(self._problem, ALERT)] if self._problem else []
        return [*problem, *(self.walk.told() if self.walk is not None else [])]

    def fresh(self) -> Sequence[tuple[str, str]]:
        """All of it."""
        return self.told()

    def settle(self) -> None:
        """Show what is told from its beginning, and where one is."""
        self.pane("told").scroll_home(animate=False)
        self.call_after_refresh(self._status)

    def _status(self) -> None:
        line = Text()
        if self._note:
            line = styled((self._note, ALERT))
        elif self.walk is not None:
            live = f"  {self.texts.terminal['watch_live']}" if self.follow else ""
            line = styled((self.walk.where(), QUIET), (live, HEAD))
        self.say_status(line)

    def action_scroll(self, pane: str, pages: int) -> None:
        """Scroll a pane by pages."""
        super().action_scroll(pane, pages)
        self.call_after_refresh(self._status)

    def action_go(self, by: By, way: int) -> None:
        """Go on or back."""
        if self.walk is not None:
            self._say(self.walk.go(by, way))

    def action_first(self) -> None:
        """Go to the deal."""
        if self.walk is not None:
            self.walk.first()
            self._say("")

    def action_last(self) -> None:
        """Go to the end."""
        if self.walk is not None:
            self.walk.last()
            self._say("")

    def action_look(self, seat: str) -> None:
        """Take the view of a seat, or see everything."""
        if self.walk is not None and (not seat or seat in self.walk.followed.game.seats):
            self.walk.look(seat or None)
            self._say("")

    def action_next_view(self) -> None:
        """Take the next view: everything, then each seat."""
        if self.walk is not None:
            views = ["", *self.walk.followed.game.seats]
            self.action_look(views[(views.index(self.walk.seat or "") + 1) % len(views)])

    def action_search(self) -> None:
        """Ask for words to look for; a slash within words is one of their signs."""
        if isinstance(self.focused, Input):
            self.focused.insert_text_at_cursor("/")
        elif self.walk is not None:
            line = self._line()
            line.disabled = False
            line.value = ""
            self.screen.set_focus(line)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Look for words."""
        self._end_search()
        if self.walk is not None and event.value.strip():
            self._say(self.walk.find(event.value))

    def action_again(self, way: int) -> None:
        """Look for the same words further on or back."""
        if self.walk is not None and self.walk.words:
            self._say(self.walk.find(self.walk.words, way))

    def action_games(self) -> None:
        """Show the list of games."""
        if len(self.screen_stack) == 1:
            lines = [glance(path, self.texts) for path in self.games]
            title = self.texts.terminal["watch_games"]
            self.push_screen(MenuWindow(lines, self.texts, title), self._chosen)

    def action_follow(self) -> None:
        """Stay at the end of a game that goes on, or stop that."""
        self.follow = not self.follow
        if self.follow:
            self.action_last()
        self._say("")

    def action_leave(self) -> None:
        """End a search, or else leave."""
        if self._line().disabled:
            self.exit()
        else:
            self._end_search()

    def _chosen(self, number: int | None) -> None:
        if number is not None:
            try:
                self._open(self.games[number])
            except UserError as error:
                self._problem = clean_line(str(error), 400)
            self._tallest = 0
            self.lay_out()
        elif self.walk is None:
            self.exit()

    def _open(self, path: Path) -> None:
        followed = Followed.open(path)
        seat = self._first_view if self.walk is None else self.walk.seat
        if self.walk is not None and seat not in followed.game.seats:
            seat = None  # the seat was watched in a game with more players
        self.walk = Walk(followed, self.texts, seat, at_end=self.follow)
        self._note = self._problem = ""

    def _poll(self) -> None:
        """Read on in a game that goes on; at its end, while following."""
        if self.walk is None or self.walk.followed.game.finished:
            return
        try:
            grown = self.walk.followed.grow()
        except UserError as error:
            self.follow = False
            self._problem = clean_line(str(error), 400)
            self.lay_out()
            return
        if grown:
            self.walk.place = min(self.walk.place, len(self.walk.steps) - 1)
            if self.follow:
                self.walk.last()
            self.lay_out()

    def _say(self, note: str) -> None:
        self._note = note
        self.lay_out()

    def _line(self) -> Input:
        return self.screen_stack[0].query_one(Input)

    def _end_search(self) -> None:
        line = self._line()
        line.value = ""
        line.disabled = True
