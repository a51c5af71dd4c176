"""Whether a terminal has room for the table."""

from __future__ import annotations

import os
import sys

COLUMNS, LINES = 80, 24
"""The smallest window the table is shown in."""


def fits() -> bool:
    """Whether this process has a terminal at both ends that is not ``dumb`` and is large enough."""
    if os.environ.get("TERM") == "dumb" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    size = os.get_terminal_size(sys.stdout.fileno())
    return size.columns >= COLUMNS and size.lines >= LINES
