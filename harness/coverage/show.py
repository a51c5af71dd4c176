"""The table of traceability as text for people, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, fields

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from harness.coverage.table import KINDS, Coverage, Row
from harness.rulebook import find_rule

TITLES = {"rule": "Rules of the game", "statement": "Card statements", "example": "Worked examples"}
_SHOWN = 2
"""How many places and tests stand in a row of the table; the rest is counted."""


def print_table(console: Console, table: Coverage, rows: Sequence[Row]) -> None:
    """Print the rows, kind by kind, then the counts and what is wrong."""
    for kind in KINDS:
        chosen = [row for row in rows if row.kind == kind]
        if chosen:
            console.print(_table(kind, chosen))
    for line in summary(table):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _table(kind: str, rows: Sequence[Row]) -> Table:
    table = Table(
        title=TITLES[kind], title_justify="left", title_style="bold", header_style="", box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0), pad_edge=False,
    )  # fmt: skip
    table.add_column("ID", no_wrap=True)
    if kind != "example":
        table.add_column("enforced by", overflow="fold", ratio=1)
    table.add_column("tested by", overflow="fold", ratio=1)
    for row in rows:
        tests = _some([_short(test) for test in row.tests]) if row.tests else _why(row)
        if kind == "example":
            table.add_row(row.id, tests)
        elif row.code:
            table.add_row(row.id, _some(row.code), tests)
        else:
            table.add_row(row.id, _why(row), tests if row.tests else "")
    return table


def _some(items: Sequence[str]) -> str:
    rest = len(items) - _SHOWN
    return "\n".join([*items[:_SHOWN], *([f"and {rest} more"] if rest > 0 else [])])


def _short(test: str) -> str:
    """A scenario by its name, a Python test by its file and name."""
    path, _, name = test.partition("::")
    return name if path.endswith(("yaml", "yml")) else f"{path.rpartition('/')[2]}: {name}"


def _why(row: Row) -> str:
    if row.status == "missing":
        return f"MISSING: no {' and no '.join(row.lacks)}"
    return f"{row.status}{': ' if row.reason else ''}{row.reason}"


def summary(table: Coverage) -> list[str]:
    """A line of counts for each kind, and a line for each problem."""
    lines = []
    for kind in KINDS:
        counts = table.counts(kind)
        total = sum(counts.values())
        parts = ", ".join(f"{number} {status}" for status, number in counts.items())
        lines.append(f"{TITLES[kind]}: {total}; {parts}")
    return lines + list(table.problems)


def one_as_text(row: Row) -> str:
    """One row in full, with the text of its rule."""
    lines = [f"{row.id}  ({row.section}): {row.status}{': ' if row.reason else ''}{row.reason}", find_rule(row.id).text]
    if row.lacks:
        lines.append(f"Missing: {' and '.join(row.lacks)}")
    for title, items in (("Enforced by", row.code), ("Refused as", row.refusals), ("Tested by", row.tests)):
        if items:
            lines += [f"{title}:", *(f"  {item}" for item in items)]
    return "\n".join(lines)


def as_json(table: Coverage, rows: Sequence[Row]) -> str:
    """Counts, rows and problems as one JSON object."""
    counts = {kind: table.counts(kind) for kind in KINDS}
    whole = {"counts": counts, "rows": [asdict(row) for row in rows], "problems": list(table.problems)}
    return json.dumps(whole, ensure_ascii=False, indent=2)


def as_csv(rows: Sequence[Row]) -> str:
    """A heading and a line for each row; several places stand in one field, parted by `; `."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [one.name for one in fields(Row)]
    writer.writerow(names)
    for row in rows:
        values = [getattr(row, name) for name in names]
        writer.writerow(["; ".join(value) if isinstance(value, tuple) else value for value in values])
    return out.getvalue().rstrip("\n")
