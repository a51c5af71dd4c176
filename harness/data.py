"""The one loader of the data folders: prompts, tournaments and docs.

In a wheel they lie inside the package (`harness/_data`); in a checkout and an editable install beside it, at the root
of the repository. Names are relative paths with forward slashes, such as `prompts/en/codes.toml`.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from harness.errors import UserError

FOLDERS = ("prompts", "tournaments", "docs")


def data_root(package: Path | None = None) -> Path:
    """The folder that holds the data folders; `package` is the folder of this package, given only by tests."""
    package = package or Path(__file__).resolve().parent
    inside = package / "_data"
    return inside if inside.is_dir() else package.parent


def data_path(name: str) -> Path:
    """The path of a data file or folder. Raises UserError if it is not one of ours or does not exist."""
    parts = PurePosixPath(name).parts
    if not parts or parts[0] not in FOLDERS or ".." in parts:
        raise UserError(f"{name!r} names no data file: it must lie in one of the folders {', '.join(FOLDERS)}.")
    path = data_root().joinpath(*parts)
    if not path.exists():
        folder = path.parent
        there = f"; there are: {', '.join(_visible(folder))}" if folder.is_dir() else ""
        raise UserError(f"the data file {name!r} is missing from this installation ({path}){there}.")
    return path


def read_text(name: str) -> str:
    """The text of a data file, UTF-8. Raises UserError if it cannot be read."""
    path = data_path(name)
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"the data file {name!r} ({path}) cannot be read as UTF-8 text: {error}.") from error


def names(folder: str, suffix: str = "") -> tuple[str, ...]:
    """The names of what lies in a data folder and ends in `suffix`, sorted, without the suffix."""
    path = data_path(folder)
    if not path.is_dir():
        raise UserError(f"the data folder {folder!r} ({path}) is not a folder.")
    return tuple(name.removesuffix(suffix) for name in _visible(path) if name.endswith(suffix))


def _visible(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith(("_", ".")))
