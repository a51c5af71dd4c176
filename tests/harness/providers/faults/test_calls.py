"""Rows 13 to 23: unknown tools, several calls, calls that do not come, refusals, answers that are cut off."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from ledger import ACT, APIS, REQUEST, body, called, case, failed, profile_of, read, row
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Reply as Scripted
from turns import turn_of

from engine import Game
from harness.agents.spec import create_agent, parse_spec
from harness.providers.client import Endpoint
from harness.providers.normalise import normalise
from harness.providers.profiles import Api, make_profile
from harness.providers.types import ProviderError
from harness.providers.wires import WIRES


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    "name",
    [
        case(13, "buy_card", about="a tool that was made up"),
        case(14, "multi_tool_use.parallel", about="a wrapper of several"),
        case(15, "", about="no name, no text"),
    ],
)
def test_an_unknown_tool_is_named_as_such_and_those_there_are_are_listed(api: Api, name: str) -> None:
    found = failed(read(api, body(api, (name, {"tool_uses": []}))), "format", "unknown_action")
    assert "act, market, choose, skip" in found.detail
    assert found.stated == {"tool": name, "arguments": {"tool_uses": []}}


@pytest.mark.parametrize("api", APIS)
@row(16)
def test_of_several_calls_none_is_chosen_unless_they_are_the_same(api: Api) -> None:
    called(read(api, body(api, ("act", '{"entry": 3}'), ("act", {"entry": 3}))), "act", {"entry": 3})
    found = failed(read(api, body(api, ("act", {"entry": 3}), ("skip", {}))), "format", "malformed_arguments")
    assert "2 different calls" in found.detail


@pytest.mark.parametrize("api", APIS)
@row(17)
def test_what_was_forced_is_looked_for_and_what_was_not_offered_is_read(api: Api) -> None:
    failed(read(api, body(api, text="I would buy the charm.")), "text_only")
    called(read(api, body(api, ("act", {"entry": 3})), mode="json_schema"), "act", {"entry": 3})


@pytest.mark.parametrize(
    ("calls", "text", "kind"), [([], "I buy.", "text_only"), ([], "", "empty"), (None, None, "empty")]
)
@row(18)
def test_the_content_decides_and_not_the_word_behind_it(calls: Any, text: Any, kind: str) -> None:
    message = {"content": text, "tool_calls": calls}
    failed(read("chat", {"choices": [{"message": message, "finish_reason": "tool_calls"}]}), kind)


@row(18)
def test_nor_the_stop_reason_of_the_others() -> None:
    failed(read("messages", body("messages", text="I buy.", stop="tool_use")), "text_only")
    called(read("messages", body("messages", ("act", {"entry": 3}), stop="end_turn")), "act", {"entry": 3})
    failed(read("responses", body("responses")), "empty")


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("raw", ["I like turtles.", '{"text": "I like turtles."}', '"I like turtles."'])
@row(19)
def test_a_forced_call_filled_with_something_else_is_no_call(api: Api, raw: str) -> None:
    failed(read(api, body(api, ("act", raw)), (ACT,)), "format", "malformed_arguments")


@pytest.mark.parametrize("api", APIS)
@row(20)
def test_where_no_tool_is_wanted_none_is_sent_nor_forbidden(api: Api) -> None:
    for mode in ("json_schema", "json_object", "text"):
        asked = type(REQUEST)(**{**vars(REQUEST), "output_mode": mode})
        sent = WIRES[api].request(asked, profile_of(api, forced_tool=True, parallel_flag=True))
        assert not {"tools", "tool_choice", "parallel_tool_calls"} & set(sent)


@pytest.mark.parametrize("api", APIS)
@row(21)
def test_an_end_without_content_is_empty_and_keeps_the_servers_word(api: Api) -> None:
    reply = WIRES[api].parse(body(api, text=""))
    assert reply.native_stop == {"chat": "stop", "responses": "completed", "messages": "end_turn"}[api]
    found = failed(normalise(reply, REQUEST.tools), "empty")
    assert str(reply.native_stop) in found.detail


@pytest.mark.parametrize("answer", [{"choices": []}, {"choices": None}, {}])
@row(21)
def test_an_answer_without_a_choice_is_the_servers_fault_and_asked_for_again(answer: Any) -> None:
    with pytest.raises(ProviderError) as caught:
        WIRES["chat"].parse(answer)
    assert (caught.value.kind, caught.value.retryable) == ("bad_gateway", True)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("word", ["content_filter", "refusal", "safety", "SAFETY"])
@row(22)
def test_a_refusal_without_a_word_is_a_refusal(api: Api, word: str) -> None:
    failed(read(api, body(api, stop=word)), "refusal")
    failed(read(api, body(api, ("act", {"entry": 3}), stop=word)), "refusal")


@pytest.mark.parametrize("name", ["anthropic", "compat"])
@row(22)
async def test_a_refusal_is_not_asked_for_again(llmock: LLMock, name: str) -> None:
    llmock.add(Scripted(text="I", finish_reason="content_filter"))
    profile = make_profile(name, "m", llmock.base_url("anthropic" if name == "anthropic" else "openai"))
    endpoint = Endpoint(profile)
    exchange = await endpoint.send(REQUEST, profile)
    await endpoint.close()
    assert exchange.reply is not None
    assert (exchange.reply.stop, exchange.sent) == ("refusal", 1)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    "word", ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "model_length", "model_context_window_exceeded"]
)
@row(23)
def test_a_call_in_a_cut_off_answer_is_void_however_whole_it_looks(api: Api, word: str) -> None:
    for calls in ((("act", {"entry": 1}),), (("act", '{"entry": 1}'),), (("act", '{"ent'),), ()):
        failed(read(api, body(api, *calls, stop=word)), "truncated")


@row(23)
def test_nor_is_one_whose_own_item_is_incomplete() -> None:
    item = {"type": "function_call", "name": "act", "arguments": '{"entry": 1}', "status": "incomplete"}
    failed(read("responses", {"status": "completed", "output": [item]}), "truncated")


@pytest.mark.parametrize("api", APIS)
@row(23)
def test_after_it_the_next_attempt_at_the_decision_may_be_twice_as_long_once(llmock: LLMock, api: Api) -> None:
    address = llmock.base_url("anthropic" if api == "messages" else "openai")
    spec = parse_spec(f"compat:m@{address}?api={api}&max_output_tokens=300&rulebook=none")
    game = Game.new(players=2, sets=("macaws", "pandas", "raccoons"), seed=3)

    async def ask(*earlier: Any) -> int:
        agent = create_agent(spec)
        await agent.choose(turn_of(game, attempt=len(earlier), earlier=earlier))
        await agent.close()
        return int(llmock.last_request.body["max_output_tokens" if api == "responses" else "max_tokens"])

    caps = [asyncio.run(ask(*earlier)) for earlier in ((), ("rule",), ("truncated",), ("truncated", "truncated"))]
    assert caps == [300, 300, 600, 600]
