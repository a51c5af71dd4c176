"""``dale play``: people at one terminal against other agents, with the same log as any game."""

from __future__ import annotations

import asyncio
import shlex
import signal
from collections.abc import Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.examples import examples
from harness.cli.executing import budget_words
from harness.cli.tapes import RecordOption, ReplayOption, TapeChoice
from harness.errors import UserError

if TYPE_CHECKING:
    from harness.config import Tournament
    from harness.prompts import Texts
    from harness.store import Run
    from harness.terminal.screen import Screen


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "dale play",
            "dale play --tutorial",
            "dale play --against sloppy:0.1 --against random --seed 7",
            'dale play --as Ana --against "local?level=L0"',
            "dale play --people 2 --as Ana --as Rui",
            "dale play --level L3 --lang pt-BR",
            "dale play --resume",
        )
    )(play)


def play(
    game: Annotated[
        str | None, typer.Argument(metavar="NAME", help="With --resume: the game; else the last one.")
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option("--against", metavar="SPEC", help="An opponent; give it up to three times.")
    ] = None,
    people: Annotated[
        int | None, typer.Option("--people", min=1, max=4, help="How many people share the terminal; else 1.")
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--as", metavar="NAME", help="Your name, of each person: reports then count the game."),
    ] = None,
    level: Annotated[
        str | None, typer.Option("--level", metavar="LEVEL", help="See just what a model at L0 to L5 sees.")
    ] = None,
    tutorial: Annotated[bool, typer.Option("--tutorial", help="Learn the game: ten guided turns.")] = False,
    seat: Annotated[int | None, typer.Option("--seat", min=1, max=4, help="Your place in turn order; else 1.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The deal; else by the game's name.")] = None,
    sets: Annotated[str | None, typer.Option("--sets", help="The sets in play, with commas; else drawn.")] = None,
    edition: Annotated[str | None, typer.Option("--edition", help="Edition of the game; else classic.")] = None,
    variant: Annotated[str | None, typer.Option("--variant", help="standard or tournament; else standard.")] = None,
    start: Annotated[str | None, typer.Option("--start", metavar="SEAT", help="The start player; else drawn.")] = None,
    rounds: Annotated[
        int | None, typer.Option("--rounds", min=1, help="Turns of each player after which the game ends; else 100.")
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the game's folder; else play-1, play-2, …")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a game you left.")] = False,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="The most the game may cost; else no limit.")
    ] = None,
    language: Annotated[str | None, typer.Option("--lang", help="Language, such as pt-BR; else en.")] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines, for screen readers and pipes; else the whole screen.")
    ] = False,
    results: Annotated[Path, typer.Option("--results", help="Folder that holds the runs.")] = Path("results"),
    record: RecordOption = None,
    replay: ReplayOption = None,
) -> None:
    """Play yourself, against merchant or whom you name.

    Type moves in words ("buy 2 with junk junk"), numbers of a menu, or proposals as JSON; "help" tells the rest. A
    proposal that breaks a rule is refused with the rule, and logged, as a model's would be. "quit" or the end of the
    input leaves the game; it can be gone on with.
    """
    drawn = [word.strip() for word in sets.split(",")] if sets is not None else None
    asked = {"edition": edition, "variant": variant, "start": start, "seed": seed, "sets": drawn, "round_limit": rounds}
    options: dict[str, Any] = {key: value for key, value in asked.items() if value is not None}
    given = any(value is not None for value in (against, people, names, level, seat, name)) or bool(options)
    tape = TapeChoice(record, replay)
    if tutorial:
        if given or resume or budget is not None or tape.words():
            raise UserError(
                "--tutorial is a game of its own: leave out all other options but --lang, --plain, --results."
            )
        _learn(language or "en", results, plain)
    elif resume:
        if given or language is not None:
            raise UserError(
                "--resume goes on with a game as it was begun: leave out all other options but --budget, --plain, "
                "--results, --record and --replay."
            )
        _resume(game, results, budget, plain, tape)
    else:
        if game is not None:
            raise UserError(f"what to do with {game!r}? dale play --resume {game} goes on with the game of that name.")
        from harness.randomness import derive_seed
        from harness.terminal.seating import Wanted, free_name, make_table

        free = name if name is not None else free_name(results)
        options = {"seed": derive_seed("play", free), "language": language or "en"} | options
        wanted = Wanted(against or (), people, names or (), seat, _level(level))
        _play(make_table(free, wanted, options).with_budget(budget), results, None, plain, tape, budget)


def _level(level: str | None) -> str | None:
    from harness.terminal.levels import LEVELS

    if level is not None and level not in LEVELS:
        raise UserError(f"--level must be one of {', '.join(LEVELS)}, not {level!r}; without it you get all help.")
    return level


def _resume(game: str | None, results: Path, budget: str | None, plain: bool, tape: TapeChoice) -> None:
    from harness.terminal.seating import open_game

    run = open_game(results, game)
    tournament = run.tournament.with_budget(budget)
    _play(tournament, results, replace(run, tournament=tournament), plain, tape, budget)


def _play(
    tournament: Tournament, results: Path, found: Run | None, plain: bool, tape: TapeChoice, budget: str | None
) -> None:
    """Play the game and say how it ended, or how it can be gone on with."""
    from harness import prompts
    from harness.agents.spec import parse_spec

    texts = prompts.load(tournament.language)
    _run(_sit_down(tournament, results, found, plain, tape, texts))
    over = _ended(tournament, results, texts)
    if over:
        if any(parse_spec(entrant.agent).options.get("casual") for entrant in tournament.entrants):
            print(texts.say("casual"))
    else:
        _say_how_to_go_on(tournament, results, tape, texts, budget)
    _say_where(tournament, results, texts)


def _run(session: Coroutine[Any, Any, None]) -> None:
    """Carry out a session; Ctrl-C leaves it with its log whole."""
    try:
        asyncio.run(session)
    except KeyboardInterrupt:
        print()


def _ended(tournament: Tournament, results: Path, texts: Texts) -> bool:
    """Say how the game ended, if it did."""
    from harness.log import read_log
    from harness.progress import tell
    from harness.schedule import make_schedule

    (plan,) = make_schedule(tournament)
    log = read_log(_log_path(tournament, results))
    if log.outcome is not None:
        print(f"\n{texts.say('over', ending=tell(plan, log.outcome, tournament.language))}")
    return log.outcome is not None


def _say_how_to_go_on(
    tournament: Tournament, results: Path, tape: TapeChoice, texts: Texts, budget: str | None
) -> None:
    from harness.agents.base import BROKEN_OFF
    from harness.budget import BUDGET_CODE
    from harness.log import read_log
    from harness.records import AttemptRecord
    from harness.text import clean_line

    log = read_log(_log_path(tournament, results))
    last = log.records[-1]
    reached = False
    if isinstance(last, AttemptRecord) and last.result == "provider" and last.code != BROKEN_OFF:
        name = log.header.seats[last.seat].name
        print(clean_line(texts.say("no_answer", name=name, code=last.code, detail=last.detail), 400))
        reached = last.code == BUDGET_CODE
    where = ["--results", str(results)] if results != Path("results") else []
    command = ["dale", "play", "--resume", tournament.name, *budget_words(budget, reached), *where, *tape.words()]
    print(f"\n{texts.say('kept', command=shlex.join(command))}")


def _say_where(tournament: Tournament, results: Path, texts: Texts) -> None:
    from harness import prompts

    spoken = ["--lang", tournament.language] if tournament.language != prompts.DEFAULT_LANGUAGE else []
    path = str(_log_path(tournament, results))
    print(texts.say("look", command=shlex.join(["dale", "replay", path, *spoken])))


def _log_path(tournament: Tournament, results: Path) -> Path:
    from harness.schedule import make_schedule

    (plan,) = make_schedule(tournament)
    return results / tournament.name / "games" / f"{plan.game}.jsonl"


async def _sit_down(
    tournament: Tournament, results: Path, found: Run | None, plain: bool, tape: TapeChoice, texts: Texts
) -> None:
    from harness.store import refuse_existing
    from harness.terminal.session import play_session

    # Ctrl-C shall end the waiting for a line, which the event loop's own handler would not do.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if found is None:
        refuse_existing(results, tournament)
    async with tape.connections(found is not None) as connections, _screen(texts, plain) as screen:
        result = await play_session(tournament, results, found, connections, screen, texts)
    for game, path in result.crashed.items():
        print(texts.say("crashed", game=game, path=path))


def _learn(language: str, results: Path, plain: bool) -> None:
    """Play the tutorial, and say where its log lies."""
    from harness import prompts
    from harness.terminal.seating import free_name

    texts = prompts.load(language)
    _run(_teach(results / free_name(results, "tutorial"), plain, texts))


async def _teach(folder: Path, plain: bool, texts: Texts) -> None:
    from harness.terminal.lines import LineScreen
    from harness.terminal.tutorial import play_tutorial

    signal.signal(signal.SIGINT, signal.default_int_handler)
    async with _screen(texts, plain) as screen:
        ending = await play_tutorial(folder, screen, texts)
    LineScreen(texts).write(f"\n{ending}")


def _screen(texts: Texts, plain: bool) -> AbstractAsyncContextManager[Screen]:
    """The full-screen table where the terminal has room for it, else plain lines."""
    from harness.terminal.room import fits

    if plain or not fits():
        from harness.terminal.lines import plain_lines

        return plain_lines(texts)
    from harness.terminal.app import full_screen

    return full_screen(texts)
