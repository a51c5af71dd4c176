"""The JSON schema of a whole answer, for servers that are asked for one JSON object instead of a tool call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.providers.types import Json, Request, ToolSpec


def answer_schema(request: Request, strict: bool, root_union: bool) -> Json:
    """Return the schema of the answer.

    Not ``strict``, fields that may be null may also be left out: a small model held to a grammar otherwise fills in
    every one of them. ``root_union`` puts the alternatives at the root, where name and arguments belong together;
    providers that want an object there get the union inside it.
    """
    schemas = [(tool, dict(tool.parameters) if strict else optional_nulls(tool.parameters)) for tool in request.tools]
    if request.answer_form == "arguments":
        return schemas[0][1]
    calls = [_call([tool], arguments) for tool, arguments in schemas]
    if len(calls) == 1:
        return calls[0]
    if root_union:
        return {"anyOf": calls}
    return _call(request.tools, {"anyOf": [arguments for _, arguments in schemas]})


def _call(tools: list[ToolSpec] | tuple[ToolSpec, ...], arguments: Json) -> Json:
    return {
        "type": "object",
        "properties": {"tool": {"type": "string", "enum": [tool.name for tool in tools]}, "arguments": arguments},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def optional_nulls(schema: Any) -> Any:
    """Return a copy of a schema in which keys that may be null are not required, at every depth."""
    if isinstance(schema, list):
        return [optional_nulls(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    result = {key: optional_nulls(part) for key, part in schema.items()}
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and "required" in schema:
        result["required"] = [key for key in schema["required"] if not takes_null(properties.get(key))]
    return result


def takes_null(schema: Any) -> bool:
    """Whether null is among the values of a schema."""
    if not isinstance(schema, Mapping):
        return False
    return schema.get("type") == "null" or any(takes_null(part) for part in schema.get("anyOf", ()))
