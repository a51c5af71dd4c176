"""What is to be shown of a game: an observation with the names of the seats, and perhaps all that is hidden."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.prompts import Texts
from harness.text import clean_line

Data = Mapping[str, Any]

NAME = 20
"""The longest player's name shown, in characters."""
HEAD, LABEL, QUIET, ALERT = "bold #ffd75f", "bold #87afd7", "#9e9e9e", "bold #ff8787"


@dataclass(frozen=True)
class Opened:
    """What lies face down, for somebody who may see everything: hands as observed, decks from the top."""

    hands: Mapping[str, Sequence[Data]]
    decks: Mapping[str, Sequence[str]]
    market_deck: Sequence[str]


@dataclass(frozen=True)
class Table:
    """What is to be shown: an observation, the names of the seats, and with ``opened`` all that is hidden, too."""

    seen: Data
    names: Mapping[str, str]
    texts: Texts
    opened: Opened | None = None

    def say(self, name: str, /, **values: Any) -> str:
        """A caption or short line of the board."""
        return self.texts.say(f"board_{name}", **values) if values else self.texts.terminal[f"board_{name}"]

    def name(self, seat: str) -> str:
        """A player's name, cleaned and bounded."""
        return clean_line(self.names.get(seat, seat), NAME)
