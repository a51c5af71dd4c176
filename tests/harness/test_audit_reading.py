"""The second reading of raw answers: by hand-written examples, and against the first one on made-up answers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Game, form_of
from harness.audit.reading import Mode, Reading, read
from harness.audit.wires import bodies, hear
from harness.providers.normalise import Call, normalise
from harness.providers.stops import STOPS
from harness.providers.types import ProviderError, ToolSpec
from harness.providers.wires import WIRES

GAME = Game.new(players=2, sets=("macaws", "pandas", "raccoons"), seed=3)
TOOLS = GAME.tools("L2")


known = partial(form_of, 2, "L2")


def chat(name: str | None = None, arguments: Any = None, text: str | None = None, finish: str = "stop") -> Any:
    calls = [{"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}] if name else None
    return {"choices": [{"message": {"content": text, "tool_calls": calls}, "finish_reason": finish}]}


def messages(*blocks: dict[str, Any], stop: str = "end_turn") -> Any:
    return {"type": "message", "content": list(blocks), "stop_reason": stop}


def responses(*items: dict[str, Any], status: str = "completed", reason: str | None = None) -> Any:
    details = {"reason": reason} if reason else None
    return {"object": "response", "status": status, "output": list(items), "incomplete_details": details}


def said(text: str) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}


def called(name: str, arguments: str, status: str = "completed") -> dict[str, Any]:
    return {"type": "function_call", "call_id": "c", "name": name, "arguments": arguments, "status": status}


EXAMPLES: list[tuple[str, Any, str, str | None]] = [
    ("chat", chat("inventory", '{"cards": ["junk"]}'), "call", None),
    ("chat", chat("inventory", '{"cards": ["junk"'), "format", "malformed_arguments"),
    ("chat", chat("inventory", ""), "format", "malformed_arguments"),
    ("chat", chat("skip", ""), "call", None),
    ("chat", chat("dance", "{}"), "format", "unknown_action"),
    ("chat", chat("inventory", '{"cards": "junk"}'), "format", "malformed_arguments"),
    ("chat", chat("stall", '{"cards": ["junk"], "stack": 1e20}'), "format", "malformed_arguments"),
    ("chat", chat("function:inventory", '{"cards": ["junk"]}'), "format", "unknown_action"),
    ("chat", chat("tools.functions.inventory", '{"cards": ["junk"]}'), "format", "unknown_action"),
    ("chat", chat("inventory", '{"cards": ["spaceship"]}'), "call", None),
    ("chat", chat(text="I pass."), "text_only", None),
    ("chat", chat(text=" \n"), "empty", None),
    ("chat", chat(text="I pa", finish="length"), "truncated", None),
    ("chat", chat("inventory", '{"cards": []}', finish="length"), "truncated", None),
    ("chat", chat(finish="content_filter"), "refusal", None),
    ("chat", {"choices": [{"message": {"refusal": "No."}, "finish_reason": "stop"}]}, "refusal", None),
    ("chat", {"choices": []}, "provider", None),
    ("chat", {"error": {"message": "busy"}}, "provider", None),
    ("chat", {"error": {"code": "tool_use_failed"}}, "format", "malformed_arguments"),
    ("chat", {"error": {"code": "json_validate_failed"}}, "format", "malformed_arguments"),
    ("chat", {"error": {"code": "x", "failed_generation": "<act>"}}, "format", "malformed_arguments"),
    ("chat", {"error": {"code": "x", "failed_generation": ""}}, "provider", None),
    ("messages", {"type": "error", "error": {"type": "tool_use_failed"}}, "format", "malformed_arguments"),
    ("responses", {"status": "failed", "error": {"code": "tool_use_failed"}}, "format", "malformed_arguments"),
    ("chat", "<html>", "provider", None),
    ("messages", messages({"type": "tool_use", "name": "skip", "input": {}}), "call", None),
    ("messages", messages({"type": "tool_use", "name": "inventory", "input": {}}), "format", "malformed_arguments"),
    ("messages", messages({"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "No."}), "text_only", None),
    ("messages", messages(stop="refusal"), "refusal", None),
    ("messages", messages({"type": "tool_use", "name": "skip", "input": {}}, stop="max_tokens"), "truncated", None),
    ("messages", messages(), "empty", None),
    ("messages", {"type": "error", "error": {"type": "overloaded_error"}}, "provider", None),
    ("responses", responses({"type": "reasoning", "summary": []}, called("skip", "{}")), "call", None),
    ("responses", responses(said("I pass.")), "text_only", None),
    ("responses", responses(), "empty", None),
    ("responses", responses(called("skip", "{}", "incomplete")), "truncated", None),
    ("responses", responses(said("I"), status="incomplete", reason="max_output_tokens"), "truncated", None),
    ("responses", responses(status="incomplete", reason="content_filter"), "refusal", None),
    ("responses", responses(called("skip", "{}"), status="incomplete"), "truncated", None),
    ("responses", responses({"type": "message", "content": "I pass."}), "text_only", None),
    (
        "responses",
        responses({"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}),
        "refusal",
        None,
    ),
    ("responses", {"status": "failed", "error": {"code": "server_error"}, "output": []}, "provider", None),
    ("responses", {"status": "failed", "output": []}, "provider", None),
]


@pytest.mark.parametrize(("api", "body", "kind", "code"), EXAMPLES)
def test_raw_answers_are_classed(api: str, body: Any, kind: str, code: str | None) -> None:
    found = read(hear(api, body), TOOLS, "tools", known)
    assert (found.kind, found.code) == (kind, code)


@pytest.mark.parametrize(
    ("name", "arguments", "eased"),
    [
        ("stall", '{"cards": ["junk"], "stack": 3}', False),
        ("stall", '{"cards": ["junk"], "stack": 3.0}', False),
        ("stall", '{"cards": ["junk"], "stack": " 3"}', True),
        ("stall", '{"cards": "[\\"junk\\"]", "stack": 3}', True),
        ("stall", '{"cards": ["junk"], "stack": 3, "why": "so"}', True),
        ("Stall ", '{"cards": ["junk"], "stack": 3}', True),
        ("functions.stall", '{"cards": ["junk"], "stack": 3}', True),
        ("functions.tools.stall", '{"cards": ["junk"], "stack": 3}', True),
        ("stall", '"{\\"cards\\": [\\"junk\\"], \\"stack\\": 3}"', True),
        ("stall", '{\\n"cards": ["junk"],\\n"stack": 3}', True),
    ],
)
def test_repairs_of_form_are_seen(name: str, arguments: str, eased: bool) -> None:
    found = read(hear("chat", chat(name, arguments)), TOOLS, "tools", known)
    assert (found.kind, found.name, found.arguments) == ("call", "stall", {"cards": ["junk"], "stack": 3})
    assert found.eased == eased


def test_an_object_in_a_text_counts_where_it_was_asked_for_and_a_fence_only_in_texts() -> None:
    plain = '{"tool": "skip", "arguments": {}}'
    fenced = f"Well:\n```json\n{plain}\n```\nThat is it."
    kinds = {
        (mode, text): read(hear("chat", chat(text=text)), TOOLS, mode, known).kind
        for mode in ("tools", "object", "text")
        for text in (plain, fenced)
    }
    assert kinds == {
        ("tools", plain): "text_only",
        ("tools", fenced): "text_only",
        ("object", plain): "call",
        ("object", fenced): "text_only",
        ("text", plain): "call",
        ("text", fenced): "call",
    }


@pytest.mark.parametrize("mode", ["object", "text"])
def test_arguments_within_an_object_need_easing_if_they_are_a_text(mode: Mode) -> None:
    for stated, eased in (({"cards": []}, False), ('{"cards": []}', True)):
        text = json.dumps({"tool": "inventory", "arguments": stated})
        found = read(hear("chat", chat(text=text)), TOOLS, mode, known)
        assert (found.kind, found.arguments, found.eased) == ("call", {"cards": []}, eased)
    agree("chat", chat(text='{"tool": "skip", "arguments": " "}'), "object")


def test_joined_answers_come_apart_even_with_line_ends_inside() -> None:
    one, two = json.dumps({"a": "}\n{", "b": [1]}, indent=2), json.dumps({"c": 2})
    assert bodies(f"{one}\n{two}".encode(), 2) == ([json.loads(one), json.loads(two)], True)
    assert bodies(f"{one}\n<html>\n".encode(), 2) == ([json.loads(one), None], True)
    assert bodies(b"<html>\n{}", 2) == ([], False)
    assert bodies(one.encode(), 1) == ([json.loads(one)], True)


# --- the two readings agree -----------------------------------------------------------------------------------------

word = st.sampled_from(["junk", "slot_0", " SLOT_1", "A", "b", "3", "x", "", "junk#1"]) | st.text(max_size=4)
scalar = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.sampled_from([3.0, 2.5, 1e20, "4", " 5 ", "[]", '["junk"]'])
    | word
)
value = st.recursive(
    scalar, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(word, inner, max_size=2), max_leaves=6
)
choices = st.dictionaries(
    st.sampled_from(["cards", "opponents", "slots", "stack", "value", "option", "more"]), value, max_size=4
)
ARGUMENTS = ["source", "payment", "throw_away", "copies", "card", "choices", "cards", "from_discard", "stack", "adjust"]
arguments = st.dictionaries(
    st.sampled_from([*ARGUMENTS, "why"]), value | choices | st.lists(word, max_size=3), max_size=6
)
names = st.sampled_from([tool["name"] for tool in TOOLS]).flatmap(
    lambda name: st.sampled_from(
        [name, name.title(), f" {name}", f"functions.{name}", f"tool.{name}", f"function:{name}", "dance", ""]
    )
)
spoilt = st.sampled_from(
    [
        lambda text: text,
        lambda text: text[:-2],
        lambda text: json.dumps(text),
        lambda text: text.replace(" ", "\\n"),
        lambda text: text.replace("junk", "ju\nnk"),
        lambda text: f"{text} and so on",
        lambda text: text.replace("{", '{"cards": [], ', 1),
    ]
)


def agree(api: str, body: Any, mode: Mode) -> None:
    tools = [ToolSpec(tool["name"], "", tool["parameters"]) for tool in TOOLS]
    second = read(hear(api, body), TOOLS, mode, known)
    try:
        reply = WIRES[api].parse(body)  # type: ignore[index] # one of the wire formats
    except ProviderError:
        assert second.kind == "provider"
        return
    first = normalise(reply, tools, "tools" if mode == "tools" else "json_schema", False, known)
    if isinstance(first, Call):
        assert (second.kind, second.name, second.arguments) == ("call", first.name, first.arguments)
        assert second.eased == bool(first.repairs)
    else:
        assert (second.kind, second.code) == (first.kind, first.code)
    _stated(second, first.stated)


def _stated(second: Reading, first: Any) -> None:
    if first is not None and "calls" not in first and "tool" in first:
        assert json.dumps(first["arguments"], sort_keys=True) == json.dumps(
            second.stated[0]["arguments"], sort_keys=True
        )


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(names, arguments, spoilt), min_size=1, max_size=2))
def test_both_readings_take_calls_alike(calls: list[Any]) -> None:
    texts = [(name, spoil(json.dumps(given))) for name, given, spoil in calls]
    listed = [{"id": "1", "function": {"name": name, "arguments": text}} for name, text in texts]
    agree("chat", {"choices": [{"message": {"tool_calls": listed}, "finish_reason": "tool_calls"}]}, "tools")
    blocks = [{"type": "tool_use", "name": name, "input": given} for name, given, _ in calls]
    agree("messages", messages(*blocks), "tools")


@pytest.mark.parametrize("word", [*STOPS, *map(str.upper, STOPS), "something_new", None])
def test_both_readings_take_ends_alike(word: Any) -> None:
    for items in ((), (called("skip", "{}"),)):
        agree("responses", responses(*items, reason=word), "tools")
    for name in (None, "skip"):
        agree("chat", chat(name, "{}", finish=word), "tools")
        blocks = [{"type": "tool_use", "name": name, "input": {}}] if name else []
        agree("messages", messages(*blocks, stop=word), "tools")


@pytest.mark.parametrize("code", ["tool_use_failed", "json_validate_failed", "x", None])
@pytest.mark.parametrize("kind", ["tool_use_failed", "invalid_request_error", None])
@pytest.mark.parametrize("written", ["<act>", "", None])
def test_both_readings_take_rejected_calls_alike(code: Any, kind: Any, written: Any) -> None:
    error = {"message": "no", "code": code, "type": kind, "failed_generation": written}
    for api in WIRES:
        agree(api, {"error": error}, "tools")


@settings(max_examples=60, deadline=None)
@given(names, arguments | arguments.map(json.dumps) | word, spoilt, st.booleans())
def test_both_readings_take_objects_alike(name: str, given: Any, spoil: Any, more: bool) -> None:
    body = {"tool": name, "arguments": given, **({"thought": "hm"} if more else {})}
    agree("chat", chat(text=spoil(json.dumps(body))), "object")
