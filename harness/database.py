"""``RUN/run.sqlite``: which games a run has, who plays them now, how they ended, and the money of its calls.

Nothing is in it that run.json and the logs do not say, but who is playing now: lost or damaged, it is made anew. In
WAL mode, so several processes of one host may use it; those of other hosts ask one that does.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from harness.errors import UserError
from harness.plan import MatchPlan

NAME = "run.sqlite"
FORMAT = 1
PATIENCE_S = 60.0
"""So long a process waits for others to write."""

_TABLES = """
CREATE TABLE games (
    place INTEGER PRIMARY KEY,      -- the order in which they are begun
    game TEXT NOT NULL UNIQUE,
    deal INTEGER NOT NULL,
    line_up INTEGER NOT NULL,
    rotation INTEGER NOT NULL,
    seats TEXT NOT NULL,            -- entrants by seat, as JSON
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'playing', 'finished')),
    outcome TEXT,                   -- of a finished game: result and reason
    worker TEXT,                    -- of a game that is played: by whom
    left_in TEXT                    -- the session that left it open, and will not try it again
);
CREATE INDEX by_status ON games (status, place);
CREATE TABLE workers (worker TEXT PRIMARY KEY, session TEXT NOT NULL);
CREATE TABLE endings (number INTEGER PRIMARY KEY, session TEXT NOT NULL, game TEXT NOT NULL, failed INTEGER NOT NULL);
CREATE TABLE spent (
    game TEXT NOT NULL, entrant TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (game, entrant)
) WITHOUT ROWID;
CREATE TABLE totals (
    kind TEXT NOT NULL, name TEXT NOT NULL, amount TEXT NOT NULL, PRIMARY KEY (kind, name)
) WITHOUT ROWID;
CREATE TABLE held (worker TEXT NOT NULL, game TEXT NOT NULL, entrant TEXT NOT NULL, amount TEXT NOT NULL);
"""
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Database:
    """An open database; every change is made in one transaction, so that no other process comes between."""

    def __init__(self, path: Path) -> None:
        """Open the file, making it if it is not there. Raises sqlite3.Error."""
        self.path = path
        self._connection = sqlite3.connect(path, timeout=PATIENCE_S, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error:
            self._connection.close()
            raise

    def rows(self, query: str, *values: object) -> list[tuple[str, ...]]:
        """Return what a query gives, or make a change within ``writing``; UserError if the database fails."""
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise trouble(self.path, error) from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep all others from writing while the block lasts, one within it too; an error takes back what it did."""
        if self._is_writing():
            yield
            return
        self.rows("BEGIN IMMEDIATE")
        try:
            yield
            self.rows("COMMIT")
        except BaseException:
            if self._is_writing():  # some errors have taken it back already
                self._connection.rollback()
            raise

    def _is_writing(self) -> bool:
        return self._connection.in_transaction

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def holds(self, plans: Sequence[MatchPlan]) -> bool:
        """Whether it is whole and of these games, in this format. Raises sqlite3.Error."""
        ask = self._connection.execute
        if ask("PRAGMA quick_check").fetchall() != [("ok",)]:
            return False
        if ask("PRAGMA user_version").fetchone() != (FORMAT,):
            return False
        return ask("SELECT game FROM games ORDER BY place").fetchall() == [(plan.game,) for plan in plans]

    def fill(self, plans: Sequence[MatchPlan]) -> None:
        """Make the tables, and all games open. Raises sqlite3.Error."""
        connection = self._connection
        connection.executescript(_TABLES)
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(
            "INSERT INTO games (place, game, deal, line_up, rotation, seats) VALUES (?, ?, ?, ?, ?, ?)",
            (
                (place, plan.game, plan.deal, plan.line_up, plan.rotation, json.dumps(dict(plan.seats)))
                for place, plan in enumerate(plans)
            ),
        )
        connection.execute(f"PRAGMA user_version = {FORMAT}")
        connection.execute("COMMIT")


def open_database(folder: Path, plans: Sequence[MatchPlan], others_play: bool) -> tuple[Database, bool]:
    """Open the database of a run, making it anew if it is missing or damaged; return also whether it was damaged.

    To be called by one process at a time. Raises UserError if it would have to be made while others play by it, or if
    the disk refuses.
    """
    path = folder / NAME
    was_there = path.exists()
    try:
        if was_there and (found := _whole(path, plans)) is not None:
            return found, False
        if others_play:
            raise UserError(
                f"{path} is missing or damaged while other processes play the run: stop them or wait for them to end, "
                "then go on; it is made anew from the logs."
            )
        for name in (path, *(path.with_name(f"{NAME}-{end}") for end in ("wal", "shm"))):
            name.unlink(missing_ok=True)
        new = Database(path)
        try:
            new.fill(plans)
        except sqlite3.Error:
            new.close()
            raise
    except sqlite3.Error as error:
        raise trouble(path, error) from None
    except OSError as error:
        raise UserError(f"cannot make {path} anew: {error.strerror}.") from None
    return new, was_there


def _whole(path: Path, plans: Sequence[MatchPlan]) -> Database | None:
    """The database at a path, None if it is damaged or another's."""
    found = None
    try:
        found = Database(path)
        if found.holds(plans):
            return found
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            if found is not None:
                found.close()
            raise
    if found is not None:
        found.close()
    return None


def trouble(path: Path, error: sqlite3.Error) -> UserError:
    """The error for a database that fails, with what to do."""
    if _is_damage(error):
        return UserError(
            f"{path} is damaged ({error}): go on with dale tournament resume, which makes it anew from the logs."
        )
    if _primary(error) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return UserError(f"cannot write {path}: {error}: make room there, then go on with dale tournament resume.")
    return UserError(f"cannot use {path}: {error}.")


def _is_damage(error: sqlite3.Error) -> bool:
    return _primary(error) in _DAMAGED or "no such table" in str(error) or "no such column" in str(error)


def _primary(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF
