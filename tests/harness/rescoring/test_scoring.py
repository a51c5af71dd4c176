"""Games scored again: what a log tells exactly is told, what it cannot tell is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from rescored_runs import ILLEGAL, Trying, play, repaired

from harness.agents.base import Answer, LetDraw, Policy, Resign, Turn
from harness.log import GameLog
from harness.randomness import Draws
from harness.records import comparable
from harness.report import make_report
from harness.rescoring.rejudging import rejudge
from harness.rescoring.scoring import Rescored, Scoring, rescore

POLICIES: tuple[Policy, ...] = ("random_legal", "forfeit", "void")
Runs = Callable[[Policy, int, int], list[GameLog]]
SLOPPY = {"x": "sloppy:0.4", "y": "sloppy:0.2", "z": "merchant"}


@pytest.fixture(name="folder")
def fresh_folders(tmp_path: Path) -> Iterator[Path]:
    """A new folder for every run of a test."""
    return (tmp_path / str(number) for number in count())


@pytest.fixture(name="run_of", scope="module")
def runs_played_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Policy, int, int], list[GameLog]]:
    """The games of sloppy players under a policy, with so many attempts and players."""

    @cache
    def run_of(policy: Policy, attempts: int, players: int) -> list[GameLog]:
        folder = tmp_path_factory.mktemp("runs")
        return play(folder, SLOPPY, policy=policy, attempts=attempts, players=players, round_limit=4)

    return run_of


def again(logs: Sequence[GameLog], **scoring: Any) -> list[Rescored]:
    return [rescore(log, rejudge(log), Scoring(**scoring)) for log in logs]


def told(log: GameLog) -> list[dict[str, Any]]:
    """What a log says, but for clocks."""
    return [comparable(record) for record in log.records]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("policy", POLICIES)
def test_under_its_own_terms_nothing_changes(run_of: Runs, policy: Policy, players: int) -> None:
    logs = run_of(policy, 2, players)
    assert any(record.by == policy for log in logs for record in log.decisions)
    for scoring in ({}, {"policy": policy}, {"attempts": 2}, {"policy": policy, "attempts": 2, "strict": True}):
        for log, game in zip(logs, again(logs, **scoring), strict=True):
            assert game.log == log
            assert (game.fate, game.departure) == ("same", None)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("played", POLICIES)
def test_a_game_scored_again_is_the_game_that_is_played_under_those_terms(
    run_of: Runs, played: Policy, policy: Policy, players: int
) -> None:
    """What sloppy says is a function of seat, decision and attempt: so the other run can really be played."""
    then, really = run_of(played, 2, players), run_of(policy, 1, players)
    fates = set()
    for truth, game in zip(really, again(then, policy=policy, attempts=1), strict=True):
        fates.add(game.fate)
        if game.fate == "cut":
            assert game.log.outcome is None
            assert told(game.log) == told(truth)[: len(game.log.records)]
            assert game.departure is not None
            assert game.departure.number == game.log.decisions[-1].number
        else:
            assert told(game.log) == told(truth)
    assert ("cut" in fates) == (policy == "random_legal" or (policy == "forfeit" and players == 3))


def test_with_two_players_the_one_that_is_left_wins(folder: Iterator[Path]) -> None:
    logs = play(next(folder), {"x": "sloppy:1", "z": "merchant"})
    for game in again(logs, policy="forfeit"):
        outcome = game.log.outcome
        assert outcome is not None
        seat = next(seat for seat, who in game.log.header.seats.items() if who.name == "x")
        assert (outcome.result, outcome.reason, outcome.forfeited) == ("win", "last_seat", [seat])
        assert outcome.winner != seat
        assert outcome.ranking == [[outcome.winner], [seat]]
        assert game.fate == "changed"
        assert game.log.header.policy == "forfeit"


def test_with_three_players_the_game_of_the_others_was_not_played(folder: Iterator[Path]) -> None:
    logs = play(next(folder), {"x": "sloppy:1", "y": "merchant", "z": "random"}, players=3)
    for game in again(logs, policy="forfeit"):
        last = game.log.decisions[-1]
        assert game.fate == "cut"
        assert (last.by, game.log.header.seats[last.seat].name) == ("forfeit", "x")


def test_with_three_players_the_last_seat_wins(folder: Iterator[Path]) -> None:
    """The first forfeits as it did; the second, which did not, leaves one."""
    spoil = Trying(lambda turn, good: Answer(proposal=ILLEGAL) if turn.attempt == 0 and turn.number > 6 else good)
    agents = {"x": "sloppy:1", "y": spoil, "z": "merchant"}
    for game in again(play(next(folder), agents, players=3, policy="forfeit"), policy="forfeit", attempts=1):
        outcome = game.log.outcome
        assert outcome is not None
        assert outcome.winner is not None
        assert game.log.header.seats[outcome.winner].name == "z"
        assert (outcome.reason, len(outcome.forfeited)) == ("last_seat", 2)


def test_more_attempts_than_were_made_cannot_be_told(folder: Iterator[Path]) -> None:
    logs = play(next(folder), {"x": "sloppy:0.5", "z": "merchant"}, attempts=1, schedule={"deals": 3})
    games = again(logs, attempts=2)
    for log, game in zip(logs, games, strict=True):
        used_up = [record.number for record in log.decisions if record.by == "random_legal"]
        assert game.fate == ("cut" if used_up else "same")
        if game.departure is not None:
            assert (game.departure.number, game.departure.how) == (used_up[0], "untried")
            assert len(game.log.decisions) == used_up[0]
    assert any(game.fate == "cut" for game in games)


def test_a_drawn_move_that_was_played_anyway_changes_no_course(folder: Iterator[Path]) -> None:
    def spoil(turn: Turn, good: Answer) -> Answer:
        drawn = Draws(*turn.key, "policy").choice(turn.legal)
        return Answer(failure="text_only") if turn.attempt == 0 and drawn == good.proposal else good

    logs = play(next(folder), {"x": Trying(spoil), "z": "merchant"}, schedule={"deals": 4})
    drawn = 0
    for log, game in zip(logs, again(logs, attempts=1), strict=True):
        assert game.departure is None
        assert game.log.outcome == log.outcome
        drawn += sum(record.by == "random_legal" for record in game.log.decisions)
    assert drawn > 0


def test_strict_reading_takes_no_repaired_answer(folder: Iterator[Path]) -> None:
    logs = play(next(folder), {"x": Trying(repaired), "z": "merchant"}, attempts=2)
    for game in again(logs, policy="void", strict=True):
        assert game.departure is not None
        assert game.departure.early
        attempt = game.log.attempts[-1]
        assert (attempt.result, attempt.code, attempt.proposal) == ("format", "malformed_arguments", None)
        assert attempt.repairs == ["case"]
        outcome = game.log.outcome
        assert outcome is not None
        assert (outcome.result, outcome.reason, outcome.ranking) == ("void", "attempts", [])
    for game in again(logs, policy="void", attempts=1, strict=True):
        assert game.departure is not None
        assert not game.departure.early
    assert all(game.departure is None for game in again(logs, policy="void"))


def test_a_repaired_answer_that_broke_a_rule_is_unreadable_when_read_strictly(folder: Iterator[Path]) -> None:
    def spoil(turn: Turn, good: Answer) -> Answer:
        return Answer(proposal=ILLEGAL, repairs=("case",)) if turn.attempt == 0 else good

    logs = play(next(folder), {"x": Trying(spoil), "z": "merchant"})
    for log, game in zip(logs, again(logs, strict=True), strict=True):
        assert game.fate == "same"
        assert game.log.outcome == log.outcome
        classes = [record.result for record in log.attempts if record.repairs]
        assert set(classes) == {"rule"}
        assert [record.result for record in game.log.attempts if record.repairs] == ["format"] * len(classes)


@pytest.mark.parametrize("provider_failure", ["open", "void"])
def test_what_a_provider_did_is_blamed_on_nobody(folder: Iterator[Path], provider_failure: str) -> None:
    """At decision 4 the provider gives up: at once, or after an answer that broke a rule."""

    def spoil(turn: Turn, good: Answer) -> Answer:
        if turn.number < 4:
            return good
        return Answer(failure="provider", code="timeout") if turn.attempt == tries else Answer(proposal=ILLEGAL)

    for tries in (0, 1):
        agents = {"x": Trying(spoil), "z": "merchant"}
        logs = play(next(folder), agents, provider_failure=provider_failure, sets=["macaws", "pandas", "raccoons"])
        assert {log.outcome and log.outcome.reason for log in logs} <= {None, "provider"}
        for log, game in zip(logs, again(logs, policy="forfeit", attempts=1), strict=True):
            if tries == 0:
                assert told(game.log)[1:] == told(log)[1:]
                assert game.fate == "same"
            else:
                assert game.log.outcome is not None
                assert game.log.outcome.reason == "last_seat"
                assert game.fate == "changed"


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("asked", [Resign, LetDraw])
def test_what_a_person_asked_for_hangs_on_no_policy(folder: Iterator[Path], policy: Policy, asked: Any) -> None:
    """A resigned game, and a move that was drawn because nobody waited for the player, stay what they were."""

    def spoil(turn: Turn, good: Answer) -> Answer:
        if turn.number in (4, 5):  # one of them is this player's
            raise asked
        return good

    logs = play(next(folder), {"x": Trying(spoil), "z": "merchant"})
    assert all(any(record.asked for record in log.decisions) for log in logs)
    for log, game in zip(logs, again(logs, policy=policy, attempts=1), strict=True):
        assert (game.fate, game.departure) == ("same", None)
        assert game.log.outcome == log.outcome
    (entry,) = (one for one in make_report(logs).entries if one.name == "x")
    mine = [record for log in logs for record in log.decisions if log.header.seats[record.seat].name == "x"]
    assert entry.by_policy == 0
    assert entry.decisions == sum(not record.asked for record in mine) < len(mine)
