"""Before a tournament every model is asked a tiny question: what can only fail stops the run before it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock

from harness.cli import run
from harness.preflight import preflight
from harness.providers.probe import CALL
from harness.providers.profiles import Profile, make_profile
from harness.providers.types import Exchange, Reply, Request

TOML = """
name = "tiny"
round_limit = 1
attempts = 1
rulebook = "none"
schedule = {rotate = false}

[[entrants]]
name = "model one"
agent = "%s"

[[entrants]]
name = "scripted"
agent = "random"
"""
MODEL = "openai:gpt-5.5?level=L0"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def play(capsys: pytest.CaptureFixture[str], *options: str, agent: str = MODEL, more: str = "", code: int = 0) -> str:
    """Run the tournament; returns what it prints, or for code 2 its complaint."""
    Path("tiny.toml").write_text(TOML % agent + more)
    assert run(["tournament", "run", "tiny.toml", *options]) == code
    told = capsys.readouterr()
    assert (told.out == "") == (code == 2)
    return told.err if code == 2 else told.out


def questions(llmock: LLMock) -> list[Any]:
    """The bodies of the tiny questions."""
    return [record.body for record in llmock.requests if "Choose entry 2" in str(record.body)]


SECOND = f"""
[[entrants]]
name = "same model"
agent = "{MODEL}&menu_limit=50"
[[entrants]]
name = "other model"
agent = "anthropic:claude-haiku-5-5?level=L0"
"""


def test_every_different_model_is_asked_once_before_the_games(
    llmock: LLMock, capsys: pytest.CaptureFixture[str]
) -> None:
    play(capsys, more=SECOND)
    asked = questions(llmock)
    assert [body["model"] for body in asked] == ["gpt-5.5", "claude-haiku-5-5"]
    assert [record.body for record in llmock.requests[:2]] == asked
    assert asked[0]["tool_choice"] == "required"
    before = len(llmock.requests)
    play(capsys, "--resume", more=SECOND)
    assert len(llmock.requests) == before, "nothing is left to play"
    llmock.assert_resilient(strict=True)


def test_it_can_be_left_out(llmock: LLMock, capsys: pytest.CaptureFixture[str]) -> None:
    play(capsys, "--no-preflight")
    assert llmock.requests
    assert questions(llmock) == []


@pytest.mark.parametrize(
    ("status", "code", "says"),
    [
        (401, None, "check the key in the environment variable OPENAI_API_KEY"),
        (403, None, "check the key in the environment variable OPENAI_API_KEY"),
        (404, None, "for the model 'gpt-5.5', which it does not have"),
        (429, "insufficient_quota", "has no credit left"),
        (400, None, "for what it does not take (HTTP 400: no luck): another output_mode or api may do"),
    ],
)
def test_what_can_only_fail_is_told_before_anything_is_written(
    llmock: LLMock, capsys: pytest.CaptureFixture[str], status: int, code: str | None, says: str
) -> None:
    llmock.fail(status, code=code, message=code or "no luck", times=None)
    told = play(capsys, code=2)
    assert told.startswith("dale: entrant 'model one' ")
    assert says in told
    assert told.count("\n") == 1
    assert len(llmock.requests) == 1
    assert not Path("results").exists()


def test_a_server_that_is_not_there_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    told = play(capsys, agent="compat:m@http://127.0.0.1:1/v1", code=2)
    assert "entrant 'model one' gets no answer from http://127.0.0.1:1/v1" in told
    assert "start the server" in told
    assert not Path("results").exists()


def test_what_is_refused_is_said_and_left_out_from_then_on(llmock: LLMock, capsys: pytest.CaptureFixture[str]) -> None:
    llmock.fail(400, message="Invalid value for tool_choice: only 'auto' is supported")
    out = play(capsys)
    assert "Entrant 'model one': HTTP 400: Invalid value for tool_choice" in out
    assert "forced_tool=False" in out
    assert [record.body["tool_choice"] for record in llmock.requests[:3]] == ["required", "auto", "auto"]


def test_what_a_user_asked_for_by_name_is_not_left_out(llmock: LLMock, capsys: pytest.CaptureFixture[str]) -> None:
    llmock.fail(400, message="Unsupported parameter: 'reasoning.effort' is not supported with this model.")
    told = play(capsys, agent=MODEL + "&reasoning_effort=high", code=2)
    assert "entrant 'model one' asks for reasoning_effort=high, which the server does not take: leave it out" in told
    assert not Path("results").exists()


def test_a_wish_for_a_call_that_is_not_heard_is_said_and_sent_no_more(
    llmock: LLMock, capsys: pytest.CaptureFixture[str]
) -> None:
    llmock.tool_mode("off")
    out = play(capsys)
    assert "Entrant 'model one' gave no readable answer to a tiny question (text_only: " in out
    assert "dale models probe says which output mode" in out
    assert [record.body["tool_choice"] for record in llmock.requests[:2]] == ["required", "auto"]


def test_trouble_that_may_pass_does_not_stop_the_run(llmock: LLMock, capsys: pytest.CaptureFixture[str]) -> None:
    llmock.fail(503, times=2)
    assert "try again later" in play(capsys)


class Line:
    """Answers as it should, and counts."""

    def __init__(self) -> None:
        self.asked: list[Profile] = []
        self.degraded: dict[Profile, Profile] = {}

    def current(self, profile: Profile) -> Profile:
        return self.degraded.get(profile, profile)

    async def send(self, req: Request, profile: Profile) -> Exchange:
        self.asked.append(profile)
        return Exchange(Reply(text=CALL), None, b"{}", b"{}", sent=1)


class Wired:
    """An agent with a line and a profile."""

    spec = "local"

    def __init__(self, line: Line, **changes: Any) -> None:
        self.settings: dict[str, Any] = {}
        self.line, self.profile = line, make_profile("local", None, "http://127.0.0.1:1/v1", **changes)

    def wire(self) -> tuple[Line, Profile]:
        return self.line, self.profile

    async def choose(self, turn: Any) -> Any:
        raise AssertionError("no game is played")

    async def close(self) -> None:
        """Nothing is held."""


async def test_the_embedded_model_is_passed_over_unless_it_is_asked_in_another_way() -> None:
    line = Line()
    assert await preflight({"usual": Wired(line), "over responses": Wired(line, api="responses")}) == []
    assert line.asked == []
    assert await preflight({"prose": Wired(line, output_mode="text")}) == []
    assert [profile.output_mode for profile in line.asked] == ["text"]
    assert line.degraded == {}
