"""The table of codes is section 18 of docs/rules.md: the same codes, groups, order and rules (R-ERR-01, R-ERR-02)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import CODES, Violation

RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
SECTION = RULES.partition("## 18.")[2].partition("\n## 19.")[0]
ID = re.compile(r"[A-Z]+-[A-Z]+-\d\d|[A-Z]{3}\d[A-Z]?[cr]?")


def table() -> list[tuple[str, str, list[str]]]:
    """(code, group, rules) of every row, in the order of the file."""
    rows = []
    group = ""
    for line in SECTION.splitlines():
        heading = re.match(r"### ([A-G])\.", line)
        group = heading[1] if heading else group
        row = re.match(r"\| `(\w+)` \|[^|]*\|([^|]*)\|", line)
        if row:
            rows.append((row[1], group, spelled_out(row[2])))
    return rows


def spelled_out(cell: str) -> list[str]:
    """The rule IDs of a cell; R-TRN-03..06 and R-CLN-08/09 are several."""
    found: list[str] = []
    for part in re.split(r",", cell):
        span = re.search(r"(R-[A-Z]+-)(\d\d)\.\.(\d\d)", part)
        pair = re.search(r"(R-[A-Z]+-)(\d\d)/(\d\d)", part)
        if span:
            found += [f"{span[1]}{number:02}" for number in range(int(span[2]), int(span[3]) + 1)]
        elif pair:
            found += [pair[1] + pair[2], pair[1] + pair[3]]
        else:
            found += ID.findall(part)
    return found


def test_the_file_has_the_rows() -> None:
    assert len(table()) == 65
    assert [group for _, group, _ in table()] == sorted(group for _, group, _ in table())


@pytest.mark.rules("R-ERR-01")
def test_same_codes_in_the_same_order_and_groups() -> None:
    assert [(info.code, info.group) for info in CODES.values()] == [(code, group) for code, group, _ in table()]
    assert list(CODES) == [info.code for info in CODES.values()]


@pytest.mark.rules("R-ERR-02")
@pytest.mark.parametrize(("code", "rules"), [(code, rules) for code, _, rules in table()])
def test_every_rule_of_the_row_is_reported_in_its_order(code: str, rules: list[str]) -> None:
    reported = [rule for rule in CODES[code].rules if rule in rules]
    assert reported == rules
    assert CODES[code].rules


def test_every_reported_rule_exists() -> None:
    decks = (Path(__file__).parents[2] / "docs" / "decks.md").read_text(encoding="utf-8")
    for info in CODES.values():
        for rule in info.rules:
            assert rule in RULES or rule in decks, (info.code, rule)


def test_only_unreadable_proposals_are_a_matter_of_form() -> None:
    of_form = [code for code in CODES if Violation(code, (), {}).is_format]
    assert of_form == ["malformed_arguments", "unknown_action"]
