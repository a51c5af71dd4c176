"""The tape: what servers said in a run, so that the run can be played again without them.

JSON lines, each written in one go. A line holds one try: where it belongs (``scope``, the run's own name of the call,
and ``try``, counted from 0 within it), the ``key`` of its request (SHA-256 of the method, the path and the canonical
JSON of the body; no address, no header), and what became of it. Failed tries are kept like answers, because the log
of a game lists each of them; so are requests that were not sent because of what the server had said to another game.
A replay therefore never depends on which of two games was faster. When a run was killed and went on, the same try may
stand there twice: the later one counts, for the log knows nothing of the earlier.

Nothing on a tape was a request's header, and of an answer's only those that decide about another try.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import importlib.metadata
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, TypeAlias

from harness.canonical import canonical_json
from harness.errors import UserError
from harness.providers.outcomes import Heard, Lost, Outcome, Refused
from harness.providers.types import Json, ProviderError

VERSION = 1
NAME = "tape.jsonl"
"""The file's name in a folder given for a tape."""

Scope: TypeAlias = tuple[str | int, ...]
_Place: TypeAlias = tuple[str, int]


class TapeMiss(UserError):
    """A tape that is replayed does not hold what is asked: the game cannot go on, others may."""


class Tape:
    """One tape, either recording or replaying."""

    def __init__(self, path: Path, replaying: bool) -> None:
        self.path, self.replaying = path, replaying
        self._file: IO[bytes] | None = None
        self._at: dict[_Place, int] = {}

    def variant(self, scope: Scope) -> Mapping[str, Any]:
        """Return what the first try of a call left out, as fields of the profile."""
        line = self._line(scope, 0)
        without: Mapping[str, Any] = line.get("without", {}) if line is not None else {}
        return without

    def play(self, scope: Scope, number: int, path: str, request: bytes) -> Outcome:
        """Return what became of a try; TapeMiss if the tape does not hold it."""
        line = self._line(scope, number)
        if line is None:
            raise TapeMiss(f"the tape {self.path} ends before call {_name(scope, number)}: record the run to its end.")
        if line["key"] != _key(path, request):
            raise TapeMiss(
                f"the tape {self.path} holds another request at call {_name(scope, number)}: it was recorded with "
                "other settings, prompts or agents; replay with those, or record anew."
            )
        return _outcome(line)

    def keep(
        self, scope: Scope, number: int, path: str, request: bytes, without: Mapping[str, Any], outcome: Outcome
    ) -> None:
        """Write down what became of a try; UserError if the disk refuses."""
        line: Json = {"scope": list(scope), "try": number, "key": _key(path, request)}
        if without:
            line["without"] = dict(without)
        self._write(line | _plain(outcome))

    def close(self) -> None:
        """Close the file, after asking the system to store it."""
        file, self._file = self._file, None
        if file is not None:
            if not self.replaying:
                os.fsync(file.fileno())
            file.close()

    def _line(self, scope: Scope, number: int) -> Json | None:
        offset = self._at.get(_place(scope, number))
        if offset is None:
            return None
        assert self._file is not None
        self._file.seek(offset)
        line = json.loads(self._file.readline())
        assert isinstance(line, dict)
        return line

    def _write(self, line: Json) -> None:
        try:
            if self._file is None:
                self._file = self._begin()
            data = _bytes(line)
            while data:
                data = data[self._file.write(data) :]
        except OSError as error:
            raise UserError(f"cannot write the tape {self.path}: {error.strerror}.") from None

    def _begin(self) -> IO[bytes]:
        """Open the file for the first line of this process, cut off a torn line, and say who writes."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = open(self.path, "ab+", buffering=0)  # noqa: SIM115 - held open
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)
        versions = {name: importlib.metadata.version(name) for name in ("openai", "anthropic", "httpx2")}
        file.write(_bytes({"tape": VERSION, **versions}))
        return file

    def load(self) -> None:
        """Open the file for a replay and find its lines; UserError if it is no tape."""
        try:
            self._file = open(self.path, "rb")  # noqa: SIM115 - held open
            self._find_lines(self._file)
        except OSError as error:
            self.close()
            raise UserError(f"cannot read the tape {self.path}: {error.strerror}.") from None
        except UserError:
            self.close()
            raise

    def _find_lines(self, file: IO[bytes]) -> None:
        offset = 0
        for number, data in enumerate(file, 1):
            if not data.endswith(b"\n"):  # torn by the end of the process that wrote it
                break
            line = self._checked(data, number)
            if "tape" not in line:
                self._at[_place(tuple(line["scope"]), line["try"])] = offset
            offset += len(data)
        if not offset:
            raise UserError(f"{self.path} is not a tape: it is empty.")

    def _checked(self, data: bytes, number: int) -> Json:
        """Return a line as an object; UserError if it cannot be one of a tape."""
        try:
            line = json.loads(data)
            if number == 1 or "tape" in line:
                if line["tape"] != VERSION:
                    raise UserError(
                        f"the tape {self.path} has version {line['tape']}, and this program reads {VERSION}."
                    )
            else:
                _outcome(line)
                _place(tuple(line["scope"]), line["try"])
                line["key"].encode()
                line.get("without", {}).items()
        except (ValueError, TypeError, KeyError, AttributeError):
            raise UserError(f"{self.path}, line {number}: not a line of a tape.") from None
        assert isinstance(line, dict)
        return line


def open_tape(record: Path | None, replay: Path | None, resume: bool) -> Tape | None:
    """Return the tape to record on or to replay from, None without either.

    Each names a file, or a folder for the file ``tape.jsonl`` in it. A tape that exists is recorded on only where a
    run is resumed. Raises UserError for what the user can put right; writes nothing before the first request.
    """
    if record is not None and replay is not None:
        raise UserError("--record and --replay exclude each other: leave out one.")
    if record is not None:
        path = _file_of(record)
        if path.exists() and not resume:
            raise UserError(f"the tape {path} exists already: name another, or remove it.")
        if path.exists():
            _loaded(path).close()  # nothing is written behind what is no tape
        return Tape(path, replaying=False)
    return _loaded(_file_of(replay)) if replay is not None else None


def _loaded(path: Path) -> Tape:
    tape = Tape(path, replaying=True)
    tape.load()
    return tape


def _file_of(path: Path) -> Path:
    return path / NAME if path.is_dir() or not path.suffix else path


def _key(path: str, request: bytes) -> str:
    return hashlib.sha256(b"\n".join((b"POST", path.encode(), request))).hexdigest()


def _place(scope: Scope, number: int) -> _Place:
    return canonical_json(scope), number


def _name(scope: Scope, number: int) -> str:
    return f"{'/'.join(map(str, scope))}, try {number + 1}"


def _bytes(line: Json) -> bytes:
    return (json.dumps(line, ensure_ascii=True, separators=(",", ":")) + "\n").encode("ascii")


def _plain(outcome: Outcome) -> Json:
    """Return what became of a try as the last fields of its line."""
    if isinstance(outcome, Lost):
        return {"lost": outcome.reason}
    if isinstance(outcome, Refused):
        error = outcome.error
        return {"refused": [error.kind, error.message, error.status, error.code]}
    told: Json = {"status": outcome.status, "headers": dict(outcome.headers)}
    try:
        return {**told, "body": outcome.body.decode("utf-8")}
    except UnicodeDecodeError:
        return {**told, "base64": base64.b64encode(outcome.body).decode("ascii")}


def _outcome(line: Json) -> Outcome:
    """Return what became of a try; ValueError, TypeError or KeyError if the line does not say."""
    if "lost" in line:
        return Lost(str(line["lost"]))
    if "refused" in line:
        kind, message, status, code = line["refused"]
        return Refused(ProviderError(kind, message, status=status, code=code))
    if "base64" in line:
        try:
            body = base64.b64decode(line["base64"], validate=True)
        except binascii.Error as error:
            raise ValueError(str(error)) from None
    else:
        body = line["body"].encode("utf-8")
    return Heard(int(line["status"]), dict(line["headers"]), body)
