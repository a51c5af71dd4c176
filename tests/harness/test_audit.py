"""The audit finds nothing to say against honest logs, and every lie planted in one."""

from __future__ import annotations

import ast
import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Reply as Scripted
from llmock.scenarios import ToolCall

from harness.agents.base import Agent, MatchSettings
from harness.agents.context import RunContext
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.audit.report import Audit, audit, lines
from harness.blobs import BlobStore
from harness.cli import run
from harness.match import play
from harness.plan import MatchPlan
from harness.records import AttemptRecord, Record

ROOT = Path(__file__).parents[2]
SETS = ("macaws", "pandas", "raccoons")
SPECS = {"openai": "openai:gpt-5.5", "anthropic": "anthropic:claude-haiku-5-5", "compat": "compat:m@{url}"}
TWO = Scripted(tool_calls=(ToolCall("inventory", {"cards": []}), ToolCall("inventory", {"cards": ["junk"]})))
FAULTS: list[Callable[[LLMock], object]] = [
    lambda llmock: llmock.break_tool_call("malformed_arguments"),
    lambda llmock: llmock.break_tool_call("unknown_tool"),
    lambda llmock: llmock.reply("I would rather think."),
    lambda llmock: llmock.add(TWO),
    lambda llmock: llmock.reply(""),
    lambda llmock: llmock.add(Scripted(text="I", finish_reason="length")),
    lambda llmock: llmock.call_tool(" Functions.Inventory", {"cards": []}),
    lambda llmock: llmock.call_tool("inventory", {"cards": ["junk", "spaceship"]}),
    lambda llmock: llmock.fail(529),
]


def played(folder: Path, llmock: LLMock, wire: str, options: str, faults: list[Any] = FAULTS) -> Path:
    """A run of one game of a model against random, with each fault injected once; returns the run's folder."""
    spec = f"{SPECS[wire].format(url=llmock.base_url('openai'))}?{options}"
    limits = MatchSettings(attempts=2, round_limit=8, rulebook="none")
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", SETS, 5, {"A": "model", "B": "random"}, limits)
    waiting = list(faults)

    def inject_next(record: Record) -> None:
        """One fault at a time: the next is set once the answer to the one before is in the log."""
        if waiting and isinstance(record, AttemptRecord) and record.seat == "A" and record.result != "provider":
            waiting.pop(0)(llmock)

    async def go() -> None:
        agent = create_agent(parse_spec(spec), RunContext("none"))
        try:
            agents: dict[str, Agent] = {"A": agent, "B": RandomAgent("random")}
            await play(plan, agents, folder / "games" / "g.jsonl", BlobStore(folder / "blobs"), observe=inject_next)
        finally:
            await agent.close()

    asyncio.run(go())
    assert not waiting
    return folder


def fields_of(found: Audit) -> list[str]:
    return [one.field for one in found.disagreements]


@pytest.mark.parametrize("options", ["level=L0", "level=L0&menu_limit=4", "level=L1", "level=L2"])
@pytest.mark.parametrize("wire", list(SPECS))
def test_a_log_with_every_fault_of_a_model_is_confirmed(
    llmock: LLMock, tmp_path: Path, wire: str, options: str
) -> None:
    found = audit(played(tmp_path, llmock, wire, options))
    assert "\n".join(lines(found)).count("DIFFERENT") == len(found.disagreements) == 0
    assert found.logged == found.alike
    assert {"format", "text_only", "truncated", "empty", "provider"} <= set(found.logged)
    if "L0" not in options:
        assert found.logged["rule"]


@pytest.mark.parametrize("path", sorted((ROOT / "harness" / "audit").glob("*.py")), ids=lambda path: path.stem)
def test_the_audit_imports_nothing_of_the_providers(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not [name for name in names if name.startswith("harness.providers")]


def test_nothing_the_audit_uses_brings_in_the_code_it_checks() -> None:
    script = "import sys, harness.audit.report; print(*(name for name in sys.modules if 'providers' in name))"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) <= {"harness.providers", "harness.providers.types"}


# --- lies -----------------------------------------------------------------------------------------------------------


def edit(folder: Path, wanted: Callable[[dict[str, Any]], bool], change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the first record of the game log that is wanted."""
    path = folder / "games" / "g.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    change(next(record for record in records if wanted(record)))
    path.write_text("".join(json.dumps(record, sort_keys=True) + "\n" for record in records))


def is_attempt(result: str) -> Callable[[dict[str, Any]], bool]:
    return lambda record: record["record"] == "attempt" and record["seat"] == "A" and record["class"] == result


def is_decision(by: str) -> Callable[[dict[str, Any]], bool]:
    return lambda record: record["record"] == "decision" and record["seat"] == "A" and record["by"] == by


LIES: list[tuple[str, Callable[[dict[str, Any]], bool], dict[str, Any], str]] = [
    ("a broken call as prose", is_attempt("format"), {"class": "text_only", "code": None}, "class"),
    ("prose as a broken call", is_attempt("text_only"), {"class": "format", "code": "malformed_arguments"}, "class"),
    ("a cut answer as an empty one", is_attempt("truncated"), {"class": "empty"}, "class"),
    ("an empty answer as the provider's fault", is_attempt("empty"), {"class": "provider"}, "class"),
    ("a broken rule as the provider's fault", is_attempt("rule"), {"class": "provider", "code": "timeout"}, "class"),
    ("another code", is_attempt("rule"), {"code": "overpay_unneeded_card"}, "code"),
    ("another kind of format failure", is_attempt("format"), {"code": "unknown_action"}, "code"),
    ("violations left out", is_attempt("rule"), {"violations": []}, "violations"),
    ("other arguments stated", is_attempt("rule"), {"stated": {"tool": "inventory", "arguments": {}}}, "stated"),
    ("nothing stated", is_attempt("accepted"), {"stated": None}, "stated"),
    ("a call stated where there was none", is_attempt("text_only"), {"stated": {"tool": "skip"}}, "stated"),
    ("another proposal", is_attempt("rule"), {"proposal": {"tool": "skip", "arguments": {}}}, "proposal"),
    ("a repair that was not needed", is_attempt("rule"), {"repairs": ["case"]}, "repairs"),
    ("a raw answer left out", is_attempt("rule"), {"answer": None}, "answer"),
    ("a raw answer that is not there", is_attempt("rule"), {"answer": "0" * 64}, "answer"),
]


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an honest run, by path, once the first test has played it."""
    return {}


@pytest.fixture
def folder(llmock: LLMock, tmp_path: Path, honest: dict[str, bytes]) -> Path:
    if not honest:
        source = played(tmp_path / "first", llmock, "compat", "level=L2")
        honest |= {str(path.relative_to(source)): path.read_bytes() for path in source.rglob("*") if path.is_file()}
    for name, data in honest.items():
        path = tmp_path / "run" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "run"


@pytest.mark.parametrize(("wanted", "change", "field"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES])
def test_a_planted_lie_is_found(
    folder: Path, wanted: Callable[[dict[str, Any]], bool], change: dict[str, Any], field: str
) -> None:
    assert not audit(folder).disagreements
    edit(folder, wanted, lambda record: record.update(change))
    assert field in fields_of(audit(folder))


def test_a_hidden_repair_is_found(folder: Path) -> None:
    edit(folder, lambda record: bool(record.get("repairs")), lambda record: record.update(repairs=[]))
    assert fields_of(audit(folder)) == ["repairs"]


def test_a_move_the_model_did_not_state_is_found(folder: Path) -> None:
    edit(folder, is_decision("random_legal"), lambda record: record.update(by="agent"))
    assert fields_of(audit(folder)) == ["played"]


def test_a_policy_that_did_not_wait_for_the_last_attempt_is_found(folder: Path) -> None:
    edit(folder, lambda record: record["record"] == "header", lambda record: record.update(attempts=3))
    assert set(fields_of(audit(folder))) == {"policy"}


def test_a_lie_in_the_log_about_what_happened_is_found(folder: Path) -> None:
    edit(folder, is_decision("agent"), lambda record: record.update(events=[]))
    assert fields_of(audit(folder))[-1] == "replay"


def test_the_command_lists_what_differs_and_says_so_with_its_exit_code(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", str(folder)]) == 0
    assert "0 disagreements" in capsys.readouterr().out
    edit(folder, is_attempt("text_only"), lambda record: record.update({"class": "empty"}))
    assert run(["audit", "run", "--results", str(folder.parent)]) == 1
    shown = capsys.readouterr().out
    assert "decision" in shown
    assert "audited: text_only" in shown
    assert "I would rather think." in shown
    assert run(["audit", str(folder / "games" / "g.jsonl"), "--json"]) == 1
    (one,) = json.loads(capsys.readouterr().out)["disagreements"]
    assert (one["field"], one["logged"], one["audited"]) == ("class", "empty", "text_only")
    assert len(one["answer"]) == 64
    assert run(["audit", str(folder / "nowhere")]) == 2
