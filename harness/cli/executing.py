"""The options ``--executor``, ``--workers`` and ``--concurrency``, and the run that is gone on with."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.errors import UserError

if TYPE_CHECKING:
    from harness.executors.choice import Executor
    from harness.store import Run

ExecutorOption = Annotated[
    str,
    typer.Option(
        "--executor", metavar="local|process|ray", help="Play in this process, in several, or on a Ray cluster."
    ),
]
WorkersOption = Annotated[
    int | None, typer.Option("--workers", min=1, max=1024, help="How many processes; unless given, one for each core.")
]
ConcurrencyOption = Annotated[
    int | None, typer.Option("--concurrency", min=1, max=4096, help="Games at a time; unless given, as begun.")
]


def here() -> Executor:
    """Return the executor that plays in this process."""
    from harness.executors.choice import Executor

    return Executor()


def budget_words(given: str | None, reached: bool) -> list[str]:
    """Return what the command that goes on says of the budget: the one that was given, or that it takes more."""
    said = "MORE" if reached else given
    return ["--budget", said] if said is not None else []


def find_run(path: Path, results: Path, budget: str | None, concurrency: int | None) -> Run:
    """Open the run of a name or folder, with other means where they are given; UserError if there is none."""
    from harness.config import make_tournament
    from harness.store import open_run

    folder = path if (path / "run.json").is_file() else results / path
    if not folder.is_dir():
        raise UserError(f"there is no run {str(path)!r}, neither as a folder nor in {results}.")
    run = open_run(folder)
    tournament = run.tournament.with_budget(budget)
    if tournament.has_people:
        where = ["--results", str(folder.parent)] if folder.parent != Path("results") else []
        command = shlex.join(["dale", "play", "--resume", tournament.name, *where])
        raise UserError(f"{folder} is a game of dale play: go on with {command}.")
    if concurrency is not None:
        tournament = make_tournament(tournament.model_dump(mode="json") | {"concurrency": concurrency}, "--concurrency")
    return replace(run, tournament=tournament)
