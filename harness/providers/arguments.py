"""Arguments held against the types of a tool's schema: the wrong is refused, the oddly written put right.

Types and required keys decide, nothing else. A value outside an enum passes: whether it names something is not a
question of form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from harness.providers.lenient_json import NotJson, Repairs, decode
from harness.providers.schema import takes_null

__all__ = ["Repairs", "TypeFault", "checked", "takes_nothing"]

_INTEGER = re.compile(r"\s*[+-]?[0-9]{1,15}\s*")


class TypeFault(Exception):
    """A missing required argument, or one of the wrong type; the text says which."""


def takes_nothing(schema: Mapping[str, Any]) -> bool:
    """Whether a tool can be called without any argument."""
    return all(takes_null(part) for part in schema.get("properties", {}).values())


def checked(value: Any, schema: Mapping[str, Any], repairs: Repairs, where: str = "arguments") -> Any:
    """Return the value in the form its schema asks for; TypeFault if its type is wrong.

    Keys that the schema does not know are left out, missing ones that may be null stay out.
    """
    options = schema.get("anyOf")
    if isinstance(options, list):
        return _any_of(value, options, repairs, where)
    wanted = schema.get("type")
    if wanted == "object":
        return _object(value, schema, repairs, where)
    if wanted == "array":
        return _array(value, schema, repairs, where)
    if wanted == "integer":
        return _integer(value, repairs, where)
    if wanted == "string":
        return _string(value, schema, repairs, where)
    if wanted == "boolean" and not isinstance(value, bool):
        raise _wrong(value, "true or false", where)
    if wanted == "null" and value is not None:
        raise _wrong(value, "null", where)
    return value


def _any_of(value: Any, options: list[Any], repairs: Repairs, where: str) -> Any:
    if value is None and any(takes_null(option) for option in options):
        return None
    faults = []
    for option in options:
        if option.get("type") == "null":
            continue
        tried = Repairs()
        try:
            result = checked(value, option, tried, where)
        except TypeFault as fault:
            faults.append(fault)
            continue
        for tag in tried.tags():
            repairs.add(tag)
        return result
    raise faults[0] if faults else _wrong(value, "null", where)


def _object(value: Any, schema: Mapping[str, Any], repairs: Repairs, where: str) -> dict[str, Any]:
    value = _inner_json(value, dict, repairs)
    if not isinstance(value, dict):
        raise _wrong(value, "an object", where)
    properties = schema.get("properties", {})
    result = {}
    for key, part in properties.items():
        if key in value:
            result[key] = checked(value[key], part, repairs, f"{where}.{key}")
        elif not takes_null(part):
            raise TypeFault(f"{where}.{key} is missing")
    if set(value) - set(properties):
        repairs.add("extra_keys")
    return result


def _array(value: Any, schema: Mapping[str, Any], repairs: Repairs, where: str) -> list[Any]:
    value = _inner_json(value, list, repairs)
    if not isinstance(value, list):
        raise _wrong(value, "a list", where)
    items = schema.get("items", {})
    return [checked(item, items, repairs, f"{where}[{place}]") for place, item in enumerate(value)]


def _inner_json(value: Any, wanted: type, repairs: Repairs) -> Any:
    """Decode a list or object that was written as a text; anything else stays as it is."""
    if not isinstance(value, str):
        return value
    tried = Repairs()
    try:
        inner = decode(value, tried)
    except NotJson:
        return value
    if not isinstance(inner, wanted):
        return value
    for tag in ("double_encoded", *tried.tags()):
        repairs.add(tag)
    return inner


def _integer(value: Any, repairs: Repairs, where: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer() and abs(value) < 10**15:
        return int(value)
    if isinstance(value, str) and _INTEGER.fullmatch(value):
        repairs.add("number_as_string")
        return int(value)
    raise _wrong(value, "an integer", where)


def _string(value: Any, schema: Mapping[str, Any], repairs: Repairs, where: str) -> str:
    if not isinstance(value, str):
        raise _wrong(value, "a string", where)
    allowed = [word for word in schema.get("enum", ()) if isinstance(word, str)]
    if not allowed or value in allowed:
        return value
    fitting = {word for word in allowed if word.strip().casefold() == value.strip().casefold()}
    if len(fitting) != 1:
        return value
    repairs.add("blanks" if value.strip() in fitting else "case")
    return fitting.pop()


def _wrong(value: Any, wanted: str, where: str) -> TypeFault:
    return TypeFault(f"{where} must be {wanted}, not {_shown(value)}")


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return json.dumps(value)[:60]
