"""Rule following as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table

from engine import CODES
from harness.compliance.rates import ANY_RULE, Difference, Rate, worst
from harness.prompts import code_meaning
from harness.tables import new_table
from harness.text import for_terminal

WORST = 10
"""Codes shown of each entrant, and differences in all."""
CLEAR = 0.05
"""False discovery rate up to which a difference is shown."""


def tables(rates: Sequence[Rate], differences: Sequence[Difference]) -> Iterator[Table]:
    """Yield the tables that have anything to tell."""
    if rates:
        yield _overall(rates)
    broken = [one for name in dict.fromkeys(one.entrant for one in rates) for one in worst(rates, name, WORST)]
    if broken:
        yield _by_code(broken)
    clear = [one for one in differences if one.q <= CLEAR]
    if clear:
        yield _differences(clear[:WORST])


def _overall(rates: Sequence[Rate]) -> Table:
    table = new_table(
        "Rule violations at the first attempt (95 % intervals)", "agent", "attempts", "violations", "rate", "interval"
    )
    for one in rates:
        if one.code == ANY_RULE:
            table.add_row(for_terminal(one.entrant, 48), *_figures(one))
    return table


def _by_code(rates: Sequence[Rate]) -> Table:
    table = new_table("Rules broken most surely, per opportunity", "agent", "open", "broken", "rate", "interval")
    table.add_column("code, rules and meaning", overflow="fold")
    for one in rates:
        told = (one.code, " ".join(CODES[one.code].rules), code_meaning(one.code))
        table.add_row(for_terminal(one.entrant, 48), *_figures(one), "\n".join(map(for_terminal, told)))
    return table


def _differences(differences: Sequence[Difference]) -> Table:
    table = new_table(f"Differences in rule following, false discovery rate at most {CLEAR:.0%}", "agent")
    table.add_column("against", overflow="fold")
    table.add_column("code", no_wrap=True)
    table.add_column("rates differ by", justify="right")
    table.add_column("q", justify="right")
    for one in differences:
        code = "any rule" if one.code == ANY_RULE else one.code
        names = (for_terminal(one.first, 48), for_terminal(one.second, 48))
        table.add_row(*names, code, f"{100 * one.difference:+.1f} points", f"{one.q:.3f}")
    return table


def _figures(one: Rate) -> tuple[str, str, str, str]:
    return str(one.opportunities), str(one.violations), f"{one.value:.1%}", f"{one.low:.1%} to {one.high:.1%}"
