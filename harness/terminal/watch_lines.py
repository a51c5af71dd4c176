"""``dale watch`` in plain lines: for pipes, screen readers and small terminals, with words instead of keys."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from harness.errors import UserError
from harness.prompts import Texts
from harness.terminal.board import board
from harness.terminal.cells import hanging
from harness.terminal.following import Followed, glance
from harness.terminal.walk import Walk
from harness.terminal.watched import By
from harness.text import clean_line

POLL = 0.5
"""Seconds between looks at a log that grows."""

Read = Callable[[str], str | None]
Write = Callable[[str], None]


class LineWatcher:
    """Tells steps and understands words. ``read`` gives None at the end of the input."""

    def __init__(self, games: Sequence[Path], texts: Texts, read: Read, write: Write, width: int = 80) -> None:
        self.games, self.texts = games, texts
        self._read, self._write, self._width = read, write, width
        self.walk: Walk | None = None

    def run(self, seat: str | None) -> None:
        """Answer lines until there are no more."""
        if len(self.games) == 1:
            self._open(1, seat)
        else:
            self._list()
        while True:
            line = self._read("> ")
            if line is None:
                return
            words = line.split()
            if words and self._is(words[0], "quit"):
                return
            self._answer(words)

    def follow(self, seat: str | None) -> None:
        """Tell the steps of the only game as they come, until it is over. Raises UserError for what is no record."""
        self._open(1, seat)
        walk = self.walk
        assert walk is not None
        told = 1
        while True:
            steps, finished = walk.steps, walk.followed.game.finished
            ready = len(steps) - (not finished)  # the decision that is open is told when it is made
            for place in range(told, ready):
                if steps[place].seen_by(walk.seat):
                    walk.place = place
                    self._tell(walk)
            if finished:
                return
            told = ready
            time.sleep(POLL)
            walk.followed.grow()

    def _answer(self, words: list[str]) -> None:
        """Do what a line asks for; an empty one goes to the next step."""
        word, rest = (words[0], words[1:]) if words else (self.texts.terminal["go_attempt"].split()[0], [])
        if self._is(word, "help"):
            self._write(self.texts.terminal["watch_help_plain"])
        elif self._is(word, "games"):
            self._list()
        elif self._is(word, "open"):
            self._open_line(" ".join(rest))
        elif self.walk is None:
            self._open_line(word)
        else:
            self._walk(self.walk, word, rest)

    def _walk(self, walk: Walk, word: str, rest: list[str]) -> None:
        way = -1 if self._is(word, "back") or any(self._is(one, "back") for one in rest) else 1
        ways: dict[str, By] = {"next": "decision", "back": "decision", "attempt": "step"}
        ways |= {"turn": "turn", "illegal": "illegal"}
        by = next((by for name, by in ways.items() if self._is(word, name)), None)
        problem = ""
        if by is not None:
            problem = walk.go(by, way)
        elif self._is(word, "first"):
            walk.first()
        elif self._is(word, "last"):
            walk.followed.grow()
            walk.last()
        elif self._is(word, "table"):
            self._write("\n".join(line.plain.rstrip() for line in board(walk.table(), self._width)))
            return
        elif self._is(word, "find") or self._is(word, "again"):
            words = " ".join(rest) if self._is(word, "find") else walk.words
            problem = walk.find(words, 1)
        elif self._is(word, "view"):
            problem = self._view(walk, " ".join(rest))
        else:
            problem = self.texts.say("watch_unknown", word=clean_line(word, 40))
        if problem:
            self._write(problem)
        else:
            self._tell(walk)

    def _view(self, walk: Walk, seat: str) -> str:
        seats = walk.followed.game.seats
        if seat and self._is(seat, "everything"):
            walk.look(None)
        elif seat.upper() in seats:
            walk.look(seat.upper())
        else:
            return self.texts.say("watch_no_seat", seat=clean_line(seat, 20).upper(), seats=seats)
        return ""

    def _tell(self, walk: Walk) -> None:
        lines = [walk.where(), *(part for line, _ in walk.told() for part in hanging(line, self._width))]
        self._write("\n" + "\n".join(lines))

    def _list(self) -> None:
        lines = [f"{number:>4}  {glance(path, self.texts)}" for number, path in enumerate(self.games, 1)]
        self._write("\n".join([*lines, self.texts.terminal["watch_choose"]]))

    def _open_line(self, number: str) -> None:
        if number.isdecimal() and len(number) < 9 and 1 <= int(number) <= len(self.games):
            try:
                self._open(int(number), None)
            except UserError as error:
                self._write(clean_line(str(error), 400))
        else:
            shown = clean_line(number, 20)
            self._write(self.texts.say("watch_no_game", number=shown, last=len(self.games)))

    def _open(self, number: int, seat: str | None) -> None:
        self.walk = Walk(Followed.open(self.games[number - 1]), self.texts, seat)
        self._tell(self.walk)

    def _is(self, word: str, name: str) -> bool:
        return word.casefold() in self.texts.terminal[f"go_{name}"].split()
