"""Rows 1 to 12: arguments that are cut off, empty, encoded twice, of the wrong type, or hold what JSON cannot."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from ledger import APIS, REQUEST, body, called, case, failed, profile_of, read, row
from llmock.pytest_plugin import LLMock
from virtual import Server, run

from harness.providers.client import Endpoint
from harness.providers.errors import error_of
from harness.providers.normalise import Call, Failure, normalise
from harness.providers.outcomes import Heard, answer_of
from harness.providers.profiles import Api, make_profile
from harness.providers.types import Exchange, OutputMode, ProviderError, RawCall, Request, ToolSpec
from harness.providers.wires import WIRES

CUT = '{"source": "slot_0", "payment": ["ju'


@pytest.mark.parametrize("api", APIS)
@row(1)
def test_cut_off_arguments_are_invalid_and_kept_as_they_came(api: Api) -> None:
    found = failed(read(api, body(api, ("market", CUT))), "format", "malformed_arguments")
    assert found.stated == {"tool": "market", "arguments": CUT}
    failed(read(api, body(api, ("skip", '{"wh'))), "format", "malformed_arguments")


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("raw", ["", None, " "])
@row(2)
def test_no_arguments_mean_none_only_where_none_are_required(api: Api, raw: Any) -> None:
    called(read(api, body(api, ("skip", raw))), "skip", {})
    failed(read(api, body(api, ("act", raw))), "format", "malformed_arguments")


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("raw", ["", "{", "null", "[]", '{"entry": }', "\x00", "}{", 7, [], True])
@row(3)
def test_arguments_that_are_no_json_are_data_and_end_nothing(api: Api, raw: Any) -> None:
    found = failed(read(api, body(api, ("act", raw))), "format", "malformed_arguments")
    assert found.detail
    json.dumps(found.stated, allow_nan=False)


REPAIRED = [
    case(5, "act", r'{\n "entry": 3\n}', {"entry": 3}, ("escaped_blanks",), about="backslash n between tokens"),
    case(6, "market", '{"source": "slot_0", "payment": ["a\nb"]}', {"source": "slot_0", "payment": ["a\nb"]},
         ("control_characters",), about="a raw line break inside a string"),
    case(7, "act", json.dumps('{"entry": 3}'), {"entry": 3}, ("double_encoded",), about="encoded twice as a whole"),
    case(7, "choose", '{"choices": "{\\"value\\": 3}"}', {"choices": {"value": 3}}, ("double_encoded",),
         about="encoded twice inside"),
    case(9, "act", '{"entry": "3"}', {"entry": 3}, ("number_as_string",), about="an integer as a string"),
    case(11, "market", '{"source": " SLOT_0 ", "payment": []}', {"source": "slot_0", "payment": []}, ("case",),
         about="an enum in another case"),
]  # fmt: skip


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(("name", "raw", "arguments", "repairs"), REPAIRED)
def test_what_can_only_mean_one_thing_is_put_right_and_tagged(
    api: Api, name: str, raw: str, arguments: Any, repairs: tuple[str, ...]
) -> None:
    called(read(api, body(api, (name, raw))), name, arguments, *repairs)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("mode", ["json_schema", "json_object", "text"])
@row(7)
def test_an_object_that_holds_its_arguments_as_a_text_is_encoded_twice(api: Api, mode: OutputMode) -> None:
    """A tool call carries its arguments as a text; an answer that is itself an object has no reason to."""
    for arguments, repairs in (({"entry": 3}, ()), ('{"entry": 3}', ("double_encoded",))):
        text = json.dumps({"tool": "act", "arguments": arguments})
        called(read(api, body(api, text=text), mode=mode), "act", {"entry": 3}, *repairs)
    called(read(api, body(api, text='{"tool": "skip", "arguments": ""}'), mode=mode), "skip", {})


@pytest.mark.parametrize("api", APIS)
@row(8)
def test_what_was_put_right_is_told_from_what_was_right(api: Api) -> None:
    """The strict score counts every tagged answer as a failure of form; what the model wrote stays on record."""
    found = read(api, body(api, ("act", '{"entry": "3"}')))
    assert isinstance(found, Call)
    assert (found.repairs, found.stated["arguments"]) == (("number_as_string",), {"entry": "3"})
    clean = read(api, body(api, ("act", '{"entry": 3}')))
    assert isinstance(clean, Call)
    assert clean.repairs == ()


@pytest.mark.parametrize("raw", ['{"entry": "3.5"}', '{"entry": "three"}', '{"entry": "3 4"}', '{"entry": "0x3"}'])
@row(9)
def test_a_string_that_is_no_one_integer_is_not_made_one(raw: str) -> None:
    failed(read("chat", body("chat", ("act", raw))), "format", "malformed_arguments")


WROTE = '<act>{"entry"'
REJECTED = [
    case(10, {"code": "tool_use_failed", "failed_generation": WROTE}, about="a call"),
    case(10, {"code": "json_validate_failed", "failed_generation": WROTE}, about="a JSON object"),
    case(10, {"code": "400", "type": "tool_use_failed", "failed_generation": WROTE}, about="the word in the type"),
    case(10, {"code": "invalid_output", "failed_generation": WROTE}, about="another word beside the text"),
]


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("error", REJECTED)
def test_what_the_server_itself_cannot_read_is_the_models_error(api: Api, error: dict[str, str]) -> None:
    server = Server(lambda server, request: httpx2.Response(400, json={"error": {"message": "Failed", **error}}))
    profile = profile_of(api)

    async def ask() -> Exchange:
        endpoint = Endpoint(profile, server.wrap)
        try:
            return await endpoint.send(REQUEST, profile)
        finally:
            await endpoint.close()

    exchange, seconds = run(ask())
    assert (exchange.error, exchange.sent, exchange.faults, seconds) == (None, 1, (), 0)
    assert exchange.reply is not None
    assert WROTE in failed(normalise(exchange.reply, REQUEST.tools), "format", "malformed_arguments").detail
    assert exchange.answer is not None
    assert WIRES[api].parse(json.loads(exchange.answer)) == exchange.reply


@pytest.mark.parametrize("api", APIS)
@row(10)
def test_a_refusal_that_quotes_nothing_and_a_servers_own_failure_are_not(api: Api) -> None:
    quoting_nothing = {"error": {"code": "bad", "message": "Failed", "failed_generation": ""}}
    own = {"error": {"code": "overloaded", "message": "Failed", "failed_generation": WROTE}}
    for status, told, kind in ((400, quoting_nothing, "bad_request"), (503, own, "overloaded")):
        answer = answer_of(Heard(status, {}, json.dumps(told).encode()), api, "here", 1.0)
        assert isinstance(answer, ProviderError)
        assert answer.kind == kind


@row(10)
async def test_it_comes_with_status_400_and_is_neither_retried_nor_an_error(llmock: LLMock) -> None:
    llmock.fail(400, code="tool_use_failed", message="Failed to call")
    profile = make_profile("compat", "m", llmock.base_url("openai"))
    endpoint = Endpoint(profile)
    exchange = await endpoint.send(REQUEST, profile)
    await endpoint.close()
    assert (exchange.error, exchange.sent, exchange.faults) == (None, 1, ())
    assert exchange.reply is not None
    assert exchange.reply.stop == "bad_call"


@row(11)
def test_what_fits_two_values_of_an_enum_or_none_is_left_to_the_engine() -> None:
    twice = ToolSpec("t", "", {"type": "object", "properties": {"a": {"type": "string", "enum": ["Yes", "yes"]}}})
    called(read("chat", body("chat", ("t", '{"a": "YES"}')), (twice,)), "t", {"a": "YES"})
    wrong = {"source": "slot_9", "payment": []}
    called(read("chat", body("chat", ("market", wrong))), "market", wrong)


HALF = "a\ud800b"


@pytest.mark.parametrize("api", APIS)
@row(12)
def test_half_characters_never_leave_the_house(api: Api) -> None:
    tool = ToolSpec("act", HALF, {"type": "object", "properties": {HALF: {"type": "string", "enum": [HALF]}}})
    sent = WIRES[api].request(Request(HALF, (("user", HALF),), (tool,), 10), profile_of(api))
    text = json.dumps(sent, ensure_ascii=False)
    assert text.encode("utf-8").decode() == text
    assert text.count("a?b") >= 4


@row(12)
def test_nor_do_those_of_a_model_come_back_through_the_record_of_its_answer() -> None:
    found = read("chat", body("chat", ("dance", {"why": HALF}), text=HALF))
    assert isinstance(found, Failure)
    json.dumps([found.stated, found.detail], ensure_ascii=False).encode("utf-8")
    assert RawCall("dance", {"why": HALF}) == WIRES["chat"].parse(body("chat", ("dance", {"why": HALF}))).calls[0]
    error = error_of(400, {"error": {"message": HALF}}, {}, "chat")
    assert error.message.isprintable()
    error.message.encode("utf-8")
