"""Legality at the first try, recovery after feedback, settings compared on the same deals, what a decision costs."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from made import made_log, model
from rich.console import Console

from harness.compliance.analysis import Compliance, analyse
from harness.compliance.decisions import decided
from harness.compliance.show_following import tables
from harness.log import GameLog
from harness.report import make_report

M, R = ("m", "openai:m-1", model()), ("r", "random", {})
SOME = [
    ("A", ["accepted"]),
    ("A", ["repaired"]),
    ("A", ["overpay", "accepted"]),
    ("A", ["provider", "overpay", "hand_limit", "repaired"]),
    ("A", ["text_only", "accepted"]),
    ("A", ["truncated", "truncated", "overpay"]),
    ("B", ["accepted"]),
]


def told(*logs: GameLog) -> Compliance:
    return analyse(logs, make_report(logs))


def shares(compliance: Compliance, entrant: str) -> dict[tuple[str, str], tuple[int, int]]:
    own = [one for one in compliance.figures if one.entrant == entrant]
    return {(one.figure, one.code): (one.share.part, one.share.whole) for one in own}


def test_every_decision_is_told_by_its_tries_and_what_a_server_did_wrong_is_passed_over() -> None:
    log = made_log({"A": M, "B": R}, SOME)
    found = [
        (one.entrant, one.refused, one.strict, one.settled) for one in decided([log], lambda who, header: who.name)
    ]
    assert found == [
        ("m", None, True, 1),
        ("m", None, False, 1),
        ("m", "overpay", False, 2),
        ("m", "overpay", False, 3),
        ("m", "text_only", False, 2),
        ("m", "truncated", False, None),
        ("r", None, True, 1),
    ]


def test_the_figures_are_counted_of_what_they_say() -> None:
    found = shares(told(made_log({"A": M, "B": R}, SOME)), "m")
    assert found["first_try", ""] == (2, 6)
    assert found["first_try_strict", ""] == (1, 6)
    assert found["by_policy", ""] == (1, 6)
    assert found["put_right_by_second", ""] == (2, 4)
    assert found["put_right_by_third", ""] == (3, 4)
    assert found["put_right_by_second", "overpay"] == (1, 2)
    assert found["put_right_by_third", "overpay"] == (2, 2)
    assert found["put_right_by_second", "truncated"] == (0, 1)


def test_where_one_try_is_allowed_there_is_no_recovery() -> None:
    found = shares(told(made_log({"A": M, "B": R}, [("A", ["overpay"])], attempts=1)), "m")
    assert found == {("first_try", ""): (0, 1), ("first_try_strict", ""): (0, 1), ("by_policy", ""): (1, 1)}


def test_a_decision_that_is_still_open_is_left_out() -> None:
    log = made_log({"A": M, "B": R}, [("A", ["accepted"]), ("A", ["overpay"])], winner=None)
    cut = GameLog(log.path, log.records[:-1], 0, torn=False)
    assert shares(told(cut), "m")["first_try", ""] == (1, 1)


def test_the_games_on_one_deal_are_one_cluster_in_all_runs() -> None:
    games = [
        made_log({"A": M, "B": R}, SOME, deal=deal, game=f"g{deal}{run}", run=run) for deal in (1, 2) for run in "xy"
    ]
    (first,) = [one for one in told(*games).figures if (one.entrant, one.figure) == ("m", "first_try")]
    assert (first.share.whole, first.share.deals) == (24, 2)


def ladder(levels: Sequence[str], languages: Sequence[str], deals: int = 4) -> list[GameLog]:
    """A model that is legal in L0, and from then on the more seldom the higher the level; Portuguese costs it more."""
    logs = []
    for deal in range(1, deals + 1):
        for level in levels:
            for language in languages:
                bad = int(level[1]) + (2 if language == "pt-BR" else 0) + deal % 2
                tries = [("A", ["overpay", "accepted"])] * bad + [("A", ["accepted"])] * (10 - bad)
                seat = (f"{level} {language}", f"openai:m-1?level={level}", model(level, language))
                logs.append(made_log({"A": seat, "B": R}, tries, deal=deal, game=f"d{deal}{level}{language}"))
    return logs


def test_levels_and_languages_are_compared_on_the_same_deals_with_all_else_alike() -> None:
    effects = [one for one in told(*ladder(["L0", "L2", "L4"], ["en", "pt-BR"])).effects if one.figure == "first_try"]
    found = {(one.setting, one.first, one.second): one for one in effects}
    assert set(found) == {
        ("level", "L0", "L2"), ("level", "L0", "L4"), ("level", "L2", "L4"), ("language", "en", "pt-BR"),
    }  # fmt: skip
    language = found["language", "en", "pt-BR"]
    assert language.player == "openai:m-1"
    assert language.gap.value == pytest.approx(0.2)
    assert language.gap.deals == 4
    assert language.pairs == (("L0 en", "L0 pt-BR"), ("L2 en", "L2 pt-BR"), ("L4 en", "L4 pt-BR"))
    assert found["level", "L0", "L4"].gap.value == pytest.approx(0.4)
    assert found["level", "L0", "L4"].also == ()


def test_the_closed_book_is_compared_and_what_differs_beside_it_is_named() -> None:
    closed = ("closed", "openai:m-1?level=L5", model("L5", max_output_tokens=100))
    logs = [made_log({"A": closed, "B": R}, [("A", ["overpay"])], game="c"), *ladder(["L4"], ["en"], 1)]
    (effect,) = [one for one in told(*logs).effects if (one.figure, one.setting) == ("first_try", "level")]
    assert (effect.first, effect.second, effect.also) == ("L4", "L5", ("max_output_tokens", "rulebook"))
    assert (effect.gap.low, effect.gap.high) == (None, None)


def test_runs_with_other_feedback_are_compared_in_how_refusals_are_put_right() -> None:
    logs = []
    for deal in range(1, 6):
        for feedback, second in (("none", "overpay"), ("rule", "accepted")):
            tries = [("A", ["overpay", second, "accepted"][: 2 if second == "accepted" else 3])] * 4
            logs.append(made_log({"A": M, "B": R}, tries, deal=deal, game=f"{feedback}{deal}", feedback=feedback))
    found = {one.figure: one for one in told(*logs).effects if one.player == "openai:m-1"}
    second = found["put_right_by_second"]
    assert (second.setting, second.first, second.second, second.gap.value) == ("feedback", "none", "rule", -1.0)
    assert second.gap.high is not None
    assert second.gap.high < 0
    assert found["first_try"].gap.value == 0


def test_another_model_is_not_compared_as_if_it_were_the_same() -> None:
    one, other = ("x", "openai:m-1?level=L0", model("L0")), ("y", "openai:m-2?level=L2", model("L2"))
    assert told(made_log({"A": one, "B": other}, [("A", ["accepted"]), ("B", ["accepted"])])).effects == ()


def test_tokens_cost_and_time_are_told_per_decision_with_intervals() -> None:
    logs = []
    for deal in (1, 2, 3):
        spent = {
            "calls": 1, "cost": "0.5", "usage": {"uncached_input": 100 * deal, "cache_read": 50, "output": 7},
            "timing": {"latency": float(deal), "seconds": 9.0},
        }  # fmt: skip
        logs.append(
            made_log({"A": M, "B": R}, [("A", ["overpay", "accepted"])] * 2, deal=deal, game=str(deal), spent=spent)
        )
    found = {one.figure: one for one in told(*logs).efforts if one.entrant == "m"}
    assert {name: one.value for name, one in found.items()} == {
        "calls": 2, "input_tokens": 500, "output_tokens": 14, "cost": 1, "seconds_median": 2, "seconds_95": 3,
    }  # fmt: skip
    tokens = found["input_tokens"]
    assert tokens.low is not None
    assert tokens.high is not None
    assert tokens.low < 500 < tokens.high
    assert (found["calls"].low, found["calls"].high) == (2, 2)


def test_where_a_call_has_no_price_no_cost_is_told() -> None:
    logs = [made_log({"A": M, "B": R}, [("A", ["accepted"])], spent={"calls": 1})]
    assert [one.figure for one in told(*logs).efforts] == ["calls", "input_tokens", "output_tokens"]


def test_calls_that_were_refused_or_told_no_usage_leave_the_cost_told_as_the_report_tells_it() -> None:
    """Their price is not unknown: nothing, or at most what is counted apart."""
    logs = []
    for deal in (1, 2, 3):
        log = made_log(
            {"A": M, "B": R}, [("A", ["provider", "overpay", "accepted"])], deal=deal, game=str(deal),
            spent={"calls": 1, "cost": "0.5", "timing": {"latency": float(deal)}},
        )  # fmt: skip
        refused, unsaid = ({"cost": None, "uncertain": at_most} for at_most in (None, "0.25"))
        attempts = [one.model_copy(update=what) for one, what in zip(log.attempts, (refused, unsaid, {}), strict=True)]
        logs.append(replace(log, records=(log.header, *attempts, *log.records[4:])))
    found = {one.figure: one for one in told(*logs).efforts if one.entrant == "m"}
    (row,) = [entry.to_json() for entry in make_report(logs).entries if entry.name == "m"]
    assert (row["unpriced_calls"], row["cost_per_decision"]) == (0, "0.5")
    assert (found["cost"].value, found["cost"].low, found["cost"].high) == (0.5, 0.5, 0.5)


def test_the_median_of_the_seconds_is_one_figure() -> None:
    logs = [
        made_log({"A": M, "B": R}, [("A", ["accepted"])], deal=deal, game=str(deal), spent={"calls": 1} | seconds)
        for deal in (1, 2, 3, 4)
        for seconds in [{"timing": {"latency": float(deal)}}]
    ]
    (row,) = [entry.to_json() for entry in make_report(logs).entries if entry.name == "m"]
    (own,) = [one for one in told(*logs).efforts if (one.entrant, one.figure) == ("m", "seconds_median")]
    assert row["latency_median"] == own.value == 2.0


def test_decisions_that_a_person_left_to_the_policy_are_counted_by_nobody() -> None:
    log = made_log({"A": M, "B": R}, [("A", ["accepted"]), ("A", ["provider"])], spent={"calls": 1, "cost": "1"})
    left = [one.model_copy(update={"asked": True}) for one in log.decisions[1:]]
    asked = replace(log, records=(*log.records[:-2], *left, log.records[-1]))
    (row,) = [entry.to_json() for entry in make_report([asked]).entries if entry.name == "m"]
    (own,) = [one for one in told(asked).efforts if (one.entrant, one.figure) == ("m", "calls")]
    assert row["calls_per_decision"] == own.value == 2


def test_tables_fit_80_columns_and_the_figures_are_plain_json() -> None:
    logs = ladder(["L0", "L2", "L4", "L5"], ["en", "pt-BR"])
    report, compliance = make_report(logs), told(*logs)
    file = io.StringIO()
    console = Console(width=80, file=file)
    for table in tables(report, compliance):
        console.print(table)
    text = file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    for title in ("Rule following", "Recovery after feedback", "Recovery by what was wrong", "on the same deals"):
        assert title in text
    assert "level: L0 less L4" in text
    assert json.loads(json.dumps(compliance.to_json()))["figures"]
