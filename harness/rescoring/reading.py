"""Reading logs to score them again: those of other engines and epochs too, and of other schemas as far as they fit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import report
from harness.errors import UserError
from harness.log import GameLog, read_log
from harness.records import SCHEMA_VERSION, parse_record


def read_logs(paths: Sequence[Path]) -> list[GameLog]:
    """Read the folders of runs, or game logs, whatever version made them, without casual games.

    Raises UserError as ``report.read_logs`` does; for a log of another schema that cannot be read it says so.
    """
    return report.read_logs(*paths, read=_read)


def _read(path: Path) -> GameLog:
    header = _first_line(path)
    if header.get("record") != "header" or header.get("schema_version") == SCHEMA_VERSION:
        return read_log(path)
    try:
        lines = path.read_bytes().splitlines()
        return GameLog(path, tuple(parse_record(json.loads(line)) for line in lines), path.stat().st_size, torn=False)
    except (ValueError, RecursionError):
        made_by = f"schema {header.get('schema_version')}, engine {header.get('engine_version')}"
        raise UserError(
            f"{path} was written by another version ({made_by}) and its records do not fit the schema of this one "
            f"({SCHEMA_VERSION}): score it again with the version that made it."
        ) from None


def _first_line(path: Path) -> dict[str, Any]:
    """The first line of a file as JSON, empty if it is none: ``read_log`` then says what is wrong."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.readline())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
