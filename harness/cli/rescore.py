"""``dale report`` with --policy, --attempts or --strict: the games of runs scored again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import typer

from harness.errors import UserError


def report_again(
    paths: Sequence[Path],
    policy: str | None,
    attempts: int | None,
    strict: bool,
    anchor: str | None,
    rules: bool,
    following: bool,
    as_json: bool,
    html: Path | None,
) -> None:
    """Score the games again and print what comes of it; exit code 1 if the engine judges anything otherwise."""
    from rich.console import Console

    from harness.agents.base import Policy
    from harness.rescoring.report import rescoring
    from harness.rescoring.scoring import Scoring
    from harness.rescoring.show import print_rescoring

    if html is not None:
        raise UserError(
            "the page shows a run as it was played: leave out --html, or --policy, --attempts and --strict."
        )
    found = rescoring(
        paths, Scoring(cast(Policy | None, policy), attempts, strict), anchor, rules, following or as_json
    )
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        print_rescoring(Console(highlight=False, emoji=False), found, following)
    if found.differences:
        raise typer.Exit(1)
