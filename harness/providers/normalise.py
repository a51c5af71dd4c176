"""From a reply to one call, or to the one class of failure that says why there is none. Pure, never raises.

Nothing is guessed: no move is read out of prose, cut-off JSON is never completed, and of several different calls none
is chosen. Only the form of a call is put right, and every such repair is tagged, so that a strict score can count it as
a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from harness.canonical import plain
from harness.providers.arguments import Repairs, TypeFault, checked, takes_nothing
from harness.providers.lenient_json import NotJson, decode, decode_fenced
from harness.providers.types import Json, OutputMode, RawCall, Reply, ToolSpec

FailureClass = Literal["truncated", "refusal", "empty", "text_only", "format"]
FormatCode = Literal["malformed_arguments", "unknown_action"]
DETAIL_LIMIT = 300
Form = Callable[[str], Mapping[str, Any] | None]
"""What the arguments of a tool are held against, by the tool's name; None for a tool nobody knows."""
_PREFIXES = ("functions.", "function.", "tools.", "tool.", "functions:", "default_api.")


@dataclass(frozen=True)
class Call:
    """A readable call. ``stated`` is the same as it arrived, ``repairs`` what was put right."""

    name: str
    arguments: Json
    repairs: tuple[str, ...]
    stated: Json


@dataclass(frozen=True)
class Failure:
    """Why there is no readable call. ``code`` is given for class ``format`` only, ``stated`` as far as there is one."""

    kind: FailureClass
    code: FormatCode | None
    detail: str
    stated: Json | None = None


class _Unreadable(Exception):
    def __init__(self, code: FormatCode, detail: str) -> None:
        super().__init__(detail)
        self.code: FormatCode = code
        self.detail = detail


def normalise(
    reply: Reply,
    tools: Sequence[ToolSpec],
    output_mode: OutputMode = "tools",
    bare: bool = False,
    form: Form = lambda name: None,
    cap: int | None = None,
) -> Call | Failure:
    """Read a reply as one call of one of ``tools``.

    In every output mode but ``tools`` the whole text is the JSON object; in mode ``text`` alone, where no server could
    hold the model to that, one fenced block with the object in it is read too and tagged. ``bare`` says that the answer
    may be just the arguments of the only tool. Arguments are held against the ``form`` of their tool, else against
    the schema that was offered; a tool that was not offered but has a form goes through, to be judged by whoever knows
    it. ``cap`` is the longest answer that was asked for, in tokens: one that
    is just as long and cannot be read was cut off there, whether the server says so or not.
    """
    found = _normalised(reply, tools, output_mode, bare, form)
    at_cap = cap is not None and reply.usage is not None and reply.usage.output == cap
    if at_cap and isinstance(found, Failure) and (found.kind == "text_only" or found.code == "malformed_arguments"):
        return Failure("truncated", None, _detail(f"cut off at {cap} tokens, unsaid; {found.detail}"), found.stated)
    return found


def _normalised(
    reply: Reply, tools: Sequence[ToolSpec], output_mode: OutputMode, bare: bool, form: Form
) -> Call | Failure:
    if reply.stop == "refusal":
        return Failure("refusal", None, _detail(reply.text or f"stopped: {reply.native_stop}"))
    if reply.stop == "length":
        return Failure("truncated", None, _detail(f"stopped: {reply.native_stop}; {reply.text}"))
    if reply.stop == "bad_call":
        return Failure("format", "malformed_arguments", _detail(f"the server could not read the call: {reply.text}"))
    if reply.calls or output_mode == "tools":
        return _from_calls(reply, tools, form)
    return _from_text(reply, tools, bare, form, fences=output_mode == "text")


def _from_calls(reply: Reply, tools: Sequence[ToolSpec], form: Form) -> Call | Failure:
    if not reply.calls:
        return _no_call(reply)
    found = [_read(call, tools, form) for call in reply.calls]
    first = found[0]
    if all(_same(first, other) for other in found[1:]):
        return first
    stated = {"calls": [one.stated for one in found]}
    return Failure("format", "malformed_arguments", f"{len(found)} different calls instead of one", stated)


def _same(one: Call | Failure, other: Call | Failure) -> bool:
    if isinstance(one, Call) and isinstance(other, Call):
        return one.name == other.name and one.arguments == other.arguments
    return one.stated == other.stated


def _no_call(reply: Reply) -> Failure:
    if reply.text.strip():
        return Failure("text_only", None, _detail(reply.text))
    return Failure("empty", None, f"stopped: {reply.native_stop}")


def _from_text(reply: Reply, tools: Sequence[ToolSpec], bare: bool, form: Form, fences: bool) -> Call | Failure:
    repairs = Repairs()
    try:
        value = decode_fenced(reply.text, repairs) if fences else decode(reply.text.strip(), repairs)
    except NotJson:
        return _no_call(reply)
    if not isinstance(value, dict):
        return _no_call(reply)
    if bare and "tool" not in value:
        call = RawCall(tools[0].name, value)
    elif isinstance(value.get("tool"), str):
        call = RawCall(value["tool"], value.get("arguments"))
        if isinstance(call.raw, str) and call.raw.strip():  # a text only where a tool call carries them
            repairs.add("double_encoded")
    else:
        return Failure("format", "malformed_arguments", "the object names no tool", _stated("", value))
    unknown = sorted(set(value) - {"tool", "arguments"}) if call.raw is not value else []
    if unknown:
        repairs.add("extra_keys")
    return _read(call, tools, form, repairs)


def _read(call: RawCall, tools: Sequence[ToolSpec], form: Form, repairs: Repairs | None = None) -> Call | Failure:
    repairs = repairs or Repairs()
    try:
        schema, name = _named(call.name, tools, form, repairs)
        arguments = checked(_arguments(call.raw, schema, repairs), schema, repairs)
        return Call(name, plain(arguments), repairs.tags(), _stated(call.name, call.raw))
    except _Unreadable as fault:
        return Failure("format", fault.code, _detail(fault.detail), _stated(call.name, call.raw))
    except (TypeFault, ValueError, RecursionError) as fault:
        return Failure("format", "malformed_arguments", _detail(str(fault)), _stated(call.name, call.raw))


def _named(stated: str, tools: Sequence[ToolSpec], form: Form, repairs: Repairs) -> tuple[Mapping[str, Any], str]:
    """Find the schema and tool of a name: as it is, else without blanks, prefix and case if that fits exactly one."""
    schemas = {tool.name: tool.parameters for tool in tools}
    found = form(stated) or schemas.get(stated)
    if found is not None:
        return found, stated
    name = stated.strip().casefold()
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    fitting = [offered for offered in schemas if offered.casefold() == name]
    if len(fitting) == 1:
        name = fitting[0]
    found = form(name) or schemas.get(name)
    if found is not None:
        repairs.add("tool_name")
        return found, name
    offered = ", ".join(schemas)
    raise _Unreadable("unknown_action", f"there is no tool {_detail(stated)!r}: the tools are {offered}")


def _arguments(raw: Any, schema: Mapping[str, Any], repairs: Repairs) -> Json:
    value = None if isinstance(raw, str) and not raw.strip() else raw
    if isinstance(value, str):
        try:
            value = decode(value, repairs)
            if isinstance(value, str):
                value = decode(value, repairs)
                repairs.add("double_encoded")
        except NotJson as fault:
            raise _Unreadable("malformed_arguments", f"the arguments are not JSON ({fault}): {raw}") from None
    if value is None:
        if takes_nothing(schema):
            return {}
        raise _Unreadable("malformed_arguments", "there are no arguments")
    if not isinstance(value, dict):
        raise _Unreadable("malformed_arguments", f"the arguments are no JSON object: {raw}")
    return value


def _stated(name: str, raw: Any) -> Json:
    """Return a call as it arrived, in a form that every reader of a log accepts."""
    if isinstance(raw, str):
        try:
            raw = decode(raw, Repairs())
        except NotJson:
            raw = raw[: 20 * DETAIL_LIMIT]
    try:
        stated = plain(raw)
    except (ValueError, RecursionError):
        stated = repr(raw)[: 20 * DETAIL_LIMIT] if not isinstance(raw, list | dict) else "nested too deeply"
    return {"tool": plain(name)[:DETAIL_LIMIT], "arguments": stated}


def _detail(text: str) -> str:
    text = " ".join(plain(text[: 4 * DETAIL_LIMIT]).split())
    return text if len(text) <= DETAIL_LIMIT else text[: DETAIL_LIMIT - 1] + "…"
