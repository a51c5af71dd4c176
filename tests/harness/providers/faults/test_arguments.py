"""Rows 1 to 12: arguments that are cut off, empty, encoded twice, of the wrong type, or hold what JSON cannot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ledger import APIS, REQUEST, body, called, case, failed, profile_of, read, row
from llmock.pytest_plugin import LLMock

from harness.providers.client import Endpoint
from harness.providers.errors import error_of
from harness.providers.normalise import Call, Failure
from harness.providers.profiles import Api, make_profile
from harness.providers.types import RawCall, Request, ToolSpec
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


FAILED = {"error": {"code": "tool_use_failed", "message": "Failed to call", "failed_generation": '<act>{"entry"'}}


@row(10)
def test_a_call_that_the_server_itself_cannot_read_is_the_models_error() -> None:
    found = failed(read("chat", FAILED), "format", "malformed_arguments")
    assert '<act>{"entry"' in found.detail


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
