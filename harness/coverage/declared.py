"""`tests/coverage.toml`: what needs no code and no test of its own, each with the reason."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.errors import UserError

FILE = "tests/coverage.toml"
Kind = Literal["definition", "inexpressible", "awaiting"]


@dataclass(frozen=True)
class Declared:
    """The three lists of the file, each from ID to reason; for `awaiting` the reason is what is awaited."""

    definition: dict[str, str]
    inexpressible: dict[str, str]
    awaiting: dict[str, str]

    @property
    def lists(self) -> tuple[tuple[Kind, dict[str, str]], ...]:
        """The three by name."""
        return (
            ("definition", self.definition),
            ("inexpressible", self.inexpressible),
            ("awaiting", self.awaiting),
        )


def declared(root: Path) -> Declared:
    """Read the file of a checkout. Raises UserError if it cannot be read as what it is."""
    path = root / FILE
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UserError(f"{path} cannot be read as TOML: {error}.") from None
    for name in data:
        if name not in ("definition", "inexpressible", "awaiting"):
            raise UserError(f"{path}: unknown table {name!r}; there are definition, inexpressible and awaiting.")
    waiting: dict[str, str] = {}
    for what, entries in data.get("awaiting", {}).items():
        if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
            raise UserError(f"{path}: awaiting {what!r} must be a list of IDs.")
        waiting |= dict.fromkeys(entries, what)
    return Declared(_reasons(path, data, "definition"), _reasons(path, data, "inexpressible"), waiting)


def _reasons(path: Path, data: dict[str, object], name: str) -> dict[str, str]:
    table = data.get(name, {})
    if not isinstance(table, dict) or not all(isinstance(one, str) and one.strip() for one in table.values()):
        raise UserError(f"{path}: every entry of {name} must be an ID with a reason, as text.")
    return table
