from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from harness.agents.base import MatchSettings
from harness.blobs import BlobStore
from harness.canonical import canonical_json, plain
from harness.errors import UserError
from harness.log import LogWriter, is_finished, is_torn, read_log
from harness.records import (
    SCHEMA_VERSION,
    AttemptRecord,
    Header,
    OutcomeRecord,
    SeatRecord,
    comparable,
    parse_record,
    schema_text,
)

SCHEMA = Path(__file__).parents[2] / "docs" / "log.schema.json"


def header(**changes: object) -> Header:
    settings = MatchSettings()
    fields: dict[str, object] = {
        "engine_version": "1", "rules_version": "1", "run": "r", "run_seed": 1, "game": "g", "deal": 1, "line_up": 1,
        "rotation": 0, "edition": "classic", "players": 2, "sets": ["macaws"], "seed": 3,
        "variant": "standard", "start": None,
        "seats": {seat: SeatRecord(name="x", agent="random", settings={}) for seat in "AB"}, "provider_failure": "open",
        "attempts": settings.attempts, "feedback": settings.feedback, "policy": settings.policy,
        "round_limit": settings.round_limit, "decision_limit": 10000, "rulebook": settings.rulebook,
    }  # fmt: skip
    return Header.model_validate(fields | changes)


def attempt(number: int, **changes: object) -> AttemptRecord:
    return AttemptRecord.model_validate({"number": number, "seat": "A", "attempt": 0, "class": "empty"} | changes)


OUTCOME = OutcomeRecord(
    result="void", reason="attempts", winner=None, ranking=[], stacks={"A": 0, "B": 0}, forfeited=[], rounds=1,
    decisions=1, state="0" * 64,
)  # fmt: skip


def write(path: Path, *records: Header | AttemptRecord | OutcomeRecord) -> bytes:
    with LogWriter(path) as log:
        log.write(*records)
    return path.read_bytes()


def test_records_come_back_as_written(tmp_path: Path) -> None:
    records = (header(), attempt(0, detail="é \u2028 \x1b[31m"), attempt(0, attempt=1), OUTCOME)
    data = write(tmp_path / "g.jsonl", *records)
    log = read_log(tmp_path / "g.jsonl")
    assert log.records == records
    assert log.size == len(data)
    assert not log.torn
    assert data.isascii()
    assert data.count(b"\n") == 4
    assert log.outcome == OUTCOME
    assert is_finished(tmp_path / "g.jsonl")
    for line in data.splitlines():
        assert line.decode() == canonical_json(json.loads(line))


def test_a_log_cut_anywhere_gives_its_whole_records_and_can_be_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    whole = write(path, header(), attempt(0), attempt(0, attempt=1))
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        log = read_log(path)
        kept = sum(end <= cut or end == cut + 1 for end in ends)  # a whole record may lack its line end
        assert len(log.records) == kept
        assert log.torn == (cut not in (0, *ends) and cut + 1 not in ends)
        with LogWriter(path, log) as writer:
            writer.write(*(header(), attempt(0), attempt(0, attempt=1))[kept:])
        assert path.read_bytes() == whole
        assert not is_finished(path)


def test_garbage_behind_the_last_record_is_dropped_elsewhere_it_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    whole = write(path, header(), attempt(0))
    path.write_bytes(whole + b"\0\0\0\0\n")
    assert read_log(path).torn
    path.write_bytes(whole.replace(b"\n", b"\nrubbish\n", 1))
    with pytest.raises(UserError, match=r"g\.jsonl, line 2: not a record"):
        read_log(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"record": "header"}\n', f"schema version None, this program reads {SCHEMA_VERSION}"),
        ('{"record": "song"}\n', "line 1: not a record"),
        ("[1]\n", "line 1: not a record"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text(text)
    with pytest.raises(UserError, match=says):
        _ = read_log(path).header


def test_an_unknown_schema_version_is_refused_by_number(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    data = json.loads(write(path, header()))
    path.write_text(json.dumps(data | {"schema_version": 99}) + "\n")
    with pytest.raises(UserError, match="schema version 99"):
        read_log(path)


def test_an_existing_log_is_never_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "g.jsonl", header())
    with pytest.raises(UserError, match="cannot write the game log"):
        LogWriter(tmp_path / "g.jsonl")


def test_the_published_schema_is_current_and_holds_for_records() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text()
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    for record in (header(), attempt(0), OUTCOME):
        validator.validate(record.model_dump())
        assert parse_record(record.model_dump()) == record
    assert not validator.is_valid(header().model_dump() | {"more": 1})


def test_only_timing_is_left_out_of_comparisons() -> None:
    assert comparable(attempt(0, timing={"seconds": 1.0})) == comparable(attempt(0, timing={"seconds": 2.0}))
    assert comparable(attempt(0)) != comparable(attempt(1))


def test_plain_makes_any_json_value_writable() -> None:
    value = plain({"a": float("nan"), "b": ["\ud800", (1, 2.5)], "c": float("-inf"), 3: None})
    assert value == {"a": "nan", "b": ["?", [1, 2.5]], "c": "-inf", "3": None}
    canonical_json(value).encode("utf-8")
    deep: list[object] = []
    for _ in range(40):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply"):
        plain(deep)
    with pytest.raises(ValueError, match="not a JSON value"):
        plain({"x": {1}})


def test_blobs_are_stored_once_and_checked(tmp_path: Path) -> None:
    store = BlobStore(tmp_path / "blobs")
    name = store.put(b"request")
    assert store.put(b"request") == name
    assert store.get(name) == b"request"
    files = [path for path in (tmp_path / "blobs").rglob("*") if path.is_file()]
    assert len(files) == 1
    files[0].write_bytes(b"damaged")
    with pytest.raises(UserError, match="cannot be read"):
        store.get(name)
    with pytest.raises(UserError, match="cannot be read"):
        store.get("ab" * 32)


def test_a_line_that_is_nested_too_deeply_is_told_of_or_dropped_as_torn(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    deep = b"[" * 100_000 + b"]" * 100_000
    path.write_bytes(deep + b"\n[1]\n")
    with pytest.raises(UserError, match=r"line 1: not a record of a game log \(nested too deeply\)"):
        read_log(path)
    path.write_bytes(deep)
    assert read_log(path).torn
    assert is_torn(path)
    assert not is_finished(path)
