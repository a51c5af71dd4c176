"""Putting the page together: everything is computed from the logs of a run, and stands inside the one file."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from decimal import Decimal
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from harness.budget import dollars
from harness.compliance.effort import Effort
from harness.compliance.rates import ANY_RULE
from harness.compliance.shares import Share
from harness.log import GameLog
from harness.page import charts
from harness.page.examples import examples
from harness.page.following import told
from harness.page.games import game_data
from harness.prompts import DEFAULT_LANGUAGE, code_meaning
from harness.reporting import analyse
from harness.text import clean_line

SHOWN_ROWS = 16
"""Rules of the heat map that are shown at once; the others open on a click."""


def build_page(logs: Sequence[GameLog], language: str = DEFAULT_LANGUAGE) -> str:
    """Return the page of one run's logs as HTML; games are told in ``language``.

    The same logs give the same bytes. Raises UserError for logs that the engine now plays differently.
    """
    analysis = analyse(logs, rules=True, skill=True)
    report, ratings, rates = analysis.report, analysis.ratings, analysis.rates or []
    played = {entry.label: entry for entry in report.entries}
    figures = {name: entry.to_json() for name, entry in played.items()}
    costs = {name: float(one["cost_per_game"] or 0) for name, one in figures.items()}
    standing = {one.name: one for one in ratings.standings}
    order = [*standing, *(name for name in played if name not in standing)]
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            run=report.run,
            settings=report.settings,
            rows=[(played[name], figures[name], standing.get(name)) for name in order],
            ratings=ratings,
            rating_chart=charts.rating_chart(ratings.standings),
            matrix=charts.matrix(order, ratings.meetings) if ratings.meetings else [],
            order=order,
            compliant=analysis.compliant,
            scatter=charts.scatter(ratings.standings, costs),
            scatter_size=(charts.WIDTH, charts.HEIGHT),
            following=told(report, analysis.compliance),
            heat=charts.heat_map(rates),
            differences=[one for one in analysis.differences or () if one.q <= 0.05],
            examples=examples(logs, rates, report.label, language),
            games=[(log, log.outcome) for log in logs],
            packed={log.header.game: _packed(log, language) for log in logs},
            any_rule=ANY_RULE,
            shown_rows=SHOWN_ROWS,
            style=Markup(_read("page.css")),
            script=Markup(_read("viewer.js")),
        )
    )


def _packed(log: GameLog, language: str) -> str:
    """A game as the viewer unpacks it: JSON, compressed, in letters that HTML leaves alone."""
    text = json.dumps(game_data(log, language), ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")


def _read(name: str) -> str:
    return files("harness.page").joinpath(name).read_text(encoding="utf-8")


def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_read), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["line"] = lambda text, limit=200: clean_line(str(text), limit)
    environment.filters["percent"] = lambda value: "–" if value is None else f"{value:.1%}"
    environment.filters["number"] = lambda value: "–" if value is None else f"{value:.1f}"
    environment.filters["meaning"] = code_meaning
    environment.filters["dollars"] = lambda cost: dollars(Decimal(cost))
    environment.filters["breakable"] = lambda code: Markup("_<wbr>").join(code.split("_"))
    environment.filters["share"] = _share
    environment.filters["effort"] = _effort
    return environment


def _share(one: Share | None) -> Markup:
    """A share with its interval below it."""
    if one is None:
        return Markup("–")
    return Markup("{}<br><small>{}</small>").format(f"{one.value:.1%}", one.bounds("–"))


def _effort(one: Effort | None) -> Markup:
    """An amount with its interval below it."""
    if one is None:
        return Markup("–")

    def say(value: float | None) -> str:
        if value is None:
            return "?"
        return dollars(Decimal(value)) if one.figure == "cost" else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"

    if one.low is one.high is None:
        return Markup("{}").format(say(one.value))
    return Markup("{}<br><small>{}–{}</small>").format(say(one.value), say(one.low), say(one.high))
