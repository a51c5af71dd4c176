"""From replies to calls: faults that were seen at real servers, each with the reading that is wanted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ledger import called, failed, record

from harness.providers.normalise import Call, Failure, normalise
from harness.providers.types import RawCall, Reply, ToolSpec, Usage


def maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
CARDS = {"type": "array", "items": TEXT}
SLOT = {"type": "string", "enum": ["slot_0", "slot_1", "market_discard"]}
ACT = ToolSpec("act", "", record(entry=NUMBER))
MARKET = ToolSpec("market", "", record(source=SLOT, payment=CARDS, throw_away=maybe(CARDS)))
CHOOSE = ToolSpec("choose", "", record(choices=record(value=maybe(NUMBER), cards=maybe(CARDS))))
SKIP = ToolSpec("skip", "", record())
OPTIONAL = ToolSpec("ability", "", record(copies=maybe(CARDS)))
TOOLS = (ACT, MARKET, CHOOSE, SKIP, OPTIONAL)


def read(*calls: tuple[str, Any], text: str = "", stop: Any = "end") -> Call | Failure:
    reply = Reply(tuple(RawCall(name, raw) for name, raw in calls), text, stop, native_stop="native")
    return normalise(reply, TOOLS)


def read_text(text: str, bare: bool = False, stop: Any = "end") -> Call | Failure:
    tools = (ACT,) if bare else TOOLS
    return normalise(Reply(text=text, stop=stop), tools, "json_schema", bare)


@pytest.mark.parametrize("raw", ['{"entry": 3}', {"entry": 3}, ' {"entry":3}\n', {"entry": 3.0}])
def test_a_plain_call(raw: Any) -> None:
    called(read(("act", raw)), "act", {"entry": 3})


@pytest.mark.parametrize(
    ("name", "raw", "arguments", "repairs"),
    [
        # control characters inside a string
        ("market", '{"source":"slot_0","payment":["a\nb"]}', {"source": "slot_0", "payment": ["a\nb"]},
         ("control_characters",)),
        # a literal backslash-n between tokens
        ("act", r'{\n "entry": 3\n}', {"entry": 3}, ("escaped_blanks",)),
        # arguments encoded twice, whole and nested
        ("act", '"{\\"entry\\": 3}"', {"entry": 3}, ("double_encoded",)),
        ("choose", {"choices": '{"value": 3}'}, {"choices": {"value": 3}}, ("double_encoded",)),
        ("market", {"source": "slot_0", "payment": '["junk"]'}, {"source": "slot_0", "payment": ["junk"]},
         ("double_encoded",)),
        # a number written as a string, only where the schema wants an integer
        ("act", '{"entry": "3"}', {"entry": 3}, ("number_as_string",)),
        ("market", {"source": "slot_0", "payment": ["3"]}, {"source": "slot_0", "payment": ["3"]}, ()),
        # an enum in another case or with blanks
        ("market", {"source": "SLOT_0", "payment": []}, {"source": "slot_0", "payment": []}, ("case",)),
        ("market", {"source": " slot_0 ", "payment": []}, {"source": "slot_0", "payment": []}, ("blanks",)),
        # keys nobody asked for
        ("act", {"entry": 3, "why": "it is cheap"}, {"entry": 3}, ("extra_keys",)),
        ("choose", {"choices": {"value": 1, "x": 2}}, {"choices": {"value": 1}}, ("extra_keys",)),
        # names of tools in another case or with a prefix
        ("ACT", {"entry": 3}, {"entry": 3}, ("tool_name",)),
        ("functions.act", {"entry": 3}, {"entry": 3}, ("tool_name",)),
        # several at once, each tagged once
        (" Act", '{"entry": "3", "x": 1, "y": 2}', {"entry": 3}, ("tool_name", "number_as_string", "extra_keys")),
    ],
)  # fmt: skip
def test_repairs_of_form_are_made_and_tagged(name: str, raw: Any, arguments: Any, repairs: tuple[str, ...]) -> None:
    found = read((name, raw))
    assert isinstance(found, Call), found
    assert (found.arguments, found.repairs) == (arguments, repairs)
    assert found.stated["tool"] == name


def test_the_call_is_kept_as_it_was_stated() -> None:
    found = read(("functions.act", '{"entry": "3", "why": "x"}'))
    assert found.stated == {"tool": "functions.act", "arguments": {"entry": "3", "why": "x"}}


@pytest.mark.parametrize("raw", ["", None, "null", "{}", {}, " "])
def test_no_arguments_are_fine_only_for_a_tool_that_needs_none(raw: Any) -> None:
    called(read(("skip", raw)), "skip", {})
    called(read(("ability", raw)), "ability", {})
    failed(read(("act", raw)), "format", "malformed_arguments")


def test_null_and_a_missing_key_both_mean_not_given() -> None:
    called(
        read(("market", {"source": "slot_0", "payment": [], "throw_away": None})),
        "market",
        {"source": "slot_0", "payment": [], "throw_away": None},
    )
    called(read(("market", {"source": "slot_0", "payment": []})), "market", {"source": "slot_0", "payment": []})


@pytest.mark.parametrize(
    "raw",
    [
        '{"entry": 3',  # cut off, whatever the server says
        '{"entry": ',
        '{"entry": 1} {"entry": 2}',
        '{"entry": 1, "entry": 2}',
        '{"entry": NaN}',
        '{"entry": 1e999}',
        "{'entry': 3}",
        "entry=3",
        "3",
        "[3]",
        '""',
        '"3"',
        [3],
        3,
        True,
        {"entry": "three"},
        {"entry": "3.5"},
        {"entry": 3.5},
        {"entry": True},
        {"entry": None},
        {"entry": [3]},
        {"entry": {"value": 3}},
        {"Entry": 3},
        '{"entry": %s}' % ("9" * 5000),
        "[" * 100_000,
    ],
)
def test_arguments_that_cannot_be_read(raw: Any) -> None:
    found = read(("act", raw))
    failed(found, "format", "malformed_arguments")
    assert isinstance(found, Failure)
    assert found.detail
    assert found.stated is not None
    assert found.stated["tool"] == "act"
    json.dumps(found.stated, allow_nan=False)


@pytest.mark.parametrize(
    "arguments",
    [
        {"source": "slot_0", "payment": "junk"},
        {"source": "slot_0", "payment": [1]},
        {"source": "slot_0", "payment": None},
        {"source": "slot_0"},
        {"source": 0, "payment": []},
        {"source": "slot_0", "payment": [], "throw_away": "junk"},
    ],
)
def test_wrong_types_are_format(arguments: Any) -> None:
    failed(read(("market", arguments)), "format", "malformed_arguments")


def test_a_wrong_name_of_a_slot_is_for_the_engine_to_judge() -> None:
    called(read(("market", {"source": "slot_9", "payment": []})), "market", {"source": "slot_9", "payment": []})


def test_an_enum_that_fits_two_values_is_not_chosen_from() -> None:
    tool = ToolSpec("t", "", record(a={"type": "string", "enum": ["Yes", "yes"]}))
    called(normalise(Reply((RawCall("t", {"a": "YES"}),)), [tool]), "t", {"a": "YES"})


@pytest.mark.parametrize("name", ["play", "", "multi_tool_use.parallel", "functions.", "act()", "\ud800"])
def test_unknown_tools(name: str) -> None:
    found = read((name, {"entry": 3}))
    failed(found, "format", "unknown_action")
    assert isinstance(found, Failure)
    assert "act, market" in found.detail


def test_a_tool_that_was_not_offered_is_held_against_its_form() -> None:
    charm = record(cards={"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]})
    forms = {"technique_charm": charm}
    reply = Reply((RawCall("technique_charm", '{"anything": 1, "cards": ["junk"]}'),))
    called(normalise(reply, (ACT,), form=forms.get), "technique_charm", {"cards": ["junk"]}, "extra_keys")
    called(normalise(Reply((RawCall("technique_charm", ""),)), (ACT,), form=forms.get), "technique_charm", {})
    wrong = Reply((RawCall("technique_charm", {"cards": 1}),))
    failed(normalise(wrong, (ACT,), form=forms.get), "format", "malformed_arguments")


def test_what_is_offered_narrowly_is_read_by_its_form() -> None:
    wide = record(entry={"type": "integer"}, seat={"anyOf": [{"type": "string"}, {"type": "null"}]})
    found = normalise(Reply((RawCall("act", '{"entry": 3, "seat": "B"}'),)), (ACT,), form={"act": wide}.get)
    called(found, "act", {"entry": 3, "seat": "B"})


def test_several_calls() -> None:
    called(read(("act", '{"entry": 3}'), ("act", {"entry": 3})), "act", {"entry": 3})
    found = read(("act", {"entry": 3}), ("act", {"entry": 4}))
    failed(found, "format", "malformed_arguments")
    assert found.stated == {
        "calls": [{"tool": "act", "arguments": {"entry": 3}}, {"tool": "act", "arguments": {"entry": 4}}]
    }
    failed(read(("act", {"entry": 3}), ("skip", {})), "format", "malformed_arguments")
    failed(read(("act", {"entry": 3}), ("act", "{")), "format", "malformed_arguments")


def test_text_beside_a_call_does_not_count() -> None:
    called(read(("act", {"entry": 3}), text="I would rather buy the charm."), "act", {"entry": 3})


def test_replies_without_a_call() -> None:
    failed(read(), "empty")
    failed(read(text="  \n"), "empty")
    failed(read(text="I buy the charm."), "text_only")
    failed(read(text='{"tool": "act", "arguments": {"entry": 3}}'), "text_only")
    failed(read(text="functions.skip:"), "text_only")
    failed(read(stop="other"), "empty")


def test_stops_that_void_a_call() -> None:
    failed(read(("act", {"entry": 1}), stop="length"), "truncated")
    failed(read(stop="length"), "truncated")
    failed(read(("act", {"entry": 1}), stop="refusal"), "refusal")
    failed(read(stop="refusal"), "refusal")
    failed(read(text='{"entry": ', stop="bad_call"), "format", "malformed_arguments")


def test_what_cannot_be_read_and_is_as_long_as_it_may_be_was_cut_off() -> None:
    """Some servers do not say so. What can be read stands: JSON that is cut off cannot."""
    calls = (RawCall("act", '{"ent'),)
    at_cap, below = Usage(output=40), Usage(output=39)
    failed(normalise(Reply(calls, usage=at_cap), TOOLS, cap=40), "truncated")
    failed(normalise(Reply(text='{"tool": "a', usage=at_cap), TOOLS, "json_schema", cap=40), "truncated")
    failed(normalise(Reply(calls, usage=below), TOOLS, cap=40), "format", "malformed_arguments")
    failed(normalise(Reply(calls, usage=at_cap), TOOLS), "format", "malformed_arguments")
    failed(normalise(Reply(calls), TOOLS, cap=40), "format", "malformed_arguments")
    failed(normalise(Reply((RawCall("fly", "{}"),), usage=at_cap), TOOLS, cap=40), "format", "unknown_action")
    called(normalise(Reply((RawCall("act", '{"entry": 3}'),), usage=at_cap), TOOLS, cap=40), "act", {"entry": 3})


def test_json_answers() -> None:
    called(read_text('{"tool": "act", "arguments": {"entry": 3}}'), "act", {"entry": 3})
    called(read_text(' {"tool": "skip"}\n'), "skip", {})
    called(read_text('{"tool": "act", "arguments": {"entry": 3}, "why": 1}'), "act", {"entry": 3}, "extra_keys")
    called(read_text('{"entry": 3}', bare=True), "act", {"entry": 3})
    called(read_text('{"tool": "act", "arguments": {"entry": 3}}', bare=True), "act", {"entry": 3})


@pytest.mark.parametrize("text", ["I buy.", '{"tool": "act", "arguments": {"entry"', "[]", "3", "null", '"act"', "{"])
def test_json_answers_that_are_no_object_are_text(text: str) -> None:
    failed(read_text(text), "text_only")
    failed(read_text(text, bare=True), "text_only")


OBJECT = '{"tool": "act", "arguments": {"entry": 3}}'


def read_prose(text: str, mode: Any = "text") -> Call | Failure:
    return normalise(Reply(text=text), TOOLS, mode)


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        (f" {OBJECT}\n", ()),
        (f"```json\n{OBJECT}\n```", ("fenced",)),
        (f"```\n{OBJECT}\n```\n", ("fenced",)),
        (f"I choose the third.\n\n  ```JSON\r\n{OBJECT}\r\n  ```\nThat is best.", ("fenced",)),
    ],
)
def test_an_answer_as_text_is_the_object_or_one_fenced_block(text: str, repairs: tuple[str, ...]) -> None:
    called(read_prose(text), "act", {"entry": 3}, *repairs)


@pytest.mark.parametrize(
    "text",
    [
        f"I choose {OBJECT}",  # a move out of prose
        f"{OBJECT} is my move.",
        f"```json\n{OBJECT}",  # not closed
        f"```json\n{OBJECT}\n```\n```json\n{OBJECT}\n```",  # two of them
        f"```python\n{OBJECT}\n```",
        f"```json\n{OBJECT[:-1]}\n```",  # cut off inside
        f"```json\nHere: {OBJECT}\n```",
        "```json\n[]\n```",
        f"`{OBJECT}`",
    ],
)
def test_no_move_is_read_out_of_prose(text: str) -> None:
    failed(read_prose(text), "text_only")


@pytest.mark.parametrize("mode", ["json_schema", "json_object"])
def test_fences_are_read_only_where_no_server_promised_json(mode: str) -> None:
    called(read_prose(OBJECT, mode), "act", {"entry": 3})
    failed(read_prose(f"```json\n{OBJECT}\n```", mode), "text_only")


def test_json_answers_that_cannot_be_read_as_a_call() -> None:
    failed(read_text(""), "empty")
    failed(read_text('{"entry": 3}'), "format", "malformed_arguments")
    failed(read_text('{"tool": 3, "arguments": {}}'), "format", "malformed_arguments")
    failed(read_text('{"tool": "act", "arguments": {}}'), "format", "malformed_arguments")
    failed(read_text('{"tool": "act"}'), "format", "malformed_arguments")
    failed(read_text('{"tool": "fly", "arguments": {}}'), "format", "unknown_action")
    failed(read_text('{"number": 3}', bare=True), "format", "malformed_arguments")
    failed(read_text('{"tool": "act", "arguments": {"entry": 3}}', stop="length"), "truncated")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["entry", "source", "payment", "choices", "value", "tool"]), inner)
    ),
    max_leaves=10,
)
NAMES = st.sampled_from(["act", "market", "choose", "skip", " Act", "functions.skip", "fly", ""]) | st.text(max_size=5)
FENCED = JSON.map(lambda value: f"```json\n{json.dumps(value)}\n```")
RAW = JSON | JSON.map(json.dumps) | st.text(max_size=30)
STOPS = st.sampled_from(["end", "length", "refusal", "bad_call", "other"])
REPLIES = st.builds(
    Reply,
    calls=st.lists(st.builds(RawCall, NAMES, RAW), max_size=3).map(tuple),
    text=st.text(max_size=20) | JSON.map(json.dumps) | FENCED,
    stop=STOPS,
    native_stop=st.none() | st.text(max_size=5),
)


@given(REPLIES, st.sampled_from(["tools", "json_schema", "json_object", "text"]), st.booleans())
def test_garbage_never_raises_and_gives_plain_json(reply: Reply, output_mode: Any, bare: bool) -> None:
    found = normalise(reply, (ACT,) if bare else TOOLS, output_mode, bare)
    if isinstance(found, Call):
        assert found.name in {tool.name for tool in TOOLS}
        json.dumps(found.arguments, allow_nan=False)
    json.dumps(found.stated, allow_nan=False)
    assert reply.stop not in ("length", "refusal", "bad_call") or isinstance(found, Failure)


ARGUMENTS = st.fixed_dictionaries(
    {"source": st.sampled_from(["slot_0", "slot_1"]), "payment": st.lists(st.text(max_size=8), max_size=4)},
    optional={"throw_away": st.none() | st.lists(st.text(max_size=8), max_size=2)},
)


@given(ARGUMENTS, st.data(), st.booleans())
def test_truncated_json_never_yields_a_call(arguments: dict[str, Any], data: st.DataObject, ascii_only: bool) -> None:
    whole = json.dumps(arguments, ensure_ascii=ascii_only)
    called(read(("market", whole)), "market", arguments)
    cut = data.draw(st.integers(1, len(whole) - 1))
    failed(read(("market", whole[:cut])), "format", "malformed_arguments")
    half = json.dumps({"tool": "market", "arguments": arguments})[:cut]
    failed(read_text(half), "text_only")
    failed(read_prose(f"```json\n{half}\n```"), "text_only")
    failed(read(("market", json.dumps(whole)[: cut + 1])), "format", "malformed_arguments")
