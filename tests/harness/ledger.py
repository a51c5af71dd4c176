"""What the tests of the fault ledger share: rows by number, bodies of the three wire formats, and their reading."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from harness.providers.normalise import Call, Failure, normalise
from harness.providers.profiles import Api, Profile, make_profile
from harness.providers.types import OutputMode, Request, ToolSpec
from harness.providers.wires import WIRES

APIS: tuple[Api, ...] = ("chat", "responses", "messages")


def row(number: int) -> Callable[[Any], Any]:
    """Mark a test as that of a row of the ledger; its id begins with ``row-`` and the number."""

    def mark(test: Any) -> Any:
        marked = pytest.mark.parametrize("row", [number], ids=[f"row-{number:02}"], indirect=True)(test)
        return pytest.mark.usefixtures("row")(marked)

    return mark


def case(number: int, *values: Any, about: str = "") -> Any:
    """One set of values that belongs to a row of the ledger."""
    return pytest.param(*values, id=f"row-{number:02} {about}".strip())


def record(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


TEXT = {"type": "string"}
CARDS = {"type": "array", "items": TEXT}
SLOT = {"type": "string", "enum": ["slot_0", "slot_1"]}
ACT = ToolSpec("act", "Choose an entry.", record(entry={"type": "integer"}))
MARKET = ToolSpec("market", "Buy.", record(source=SLOT, payment=CARDS))
CHOOSE = ToolSpec("choose", "", record(choices=record(value={"type": "integer"})))
SKIP = ToolSpec("skip", "Do nothing.", record())
TOOLS = (ACT, MARKET, CHOOSE, SKIP)
REQUEST = Request("The rules.", (("user", "Your move."),), TOOLS, 500, seed=7)


def profile_of(api: Api, **changes: Any) -> Profile:
    """A compatible server over a wire format, at an address where nobody listens."""
    return make_profile("compat", "m", "http://127.0.0.1:1/v1", api=api, **changes)


def body(api: Api, *calls: tuple[str, Any], text: str | None = None, stop: str | None = None) -> dict[str, Any]:
    """An answer over a wire format. ``stop`` is the server's own word; unless given, that of a healthy answer."""
    if api == "chat":
        functions = [
            {"id": "call_1", "type": "function", "function": {"name": name, "arguments": raw}} for name, raw in calls
        ]
        message = {"role": "assistant", "content": text, "tool_calls": functions or None}
        return {"choices": [{"message": message, "finish_reason": stop or ("tool_calls" if calls else "stop")}]}
    if api == "messages":
        blocks = [{"type": "tool_use", "id": "toolu_1", "name": name, "input": raw} for name, raw in calls]
        said = [{"type": "text", "text": text}] if text is not None else []
        return {"content": [*said, *blocks], "stop_reason": stop or ("tool_use" if calls else "end_turn")}
    items = [{"type": "function_call", "call_id": "call_1", "name": name, "arguments": raw} for name, raw in calls]
    part = {"type": "output_text", "text": text}
    output = [{"type": "message", "content": [part]}] if text is not None else []
    details = {"reason": stop} if stop else None
    return {
        "status": "incomplete" if stop else "completed", "output": [*output, *items], "incomplete_details": details,
    }  # fmt: skip


def read(api: Api, answer: Any, tools: tuple[ToolSpec, ...] = TOOLS, mode: OutputMode = "tools") -> Call | Failure:
    """Read a whole body as the harness does."""
    return normalise(WIRES[api].parse(answer), tools, mode)


def called(found: Call | Failure, name: str, arguments: Any, *repairs: str) -> None:
    assert isinstance(found, Call), found
    assert (found.name, found.arguments, found.repairs) == (name, arguments, repairs)


def failed(found: Call | Failure, kind: str, code: str | None = None) -> Failure:
    assert isinstance(found, Failure), found
    assert (found.kind, found.code) == (kind, code)
    return found
