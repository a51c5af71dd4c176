"""Keys come from the environment and go to their server, and nowhere else."""

from __future__ import annotations

import asyncio
import gzip
import io
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest
import zstandard
from llmock.pytest_plugin import LLMock
from rich.console import Console

from harness.agents.base import Agent, Answer, Turn
from harness.agents.context import RunContext
from harness.agents.random import RandomAgent
from harness.agents.served import join
from harness.agents.spec import AgentSpec, create_agent, parse_spec
from harness.budget import Budget
from harness.cli import run
from harness.config import make_tournament
from harness.errors import UserError
from harness.progress import showing
from harness.providers.connections import Connections
from harness.providers.tape import open_tape
from harness.secrets import without_keys
from harness.store import create_run
from harness.tournament import RunResult, play_run, seated

CANARY = "sk-CANARY-0123456789abcdef"
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "compat": "DALE_COMPAT_API_KEY"}
SPECS = {"openai": "openai:gpt-5.5", "anthropic": "anthropic:claude-haiku-5-5", "compat": "compat:m@{url}"}


class Crashing(RandomAgent):
    """Breaks down over an SDK's exception, and tells everything it holds."""

    async def choose(self, turn: Turn) -> Answer:
        if turn.number < 3:
            return await super().choose(turn)
        request = httpx2.Request("POST", "http://h/v1", headers={"Authorization": f"Bearer {CANARY}"})
        response = httpx2.Response(401, request=request)
        try:
            raise openai.AuthenticationError(f"bad key {CANARY}", response=response, body=None)
        except openai.AuthenticationError as error:
            error.add_note(f"sent: {error.request.headers['authorization']}")
            raise RuntimeError(f"a bug: {dict(error.request.headers)}\x1b[31m") from error


def unpacked(data: bytes) -> bytes:
    """The bytes themselves, of a packed file what is in it."""
    if data.startswith(zstandard.FRAME_HEADER):
        return zstandard.decompress(data)
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def artefacts(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Everything below a folder, file names too, unpacked where it is packed."""
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        yield str(path), unpacked(data)


def play(results: Path, name: str, spec: str, screen: io.StringIO) -> RunResult:
    """Play a run of two short games of a model: against random, and against an agent that breaks down."""
    line_ups = [["model", "random"], ["model", "crashing"]]
    data = {
        "name": name,
        "round_limit": 2,
        "attempts": 2,
        "rulebook": "none",
        "schedule": {"kind": "line_ups", "rotate": False, "line_ups": line_ups},
        "entrants": [{"name": "model", "agent": spec}, *({"name": one[1], "agent": "random"} for one in line_ups)],
    }
    made = create_run(results, make_tournament(data, "test"))
    makers: Iterator[Callable[[AgentSpec, RunContext], Agent]] = iter(
        (create_agent, create_agent, lambda spec, context: Crashing(str(spec)))
    )

    async def go() -> RunResult:
        tape = open_tape(results / f"{name}-tape", None, False)
        assert tape is not None
        connections = Connections(tape=tape)
        try:
            async with seated(
                made.tournament, lambda spec, context: next(makers)(spec, context), connections=connections
            ) as agents:
                with showing(Console(file=screen), made, Budget()) as watcher:
                    return await play_run(made, agents, watcher, signals=False)
        finally:
            tape.close()

    return asyncio.run(go())


@pytest.mark.parametrize("provider", list(SPECS))
def test_no_artefact_of_a_run_holds_the_key(
    llmock: LLMock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    provider: str,
) -> None:
    monkeypatch.setenv(KEYS[provider], CANARY)
    caplog.set_level(logging.DEBUG)
    spec = SPECS[provider].format(url=llmock.base_url("openai"))
    screen = io.StringIO()
    llmock.fail(529).break_tool_call("unknown_tool").reply("I would rather think.")
    (crash,) = play(tmp_path, "faults", spec, screen).crashed.values()
    assert "AuthenticationError" in crash.read_text()
    assert "[key]" in crash.read_text()
    assert "\x1b" not in crash.read_text()
    llmock.fail(401, message=f"Incorrect API key: {CANARY}; sent was Bearer {CANARY}", times=None)
    refused = play(tmp_path, "refused", spec, screen).refused["model"]
    assert "Incorrect API key: [key]" in refused

    for name in ("faults", "refused"):
        folder = str(tmp_path / name)
        assert [run(["report", folder]), run(["report", folder, "--json"]), run(["audit", folder])] == [0, 0, 0]
        for game in sorted((tmp_path / name / "games").glob("*.jsonl")):
            assert run(["replay", str(game)]) == 0
    out, err = capfd.readouterr()
    shown = [("stdout", out), ("stderr", err), ("log", caplog.text), ("screen", screen.getvalue()), ("", refused)]
    found = [*artefacts(tmp_path), *((name, text.encode()) for name, text in shown)]
    assert len(found) > 20
    assert [name for name, content in found if CANARY.encode() in content or CANARY in name] == []


@pytest.mark.parametrize(
    "spec",
    [
        f"openai:{CANARY}",
        f"openai:m?api_key={CANARY}",
        "openai:m?token=abcdefgh",
        f"compat:m@http://h/v1?key={CANARY}",
        "compat:m@http://me:CANARY@h/v1",
        f"compat:m@http://{CANARY}@h/v1",
        "compat:m@http://me:CANARY/pw@h/v1",
        "compat:m@http://CANARY-CANARY@h/v1",
        f"nobody:{CANARY}",
        f"sloppy:{CANARY}",
    ],
)
def test_a_key_in_a_spec_is_refused_and_not_repeated(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UserError, match="environment variables") as caught:
        parse_spec(spec)
    assert "CANARY" not in str(caught.value)
    assert run(["play", "--against", spec, "--results", str(tmp_path)]) == 2
    assert "CANARY" not in "".join(capsys.readouterr())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"api_key": "CANARY-x"}, "api_key"),
        ({"title": f"with {CANARY}"}, "title"),
        ({"entrants": [{"agent": "random", "name": "x", "token": "CANARY"}]}, "entrants[0].token"),
        ({"entrants": [{"agent": f"openai:m?api_key={CANARY}"}]}, "entrants[0].agent"),
        ({"schedule": {CANARY: 1}}, "schedule"),
        ({"run": {"url": "http://me:CANARY@h"}}, "run.url"),
    ],
)
def test_a_key_in_a_tournament_file_is_refused_and_not_repeated(change: dict[str, Any], place: str) -> None:
    data = {"name": "run", "entrants": [{"agent": "random"}, {"agent": "merchant"}]} | change
    with pytest.raises(UserError, match="holds what looks like a key") as caught:
        make_tournament(data, "my.toml")
    assert str(caught.value).startswith(f"my.toml: {place} holds")
    assert "CANARY" not in str(caught.value)


@pytest.mark.parametrize(
    "spec",
    [
        "compat:task-lm-0123456789abcdef@http://127.0.0.1:8101/v1",
        "openai:gpt-5.5?max_output_tokens=100",
        "compat:a@b/c:free@https://h:8443/v1",
        "compat:m@http://h/v1?profile=/home/me@h/p.toml",
    ],
)
def test_what_is_no_key_passes(spec: str) -> None:
    assert str(parse_spec(spec)) == spec


def test_crash_reports_lose_the_values_of_secret_variables_and_what_looks_like_a_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MY_SECRET_THING", "correct-horse")
    monkeypatch.setenv("SOME_TOKEN", "1")
    text = "correct-horse, Bearer abc.def, 'authorization': 'Bearer xyz0', sk-proj-0123456789abcd, 1 http://u:pw@h"
    assert without_keys(text) == "[key], Bearer [key], 'authorization': 'Bearer [key]', [key], 1 [key]h"


def test_they_lose_the_value_of_a_variable_that_a_profile_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MY_GATEWAY", "abcdEFGH12345678")
    (tmp_path / "p.toml").write_text('key_env = "MY_GATEWAY"')
    join(parse_spec(f"compat:m@http://h/v1?profile={tmp_path}/p.toml"))
    assert without_keys("bad key abcdEFGH12345678") == "bad key [key]"
