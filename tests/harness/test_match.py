from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.agents.base import Agent, Answer, Fault, Leave, MatchSettings, Turn, Usage
from harness.agents.random import RandomAgent
from harness.blobs import BlobStore
from harness.canonical import digest
from harness.errors import UserError
from harness.log import read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.randomness import Draws
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord, comparable

ILLEGAL = {"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}


class Scripted:
    """Answers with a function; remembers the turns it was given."""

    def __init__(self, answer: Callable[[Turn], Answer], name: str = "scripted") -> None:
        self.spec = name
        self.settings: dict[str, Any] = {"language": "en"}
        self.turns: list[Turn] = []
        self._answer = answer

    async def choose(self, turn: Turn) -> Answer:
        self.turns.append(turn)
        return self._answer(turn)

    async def close(self) -> None:
        pass


def legal(turn: Turn) -> Answer:
    return Answer(proposal=Draws(*turn.key).choice(turn.legal))


def careless(turn: Turn) -> Answer:
    """Break rules and form now and then, as a function of the key and the attempt."""
    told = sum(len(feedback.violations) for feedback in turn.feedback)
    draws = Draws(*turn.key, turn.attempt, len(turn.feedback), len(turn.history), told)
    kind = draws.below(10)
    if kind < 2:
        return Answer(proposal=ILLEGAL)
    if kind == 2:
        return Answer(failure="text_only", detail="hm", usage=Usage(output=3), calls=1, answer=b"hm")
    if kind == 3:
        return Answer(proposal={"tool": "dance", "arguments": {}})
    asked = digest([[note.kind, note.data] for note in turn.record]).encode()  # what a model at L4 is told of the game
    return Answer(proposal=draws.choice(turn.legal), request=asked, answer=b"do", calls=1, cost="0.25")


def plan(**changes: Any) -> MatchPlan:
    base = MatchPlan("run", 1, "game", 1, 1, 0, "classic", None, 5, {"A": "x", "B": "y"}, MatchSettings(round_limit=4))
    return replace(base, **changes)


def limits(**changes: Any) -> MatchSettings:
    return replace(MatchSettings(round_limit=4), **changes)


def run(folder: Path, agents: dict[str, Agent], match: MatchPlan | None = None, **more: Any) -> OutcomeRecord | None:
    return asyncio.run(play(match or plan(), agents, folder / "g.jsonl", BlobStore(folder / "blobs"), **more))


def attempts(folder: Path) -> list[AttemptRecord]:
    return read_log(folder / "g.jsonl").attempts


def decisions(folder: Path) -> list[DecisionRecord]:
    return read_log(folder / "g.jsonl").decisions


def test_a_random_game_is_logged_whole(tmp_path: Path) -> None:
    told: list[str] = []
    agents: dict[str, Agent] = {seat: RandomAgent("random") for seat in "AB"}
    outcome = run(tmp_path, agents, observe=lambda record: told.append(record.record))
    log = read_log(tmp_path / "g.jsonl")
    assert outcome is not None
    assert outcome == log.outcome
    assert outcome.result == "unfinished"
    assert outcome.reason == "round_limit"
    assert outcome.rounds == 4
    assert sorted(seat for group in outcome.ranking for seat in group) == ["A", "B"]
    assert [record.number for record in log.decisions] == list(range(outcome.decisions))
    assert [record.number for record in log.attempts] == list(range(outcome.decisions))
    assert {record.result for record in log.attempts} == {"accepted"}
    assert {record.round for record in log.decisions} == {1, 2, 3, 4}
    assert told == [record.record for record in log.records]
    assert log.header.seats["A"].name == "x"
    assert log.header.round_limit == 4
    assert len(log.header.sets) == 3


def test_a_draft_is_logged_and_gone_on_with(tmp_path: Path) -> None:
    match = plan(variant="tournament", start="B")
    agents: dict[str, Agent] = {seat: RandomAgent("random") for seat in "AB"}
    whole = run(tmp_path / "whole", agents, match)
    asked = [(record.seat, record.kind, record.asks, record.round) for record in decisions(tmp_path / "whole")[:5]]
    bans = [("B", "effect_choice", "ban", 0), ("A", "effect_choice", "ban", 0)]
    assert asked[:2] == bans
    assert asked[2:] == [("B", "effect_choice", "pick", 0), ("A", "effect_choice", "pick", 0), ("B", "action", "", 1)]
    header = read_log(tmp_path / "whole" / "g.jsonl").header
    assert (header.variant, header.sets, header.start) == ("tournament", [], "B")
    calls = iter(range(100))
    assert run(tmp_path / "cut", agents, match, stop=lambda: next(calls) == 3) is None
    assert len(decisions(tmp_path / "cut")) == 3
    assert run(tmp_path / "cut", agents, match) == whole
    logs = [read_log(tmp_path / folder / "g.jsonl") for folder in ("whole", "cut")]
    assert [comparable(record) for record in logs[0].records] == [comparable(record) for record in logs[1].records]


@pytest.mark.rules("R-END-04")
def test_a_game_that_reaches_the_round_limit_is_unfinished_and_ranked_by_stacks(tmp_path: Path) -> None:
    agents: dict[str, Agent] = {seat: RandomAgent("random") for seat in "AB"}
    outcome = run(tmp_path, agents, plan(seed=6, settings=limits(round_limit=40)))
    assert outcome is not None
    assert (outcome.result, outcome.reason, outcome.winner, outcome.rounds) == ("unfinished", "round_limit", None, 40)
    assert len(set(outcome.stacks.values())) == 2
    assert outcome.ranking == [[seat] for seat in sorted("AB", key=lambda seat: -outcome.stacks[seat])]


@pytest.mark.rules("R-END-01")
def test_a_long_game_ends_with_a_winner(tmp_path: Path) -> None:
    agents: dict[str, Agent] = {seat: RandomAgent("random") for seat in "AB"}
    outcome = run(tmp_path, agents, plan(settings=limits(round_limit=5000)))
    assert outcome is not None
    assert outcome.result == "win"
    assert outcome.reason == "eighth_stack"
    assert outcome.winner is not None
    assert outcome.ranking[0] == [outcome.winner]
    assert outcome.stacks[outcome.winner] == 8


def test_a_refused_attempt_is_classed_and_told_and_changes_nothing(tmp_path: Path) -> None:
    agent = Scripted(lambda turn: Answer(proposal=ILLEGAL) if turn.attempt == 0 else legal(turn))
    run(tmp_path, {"A": agent, "B": agent})
    first, second = attempts(tmp_path)[:2]
    assert (first.result, first.attempt, first.proposal) == ("rule", 0, ILLEGAL)
    assert first.code == first.violations[0].code
    assert all(rule.startswith("R-") for rule in first.violations[0].rules)
    assert (second.result, second.attempt, second.code) == ("accepted", 1, None)
    assert agent.turns[0].observation == agent.turns[1].observation
    assert agent.turns[0].feedback == ()
    (told,) = agent.turns[1].feedback
    assert told.failure == "rule"
    assert told.stated == ILLEGAL
    assert told.violations[0].code == first.code
    assert told.message.endswith(".")


@pytest.mark.parametrize(
    ("level", "codes", "facts"),
    [("none", None, False), ("illegal", [], False), ("code", 1, False), ("rule", 1, True), ("explain", 1, True)],
)
def test_feedback_tells_no_more_than_its_level(tmp_path: Path, level: Any, codes: Any, facts: bool) -> None:
    agent = Scripted(lambda turn: Answer(proposal=ILLEGAL) if turn.attempt == 0 else legal(turn))
    run(tmp_path, {"A": agent, "B": agent}, plan(settings=limits(feedback=level)))
    feedback = agent.turns[1].feedback
    if codes is None:
        assert feedback == ()
        return
    assert len(feedback[0].violations) == (codes or 0)
    assert (feedback[0].code is None) == (level == "illegal")
    assert any(violation.facts or violation.rules for violation in feedback[0].violations) == facts
    assert bool(feedback[0].nearest) == (level == "explain")


@pytest.mark.parametrize(
    ("answer", "result", "code"),
    [
        (
            Answer(failure="format", code="malformed_arguments", stated={"tool": "market"}),
            "format",
            "malformed_arguments",
        ),
        (Answer(failure="text_only", detail="I pass."), "text_only", None),
        (Answer(failure="truncated"), "truncated", None),
        (Answer(failure="refusal"), "refusal", None),
        (Answer(failure="empty"), "empty", None),
        (Answer(proposal={"tool": "dance", "arguments": {}}), "format", "unknown_action"),
        (Answer(proposal={"tool": "inventory", "arguments": {"cards": float("nan")}}), "format", "malformed_arguments"),
    ],
)
def test_every_class_uses_up_an_attempt_then_the_policy_decides(
    tmp_path: Path, answer: Answer, result: str, code: str | None
) -> None:
    agent = Scripted(lambda turn: answer)
    run(tmp_path, {"A": agent, "B": agent}, plan(settings=limits(round_limit=1, attempts=2)))
    found = attempts(tmp_path)
    assert {record.result for record in found} == {result}
    assert {record.code for record in found} == {code}
    assert [record.attempt for record in found] == [0, 1] * (len(found) // 2)
    made = decisions(tmp_path)
    assert len(found) == 2 * len(made)
    assert {record.by for record in made} == {"random_legal"}
    assert all(record.proposal is not None for record in made)


def test_arguments_nested_too_deeply_are_a_format_failure(tmp_path: Path) -> None:
    deep: list[Any] = []
    for _ in range(200):
        deep = [deep]
    agent = Scripted(lambda turn: Answer(proposal={"tool": "inventory", "arguments": {"cards": deep}}))
    run(tmp_path, {"A": agent, "B": agent}, plan(settings=limits(round_limit=1)))
    first = attempts(tmp_path)[0]
    assert (first.result, first.code, first.stated) == ("format", "malformed_arguments", None)


def test_the_policys_draw_depends_on_its_key_alone(tmp_path: Path) -> None:
    def made(folder: Path, match: MatchPlan) -> list[Any]:
        agent = Scripted(lambda turn: Answer(failure="empty"))
        run(folder, {"A": agent, "B": agent}, match)
        return [record.proposal for record in decisions(folder)]

    first = made(tmp_path / "1", plan())
    assert made(tmp_path / "2", plan()) == first
    assert made(tmp_path / "3", plan(run_seed=2)) != first


def test_forfeit_leaves_the_others_playing_and_the_last_one_wins(tmp_path: Path) -> None:
    bad = Scripted(lambda turn: Answer(failure="empty"))
    outcome = run(tmp_path, {"A": bad, "B": Scripted(legal)}, plan(settings=limits(policy="forfeit")))
    assert outcome is not None
    assert (outcome.result, outcome.reason, outcome.winner) == ("win", "last_seat", "B")
    assert outcome.forfeited == ["A"]
    assert outcome.ranking == [["B"], ["A"]]
    last = decisions(tmp_path)[-1]
    assert (last.by, last.proposal, last.seat) == ("forfeit", None, "A")


def test_void_ends_the_game_without_result(tmp_path: Path) -> None:
    bad = Scripted(lambda turn: Answer(failure="empty"))
    outcome = run(tmp_path, {"A": bad, "B": bad}, plan(settings=limits(policy="void")))
    assert outcome is not None
    assert (outcome.result, outcome.reason, outcome.winner, outcome.ranking) == ("void", "attempts", None, [])
    assert decisions(tmp_path)[-1].by == "void"


def test_provider_failures_use_up_no_attempt_and_leave_the_game_open(tmp_path: Path) -> None:
    def answer(turn: Turn) -> Answer:
        if turn.number == 0:
            return replace(legal(turn), faults=(Fault("rate_limited", "429"), Fault("overloaded", "529")), calls=1)
        return Answer(failure="provider", code="connection", faults=(Fault("connection", "refused"),))

    agent = Scripted(answer)
    assert run(tmp_path, {"A": agent, "B": agent}) is None
    found = attempts(tmp_path)
    assert [record.result for record in found] == ["provider", "provider", "accepted", "provider", "provider"]
    assert [record.attempt for record in found] == [0, 0, 0, 0, 0]
    assert [record.code for record in found[:2]] == ["rate_limited", "overloaded"]
    assert read_log(tmp_path / "g.jsonl").outcome is None

    good = Scripted(legal)
    outcome = run(tmp_path, {"A": good, "B": good})
    assert outcome is not None
    assert good.turns[0].number == 1
    assert good.turns[0].attempt == 0
    assert good.turns[0].feedback == ()


def test_a_refused_answer_is_told_letter_by_letter_alike_before_and_after_a_resume(tmp_path: Path) -> None:
    stated = {"tool": "market", "arguments": {"source": "slot_0", "payment": 3}}

    def answer(turn: Turn) -> Answer:
        if turn.attempt == 0:
            return Answer(failure="format", code="malformed_arguments", stated=stated)
        return Answer(failure="provider", code="timeout")

    agents = [Scripted(answer), Scripted(answer)]
    for agent in agents:
        assert run(tmp_path, {"A": agent, "B": agent}) is None
    before, after = agents[0].turns[1], agents[1].turns[0]
    assert before.attempt == after.attempt == 1
    assert repr(before.feedback) == repr(after.feedback)


def test_a_provider_that_gave_up_can_void_the_game(tmp_path: Path) -> None:
    agent = Scripted(lambda turn: Answer(failure="provider", code="timeout"))
    outcome = run(tmp_path, {"A": agent, "B": agent}, plan(provider_failure="void"))
    assert outcome is not None
    assert (outcome.result, outcome.reason, outcome.decisions) == ("void", "provider", 0)


@pytest.mark.parametrize("code", ["quota", "authentication", "budget"])
def test_what_stops_a_provider_for_good_leaves_the_game_open_whatever_else_would_void_it(
    tmp_path: Path, code: str
) -> None:
    agent = Scripted(lambda turn: Answer(failure="provider", code=code))
    assert run(tmp_path, {"A": agent, "B": agent}, plan(provider_failure="void")) is None
    good = Scripted(legal)
    assert run(tmp_path, {"A": good, "B": good}, plan(provider_failure="void")) is not None


@pytest.mark.rules("R-END-04")
def test_a_game_that_reaches_the_decision_limit_is_unfinished_and_ranked_by_stacks(tmp_path: Path) -> None:
    agents: dict[str, Agent] = {seat: RandomAgent("random") for seat in "AB"}
    outcome = run(tmp_path, agents, plan(seed=6, settings=limits(round_limit=100, decision_limit=150)))
    assert outcome is not None
    assert (outcome.result, outcome.reason, outcome.winner) == ("unfinished", "decision_limit", None)
    assert (outcome.decisions, len(decisions(tmp_path))) == (150, 150)
    assert outcome.ranking == [[seat] for seat in sorted("AB", key=lambda seat: -outcome.stacks[seat])]
    assert read_log(tmp_path / "g.jsonl").header.decision_limit == 150


@pytest.mark.rules("R-CPR-04")
def test_endless_copying_within_one_turn_ends_at_the_decision_limit(tmp_path: Path) -> None:
    def copier(turn: Turn) -> Answer:
        uses = [proposal for proposal in turn.legal if proposal["tool"] == "ability"]
        return Answer(proposal=Draws(*turn.key).choice(uses or turn.legal))

    agent = Scripted(copier)
    match = plan(
        edition="remastered",
        sets=("chameleons", "macaws", "pandas"),
        seed=3,
        settings=limits(round_limit=30, decision_limit=200),
    )
    outcome = run(tmp_path, {"A": agent, "B": agent}, match)
    assert outcome is not None
    assert outcome.reason == "decision_limit"
    last = decisions(tmp_path)[-150:]
    assert {record.round for record in last} == {outcome.rounds}
    assert {record.proposal["tool"] for record in last if record.proposal is not None} == {"ability"}


def test_the_decision_limit_follows_from_the_round_limit_unless_given() -> None:
    assert plan(settings=limits(round_limit=4)).decision_limit == 50 * 4 * 2
    assert plan(settings=limits(decision_limit=7)).decision_limit == 7


def test_usage_cost_blobs_and_repairs_stand_in_the_log(tmp_path: Path) -> None:
    usage = Usage(uncached_input=10, output=2)

    def answer(turn: Turn) -> Answer:
        return replace(
            legal(turn), usage=usage, cost="0.0012", calls=1, request=b"{}", answer=b"[]", repairs=("case",),
            stated={"tool": "act", "arguments": {"entry": "3"}}, timing={"queued": 0.5},
        )  # fmt: skip

    agent = Scripted(answer)
    run(tmp_path, {"A": agent, "B": agent}, plan(settings=limits(round_limit=1)))
    record = attempts(tmp_path)[0]
    assert record.usage is not None
    assert (record.usage.uncached_input, record.usage.output) == (10, 2)
    assert (record.cost, record.calls, record.repairs) == ("0.0012", 1, ["case"])
    assert record.stated == {"tool": "act", "arguments": {"entry": "3"}}
    assert record.proposal == decisions(tmp_path)[0].proposal
    assert record.timing is not None
    assert record.timing["queued"] == 0.5
    assert record.request is not None
    assert BlobStore(tmp_path / "blobs").get(record.request) == b"{}"


def test_a_seat_sees_events_since_its_own_last_decision_only_as_it_may(tmp_path: Path) -> None:
    agents = {seat: Scripted(legal) for seat in "AB"}
    run(tmp_path, {"A": agents["A"], "B": agents["B"]})
    recorded = decisions(tmp_path)
    hidden = 0
    for seat, agent in agents.items():
        for turn in agent.turns:
            before = [record.number for record in recorded if record.seat == seat and record.number < turn.number]
            since = before[-1] if before else 0
            events = [event for record in recorded[since : turn.number] for event in record.events]
            assert len(turn.history) == len(events)
            for seen, event in zip(turn.history, events, strict=True):
                secret = "known_to" in event and seat not in event["known_to"]
                hidden += secret
                expected = {name: value for name, value in event.items() if name != "known_to"}
                assert seen.items() <= expected.items()
                assert (len(seen) < len(expected)) == secret
    assert hidden


def test_interrupted_anywhere_and_resumed_equals_undisturbed(tmp_path: Path) -> None:
    def game(folder: Path) -> tuple[list[Any], int]:
        agents: dict[str, Agent] = {seat: Scripted(careless) for seat in "AB"}
        assert run(folder, agents) is not None
        asked = sum(len(agent.turns) for agent in agents.values() if isinstance(agent, Scripted))
        return [comparable(record) for record in read_log(folder / "g.jsonl").records], asked

    whole, asked = game(tmp_path / "whole")
    data = (tmp_path / "whole" / "g.jsonl").read_bytes()
    classes = {record.get("result", record.get("class")) for record in whole}
    assert {"rule", "text_only", "accepted"} <= classes
    ends = [i + 1 for i, byte in enumerate(data) if byte == 10]
    for cut in [0, *ends, *(end - 7 for end in ends)]:
        folder = tmp_path / f"cut-{cut}"
        folder.mkdir()
        (folder / "g.jsonl").write_bytes(data[:cut])
        kept = len([1 for record in read_log(folder / "g.jsonl").attempts])
        again, asked_again = game(folder) if cut < len(data) else (whole, asked - kept)
        assert again == whole
        assert asked_again == asked - kept  # nothing that was recorded is asked for again


def test_stopping_and_leaving_keep_the_game_open_with_whole_records(tmp_path: Path) -> None:
    agent = Scripted(legal)
    assert run(tmp_path, {"A": agent, "B": agent}, stop=lambda: len(agent.turns) >= 3) is None
    assert len(decisions(tmp_path)) == 3

    def leave(turn: Turn) -> Answer:
        raise Leave

    assert run(tmp_path, {"A": Scripted(leave), "B": Scripted(leave)}) is None
    assert len(decisions(tmp_path)) == 3
    assert (tmp_path / "g.jsonl").read_bytes().endswith(b"\n")


def test_a_finished_game_is_not_touched(tmp_path: Path) -> None:
    agent = Scripted(legal)
    outcome = run(tmp_path, {"A": agent, "B": agent})
    before = (tmp_path / "g.jsonl").read_bytes()
    assert run(tmp_path, {"A": Scripted(careless), "B": Scripted(careless)}) == outcome
    assert (tmp_path / "g.jsonl").read_bytes() == before


def test_a_log_with_other_settings_is_not_gone_on_with(tmp_path: Path) -> None:
    agent = Scripted(legal)
    run(tmp_path, {"A": agent, "B": agent}, stop=lambda: len(agent.turns) >= 3)
    with pytest.raises(UserError, match=r"other settings: attempts is 3 there and 2 now"):
        run(tmp_path, {"A": agent, "B": agent}, plan(settings=limits(attempts=2)))


def test_a_log_the_engine_plays_differently_is_not_gone_on_with(tmp_path: Path) -> None:
    agent = Scripted(legal)
    run(tmp_path, {"A": agent, "B": agent}, stop=lambda: len(agent.turns) >= 3)
    path = tmp_path / "g.jsonl"
    seat = decisions(tmp_path)[1].seat
    other = "B" if seat == "A" else "A"
    lines = path.read_text().splitlines(keepends=True)
    number = next(i for i, line in enumerate(lines) if '"number":1' in line and '"record":"decision"' in line)
    lines[number] = lines[number].replace(f'"seat":"{seat}","type"', f'"seat":"{other}","type"')
    path.write_text("".join(lines))
    with pytest.raises(UserError, match=r"plays decision 1 differently"):
        run(tmp_path, {"A": agent, "B": agent})


def test_an_agents_own_error_is_not_hidden(tmp_path: Path) -> None:
    def broken(turn: Turn) -> Answer:
        raise RuntimeError("bug")

    with pytest.raises(RuntimeError, match="bug"):
        run(tmp_path, {"A": Scripted(broken), "B": Scripted(broken)})
    with pytest.raises(TypeError, match="neither a proposal nor a failure"):
        run(tmp_path, {"A": Scripted(lambda turn: Answer()), "B": Scripted(lambda turn: Answer())})
