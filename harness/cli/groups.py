"""Commands that have commands of their own, such as ``dale tournament``."""

from __future__ import annotations

import typer


def group() -> typer.Typer:
    """Return a group of commands; typed alone it prints its help."""
    app = typer.Typer(rich_markup_mode=None)
    app.callback(invoke_without_command=True)(_help)
    return app


def _help(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())
