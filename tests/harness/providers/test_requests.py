"""What is sent: the whole body for all wire formats, profile by profile."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from ledger import record

from harness.providers import anthropic_messages, openai_chat, openai_responses
from harness.providers.prefix import prefix_key
from harness.providers.profiles import Profile, make_profile
from harness.providers.schema import answer_schema, optional_nulls
from harness.providers.types import Request, ToolSpec

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


KEY = prefix_key(REQUEST)


def test_openai_tools() -> None:
    assert openai_responses.request(REQUEST, make_profile("openai", "gpt-5.5")) == {
        "model": "gpt-5.5",
        "instructions": "The rules.",
        "input": [{"role": "user", "content": "Your move."}],
        "max_output_tokens": 500,
        "tools": [
            {
                "type": "function",
                "name": "act",
                "description": "Choose an entry.",
                "parameters": ENTRY,
                "strict": False,
            },
            {"type": "function", "name": "market", "description": "Buy.", "parameters": MARKET, "strict": False},
        ],
        "tool_choice": "required",
        "parallel_tool_calls": False,
        "store": False,
        "prompt_cache_key": KEY,
    }


def test_a_compatible_server_of_responses_gets_nothing_it_may_not_know() -> None:
    body = openai_responses.request(REQUEST, compat(api="responses"))
    assert sorted(body) == ["input", "instructions", "max_output_tokens", "model", "tool_choice", "tools"]
    assert body["tool_choice"] == "auto"


def test_every_field_of_a_responses_profile_is_sent() -> None:
    profile = compat(
        api="responses", system="merge_into_user", temperature=0.5, reasoning_effort="low", strict=True, seed=True
    )
    body = openai_responses.request(REQUEST, profile)
    assert body["input"] == [{"role": "user", "content": "The rules.\n\nYour move."}]
    assert "instructions" not in body
    assert (body["temperature"], body["reasoning"]) == (0.5, {"effort": "low"})
    assert [tool["strict"] for tool in body["tools"]] == [True, True]
    assert "seed" not in body


def test_responses_formats() -> None:
    profile = make_profile("openai", "gpt-5.5")
    asked = replace(REQUEST, output_mode="json_schema")
    body = openai_responses.request(asked, profile)
    assert "tools" not in body
    wanted = body["text"]["format"]
    assert (wanted["type"], wanted["name"], wanted["strict"]) == ("json_schema", "answer", False)
    assert wanted["schema"]["type"] == "object"
    assert openai_responses.request(replace(REQUEST, output_mode="json_object"), profile)["text"] == {
        "format": {"type": "json_object"}
    }
    plain = openai_responses.request(replace(REQUEST, output_mode="text"), profile)
    assert not {"text", "tools", "response_format"} & set(plain)
    local = make_profile("local", base_url="http://127.0.0.1:1/v1", api="responses")
    other = openai_responses.request(asked, local)
    assert "text" not in other
    assert "anyOf" in other["response_format"]["json_schema"]["schema"]
    held = openai_responses.request(replace(REQUEST, output_mode="json_object"), local)
    assert (held["response_format"], "text" in held) == ({"type": "json_object"}, False)


@pytest.mark.parametrize(("mode", "sent"), [("json_object", {"type": "json_object"}), ("text", None)])
def test_modes_in_which_no_schema_is_sent(mode: Any, sent: Any) -> None:
    asked = replace(REQUEST, output_mode=mode)
    body = openai_chat.request(asked, compat())
    assert (body.get("response_format"), "tools" in body) == (sent, False)
    other = anthropic_messages.request(asked, make_profile("anthropic", "claude-opus-5"))
    assert not {"tools", "tool_choice", "output_config"} & set(other)


def test_the_only_tool_is_forced_by_its_name_where_that_works() -> None:
    only = replace(REQUEST, tools=(ACT,))
    profile = compat(named_tool=True, forced_tool=True)
    assert openai_chat.request(only, profile)["tool_choice"] == {"type": "function", "function": {"name": "act"}}
    assert openai_responses.request(only, profile)["tool_choice"] == {"type": "function", "name": "act"}
    assert anthropic_messages.request(only, profile)["tool_choice"] == {"type": "tool", "name": "act"}
    for module, choice in (
        (openai_chat, "required"),
        (openai_responses, "required"),
        (anthropic_messages, {"type": "any"}),
    ):
        assert module.request(REQUEST, profile)["tool_choice"] == choice


def test_the_static_prefix_is_marked_for_the_cache() -> None:
    claude = make_profile("anthropic", "claude-opus-5")
    marked = {"type": "text", "text": "The rules.", "cache_control": {"type": "ephemeral"}}
    assert anthropic_messages.request(REQUEST, claude)["system"] == [marked]
    bare = anthropic_messages.request(replace(REQUEST, system=""), claude)
    assert [("cache_control" in tool) for tool in bare["tools"]] == [False, True]
    changing = replace(REQUEST, static_prefix=False)
    assert anthropic_messages.request(changing, claude)["system"] == "The rules."
    for api, build in (("responses", openai_responses.request), ("chat", openai_chat.request)):
        gpt = make_profile("openai", "gpt-5.5", api=api)
        assert build(REQUEST, gpt)["prompt_cache_key"] == KEY
        assert "prompt_cache_key" not in build(changing, gpt)


def test_the_key_of_the_cache_is_shared_by_all_that_are_told_the_same() -> None:
    assert prefix_key(replace(REQUEST, messages=(("user", "Another game."),), seed=8)) == KEY
    for other in (
        replace(REQUEST, system="Other rules."),
        replace(REQUEST, tools=(ACT,)),
        replace(REQUEST, output_mode="text"),
    ):
        assert prefix_key(other) != KEY
    assert len(KEY) == 32


def test_openai_over_chat() -> None:
    assert openai_chat.request(REQUEST, make_profile("openai", "gpt-5.5", api="chat")) == {
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
        "prompt_cache_key": KEY,
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
        "system": [{"type": "text", "text": "The rules.", "cache_control": {"type": "ephemeral"}}],
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
    effort = anthropic_messages.request(asked, make_profile("anthropic", "claude-opus-5", reasoning_effort="low"))
    assert effort["output_config"] == {**body["output_config"], "effort": "low"}
    strict = anthropic_messages.request(REQUEST, make_profile("anthropic", "claude-opus-5", strict=True))
    assert [tool["strict"] for tool in strict["tools"]] == [True, True]


def test_no_system_text_sends_none() -> None:
    asked = replace(REQUEST, system="")
    assert len(openai_chat.request(asked, compat())["messages"]) == 1
    assert "system" not in anthropic_messages.request(asked, make_profile("anthropic", "claude-opus-5"))
    assert "instructions" not in openai_responses.request(asked, make_profile("openai", "gpt-5.5"))


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
