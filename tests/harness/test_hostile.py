"""Whatever models, servers, names and files say is shown as data: no control sequences, no markup, no new headings."""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hostile import EVERYTHING, HOSTILE, ORDER, leaks
from llmock.pytest_plugin import LLMock
from persons import person
from rich.console import Console

from harness import prompting
from harness.agents.base import Agent, Answer, Fault, MatchSettings, Turn
from harness.agents.random import RandomAgent
from harness.blobs import BlobStore
from harness.budget import Budget
from harness.cli import run
from harness.config import make_tournament
from harness.log import read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.progress import showing
from harness.prompting import PromptOptions
from harness.randomness import Draws
from harness.report import make_report, read_logs
from harness.store import create_run
from harness.tables import print_report
from harness.tournament import play_run, seated

texts = pytest.mark.parametrize("text", list(HOSTILE.values()), ids=list(HOSTILE))
LEVELS: tuple[prompting.Level, ...] = ("L0", "L1", "L2")
PROMPTS = [PromptOptions(level=level, language=language) for level in LEVELS for language in ("en", "pt-BR")]


def forms(text: str) -> list[Answer]:
    """Answers that say a text in every place an answer has, in all classes a match tells apart."""
    calls: list[dict[str, Any]] = [
        {"tool": text, "arguments": {}},
        {"tool": "inventory", "arguments": {"cards": [text, text]}},
        {"tool": "inventory", "arguments": {text: [text], "cards": []}},
        {"tool": "inventory", "arguments": {"cards": text}},
        {"tool": "market", "arguments": {"source": text, "payment": [text]}},
        {"tool": "technique", "arguments": {"card": text, "choices": {"option": text, "stack": {"card": text}}}},
        {"tool": "stall", "arguments": {"cards": [text], "adjust": [{"card": text, "by": 1}], "stack": text}},
        {"tool": "ability", "arguments": {"card": text, "copies": [{"card": text, "targets": [text]}]}},
    ]
    stated = {"tool": text, "arguments": text}
    return [
        *(Answer(proposal=call) for call in calls),
        Answer(failure="text_only", detail=text),
        Answer(failure="refusal", detail=text, answer=text.encode("utf-8", "replace")),
        Answer(failure="format", code="malformed_arguments", detail=text, stated=stated),
        Answer(failure="format", code="malformed_arguments", detail=text, stated={"calls": [stated, stated]}),
    ]


class Hostile(RandomAgent):
    """States each of its answers in turn, up to two at a decision, and plays on; tells ``told`` its turns."""

    def __init__(
        self, text: str, answers: list[Answer] | None = None, told: Callable[[Turn], None] | None = None
    ) -> None:
        super().__init__("random")
        self.text, self.answers, self.told = text, forms(text) if answers is None else answers, told

    async def choose(self, turn: Turn) -> Answer:
        if self.told is not None:
            self.told(turn)
        if turn.attempt < 2 and self.answers:
            return replace(self.answers.pop(), faults=(Fault("server_error", self.text),))
        return Answer(proposal=Draws(*turn.key).choice(turn.legal))


def hostile_game(folder: Path, text: str, agents: Mapping[str, Agent] | None = None) -> Path:
    """Play a short game of a player with this name, who says it wherever something can be said; returns its log."""
    limits = MatchSettings(attempts=3, round_limit=8, feedback="explain")
    names = {"A": text, "B": "other"}
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", ("macaws", "pandas", "raccoons"), 5, names, limits)
    agents = agents or {"A": Hostile(text), "B": RandomAgent("random")}
    asyncio.run(play(plan, agents, folder / "games" / "g.jsonl", BlobStore(folder / "blobs")))
    return folder / "games" / "g.jsonl"


@texts
def test_a_second_attempts_prompt_quotes_it_as_one_line_of_data(tmp_path: Path, text: str) -> None:
    ways = iter(PROMPTS * 10)
    prompts: list[tuple[str, str, int]] = []

    def told(turn: Turn) -> None:
        """Build the prompt as it is, and as it would be without the earlier attempts."""
        if turn.feedback:
            options = next(ways)
            system, ((_, message),) = prompting.build_messages(turn, options)
            before = prompting.last_message(replace(turn, feedback=(), attempt=0), options)
            prompts.append((before, f"{system}\n{message}", len(turn.feedback)))
            assert message.count("\n# ") == before.count("\n# ") + 1
            assert len(message) < len(before) + 5000 * len(turn.feedback)

    hostile_game(tmp_path, text, agents={"A": Hostile(text, told=told), "B": RandomAgent("random")})
    assert len(prompts) == len(forms(text))
    for _, shown, _ in prompts:
        assert leaks(shown) == []
        assert not re.search(rf"^\W*{ORDER}", shown, re.MULTILINE)
        assert "{{ 7 * 7 }}" not in text or "49" not in shown
    assert any(text[:20] in shown for _, shown, _ in prompts) or not text[:20].isprintable()


def test_the_names_of_the_players_stand_in_no_prompt(tmp_path: Path) -> None:
    prompts: list[str] = []

    def told(turn: Turn) -> None:
        system, messages = prompting.build_messages(turn, PromptOptions())
        prompts.append(system + messages[0][1])

    limits = MatchSettings(round_limit=3)
    names = {"A": "Marigold", "B": f"Zebulon: {ORDER}"}
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", None, 5, names, limits)
    agents: dict[str, Agent] = {"A": Hostile("x", [], told), "B": RandomAgent("random")}
    asyncio.run(play(plan, agents, tmp_path / "g.jsonl", BlobStore(tmp_path)))
    assert len(prompts) >= 3
    assert not [one for one in prompts if "Marigold" in one or "Zebulon" in one or ORDER in one]


@texts
def test_replay_report_and_audit_show_it_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    log = hostile_game(tmp_path, text)
    for language in ("en", "pt-BR"):
        assert run(["replay", str(log), "--lang", language]) == 0
    assert run(["report", str(tmp_path), "--following"]) == 0
    assert run(["export", str(tmp_path), "--to", str(tmp_path / "tables")]) == 0
    assert run(["audit", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert leaks("".join(path.read_text() for path in (tmp_path / "tables").iterdir())) == []
    assert leaks(out + err) == []
    assert max(map(len, out.split("\n"))) < 3000
    assert run(["report", str(tmp_path), "--json"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out)


@texts
def test_a_table_shows_a_name_as_it_is_written(tmp_path: Path, text: str) -> None:
    log = hostile_game(tmp_path, text[:40])
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system="truecolor", width=200, highlight=False, emoji=False)
    print_report(console, make_report(read_logs(tmp_path)))
    styled = out.getvalue()
    assert "\x1b]8" not in styled
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]m", styled)
    bare = re.sub(r"\x1b\[[0-9;]*m", "", styled)
    assert leaks(bare) == []
    for part in ("[red]x[/red]", ":skull:", "{{ 7 * 7 }}"):
        assert (part in text) == (part in bare)
    assert log.exists()


# A log of somebody else: every text in it may mean harm. What the models of the records check (classes, seats, numbers)
# is refused by the reader; the rest is shown.
SPOILS: dict[str, tuple[str, Callable[[dict[str, Any], str], Any]]] = {
    "run": ("header", lambda record, text: record.update(run=text)),
    "game": ("header", lambda record, text: record.update(game=text)),
    "name": ("header", lambda record, text: record["seats"]["B"].update(name=text)),
    "agent": ("header", lambda record, text: record["seats"]["A"].update(agent=text)),
    "settings": ("header", lambda record, text: record["seats"]["A"].update(settings={text: text, "language": text})),
    "versions": ("header", lambda record, text: record.update(engine_version=text, rules_version=text)),
    "sets": ("header", lambda record, text: record.update(sets=[text, text, text])),
    "code": ("attempt", lambda record, text: record.update(code=text)),
    "detail": ("attempt", lambda record, text: record.update(detail=text, repairs=[text])),
    "violation": (
        "attempt",
        lambda record, text: record.update(violations=[{"code": text, "rules": [text], "facts": {text: text}}]),
    ),
    "event": ("decision", lambda record, text: record.update(events=[{"type": text, "seat": text, text: text}])),
    "known event": ("decision", lambda record, text: record["events"][0].update(card=text, cards=[text])),
    "proposal": ("decision", lambda record, text: record.update(proposal={"tool": text, "arguments": {text: text}})),
    "asks": ("decision", lambda record, text: record.update(asks=text, card=text)),
}


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of a log with attempts of all classes."""
    return hostile_game(tmp_path_factory.mktemp("log"), "x").read_text().splitlines()


@pytest.mark.parametrize("spoil", list(SPOILS))
def test_a_log_of_somebody_else_is_shown_clean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], spoil: str
) -> None:
    kind, change = SPOILS[spoil]
    log = tmp_path / "games" / "a\x1b[31m[red]\u202e.jsonl"
    log.parent.mkdir()
    for text in (EVERYTHING, HOSTILE["lone surrogate"]):
        records = [json.loads(line) for line in lines]
        wanted = [one for one in records if one["record"] == kind and (kind != "attempt" or one["class"] == "rule")]
        change(wanted[0], text)
        log.write_text("".join(json.dumps(record) + "\n" for record in records))
        for command in (["replay", str(log)], ["report", str(tmp_path), "--following"], ["audit", str(log)]):
            assert run(command) in (0, 1, 2)
        assert run(["replay", str(log), "--check"]) in (0, 1, 2)
        log.write_text(log.read_text()[:-20])  # torn
        assert run(["report", str(tmp_path)]) in (0, 2)
    out, err = capsys.readouterr()
    assert leaks(out + err) == []
    assert out or err


@texts
def test_a_tournament_shows_it_clean_in_progress_and_endings(tmp_path: Path, text: str) -> None:
    name = "".join(c for c in text if c.isprintable())[:150].strip()
    entrants = [{"name": name, "agent": "random"}, {"name": "other", "agent": "random"}]
    run_ = create_run(tmp_path, make_tournament({"name": "run", "round_limit": 1, "entrants": entrants}, "test"))
    down = Answer(failure="provider", code="quota", detail=text, faults=(Fault(text, text),))

    class Down(RandomAgent):
        async def choose(self, turn: Turn) -> Answer:
            return down

    async def go(screen: Console) -> None:
        async with seated(run_.tournament, lambda spec, context: Down("random")) as agents:
            with showing(screen, run_, Budget()) as watcher:
                await play_run(run_, agents, watcher, signals=False)

    out = io.StringIO()
    asyncio.run(go(Console(file=out, width=500)))
    assert leaks(out.getvalue()) == []
    assert "quota" in out.getvalue()


@texts
def test_a_name_that_cannot_be_printed_is_refused_and_told_clean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    spelled = json.dumps(text[:300]).replace("\\ud83d", "\\u0000")  # TOML has no half characters
    path = tmp_path / "t.toml"
    path.write_text(
        f'name = "run"\n[[entrants]]\nagent = "random"\nname = {spelled}\n[[entrants]]\nagent = "merchant"\n'
    )
    code = run(["tournament", "run", str(path), "--results", str(tmp_path / "results")])
    assert (code == 0) == (text[:300].isprintable() and text[:300].strip() == text[:300] and len(text) < 200)
    assert leaks("".join(capsys.readouterr())) == []


@texts
def test_errors_repeat_it_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(text.encode("utf-8", "replace"))
    for command in (
        ["play", "--against", text[:500], "--results", str(tmp_path)],
        ["play", "--lang", text[:500]],
        ["report", text[:100].replace("\x00", "")],
        ["replay", text[:100].replace("\x00", "")],
        ["tournament", "run", text[:100].replace("\x00", "")],
        ["tournament", "run", str(path)],
        ["scenario", "check", str(path)],
        ["rules", f"{text[:100]} no such thing"],
        ["cards", text[:100]],
        [text[:100]],
        ["report", f"--{text[:100]}"],
    ):
        assert run(command) != 0
    out, err = capsys.readouterr()
    assert leaks(out + err) == []
    assert err.count("\n") == err.count("dale: ")


@texts
def test_a_person_is_shown_it_clean(tmp_path: Path, text: str) -> None:
    typed = [json.dumps(one.proposal) for one in forms(text) if one.proposal]
    typed += [f"why {line}" for line in typed] + [text[:200].replace("\n", " "), "state", "{", *["0"] * 12]
    human, screen = person(typed)
    limits = MatchSettings(attempts=1000, round_limit=4, feedback="explain")
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", None, 5, {"A": "you", "B": "other"}, limits)
    agents: dict[str, Agent] = {"A": human, "B": Hostile(text)}
    asyncio.run(play(plan, agents, tmp_path / "g.jsonl", BlobStore(tmp_path)))
    assert len(screen.shown) > 20
    assert leaks(screen.text) == []
    assert max(len(line) for one in screen.shown for line in one.split("\n")) < 3000


def test_what_a_server_says_is_told_clean(llmock: LLMock, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.toml"
    spec = f"compat:m@{llmock.base_url('openai')}?rulebook=none"
    path.write_text(
        'name = "run"\nround_limit = 5\nattempts = 1\n'
        f'schedule = {{kind = "line_ups", rotate = false, line_ups = [["m", "r"]]}}\n'
        f'entrants = [{{name = "m", agent = "{spec}"}}, {{name = "r", agent = "random"}}]\n'
    )
    said = [text[:3000] for text in HOSTILE.values() if "\ud83d" not in text]
    for text in said[:4]:
        llmock.reply(text)
    llmock.call_tool("inventory", {"cards": said})
    llmock.fail(401, message=" ".join(said), times=None)
    assert run(["tournament", "run", str(path), "--no-preflight", "--results", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "its provider said" in out
    assert leaks(out + err) == []
    log = next((tmp_path / "run" / "games").glob("*.jsonl"))
    assert leaks(log.read_text()) == []
    assert read_log(log).attempts[-1].code == "authentication"
    assert run(["replay", str(log)]) == 0
    assert leaks(capsys.readouterr().out) == []
