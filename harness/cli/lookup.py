"""``dale agents``, ``dale cards``, ``dale scenario`` and ``dale bench``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.examples import examples
from harness.cli.groups import group

if TYPE_CHECKING:
    from harness.agents.spec import Kind, Option

scenario_app = group()


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(agents)
    app.command(epilog=examples("dale cards macaws"))(cards)
    app.add_typer(scenario_app, name="scenario", help="Check positions with expectations, as YAML.")
    app.command()(bench)


def agents() -> None:
    """List the agents and their options.

    How each is written, and what its options default to. The same texts stand in tournament files (agent =
    "merchant") and on the command line (--against merchant). Options follow a question mark:
    local?level=L0&rulebook=brief
    """
    from harness.agents.spec import KINDS

    first: Kind | None = None
    for kind in KINDS.values():
        print(f"{kind.form}\n    {kind.help}")
        own = list(kind.options)
        if first is not None and kind.is_model:
            without = [f"?{option.name}" for option in first.options if kind.option(option.name) is None]
            own = [option for option in own if option not in first.options]
            but = f", without {', '.join(without)}" if without else ""
            print(f"    Options as for {first.name}{but}{', but:' if own else '.'}")
        elif kind.is_model:
            first = kind
        for option in own:
            print(f"    ?{option.name}={_values(option)}\n        {option.help}{_default(option)}")


def _values(option: Option) -> str:
    if option.type == "flag":
        return "true|false"
    return "|".join(option.choices) or option.type.upper()


def _default(option: Option) -> str:
    if option.default is None:
        return ""
    shown = str(option.default).lower() if option.type == "flag" else option.default
    return f" (default {shown})"


def cards(
    set_name: Annotated[str | None, typer.Argument(metavar="SET", help="A set; unless given, all of them.")] = None,
    edition: Annotated[str, typer.Option("--edition", help="classic or remastered.")] = "classic",
    language: Annotated[str, typer.Option("--lang", help="Language, such as pt-BR.")] = "en",
) -> None:
    """Show the cards: value, copies, kind, effect."""
    from harness import prompts
    from harness.rulebook import cards as find_cards

    texts = prompts.load(language)
    for card in find_cards(set_name, edition, language):
        print(f"{texts.say('card', **card.info._asdict())}\n    {card.text}")


@scenario_app.command("check", epilog=examples("dale scenario check tests/scenarios"))
def check_scenarios(paths: Annotated[list[Path], typer.Argument(help="YAML files, or folders of them.")]) -> None:
    """Run scenario files.

    Prints a line for each that fails, and exits with code 1 if any does.
    """
    from harness.scenario import check_paths

    report = check_paths(paths)
    print("\n".join(report.lines))
    raise typer.Exit(report.exit_code)


def bench(
    seconds: Annotated[
        float, typer.Option(min=0.5, help="CPU seconds for each rate, after a warm-up of two seconds.")
    ] = 3.0,
    games: Annotated[
        int | None, typer.Option(min=1, help="Random games over which legal lists are timed (1000); with --agents 256.")
    ] = None,
    agents: Annotated[
        bool, typer.Option("--agents", help="Measure the harness instead: many games of models at once, no network.")
    ] = False,
    delay: Annotated[float, typer.Option(min=0.0, help="With --agents: seconds a model takes to answer.")] = 2.0,
) -> None:
    """Measure the speed of the engine on this machine, beside catanatron if that is installed.

    Seconds differ between machines and from hour to hour: compare the ratios of one run. It takes about two minutes.
    With --agents the models' part of the harness is measured against its targets, without any key or network; the exit
    code is 1 if a target is missed.
    """
    if agents:
        from harness import bench_agents

        if not bench_agents.run(games or bench_agents.GAMES, delay):
            raise typer.Exit(1)
        return
    from harness.bench import GAMES, run

    run(seconds, games or GAMES)
