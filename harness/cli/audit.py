"""``dale audit``: the classes in a run's logs held against the models' raw answers by a second reading."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.examples import examples
from harness.cli.paths import found as run_path


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(epilog=examples("dale audit quickstart", "dale audit results/quickstart --json"))(audit)


def audit(
    path: Annotated[Path, typer.Argument(metavar="RUN|FILE", help="A run's name or folder, or one game log in it.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    results: Annotated[Path, typer.Option("--results", help="Folder that holds the runs.")] = Path("results"),
) -> None:
    """Check how every answer of a model was classed.

    Reads the raw answers again with a second parser that shares nothing with the first, plays the games again, and
    compares class, code, stated call, proposal and repairs. Exits with code 1 and lists every disagreement, if any.
    """
    from harness.audit.report import audit as audit_logs
    from harness.audit.report import lines

    found = audit_logs(run_path(path, results))
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        print("\n".join(lines(found)))
    if found.disagreements:
        raise typer.Exit(1)
