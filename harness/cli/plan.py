"""``dale tournament plan``: what a tournament will take and tell, before it is started."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.examples import examples
from harness.cli.paths import found as run_path
from harness.errors import UserError


def register(tournament_app: typer.Typer) -> None:
    """Add the command to ``dale tournament``."""
    tournament_app.command(
        "plan",
        epilog=examples(
            "dale tournament plan my.toml",
            "dale tournament plan my.toml --sample results/small-run --budget 20",
            "dale tournament plan my.toml --games",
        ),
    )(plan)


def plan(
    tournament: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A TOML file, or a name from the list.")],
    sample: Annotated[
        list[Path] | None,
        typer.Option("--sample", metavar="RUN|FILE", help="Logs of a calibration run; may be given several times."),
    ] = None,
    output_tokens: Annotated[
        int | None, typer.Option("--output-tokens", min=1, help="Tokens of output of one call of every model.")
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds-per-call", min=0.001, max=86_400, help="Seconds of one call of every model."),
    ] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="The most the whole run may cost; else the file's.")
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="List every game.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    results: Annotated[Path, typer.Option("--results", help="Folder that holds the runs.")] = Path("results"),
) -> None:
    """Say what a tournament will take and how much it will tell.

    Its games, and for each entrant decisions, calls, tokens, cost and time, and how wide the 95 % intervals will be.
    Each figure says what it rests on: a calibration run, what is declared, what can be computed without a call, or an
    assumption. Makes no call, needs no key, and takes some seconds.
    """
    from harness.config import load_tournament
    from harness.forecast.estimate import Declared
    from harness.forecast.forecast import forecast
    from harness.forecast.show import print_forecast
    from harness.report import read_logs
    from harness.shipped import find_tournament

    if seconds is not None and math.isnan(seconds):
        raise UserError("--seconds-per-call must be a number of seconds, not nan.")
    loaded = load_tournament(find_tournament(tournament)).with_budget(budget)
    paths = [run_path(path, results) for path in sample or ()]
    found = forecast(loaded, read_logs(*paths), Declared(output_tokens, seconds))
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
        return
    from rich.console import Console

    print_forecast(Console(highlight=False, emoji=False), found, games)
