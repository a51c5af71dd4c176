"""Rows 33 to 40: parameters and schemas that some servers refuse."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from ledger import APIS, REQUEST, case, profile_of, row

from engine import Game
from harness.agents.spec import create_agent, parse_spec
from harness.errors import UserError
from harness.providers.degrade import degraded
from harness.providers.errors import error_of
from harness.providers.profiles import Api, Profile, make_profile
from harness.providers.schema import answer_schema
from harness.providers.types import Request, ToolSpec
from harness.providers.wires import WIRES

URL = "http://127.0.0.1:1/v1"
GPT = make_profile("openai", "gpt-5.5", URL)
GPT_CHAT = make_profile("openai", "gpt-5.5", URL, api="chat")
CLAUDE = make_profile("anthropic", "claude-opus-5", URL)


@row(33)
def test_tools_with_reasoning_go_over_responses_and_without_it_over_chat() -> None:
    assert GPT.api == "responses"
    assert "reasoning" not in WIRES["responses"].request(REQUEST, GPT)
    assert WIRES["chat"].request(REQUEST, GPT_CHAT)["reasoning_effort"] == "none"


DEGRADED = [
    case(33, profile_of("chat"), "Function tools with reasoning_effort are not supported in /v1/chat/completions. "
         "Please use /v1/responses or set reasoning_effort to 'none'.", "reasoning_effort", "none"),
    case(34, CLAUDE, 'tool_choice: type "tool" and "any" are not supported for this model', "forced_tool", False),
    case(34, GPT, "Invalid value for 'tool_choice': only 'auto' is supported", "forced_tool", False),
    case(37, GPT_CHAT, "Unrecognized request argument supplied: max_completion_tokens", "cap_param", "max_tokens"),
    case(37, profile_of("chat"), "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
         "cap_param", "max_completion_tokens"),
    case(39, profile_of("messages", strict=True), "The compiled grammar is too large", "strict", False),
    case(39, profile_of("responses", strict=True), "Invalid schema for function 'choose': exceeds limit of 5 nesting "
         "levels", "strict", False),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "message", "field", "value"), DEGRADED)
def test_what_a_server_refuses_is_left_out_from_then_on(profile: Profile, message: str, field: str, value: Any) -> None:
    less = degraded(profile, error_of(400, {"error": {"message": message}}, {}, profile.api))
    assert less is not None
    assert getattr(less, field) == value


@row(35)
def test_no_temperature_is_sent_to_anthropic_and_asking_for_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "temperature" not in WIRES["messages"].request(REQUEST, CLAUDE)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with pytest.raises(UserError, match="take no temperature"):
        create_agent(parse_spec("anthropic:m?temperature=1"))
    agent = create_agent(parse_spec(f"compat:m@{URL}?api=messages&temperature=0.5"))
    asyncio.run(agent.close())
    assert WIRES["messages"].request(REQUEST, profile_of("messages", temperature=0.5))["temperature"] == 0.5


@pytest.mark.parametrize("api", APIS)
@row(36)
def test_sampling_is_left_to_the_server_unless_it_is_set(api: Api) -> None:
    body = WIRES[api].request(REQUEST, profile_of(api))
    assert not {"temperature", "top_p", "top_k", "seed", "reasoning", "reasoning_effort"} & set(body)


@row(37)
def test_the_longest_answer_has_the_name_the_server_knows() -> None:
    assert WIRES["chat"].request(REQUEST, profile_of("chat"))["max_tokens"] == 500
    assert WIRES["chat"].request(REQUEST, GPT_CHAT)["max_completion_tokens"] == 500
    assert WIRES["responses"].request(REQUEST, GPT)["max_output_tokens"] == 500
    assert WIRES["messages"].request(REQUEST, CLAUDE)["max_tokens"] == 500


def sent_schemas() -> Iterator[Any]:
    """Every schema that is sent for a level, as tools and as the schema of a whole answer."""
    game = Game.new(players=4, sets=("macaws", "pandas", "raccoons", "squirrels", "ocelots"), seed=3)
    for level in ("L0", "L1", "L2"):
        tools = tuple(ToolSpec(tool["name"], "", tool["parameters"]) for tool in game.tools(level))
        request = Request("", (("user", "x"),), tools, 10, "json_schema")
        yield from (tool.parameters for tool in tools)
        for strict in (False, True):
            yield answer_schema(request, strict, root_union=False)
            yield answer_schema(request, strict, root_union=True)


def keywords(schema: Any, depth: int = 0) -> Iterator[tuple[str, int]]:
    """Every keyword of a schema with the number of objects around it."""
    if not isinstance(schema, Mapping):
        return
    for word, value in schema.items():
        yield word, depth
        if word == "properties":
            for part in value.values():
                yield from keywords(part, depth + 1)
        elif word == "anyOf":
            for part in value:
                yield from keywords(part, depth)
        else:
            yield from keywords(value, depth)


ALLOWED = {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf", "description"}


@pytest.mark.parametrize(
    "refused",
    [
        case(38, {"uniqueItems", "oneOf", "allOf", "not", "pattern", "default", "$ref", "format"}, about="keywords"),
        case(40, {"maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum"}, about="counts"),
    ],
)
def test_schemas_use_what_every_server_takes(refused: set[str]) -> None:
    used = {word for schema in sent_schemas() for word, _ in keywords(schema)}
    assert used <= ALLOWED
    assert not used & refused


@row(39)
def test_schemas_are_flat_enough_for_every_server() -> None:
    deepest = max(depth for schema in sent_schemas() for _, depth in keywords(schema))
    assert deepest <= 5


@row(39)
def test_the_union_of_tools_stands_inside_an_object_where_the_root_must_be_one() -> None:
    for strict in (False, True):
        schema = answer_schema(REQUEST, strict, root_union=False)
        assert (schema["type"], sorted(schema["properties"])) == ("object", ["arguments", "tool"])
