"""What a request has in common with the one before it is written once; no byte of it may differ for that."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, get_args

import httpx2
import pytest
from ledger import record

from harness.canonical import canonical_json
from harness.providers.client import Endpoint
from harness.providers.fixed import Fixed, canonical_body
from harness.providers.profiles import Api, Profile, make_profile
from harness.providers.types import Request, ToolSpec
from harness.providers.wires import WIRES

APIS = get_args(Api)
ODD = 'ação "quoted" \\ud800 \\ \x00\x1f\x7f\u2028 🃏 / </script>'
ACT = ToolSpec("act", ODD, record(entry={"type": "integer", "enum": [0, 1, 2**53], "description": ODD}))
SKIP = ToolSpec("skip", "Do nothing.", record())
REQUEST = Request(ODD, (("user", ODD),), (ACT, SKIP), 200)


def profile_of(api: str, **changes: Any) -> Profile:
    return make_profile("compat", "m", "http://server.invalid/v1", api=api, **changes)


def variants(api: str) -> list[Profile]:
    changes: list[dict[str, Any]] = [
        {},
        {"strict": True, "temperature": 0.7, "named_tool": True},
        {"prompt_cache": "cache_control", "parallel_flag": True, "forced_tool": True},
        {"prompt_cache": "key", "store_flag": True, "reasoning_effort": "low"},
    ]
    return [profile_of(api, **change) for change in changes]


@pytest.mark.parametrize("mode", ["tools", "json_schema", "json_object", "text"])
@pytest.mark.parametrize("api", APIS)
def test_a_body_is_written_as_any_other_value_is(api: Api, mode: Any) -> None:
    for profile in variants(api):
        for request in (REQUEST, replace(REQUEST, system="", tools=(SKIP,)), replace(REQUEST, static_prefix=False)):
            body = WIRES[api].request(replace(request, output_mode=mode), profile)
            assert canonical_body(body) == canonical_json(json.loads(json.dumps(body))).encode()


@pytest.mark.parametrize("api", APIS)
async def test_the_bytes_that_leave_are_those_the_sdk_would_write(api: Api) -> None:
    sent: list[httpx2.Request] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        return httpx2.Response(400, json={"error": {"message": "no"}})

    for profile in variants(api):
        endpoint = Endpoint(profile, wrap=lambda network: httpx2.MockTransport(answer))
        exchange = await endpoint.send(REQUEST, profile)
        await endpoint.close()
        body = WIRES[api].request(REQUEST, profile)
        written = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        assert sent[-1].content == written
        assert sent[-1].headers["content-type"] == "application/json"
        assert int(sent[-1].headers["content-length"]) == len(written)
        assert exchange.request == canonical_json(body).encode()


@pytest.mark.parametrize("api", APIS)
def test_tools_that_differ_in_their_schema_alone_are_told_apart(api: Api) -> None:
    other = replace(ACT, parameters=record(entry={"type": "string"}))
    first = WIRES[api].request(replace(REQUEST, tools=(ACT,)), profile_of(api))
    second = WIRES[api].request(replace(REQUEST, tools=(other,)), profile_of(api))
    strict = WIRES[api].request(replace(REQUEST, tools=(ACT,)), profile_of(api, strict=True))
    texts = [canonical_json(body["tools"]) for body in (first, second, strict)]
    assert len(set(texts)) == 3
    assert WIRES[api].request(replace(REQUEST, tools=(replace(ACT),)), profile_of(api)) == first


@pytest.mark.parametrize("api", APIS)
def test_the_tools_of_a_level_are_made_once_and_what_is_set_beside_them_does_not_stay(api: Api) -> None:
    plain, marked = profile_of(api), profile_of(api, prompt_cache="cache_control", strict=False)
    request = replace(REQUEST, system="")
    first = WIRES[api].request(request, plain)
    before = canonical_json(first)
    assert isinstance(first["tools"], Fixed)
    WIRES[api].request(request, marked)
    again = WIRES[api].request(replace(request, messages=(("user", "Later."),)), plain)
    assert again["tools"] is first["tools"]
    assert canonical_json(first) == before
