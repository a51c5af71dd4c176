"""The screen of a run, drawn on a recorded console: what it tells, and that it fits."""

from __future__ import annotations

import io
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from rich.console import Console

from harness.config import make_tournament
from harness.plan import MatchPlan
from harness.progress.lines import Money
from harness.progress.picture import Moment, picture
from harness.progress.tally import Player, Tally
from harness.providers.gates import GateState, Pause
from harness.ratings.standings import Standing
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord, UsageRecord
from harness.schedule import make_schedule

NAMES = ("openai:gpt-5.5", "gpt at L0", "anthropic:claude-haiku-5-5?level=L1", "merchant", "[bold]x[/bold]", "random")
CLASSES = ("accepted", "rule", "format", "provider", "accepted", "text_only", "accepted")


def plans_of(names: Sequence[str], deals: int = 10) -> list[MatchPlan]:
    entrants = [{"name": name, "agent": "random"} for name in names]
    return make_schedule(make_tournament({"name": "t", "schedule": {"deals": deals}, "entrants": entrants}, "test"))


def attempt(number: int, **more: Any) -> AttemptRecord:
    usage = UsageRecord(uncached_input=3000, output=500, reasoning=400)
    fields = {"number": number, "seat": "AB"[number % 2], "attempt": 0, "usage": usage, "cost": "0.01"}
    return AttemptRecord.model_validate({**fields, **more})


def decision(number: int, round_: int = 1) -> DecisionRecord:
    return DecisionRecord(
        number=number, seat="AB"[number % 2], kind="action", round=round_, observation="0" * 64, by="agent",
        proposal=None, events=[],
    )  # fmt: skip


def outcome(winner: str | None = "A", **more: Any) -> OutcomeRecord:
    ranking = [["A"], ["B"]] if winner == "A" else [["B"], ["A"]]
    fields = {
        "result": "win", "reason": "eighth_stack", "winner": winner, "ranking": ranking, "stacks": {"A": 8, "B": 3},
        "forfeited": [], "rounds": 17, "decisions": 36, "state": "0" * 64,
    }  # fmt: skip
    return OutcomeRecord.model_validate(fields | more)


def tally_of(names: Sequence[str], finished: int = 6, running: int = 4) -> Tally:
    plans = plans_of(names)
    tally = Tally(len(plans), {name: Player() for name in names})
    for place, plan in enumerate(plans[: finished + running]):
        tally.started(plan)
        for number, result in enumerate(CLASSES):
            code = {"provider": "rate_limit", "rule": "pass_not_allowed", "format": "unknown_action"}.get(result)
            tally.recorded(plan, attempt(number, **{"class": result}, code=code, timing={"queued": 1.5}))
            if result == "accepted" or number == 1:  # where its attempts are used up the policy decides
                tally.recorded(plan, decision(number, place + 1))
        if place < finished:
            tally.ended(plan, outcome("AB"[place % 3 % 2]))
    return tally


GATES = [
    GateState("https://api.anthropic.com", 2, 32, 32, ()),
    GateState("https://api.openai.com/v1", 12, 16, 32, (Pause("gpt-5.5", 23.4, "rate_limit"),)),
]
RATED = {name: Standing(name, 5, 3, 120.4 - 60 * place, 80.2, (1, 3)) for place, name in enumerate(NAMES[:4])}


def drawn(tally: Tally, width: int = 80, height: int = 24, **more: Any) -> list[str]:
    """The lines of a screen of that size."""
    money = Money(Decimal("3.44"), Decimal(20))
    given = {"standings": RATED, "gates": GATES} | more
    screen = Console(file=io.StringIO(), width=width, height=height, highlight=False, record=True)
    screen.print(picture("my-run", tally, money, given["standings"], given["gates"], Moment(600, width, height)))
    return screen.export_text().rstrip("\n").splitlines()


def test_it_tells_how_far_the_run_is_and_what_it_spends() -> None:
    lines = drawn(tally_of(NAMES))
    assert lines[0].startswith("my-run ")
    assert lines[0].endswith(" 6/300 games, 10 min so far, about 8 h 10 min left")
    assert lines[1].strip() == "$3.44 of $20.00 spent, 245.0k tokens"
    assert lines[2].strip() == "attempts: 30 accepted, 10 format, 10 provider, 10 rule, 10 text_only"


def test_it_tells_who_leads_and_what_each_does_wrong() -> None:
    lines = [line.split() for line in drawn(tally_of(("one", "two")), standings={"two": RATED[NAMES[0]]})]
    head = lines.index(["agent", "games", "wins", "rating", "1st", "try", "rule", "form", "other", "prov", "spent"])
    assert lines[head + 1] == ["two", "6", "3", "+120", "±80", "75.0%", "5", "5", "5", "5", "0.35"]
    assert lines[head + 2] == ["one", "6", "3", "-", "75.0%", "5", "5", "5", "5", "0.35"]


def test_it_tells_who_is_kept_waiting_and_by_whom() -> None:
    told = [line.strip() for line in drawn(tally_of(("one", "two")), 120)]
    assert told[3] == "turned away, 2 min of waiting: one 5x, two 5x"
    assert told[4] == (
        "https://api.openai.com/v1: gpt-5.5 paused for 23 s (rate_limit), 12 of 16 places taken (32 without overload)"
    )
    assert told[5] == "https://api.anthropic.com: 2 of 32 places taken"


def test_games_under_way_are_told_those_in_trouble_first() -> None:
    tally = tally_of(("one", "two"), 2, 2)
    plans = list(tally.running.values())
    tally.recorded(plans[1].plan, decision(6, 9))
    tally.recorded(
        plans[0].plan, attempt(7, **{"class": "provider"}, code="quota", detail="no \x1b[31mcredit\x07 left")
    )
    told = drawn(tally, 160)[-2:]
    assert told[0].strip() == (
        "d002-p01-r0 round 3, 7 decisions: one, two: no answer from the provider of two: quota: no credit left"
    )
    assert told[1].strip() == "d002-p01-r1 round 9, 7 decisions: two, one"


@pytest.mark.parametrize("entrants", [2, 6, 40])
@pytest.mark.parametrize("running", [1, 12, 17])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 50), (60, 14)])
def test_it_fits_its_screen_whatever_goes_on(entrants: int, running: int, width: int, height: int) -> None:
    names = [*NAMES, *(f"entrant {number}" for number in range(40))][:entrants]
    gates = [GateState(f"http://127.0.0.1:{port}/v1", 1, 8, 8, ()) for port in range(9)]
    lines = drawn(tally_of(names, 3, running), width, height, gates=gates)
    assert len(lines) < height
    assert max(map(len, lines)) <= width
    assert any("games under way" in line or "round" in line for line in lines)
    if (width, height) == (80, 24):
        assert any(line.startswith("entrant 3") or line.startswith(names[0][:14]) for line in lines)


def test_names_are_text_and_no_markup() -> None:
    assert any(line.startswith("[bold]x[/bold]") for line in drawn(tally_of(NAMES), height=40))


def test_before_anything_has_happened_nothing_is_made_up() -> None:
    plans = plans_of(("one", "two"))
    lines = drawn(Tally(len(plans), {"one": Player(), "two": Player()}), standings={}, gates=[])
    assert lines[0].endswith("0/20 games, 10 min so far")
    assert [line.split() for line in lines[3:]] == [
        [name, "0", "0", *["-", "-", "0", "0", "0", "0", "-"]] for name in ("one", "two")
    ]


def test_what_cannot_be_priced_is_marked() -> None:
    plans = plans_of(("one", "two"))
    tally = Tally(len(plans), {"one": Player(), "two": Player()})
    tally.recorded(plans[0], attempt(0, **{"class": "accepted"}, cost=None))
    lines = drawn(tally, standings={}, gates=[])
    assert "some prices unknown" in lines[1]
    assert next(line for line in lines if line.startswith("one")).split()[-1] == "?"


def test_a_void_game_is_finished_but_has_no_result() -> None:
    plans = plans_of(("one", "two"))
    tally = Tally(len(plans), {"one": Player(), "two": Player()})
    tally.started(plans[0])
    tally.ended(plans[0], outcome(None, result="void", reason="attempts", ranking=[]))
    tally.started(plans[1])
    tally.ended(plans[1], None)
    assert (tally.finished, tally.void, tally.results, tally.running) == (1, 1, [], {})
    assert [player.games for player in tally.players.values()] == [1, 1]
