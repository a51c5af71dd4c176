"""Putting the page together: everything is computed from the logs of a run, and stands inside the one file."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from harness.compliance.opportunities import first_attempts
from harness.compliance.rates import ANY_RULE, table
from harness.log import GameLog
from harness.page.charts import WIDTH, heat_map, intervals, scatter
from harness.page.examples import examples
from harness.page.games import game_data
from harness.prompts import DEFAULT_LANGUAGE, code_meaning
from harness.ratings.results import results_of
from harness.ratings.standings import rate
from harness.report import make_report
from harness.text import clean_line

SHOWN_ROWS = 16
"""Rules of the heat map that are shown at once; the others open on a click."""


def build_page(logs: Sequence[GameLog], language: str = DEFAULT_LANGUAGE) -> str:
    """Return the page of one run's logs as HTML; games are told in ``language``.

    The same logs give the same bytes. Raises UserError for logs that the engine now plays differently.
    """
    report = make_report(logs)
    agents = {entry.label: entry.agent for entry in report.entries}
    ratings = rate(results_of(logs, report.label), agents, seed=logs[0].header.run_seed)
    rates, differences = table(first_attempts(logs, report.label))
    played = {entry.label: entry for entry in report.entries}
    costs = {name: float(entry.cost or 0) / entry.games for name, entry in played.items() if entry.games}
    standing = {one.name: one for one in ratings.standings}
    order = [one.name for one in ratings.standings] or list(played)
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            run=report.run,
            settings={name: value for name, value in report.settings.items()},
            rows=[(played[name], played[name].to_json(), standing.get(name)) for name in order],
            ratings=ratings,
            intervals=intervals(ratings.standings),
            scatter=scatter(ratings.standings, costs),
            heat=heat_map(rates),
            differences=[one for one in differences if one.q <= 0.05],
            examples=examples(logs, rates, report.label, language),
            games=[(log, log.outcome) for log in logs],
            packed={log.header.game: _packed(log, language) for log in logs},
            any_rule=ANY_RULE,
            width=WIDTH,
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
    return environment
