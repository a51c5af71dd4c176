"""Rows 41 to 47: servers that hang, errors inside of a 200, quotas, layers of retries, and calls that get out."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from ledger import APIS, REQUEST, row
from llmock.pytest_plugin import LLMock

from harness.agents.spec import parse_spec
from harness.errors import UserError
from harness.providers.client import Endpoint
from harness.providers.errors import error_of
from harness.providers.profile_file import read_profile_file
from harness.providers.profiles import Api, Profile, make_profile
from harness.providers.types import Exchange, ProviderError
from harness.providers.wires import WIRES


def profile_at(llmock: LLMock, api: Api, **changes: Any) -> Profile:
    address = llmock.base_url("anthropic" if api == "messages" else "openai")
    return make_profile("compat", "m", address, api=api, **changes)


async def ask(profile: Profile) -> Exchange:
    endpoint = Endpoint(profile)
    try:
        return await endpoint.send(REQUEST, profile)
    finally:
        await endpoint.close()


@pytest.mark.parametrize("api", APIS)
@row(41)
async def test_a_try_has_a_deadline_of_its_own(llmock: LLMock, api: Api) -> None:
    llmock.delay(1.5)
    exchange = await ask(profile_at(llmock, api, deadline_s=0.2, retries=0))
    assert exchange.error is not None
    assert (exchange.error.kind, exchange.sent) == ("timeout", 1)


@row(42)
def test_there_is_always_a_deadline(tmp_path: Path) -> None:
    for name in ("openai", "anthropic", "compat", "local"):
        assert 0 < make_profile(name, "m", "http://127.0.0.1:1/v1").deadline_s <= 600
    file = tmp_path / "p.toml"
    for text in ("deadline_s = 0", "deadline_s = false", 'deadline_s = "none"'):
        file.write_text(text)
        with pytest.raises(UserError, match="deadline_s"):
            read_profile_file(str(file))
    with pytest.raises(UserError, match=r"a number of at least 0\.1"):
        parse_spec("openai:m?deadline=0")


@pytest.mark.parametrize(
    ("api", "kind", "error"),
    [
        ("messages", "overloaded", {"type": "overloaded_error", "message": "Overloaded"}),
        ("chat", "overloaded", {"type": "overloaded_error", "message": "Overloaded"}),
        ("responses", "server_error", {"code": "server_error", "message": "Oops"}),
        ("chat", "overloaded", {"code": "x", "type": "overloaded_error", "message": "Overloaded"}),
        ("chat", "rate_limit", {"code": "429", "message": "Slow down"}),
    ],
)
@row(43)
def test_trouble_told_inside_a_200_is_classed_by_its_own_word(api: Api, kind: str, error: Any) -> None:
    with pytest.raises(ProviderError) as caught:
        WIRES[api].parse({"type": "error", "status": "failed", "output": [], "error": error})
    assert (caught.value.kind, caught.value.retryable) == (kind, True)


@pytest.mark.parametrize("api", APIS)
@row(44)
def test_the_reason_behind_a_gateway_is_told(api: Api) -> None:
    error = {"message": "Provider returned error", "code": 502, "metadata": {"raw": "upstream melted"}}
    with pytest.raises(ProviderError, match="upstream melted") as caught:
        WIRES[api].parse({"error": error, "choices": [], "output": [], "content": []})
    assert (caught.value.kind, caught.value.retryable) == ("server_error", True)


@pytest.mark.parametrize("api", APIS)
@row(45)
async def test_an_empty_purse_is_asked_once_and_never_again(llmock: LLMock, api: Api) -> None:
    llmock.fail(429, code="insufficient_quota", message="You exceeded your current quota", times=None)
    profile = profile_at(llmock, api)
    endpoint = Endpoint(profile)
    done = [await endpoint.send(REQUEST, profile) for _ in range(3)]
    await endpoint.close()
    assert [exchange.error.kind for exchange in done if exchange.error is not None] == ["quota"] * 3
    assert (sum(exchange.sent for exchange in done), len(llmock.requests)) == (1, 1)


@pytest.mark.parametrize("api", APIS)
@row(45)
def test_nor_does_a_time_or_a_code_beside_the_word_hide_it(api: Api) -> None:
    for code in ("429", 429, "limit_reached", None):
        error = error_of(429, {"error": {"type": "insufficient_quota", "code": code}}, {"retry-after": "1"}, api)
        assert (error.kind, error.retryable) == ("quota", False)


@pytest.mark.parametrize("api", APIS)
@row(46)
async def test_one_layer_retries(llmock: LLMock, api: Api) -> None:
    llmock.outage()
    exchange = await ask(profile_at(llmock, api, retries=1))
    assert (exchange.sent, len(exchange.faults), len(llmock.requests)) == (2, 1, 2)


@row(47)
async def test_tests_ask_this_machine_with_a_key_that_is_none(llmock: LLMock) -> None:
    for name, model in (("openai", "gpt-5.5"), ("anthropic", "claude-haiku-5-5")):
        profile = make_profile(name, model)
        assert urlsplit(profile.base_url).hostname == "127.0.0.1"
        assert (await ask(profile)).reply is not None
    assert len(llmock.requests) == 2
