"""Where a run, or a game log, of the command line lies."""

from __future__ import annotations

from pathlib import Path


def found(path: Path, results: Path) -> Path:
    """Return the path as it is, or below the folder of results where a run is called so."""
    return results / path if not path.exists() and (results / path).exists() else path
