from __future__ import annotations

import asyncio
import io
import json
import re
import shutil
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from made import made_log, model
from rich.console import Console

from engine import CODES
from harness.agents.base import Answer, Fault, Turn, Usage
from harness.agents.random import RandomAgent
from harness.config import make_tournament
from harness.errors import UserError
from harness.log import read_log
from harness.progress import Silent
from harness.randomness import Draws
from harness.report import CLASSES, Report, make_report, read_logs
from harness.reporting import analyse, write_page
from harness.store import create_run
from harness.tables import MOST_CODES, print_report
from harness.tournament import play_run

TWO = [{"name": name, "agent": "random"} for name in ("x", "y")]
ILLEGAL = {"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}


class Faulty(RandomAgent):
    """Makes known faults at the first try of a decision, by the decision's number, and counts what it did."""

    def __init__(self, spec: str) -> None:
        super().__init__(spec)
        self.made: dict[str, int] = dict.fromkeys(
            ("rule", "text_only", "repaired", "provider", "format", "accepted", "decisions"), 0
        )

    async def choose(self, turn: Turn) -> Answer:
        good = await super().choose(turn)
        usage = Usage(uncached_input=100, cache_read=300, output=7)
        kind = Draws(*turn.key, "fault").below(6) if turn.attempt == 0 else 5
        self.made["decisions"] += turn.attempt == 0
        if kind == 0:
            self.made["rule"] += 1
            return Answer(proposal=ILLEGAL, usage=usage, calls=1, cost="0.5")
        if kind == 1:
            self.made["text_only"] += 1
            return Answer(failure="text_only", usage=usage, calls=1, cost="0.5")
        if kind == 2:
            self.made["format"] += 1
            return Answer(failure="format", code="malformed_arguments", usage=usage, calls=1, cost="0.5")
        self.made["accepted"] += 1
        if kind == 3:
            self.made["repaired"] += 1
            return replace(good, repairs=("case",), usage=usage, calls=1, cost="0.5")
        if kind == 4:
            self.made["provider"] += 1
            fault = Fault("overloaded", "529", uncertain="0.25")
            return replace(good, faults=(fault,), usage=usage, calls=1, cost=None, timing={"latency": 9.0})
        return replace(good, usage=usage, calls=1, cost="0.5", timing={"latency": 2.0})


@pytest.fixture(name="played")
def played_run(tmp_path: Path) -> tuple[Path, Faulty]:
    data = {
        "name": "run",
        "round_limit": 8,
        "schedule": {"deals": 2},
        "entrants": [{"name": "faulty [bold]", "agent": "merchant"}, {"name": "plain", "agent": "random"}],
    }
    run = create_run(tmp_path, make_tournament(data, "test"))
    faulty = Faulty("merchant")
    asyncio.run(play_run(run, {"faulty [bold]": faulty, "plain": RandomAgent("random")}, Silent()))
    return run.folder, faulty


def test_the_figures_are_those_of_what_happened(played: tuple[Path, Faulty]) -> None:
    folder, faulty = played
    report = make_report(read_logs(folder))
    data = report.to_json()
    assert json.dumps(data)
    rows = {row["name"]: row for row in data["entrants"]}
    row, plain = rows["faulty [bold]"], rows["plain"]
    made = faulty.made
    assert min(made.values()) > 0
    assert row["games"] == plain["games"] == 4
    assert row["unfinished"] == 4
    assert row["rounds_mean"] == 8
    outcomes = [read_log(path).outcome for path in folder.glob("games/*.jsonl")]
    assert sum(sum(outcome.stacks.values()) for outcome in outcomes if outcome) == 4 * (
        row["stacks_mean"] + plain["stacks_mean"]
    )
    led = sum(len(outcome.ranking[0]) == 1 for outcome in outcomes if outcome)
    assert row["led_unfinished"] + plain["led_unfinished"] == led
    assert row["decisions"] == made["decisions"]
    for name in ("rule", "text_only", "format", "provider", "accepted"):
        assert row["attempts"][name] == made[name]
    first = made["decisions"] - made["rule"] - made["text_only"] - made["format"]
    assert row["first_try_legal"] == pytest.approx(first / made["decisions"])
    assert row["first_try_legal_strict"] == pytest.approx((first - made["repaired"]) / made["decisions"])
    judged = made["accepted"] + made["rule"] + made["text_only"] + made["format"]
    assert row["illegal_rate"] == pytest.approx((made["rule"] + made["format"]) / judged)
    assert row["illegal_rate_strict"] == pytest.approx((made["rule"] + made["format"] + made["repaired"]) / judged)
    assert row["repairs"] == [{"kind": "case", "count": made["repaired"]}]
    assert row["settled_at_try"] == {"1": first, "2": made["decisions"] - first}
    assert row["provider_failures"] == [{"code": "overloaded", "count": made["provider"]}]
    counts = {code["code"]: code["count"] for code in row["illegal_by_code"]}
    assert counts["malformed_arguments"] == made["format"]
    assert sum(counts.values()) == made["rule"] + made["format"]
    assert all(code["rules"] for code in row["illegal_by_code"])
    assert row["calls"] == judged + made["provider"]
    assert row["tokens"]["uncached_input"] == 100 * judged
    assert Decimal(row["cost"]) == Decimal("0.5") * (judged - made["provider"])
    assert row["unpriced_calls"] == made["provider"]
    assert Decimal(row["cost_uncertain"]) == Decimal("0.25") * made["provider"]
    assert (row["cost_per_game"], row["cost_per_decision"]) == (None, None)  # some calls have no price
    assert row["calls_per_decision"] == pytest.approx((judged + made["provider"]) / made["decisions"])
    per_decision = {"input": 400, "cached": 300, "output": 7}
    assert row["tokens_per_decision"] == pytest.approx(
        {name: count * judged / made["decisions"] for name, count in per_decision.items()}
    )
    assert row["cache_hit_ratio"] == 0.75
    assert row["latency_median"] == 2.0
    assert row["settings"]["feedback"] == "rule"
    assert plain["cost"] is None
    assert plain["first_try_legal"] == 1
    assert plain["illegal_by_code"] == []


def test_settings_of_the_run_stand_in_the_report(played: tuple[Path, Faulty]) -> None:
    settings = make_report(read_logs(played[0])).settings
    assert settings["attempts"] == 3
    assert settings["feedback"] == "rule"
    assert settings["policy"] == "random_legal"
    assert settings["round_limit"] == 8
    assert settings["rulebook"] == "full"
    assert settings["edition"] == "classic"
    assert settings["run_seed"] == 1


def test_open_games_and_torn_lines_are_said(played: tuple[Path, Faulty]) -> None:
    folder, _ = played
    path = sorted(folder.glob("games/*.jsonl"))[0]
    path.write_bytes(path.read_bytes()[:-9])
    report = make_report(read_logs(folder))
    assert report.torn == (path.name,)
    assert [entry.open for entry in report.entries] == [1, 1]


def shown(report: Report, width: int) -> str:
    file = io.StringIO()
    print_report(Console(width=width, file=file), report)
    return file.getvalue()


def test_tables_fit_80_columns_and_show_names_as_they_are(played: tuple[Path, Faulty]) -> None:
    report = make_report(read_logs(played[0]))
    text = shown(report, 120)
    assert "faulty [bold]" in text
    assert "malformed_arguments" in text
    assert "R-ERR-02" in text
    assert "attempts 3" in text
    assert "cannot be read" in text
    for entry in report.entries:
        entry.attempts.update(dict.fromkeys(CLASSES, 12345))
    narrow = shown(report, 80)
    assert max(map(len, narrow.splitlines()[2:])) <= 80
    assert all(name in narrow for name in ("truncated", "provider", "accepted", "12345", "reasoning"))
    assert "…" not in narrow


def test_a_folder_without_logs(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no game log in"):
        make_report(read_logs(tmp_path))
    with pytest.raises(UserError, match="there is no run and no game log"):
        make_report(read_logs(tmp_path / "none"))


def test_what_calls_cost_is_told_per_game_and_decision(tmp_path: Path) -> None:
    class Paying(RandomAgent):
        async def choose(self, turn: Turn) -> Answer:
            return replace(await super().choose(turn), calls=1, cost="0.001")

    run = create_run(tmp_path, make_tournament({"name": "run", "round_limit": 2, "entrants": TWO}, "test"))
    asyncio.run(play_run(run, {"x": Paying("random"), "y": RandomAgent("random")}, Silent()))
    report = make_report(read_logs(run.folder))
    row = next(row for row in report.to_json()["entrants"] if row["name"] == "x")
    assert row["cost_per_decision"] == "0.001"
    assert Decimal(row["cost_per_game"]) == Decimal(row["decisions"]) / 1000 / 2
    assert "Cost (US dollars)" in shown(report, 80)


def models(tmp_path: Path, **changes: Any) -> Path:
    """A run of two agents that look like models in the log."""

    class Model(RandomAgent):
        def __init__(self, level: str) -> None:
            super().__init__("random")
            profile = {"output_mode": "json_schema", "api": "responses"}
            self.settings = {"level": level, "language": "pt-BR", "rulebook": "brief", "profile": profile}

        async def choose(self, turn: Turn) -> Answer:
            return replace(await super().choose(turn), calls=1, usage=Usage(output=3))

    data = {"name": "run", "round_limit": 1, "entrants": TWO} | changes
    run = create_run(tmp_path, make_tournament(data, "test"))
    asyncio.run(play_run(run, {"x": Model("L0"), "y": Model("L2")}, Silent()))
    return run.folder


def test_settings_have_a_table_and_those_that_differ_a_column_in_every_table(tmp_path: Path) -> None:
    report = make_report(read_logs(models(tmp_path)))
    rows = {row["name"]: row["settings"] for row in report.to_json()["entrants"]}
    told = {"language": "pt-BR", "rulebook": "brief", "output_mode": "json_schema", "api": "responses"}
    assert rows["x"] == told | {"level": "L0", "attempts": 3, "feedback": "rule", "policy": "random_legal"}
    heads: dict[str, str] = {}
    for line in shown(report, 80).splitlines():
        if line[:1].isalpha():
            title = line.strip()
        heads[title] = f"{heads.get(title, '')}{line}\n"
    assert "responses" in heads["Settings"]
    for title in ("Outcomes", "Calls and tokens", "Cost (US dollars)"):
        assert re.search(r"agent +level +", heads[title]), heads[title]
        assert re.search(r"\bx +L0 +", heads[title])
        assert "pt-BR" not in heads[title]


def test_several_runs_stand_in_one_report_and_their_settings_beside_each_other(tmp_path: Path) -> None:
    one, other = models(tmp_path / "1"), models(tmp_path / "2", feedback="none", attempts=1, name="second")
    report = make_report(read_logs(one, other))
    assert report.run == "run, second"
    assert [entry.games for entry in report.entries] == [2, 2, 2, 2]
    assert {(entry.name, entry.settings["feedback"], entry.settings["attempts"]) for entry in report.entries} == {
        (name, *run) for name in "xy" for run in (("rule", 3), ("none", 1))
    }
    text = shown(report, 80)
    assert "feedback rule/none" in text
    assert max(map(len, text.splitlines()[2:])) <= 80


def test_a_single_log_can_be_reported(played: tuple[Path, Faulty]) -> None:
    path: Any = sorted(played[0].glob("games/*.jsonl"))[0]
    assert make_report(read_logs(path)).games == 1


def test_many_codes_are_cut_to_the_commonest_in_the_tables_and_whole_as_json() -> None:
    codes = sorted(CODES)[: MOST_CODES + 3]
    tries = [("A", [code, "accepted"]) for code in (*codes, *codes[1:])]
    report = make_report([made_log({"A": ("x", "random", {}), "B": ("y", "random", {})}, tries)])
    text = shown(report, 120)
    assert "Illegal attempts by code, the commonest 10 of each agent" in text
    assert codes[1] in text
    assert codes[0] not in text  # the only one that was broken once
    row = next(row for row in report.to_json()["entrants"] if row["name"] == "x")
    assert {one["code"] for one in row["illegal_by_code"]} == set(codes)


def test_one_agent_twice_is_noise_only_under_the_same_settings() -> None:
    def floors(other: dict[str, Any]) -> int:
        seats = {"A": ("x", "openai:m-1", model("L2")), "B": ("y", "openai:m-1", other)}
        logs = [made_log(seats, [("A", ["accepted"])], deal=deal, game=str(deal)) for deal in (1, 2)]
        return len(analyse(logs).ratings.floors)

    assert (floors(model("L2")), floors(model("L2", "pt-BR"))) == (1, 0)


def test_a_run_or_a_log_given_twice_counts_once(played: tuple[Path, Faulty], monkeypatch: pytest.MonkeyPatch) -> None:
    folder = played[0]
    monkeypatch.chdir(folder.parent)
    log = sorted(folder.glob("games/*.jsonl"))[0]
    logs = read_logs(log, folder, Path(folder.name), folder)
    assert len(logs) == len({log.path.resolve() for log in logs}) == len(read_logs(folder))
    assert make_report(logs).to_json()["entrants"] == make_report(read_logs(folder)).to_json()["entrants"]


def test_names_classes_and_codes_are_whole_in_80_columns() -> None:
    """However many classes there were, and with settings that differ."""
    code = "discard_inclusion_not_allowed"
    kinds = ("repaired", code, "text_only", "truncated", "refusal", "empty", "provider")
    seats = {
        seat: (name, f"openai:m?level={level}", model(level, language, output_mode=mode))
        for seat, name, level, language, mode in (
            ("A", "weak merchant again", "L0", "en", "tools"), ("B", "gpt-5.2-m", "L2", "pt-BR", "json_schema"),
        )
    }  # fmt: skip
    decided = [(seat, [kind, "accepted"]) for kind in kinds for seat in "AB"] * 100
    logs = [made_log(seats, decided, spent={"calls": 1})]
    malformed = logs[0].attempts[2].model_copy(update={"result": "format", "code": "malformed_arguments"})
    logs[0] = replace(logs[0], records=(*logs[0].records[:3], malformed, *logs[0].records[4:]))
    text = shown(make_report(logs), 80)
    lines = text[text.index("Settings") :].splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in text
    tables = "\n".join(lines).split("agent ")[1:]
    assert len(tables) == 11
    for table in tables:
        assert all(re.search(rf"\b{word} ", table) for word in ("weak", "merchant", "gpt-5.2-m"))
    assert f" {code} " in text


def test_two_runs_of_one_name_are_not_told_together(tmp_path: Path) -> None:
    one, other, copy = models(tmp_path / "1"), models(tmp_path / "2", seed=9), tmp_path / "copy"
    shutil.copytree(one, copy)
    for namesake in (other, copy):
        with pytest.raises(UserError, match=r"1/run/games/\S+ and \S+ are of two runs.*called 'run': give only one"):
            read_logs(one, namesake)
    first, second = (sorted(folder.glob("games/*.jsonl"))[place] for place, folder in enumerate((one, other)))
    with pytest.raises(UserError, match="both called 'run'"):
        read_logs(first, second)


@pytest.mark.parametrize("name", [".", "", "folder"])
def test_a_page_is_not_written_into_a_folder(
    played: tuple[Path, Faulty], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    logs = read_logs(played[0])
    (tmp_path / "empty" / "folder").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "empty")
    with pytest.raises(UserError, match="the page cannot be the folder"):
        write_page(logs, Path(name), "en")
    assert [path.name for path in (tmp_path / "empty").rglob("*")] == ["folder"]


def test_a_page_that_cannot_be_put_in_its_place_leaves_nothing_behind(
    played: tuple[Path, Faulty], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Path, target: Path) -> Path:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "replace", fail)
    monkeypatch.setattr("harness.page.build.build_page", lambda logs, language: "a page")
    with pytest.raises(UserError, match=r"cannot write the page .*page\.html: Operation not permitted"):
        write_page(read_logs(played[0]), tmp_path / "page.html", "en")
    assert not list(tmp_path.glob("page.html*"))
