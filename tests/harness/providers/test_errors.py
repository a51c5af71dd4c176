"""Which trouble is worth another try, how long to wait, and what to leave out."""

from __future__ import annotations

import math
from typing import Any

import pytest

from harness.providers.degrade import degraded, difference
from harness.providers.errors import error_of, is_ramp_limit, parse_retry_after, short
from harness.providers.profiles import Profile, make_profile
from harness.providers.types import ProviderError

GEMINI = {
    "error": {
        "code": 429,
        "message": "You exceeded your current quota, please check your plan and billing details. "
        + "* Quota exceeded for metric: requests per minute\n" * 20
        + "Please retry in 17.30897372s.",
        "status": "RESOURCE_EXHAUSTED",
    }
}


@pytest.mark.parametrize(
    ("status", "body", "headers", "api", "kind", "retryable"),
    [
        (400, {"error": {"message": "bad"}}, {}, "chat", "bad_request", False),
        (400, {"error": {"message": "x", "code": "context_length_exceeded"}}, {}, "chat", "context", False),
        (400, {"error": {"type": "exceed_context_size_error", "message": "request exceeds the available context size"}},
         {}, "chat", "context", False),
        (400, {"error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8"}}, {}, "messages",
         "context", False),
        (400, {"error": {"message": "Your credit balance is too low"}}, {}, "messages", "quota", False),
        (401, {"error": {"message": "no"}}, {}, "chat", "authentication", False),
        (402, {}, {}, "chat", "quota", False),
        (403, "forbidden", {}, "chat", "authentication", False),
        (404, {"error": {"message": "no such model"}}, {}, "chat", "not_found", False),
        (408, None, {}, "chat", "timeout", True),
        (409, None, {}, "chat", "server_error", True),
        (413, None, {}, "messages", "context", False),
        (422, {"detail": "extra fields"}, {}, "chat", "bad_request", False),
        (429, {"error": {"message": "slow"}}, {}, "chat", "rate_limit", True),
        (429, {"error": {"message": "slow"}}, {"retry-after": "1"}, "messages", "rate_limit", True),
        (429, {"error": {"message": "spent"}}, {}, "messages", "quota", False),
        (429, {"error": {"details": {"error_code": "ramp_limit_exceeded"}}}, {}, "messages", "rate_limit", True),
        (429, {"error": {"code": "insufficient_quota"}}, {"retry-after": "1"}, "chat", "quota", False),
        (429, {"error": {"details": {"error_code": "enforced_spend_limit_reached"}}}, {"retry-after": "1"}, "messages",
         "quota", False),
        (429, {"error": {"code": "insufficient_quota"}}, {"x-should-retry": "true"}, "chat", "quota", False),
        (429, {"error": {"code": "429", "type": "insufficient_quota"}}, {"retry-after": "1"}, "chat", "quota", False),
        (429, {"error": {"code": "billing_hard_limit_reached", "type": "insufficient_quota"}}, {"retry-after": "1"},
         "chat", "quota", False),
        (429, {"error": {"code": "x", "type": "billing_error"}}, {"retry-after": "1"}, "messages", "quota", False),
        (429, {"error": {"code": "rate_limit_exceeded", "type": "tokens"}}, {"retry-after": "1"}, "chat", "rate_limit",
         True),
        (400, {"error": {"code": "x", "type": "exceed_context_size_error"}}, {}, "chat", "context", False),
        (429, {"error": {"message": "You exceeded your current quota, check your plan and billing details."}}, {},
         "chat", "quota", False),
        (429, GEMINI, {}, "chat", "rate_limit", True),
        (429, [GEMINI], {}, "chat", "rate_limit", True),
        (500, None, {}, "chat", "server_error", True),
        (500, None, {"x-should-retry": "false"}, "chat", "server_error", False),
        (503, None, {}, "chat", "overloaded", True),
        (529, {"error": {"type": "overloaded_error"}}, {}, "messages", "overloaded", True),
        (418, None, {}, "chat", "bad_request", False),
        (451, None, {"x-should-retry": "true"}, "chat", "bad_request", True),
    ],
)  # fmt: skip
def test_kinds(status: int, body: Any, headers: dict[str, str], api: str, kind: str, retryable: bool) -> None:
    error = error_of(status, body, headers, api)
    assert (error.kind, error.retryable, error.status) == (kind, retryable, status)


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ({"code": "insufficient_quota", "type": "x"}, "insufficient_quota"),
        ({"code": "429", "type": "insufficient_quota"}, "insufficient_quota"),
        ({"code": 429, "type": "tokens"}, "tokens"),
        ({"code": "3210", "type": "x"}, "3210"),
        ({"code": "x", "details": {"error_code": "ramp_limit_exceeded"}}, "ramp_limit_exceeded"),
        ({"code": "429", "type": "ramp_limit_exceeded"}, "ramp_limit_exceeded"),
        ({"code": "", "type": None}, None),
    ],
)
def test_the_code_is_the_first_word_that_is_no_status(told: dict[str, Any], code: str | None) -> None:
    error = error_of(429, {"error": told}, {"retry-after": "1"}, "chat")
    assert error.code == code
    assert is_ramp_limit(error) == (code == "ramp_limit_exceeded")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0.0),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    assert parse_retry_after(headers, now=10.0) == seconds


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        (GEMINI["error"]["message"], 17.30897372),
        ("Rate limit reached for gpt-5.5: Limit 60, Used 60. Please try again in 20ms.", 0.02),
        ("Please try again in 6m0s. Need more?", 360.0),
        ("Please try again in 1m2.5s.", 62.5),
        (f"Please try again in {'9' * 400}m1s.", math.inf),
        (f"Please try again in {'9' * 5000}m1s.", math.inf),
        (f"Please try again in {'9' * 5000}ms.", math.inf),
        ("Please try again in 2h.", None),
        ("Please try again in a moment", None),
    ],
)
def test_a_time_in_the_text_counts_where_no_header_names_one(message: str, seconds: float | None) -> None:
    body = {"error": {"message": message}}
    assert error_of(429, body, {}, "chat").retry_after == seconds
    assert error_of(429, body, {"retry-after": "3"}, "chat").retry_after == 3
    assert error_of(500, body, {}, "chat").retry_after is None


def test_texts_of_servers_become_one_short_line() -> None:
    assert short("a\n\x1b[31mb\t c") == "a [31mb c"
    assert len(short("x" * 10_000)) == 400


def refused(message: str, status: int = 400, code: str | None = None) -> ProviderError:
    return error_of(status, {"error": {"message": message, "code": code}}, {}, "chat")


OPENAI = make_profile("openai", "gpt", "http://127.0.0.1:1", api="chat")
GPT = make_profile("openai", "gpt", "http://127.0.0.1:1", reasoning_effort="high", strict=True)
CLAUDE = make_profile("anthropic", "claude-opus-5", "http://127.0.0.1:1")
COMPAT = make_profile("compat", "m", "http://127.0.0.1:1", seed=True, strict=True)
NAMED = make_profile("compat", "m", "http://127.0.0.1:1", named_tool=True)


@pytest.mark.parametrize(
    ("profile", "message", "wanted"),
    [
        (CLAUDE, 'tool_choice: type "tool" and "any" are not supported for this model', "forced_tool=False"),
        (CLAUDE, 'type "tool" and "any" are not supported for this model', "forced_tool=False"),
        (OPENAI, "Unsupported parameter: 'parallel_tool_calls'", "parallel_flag=False"),
        (OPENAI, "Unsupported parameter: 'reasoning_effort' is not supported.", "reasoning_effort=None"),
        (OPENAI, "'reasoning_effort' does not support 'none' with this model. Supported values are: 'minimal', 'low'.",
         "reasoning_effort=None"),
        (OPENAI, "Unrecognized request argument supplied: max_completion_tokens", "cap_param=max_tokens"),
        (OPENAI, "messages[0].role: unknown variant `developer`", "system=system"),
        (COMPAT, "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
         "cap_param=max_completion_tokens"),
        (COMPAT, "compiled grammar is too large", "strict=False"),
        (COMPAT, "Unsupported parameter: 'seed'", "seed=False"),
        (COMPAT, "Function tools with reasoning are not supported; set reasoning_effort to 'none'",
         "reasoning_effort=none"),
        (GPT, "Unsupported parameter: 'reasoning.effort' is not supported with this model.", "reasoning_effort=None"),
        (GPT, "Invalid value: 'required'. Supported values are: 'auto'. (tool_choice)", "forced_tool=False"),
        (GPT, "Invalid schema for response_format 'answer': 'pattern' is not permitted", "strict=False"),
        (GPT, "Invalid parameter: 'text.format.schema' is too complex", "strict=False"),
        (GPT, "Unknown parameter: 'prompt_cache_key'.", "prompt_cache=none"),
        (GPT, "Unknown parameter: 'store'.", "store_flag=False"),
        (CLAUDE, "system.0.cache_control: Extra inputs are not permitted", "prompt_cache=none"),
        (NAMED, "tool_choice: only 'auto' is supported", "named_tool=False"),
    ],
)  # fmt: skip
def test_what_a_server_refuses_is_left_out(profile: Profile, message: str, wanted: str) -> None:
    less = degraded(profile, refused(message))
    assert less is not None
    assert difference(profile, less) == wanted


@pytest.mark.parametrize(
    "message",
    [
        "bad request", "temperature must be 1", "your seeds are bad", "", "restore", "in storage",
        "max_completion_tokens is too large: 16384. This model supports at most 4096 completion tokens.",
        "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 8 instead.",
        "Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.",
    ],
)  # fmt: skip
def test_other_refusals_change_nothing(message: str) -> None:
    for profile in (OPENAI, CLAUDE, COMPAT, GPT):
        assert degraded(profile, refused(message)) is None


def test_only_a_refused_request_is_looked_at() -> None:
    assert degraded(OPENAI, refused("parallel_tool_calls", status=500)) is None
    assert degraded(OPENAI, refused("parallel_tool_calls", code="context_length_exceeded")) is None


@pytest.mark.parametrize("profile", [OPENAI, CLAUDE, COMPAT, GPT, NAMED])
def test_leaving_out_comes_to_an_end(profile: Profile) -> None:
    told = "tool_choice parallel_tool_calls strict seed developer max_completion_tokens instead reasoning_effort 'none'"
    told += " store prompt_cache_key cache_control"
    asked: list[Profile] = []
    current: Profile | None = profile
    while current is not None and current not in asked:  # the client asks in no circle either
        asked.append(current)
        current = degraded(current, refused(told))
    assert len(asked) < 12
