"""The table of traceability: every rule, card statement and example with its code, its tests and what it lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from engine import CODES, catalogue
from harness import data
from harness.coverage.citations import Places, Program, read_package
from harness.coverage.declared import FILE, Declared, declared
from harness.coverage.exercised import exercised
from harness.errors import UserError
from harness.rulebook import EDITIONS, Entry, entries, find_rule

Items = tuple[str, ...]
Status = Literal["covered", "definition", "withdrawn", "inexpressible", "awaiting", "missing"]
KINDS = ("rule", "statement", "example")
"""The kinds of entry that are traced, in the order they are shown."""


@dataclass(frozen=True)
class Row:
    """One ID. `code` and `tests` are places; `refusals` the violation codes that cite it; `lacks` what is missing."""

    id: str
    kind: str
    section: str
    status: Status
    reason: str
    code: tuple[str, ...]
    refusals: tuple[str, ...]
    tests: tuple[str, ...]
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class Coverage:
    """The whole table, and what is wrong with the lists and citations themselves, one sentence each."""

    rows: tuple[Row, ...]
    problems: tuple[str, ...]

    @property
    def holes(self) -> tuple[Row, ...]:
        """The rows that lack a test, code or a scenario and are not excused."""
        return tuple(row for row in self.rows if row.status == "missing")

    def counts(self, kind: str) -> dict[str, int]:
        """How many rows of a kind have each status, only those that occur."""
        found = Counter(row.status for row in self.rows if row.kind == kind)
        return {status: found[status] for status in get_args(Status) if found[status]}


def checkout() -> Path:
    """The root of the checkout this runs from. Raises UserError in an installed package, which has no tests."""
    root = data.data_root()
    if not (root / FILE).is_file():
        raise UserError(
            "the tests are not part of an installed package: `dale rules coverage` works in a clone of the "
            "repository, installed with pip install -e ."
        )
    return root


def coverage(root: Path) -> Coverage:
    """Trace the rules of a checkout. Raises UserError if its tests or lists cannot be read."""
    names = frozenset(CODES)
    engine = read_package(root, "engine", names)
    harness = read_package(root, "harness", names)
    tests = exercised(root)
    lists = declared(root)
    rows = []
    for entry in entries().values():
        if entry.kind in KINDS:
            refusals = tuple(code for code, info in CODES.items() if entry.id in info.rules)
            code = _code(entry, engine.ids, engine.codes, refusals, harness.ids)
            code += _programs(entry, engine.programs)
            rows.append(_row(entry, code, refusals, tuple(tests.get(entry.id, ())), lists))
    known = entries().keys()
    problems = [f"{FILE}: {sentence}" for sentence in _stale(lists, {row.id: row for row in rows})]
    for places in (engine.ids, tests):
        problems += [
            f"{places[one][0]} names {one}, which the rules do not have." for one in places if one not in known
        ]
    return Coverage(tuple(rows), tuple(problems))


def select(table: Coverage, rule: str | None, missing: bool) -> tuple[Row, ...]:
    """The rows of an ID, or of all IDs that begin so (`R-MKT`, `MAC2`); if asked, only those that miss something.

    Raises UserError if there is no such rule, statement or example.
    """
    rows = table.rows
    if rule is not None:
        folded = rule.strip().casefold()
        beginnings = tuple(f"{folded}{edition}-" for edition in ("", "c", "r"))
        rows = tuple(row for row in rows if row.id.casefold() == folded or row.id.casefold().startswith(beginnings))
    if rule is not None and not rows:
        other = find_rule(rule)
        raise UserError(f"{other.id} is a {other.kind}: only rules, card statements and examples are traced.")
    return tuple(row for row in rows if row.status == "missing") if missing else rows


def _code(entry: Entry, cited: Places, coded: Places, refusals: tuple[str, ...], outside: Places) -> tuple[str, ...]:
    """Where an ID is enforced: places that cite it, then those that refuse with a code of it, innermost ones only.

    The harness counts only for what the engine nowhere cites.
    """
    if entry.kind == "example":
        return ()
    places = cited.get(entry.id, [])
    refusing = [place for code in refusals for place in coded.get(code, ())]
    places = list(dict.fromkeys([*sorted(places, key=_rank), *refusing]))
    if not places and entry.kind == "rule":
        places = outside.get(entry.id, [])
    modules = {place.partition(":")[0] for place in places if ":" in place}
    return tuple(place for place in places if place not in modules and place.rpartition(".")[0] not in places)


def _rank(place: str) -> int:
    """Functions and verbs stand before constants and records, these before whole modules."""
    name = place.partition(":")[2]
    return 2 if not name else int(name[0].isupper() and "." not in name)


def _programs(entry: Entry, programs: dict[str, list[Program]]) -> tuple[str, ...]:
    """The program of the card a statement belongs to, as `module:slug = verb + verb`."""
    if entry.kind != "statement":
        return ()
    found = []
    for slug, edition in _cards_of(entry.id):
        for program in programs.get(slug, ()):
            if not program.editions or edition in program.editions:
                verbs = " + ".join(verb.partition(":")[2] for verb in program.verbs)
                found.append(f"{program.module}:{slug} = {verbs}")
    return tuple(dict.fromkeys(found))


def _cards_of(statement: str) -> Iterator[tuple[str, str]]:
    """Slug and edition of the cards a statement is about: `MAC4-1`, `PAN3c-1`, and `GV-1` for Gift Voucher."""
    code = statement.rpartition("-")[0]
    for edition in EDITIONS:
        for info in catalogue(edition):
            if code in (info.code, info.code + edition[0]) or (code == "GV" and info.slug == "gift_voucher"):
                yield info.slug, edition


def _row(entry: Entry, code: Items, refusals: Items, tests: Items, lists: Declared) -> Row:
    wanted = (("scenario", tests),) if entry.kind == "example" else (("code", code), ("test", tests))
    lacks = tuple(what for what, have in wanted if not have)
    status, reason = _status(entry, lists) if lacks else ("covered", "")
    return Row(
        entry.id, entry.kind, entry.section, status, reason, code, refusals, tests,
        lacks if status == "missing" else (),
    )  # fmt: skip


def _status(entry: Entry, lists: Declared) -> tuple[Status, str]:
    """Why an entry that lacks something may, or `missing`."""
    if entry.text.startswith("(withdrawn"):
        return "withdrawn", ""
    for status, table in lists.lists:
        if entry.id in table:
            return status, table[entry.id]
    return "missing", ""


def _stale(lists: Declared, rows: dict[str, Row]) -> Iterator[str]:
    """What is wrong with the lists: unknown IDs, IDs in the wrong list or in two, entries that are not needed."""
    seen: dict[str, str] = {}
    for name, table in lists.lists:
        for one in table:
            row = rows.get(one)
            if row is None:
                yield f"{name} names {one}, which is no rule, card statement or example."
            elif one in seen:
                yield f"{one} stands in {seen[one]} and in {name}."
            elif name != "awaiting" and (name == "inexpressible") != (row.kind == "example"):
                yield f"{name} is not for the {row.kind} {one}."
            elif row.status in ("covered", "withdrawn"):
                yield f"{name} names {one}, which is {row.status}: take it out."
            seen[one] = name
