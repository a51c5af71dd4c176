"""Writing and reading game logs: JSON lines, one record each, flushed one by one; the truth of a run.

A process killed while it writes leaves at most a torn last line, which the reader drops and the next writer cuts off.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from pydantic import ValidationError

from harness.canonical import canonical_json
from harness.errors import UserError, cannot_write
from harness.records import SCHEMA_VERSION, AttemptRecord, DecisionRecord, Header, OutcomeRecord, Record, parse_record

__all__ = ["GameLog", "LogWriter", "game_logs", "is_finished", "is_torn", "no_game_log", "read_log", "read_outcome"]


@dataclass(frozen=True)
class GameLog:
    """A log as read: its records in order, the bytes they fill, and whether a torn last line was dropped."""

    path: Path
    records: tuple[Record, ...]
    size: int
    torn: bool

    @property
    def header(self) -> Header:
        """The header; UserError if the log holds none yet."""
        if self.records and isinstance(self.records[0], Header):
            return self.records[0]
        raise UserError(f"{self.path} is not a game log: its first line must be a header record.")

    @property
    def outcome(self) -> OutcomeRecord | None:
        """The outcome, None for a game that is still open."""
        last = self.records[-1] if self.records else None
        return last if isinstance(last, OutcomeRecord) else None

    @property
    def attempts(self) -> list[AttemptRecord]:
        """All attempts in order."""
        return [record for record in self.records if isinstance(record, AttemptRecord)]

    @property
    def decisions(self) -> list[DecisionRecord]:
        """All decisions in order."""
        return [record for record in self.records if isinstance(record, DecisionRecord)]


def game_logs(path: Path) -> list[Path]:
    """Return the game logs in the folder of a run, in order, or the file itself; UserError if there is none."""
    if not path.exists():
        raise UserError(f"there is no run and no game log {path}: give a run, its folder or a game log.")
    games = sorted((path / "games").glob("*.jsonl")) if path.is_dir() else [path]
    if not games:
        raise no_game_log(path)
    return games


def no_game_log(path: Path) -> UserError:
    """Return what is wrong where no game has begun."""
    return UserError(f"there is no game log in {path}: give the folder of a run, such as results/quickstart.")


def read_log(path: Path) -> GameLog:
    """Read a game log; UserError naming file and line if it cannot be read or a line before the last is broken."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read the game log {path}: {error.strerror}.") from None
    records: list[Record] = []
    size = 0
    lines = data.split(b"\n")
    for number, line in enumerate(lines, 1):
        last = not any(lines[number:])
        if not line and last:
            break
        try:
            records.append(_parse(line))
        except ValueError as error:
            if last and not _is_json(line):
                return GameLog(path, tuple(records), size, torn=True)
            raise UserError(
                f"{path}, line {number}: not a record of a game log ({_reason(error)}): put back a copy of the file, "
                "or take it away to have the game played anew."
            ) from None
        size = min(size + len(line) + 1, len(data))
    return GameLog(path, tuple(records), size, torn=False)


def is_finished(path: Path) -> bool:
    """Whether the log of a game exists and ends with an outcome, looking at its last line only."""
    last = _last_line(path)
    return _is_json(last) and json.loads(last).get("record") == "outcome"


def is_torn(path: Path) -> bool:
    """Whether the last line of a log is not whole, so that going on cuts it off."""
    last = _last_line(path)
    return bool(last) and not _is_json(last)


def read_outcome(path: Path) -> OutcomeRecord | None:
    """The outcome of a game, None if its log has none; reads the last line only."""
    return OutcomeRecord.model_validate_json(_last_line(path)) if is_finished(path) else None


def _last_line(path: Path) -> bytes:
    try:
        with open(path, "rb") as file:
            file.seek(max(path.stat().st_size - 65536, 0))
            _, before, last = file.read().rstrip(b"\n").rpartition(b"\n")
            if not before:  # longer than that
                file.seek(0)
                last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
            return last
    except OSError:
        return b""


class LogWriter:
    """Appends records to one log; each is on its way to the disk when ``write`` returns."""

    def __init__(self, path: Path, found: GameLog | None = None) -> None:
        """Open a new log, or go on behind the whole records of the one ``found``."""
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[bytes] = open(path, "xb" if found is None else "r+b", buffering=0)  # noqa: SIM115 - held open
            if found is not None:
                self._file.truncate(found.size)
                self._file.seek(max(found.size - 1, 0))
                if found.size and self._file.read(1) != b"\n":  # a whole record whose line end was lost
                    self._file.write(b"\n")
        except OSError as error:
            raise cannot_write(f"the game log {path}", error) from None

    def write(self, *records: Record) -> None:
        """Append the records in one go; UserError if the disk takes them not, and then nothing of them is left."""
        data = "".join(canonical_json(record.model_dump()) + "\n" for record in records).encode("ascii")
        written = 0
        try:
            while written < len(data):
                written += self._file.write(data[written:])
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._file.tell() - written)
            raise cannot_write(f"the game log {self._path}", error) from None

    def close(self) -> None:
        """Close the file, after asking the system to store it; UserError if it cannot."""
        if self._file.closed:
            return
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise cannot_write(f"the game log {self._path}", error) from None
        finally:
            self._file.close()

    def __enter__(self) -> LogWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _parse(line: bytes) -> Record:
    try:
        data = json.loads(line)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if isinstance(data, dict) and data.get("record") == "header" and data.get("schema_version") != SCHEMA_VERSION:
        raise ValueError(f"schema version {data.get('schema_version')}, this program reads {SCHEMA_VERSION}")
    return parse_record(data)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _reason(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])) or 'record'}: {first['msg']}"
    return str(error)
