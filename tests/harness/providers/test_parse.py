"""What comes back: raw bodies of all wire formats, healthy and odd. The SDKs check none of this."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.providers import anthropic_messages, openai_chat, openai_responses
from harness.providers.types import ProviderError, RawCall, Reply, Usage


def chat(message: Any, finish: Any = "tool_calls", **more: Any) -> dict[str, Any]:
    return {"model": "m-1", "choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}


def calling(*calls: tuple[Any, Any]) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}
            for name, arguments in calls
        ],
    }


def messages(content: Any, stop: Any = "tool_use", **more: Any) -> dict[str, Any]:
    return {"type": "message", "model": "m-2", "content": content, "stop_reason": stop, **more}


def responses(*output: Any, status: Any = "completed", **more: Any) -> dict[str, Any]:
    return {"object": "response", "model": "m-3", "status": status, "error": None, "output": list(output), **more}


def said(*parts: Any) -> dict[str, Any]:
    return {"type": "message", "role": "assistant", "status": "completed", "content": list(parts)}


def words(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": []}


def function_call(name: Any, arguments: Any, **more: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": "c", "name": name, "arguments": arguments, **more}


def test_chat_call_with_usage() -> None:
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 30,
        "prompt_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
        "completion_tokens_details": {"reasoning_tokens": 20},
    }
    assert openai_chat.parse(chat(calling(("act", '{"entry":1}')), usage=usage)) == Reply(
        calls=(RawCall("act", '{"entry":1}'),),
        usage=Usage(uncached_input=30, cache_read=60, cache_write=10, output=30, reasoning=20),
        native_stop="tool_calls",
        model="m-1",
    )


def test_messages_call_with_usage() -> None:
    usage = {
        "input_tokens": 30,
        "cache_read_input_tokens": 60,
        "cache_creation_input_tokens": 10,
        "output_tokens": 30,
        "output_tokens_details": {"thinking_tokens": 20},
    }
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "I play."},
        {"type": "tool_use", "id": "t", "name": "act", "input": {"entry": 1}},
    ]
    assert anthropic_messages.parse(messages(content, usage=usage)) == Reply(
        calls=(RawCall("act", {"entry": 1}),),
        text="I play.",
        usage=Usage(uncached_input=30, cache_read=60, cache_write=10, output=30, reasoning=20),
        native_stop="tool_use",
        model="m-2",
    )


def test_responses_call_with_usage() -> None:
    usage = {
        "input_tokens": 100,
        "output_tokens": 30,
        "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
        "output_tokens_details": {"reasoning_tokens": 20},
    }
    output = [{"type": "reasoning", "summary": []}, said(words("I play.")), function_call("act", '{"entry":1}')]
    assert openai_responses.parse(responses(*output, usage=usage)) == Reply(
        calls=(RawCall("act", '{"entry":1}'),),
        text="I play.",
        usage=Usage(uncached_input=30, cache_read=60, cache_write=10, output=30, reasoning=20),
        native_stop="completed",
        model="m-3",
    )


@pytest.mark.parametrize(
    ("status", "reason", "item", "stop"),
    [
        ("completed", None, "completed", "end"),
        (None, None, None, "end"),
        ("incomplete", "max_output_tokens", "completed", "length"),
        ("incomplete", None, "completed", "length"),
        ("incomplete", "something_new", "completed", "length"),
        ("completed", "max_output_tokens", "completed", "length"),
        ("completed", None, "incomplete", "length"),
        ("incomplete", "content_filter", "completed", "refusal"),
        ("incomplete", "SAFETY", "completed", "refusal"),
        ("incomplete", "malformed_function_call", "completed", "bad_call"),
    ],
)
def test_responses_stops(status: Any, reason: Any, item: Any, stop: str) -> None:
    details = {"reason": reason} if reason else None
    body = responses(function_call("act", "{}", status=item), status=status, incomplete_details=details)
    reply = openai_responses.parse(body)
    assert (reply.stop, reply.native_stop) == (stop, reason or status)


def test_shapes_of_responses() -> None:
    refused = openai_responses.parse(responses(said({"type": "refusal", "refusal": "I cannot."}, words("x"))))
    assert (refused.stop, refused.text) == ("refusal", "I cannot.")
    parts = openai_responses.parse(responses(said(words("a"), None, "b"), said(words("c")), "d", {"type": "new"}))
    assert (parts.text, parts.calls) == ("ac", ())
    assert openai_responses.parse(responses({"type": "message", "content": "plain"})).text == "plain"
    custom = {"type": "custom_tool_call", "name": "act", "input": "x"}
    assert openai_responses.parse(responses(custom)).calls == (RawCall("act", "x"),)
    assert openai_responses.parse(responses(function_call(None, {"entry": 1}))).calls == (RawCall("", {"entry": 1}),)
    assert openai_responses.parse(responses()) == Reply(native_stop="completed", model="m-3")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({}, "bad_gateway"),
        ("<html>busy</html>", "bad_gateway"),
        (responses(status="failed"), "bad_gateway"),
        (responses(status="queued"), "bad_gateway"),
        ({"status": "completed", "output": None}, "bad_gateway"),
        ({"status": "failed", "error": {"code": "server_error", "message": "oops"}, "output": []}, "server_error"),
        ({"status": "failed", "error": {"code": "insufficient_quota", "message": "pay"}, "output": []}, "quota"),
    ],
)
def test_responses_bodies_that_are_no_answer(body: Any, kind: str) -> None:
    with pytest.raises(ProviderError) as caught:
        openai_responses.parse(body)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("stop", "end"),
        (None, "end"),
        ("length", "length"),
        ("content_filter", "refusal"),
        ("MALFORMED_FUNCTION_CALL", "bad_call"),
        ("refusal", "refusal"),
        ("max_output_tokens", "length"),
        ("end_turn", "end"),
        ("something_new", "other"),
        (17, "other"),
    ],
)
def test_chat_stops(finish: Any, stop: str) -> None:
    assert openai_chat.parse(chat({"content": "x"}, finish)).stop == stop


@pytest.mark.parametrize(
    ("native", "stop"),
    [
        ("end_turn", "end"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("content_filter", "refusal"),
        ("MAX_TOKENS", "length"),
        ("length", "length"),
        ("stop", "end"),
        ("malformed_function_call", "bad_call"),
        ("pause_turn", "other"),
        (None, "end"),
    ],
)
def test_messages_stops(native: Any, stop: str) -> None:
    assert anthropic_messages.parse(messages([], native)).stop == stop


def test_a_refusal_text_is_a_refusal() -> None:
    reply = openai_chat.parse(chat({"content": None, "refusal": "I cannot."}, "stop"))
    assert (reply.stop, reply.text) == ("refusal", "I cannot.")


def test_shapes_that_some_servers_use() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "image"}, "b", {"type": "text", "text": "c"}]
    assert openai_chat.parse(chat({"content": parts}, "stop")).text == "ac"
    legacy = {"content": None, "function_call": {"name": "act", "arguments": "{}"}}
    assert openai_chat.parse(chat(legacy)).calls == (RawCall("act", "{}"),)
    custom = {"tool_calls": [{"type": "custom", "custom": {"name": "act", "input": "x"}}]}
    assert openai_chat.parse(chat(custom)).calls == (RawCall("act", "x"),)
    assert openai_chat.parse(chat(calling(("act", {"entry": 1})))).calls == (RawCall("act", {"entry": 1}),)
    assert openai_chat.parse(chat(calling((None, None)))).calls == (RawCall("", None),)
    assert openai_chat.parse(chat({"content": "x", "tool_calls": []}, "tool_calls")).calls == ()


@pytest.mark.parametrize(
    ("body", "kind", "retryable"),
    [
        ({}, "bad_gateway", True),
        (None, "bad_gateway", True),
        ("<html>busy</html>", "bad_gateway", True),
        ([1], "bad_gateway", True),
        ({"choices": []}, "bad_gateway", True),
        ({"choices": None}, "bad_gateway", True),
        ({"choices": [None]}, "bad_gateway", True),
        ({"choices": [{"message": None, "finish_reason": None}]}, "bad_gateway", True),
        ({"choices": [{"message": {"content": ""}, "finish_reason": "error"}]}, "bad_gateway", True),
        ({"error": "no upstream"}, "bad_gateway", True),
        ({"error": {"message": "slow down", "code": 429}}, "rate_limit", True),
        ({"error": {"message": "Provider returned error", "code": 502}}, "server_error", True),
        ({"error": {"message": "pay", "code": "insufficient_quota", "type": "x"}}, "quota", False),
        ({"error": {"message": "no credit", "code": 402}}, "quota", False),
        ({"error": {"message": "slow down", "code": "429"}}, "rate_limit", True),
        ({"error": {"message": "Overloaded", "code": "x", "type": "overloaded_error"}}, "overloaded", True),
        ({"error": {"message": "pay", "code": "429", "type": "insufficient_quota"}}, "quota", False),
        ({"error": {"message": "bad", "code": "x", "type": "invalid_request_error"}}, "bad_request", False),
        ({"error": {"message": "x", "code": True, "type": "x"}}, "bad_gateway", True),
        ({"error": {"message": "x", "code": 200}}, "bad_gateway", True),
        ({"error": {"message": "x", "code": "3210"}}, "bad_gateway", True),
    ],
)
def test_chat_bodies_that_are_no_answer(body: Any, kind: str, retryable: bool) -> None:
    with pytest.raises(ProviderError) as caught:
        openai_chat.parse(body)
    assert (caught.value.kind, caught.value.retryable) == (kind, retryable)


def test_the_real_reason_behind_a_gateway_is_shown() -> None:
    error = {"message": "Provider returned error", "code": 502, "metadata": {"raw": "upstream melted"}}
    with pytest.raises(ProviderError, match="upstream melted"):
        openai_chat.parse({"error": error})


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({}, "bad_gateway"),
        ("", "bad_gateway"),
        ({"content": None, "stop_reason": None}, "bad_gateway"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "overloaded"),
        ({"type": "error", "error": {"type": "rate_limit_error", "message": "slow"}}, "rate_limit"),
        ({"type": "error", "error": {"type": "api_error", "message": "oops"}}, "server_error"),
    ],
)
def test_messages_bodies_that_are_no_answer(body: Any, kind: str) -> None:
    with pytest.raises(ProviderError) as caught:
        anthropic_messages.parse(body)
    assert caught.value.kind == kind
    assert caught.value.retryable


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["choices", "message", "content", "tool_calls", "function", "arguments", "name", "error", "usage", "finish_reason",
     "stop_reason", "type", "text", "input", "prompt_tokens", "refusal", "model", "code", "details", "metadata",
     "output", "status", "incomplete_details", "reason", "input_tokens_details"]
)  # fmt: skip
BODIES = st.recursive(JSON, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=4))


@given(BODIES)
def test_no_body_breaks_the_parsers(body: Any) -> None:
    for parse in (openai_responses.parse, openai_chat.parse, anthropic_messages.parse):
        try:
            assert isinstance(parse(body), Reply)
        except ProviderError:
            continue
