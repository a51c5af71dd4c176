"""Cleaning of text that we did not write: answers of models and servers, names of players, arguments of proposals.

Such text is data. Before it is shown anywhere its control characters and terminal escapes are taken out and its length
is bounded; before it goes to rich its markup is escaped.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from rich.markup import escape

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor moves
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS and such: titles, links
    r"|\x1b[ -/]*[0-~]?"
)
_BREAKS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_BLANKS = re.compile(r"\s+")
_DROPPED = {"Cc", "Cf", "Cs", "Co", "Cn"}
"""Unicode categories that show nothing or change how other text shows: controls, formats (also direction marks)."""


def clean(text: str, limit: int = 4000) -> str:
    """The text without escapes and control characters, line breaks kept, cut to `limit` characters with a mark."""
    if len(text) <= limit and text.isascii() and text.isprintable():  # nearly every text is
        return text
    cut = text[: 4 * limit + 4000]  # a long text costs no more than its limit is worth
    shown = _BREAKS.sub("\n", _ESCAPES.sub("", cut)).replace("\t", " ")
    shown = "".join(c for c in shown if c == "\n" or unicodedata.category(c) not in _DROPPED)
    return shown if len(shown) <= limit and len(cut) == len(text) else shown[: max(0, limit - 1)] + "…"


def clean_line(text: str, limit: int = 200) -> str:
    """The same as one line: every run of blanks and line breaks becomes one blank."""
    if len(text) <= limit and text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return clean(_BLANKS.sub(" ", clean(text, 4 * limit + 4000)).strip(), limit)


def clean_data(value: Any, limit: int = 80) -> Any:
    """Plain JSON with every string in it, keys too, cleaned to one line."""
    if isinstance(value, str):
        return clean_line(value, limit)
    if isinstance(value, Mapping):
        return {clean_line(str(key), limit): clean_data(item, limit) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [clean_data(item, limit) for item in value]
    return value


def quoted(value: Any, limit: int = 1000) -> str:
    """Plain JSON as one cleaned line of JSON text, so that it can stand in a message as a quotation."""
    return clean(json.dumps(clean_data(value, limit), ensure_ascii=False, separators=(", ", ": ")), limit)


def for_terminal(text: str, limit: int = 4000) -> str:
    """One cleaned line of text in which rich sees no markup."""
    return escape(clean_line(text, limit))
