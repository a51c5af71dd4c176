"""Rows 24 to 30: what has to be sent back of earlier turns. Nothing is: every attempt is one fresh question.

So there is no thinking to keep intact, no signature, no id and no result to pair; a rejected answer is quoted as text.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from ledger import APIS, REQUEST, case, profile_of, row
from llmock.pytest_plugin import LLMock
from turns import turn_of

from engine import Game
from harness.agents.base import Feedback
from harness.agents.spec import create_agent, parse_spec
from harness.providers.profiles import Api
from harness.providers.types import RawCall
from harness.providers.wires import WIRES

SPECS = {"chat": "compat:m@{openai}", "responses": "openai:gpt-5.5", "messages": "anthropic:claude-haiku-5-5"}
BROKEN = {"tool": "market", "arguments": '{"source": "slot_0", "pay'}


def second_request(llmock: LLMock, api: Api) -> dict[str, Any]:
    """What is sent after an answer with broken arguments was refused."""
    told = Feedback(BROKEN, "format", "malformed_arguments", (), "It could not be read.")
    turn = turn_of(Game.new(players=2, sets=("macaws", "pandas", "raccoons"), seed=3), attempt=1, feedback=(told,))
    spec = SPECS[api].format(openai=llmock.base_url("openai"))

    async def ask() -> None:
        agent = create_agent(parse_spec(f"{spec}?rulebook=none"))
        await agent.choose(turn)
        await agent.close()

    asyncio.run(ask())
    return dict(llmock.last_request.body)


def keys(value: Any) -> set[str]:
    """Every key of a body but those inside the tools, which are ours."""
    if isinstance(value, dict):
        return set(value).union(*(keys(part) for name, part in value.items() if name != "tools"))
    return set().union(*(keys(part) for part in value)) if isinstance(value, list) else set()


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    "never",
    [
        case(4, {"tool_calls", "function_call", "tool_use"}, about="broken arguments as a native call"),
        case(24, {"thinking", "signature", "encrypted_content"}, about="thinking"),
        case(25, {"reasoning_content", "reasoning_details"}, about="reasoning"),
        case(26, {"extra_content", "thought_signature"}, about="signatures of thoughts"),
        case(27, {"id", "call_id", "tool_call_id", "tool_use_id"}, about="ids, which could be there twice"),
        case(28, {"id", "call_id", "tool_call_id"}, about="ids, which could have the wrong form"),
        case(29, {"tool_result", "function_call_output", "tool_call_id"}, about="results, which could be missing"),
    ],
)
def test_a_second_attempt_sends_nothing_back(llmock: LLMock, api: Api, never: set[str]) -> None:
    sent = second_request(llmock, api)
    assert not never & keys(sent)
    asked = sent["input" if api == "responses" else "messages"]
    assert [message["role"] for message in asked if message["role"] != "system"] == ["user"]
    kinds = {part.get("type") for message in asked for part in [message]}
    assert kinds == {None}
    assert json.dumps(BROKEN["arguments"])[1:-1] in asked[-1]["content"]


@row(25)
def test_reasoning_beside_the_answer_is_passed_over() -> None:
    message = {
        "content": "",
        "reasoning_content": "Hm.",
        "tool_calls": [{"function": {"name": "act", "arguments": "{}"}}],
    }
    reply = WIRES["chat"].parse({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    assert (reply.calls, reply.text) == ((RawCall("act", "{}"),), "")


@row(26)
def test_what_hangs_on_a_call_is_passed_over() -> None:
    call = {
        "id": "x",
        "function": {"name": "act", "arguments": "{}"},
        "extra_content": {"google": {"thought_signature": "s"}},
    }
    reply = WIRES["chat"].parse({"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "stop"}]})
    assert reply.calls == (RawCall("act", "{}"),)


@row(27)
def test_two_calls_with_one_id_are_two_calls() -> None:
    calls = [{"id": "same", "function": {"name": name, "arguments": "{}"}} for name in ("act", "skip")]
    reply = WIRES["chat"].parse({"choices": [{"message": {"tool_calls": calls}, "finish_reason": "tool_calls"}]})
    assert [call.name for call in reply.calls] == ["act", "skip"]


@row(30)
def test_there_is_one_system_text_and_it_comes_first() -> None:
    chat = WIRES["chat"].request(REQUEST, profile_of("chat"))["messages"]
    assert [message["role"] for message in chat] == ["system", "user"]
    responses = WIRES["responses"].request(REQUEST, profile_of("responses"))
    assert (responses["instructions"], [one["role"] for one in responses["input"]]) == ("The rules.", ["user"])
    messages = WIRES["messages"].request(REQUEST, profile_of("messages"))
    assert (messages["system"], [one["role"] for one in messages["messages"]]) == ("The rules.", ["user"])


@row(30)
def test_a_server_that_knows_no_system_text_gets_it_with_the_question() -> None:
    merged = [{"role": "user", "content": "The rules.\n\nYour move."}]
    assert WIRES["chat"].request(REQUEST, profile_of("chat", system="merge_into_user"))["messages"] == merged
    body = WIRES["responses"].request(REQUEST, profile_of("responses", system="merge_into_user"))
    assert (body["input"], "instructions" in body) == (merged, False)
