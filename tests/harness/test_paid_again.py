"""What is asked once more for money, and what is not: retries under a budget, longer answers, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import virtual
from virtual import Inventory, Server

from harness.agents.base import Agent, FeedbackLevel, MatchSettings
from harness.agents.context import RunContext
from harness.agents.random import RandomAgent
from harness.agents.spec import create_agent, parse_spec
from harness.audit.games import Checked, audit_game
from harness.blobs import BlobStore
from harness.budget import Budget, Caps
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.providers.connections import Connections
from harness.providers.network import Wrap
from harness.providers.prices import UnitPrices
from harness.providers.tape import open_tape
from harness.records import AttemptRecord, comparable

SETS = ("macaws", "pandas", "raccoons")
SPEC = "compat:m@http://server/v1?max_output_tokens=2048"
PRICES = {"m": UnitPrices(Decimal(1), Decimal(1), Decimal(1), Decimal(4))}


def game(
    folder: Path,
    wrap: Wrap | None,
    feedback: FeedbackLevel = "rule",
    budget: Budget | None = None,
    tape: tuple[Path | None, Path | None] = (None, None),
) -> GameLog:
    """Play one round of a model against random, or what is left of it; ``tape`` names one to record, one to replay."""
    limits = MatchSettings(attempts=3, feedback=feedback, round_limit=1, rulebook="none")
    plan = MatchPlan("run", 1, "g", 1, 1, 0, "classic", SETS, 5, {"A": "m", "B": "random"}, limits, start="A")
    opened = open_tape(*tape, resume=True)

    async def main() -> None:
        context = RunContext("none", "en", Connections(wrap, opened), budget or Budget(), PRICES, "m")
        model = create_agent(parse_spec(SPEC), context)
        try:
            agents: dict[str, Agent] = {"A": model, "B": RandomAgent("random")}
            await play(plan, agents, folder / "g.jsonl", BlobStore(folder))
        finally:
            await model.close()
            if opened is not None:
                opened.close()

    virtual.run(main())
    return read_log(folder / "g.jsonl")


def mine(log: GameLog) -> list[AttemptRecord]:
    return [record for record in log.attempts if record.seat == "A"]


def plain(log: GameLog) -> list[Any]:
    return [comparable(record) for record in log.records]


def answering(answer: Callable[[Any], httpx2.Response]) -> Server:
    """A server whose answer is made from the body of the request."""
    return Server(lambda server, request: answer(json.loads(request.content)), seconds=0)


def said(text: str, stop: str) -> httpx2.Response:
    return httpx2.Response(200, json={"choices": [{"message": {"content": text}, "finish_reason": stop}]})


def slow_at_first(server: Server, request: httpx2.Request) -> httpx2.Response | None:
    if len(server.arrivals) == 1:
        raise httpx2.ReadTimeout("")
    return None


def test_a_retry_that_the_budget_does_not_cover_is_not_sent_and_the_game_goes_on_with_more(tmp_path: Path) -> None:
    """The first try, which may be charged for at about a cent, leaves less than another may cost."""
    server, tape = Inventory(slow_at_first, seconds=0), tmp_path / "tape.jsonl"
    budget = Budget(Caps(run=Decimal("0.02")))
    first = game(tmp_path / "live", server.wrap, budget=budget, tape=(tape, None))
    assert (first.outcome, len(server.arrivals)) == (None, 1)
    assert [(one.code, one.calls, one.uncertain is None) for one in mine(first)] == [
        ("timeout", 1, False), ("budget", 0, True),
    ]  # fmt: skip
    assert budget.spent == Decimal(mine(first)[0].uncertain or 0)
    assert "the budget of the run, 0.02 US dollars, is reached" in mine(first)[1].detail
    assert budget.closed("g", ["m"])
    stopped = plain(first)
    whole = game(tmp_path / "live", server.wrap, budget=Budget(Caps(run=Decimal(9))), tape=(tape, None))
    assert whole.outcome is not None
    assert plain(whole)[: len(stopped)] == stopped

    replayed = game(tmp_path / "again", None, tape=(None, tape))  # without a budget: the tape knows
    assert plain(replayed) == stopped
    assert plain(game(tmp_path / "again", None, tape=(None, tape))) == plain(whole)


def test_a_server_that_refuses_a_longer_answer_is_asked_for_one_of_the_usual_length(tmp_path: Path) -> None:
    told = "This model's maximum context length is 8192 tokens; you requested 9300 (4096 in the completion)."

    def answer(body: Any) -> httpx2.Response:
        if body["max_tokens"] > 2048:
            return httpx2.Response(400, json={"error": {"message": told}})
        return said("Let me think", "length")

    server = answering(answer)
    log = game(tmp_path, server.wrap)
    assert log.outcome is not None
    assert [body["max_tokens"] for _, body in server.arrivals][:5] == [2048, 4096, 2048, 4096, 2048]
    first = [(one.attempt, one.result, one.code, one.calls) for one in mine(log)][:5]
    assert first == [
        (0, "truncated", None, 1),
        (1, "provider", "context", 1), (1, "truncated", None, 1),
        (2, "provider", "context", 1), (2, "truncated", None, 1),
    ]  # fmt: skip
    assert told in mine(log)[1].detail
    store = BlobStore(tmp_path)
    assert json.loads(store.get(mine(log)[2].request or ""))["max_tokens"] == 2048


def refusing(body: Any) -> httpx2.Response:
    return said("I cannot", "content_filter")


def test_a_refusal_without_feedback_stands_for_all_attempts_and_is_paid_for_once(tmp_path: Path) -> None:
    server = answering(refusing)
    log = game(tmp_path, server.wrap, "none")
    decided = [record for record in log.decisions if record.seat == "A"]
    assert {record.by for record in decided} == {"random_legal"}
    assert len(server.arrivals) == len(decided)
    first = [(one.attempt, one.result, one.calls) for one in mine(log) if one.number == 0]
    assert first == [(0, "refusal", 1), (1, "refusal", 0), (2, "refusal", 0)]
    assert len({one.answer for one in mine(log)}) == 1
    assert all(isinstance(one, Checked) and not one.differences for one in audit_game(log, BlobStore(tmp_path)))


def test_it_stands_as_well_when_the_game_was_interrupted_between(tmp_path: Path) -> None:
    whole = game(tmp_path, answering(refusing).wrap, "none")
    lines = whole.path.read_bytes().splitlines(keepends=True)
    for kept in (2, 3):  # the header, and one or two of the three attempts
        whole.path.write_bytes(b"".join(lines[:kept]))
        assert plain(game(tmp_path, answering(refusing).wrap, "none")) == plain(whole)


def test_with_feedback_the_question_is_another_one_and_is_asked(tmp_path: Path) -> None:
    server = answering(refusing)
    log = game(tmp_path, server.wrap, "illegal")
    assert {one.calls for one in mine(log)} == {1}
    bodies = [json.dumps(body, sort_keys=True) for _, body in server.arrivals]
    assert len(bodies) == len(set(bodies)) == len(mine(log))
