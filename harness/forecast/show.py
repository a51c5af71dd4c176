"""A forecast as text for the terminal, 80 columns and up."""

from __future__ import annotations

from decimal import Decimal

from rich.console import Console
from rich.table import Table

from harness.figures import short
from harness.forecast import sentences
from harness.forecast.budgets import about
from harness.forecast.estimate import Calls
from harness.forecast.forecast import Forecast
from harness.forecast.totals import Sum
from harness.tables import new_table
from harness.text import clean_line, for_terminal

_UNKNOWN = "unknown"


def print_forecast(console: Console, found: Forecast, games: bool = False) -> None:
    """Print the games, what they take and how much they tell; ``games`` lists every one of them."""

    def say(line: str) -> None:
        console.print(clean_line(line, 2000), markup=False, highlight=False, soft_wrap=True)

    for line in sentences.games(found):
        say(line)
    if games:
        console.print(_list(found))
    models = any(one.calls is not None for one in found.expected)
    for table in (_calls(found), *((_tokens(found), _bases(found)) if models else ()), _precision(found)):
        console.print(table)
    for line in (*sentences.time(found), *found.remarks, *sentences.notes(found)):
        say(line)


def _list(found: Forecast) -> Table:
    table = new_table("Games", "game", "deal", "line-up", "seating")
    table.add_column("seats", overflow="fold")
    for plan in found.plans:
        seats = ", ".join(f"{seat} {for_terminal(name, 48)}" for seat, name in plan.seats.items())
        table.add_row(plan.game, str(plan.deal), str(plan.line_up), str(plan.rotation + 1), seats)
    return table


def _calls(found: Forecast) -> Table:
    table = new_table(
        "Decisions and calls", "agent", "games", "decisions\nper game", "calls per\ndecision", "decisions", "calls"
    )
    for one, own in zip(found.expected, found.sums, strict=True):
        each = f"{one.calls.per_decision:.2f}" if one.calls is not None else "-"
        table.add_row(
            for_terminal(one.name, 48), str(own.games), f"{one.decisions:.1f}", each, short(own.decisions),
            short(own.calls),
        )  # fmt: skip
    table.add_row("all", str(found.total.games), "", "", short(found.total.decisions), short(found.total.calls))
    return table


def _tokens(found: Forecast) -> Table:
    table = new_table(
        "Tokens, and cost in US dollars", "agent",
        "input", "cache\nread", "cache\nwrite", "output", "of it\nreasoning", "cost", "all\nattempts",
    )  # fmt: skip
    for one, own in zip(found.expected, found.sums, strict=True):
        if one.calls is not None:
            table.add_row(for_terminal(one.name, 48), *_figures(own))
    table.add_row("all", *_figures(found.total))
    return table


def _figures(own: Sum) -> tuple[str, ...]:
    tokens = own.tokens
    counts = (tokens.uncached_input, tokens.cache_read, tokens.cache_write, tokens.output, tokens.reasoning)
    return (*map(short, counts), _money(own.cost), _money(own.at_most))


def _money(cost: Decimal | None) -> str:
    return _UNKNOWN if cost is None else about(cost)


def _bases(found: Forecast) -> Table:
    table = new_table("What these figures rest on", "agent")
    for column in ("decisions", "calls", "input", "output", "seconds", "price"):
        table.add_column(column)
    for one in found.expected:
        if one.calls is not None:
            bases = (one.basis.get(name, "-") for name in ("decisions", "calls", "input", "output", "seconds"))
            table.add_row(for_terminal(one.name, 48), *bases, _price(one.calls))
    return table


def _price(calls: Calls) -> str:
    return {"run": "declared", "table": "genai-prices"}.get(calls.tariff.source, calls.tariff.source)


def _precision(found: Forecast) -> Table:
    table = new_table(
        "How much it will tell (95 % intervals)", "agent", "blocks", "rating\n± Elo", "first\nattempts",
        "violations", "then between", "if none,\nbelow",
    )  # fmt: skip
    for one in found.expected:
        width = found.strength.alone[one.name]
        told = found.following[one.name]
        rates = ("-",) * 4
        if told is not None:
            rates = (
                short(told.first_attempts), f"{told.assumed:.1%}", f"{told.low:.1%} to {told.high:.1%}",
                f"{told.clear:.2%}",
            )  # fmt: skip
        blocks = one.games // found.rotations
        table.add_row(for_terminal(one.name, 48), str(blocks), f"{width:.0f}" if width is not None else "-", *rates)
    return table
