"""The part of a request that stays the same from turn to turn: what follows from it alone is found once. Pure."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from harness.canonical import canonical_json
from harness.providers.types import Json


class Fixed(list[Any]):
    """A list that nobody changes: the tools of a level, whose schemas are most of the work of writing a request."""

    @cached_property
    def canonical(self) -> str:
        """Its canonical JSON text."""
        return canonical_json(self)


def canonical_body(body: Json) -> bytes:
    """Return the canonical JSON of a request's body, as ``canonical_json`` gives it."""
    parts = (f"{canonical_json(name)}:{_text(value)}" for name, value in sorted(body.items()))
    return f"{{{','.join(parts)}}}".encode("ascii")


def _text(value: Any) -> str:
    return value.canonical if isinstance(value, Fixed) else canonical_json(value)
