"""``dale report RUN --policy ...``: the tables, what hangs on the policy, and logs of other versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rescored_runs import Trying, play, repaired

from harness.cli import run
from harness.errors import UserError
from harness.records import SCHEMA_VERSION
from harness.report import make_report, read_logs
from harness.reporting import analyse
from harness.rescoring.report import rescoring
from harness.rescoring.scoring import Scoring
from harness.rescoring.sensitivity import POLICIES


@pytest.fixture(name="folder", scope="module")
def played_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which one entrant uses its attempts up, and another needs repairs."""
    folder = tmp_path_factory.mktemp("results")
    agents = {"breaks rules": "sloppy:0.7", "needs repairs": Trying(repaired), "plain": "merchant"}
    play(folder, agents, attempts=2, schedule={"deals": 2}, round_limit=3)
    return folder / "run"


def dale(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(arguments) == code
    captured = capsys.readouterr()
    return captured.err if code == 2 else captured.out


def figures(folder: Path, **scoring: Any) -> dict[str, Any]:
    return json.loads(json.dumps(rescoring([folder], Scoring(**scoring)).to_json()))


def test_under_the_terms_of_the_run_the_tables_are_those_of_the_run(folder: Path) -> None:
    plain = json.loads(json.dumps(analyse(read_logs(folder), rules=True).to_json()))
    again = json.loads(json.dumps(rescoring([folder], Scoring("random_legal", 2), rules=True).to_json()))
    added = again.pop("rescoring")
    assert again == plain
    assert (added["affected"], added["changed"], added["cut"]) == (0, 0, 0)
    assert (added["results"], added["differences"], added["lost"]) == ([], [], [])
    assert added["proposals_judged"] > 50


def test_the_tables_are_made_from_the_games_as_they_are_scored(folder: Path) -> None:
    found = rescoring([folder], Scoring("forfeit", 1))
    assert found.analysis.report.to_json() == make_report([game.log for game in found.games]).to_json()
    assert found.analysis.report.settings["policy"] == "forfeit"
    assert found.analysis.report.settings["attempts"] == 1
    rows = {entry.name: entry for entry in found.analysis.report.entries}
    assert (rows["breaks rules"].wins, rows["breaks rules"].forfeits) == (0, 8)
    assert rows["plain"].wins == 4
    added = found.to_json()["rescoring"]
    assert (added["games"], added["affected"], added["changed"], added["cut"]) == (12, 8, 8, 0)
    assert added["left"]["forfeit"] == 8
    assert [one["game"] for one in added["results"]] == [game.log.header.game for game in found.moved]
    for one in added["results"]:
        assert one["was"]["result"] == "unfinished"
        assert (one["is"]["result"], one["departure"]["how"]) == ("win", "forfeit")


def test_every_policy_is_compared_read_leniently_and_strictly(folder: Path) -> None:
    scenarios = figures(folder, policy="void", attempts=1)["rescoring"]["sensitivity"]
    assert [(one["policy"], one["strict"]) for one in scenarios] == [
        (policy, strict) for policy in ("random_legal", "forfeit", "void") for strict in (False, True)
    ]
    for one in scenarios:
        alone = figures(folder, policy=one["policy"], attempts=1, strict=one["strict"])
        for name in ("affected", "changed", "cut", "left", "early"):
            assert alone["rescoring"][name] == one[name]
        wins = {row["label"]: row["wins"] for row in alone["entrants"]}
        assert wins == {row["name"]: row["wins"] for row in one["standings"]}
        ratings = {row["name"]: row["rating"] for row in alone["ratings"]["standings"]}
        assert ratings == {row["name"]: row["rating"] for row in one["standings"] if row["rating"] is not None}
    lenient, strict = scenarios[2:4]
    assert lenient["affected"] < strict["affected"] == 12
    assert strict["early"] == 0  # with one attempt nobody would have been asked again


def test_without_repairs_there_is_one_reading(tmp_path: Path) -> None:
    play(tmp_path, {"x": "sloppy:0.5", "y": "merchant"}, round_limit=2)
    scenarios = figures(tmp_path / "run", strict=True)["rescoring"]["sensitivity"]
    assert [one["strict"] for one in scenarios] == [False] * 3


def test_a_game_is_void_for_an_anchor_that_has_no_ranked_game(folder: Path) -> None:
    found = rescoring([folder], Scoring(None, 1), anchor="plain")
    by = {(one.scoring.policy, one.scoring.strict): one for one in found.sensitivity}
    strictly_void = {one.name: one for one in by["void", True].standings}
    assert {one.ranked for one in strictly_void.values()} == {0}
    assert {one.rating for one in strictly_void.values()} == {None}
    assert {one.rating for one in by["forfeit", False].standings if one.name == "plain"} == {0.0}


def test_the_command_prints_tables_and_every_game_that_changes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = dale(capsys, "report", str(folder), "--policy", "forfeit", "--attempts", "1", "--strict")
    assert (
        "Scored again: policy forfeit (played under random_legal), attempts 1 (played with 2), strict reading" in told
    )
    assert "12 of 12 games are counted otherwise" in told
    for title in ("Outcomes", "Ratings", "What each policy does to the games", "Sensitivity"):
        assert title in told
    assert told.count("wins at decision") == 12
    assert "recorded proposals are judged as they were" in told
    told = dale(capsys, "report", str(folder), "--strict")
    assert "A cut game would have gone on otherwise" in told
    assert "Not asked again" in told
    assert json.loads(dale(capsys, "report", str(folder), "--strict", "--json"))["rescoring"]["strict"] is True


def test_the_names_of_policies_are_whole_in_80_columns(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = dale(capsys, "report", str(folder), "--strict")
    lines = told[told.index("Sensitivity") : told.index("* Games are cut")].splitlines()
    assert max(map(len, lines)) <= 80
    assert [sum(line.startswith(f"  {policy} ") for line in lines) for policy in POLICIES] == [3, 3, 3]


def test_of_several_runs_each_game_is_told_with_its_run(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(tmp_path, {"x": "sloppy:1", "y": "merchant"}, name="other", round_limit=1)
    told = dale(capsys, "report", str(folder), str(tmp_path / "other"), "--policy", "forfeit")
    assert "  run/d001-p01-r0: " in told
    assert "  other/d001-p01-r0: " in told


def test_the_command_refuses_what_it_cannot_do(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    complaint = dale(capsys, "report", str(folder), "--policy", "mercy", code=2)
    assert complaint == "dale: there is no policy 'mercy'; there are: random_legal, forfeit, void.\n"
    complaint = dale(capsys, "report", str(folder), "--strict", "--html", "page.html", code=2)
    assert "the page shows a run as it was played" in complaint
    assert "there is no game log in" in dale(capsys, "report", str(folder.parent), "--strict", code=2)


def test_what_is_judged_otherwise_is_listed_and_the_exit_code_says_so(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = next(log for log in read_logs(folder) if any(record.result == "rule" for record in log.attempts))
    refused = next(record for record in log.attempts if record.result == "rule")
    lines = log.path.read_text().splitlines()
    place = log.records.index(refused)
    record = {**json.loads(lines[place]), "code": "\x1b[31mhot"}
    (tmp_path / "game.jsonl").write_text("\n".join([*lines[:place], json.dumps(record), *lines[place + 1 :], ""]))
    told = dale(capsys, "report", str(tmp_path / "game.jsonl"), "--policy", "random_legal", code=1)
    assert f"DIFFERENT: {log.header.game}, decision {refused.number} of seat {refused.seat}" in told
    assert "other violation" in told
    assert "1 differences in 1 games" in told
    assert "\x1b" not in told
    found = json.loads(
        dale(capsys, "report", str(tmp_path / "game.jsonl"), "--policy", "random_legal", "--json", code=1)
    )
    assert [one["now"]["code"] for one in found["rescoring"]["differences"]] == [refused.code]


def other_version(folder: Path, target: Path, **changes: Any) -> Path:
    """A log of the run as another version would have written it."""
    path = min((folder / "games").glob("*.jsonl"))
    header, *rest = path.read_text().splitlines()
    target.write_text("\n".join([json.dumps({**json.loads(header), **changes}), *rest, ""]))
    return target


def test_logs_of_other_engines_and_epochs_are_read(folder: Path, tmp_path: Path) -> None:
    path = other_version(folder, tmp_path / "old.jsonl", engine_version="0.0.9", rules_version="0", harness_epoch=1)
    added = rescoring([path], Scoring("void")).to_json()["rescoring"]
    assert added["engine"]["recorded"] == [("0.0.9", "0")]
    assert added["differences"] == []


def test_logs_of_another_schema_are_read_if_their_records_fit(folder: Path, tmp_path: Path) -> None:
    path = other_version(folder, tmp_path / "old.jsonl", schema_version=1)
    with pytest.raises(UserError, match="schema version 1"):
        read_logs(path)
    assert rescoring([path], Scoring("void")).to_json()["rescoring"]["proposals_judged"] > 0


def test_a_schema_that_cannot_be_read_is_said_so(folder: Path, tmp_path: Path) -> None:
    path = other_version(folder, tmp_path / "new.jsonl", schema_version=99, engine_version="7.0", mood="sunny")
    with pytest.raises(UserError) as caught:
        rescoring([path], Scoring("void"))
    assert str(caught.value) == (
        f"{path} was written by another version (schema 99, engine 7.0) and its records do not fit the schema of this "
        f"one ({SCHEMA_VERSION}): score it again with the version that made it."
    )
    (tmp_path / "none.jsonl").write_text("no log\n{}\n")
    with pytest.raises(UserError, match=r"line 1: not a record of a game log"):
        rescoring([tmp_path / "none.jsonl"], Scoring("void"))
