"""What is sent: the whole body for both wire formats, profile by profile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from harness.providers import anthropic_messages, openai_chat
from harness.providers.profiles import Profile, make_profile
from harness.providers.schema import answer_schema, optional_nulls
from harness.providers.types import Request, ToolSpec


def record(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


ENTRY = record(entry={"type": "integer"})
MARKET = record(
    source={"type": "string", "enum": ["slot_0", "slot_1"]},
    throw_away={"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
)
ACT = ToolSpec("act", "Choose an entry.", ENTRY)
BUY = ToolSpec("market", "Buy.", MARKET)
REQUEST = Request("The rules.", (("user", "Your move."),), (ACT, BUY), 500, seed=7)


@pytest.fixture(autouse=True)
def no_urls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)


def compat(**changes: Any) -> Profile:
    return make_profile("compat", "m", "http://127.0.0.1:1/v1", **changes)


def test_openai_tools() -> None:
    assert openai_chat.request(REQUEST, make_profile("openai", "gpt-5.5")) == {
        "model": "gpt-5.5",
        "messages": [{"role": "developer", "content": "The rules."}, {"role": "user", "content": "Your move."}],
        "max_completion_tokens": 500,
        "tools": [
            {"type": "function", "function": {"name": "act", "description": "Choose an entry.", "parameters": ENTRY}},
            {"type": "function", "function": {"name": "market", "description": "Buy.", "parameters": MARKET}},
        ],
        "tool_choice": "required",
        "parallel_tool_calls": False,
        "reasoning_effort": "none",
    }


def test_a_compatible_server_gets_nothing_it_may_not_know() -> None:
    body = openai_chat.request(REQUEST, compat())
    assert sorted(body) == ["max_tokens", "messages", "model", "tool_choice", "tools"]
    assert body["max_tokens"] == 500
    assert body["tool_choice"] == "auto"
    assert body["messages"][0]["role"] == "system"


def test_every_field_of_a_chat_profile_is_sent() -> None:
    profile = compat(
        system="merge_into_user", temperature=0.5, seed=True, reasoning_effort="low", strict=True, forced_tool=True
    )
    body = openai_chat.request(REQUEST, profile)
    assert body["messages"] == [{"role": "user", "content": "The rules.\n\nYour move."}]
    assert (body["temperature"], body["seed"], body["reasoning_effort"]) == (0.5, 7, "low")
    assert [tool["function"]["strict"] for tool in body["tools"]] == [True, True]
    assert body["tool_choice"] == "required"


def test_chat_json_schema() -> None:
    asked = replace(REQUEST, output_mode="json_schema")
    body = openai_chat.request(asked, compat())
    assert "tools" not in body
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is False
    schema = body["response_format"]["json_schema"]["schema"]
    assert [one["properties"]["tool"]["enum"] for one in schema["anyOf"]] == [["act"], ["market"]]
    assert schema["anyOf"][1]["properties"]["arguments"]["required"] == ["source"]


def test_strict_json_schema_has_an_object_at_its_root_and_requires_every_key() -> None:
    asked = replace(REQUEST, output_mode="json_schema")
    schema = openai_chat.request(asked, compat(strict=True))["response_format"]["json_schema"]["schema"]
    assert schema["type"] == "object"
    assert schema["properties"]["tool"]["enum"] == ["act", "market"]
    assert schema["properties"]["arguments"]["anyOf"] == [ENTRY, MARKET]


def test_anthropic_tools() -> None:
    assert anthropic_messages.request(REQUEST, make_profile("anthropic", "claude-haiku-5-5")) == {
        "model": "claude-haiku-5-5",
        "max_tokens": 500,
        "system": "The rules.",
        "messages": [{"role": "user", "content": "Your move."}],
        "tools": [
            {"name": "act", "description": "Choose an entry.", "input_schema": ENTRY},
            {"name": "market", "description": "Buy.", "input_schema": MARKET},
        ],
        "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
    }


@pytest.mark.parametrize(
    ("model", "choice"),
    [
        ("claude-opus-5", "any"),
        ("claude-opus-5-20260301", "any"),
        ("claude-opus-5-5", "auto"),
        ("claude-sonnet-4-6", "any"),
        ("claude-sonnet-5-5", "auto"),
        ("claude-fable-5-1", "auto"),
        ("claude-unheard-of", "auto"),
    ],
)
def test_tool_use_is_forced_only_where_the_model_takes_it(model: str, choice: str) -> None:
    assert anthropic_messages.request(REQUEST, make_profile("anthropic", model))["tool_choice"]["type"] == choice


def test_anthropic_json_schema_and_strict() -> None:
    asked = replace(REQUEST, output_mode="json_schema")
    body = anthropic_messages.request(asked, make_profile("anthropic", "claude-opus-5"))
    assert sorted(body) == ["max_tokens", "messages", "model", "output_config", "system"]
    assert body["output_config"]["format"]["type"] == "json_schema"
    assert body["output_config"]["format"]["schema"]["type"] == "object"
    strict = anthropic_messages.request(REQUEST, make_profile("anthropic", "claude-opus-5", strict=True))
    assert [tool["strict"] for tool in strict["tools"]] == [True, True]


def test_no_system_text_sends_none() -> None:
    asked = replace(REQUEST, system="")
    assert len(openai_chat.request(asked, compat())["messages"]) == 1
    assert "system" not in anthropic_messages.request(asked, make_profile("anthropic", "claude-opus-5"))


def test_answer_schemas_accept_what_they_should() -> None:
    def accepts(schema: dict[str, Any], value: Any) -> bool:
        return bool(jsonschema.Draft202012Validator(schema).is_valid(value))

    asked = replace(REQUEST, output_mode="json_schema")
    union = answer_schema(asked, strict=False, root_union=True)
    assert accepts(union, {"tool": "market", "arguments": {"source": "slot_0"}})
    assert accepts(union, {"tool": "market", "arguments": {"source": "slot_0", "throw_away": None}})
    assert not accepts(union, {"tool": "market", "arguments": {"entry": 1}})
    assert not accepts(union, {"tool": "market"})
    single = answer_schema(replace(asked, tools=(ACT,)), strict=False, root_union=True)
    assert accepts(single, {"tool": "act", "arguments": {"entry": 1}})
    bare = answer_schema(replace(asked, tools=(ACT,), answer_form="arguments"), strict=False, root_union=True)
    assert bare == ENTRY


def test_optional_nulls_reach_every_depth_and_leave_the_original_alone() -> None:
    before = record(list={"type": "array", "items": MARKET})
    assert optional_nulls(before)["properties"]["list"]["items"]["required"] == ["source"]
    assert before["properties"]["list"]["items"]["required"] == ["source", "throw_away"]
