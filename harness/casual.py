"""Which games reports do not count: those of a person who has given no name (``dale play`` without ``--as``)."""

from __future__ import annotations

from harness.records import Header


def is_casual(header: Header) -> bool:
    """Whether a game is played for itself alone: then decisions may be taken back, and no report counts it."""
    return any(who.settings.get("casual") is True for who in header.seats.values())
