"""The client against a server that speaks all wire formats and fails on demand, over a real socket."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import pickle
import socket
import struct
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Reply as Scripted
from llmock.scenarios import ToolCall

from harness.canonical import canonical_json
from harness.providers.client import Endpoint
from harness.providers.connections import Connections
from harness.providers.normalise import Call, Failure, normalise
from harness.providers.profiles import Profile, make_profile
from harness.providers.types import Exchange, Request, ToolSpec
from harness.providers.wires import WIRES

SCHEMA = {
    "type": "object",
    "properties": {"entry": {"type": "integer", "enum": [0, 1, 2]}},
    "required": ["entry"],
    "additionalProperties": False,
}
ACT = ToolSpec("act", "Choose an entry.", SCHEMA)
OTHER = ToolSpec("skip", "Do nothing.", {**SCHEMA, "properties": {}, "required": []})
REQUEST = Request("The rules.", (("user", "Choose an entry: act."),), (ACT, OTHER), 200)
ENDPOINTS = {
    "openai": ("openai", "gpt-5.5", "responses"),
    "openai over chat": ("openai", "gpt-5.5", "chat"),
    "anthropic": ("anthropic", "claude-haiku-5-5", "messages"),
    "compat": ("compat", "m", "chat"),
}
CANARY = "sk-CANARY-0123456789"


def profile_for(llmock: LLMock, name: str, **changes: Any) -> Profile:
    kind, model, api = ENDPOINTS[name]
    url = llmock.base_url("openai") if kind == "compat" else None
    return make_profile(kind, model, url, **{"api": api, **changes})


async def ask(profile: Profile, request: Request = REQUEST) -> Exchange:
    endpoint = Endpoint(profile)
    try:
        return await endpoint.send(request, profile)
    finally:
        await endpoint.close()


def read(exchange: Exchange, request: Request = REQUEST) -> Call | Failure:
    assert exchange.reply is not None, exchange.error
    return normalise(exchange.reply, request.tools, request.output_mode)


@pytest.fixture(params=list(ENDPOINTS))
def wire(request: pytest.FixtureRequest, llmock: LLMock) -> str:
    return str(request.param)


async def test_a_call(llmock: LLMock, wire: str) -> None:
    profile = profile_for(llmock, wire)
    exchange = await ask(profile)
    found = read(exchange)
    assert isinstance(found, Call)
    assert (found.name, found.repairs) == ("act", ())
    assert found.arguments["entry"] in (0, 1, 2)
    assert (exchange.sent, exchange.faults, exchange.error) == (1, (), None)
    assert sorted(exchange.timing) == ["latency", "queued"]
    assert exchange.answer is not None
    json.loads(exchange.answer)
    sent = llmock.last_request.body
    assert exchange.request == canonical_json(sent).encode()
    assert profile.api == ENDPOINTS[wire][2]
    assert llmock.last_request.path.endswith(WIRES[profile.api].path)
    assert sent == WIRES[profile.api].request(REQUEST, profile)
    assert exchange.reply is not None
    assert exchange.reply.usage is not None
    assert exchange.reply.usage.output > 0


TWO = Scripted(tool_calls=(ToolCall("act", {"entry": 1}), ToolCall("act", {"entry": 2})))
CUT_OFF = Scripted(text="I think", finish_reason="length")


async def test_faults_of_the_model_are_no_faults_of_the_provider(llmock: LLMock, wire: str) -> None:
    profile = profile_for(llmock, wire)
    faults: list[tuple[Callable[[], object], object]] = [
        (lambda: llmock.break_tool_call("malformed_arguments"), ("format", "malformed_arguments")),
        (lambda: llmock.break_tool_call("unknown_tool"), ("format", "unknown_action")),
        (lambda: llmock.reply("I would rather not."), ("text_only", None)),
        (lambda: llmock.add(TWO), ("format", "malformed_arguments")),
        (lambda: llmock.add(CUT_OFF), ("truncated", None)),
        (lambda: llmock.call_tool("act", {"entry": " 1"}), ({"entry": 1}, ("number_as_string",))),
    ]  # fmt: skip
    endpoint = Endpoint(profile)
    for number, (inject, wanted) in enumerate(faults):
        inject()
        exchange = await endpoint.send(replace(REQUEST, system=f"Rules {number}."), profile)
        found = read(exchange)
        got = (found.kind, found.code) if isinstance(found, Failure) else (found.arguments, found.repairs)
        assert got == wanted
        assert (exchange.sent, exchange.faults) == (1, ())
    await endpoint.close()
    llmock.assert_resilient(strict=True)


async def test_troubles_that_pass_are_waited_for(llmock: LLMock, wire: str) -> None:
    llmock.fail(529).fail(500).rate_limit(retry_after=0.3)
    started = time.perf_counter()
    exchange = await ask(profile_for(llmock, wire))
    assert isinstance(read(exchange), Call)
    assert time.perf_counter() - started > 1.8
    kinds = [fault.error.kind for fault in exchange.faults]
    assert kinds == ["overloaded", "server_error", "rate_limit"]
    assert exchange.sent == 4
    llmock.assert_resilient(strict=True)


async def test_a_crowd_waits_for_a_limit_that_a_few_discover(llmock: LLMock, wire: str) -> None:
    llmock.rate_limit(times=3, retry_after=0.4)
    profile = profile_for(llmock, wire, concurrency=3)
    endpoint = Endpoint(profile)
    requests = [replace(REQUEST, system=f"Rules {number}.") for number in range(30)]
    done = await asyncio.gather(*(endpoint.send(request, profile) for request in requests))
    await endpoint.close()
    assert all(isinstance(read(exchange), Call) for exchange in done)
    assert sum(len(exchange.faults) for exchange in done) == 3
    assert sum(exchange.timing["queued"] > 0.35 for exchange in done) >= 27
    llmock.assert_resilient(strict=True)


async def test_the_client_gives_up_in_the_end(llmock: LLMock, wire: str) -> None:
    llmock.outage(status=503)
    exchange = await ask(profile_for(llmock, wire, retries=1))
    assert exchange.reply is None
    assert exchange.error is not None
    assert exchange.error.kind == "overloaded"
    assert (exchange.sent, len(exchange.faults)) == (2, 1)
    llmock.assert_resilient(strict=True)


async def test_a_wait_longer_than_the_limit_is_not_begun(llmock: LLMock, wire: str) -> None:
    llmock.rate_limit(times=1, retry_after=3600)
    exchange = await ask(profile_for(llmock, wire))
    assert exchange.error is not None
    assert (exchange.error.kind, exchange.error.retry_after, exchange.sent) == ("rate_limit", 3600, 1)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [(401, None, "authentication"), (403, None, "authentication"), (404, None, "not_found"),
     (429, "insufficient_quota", "quota")],
)  # fmt: skip
async def test_what_cannot_pass_is_asked_once_in_all(
    llmock: LLMock, wire: str, status: int, code: str | None, kind: str
) -> None:
    profile = profile_for(llmock, wire)
    llmock.fail(status, code=code, message=code, times=None)
    endpoint = Endpoint(profile)
    first = await endpoint.send(REQUEST, profile)
    second = await endpoint.send(REQUEST, profile)
    await endpoint.close()
    for exchange in (first, second):
        assert exchange.error is not None
        assert exchange.error.kind == kind
    assert (first.sent, second.sent, len(llmock.requests)) == (1, 0, 1)


async def test_a_bad_request_is_not_repeated(llmock: LLMock, wire: str) -> None:
    llmock.context_overflow().fail(400, message="something else")
    profile = profile_for(llmock, wire)
    for system, kind in (("Some rules.", "context"), ("Other rules.", "bad_request")):
        error = (await ask(profile, replace(REQUEST, system=system))).error
        assert error is not None
        assert error.kind == kind
    assert len(llmock.requests) == 2
    llmock.assert_resilient(strict=True)


async def test_what_a_server_refuses_is_left_out_and_remembered(llmock: LLMock) -> None:
    profile = profile_for(llmock, "anthropic")
    llmock.fail(400, message='tool_choice: type "tool" and "any" are not supported for this model')
    endpoint = Endpoint(profile)
    first = await endpoint.send(REQUEST, profile)
    second = await endpoint.send(REQUEST, profile)
    await endpoint.close()
    assert endpoint.current(profile) == replace(profile, forced_tool=False)
    assert isinstance(read(first), Call)
    assert [fault.error.kind for fault in first.faults] == ["unsupported"]
    assert "forced_tool=False" in first.faults[0].error.message
    assert (first.sent, second.sent, second.faults) == (2, 1, ())
    assert [record.body["tool_choice"]["type"] for record in llmock.requests] == ["any", "auto", "auto"]
    assert json.loads(first.request)["tool_choice"]["type"] == "auto"
    llmock.assert_resilient(strict=True)


async def test_a_server_that_refuses_both_ways_is_not_asked_in_a_circle(llmock: LLMock) -> None:
    llmock.fail(400, message="max_tokens is not supported, use max_completion_tokens instead")
    llmock.fail(400, message="max_completion_tokens is unknown", times=None)
    exchange = await ask(profile_for(llmock, "compat"))
    assert exchange.error is not None
    assert exchange.error.kind == "bad_request"
    assert exchange.sent == 2


async def test_the_deadline_is_a_wall_clock(llmock: LLMock, wire: str) -> None:
    llmock.delay(6.0, times=1)
    started = time.perf_counter()
    exchange = await ask(profile_for(llmock, wire, deadline_s=1.5))  # a busy machine answers the second try within it
    assert isinstance(read(exchange), Call)
    assert [fault.error.kind for fault in exchange.faults] == ["timeout"]
    assert 1.4 < exchange.faults[0].seconds < 10.0
    assert time.perf_counter() - started < 25.0


class _Odd(BaseHTTPRequestHandler):
    """Answers every request with the next of the server's bodies.

    A number drips bytes for that many seconds; "half" ends in the middle, "reset" before the beginning.
    """

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        bodies: list[bytes | float | str] = self.server.bodies  # type: ignore[attr-defined]  # set below
        body = bodies.pop(0) if len(bodies) > 1 else bodies[0]
        self.close_connection = isinstance(body, str)
        if body == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())  # at once, without a polite end
            return
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body) if isinstance(body, bytes) else 1000))
        self.end_headers()
        if not isinstance(body, float):
            self.wfile.write(body if isinstance(body, bytes) else b'{"choices": [')
            return
        for _ in range(int(body * 10)):
            try:
                self.wfile.write(b" ")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.1)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def odd_server(*bodies: bytes | float | str) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Odd)
    server.daemon_threads = True
    server.bodies = list(bodies)  # type: ignore[attr-defined]  # read by the handler
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


GOOD = json.dumps({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}).encode()


@pytest.mark.parametrize("body", [b"", b'{"choices": [', b"<html>busy</html>", b"{}", b'{"error": {"message": "x"}}'])
async def test_an_answer_that_is_none_is_asked_for_again(body: bytes) -> None:
    with odd_server(body, GOOD) as url:
        exchange = await ask(make_profile("compat", "m", url))
    assert exchange.reply is not None
    assert exchange.reply.text == "hello"
    assert [fault.error.kind for fault in exchange.faults] == ["bad_gateway"]
    assert exchange.answer == GOOD


@pytest.mark.parametrize(("how", "reason"), [("half", "RemoteProtocolError"), ("reset", "ReadError")])
async def test_a_connection_that_breaks_is_made_again(how: str, reason: str) -> None:
    with odd_server(how, GOOD) as url:
        exchange = await ask(make_profile("compat", "m", url))
    assert exchange.reply is not None
    assert [fault.error.kind for fault in exchange.faults] == ["connection"]
    assert exchange.faults[0].error.message == f"{url} does not answer ({reason})"
    assert exchange.faults[0].error.maybe_billed


async def test_it_is_asked_for_twice_again_at_most() -> None:
    with odd_server(b"{}") as url:
        exchange = await ask(make_profile("compat", "m", url))
    assert exchange.error is not None
    assert (exchange.error.kind, exchange.sent, exchange.answer) == ("bad_gateway", 3, b"{}")


async def test_a_server_that_drips_does_not_outlive_the_deadline() -> None:
    with odd_server(3.0) as url:
        started = time.perf_counter()
        exchange = await ask(make_profile("compat", "m", url, deadline_s=0.5, retries=0))
    assert exchange.error is not None
    assert exchange.error.kind == "timeout"
    assert time.perf_counter() - started < 2.0


async def test_nobody_listening() -> None:
    exchange = await ask(make_profile("compat", "m", "http://127.0.0.1:1/v1", retries=1))
    assert exchange.error is not None
    assert (exchange.error.kind, exchange.sent, exchange.error.maybe_billed) == ("connection", 2, False)
    assert "127.0.0.1:1" in exchange.error.message


async def test_requests_beyond_the_limit_wait_without_losing_their_deadline(llmock: LLMock) -> None:
    profile = profile_for(llmock, "compat", concurrency=1, deadline_s=2.0)
    llmock.delay(0.4, times=6)
    endpoint = Endpoint(profile)
    done = await asyncio.gather(*(endpoint.send(REQUEST, profile) for _ in range(6)))
    await endpoint.close()
    assert all(exchange.reply is not None and not exchange.faults for exchange in done)
    assert max(exchange.timing["queued"] for exchange in done) > 1.5


async def test_agents_share_an_endpoint(llmock: LLMock) -> None:
    connections = Connections()
    profile = profile_for(llmock, "openai")
    one, two = connections.enter(profile), connections.enter(profile)
    assert one is two
    await connections.leave(one)
    assert (await two.send(REQUEST, profile)).reply is not None
    await connections.leave(two)
    assert len(connections) == 0
    three = connections.enter(profile)
    assert three is not one
    await connections.leave(three)


class _Echo(BaseHTTPRequestHandler):
    """Refuses, and repeats the key it was given in the body of the refusal, or of the answer."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        key = self.headers["authorization"].removeprefix("Bearer ")
        status = 401 if "refuse" in self.path else 200
        message = {"message": f"bad key {key}"} if status == 401 else None
        choice = {"message": {"content": f"your key is {key}"}, "finish_reason": "stop"}
        read = {"choices": [choice], "content": [], "stop_reason": key, "output": [], "status": key}
        body = json.dumps({"error": message, **read}).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize("name", ["openai", "anthropic", "compat"])
@pytest.mark.parametrize("path", ["refuse", "answer"])
async def test_the_key_appears_nowhere(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, path: str
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DALE_COMPAT_API_KEY"):
        monkeypatch.setenv(variable, CANARY)
    caplog.set_level(logging.DEBUG)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Echo)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    profile = make_profile(name, "m", f"http://127.0.0.1:{server.server_address[1]}/{path}")
    endpoint = Endpoint(profile)
    exchange = await endpoint.send(REQUEST, profile)
    shown = [repr(endpoint), repr(profile), repr(exchange), str(exchange.request), str(exchange.answer), caplog.text]
    if path == "refuse":
        error = exchange.error
        assert error is not None
        assert "[key]" in error.message
        assert error.__cause__ is None
        assert error.__context__ is None
        copy = pickle.loads(pickle.dumps(error))
        assert (copy.kind, copy.message, copy.status) == (error.kind, error.message, 401)
        shown += [str(error), repr(vars(error)), str(pickle.dumps(error)), "".join(traceback.format_exception(error))]
    else:
        assert exchange.reply is not None
        assert b"[key]" in (exchange.answer or b"")
    await endpoint.close()
    server.shutdown()
    server.server_close()
    thread.join()
    assert not [text for text in shown if CANARY in text]


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
async def test_a_compatible_server_is_asked_over_the_wire_format_of_choice(llmock: LLMock, api: Any) -> None:
    root = "anthropic" if api == "messages" else "openai"
    profile = make_profile("compat", "m", llmock.base_url(root), api=api)
    exchange = await ask(profile)
    assert isinstance(read(exchange), Call)
    assert llmock.last_request.path.endswith(WIRES[profile.api].path)
    assert llmock.last_request.path.count("/v1") == 1


async def test_no_spending_limit_is_seen_where_nothing_is_spent(llmock: LLMock) -> None:
    """A 429 without a time to wait means a spending limit at Anthropic, and nothing of the kind elsewhere."""
    llmock.fail(429)
    exchange = await ask(make_profile("compat", "m", llmock.base_url("anthropic"), api="messages"))
    assert [fault.error.kind for fault in exchange.faults] == ["rate_limit"]
    assert exchange.reply is not None
