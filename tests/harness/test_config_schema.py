"""The JSON schema of tournament files is what the program reads, and tells an editor what every key is."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from harness.config import Tournament, make_tournament
from harness.config_schema import schema_text

ROOT = Path(__file__).parents[2]
SCHEMA_FILE = ROOT / "docs" / "tournament.schema.json"
FILES = sorted((ROOT / "tournaments").glob("*.toml"))
EVERYTHING = """
name = "all"
title = "every key there is"
seed = 3
edition = "remastered"
variant = "standard"
players = 3
sets = ["macaws", "pandas", "raccoons", "ocelots"]
start = "B"
attempts = 2
feedback = "explain"
policy = "forfeit"
provider_failure = "void"
round_limit = 7
decision_limit = 900
rulebook = "brief"
language = "pt-BR"
concurrency = 3
[budget]
run = 20
entrant = "8.5"
game = 0.5
[prices.gpt]
input = 1.25
output = 10
[prices.merchant]
free = true
[estimate.gpt]
decisions_per_game = 20.5
calls_per_decision = 1.5
input_tokens = 5000
cached_tokens = 4000
output_tokens = 700
reasoning_tokens = 600
seconds_per_call = 4
[schedule]
kind = "line_ups"
deals = 2
rotate = false
line_ups = [["model", "merchant", "merchant (2)"]]
[abort]
window = 10
rate = 0.4
[[entrants]]
name = "model"
agent = "openai:gpt"
[[entrants]]
agent = "merchant"
copies = 2
"""


@pytest.fixture(scope="module")
def schema() -> Any:
    found = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def test_the_published_schema_is_the_one_of_the_program() -> None:
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text(), (
        "python -m harness.config_schema > docs/tournament.schema.json"
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_tournament_names_the_schema_and_is_valid_by_it(schema: Any, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    first, _, relative = text.splitlines()[0].partition(" ")
    assert (first, (path.parent / relative).resolve()) == ("#:schema", SCHEMA_FILE)
    jsonschema.validate(tomllib.loads(text), schema)


def test_a_file_with_every_key_is_valid_by_the_schema_and_by_the_program(schema: Any) -> None:
    data = tomllib.loads(EVERYTHING)
    assert set(data) == set(Tournament.model_fields) - {"stop"}  # stop is for two entrants
    jsonschema.validate(data, schema)
    make_tournament(data, "all.toml")


@pytest.mark.parametrize(
    "change",
    [
        {"rounds": 3}, {"players": 5}, {"players": "2"}, {"edition": "second"}, {"sets": ["owls"]}, {"name": "a/b"},
        {"language": "de"}, {"schedule": {"deal": 2}}, {"schedule": 3}, {"budget": {"run": -1}},
        {"budget": {"run": "x"}}, {"prices": {"gpt": {"imput": 1}}}, {"entrants": [{"name": "x"}]},
        {"entrants": [{"agent": "random", "copies": 0}]}, {"stop": {"alpha": 0.7}},
        {"estimate": {"gpt": {"output_tokens": 0}}}, {"abort": {"rate": 2}},
    ],
    ids=str,
)  # fmt: skip
def test_what_the_program_refuses_for_one_key_alone_the_schema_refuses_too(schema: Any, change: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(EVERYTHING) | change, schema)


def keys(node: Any) -> Iterator[tuple[str, Any]]:
    """Every key of a table with what the schema says of it."""
    yield from node["properties"].items()
    for table in node.get("$defs", {}).values():
        yield from table["properties"].items()


def test_every_key_is_described(schema: Any) -> None:
    told = dict(keys(schema))
    assert len(told) > 40
    assert [name for name, about in told.items() if not _description(schema, about)] == []


def _description(schema: Any, about: Any) -> str:
    """What is told of a key, or else of the table that stands there."""
    table = schema["$defs"].get(about.get("$ref", "").rpartition("/")[2], {})
    return str(about.get("description") or table.get("description", ""))
