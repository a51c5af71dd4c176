"""Tables that are made when they are first needed and kept, but only so many of them."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

_SHARE: Final = 128
"""The part of all that is kept which makes room at once: to drop everything would take tens of milliseconds."""


def make_room(kept: dict[Any, Any], most: int) -> None:
    """See to it that one more can be kept; the oldest ones are dropped."""
    if len(kept) >= most:
        for key in list(islice(kept, most // _SHARE)):
            del kept[key]
