"""From what was heard to the one call a model stated, or to the class of failure (section 4 of the contract).

Arguments are held against a tool's schema by types and required keys alone (with the library ``jsonschema``): enums do
not decide. The strict reading takes them as they are, the lenient one as eased by the repairs of form the contract
allows; a call that only the lenient reading takes needed a repair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from harness.audit.wires import Heard

Kind = Literal["provider", "truncated", "refusal", "empty", "text_only", "format", "call"]
Mode = Literal["tools", "object", "text"]
"""How the answer was asked for: as a tool call, as a JSON object, or as a text with an object in it."""
Form = Callable[[str], Mapping[str, Any] | None]
"""The schema that a tool's arguments must have at the player's level, by its name; None for a tool nobody knows."""

_PREFIX = re.compile(r"(functions[.])?(function[.])?(tools[.])?(tool[.])?(functions:)?(default_api[.])?")
_FENCED = re.compile(
    r"^ {0,3}```[ \t]*(?:json)?[ \t]*\r?\n(.*?)^ {0,3}```[ \t]*\r?$", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_WHOLE = re.compile(r"\s*[-+]?\d{1,15}\s*", re.ASCII)
_MISSING = object()
_Validator = extend(  # type: ignore[no-untyped-call]  # jsonschema leaves it untyped; its own takes 1e20 as an integer
    Draft202012Validator,
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


@dataclass(frozen=True)
class Reading:
    """What an answer says. ``name`` and ``arguments`` are the eased call of kind ``call``.

    ``stated`` lists every call as it arrived, arguments decoded as far as they are JSON; ``eased`` whether a repair of
    form was needed; ``why`` explains a failure.
    """

    kind: Kind
    code: str | None = None
    name: str = ""
    arguments: Mapping[str, Any] | None = None
    stated: tuple[Mapping[str, Any], ...] = ()
    eased: bool = False
    why: str = ""


class _Unreadable(Exception):
    def __init__(self, why: str, code: str = "malformed_arguments") -> None:
        super().__init__(why)
        self.why, self.code = why, code


def read(heard: Heard, tools: Sequence[Mapping[str, Any]], mode: Mode, form: Form) -> Reading:
    """Read one answer. ``tools`` were offered; a name that has a ``form`` without being offered is the engine's."""
    if not heard.usable:
        return Reading("provider", why="no answer of a model")
    if heard.ended == "rejected":
        return Reading("format", "malformed_arguments", why="the server could not read the call")
    if heard.ended:
        return Reading(heard.ended)
    calls, eased, names_none = list(heard.calls), False, None
    if not calls and mode != "tools":
        calls, eased, names_none = _written(heard.text, tools, mode)
    if names_none is not None:
        return Reading("format", "malformed_arguments", stated=(names_none,), why="the object names no tool")
    if not calls:
        return Reading("text_only" if heard.text.strip() else "empty")
    readings = [_one(name, raw, tools, form, eased) for name, raw in calls]
    first = readings[0]
    if all(_same(first, other) for other in readings[1:]):
        return first
    stated = tuple(call for reading in readings for call in reading.stated)
    return Reading("format", "malformed_arguments", stated=stated, why=f"{len(calls)} different calls")


def _same(one: Reading, other: Reading) -> bool:
    if one.kind == other.kind == "call":
        return (one.name, one.arguments) == (other.name, other.arguments)
    return one.stated == other.stated


def _written(
    text: str, tools: Sequence[Mapping[str, Any]], mode: Mode
) -> tuple[list[tuple[str, Any]], bool, Mapping[str, Any] | None]:
    """The call that a text states as a JSON object; whether it took easing; the object if it names no tool."""
    value, eased = _loaded(text)
    if value is _MISSING and mode == "text":
        blocks = _FENCED.findall(text)
        if len(blocks) == 1 and text.count("```") == 2:
            value, eased = _loaded(blocks[0])[0], True
    if not isinstance(value, dict):
        return [], False, None
    if isinstance(value.get("tool"), str):
        given = value.get("arguments")
        twice = isinstance(given, str) and bool(given.strip())  # JSON within JSON, where an object was asked for
        return [(value["tool"], given)], eased or twice or bool(set(value) - {"tool", "arguments"}), None
    if "tool" not in value and [tool["name"] for tool in tools] == ["act"]:
        return [("act", value)], eased, None
    return [], eased, {"tool": "", "arguments": value}


def _one(name: str, raw: Any, tools: Sequence[Mapping[str, Any]], form: Form, eased: bool) -> Reading:
    decoded = _loaded(raw)[0] if isinstance(raw, str) else raw
    stated = ({"tool": name, "arguments": raw if decoded is _MISSING else decoded},)
    try:
        asked, called = _find(name, tools, form)
        value, loosened = _decoded(raw, asked)
        ready = _ease(value, asked)
        fault = next(_form(asked).iter_errors(ready), None)
        if fault is not None:
            raise _Unreadable(f"{fault.json_path}: {fault.message[:200]}")
        loosened |= not _equal(ready, value)
    except _Unreadable as fault:
        return Reading("format", fault.code, stated=stated, why=fault.why)
    except RecursionError:
        return Reading("format", "malformed_arguments", stated=stated, why="nested too deeply")
    return Reading("call", None, called, ready, stated, eased or loosened or called != name)


def _find(name: str, tools: Sequence[Mapping[str, Any]], form: Form) -> tuple[Mapping[str, Any], str]:
    """What the arguments of a named tool must look like, and the right spelling of its name."""
    offered = {tool["name"]: tool["parameters"] for tool in tools}
    asked = form(name) or offered.get(name)
    if asked is not None:
        return asked, name
    plain = _PREFIX.sub("", name.strip().casefold(), count=1)
    like = [one for one in offered if one.casefold() == plain]
    called = like[0] if len(like) == 1 else plain
    asked = form(called) or offered.get(called)
    if asked is None:
        raise _Unreadable(f"there is no tool {name[:80]!r}", "unknown_action")
    return asked, called


def _decoded(raw: Any, asked: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """The arguments as an object, and whether it took easing to get it out of a text."""
    value, eased = raw, False
    if isinstance(raw, str):
        value, eased = (None, False) if not raw.strip() else _loaded(raw)
        if isinstance(value, str):  # encoded twice
            value, eased = _loaded(value)[0], True
    if value is _MISSING:
        raise _Unreadable("the arguments are no JSON")
    if value is None and all(_nullable(part) for part in _fields(asked).values()):
        return {}, eased
    if not isinstance(value, dict):
        raise _Unreadable("the arguments are no object")
    return value, eased


def _loaded(text: str) -> tuple[Any, bool]:
    """The value of a JSON text and whether it took easing; ``_MISSING`` if it is none. Nothing cut off is completed."""
    text = text.strip()
    for eased, candidate in _spellings(text):
        try:
            value = json.loads(candidate, strict=not eased, object_pairs_hook=_once, parse_constant=_never)
        except (ValueError, RecursionError):
            continue
        return value, eased
    return _MISSING, False


def _spellings(text: str) -> Iterator[tuple[bool, str]]:
    r"""The text as it is, then with raw control characters allowed, then without literal ``\n`` between its tokens."""
    yield False, text
    yield True, text
    out, inside, at = [], False, 0
    while at < len(text):
        char = text[at]
        if inside and char == "\\":
            out.append(text[at : at + 2])
            at += 2
            continue
        if char == '"':
            inside = not inside
        if not inside and text[at : at + 2] in ("\\n", "\\r", "\\t"):
            out.append(" ")
            at += 2
            continue
        out.append(char)
        at += 1
    yield True, "".join(out)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise ValueError(f"{key} is given twice")
        found[key] = value
    return found


def _never(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def _fields(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    fields: Mapping[str, Any] = schema.get("properties", {})
    return fields


def _nullable(schema: Mapping[str, Any]) -> bool:
    return schema.get("type") == "null" or any(_nullable(one) for one in schema.get("anyOf", ()))


def _form(schema: Mapping[str, Any]) -> Any:
    return _Validator(_types(schema))


def _types(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without enums, and with only those keys required that may not be null."""
    made: dict[str, Any] = {}
    if "type" in schema:
        made["type"] = schema["type"]
    if "anyOf" in schema:
        made["anyOf"] = [_types(one) for one in schema["anyOf"]]
    if "items" in schema:
        made["items"] = _types(schema["items"])
    if "properties" in schema:
        made["properties"] = {name: _types(part) for name, part in schema["properties"].items()}
        made["required"] = [name for name, part in schema["properties"].items() if not _nullable(part)]
    return made


def _ease(value: Any, schema: Mapping[str, Any]) -> Any:
    """The value with every repair of form its schema gives reason for; what cannot be eased stays as it is."""
    if "anyOf" in schema:
        if value is None:
            return None
        options = [one for one in schema["anyOf"] if one.get("type") != "null"]
        eased = [_ease(value, one) for one in options]
        fitting = [one for one, option in zip(eased, options, strict=True) if _form(option).is_valid(one)]
        return fitting[0] if fitting else value
    kind = schema.get("type")
    if kind in ("object", "array") and isinstance(value, str):
        inner = _loaded(value)[0]
        value = inner if isinstance(inner, dict if kind == "object" else list) else value
    if kind == "object" and isinstance(value, dict):
        fields = _fields(schema)
        return {name: _ease(value[name], part) for name, part in fields.items() if name in value}
    if kind == "array" and isinstance(value, list):
        return [_ease(one, schema.get("items", {})) for one in value]
    if kind == "integer":
        return _whole_number(value)
    if kind == "string" and isinstance(value, str):
        return _spelled(value, schema.get("enum", ()))
    return value


def _whole_number(value: Any) -> Any:
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    if isinstance(value, float) and abs(value) < 1e15 and value == int(value):
        return int(value)
    return value


def _spelled(value: str, enum: Sequence[Any]) -> str:
    """The one word of an enum that differs in case and blanks alone; else the value as it is."""
    if value in enum:
        return value
    like = [word for word in enum if isinstance(word, str) and word.casefold() == value.strip().casefold()]
    return like[0] if len(like) == 1 else value


def _equal(one: Any, other: Any) -> bool:
    """Equality in which 1 is 1.0 but not true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_equal, one, other))
    return bool(one == other)
