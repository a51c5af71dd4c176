"""Rows 31 and 32: questions that are cut off without a word, and caches that do not work without a word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ledger import APIS, REQUEST, row

from harness.providers.profiles import Api, make_profile
from harness.providers.shortfall import estimate, shortfall
from harness.providers.types import Reply, Usage
from harness.providers.wires import WIRES

LONG = replace(REQUEST, system="word " * 14_000)
COUNTED = {"prompt_tokens": 4096, "input_tokens": 4096}


@pytest.mark.parametrize("api", APIS)
@row(31)
def test_a_server_that_counts_far_fewer_tokens_than_were_sent_is_told_of(api: Api) -> None:
    answer = {"choices": [{"message": {"content": "x"}}], "output": [], "content": [], "usage": COUNTED}
    told = shortfall(LONG, WIRES[api].parse(answer))
    assert f"counted 4096 tokens where about {estimate(LONG)} were sent" in told
    assert estimate(LONG) > 20_000


@pytest.mark.parametrize(
    "usage",
    [
        None,
        Usage(),
        Usage(uncached_input=14_000),
        Usage(uncached_input=100, cache_read=15_000),
        Usage(cache_write=14_000),
    ],
)
@row(31)
def test_a_healthy_count_and_none_at_all_raise_no_suspicion(usage: Usage | None) -> None:
    assert shortfall(LONG, Reply(usage=usage)) == ""


@row(31)
def test_short_questions_and_schemas_outside_of_the_prompt_raise_none() -> None:
    assert shortfall(REQUEST, Reply(usage=Usage(uncached_input=1))) == ""
    assert estimate(replace(REQUEST, output_mode="json_schema")) < estimate(REQUEST)


@row(32)
def test_what_was_read_from_a_cache_is_counted_apart_so_that_a_cache_that_never_hits_shows() -> None:
    chat = {"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 60}}
    responses = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 60}}
    messages = {"input_tokens": 40, "cache_read_input_tokens": 60}
    for api, usage in (("chat", chat), ("responses", responses), ("messages", messages)):
        answer = {"choices": [{"message": {"content": "x"}}], "output": [], "content": [], "usage": usage}
        assert WIRES[api].parse(answer).usage == Usage(uncached_input=40, cache_read=60)


@row(32)
def test_the_static_prefix_is_marked_for_the_official_servers_alone() -> None:
    openai = make_profile("openai", "gpt-5.5", "http://127.0.0.1:1/v1")
    assert WIRES["responses"].request(REQUEST, openai)["prompt_cache_key"]
    claude = make_profile("anthropic", "claude-opus-5", "http://127.0.0.1:1")
    assert WIRES["messages"].request(REQUEST, claude)["system"][0]["cache_control"] == {"type": "ephemeral"}
    for api in APIS:
        other = make_profile("compat", "m", "http://127.0.0.1:1/v1", api=api)
        assert "cache" not in str(WIRES[api].request(REQUEST, other))
