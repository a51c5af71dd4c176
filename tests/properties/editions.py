"""The one list of the editions that the properties and the golden digests are held against."""

from __future__ import annotations

EDITIONS = ("classic", "remastered")


def edition_of(number: int) -> str:
    """The editions in turn."""
    return EDITIONS[number % len(EDITIONS)]
