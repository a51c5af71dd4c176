"""``dale report``: the figures of runs as tables, as JSON, or as the page of one run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.examples import examples
from harness.cli.paths import found

RunPaths = Annotated[
    list[Path], typer.Argument(metavar="RUN|FILE...", help="A run's name or folder, or a game log.", show_default=False)
]
ResultsOption = Annotated[Path, typer.Option("--results", help="Folder that holds the runs.")]
RESULTS = Path("results")


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "dale report quickstart",
            "dale report mine --following",
            "dale report mine --rules",
            "dale report mine --html mine.html",
            "dale report mine mine-2 --json",
            "dale report mine --policy forfeit --attempts 1 --strict",
        )
    )(report)


def report(
    paths: RunPaths,
    following: Annotated[
        bool,
        typer.Option("--following", help="Also rule following with intervals: recovery, settings compared, effort."),
    ] = False,
    rules: Annotated[
        bool, typer.Option("--rules", help="Also how often each rule was broken where it could have been.")
    ] = False,
    anchor: Annotated[str | None, typer.Option("--anchor", help="The entrant whose rating is 0.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the page of the run into this file.")] = None,
    language: Annotated[str, typer.Option("--lang", help="Language in which the page tells its games.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
    policy: Annotated[
        str | None, typer.Option("--policy", help="Score again by random_legal, forfeit or void.")
    ] = None,
    attempts: Annotated[int | None, typer.Option("--attempts", min=1, help="Score again with so many tries.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Score again, repaired answers not taken.")] = False,
    results: ResultsOption = RESULTS,
) -> None:
    """Print the tables of a run, or of several in one, from their logs.

    Ratings come with 95 % intervals by resampling blocks. --following adds legality at the first try, recovery after
    feedback, what a level, a language or the feedback changes on the same deals, and skill given compliance. --rules
    and --html play every game through the engine again, which takes some milliseconds for each decision. With
    --policy, --attempts or --strict the games are scored again and every proposal is judged by the present engine; the
    exit code is 1 if it judges one otherwise.
    docs/statistics.md says how the figures are made.
    """
    from rich.console import Console

    from harness import reporting
    from harness.report import read_logs

    paths = [found(path, results) for path in paths]
    if policy is not None or attempts is not None or strict:
        from harness.cli.rescore import report_again

        report_again(paths, policy, attempts, strict, anchor, rules, following, as_json, html)
        return
    logs = read_logs(*paths)
    if html is not None:
        reporting.write_page(logs, html, language)
        print(f"The page is in {html}.")
        return
    analysis = reporting.analyse(logs, anchor, rules, skill=following or as_json)
    if as_json:
        print(json.dumps(analysis.to_json(), indent=2))
    else:
        reporting.print_analysis(Console(highlight=False, emoji=False), analysis, following)
