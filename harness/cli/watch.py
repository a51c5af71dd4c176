"""``dale watch``: step through logged games, look for illegal attempts, follow a running game."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.examples import examples
from harness.cli.paths import found
from harness.errors import UserError

if TYPE_CHECKING:
    from harness.prompts import Texts


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "dale watch quickstart",
            "dale watch results/quickstart/games/d001-p01-r0.jsonl",
            "dale watch my-run --follow",
            "dale watch play-1 --seat A --plain",
        )
    )(watch)


def watch(
    path: Annotated[Path, typer.Argument(metavar="RUN|FILE", help="A run's name or folder, or a game log.")],
    seat: Annotated[
        str | None, typer.Option("--seat", metavar="SEAT", help="Begin with what this seat could see; else everything.")
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", help="Stay at the end of a game that is being played.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines, for screen readers and pipes; else the whole screen.")
    ] = False,
    language: Annotated[str, typer.Option("--lang", help="Language, such as pt-BR.")] = "en",
    results: Annotated[Path, typer.Option("--results", help="Folder that holds the runs.")] = Path("results"),
) -> None:
    """Watch games: step through them, with the table as it stood.

    Goes by decision, attempt or turn, to the next illegal attempt with the rule it broke, and from the view of
    everything to what one seat could see. F1 tells the keys; in plain lines "help" tells the words.
    """
    from harness import prompts
    from harness.log import game_logs
    from harness.terminal.room import fits

    texts = prompts.load(language)
    games = game_logs(found(path, results))
    view = seat.strip().upper() if seat is not None else None
    if view is not None and view not in tuple("ABCD"):
        raise UserError(f"--seat {seat}: a seat is A, B, C or D.")
    if plain or not fits():
        _lines(games, texts, view, follow)
    else:
        from harness.terminal.watch_app import WatchApp

        WatchApp(games, texts, view, follow).run()


def _lines(games: list[Path], texts: Texts, seat: str | None, follow: bool) -> None:
    from harness.terminal.following import running
    from harness.terminal.watch_lines import LineWatcher

    going_on = running(games) if follow else None
    chosen = [going_on] if going_on is not None else games
    width = max(40, shutil.get_terminal_size().columns - 1)
    watcher = LineWatcher(chosen, texts, _read_line, lambda text: print(text, flush=True), width)
    if follow and len(chosen) == 1:
        try:
            watcher.follow(seat)
        except KeyboardInterrupt:
            print()
    else:
        watcher.run(seat)


def _read_line(prompt: str) -> str | None:
    try:
        return input(prompt)
    except (EOFError, KeyboardInterrupt):
        print()
        return None
