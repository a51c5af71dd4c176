"""The way to a server: how long is waited on it, what the environment adds to requests, and what is no way."""

from __future__ import annotations

from typing import Any

import httpx2
import pytest
from virtual import Server, run

from harness.errors import UserError
from harness.providers.client import Endpoint
from harness.providers.profiles import make_profile
from harness.providers.types import Exchange, Request

REQUEST = Request("Rules.", (("user", "Go."),), (), 100)


def ask(server: Server | None, name: str = "compat", **changes: Any) -> Exchange:
    profile = make_profile(name, "m", "http://server/v1", retries=0, **changes)

    async def main() -> Exchange:
        endpoint = Endpoint(profile, server.wrap if server is not None else None)
        try:
            return await endpoint.send(REQUEST, profile)
        finally:
            await endpoint.close()

    return run(main())[0]


def sent(name: str = "compat", **changes: Any) -> httpx2.Request:
    """The request as it leaves."""
    seen: list[httpx2.Request] = []

    def keep(server: Server, request: httpx2.Request) -> None:
        seen.append(request)

    assert ask(Server(keep, seconds=0), name, **changes).reply is not None
    return seen[0]


@pytest.mark.parametrize("api", ["chat", "messages"])
@pytest.mark.parametrize("deadline", [0.5, 3600.0])
def test_nothing_but_the_deadline_ends_the_wait_for_an_answer(api: str, deadline: float) -> None:
    waits = sent(api=api, deadline_s=deadline).extensions["timeout"]
    assert waits["connect"] == 15
    assert min(waits[name] for name in ("read", "write", "pool")) > deadline


def test_a_server_that_takes_no_connection_was_not_asked_and_is_not_called_slow() -> None:
    def nobody(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        raise httpx2.ConnectTimeout("")

    error = ask(Server(nobody)).error
    assert error is not None
    assert (error.kind, error.message) == ("connection", "http://server/v1 does not answer (ConnectTimeout)")


def test_headers_of_the_environment_go_to_their_own_provider_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Gateway-Token: TOPSECRET")
    assert sent("anthropic").headers["x-gateway-token"] == "TOPSECRET"
    assert "TOPSECRET" not in str(sent("compat", api="messages").headers.raw)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway-Token: TOPSECRET")
    assert sent("openai").headers["x-gateway-token"] == "TOPSECRET"
    assert "TOPSECRET" not in str(sent("compat").headers.raw)


@pytest.mark.parametrize(
    ("name", "variable", "value"),
    [
        ("openai", "OPENAI_ORG_ID", "org-ação"),
        ("openai", "OPENAI_PROJECT_ID", "proj\n"),
        ("openai", "OPENAI_CUSTOM_HEADERS", "X-Title: ação"),
        ("anthropic", "ANTHROPIC_CUSTOM_HEADERS", "ação: x"),
    ],
)
def test_a_header_of_the_environment_that_cannot_be_sent_is_told_in_a_sentence_with_its_name(
    monkeypatch: pytest.MonkeyPatch, name: str, variable: str, value: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv(variable, value)
    with pytest.raises(UserError, match=f"^the environment variable {variable} holds characters that no header may"):
        sent(name)
    assert sent("compat").url.host == "server"
    monkeypatch.setenv(variable, "x-one: 1\nx-two: 2" if "CUSTOM" in variable else "id-1")
    assert sent(name).url.host == "server"


def test_a_proxy_of_an_unknown_kind_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://me:CANARY@proxy:1")
    with pytest.raises(UserError, match=r"^cannot open a connection to http://server/v1: .*[^.]\.$") as caught:
        ask(None)
    assert "CANARY" not in str(caught.value)
