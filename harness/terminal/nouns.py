"""Names as somebody else reads them: the person of ``dale play`` who gave no name is in the log as ``you``."""

from __future__ import annotations

from harness import prompts
from harness.prompts import Texts
from harness.records import Header, SeatRecord
from harness.text import clean_line

NAME = 48
"""The longest name shown, in characters."""


def names_of(header: Header, texts: Texts) -> dict[str, str]:
    """Return the names by seat, fit to be shown to who watches; a noun for a person without a name."""
    return {
        str(seat): texts.terminal["watch_person"] if _is_pronoun(who) else clean_line(who.name, NAME)
        for seat, who in header.seats.items()
    }


def _is_pronoun(who: SeatRecord) -> bool:
    """Whether a name is the ``you`` of the language that the game was played in; a person called so has said it."""
    language = who.settings.get("language")
    unnamed = who.settings.get("casual") is True and language in prompts.languages()
    return unnamed and who.name == prompts.load(str(language)).terminal["you"]
