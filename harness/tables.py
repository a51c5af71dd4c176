"""The report of a run as tables for the terminal, 80 columns and up."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from harness.report import CLASSES, TOKENS, Entry, Report
from harness.text import clean_line, for_terminal

_SHORT = {"uncached_input": "input", "cache_read": "cache\nread", "cache_write": "cache\nwrite"}


def print_report(console: Console, report: Report) -> None:
    """Print the settings of the run and its tables."""
    console.print(_settings(report), markup=False, highlight=False, soft_wrap=True)
    for table in (_standings(report), _decisions(report), _attempts(report), _illegal(report), _usage(report)):
        if table.row_count:
            console.print(table)
    for name in report.torn:
        console.print(f"{clean_line(name)}: its last line was torn and is left out.", markup=False, highlight=False)


def _settings(report: Report) -> str:
    named = {name: _value(value) for name, value in report.settings.items()}
    variant = named.pop("variant")
    lines = [
        f"Run {clean_line(report.run)}: {report.games} games, {named.pop('edition')} edition, "
        f"{f'{variant} variant, ' if variant != 'standard' else ''}"
        f"{named.pop('players')} players, seed {named.pop('run_seed')}",
        ", ".join(f"{name} {value}" for name, value in named.items()),
    ]
    for entry in report.entries:
        if entry.name != entry.agent:
            lines.append(f"  {clean_line(entry.name, 48)} is {clean_line(entry.agent)}")
    return "\n".join(lines)


def _value(value: object) -> str:
    return clean_line("/".join(map(str, value)) if isinstance(value, list) else str(value))


def _table(title: str, *columns: str) -> Table:
    """Return a table whose first column is text and folds, whose others are figures and keep their width."""
    table = Table(
        title=title, title_justify="left", title_style="bold", header_style="", box=SIMPLE_HEAD, padding=(0, 1, 0, 0),
        pad_edge=False,
    )  # fmt: skip
    for index, column in enumerate(columns):
        first = index == 0
        table.add_column(column, justify="left" if first else "right", overflow="fold", no_wrap=not first)
    return table


def _name(entry: Entry) -> str:
    return for_terminal(entry.name, 48)


def _standings(report: Report) -> Table:
    table = _table(
        "Outcomes", "agent", "games", "wins", "unfinished", "of these\nled", "void", "open", "stacks", "rounds"
    )
    for entry in report.entries:
        data = entry.to_json()
        counts = (entry.games, entry.wins, entry.unfinished, entry.led, entry.void, entry.open)
        table.add_row(_name(entry), *map(str, counts), _mean(data["stacks_mean"]), _mean(data["rounds_mean"]))
    return table


def _decisions(report: Report) -> Table:
    table = _table(
        "Decisions",
        "agent", "decisions", "by policy", "legal at\nfirst try", "without\nrepairs",
    )  # fmt: skip
    for entry in report.entries:
        data = entry.to_json()
        rates = (_percent(data["first_try_legal"]), _percent(data["first_try_legal_strict"]))
        table.add_row(_name(entry), str(entry.decisions), str(entry.by_policy), *rates)
    return table


def _attempts(report: Report) -> Table:
    used = [name for name in CLASSES if any(entry.attempts[name] for entry in report.entries)]
    table = _table("Attempts by class", "agent", *(name.replace("_", "\n") for name in used))
    for entry in report.entries:
        table.add_row(_name(entry), *(str(entry.attempts[name]) for name in used))
    return table


def _illegal(report: Report) -> Table:
    table = _table("Illegal attempts by code", "agent")
    table.add_column("count", justify="right")
    longest = max((len(code) for entry in report.entries for code in entry.codes), default=0)
    table.add_column("code and rules", overflow="fold", min_width=longest)
    table.add_column("meaning", overflow="fold")
    for entry in report.entries:
        for row in entry.to_json()["illegal_by_code"]:
            code = f"{for_terminal(row['code'])}\n{for_terminal(' '.join(row['rules']))}"
            table.add_row(_name(entry), str(row["count"]), code, for_terminal(row["meaning"]))
    return table


def _usage(report: Report) -> Table:
    table = _table("Calls, tokens and cost (US dollars)", "agent", "calls", *(_SHORT.get(n, n) for n in TOKENS), "cost")
    for entry in report.entries:
        if entry.calls:
            table.add_row(_name(entry), str(entry.calls), *(str(entry.tokens[name]) for name in TOKENS), _cost(entry))
    return table


def _cost(entry: Entry) -> str:
    if entry.cost is None:
        return "unknown"
    return f"{entry.cost:.4f}" + (f"\nand {entry.unpriced_calls} calls unpriced" if entry.unpriced_calls else "")


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"
