"""The command line as a whole: its subcommands, what ``dale`` alone says, and how errors end it."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer.main import get_command

from harness.cli import audit, export, lookup, models, plan, play, report, rules, runs, watch
from harness.errors import UserError

FIRST_STEPS = """\
Language models play Dale of Merchants by the rules.

Try first:
  dale quickstart             a small tournament of an embedded model and scripted agents, no key needed
  dale quickstart --no-model  the same without the model, done in seconds
  dale play --tutorial        learn the game in ten guided turns
  dale play                   play yourself, against a scripted merchant
  dale watch quickstart       step through the games of a run, to where a rule was broken
  dale rules R-MKT-07         look up a rule; dale rules overpay searches
  dale agents                 who can play, and how to point this at OpenAI, Anthropic or your own server

dale --help lists all commands, dale COMMAND --help explains one."""

app = typer.Typer(
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from harness.records import SCHEMA_VERSION
        from harness.versions import HARNESS_EPOCH, RULES_VERSION, VERSION

        print(f"dale-arena {VERSION}, rules {RULES_VERSION}, log schema {SCHEMA_VERSION}, epoch {HARNESS_EPOCH}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def dale(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the versions and exit.")
    ] = False,
) -> None:
    """Language models play Dale of Merchants by the rules: games, tournaments, and which rule was broken.

    An unofficial fan implementation. Start with: dale quickstart
    """
    if context.invoked_subcommand is None:
        print(FIRST_STEPS)


runs.register(app)
plan.register(runs.tournament_app)
report.register(app)
export.register(app)
audit.register(app)
play.register(app)
watch.register(app)
rules.register(app)
lookup.register(app)
models.register(app)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code: 0, 1 for a bad result, 2 for what the user can put right."""
    try:
        result = get_command(app).main(list(arguments), prog_name="dale", standalone_mode=False)
    except UserError as error:
        return _complain(str(error), 2)
    except typer.TyperException as error:
        return _complain(f"{error.format_message().rstrip('.')} (see dale --help).", error.exit_code)
    except typer.Abort:
        return _complain("stopped.", 1)
    except OSError as error:
        return _complain(_not_done(error), 2)
    return result if isinstance(result, int) else 0


def _not_done(error: OSError) -> str:
    return f"cannot read or write {error.filename or 'the output'}: {error.strerror or error}."


def _complain(sentence: str, code: int) -> int:
    from harness.text import clean_line

    print(f"dale: {clean_line(sentence, 4000)}", file=sys.stderr)
    return code


def main() -> None:
    """Entry point of the command ``dale``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter shows its number instead
            stream.reconfigure(errors="backslashreplace")
    sys.exit(_written_out(run(sys.argv[1:])))


def _written_out(code: int) -> int:
    """Write out what is still held back, and return the exit code: another one if standard output takes it not."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # not tried again, and complained of, at the end
        if isinstance(error, BrokenPipeError):
            return code or 1
        return code or _complain(_not_done(error), 2)
    return code
