"""How examples stand below the help of a command."""

from __future__ import annotations


def examples(*lines: str) -> str:
    """Return command lines as an epilog that is printed as written, line by line."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
