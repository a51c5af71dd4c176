"""The logs of a run or a file: what games there are and how they stand, and reading on in a log that grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.endings import ended
from harness.errors import UserError
from harness.log import is_finished, load_line, read_log, read_outcome
from harness.log_order import Course
from harness.prompts import Texts
from harness.records import Header, Record, parse_record
from harness.terminal.nouns import NAME, names_of
from harness.terminal.watched import WatchedGame
from harness.text import clean_line


def glance(path: Path, texts: Texts) -> str:
    """Return in one line who plays a game and how it stands, reading its beginning and its end only."""
    game = clean_line(path.stem, NAME)
    try:
        with open(path, "rb") as file:
            header = parse_record(load_line(file.readline()))
        outcome = read_outcome(path)
    except (OSError, ValueError, UserError) as error:
        return texts.say("watch_unreadable", game=game, reason=clean_line(str(error), 60))
    if not isinstance(header, Header):
        return texts.say("watch_unreadable", game=game, reason="header")
    told = ended(names_of(header, texts), outcome, texts)
    return texts.say("watch_game", game=game, told=told)


def running(games: Sequence[Path]) -> Path | None:
    """Return the game that was written to last among those that have no outcome yet."""
    going_on = [path for path in games if not is_finished(path)]
    return max(going_on, key=lambda path: path.stat().st_mtime, default=None)


@dataclass
class Followed:
    """A game and how far its log has been read, in bytes."""

    game: WatchedGame
    size: int
    course: Course = field(default_factory=Course)

    @classmethod
    def open(cls, path: Path) -> Followed:
        """Read a log as far as it goes. Raises UserError for what is no log of this version."""
        log = read_log(path)
        course = Course()
        for record in log.records:
            course.take(record)
        return cls(WatchedGame.of(log), log.size, course)

    def grow(self) -> bool:
        """Read what was written since; whether there was anything. Raises UserError for what is no record.

        A line is read once it is whole. A log that has become shorter was begun again, and is read from its start.
        """
        path = self.game.path
        try:
            size = path.stat().st_size
            if size < self.size:
                fresh = Followed.open(path)
                self.game, self.size, self.course = fresh.game, fresh.size, fresh.course
                return True
            if size == self.size:
                return False
            with open(path, "rb") as file:
                file.seek(self.size)
                data = file.read()
        except OSError as error:
            raise UserError(f"cannot read the game log {path}: {error.strerror}.") from None
        whole = data[: data.rfind(b"\n") + 1]
        self.game.add(self._records(whole))
        self.size += len(whole)
        return bool(whole)

    def _records(self, data: bytes) -> list[Record]:
        try:
            return [self.course.take(parse_record(load_line(line))) for line in data.splitlines() if line]
        except ValueError as error:
            told = clean_line(str(error), 100)
            raise UserError(f"{self.game.path}: what was added is no record of a game log ({told}).") from None
