"""JSON-schema pieces every provider accepts (contract section 3): closed objects, all keys required."""

from __future__ import annotations

from typing import Final

from engine.types import JSON

Schema = dict[str, JSON]

STRING: Final[Schema] = {"type": "string"}
INTEGER: Final[Schema] = {"type": "integer"}
MOST_ENUM: Final = 200
"""Longest enum a schema may have."""


def one_of(values: list[str]) -> Schema:
    """A string out of a list; any string if the list is empty or too long for an enum."""
    if not 0 < len(values) <= MOST_ENUM:
        return STRING
    return {"type": "string", "enum": [*values]}


def list_of(item: Schema) -> Schema:
    """An array."""
    return {"type": "array", "items": item}


def maybe(schema: Schema) -> Schema:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def record(properties: dict[str, Schema]) -> Schema:
    """A closed object of which every key is required."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [*properties],
        "additionalProperties": False,
    }


def tool(name: str, properties: dict[str, Schema]) -> Schema:
    """A tool: its name and the schema of its arguments."""
    return {"name": name, "parameters": record(properties)}
