"""The engine as it is now judges every recorded proposal again; differences are planted by editing logs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rescored_runs import ILLEGAL, play

from harness.log import GameLog
from harness.playback import playback
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord, Record, ViolationRecord
from harness.rescoring.rejudging import Rejudged, rejudge
from harness.rescoring.scoring import Rescored, Scoring, rescore


@pytest.fixture(name="logs", scope="module")
def played_games(tmp_path_factory: pytest.TempPathFactory) -> list[GameLog]:
    folder = tmp_path_factory.mktemp("run")
    return play(folder, {"x": "sloppy:0.5", "y": "merchant"}, attempts=2, schedule={"deals": 2})


@pytest.fixture(name="log")
def one_game(logs: list[GameLog]) -> GameLog:
    """A game with a refused attempt before an accepted one, and a decision by policy, both in the middle."""
    return next(log for log in logs if _refused(log) and _by_policy(log))


def _refused(log: GameLog) -> list[AttemptRecord]:
    used_up = {record.number for record in log.decisions if record.by != "agent"}
    return [one for one in log.attempts if one.result == "rule" and one.number > 2 and one.number not in used_up]


def _by_policy(log: GameLog) -> list[DecisionRecord]:
    return [record for record in log.decisions if record.by == "random_legal" and record.number > 2]


def edited(log: GameLog, change: Callable[[Any], Record | None]) -> GameLog:
    """The log with each record changed, or without it."""
    return replace(log, records=tuple(new for record in log.records if (new := change(record)) is not None))


def planted(log: GameLog, old: Record, **changes: Any) -> GameLog:
    """The log with one record changed."""
    return edited(log, lambda record: record.model_copy(update=changes) if record is old else record)


def found(log: GameLog) -> tuple[Rejudged, Rescored]:
    """What comes of judging an edited log again; what is left of the game always plays."""
    judged = rejudge(log)
    assert list(playback(judged.log))
    return judged, rescore(log, judged, Scoring())


def test_the_engine_that_made_a_log_judges_everything_as_it_did(logs: list[GameLog]) -> None:
    for log in logs:
        judged, game = found(log)
        assert judged.log == game.log == log
        assert (judged.differences, judged.cut, judged.lost) == ((), None, None)
        assert judged.judged == sum(record.proposal is not None for record in log.attempts) > 10


def test_a_refused_proposal_that_was_recorded_as_accepted_is_found(log: GameLog) -> None:
    """The log says that the merchant's opponent was let through with it."""
    wrong = _refused(log)[0]

    def change(record: Any) -> Record | None:
        if record is wrong:
            return wrong.model_copy(update={"result": "accepted", "code": None, "violations": []})
        if getattr(record, "number", None) == wrong.number and isinstance(record, AttemptRecord):
            return None
        if isinstance(record, DecisionRecord) and record.number == wrong.number:
            return record.model_copy(update={"proposal": wrong.proposal})
        return record

    judged, game = found(edited(log, change))
    [difference] = judged.differences
    assert (difference.kind, difference.number, difference.attempt) == ("now refused", wrong.number, wrong.attempt)
    assert (difference.seat, difference.proposal) == (wrong.seat, wrong.proposal)
    assert difference.recorded == {"class": "accepted"}
    assert (difference.now["class"], difference.now["code"]) == ("rule", wrong.code)
    assert (judged.cut, judged.lost) == (wrong.number, wrong.number)
    assert judged.log.attempts[-1] == wrong
    assert game.fate == "cut"
    assert game.departure is not None
    assert (game.departure.number, game.departure.how) == (wrong.number, "engine")


def test_a_legal_proposal_that_was_recorded_as_refused_is_found(log: GameLog) -> None:
    """The game would have gone on with it; what was recorded behind it is still judged, but no part of the game."""
    right = next(record for record in log.attempts if record.result == "accepted" and record.number == 4)
    violation = ViolationRecord(code="unknown_card", rules=["R-CMP-05"], facts={})

    def change(record: Any) -> Record | None:
        if record is right:
            return right.model_copy(update={"result": "rule", "code": "unknown_card", "violations": [violation]})
        if isinstance(record, DecisionRecord) and record.number == 4:
            return record.model_copy(update={"by": "random_legal"})
        return record

    judged, game = found(edited(log, change))
    [difference] = judged.differences
    assert (difference.kind, difference.number) == ("now accepted", 4)
    assert difference.recorded["code"] == "unknown_card"
    assert difference.now == {"class": "accepted"}
    assert (judged.cut, judged.lost) == (4, None)
    assert judged.judged == rejudge(log).judged
    assert (judged.log.decisions[-1].number, judged.log.decisions[-1].by) == (4, "agent")
    assert judged.log.decisions[-1].events == log.decisions[4].events
    assert game.fate == "cut"


@pytest.mark.parametrize("field", ["code", "rules", "another"])
def test_a_refusal_for_another_reason_is_found_and_taken_over(log: GameLog, field: str) -> None:
    """The game keeps its course; its figures are those of the present engine."""
    refused = _refused(log)[0]
    first, *others = refused.violations
    changes: dict[str, Any] = {"violations": [*refused.violations, first]}
    if field == "code":
        changes = {
            "code": "value_out_of_range",
            "violations": [first.model_copy(update={"code": "value_out_of_range"})],
        }
    elif field == "rules":
        changes = {"violations": [first.model_copy(update={"rules": ["R-EFF-02"]}), *others]}
    judged, game = found(planted(log, refused, **changes))
    [difference] = judged.differences
    assert (difference.kind, difference.number) == ("other violation", refused.number)
    assert difference.recorded != difference.now
    assert judged.log.records == log.records
    assert (game.fate, game.departure) == ("same", None)


def test_other_events_are_found_and_nothing_behind_them_is_judged(log: GameLog) -> None:
    decision = log.decisions[5]
    event = {**decision.events[0], "seat": "AB"[decision.seat == "A"]}
    judged, game = found(planted(log, decision, events=[event, *decision.events[1:]]))
    [difference] = judged.differences
    assert (difference.kind, difference.number, difference.attempt) == ("other events", 5, None)
    assert difference.recorded == {"event": 0, "is": event}
    assert difference.now == {"event": 0, "is": decision.events[0]}
    assert (judged.cut, judged.lost) == (5, 6)
    assert judged.log.decisions == log.decisions[:6]
    assert game.fate == "cut"


def test_an_event_too_many_is_found(log: GameLog) -> None:
    decision = log.decisions[5]
    judged, _ = found(planted(log, decision, events=[*decision.events, decision.events[0]]))
    assert judged.differences[0].now == {"event": len(decision.events), "is": None}


def test_a_move_of_the_policy_that_is_illegal_is_found(log: GameLog) -> None:
    decision = _by_policy(log)[0]
    judged, game = found(planted(log, decision, proposal=ILLEGAL))
    [difference] = judged.differences
    assert (difference.kind, difference.number, difference.attempt) == ("now refused", decision.number, None)
    assert judged.lost == decision.number
    assert game.fate == "cut"


def test_a_decision_that_is_anothers_now_is_found(log: GameLog) -> None:
    attempt = next(record for record in log.attempts if record.number == 5)
    judged, game = found(planted(log, attempt, seat="AB"[attempt.seat == "A"]))
    [difference] = judged.differences
    assert (difference.kind, difference.number, difference.now) == ("other turn", 5, {"seat": attempt.seat})
    assert (judged.cut, judged.lost) == (5, 5)
    assert game.fate == "cut"


def test_another_outcome_is_found_and_counts(log: GameLog) -> None:
    outcome = log.outcome
    assert outcome is not None
    judged, game = found(planted(log, outcome, ranking=[["B"], ["A"]], stacks={"A": 0, "B": 1}))
    assert [difference.kind for difference in judged.differences] == ["other outcome"]
    assert judged.log.outcome == outcome
    assert game.log.outcome == outcome
    assert game.fate == ("same" if outcome.ranking == [["B"], ["A"]] else "changed")


def test_a_game_that_is_not_over_for_the_engine_has_no_outcome(log: GameLog) -> None:
    outcome = log.outcome
    assert outcome is not None
    assert outcome.result == "unfinished"
    judged, game = found(planted(log, outcome, result="win", reason="eighth_stack", winner="A", ranking=[["A"], ["B"]]))
    assert [(one.kind, one.now) for one in judged.differences] == [("other outcome", {"over": False})]
    assert not any(isinstance(record, OutcomeRecord) for record in judged.log.records)
    assert (game.fate, game.departure and game.departure.how) == ("cut", "engine")


def test_differences_and_another_policy_go_together(log: GameLog) -> None:
    """The engine cuts the game at a later decision; under void it ended before."""
    number = next(record.number for record in log.attempts if record.result == "rule")
    late = next(record for record in log.attempts if record.result == "accepted" and record.number > number + 2)
    violation = ViolationRecord(code="unknown_card", rules=["R-CMP-05"], facts={})
    bad = planted(log, late, result="rule", code="unknown_card", violations=[violation])
    judged = rejudge(bad)
    assert judged.cut == late.number
    game = rescore(bad, judged, Scoring("void", 1))
    assert game.log.outcome is not None
    assert (game.log.outcome.reason, game.log.outcome.decisions) == ("attempts", number + 1)


def test_nothing_is_said_of_a_log_without_proposals(tmp_path: Path) -> None:
    logs = play(tmp_path, {"x": "random", "y": "random"}, round_limit=1)
    bare = replace(logs[0], records=logs[0].records[:1])
    judged, game = rejudge(bare), rescore(bare, rejudge(bare), Scoring("forfeit", 1, True))
    assert (judged.judged, judged.differences, judged.log) == (0, (), bare)
    assert (game.fate, game.departure) == ("same", None)
