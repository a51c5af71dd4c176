"""The report of a run as tables for the terminal, 80 columns and up.

The settings that differ between the rows stand in one column of every table, one below the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from textwrap import wrap

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from harness.budget import dollars
from harness.report import CLASSES, OWN_SETTINGS, SETTINGS, TOKENS, Entry, Report
from harness.text import clean_line, for_terminal

_SHORT = {"uncached_input": "input", "cache_read": "cache\nread", "cache_write": "cache\nwrite"}
_BROKEN = {
    "decisions": "deci-\nsions", "by policy": "by\npolicy", "un-\nfinished": "unfin-\nished", "accepted": "ac-\ncepted",
    "truncated": "trun-\ncated", "refusal": "re-\nfusal", "provider": "pro-\nvider",
}  # fmt: skip
"""Headings as they are broken where names would have no room beside them."""
_WIDTH, _ROOM = 80, 12
"""Columns of a terminal at least, and what of them should be left for names."""
_TRIES = ("first", "second", "third")
_BLAMELESS = "provider"
"""The class of attempt that is not the model's; it stands last."""
MOST_CODES = 10
"""Codes shown of each agent; the JSON form has all."""


def print_report(console: Console, report: Report) -> None:
    """Print the settings of the run and its tables."""
    console.print(_run(report), markup=False, highlight=False, soft_wrap=True)
    for table in (make(report) for make in _TABLES):
        if table.row_count:
            console.print(table)
    for name in report.torn:
        console.print(f"{clean_line(name)}: its last line was torn and is left out.", markup=False, highlight=False)


def _run(report: Report) -> str:
    named = {name: _value(value) for name, value in report.settings.items()}
    variant = named.pop("variant")
    lines = [
        f"Run {clean_line(report.run)}: {report.games} games, {named.pop('edition')} edition, "
        f"{f'{variant} variant, ' if variant != 'standard' else ''}"
        f"{named.pop('players')} players, seed {named.pop('run_seed')}",
        ", ".join(f"{name} {value}" for name, value in named.items()),
    ]
    for name, agent in dict.fromkeys((entry.name, entry.agent) for entry in report.entries):
        if name != agent:
            lines.append(f"  {clean_line(name, 48)} is {clean_line(agent)}")
    return "\n".join(lines)


def _value(value: object) -> str:
    return clean_line("/".join(map(str, value)) if isinstance(value, list) else str(value))


def new_table(title: str, first: str, *columns: str) -> Table:
    """Return a table whose first column is text and folds; the others are figures and keep their width."""
    table = Table(
        title=title, title_justify="left", title_style="bold", header_style="", box=SIMPLE_HEAD, padding=(0, 1, 0, 0),
        pad_edge=False,
    )  # fmt: skip
    table.add_column(first, overflow="fold")
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def entrants_table(report: Report, title: str, *columns: str) -> Table:
    """Return a table of entrants, begun with ``about``: text that folds, then figures that keep their width."""
    table = new_table(title, "agent")
    told = "\n".join(name.replace("_", " ") for name in differing(report))
    if told:
        table.add_column(told, no_wrap=True)
    text = [told, *(cell for entry in report.entries for cell in about(report, entry)[1:])]
    taken = sum(2 + max(map(len, column.split("\n"))) for column in ("\n".join(text), *columns) if column)
    for column in columns:
        heading = _BROKEN.get(column, column) if _WIDTH - taken < _ROOM else column
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def differing(report: Report) -> list[str]:
    """Return the settings in which not all rows are alike; those of a model alone are compared between models."""
    values: dict[str, set[str]] = {name: set() for name in SETTINGS}
    for entry in report.entries:
        for name, value in entry.settings.items():
            if value is not None:
                values[name].add(str(value))
    return [name for name, found in values.items() if len(found) > 1]


def about(report: Report, entry: Entry) -> list[str]:
    """Return the first cells of a row of such a table: the name and, in their own column, the settings that differ."""
    settings = [_setting(entry.settings.get(name)) for name in differing(report)]
    return [for_terminal(entry.name, 48), *(["\n".join(settings)] if settings else [])]


def _setting(value: object) -> str:
    return "-" if value is None else for_terminal(str(value), 24)


def _settings(report: Report) -> Table:
    """What each model played under; what is the same for the whole run stands above the tables."""
    table = new_table("Settings", "agent")
    names = [name for name in SETTINGS if name in OWN_SETTINGS or name in differing(report)]
    for name in names:
        table.add_column(name.replace("_", "\n"), no_wrap=True)
    for entry in report.entries:
        if entry.settings.get("level") is not None:
            values = (_setting(entry.settings[name]).replace("_", "\n") for name in names)
            table.add_row(for_terminal(entry.name, 48), *values)
    return table


def _standings(report: Report) -> Table:
    table = entrants_table(
        report, "Outcomes", "games", "wins", "un-\nfinished", "of it\nled", "void", "open", "stacks", "rounds"
    )
    for entry in report.entries:
        data = entry.to_json()
        counts = (entry.games, entry.wins, entry.unfinished, entry.led, entry.void, entry.open)
        table.add_row(*about(report, entry), *map(str, counts), _mean(data["stacks_mean"]), _mean(data["rounds_mean"]))
    return table


def _decisions(report: Report) -> Table:
    table = entrants_table(
        report, "Decisions; strict: a repaired answer counts as one that cannot be read",
        "decisions", "by policy", "legal at\nfirst try", "\nstrict", "illegal\nrate", "\nstrict",
    )  # fmt: skip
    for entry in report.entries:
        data = entry.to_json()
        rates = ("first_try_legal", "first_try_legal_strict", "illegal_rate", "illegal_rate_strict")
        counts = (str(entry.decisions), str(entry.by_policy))
        table.add_row(*about(report, entry), *counts, *(_percent(data[name]) for name in rates))
    return table


def _tries(report: Report) -> Table:
    """Recovery after feedback; no table if nobody needed a second try."""
    last = max((number for entry in report.entries for number in entry.settled), default=0)
    named = _TRIES[: min(last, len(_TRIES))]
    later = ["later"] if last > len(_TRIES) else []
    table = entrants_table(report, "Decisions by the try that settled them", *named, *later, "by policy")
    needed = last > 1 or any(entry.by_policy for entry in report.entries)
    for entry in report.entries if needed else ():
        counts = [entry.settled[number] for number in range(1, len(named) + 1)]
        counts += [entry.settled.total() - sum(counts)] if later else []
        counts.append(entry.by_policy)
        shares = (_percent(count / entry.decisions if entry.decisions else None) for count in counts)
        table.add_row(*about(report, entry), *shares)
    return table


def _attempts(report: Report) -> Table:
    used = [name for name in CLASSES if any(entry.attempts[name] for entry in report.entries) and name != _BLAMELESS]
    columns = (*used, _BLAMELESS)
    table = entrants_table(
        report, "Attempts by class; provider: not the model's", *(name.replace("_", "\n") for name in columns)
    )
    for entry in report.entries:
        table.add_row(*about(report, entry), *(str(entry.attempts[name]) for name in columns))
    return table


def _repairs(report: Report) -> Table:
    return _counted(report, "Repairs of form", "repairs", "kind")


def _troubles(report: Report) -> Table:
    return _counted(report, "Provider failures, and calls the budget did not allow", "provider_failures", "code")


def _counted(report: Report, title: str, figure: str, what: str) -> Table:
    """Return a table of a figure that is a list of things and their counts."""
    table = entrants_table(report, title, "count")
    table.add_column(what, overflow="fold")
    for entry in report.entries:
        for row in entry.to_json()[figure]:
            table.add_row(*about(report, entry), str(row["count"]), for_terminal(row[what]))
    return table


def _illegal(report: Report) -> Table:
    cut = any(len(entry.codes) > MOST_CODES for entry in report.entries)
    commonest = f", the commonest {MOST_CODES} of each agent" if cut else ""
    table = entrants_table(report, f"Illegal attempts by code{commonest}", "count")
    longest = max((len(code) for entry in report.entries for code in entry.codes), default=0)
    table.add_column("code and rules", no_wrap=True)
    table.add_column("meaning", overflow="fold")
    for entry in report.entries:
        for row in entry.to_json()["illegal_by_code"][:MOST_CODES]:
            rules = wrap(for_terminal(" ".join(row["rules"])), max(longest, _ROOM), break_on_hyphens=False)
            code = "\n".join((for_terminal(row["code"]), *rules))
            table.add_row(*about(report, entry), str(row["count"]), code, for_terminal(row["meaning"]))
    return table


def _usage(report: Report) -> Table:
    table = entrants_table(report, "Calls and tokens", "calls", *(_SHORT.get(name, name) for name in TOKENS))
    for entry in _callers(report):
        table.add_row(*about(report, entry), str(entry.calls), *(str(entry.tokens[name]) for name in TOKENS))
    return table


def _per_decision(report: Report) -> Table:
    columns = ("calls", "input", "of it\ncached", "cache\nhits", "output", "seconds")
    table = entrants_table(report, "Per decision; seconds: the median of an attempt", *columns)
    for entry in _callers(report):
        data = entry.to_json()
        tokens = data["tokens_per_decision"]
        table.add_row(
            *about(report, entry),
            _mean(data["calls_per_decision"]),
            *(_mean(tokens[name], 0) for name in ("input", "cached")),
            _percent(data["cache_hit_ratio"]),
            _mean(tokens["output"], 0),
            _mean(data["latency_median"]),
        )
    return table


def _costs(report: Report) -> Table:
    """What the calls cost, the most they can have cost where some told no usage, and where the prices are from."""
    uncertain = any(entry.uncertain for entry in report.entries)
    unpriced = any(entry.unpriced_calls for entry in report.entries)
    columns = ["cost", *(["at most"] if uncertain else []), *(["calls\nunpriced"] if unpriced else [])]
    table = entrants_table(report, "Cost (US dollars)", *columns, "per game", "per decision")
    table.add_column("prices of", overflow="fold")
    for entry in _callers(report):
        data = entry.to_json()
        cells = [_dollars(data["cost"])]
        if uncertain:
            cells.append(dollars((entry.cost or Decimal()) + entry.uncertain))
        if unpriced:
            cells.append(str(entry.unpriced_calls))
        cells += [_dollars(data["cost_per_game"]), _dollars(data["cost_per_decision"])]
        cells.append(for_terminal("; ".join(dict.fromkeys(str(price["source"]) for price in entry.prices)) or "-"))
        table.add_row(*about(report, entry), *cells)
    return table


def _callers(report: Report) -> Sequence[Entry]:
    return [entry for entry in report.entries if entry.calls]


def _dollars(value: str | None) -> str:
    return "unknown" if value is None else dollars(Decimal(value))


def _mean(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


_TABLES = (
    _settings, _standings, _decisions, _tries, _attempts, _troubles, _repairs, _illegal, _usage, _per_decision, _costs
)  # fmt: skip
