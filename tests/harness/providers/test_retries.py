"""Which trouble is tried again, how often and after how long: one row for each, over every wire, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import Any

import httpx2
import pytest
from virtual import Server, refusal, run

from harness.providers.client import Endpoint
from harness.providers.profiles import make_profile
from harness.providers.types import Exchange, Request

REQUEST = Request("Rules.", (("user", "Go."),), (), 100)
WIRES = ("openai", "anthropic", "compat")
Trouble = Callable[[], httpx2.Response]


def said(status: int, code: str = "", message: str = "no", **headers: str) -> Trouble:
    return lambda: refusal(status, code, message, **headers)


def spent(code: str) -> Trouble:
    """A 429 of Anthropic whose telling word stands in the details; it names a time all the same."""
    error = {"type": "rate_limit_error", "message": "no", "details": {"error_code": code}}
    return lambda: httpx2.Response(429, json={"type": "error", "error": error}, headers={"retry-after": "1"})


def inside_200(body: Any) -> Trouble:
    return lambda: httpx2.Response(200, json=body)


def raw(content: bytes) -> Trouble:
    return lambda: httpx2.Response(200, content=content, headers={"content-type": "application/json"})


def broken(error: type[httpx2.RequestError]) -> Trouble:
    def fail() -> httpx2.Response:
        raise error("gone")

    return fail


def in_ten_seconds() -> httpx2.Response:
    return refusal(429, retry_after=format_datetime(datetime.now(UTC) + timedelta(seconds=10), usegmt=True))


def ask(wire: str, troubles: Sequence[Trouble], **changes: Any) -> tuple[Exchange, Server, float]:
    """Ask a server that has these troubles, one after the other, before it answers."""

    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        number = len(server.arrivals) - 1
        return troubles[number]() if number < len(troubles) else None

    server = Server(behave, seconds=0.0)
    profile = make_profile(wire, "m", "http://server/v1", **changes)

    async def main() -> Exchange:
        endpoint = Endpoint(profile, server.wrap)
        try:
            return await endpoint.send(REQUEST, profile)
        finally:
            await endpoint.close()

    exchange, seconds = run(main())
    return exchange, server, seconds


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")


@pytest.mark.parametrize(
    ("trouble", "charged"),
    [
        (broken(httpx2.ConnectError), False),
        (broken(httpx2.ConnectTimeout), False),
        (broken(httpx2.ProxyError), False),
        (broken(httpx2.WriteError), True),
        (broken(httpx2.ReadError), True),
        (broken(httpx2.RemoteProtocolError), True),
        (broken(httpx2.DecodingError), True),
        (broken(httpx2.ReadTimeout), True),
        (raw(b'{"choices": ['), True),
        (said(500), False),
    ],
)
def test_a_try_may_be_charged_for_unless_nothing_was_sent_or_the_server_said_that_it_failed(
    trouble: Trouble, charged: bool
) -> None:
    error = ask("compat", [trouble], retries=0)[0].error
    assert error is not None
    assert error.maybe_billed == charged


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("trouble", "kind", "least"),
    [
        (broken(httpx2.ConnectError), "connection", 0.5),
        (broken(httpx2.ConnectTimeout), "connection", 0.5),
        (broken(httpx2.ReadError), "connection", 0.5),
        (broken(httpx2.RemoteProtocolError), "connection", 0.5),
        (broken(httpx2.ReadTimeout), "timeout", 0.5),
        (raw(b""), "bad_gateway", 0.5),
        (raw(b'{"choices": ['), "bad_gateway", 0.5),
        (raw(b"<html>busy</html>"), "bad_gateway", 0.5),
        (raw(b'"a text"'), "bad_gateway", 0.5),
        (inside_200({}), "bad_gateway", 0.5),
        (inside_200([]), "bad_gateway", 0.5),
        (inside_200({"error": {"message": "upstream"}}), "bad_gateway", 0.5),
        (inside_200({"type": "error", "error": {"type": "overloaded_error", "message": "x"}}), "overloaded", 0.5),
        (inside_200({"type": "error", "error": {"type": "rate_limit_error", "message": "x"}}), "rate_limit", 0.5),
        (inside_200({"error": {"code": "rate_limit_exceeded", "message": "x"}}), "rate_limit", 0.5),
        (inside_200({"error": {"code": "server_error", "message": "x"}}), "server_error", 0.5),
        (said(408), "timeout", 0.5),
        (said(409), "server_error", 0.5),
        (said(500), "server_error", 0.5),
        (said(502), "server_error", 0.5),
        (said(503), "overloaded", 0.5),
        (said(504), "server_error", 0.5),
        (said(529), "overloaded", 0.5),
        (said(503, retry_after="7"), "overloaded", 7),
        (said(500, retry_after="7"), "server_error", 7),
        (said(429, retry_after="7"), "rate_limit", 7),
        (said(429, retry_after_ms="700", retry_after="9"), "rate_limit", 0.7),
        (in_ten_seconds, "rate_limit", 8.5),
        (said(429, "ramp_limit_exceeded"), "rate_limit", 0.5),
        (spent("ramp_limit_exceeded"), "rate_limit", 1),
        (said(400, x_should_retry="true"), "bad_request", 0.5),
    ],
)
def test_tried_again(wire: str, trouble: Trouble, kind: str, least: float) -> None:
    exchange, server, seconds = ask(wire, [trouble])
    assert exchange.error is None
    assert exchange.reply is not None
    assert exchange.reply.text == "hello"
    assert [fault.error.kind for fault in exchange.faults] == [kind]
    assert (exchange.sent, len(server.arrivals)) == (2, 2)
    assert least <= seconds <= least * 1.2 + 0.5


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("trouble", "kind"),
    [
        (said(429, "insufficient_quota"), "quota"),
        (said(429, "insufficient_quota", retry_after="1", x_should_retry="true"), "quota"),
        (said(429, "", "You exceeded your current quota, please check your plan and billing details."), "quota"),
        (spent("enforced_spend_limit_reached"), "quota"),
        (spent("contract_spend_limit_reached"), "quota"),
        (said(402), "quota"),
        (inside_200({"error": {"code": 402, "message": "no credit"}}), "quota"),
        (inside_200({"type": "error", "error": {"type": "billing_error", "message": "x"}}), "quota"),
        (said(400), "bad_request"),
        (said(400, "context_length_exceeded"), "context"),
        (said(400, "", "prompt is too long: 250000 tokens > 200000 maximum"), "context"),
        (said(401), "authentication"),
        (said(403), "authentication"),
        (said(404), "not_found"),
        (said(413), "context"),
        (said(422), "bad_request"),
        (said(500, x_should_retry="false"), "server_error"),
        (said(429, retry_after="121"), "rate_limit"),
    ],
)
def test_not_tried_again(wire: str, trouble: Trouble, kind: str) -> None:
    exchange, server, seconds = ask(wire, [trouble] * 9)
    assert exchange.reply is None
    assert exchange.error is not None
    assert exchange.error.kind == kind
    assert (exchange.sent, exchange.faults, len(server.arrivals), seconds) == (1, (), 1, 0)


@pytest.mark.parametrize(("wire", "kind"), [("openai", None), ("anthropic", "quota"), ("compat", None)])
def test_a_429_without_a_time_is_a_spending_limit_at_anthropic_only(wire: str, kind: str | None) -> None:
    exchange, _, _ = ask(wire, [said(429)])
    assert (exchange.error.kind if exchange.error is not None else None) == kind


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("trouble", "sent"), [(said(500), 5), (said(529), 5), (broken(httpx2.ReadError), 5), (raw(b""), 3)]
)
def test_it_is_given_up_in_the_end(wire: str, trouble: Trouble, sent: int) -> None:
    exchange, server, _ = ask(wire, [trouble] * 9)
    assert exchange.error is not None
    assert (exchange.sent, len(exchange.faults), len(server.arrivals)) == (sent, sent - 1, sent)
    times = [at for at, _ in server.arrivals]
    gaps = [after - before for before, after in pairwise(times)]
    assert gaps == sorted(gaps)
    assert all(0.5 * 2**number <= gap <= 0.5 * 2**number + 0.25 for number, gap in enumerate(gaps))


@pytest.mark.parametrize("before", [said(503), said(429, retry_after="1"), broken(httpx2.ReadTimeout)])
def test_what_is_no_answer_is_tried_twice_again_whatever_came_before(before: Trouble) -> None:
    exchange, _, _ = ask("compat", [before, before, raw(b"<html>"), raw(b"<html>")])
    assert (exchange.error, exchange.sent) == (None, 5)
    exchange, _, _ = ask("compat", [before, *[raw(b"<html>")] * 9])
    assert exchange.error is not None
    assert (exchange.error.kind, exchange.sent) == ("bad_gateway", 4)


@pytest.mark.parametrize("wire", WIRES)
def test_what_came_too_soon_for_a_limit_is_tried_more_often(wire: str) -> None:
    exchange, server, _ = ask(wire, [said(429, retry_after="1")] * 99)
    assert exchange.error is not None
    assert (exchange.error.kind, exchange.sent, len(server.arrivals)) == ("rate_limit", 8, 8)


def test_the_wait_grows_no_longer_than_two_minutes() -> None:
    _, server, _ = ask("compat", [said(500)] * 99, retries=12)
    times = [at for at, _ in server.arrivals]
    assert max(after - before for before, after in pairwise(times)) <= 120.25
