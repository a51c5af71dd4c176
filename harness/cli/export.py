"""``dale export``: runs as tidy tables in files, with a dataset card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.examples import examples
from harness.cli.paths import found
from harness.cli.report import RESULTS, ResultsOption, RunPaths
from harness.errors import UserError


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "dale export quickstart --to tables",
            "dale export mine mine-2 --to tables --format parquet",
            "dale export mine --to tables --texts --licence cc-by-4.0",
        )
    )(export)


def export(
    paths: RunPaths,
    to: Annotated[Path, typer.Option("--to", help="New folder for the tables.", show_default=False)],
    form: Annotated[str, typer.Option("--format", metavar="csv|parquet", help="Form of the tables.")] = "csv",
    texts: Annotated[
        bool, typer.Option("--texts", help="Also what was sent to models and what they answered, in full.")
    ] = False,
    licence: Annotated[str, typer.Option("--licence", help="Identifier of the licence the card names.")] = "mit",
    results: ResultsOption = RESULTS,
) -> None:
    """Write the games, seats, decisions, attempts, violations, ratings and rates of runs as tables.

    A README.md beside them, a dataset card for the Hugging Face Hub, says what the runs are and what every column
    means. The tables can be queried where they lie: duckdb -c "SELECT class, count(*) FROM 'tables/attempts.csv' GROUP
    BY ALL". Plays every game through the engine again, which takes some milliseconds for each decision.
    """
    from harness.export.export import export as write
    from harness.export.files import FORMATS
    from harness.report import read_logs

    if form not in FORMATS:
        raise UserError(f"--format must be one of {', '.join(FORMATS)}, not {form!r}.")
    sizes = write(read_logs(*(found(path, results) for path in paths)), to, form, texts, licence)
    for name, size in sizes.items():
        print(f"{size:>9} {name}.{form}")
    print(f"The tables are in {to}; {to / 'README.md'} says what they hold.")
