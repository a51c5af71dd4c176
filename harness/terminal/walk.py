"""Walking through a game: the place, whose view it is, and what is searched for; for lines and for the full screen."""

from __future__ import annotations

from bisect import bisect_right

from harness.errors import UserError
from harness.prompts import Texts
from harness.terminal.following import Followed
from harness.terminal.table import Table
from harness.terminal.telling import Line, found, tell
from harness.terminal.watched import By, Step, next_step, table_of
from harness.text import clean_line


class Walk:
    """A place in a game. ``seat`` None is the view of somebody who sees everything; UserError for one there is not."""

    def __init__(self, followed: Followed, texts: Texts, seat: str | None = None, at_end: bool = False) -> None:
        seats = followed.game.seats
        if seat is not None and seat not in seats:
            raise UserError(texts.say("watch_no_seat", seat=seat, seats=seats))
        self.followed, self.texts, self.seat = followed, texts, seat
        self.place = 0
        self.words = ""
        if at_end:
            self.last()

    @property
    def steps(self) -> list[Step]:
        """All steps of the game so far."""
        return self.followed.game.steps

    @property
    def at_end(self) -> bool:
        """Whether nothing is further on."""
        return next_step(self.steps, self.place, "step", 1, self.seat) is None

    def go(self, by: By, way: int) -> str:
        """Go to the next step (``way`` 1) or the previous one (-1); return why it stays where it is, else nothing."""
        there = next_step(self.steps, self.place, by, way, self.seat)
        if there is not None:
            self.place = there
            return ""
        if by == "illegal":
            return self.texts.say("watch_no_illegal", step=way)
        return self.texts.say("watch_end" if way > 0 else "watch_start")

    def first(self) -> None:
        """Go to the deal."""
        self.place = 0

    def last(self) -> None:
        """Go to the last step."""
        self.place = len(self.steps) - 1
        if not self.steps[self.place].seen_by(self.seat):
            self.go("step", -1)

    def look(self, seat: str | None) -> None:
        """Take another view; a step it does not see gives way to the one before."""
        self.seat = seat
        if not self.steps[self.place].seen_by(seat):
            self.go("step", -1)

    def find(self, words: str, way: int = 1) -> str:
        """Go to the next step (or one before) that is told with all these words; return why it stays, or nothing."""
        self.words = words
        steps = self.steps
        ahead = range(self.place + 1, len(steps)) if way > 0 else range(self.place - 1, -1, -1)
        for place in ahead:
            if found(self.followed.game, place, self.seat, self.texts, words):
                self.place = place
                return ""
        return self.texts.say("watch_not_found", words=clean_line(words, 60), step=way)

    def told(self) -> list[Line]:
        """What is to be said of the step."""
        return tell(self.followed.game, self.place, self.seat, self.texts)

    def table(self) -> Table:
        """The table at the step."""
        return table_of(self.steps[self.place], self.seat, self.followed.game.names(self.texts), self.texts)

    def where(self) -> str:
        """The game, the place in it and whose view it is, in one line."""
        game = self.followed.game
        seen = [number for number, step in enumerate(self.steps) if step.seen_by(self.seat)]
        place = self.texts.say("watch_place", place=bisect_right(seen, self.place), count=len(seen))
        open_ = "" if game.finished else f", {self.texts.say('watch_open')}"
        return f"{clean_line(game.header.game, 40)}  {place}{open_}  {self.view()}"

    def view(self) -> str:
        """Whose view it is, in words."""
        if self.seat is None:
            return self.texts.say("watch_view", view=self.texts.say("watch_all"))
        name = self.followed.game.names(self.texts)[self.seat]
        return self.texts.say("watch_view", view=self.texts.say("watch_seat", name=name, seat=self.seat))
