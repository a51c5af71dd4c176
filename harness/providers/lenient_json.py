"""JSON as models write it: read strictly if that works, else with a few tagged repairs that cannot change a value."""

from __future__ import annotations

import json
import re
from typing import Any

_OUTSIDE = re.compile(r'"(?:[^"\\]|\\.)*"|\\[nrt]', re.DOTALL)
_FENCE = re.compile(r"^[ \t]*```.*$", re.MULTILINE)
_OPENING = re.compile(r"[ \t]*```[ \t]*(?:json)?[ \t]*", re.IGNORECASE)


class NotJson(Exception):
    """A text that is no JSON, or is JSON that says two things at once."""


class Repairs:
    """The tags of what was put right, each once, in the order of their first use."""

    def __init__(self) -> None:
        self._tags: dict[str, None] = {}

    def add(self, tag: str) -> None:
        """Note a repair."""
        self._tags.setdefault(tag)

    def tags(self) -> tuple[str, ...]:
        """Return the tags."""
        return tuple(self._tags)


def decode(text: str, repairs: Repairs) -> Any:
    r"""Return the value of a JSON text; NotJson if it is none.

    Repaired are raw control characters inside strings, and a literal ``\n`` between tokens. A text that breaks off is
    never completed.
    """
    try:
        return _load(text, strict=True)
    except NotJson as fault:
        first = fault
    try:
        value = _load(text, strict=False)
        repairs.add("control_characters")
        return value
    except NotJson:
        pass
    try:
        value = _load(_OUTSIDE.sub(lambda found: found[0] if found[0][0] == '"' else " ", text), strict=False)
    except NotJson:
        raise first from None
    repairs.add("escaped_blanks")
    return value


def decode_fenced(text: str, repairs: Repairs) -> Any:
    """Return the value of a text that is JSON, or that has its JSON in one fenced block; NotJson if it is neither.

    What stands around the block is not read. With two blocks, or one that is not closed, nothing is.
    """
    try:
        return decode(text.strip(), repairs)
    except NotJson as fault:
        first = fault
    fences = list(_FENCE.finditer(text))
    if len(fences) != 2 or not _OPENING.fullmatch(fences[0][0].rstrip("\r")) or fences[1][0].strip() != "```":
        raise first from None
    value = decode(text[fences[0].end() : fences[1].start()].strip(), repairs)
    repairs.add("fenced")
    return value


def _load(text: str, strict: bool) -> Any:
    try:
        return json.loads(text, strict=strict, object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise NotJson(str(error)[:100]) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if any(result[key] != value for key, value in pairs):
        raise NotJson("a key is given twice with different values")
    return result


def _no_constant(text: str) -> Any:
    raise NotJson(f"{text} is no JSON")
