"""JSON-schema pieces every provider accepts (contract section 3): closed objects, all keys required."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.types import JSON

Schema = dict[str, JSON]

STRING: Final[Schema] = {"type": "string"}
INTEGER: Final[Schema] = {"type": "integer"}
MOST_ENUM: Final = 200
"""Longest enum a schema may have."""
MOST_VALUES: Final = 800
"""Most values the enums of one request may have together."""


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


def enum_values(schema: JSON) -> int:
    """The number of values in all enums of a schema, or of a list of them."""
    if isinstance(schema, list):
        return sum(map(enum_values, schema))
    if not isinstance(schema, dict):
        return 0
    enum = schema.get("enum")
    return len(enum) if isinstance(enum, list) else sum(map(enum_values, schema.values()))


def without_enums(schema: JSON, dropped: Callable[[str], bool]) -> JSON:
    """The same schema, in which an enum whose values are all ``dropped`` is any string."""
    if isinstance(schema, list):
        return [without_enums(part, dropped) for part in schema]
    if not isinstance(schema, dict):
        return schema
    enum = schema.get("enum")
    if isinstance(enum, list) and all(isinstance(value, str) and dropped(value) for value in enum):
        return dict(STRING)
    return {key: without_enums(part, dropped) for key, part in schema.items()}
