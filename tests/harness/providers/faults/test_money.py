"""Row 48: cached tokens are part of the input for some and beside it for others; they are counted once."""

from __future__ import annotations

from typing import Any

import pytest
from ledger import row

from harness.providers.types import Usage
from harness.providers.wires import WIRES

CHAT = {
    "prompt_tokens": 10_000, "completion_tokens": 50,
    "prompt_tokens_details": {"cached_tokens": 8_000, "cache_write_tokens": 1_000},
    "completion_tokens_details": {"reasoning_tokens": 20},
}  # fmt: skip
RESPONSES = {
    "input_tokens": 10_000, "output_tokens": 50,
    "input_tokens_details": {"cached_tokens": 8_000, "cache_write_tokens": 1_000},
    "output_tokens_details": {"reasoning_tokens": 20},
}  # fmt: skip
MESSAGES = {
    "input_tokens": 1_000, "output_tokens": 50, "cache_read_input_tokens": 8_000, "cache_creation_input_tokens": 1_000,
    "output_tokens_details": {"thinking_tokens": 20},
}  # fmt: skip


@row(48)
def test_the_same_use_is_the_same_use_whoever_counts_it() -> None:
    same = Usage(uncached_input=1_000, cache_read=8_000, cache_write=1_000, output=50, reasoning=20)
    answer = {"choices": [{"message": {"content": "x"}}], "output": [], "content": []}
    for api, usage in (("chat", CHAT), ("responses", RESPONSES), ("messages", MESSAGES)):
        assert WIRES[api].parse({**answer, "usage": usage}).usage == same


@row(48)
def test_reasoning_counted_beside_the_output_belongs_to_it() -> None:
    """The total tells the two ways apart: a usage of xAI, and the same as OpenAI reports it."""
    answer = {"choices": [{"message": {"content": "x"}}], "output": []}
    for api, asked, answered in (("chat", "prompt", "completion"), ("responses", "input", "output")):
        usage = {f"{asked}_tokens": 10_120, f"{answered}_tokens_details": {"reasoning_tokens": 2_809}}
        beside = usage | {f"{answered}_tokens": 1_499, "total_tokens": 14_428}
        within = usage | {f"{answered}_tokens": 4_308, "total_tokens": 14_428}
        untold = usage | {f"{answered}_tokens": 4_308}
        for one in (beside, within, untold):
            same = Usage(uncached_input=10_120, output=4_308, reasoning=2_809)
            assert WIRES[api].parse({**answer, "usage": one}).usage == same


@row(48)
def test_odd_counts_make_no_negative_ones() -> None:
    answer = {"choices": [{"message": {"content": "x"}}], "output": [], "content": []}
    odd = {"prompt_tokens": 5, "prompt_tokens_details": {"cached_tokens": 9}, "completion_tokens": 0}
    assert WIRES["chat"].parse({**answer, "usage": odd}).usage == Usage(cache_read=9)
    odd = {"input_tokens": 5, "input_tokens_details": None, "output_tokens_details": {"reasoning_tokens": -3}}
    for api in ("responses", "messages"):
        assert WIRES[api].parse({**answer, "usage": odd}).usage == Usage(uncached_input=5)


ANSWER = {"choices": [{"message": {"content": "x"}}], "output": [], "content": []}
NAMES = {
    "chat": ("prompt_tokens", "completion_tokens"),
    "responses": ("input_tokens", "output_tokens"),
    "messages": ("input_tokens", "output_tokens"),
}


@pytest.mark.parametrize("api", list(NAMES))
@pytest.mark.parametrize(
    "counts",
    [(None, None), (0, 0), ("3000", "20"), (True, False), (-5, -1), (10**30, 20), (3000, -1), (0.5, 20), (3000, [20])],
)
@row(48)
def test_a_usage_without_whole_numbers_of_tokens_is_none_and_not_a_free_call(api: Any, counts: tuple[Any, Any]) -> None:
    stated = dict(zip(NAMES[api], counts, strict=True))
    assert WIRES[api].parse({**ANSWER, "usage": stated}).usage is None


@pytest.mark.parametrize("api", list(NAMES))
@row(48)
def test_a_usage_without_counts_or_with_those_of_another_wire_is_none(api: Any) -> None:
    others = dict.fromkeys(NAMES["messages" if api == "chat" else "chat"], 3000)
    for stated in ({}, [1], "none", None, others):
        assert WIRES[api].parse({**ANSWER, "usage": stated}).usage is None


@pytest.mark.parametrize("api", list(NAMES))
@row(48)
def test_whole_numbers_written_with_a_point_count(api: Any) -> None:
    stated = dict(zip(NAMES[api], (3000.0, 20.0), strict=True))
    assert WIRES[api].parse({**ANSWER, "usage": stated}).usage == Usage(uncached_input=3000, output=20)
    one = {NAMES[api][1]: 20}
    assert WIRES[api].parse({**ANSWER, "usage": one}).usage == Usage(output=20)
