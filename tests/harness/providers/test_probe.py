"""The probe: against a server that takes everything, against odd ones made of functions, and on the command line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from llmock.pytest_plugin import LLMock

from harness.cli import run
from harness.providers.client import Endpoint
from harness.providers.degrade import degraded
from harness.providers.probe import CALL, Probe, probe
from harness.providers.profile_file import profile_text, read_profile_file
from harness.providers.profiles import Api, Profile, make_profile
from harness.providers.types import Exchange, FailedTry, ProviderError, RawCall, Reply, Request, Usage

COMPAT = make_profile("compat", "m", "http://127.0.0.1:1/v1")


async def probed(llmock: LLMock, api: Api, name: str = "compat") -> Probe:
    address = llmock.base_url("anthropic" if api == "messages" else "openai")
    profile = make_profile(name, "m", address, api=api)
    endpoint = Endpoint(profile)
    try:
        return await probe(endpoint.send, profile)
    finally:
        await endpoint.close()


@pytest.mark.parametrize("api", ["chat", "responses", "messages"])
async def test_a_server_that_takes_everything(llmock: LLMock, api: Api) -> None:
    found = await probed(llmock, api)
    assert found.output_mode == "tools"
    works = {finding.name for finding in found.findings if finding.state == "works"}
    assert {"plain text", "tools", "forced call", "named call", "strict tools", "one call only", "temperature"} <= works
    assert ("json_schema" in works) == (api != "messages"), "this server knows another field for schemas there"
    assert found.state("json_object") == ("not sent" if api == "messages" else "unclear"), "it makes up an object"
    assert found.state("text") == "ignored"
    assert found.fields["forced_tool"]
    assert not found.fields["named_tool"]
    assert len(llmock.requests) == len(found.findings) - (api == "messages") + (api == "chat")
    llmock.assert_resilient(strict=True)


class Server:
    """A server made of a few habits. ``refuses`` maps words of a request to the message of its refusal."""

    def __init__(
        self, calls: bool = False, forced: bool = False, objects: tuple[str, ...] = (), **refuses: str
    ) -> None:
        self.calls, self.forced, self.objects, self.refuses = calls, forced, objects, refuses
        self.asked: list[tuple[Request, Profile]] = []

    async def ask(self, req: Request, profile: Profile) -> Exchange:
        self.asked.append((req, profile))
        for field, message in self.refuses.items():
            if getattr(profile, field):
                error = ProviderError("bad_request", message, status=400)
                less = degraded(profile, error)
                if less is None:
                    return Exchange(None, error, b"{}", None, sent=1)
                told = FailedTry(ProviderError("unsupported", message), 0.0)
                return replace(await self.ask(req, less), faults=(told,))
        return Exchange(self._reply(req, profile), None, b"{}", b"{}", sent=1)

    def _reply(self, req: Request, profile: Profile) -> Reply:
        act = RawCall("act", '{"entry": 2}')
        idle = "hello" in req.messages[0][1]
        if req.output_mode == "tools":
            forced = self.forced and (profile.forced_tool or profile.named_tool)
            return Reply((act,)) if forced or (self.calls and not idle) else Reply(text="Hello.")
        return Reply(text=CALL if req.output_mode in self.objects else "Hello.", usage=Usage(10, output=5))


FORCING = 'tool_choice: type "tool" and "any" are not supported for this model'


@pytest.mark.parametrize(
    ("server", "mode", "forced"),
    [
        (Server(calls=True, forced=True, objects=("json_schema",)), "tools", True),
        (Server(calls=True, objects=("json_schema",), forced_tool=FORCING, named_tool=FORCING), "tools", False),
        (Server(calls=True, objects=("json_schema",)), "json_schema", False),  # takes the wish and answers prose
        (Server(objects=("json_schema", "json_object", "text")), "json_schema", False),
        (Server(calls=True, objects=("json_object",)), "tools", False),
        (Server(objects=("json_object", "text")), "json_object", False),
        (Server(objects=("text",)), "text", False),
        (Server(), None, False),
    ],
)
async def test_the_mode_to_use_is_what_is_enforced_before_what_just_happens(
    server: Server, mode: str | None, forced: bool
) -> None:
    found = await probe(server.ask, COMPAT)
    assert (found.output_mode, found.fields["forced_tool"]) == (mode, forced)
    assert found.fields["output_mode"] == (mode or "tools")
    assert all(profile.retries <= 1 for _, profile in server.asked)


async def test_refusals_are_told_as_such(tmp_path: Path) -> None:
    server = Server(
        calls=True,
        forced=True,
        parallel_flag="Unknown parameter: parallel_tool_calls",
        strict="strict is not supported",
        temperature="temperature must be 1",
        reasoning_effort="no",
    )
    found = await probe(server.ask, COMPAT)
    states = {finding.name: (finding.state, finding.detail) for finding in found.findings}
    assert states["one call only"] == ("refused", "Unknown parameter: parallel_tool_calls")
    assert states["strict tools"] == ("refused", "strict is not supported")
    assert states["temperature"] == ("refused", "bad_request: temperature must be 1")
    assert states["reasoning effort"] == ("refused", "bad_request: no")
    assert states["token limit"] == ("unclear", "max_tokens: the answer ended by itself")
    assert (found.fields["parallel_flag"], found.fields["sampling"]) == (False, False)
    path = tmp_path / "p.toml"
    path.write_text(profile_text(found.fields))
    assert make_profile("compat", "m", COMPAT.base_url, file=read_profile_file(str(path))) == replace(
        COMPAT, output_mode="tools", forced_tool=True, sampling=False
    )


async def test_the_name_of_the_token_limit_is_found_out() -> None:
    class Capped(Server):
        def _reply(self, req: Request, profile: Profile) -> Reply:
            if "Count" in req.messages[0][1] and profile.cap_param == "max_completion_tokens":
                return Reply(text="one, two", stop="length")
            return super()._reply(req, profile)

    found = await probe(Capped(calls=True).ask, COMPAT)
    assert found.fields["cap_param"] == "max_completion_tokens"
    assert found.state("token limit") == "works"


async def test_a_server_that_answers_nothing_ends_the_probe(llmock: LLMock) -> None:
    llmock.fail(401, times=None)
    with pytest.raises(ProviderError) as caught:
        await probed(llmock, "chat")
    assert caught.value.kind == "authentication"
    assert len(llmock.requests) == 1


def test_the_command_prints_a_table_and_writes_a_profile(
    llmock: LLMock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "m.toml"
    assert run(["models", "probe", "openai:gpt-5.5", "--write", str(file)]) == 0
    out = capsys.readouterr().out
    assert "openai:gpt-5.5 over the wire format responses:" in out
    assert "  forced call      works\n" in out
    assert "Output mode to use: tools\n" in out
    assert f"?profile={file}" in out
    text = file.read_text()
    assert "# forced call: works\n" in text
    assert "llmock" not in text
    assert read_profile_file(str(file))["api"] == "responses"
    assert run(["models", "probe", "openai:gpt-5.5", "--write", str(file)]) == 2
    assert "exists already" in capsys.readouterr().err


def errors_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


def test_the_command_says_what_is_wrong(llmock: LLMock, capsys: pytest.CaptureFixture[str]) -> None:
    assert "'merchant' is no model" in errors_of(capsys, "models", "probe", "merchant")
    llmock.fail(401, message="bad key", times=None)
    told = errors_of(capsys, "models", "probe", "openai:m")
    assert "is turned away by http://127.0.0.1" in told
    assert "OPENAI_API_KEY" in told
    llmock.reset().fail(404, message="no such model", times=None)
    told = errors_of(capsys, "models", "probe", "anthropic:nobody")
    assert "for the model 'nobody', which it does not have" in told
    assert "start the server" in errors_of(capsys, "models", "probe", "compat:m@http://127.0.0.1:1/v1")
