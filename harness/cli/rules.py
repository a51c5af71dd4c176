"""``dale rules``: looking rules up, and ``dale rules coverage``: which code enforces them and which tests say so."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer
from typer.core import TyperGroup

from harness.cli.examples import examples


class _LookUp(TyperGroup):
    """A group in which whatever is no command of it, alone or with options, is looked up."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        command = args[0] in self.commands and (len(args) == 1 or args[1].startswith("-"))
        return super().resolve_command(ctx, args if command else [_LOOK_UP, *args])


_LOOK_UP = "look-up"
_PIPED_WIDTH = 140
"""Columns of the table of coverage where it goes into a file or a pipe."""


rules_app = typer.Typer(
    cls=_LookUp,
    rich_markup_mode=None,
    invoke_without_command=True,
    subcommand_metavar="[ID OR WORDS | COMMAND]",
    epilog=examples("dale rules R-MKT-07", "dale rules overpay_unneeded_card", "dale rules bonus action"),
)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(rules_app, name="rules")


@rules_app.callback()
def rules(context: typer.Context) -> None:
    """Look up a rule, or search the rules for words.

    Give a rule ID, card code, violation code, or words. Without anything: the sections of the rules.
    """
    if context.invoked_subcommand is None:
        from harness.rulebook import entries

        sections = dict.fromkeys(entry.section for entry in entries().values())
        print("Sections of the rules; look up an ID (dale rules R-MKT-07), or search for words (dale rules overpay):")
        for section in sections:
            print(f"  {section}")


@rules_app.command(_LOOK_UP, hidden=True)
def look_up(words: list[str]) -> None:
    """Look up a rule ID, card code or violation code, or search for words."""
    from harness.rulebook import lookup

    print(lookup(" ".join(words)))


@rules_app.command(
    epilog=examples(
        "dale rules coverage --missing", "dale rules coverage --rule R-MKT-07", "dale rules coverage --format csv"
    )
)
def coverage(
    missing: Annotated[bool, typer.Option("--missing", help="Only what lacks a test, code or a scenario.")] = False,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="ID", help="Only this rule, statement or example, in full.")
    ] = None,
    form: Annotated[Literal["table", "json", "csv"], typer.Option("--format", help="How to print it.")] = "table",
) -> None:
    """Show for each rule the code that enforces it and the tests that would fail without it.

    Rules, card statements and examples, counted. Reads the sources and tests of a clone of the repository. Exits with
    code 1 if a rule lacks a test or code, an example a scenario, or if a list names what is not there.
    """
    import sys

    from rich.console import Console

    from harness.coverage import show
    from harness.coverage.table import checkout, coverage, select

    table = coverage(checkout())
    rows = select(table, rule, missing)
    if form == "json":
        print(show.as_json(table, rows))
    elif form == "csv":
        print(show.as_csv(rows))
        for problem in table.problems:
            print(problem, file=sys.stderr)
    elif rule is not None:
        print("\n\n".join(show.one_as_text(row) for row in rows))
    else:
        width = None if sys.stdout.isatty() else _PIPED_WIDTH
        show.print_table(Console(highlight=False, width=width), table, rows)
    wrong = bool(table.problems) and rule is None
    raise typer.Exit(1 if wrong or any(row.status == "missing" for row in rows) else 0)
