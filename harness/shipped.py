"""The tournaments that come with the program, and those of the user, by what is typed for them."""

from __future__ import annotations

from pathlib import Path

from harness.data import data_path, names
from harness.errors import UserError


def find_tournament(tournament: str) -> Path:
    """Return the file of a tournament given by path or by name; UserError naming those there are."""
    path = Path(tournament)
    if path.is_file():
        return path
    known = names("tournaments", ".toml")
    if tournament in known:
        return data_path(f"tournaments/{tournament}.toml")
    raise UserError(f"there is no file {tournament!r} and no tournament of that name; there are: {', '.join(known)}.")
