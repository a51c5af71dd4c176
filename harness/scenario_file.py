"""Reading scenario files: YAML, the form, the names; one sentence for a file that is broken."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from engine import LIST_FIELDS, SETS, TEXT_FIELDS, Game, PositionError, catalogue
from harness.errors import UserError
from harness.scenario_form import (
    Expectation,
    ExpectedDecision,
    Forced,
    Proposal,
    Scenario,
    SeatExpectation,
    SeatZones,
    State,
    Step,
    hint,
)
from harness.text import clean_line

_EVENT_SETS = ("drawn", "set", "sets")
_EVENT_PLACES = ("source", "zone")
_EVENT_CARDS = sorted({*TEXT_FIELDS, *LIST_FIELDS, "market"} - {*_EVENT_SETS, *_EVENT_PLACES, "to"})
"""Fields of an expected event that hold sets, zones or slots, and cards."""


class ScenarioFileError(UserError):
    """A scenario file that cannot be used: one sentence naming file, document and field."""


class Document(NamedTuple):
    """A scenario with the place it was read from; documents are counted from 1."""

    path: Path
    number: int
    scenario: Scenario


def load_paths(paths: list[Path]) -> list[Document]:
    """Read scenario files and, in folders, every `*.yaml` and `*.yml`. Raises ScenarioFileError."""
    documents: list[Document] = []
    for path in paths:
        files = sorted([*path.rglob("*.yaml"), *path.rglob("*.yml")]) if path.is_dir() else [path]
        if not files:
            raise ScenarioFileError(f"the folder {path} holds no scenario file (*.yaml or *.yml).")
        for file in files:
            documents += load_file(file)
    return documents


def load_file(path: Path) -> list[Document]:
    """Read the scenarios of one file. Raises ScenarioFileError if the file or a document of it is broken."""
    documents = []
    for number, data in enumerate(_read(path), 1):
        where = f"{path}, document {number}"
        if not isinstance(data, dict):
            raise ScenarioFileError(f"{where}: a scenario is a mapping with name, state, steps and expect.")
        if isinstance(data.get("name"), str):
            where += f" ({clean_line(data['name'], 60)})"
        documents.append(Document(path, number, _scenario(data, where)))
    if not documents:
        raise ScenarioFileError(f"{path} holds no scenario.")
    return documents


class _Loader(yaml.SafeLoader):
    """Safe YAML in which a key may not be written twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode) and key.value != "<<"]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep)


def _read(path: Path) -> list[object]:
    """The documents of a file, empty ones left out."""
    try:
        with path.open(encoding="utf-8") as stream:
            return [data for data in yaml.load_all(stream, _Loader) if data is not None]
    except OSError as error:
        raise ScenarioFileError(f"cannot read the scenario file {path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ScenarioFileError(f"{path} is not a text file in UTF-8.") from None
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ScenarioFileError(f"{path}{line}: not valid YAML: {clean_line(error.problem or str(error))}.") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ScenarioFileError(f"{path}: not valid YAML: {clean_line(str(error))}.") from None


def _scenario(data: dict[Any, Any], where: str) -> Scenario:
    try:
        scenario = Scenario.model_validate(data)
    except ValidationError as error:
        raise ScenarioFileError(f"{where}: {_sentence(error.errors()[0])}.") from None
    problem = next(_unknown_names(scenario), None)
    if problem:
        raise ScenarioFileError(f"{where}: {problem}.")
    try:
        Game.from_position(scenario.position())
    except PositionError as error:
        raise ScenarioFileError(f"{where}: {clean_line(str(error)).rstrip('.')}.") from None
    return scenario


def _unknown_names(scenario: Scenario) -> Iterator[str]:
    """What names something the game does not have: sets, seats, cards."""
    for name in scenario.sets:
        if name not in SETS:
            yield f"sets: unknown set {name!r}{hint(name, list(SETS))}"
    for field, name in _in_events(scenario, _EVENT_SETS):
        if name not in SETS:
            yield f"{field}: unknown set {name!r}{hint(name, list(SETS))}"
    seats = "ABCD"[: scenario.players]
    places = _places(seats)
    for field, name in _in_events(scenario, _EVENT_PLACES):
        if name not in places:
            yield f"{field}: unknown zone {name!r}{hint(name, places)}"
    for field, seat in _seats(scenario):
        if seat not in seats:
            yield f"{field}: there is no seat {seat} with {scenario.players} players"
    slugs = [info.slug for info in catalogue(scenario.edition)]
    for field, slug in _cards(scenario):
        if slug not in slugs:
            yield f"{field}: unknown card {slug!r}{hint(slug, slugs)}"


def _seats(scenario: Scenario) -> Iterator[tuple[str, str]]:
    yield "turn", scenario.turn
    for seat in "ABCD":
        for field, zones in (("state", scenario.state), *_expectations(scenario)):
            if seat in zones.model_fields_set:
                yield f"{field}.{seat}", seat
    for number, step in enumerate(scenario.steps):
        yield f"steps[{number}].seat", step.seat


def _expectations(scenario: Scenario) -> Iterator[tuple[str, Expectation]]:
    for number, step in enumerate(scenario.steps):
        yield f"steps[{number}].expect", step.expect
    yield "expect", scenario.expect


def _cards(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Every card named in state, random and expectations, with its field."""
    for field, zones in (("state", scenario.state), *_expectations(scenario)):
        for zone in ("market", "market_deck", "market_discard"):
            yield from ((f"{field}.{zone}", slug) for slug in getattr(zones, zone) if slug is not None)
        for seat in "ABCD":
            own: SeatZones = getattr(zones, seat)
            yield from ((f"{field}.{seat}.hand", slug) for slug in own.hand)
            yield from ((f"{field}.{seat}.deck", slug) for slug in own.deck)
            yield from ((f"{field}.{seat}.discard", slug) for slug in own.discard)
            yield from ((f"{field}.{seat}.stall", slug) for stack in own.stall for slug in stack)
    for number, forced in enumerate(scenario.random):
        yield from ((f"random[{number}]", slug) for slug in [*forced.pick, *forced.shuffle])
    for field, name in _in_events(scenario, _EVENT_CARDS):
        yield field, name.rpartition(":")[2].partition("#")[0]  # a target may be told with its zone and number


def _in_events(scenario: Scenario, keys: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every text in these fields of the expected events, with its field."""
    for field, expectation in _expectations(scenario):
        for number, event in enumerate(expectation.events):
            for key in keys:
                told = event.get(key, [])
                named = told if isinstance(told, list) else [told]
                yield from ((f"{field}.events[{number}].{key}", name) for name in named if isinstance(name, str))


def _places(seats: str) -> list[str]:
    """The zones and slots that events name."""
    owned = [f"{zone}_{seat}" for zone in ("hand", "deck", "discard", "stall") for seat in seats]
    return ["hand", *owned, "market_deck", "market_discard", *(f"slot_{number}" for number in range(5))]


def _sentence(error: ErrorDetails) -> str:
    """One error of the form as: field, what is wrong, what would be right."""
    location = error["loc"]
    field = _field(location)
    kind = error["type"]
    if kind == "value_error":
        text = str(error["ctx"]["error"])
        return f"{field}: {text}" if field else text
    if kind == "missing":
        return f"the field {field} is missing"
    if kind == "extra_forbidden":
        return f"{field}: there is no such field here; the fields are {', '.join(_fields_at(location[:-1]))}"
    message = error["msg"].removeprefix("Input should be ")
    return f"{field} must be {message[:1].lower()}{message[1:]}, not {clean_line(repr(error['input']), 60)}"


def _field(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return clean_line(text, 80)


def _fields_at(location: tuple[int | str, ...]) -> list[str]:
    """The fields of the mapping at this place of a scenario."""
    form: type[BaseModel] = Scenario
    nested: dict[str, type[BaseModel]] = {
        "state": State,
        "expect": Expectation,
        "steps": Step,
        "propose": Proposal,
        "random": Forced,
        "decision": ExpectedDecision,
    }
    for part in location:
        if part in ("A", "B", "C", "D"):
            form = SeatExpectation if form is Expectation else SeatZones
        elif isinstance(part, str):
            form = nested.get(part, form)
    return list(form.model_fields)
