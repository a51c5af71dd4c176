"""Runs as tables: DuckDB reads both forms, the counts are those of the report, and the card says what stands there."""

from __future__ import annotations

import csv
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from talker import HOSTILE, SECRET, played

from harness.cli import run as dale
from harness.errors import UserError
from harness.export.columns import TABLES
from harness.export.export import export
from harness.export.files import FORMATS, Format
from harness.log import GameLog
from harness.report import make_report, read_logs
from harness.reporting import analyse
from harness.text import clean

TYPES = {"text": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE", "dollars": "DECIMAL(38,18)", "yes/no": "BOOLEAN"}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def logs(run: Path) -> list[GameLog]:
    return read_logs(run)


@pytest.fixture(scope="module")
def tables(logs: list[GameLog], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables in both forms, with texts, each in a folder called so."""
    folder = tmp_path_factory.mktemp("tables")
    for form in FORMATS:
        export(logs, folder / form, form, texts=True)
    return folder


def query(tables: Path, form: str, text: str) -> list[tuple[Any, ...]]:
    """Ask DuckDB; a table is written as {attempts}."""
    return duckdb.sql(text.format(**{name: f"'{tables / form / name}.{form}'" for name in TABLES})).fetchall()


@pytest.mark.parametrize("form", FORMATS)
def test_duckdb_counts_what_the_report_counts(tables: Path, logs: list[GameLog], form: Format) -> None:
    for row in make_report(logs).to_json()["entrants"]:
        mine = f"WHERE entrant = '{row['label']}'"
        classes = dict(query(tables, form, f"SELECT class, count(*) FROM {{attempts}} {mine} GROUP BY ALL"))
        assert classes == {name: count for name, count in row["attempts"].items() if count}
        codes = query(tables, form, f"SELECT code, count(*) FROM {{violations}} {mine} AND is_primary GROUP BY ALL")
        assert dict(codes) == {code["code"]: code["count"] for code in row["illegal_by_code"]}
        settled = f"SELECT settled, count(*) FROM {{decisions}} {mine} AND settled IS NOT NULL GROUP BY ALL"
        assert {str(number): count for number, count in query(tables, form, settled)} == row["settled_at_try"]
        wanted = [row["games"], row["wins"], row["decisions"], row["decided_by_policy"], row["calls"]]
        summed = "count(*), count(*) FILTER (won), sum(decisions), sum(by_policy), sum(calls)"
        assert list(query(tables, form, f"SELECT {summed} FROM {{seats}} {mine}")[0]) == wanted
        tokens = query(tables, form, f"SELECT sum(cache_read_tokens), sum(output_tokens) FROM {{attempts}} {mine}")
        assert [number or 0 for number in tokens[0]] == [row["tokens"]["cache_read"], row["tokens"]["output"]]


def test_parquet_holds_costs_to_the_last_digit(tables: Path, logs: list[GameLog]) -> None:
    (row,) = [row for row in make_report(logs).to_json()["entrants"] if row["name"] == "talker"]
    ((cost, uncertain),) = query(
        tables, "parquet", "SELECT sum(cost), sum(cost_uncertain) FROM {attempts} WHERE entrant = 'talker'"
    )
    assert (cost, uncertain) == (Decimal(row["cost"]), Decimal(row["cost_uncertain"]))


@pytest.mark.parametrize("form", FORMATS)
def test_rates_and_ratings_are_those_of_the_report(tables: Path, logs: list[GameLog], form: Format) -> None:
    analysis = analyse(logs, rules=True)
    found = query(tables, form, "SELECT entrant, rating, half_width FROM {ratings}")
    assert [one[0] for one in found] == [one.name for one in analysis.ratings.standings]
    assert [one[1] for one in found] == pytest.approx([one.rating for one in analysis.ratings.standings])
    rates = query(tables, form, "SELECT sum(part), sum(whole) FROM {rates} WHERE figure = 'violations_per_opportunity'")
    counted = query(tables, form, "SELECT sum(violations), sum(opportunities) FROM {opportunities}")
    assert analysis.rates is not None
    assert (
        rates == counted == [(sum(r.violations for r in analysis.rates), sum(r.opportunities for r in analysis.rates))]
    )
    first = query(tables, form, "SELECT rate, low FROM {rates} WHERE figure = 'first_try' AND entrant = 'talker'")
    (wanted,) = [
        one.share for one in analysis.compliance.figures if (one.entrant, one.figure) == ("talker", "first_try")
    ]
    assert first[0] == pytest.approx((wanted.value, wanted.low))


@pytest.mark.parametrize("name", list(TABLES))
def test_both_forms_hold_the_declared_columns_and_as_many_rows(tables: Path, name: str) -> None:
    columns = [column.name for column in TABLES[name].columns]
    parquet = duckdb.sql(f"SELECT * FROM '{tables / 'parquet' / name}.parquet'")
    assert parquet.columns == columns
    with open(tables / "csv" / f"{name}.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head == columns
    assert len(rows) == len(parquet.fetchall()) > 0
    types = {
        "text": "VARCHAR",
        "integer": "BIGINT",
        "number": "DOUBLE",
        "dollars": "DECIMAL(38,18)",
        "yes/no": "BOOLEAN",
    }
    assert [str(type_) for type_ in parquet.types] == [types[column.type] for column in TABLES[name].columns]


def test_what_a_model_said_is_data_without_control_characters_and_keys(tables: Path) -> None:
    for form in FORMATS:
        found = query(tables, form, "SELECT request_text, answer_text FROM {attempts} WHERE answer_text IS NOT NULL")
        assert len(found) > 20
        assert all(answer == f"answer {clean(HOSTILE)}" for _, answer in found)
        assert all(clean(HOSTILE) in request and SECRET not in request for request, _ in found)
    held = b"".join(path.read_bytes() for path in (tables / "csv").iterdir())
    assert SECRET.encode() not in held
    assert b"\x1b" not in held


def test_texts_are_there_only_if_asked_for(logs: list[GameLog], tmp_path: Path) -> None:
    export(logs, tmp_path / "t")
    held = "".join(path.read_text() for path in (tmp_path / "t").iterdir())
    assert "DROP TABLE" not in held
    assert "request_text" not in held


def test_the_same_logs_give_the_same_bytes(tables: Path, logs: list[GameLog], tmp_path: Path) -> None:
    export(logs, tmp_path / "again", "csv", texts=True)
    for path in (tables / "csv").iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_the_card_names_every_table_column_and_limit(tables: Path) -> None:
    for form in FORMATS:
        _, head, body = (tables / form / "README.md").read_text().split("---\n", 2)
        data = yaml.safe_load(head)
        files = {one["config_name"]: one["data_files"] for one in data["configs"]}
        assert files == {name: f"{name}.{form}" for name in TABLES}
        assert all((tables / form / file).is_file() for file in files.values())
        assert (data["license"], data["language"]) == ("mit", ["en", "pt"])
        for name, table in TABLES.items():
            assert f"\n### {name}\n" in body
            assert all(f"| `{column.name}` | {column.type} | {column.about} |" in body for column in table.columns)
        for told in ("talker-1", "fan implementation", "12 games", "6 blocks", "are few", "bibtex", "run seed 1"):
            assert told in body
        assert f"dale export sample --to FOLDER --format {form} --texts" in body


def test_a_folder_that_holds_something_is_left_alone(logs: list[GameLog], tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match="is not empty: give a new folder"):
        export(logs, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_nothing_is_left_half_written(run: Path, logs: list[GameLog], tmp_path: Path) -> None:
    away = [GameLog(tmp_path / "a" / "b" / "c.jsonl", log.records, log.size, log.torn) for log in logs]
    with pytest.raises(UserError, match=r"the blob .* cannot be read"):
        export(away, tmp_path / "t", texts=True)
    assert list(tmp_path.iterdir()) == []


def test_without_duckdb_csv_is_written_and_parquet_says_what_to_install(
    logs: list[GameLog], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(UserError, match=r"pip install 'dale-arena\[export\]'"):
        export(logs, tmp_path / "p", "parquet")
    assert not list(tmp_path.iterdir())
    assert export(logs, tmp_path / "c")["games"] == 12


def test_the_command_says_what_it_wrote(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = str(tmp_path / "t")
    assert dale(["export", "sample", "--results", str(run.parent), "--to", to, "--licence", "cc-by-4.0"]) == 0
    assert "12 games.csv" in capsys.readouterr().out
    assert "license: cc-by-4.0" in (tmp_path / "t" / "README.md").read_text()
    assert dale(["export", str(run), "--to", to]) == 2
    assert dale(["export", str(run), "--to", str(tmp_path / "u"), "--format", "xlsx"]) == 2
    assert "--format must be one of csv, parquet, not 'xlsx'" in capsys.readouterr().err
