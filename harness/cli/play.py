"""``dale play``: a person against other agents, in plain lines, with the same log as any game."""

from __future__ import annotations

import asyncio
import shlex
import signal
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.examples import examples
from harness.cli.tapes import RecordOption, ReplayOption, TapeChoice
from harness.errors import UserError

if TYPE_CHECKING:
    from harness.config import Tournament
    from harness.store import Run

ATTEMPTS = 1000
"""A person may try as often as a run allows."""


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command(
        epilog=examples(
            "dale play",
            "dale play --against sloppy:0.1 --against random --seed 7",
            'dale play --against "local?level=L0"',
            "dale play --variant tournament",
            "dale play --resume play-1",
        )
    )(play)


def play(
    against: Annotated[
        list[str] | None, typer.Option("--against", metavar="SPEC", help="An opponent; give it up to three times.")
    ] = None,
    seat: Annotated[int | None, typer.Option("--seat", min=1, max=4, help="Your place in turn order; else 1.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The deal; else by the game's name.")] = None,
    sets: Annotated[str | None, typer.Option("--sets", help="The sets in play, with commas; else drawn.")] = None,
    edition: Annotated[str | None, typer.Option("--edition", help="Edition of the game; else classic.")] = None,
    variant: Annotated[str | None, typer.Option("--variant", help="standard or tournament; else standard.")] = None,
    start: Annotated[str | None, typer.Option("--start", metavar="SEAT", help="The start player; else drawn.")] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the game's folder; else play-1, play-2, …")
    ] = None,
    resume: Annotated[str | None, typer.Option("--resume", metavar="NAME", help="Go on with a game you left.")] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="The most the game may cost; else no limit.")
    ] = None,
    language: Annotated[str | None, typer.Option("--lang", help="Language, such as pt-BR; else en.")] = None,
    results: Annotated[Path, typer.Option("--results", help="Folder that holds the runs.")] = Path("results"),
    record: RecordOption = None,
    replay: ReplayOption = None,
) -> None:
    """Play yourself, against merchant or whom you name.

    Choose from a numbered menu, or type proposals as JSON. A proposal that breaks a rule is refused with the rule,
    and logged, as a model's would be. "quit" or the end of the input leaves the game; it can be gone on with.
    """
    from harness.randomness import derive_seed
    from harness.store import open_run

    if resume is not None:
        given = (against, seat, seed, sets, edition, variant, start, name, language)
        if any(option is not None for option in given):
            raise UserError(
                "--resume goes on with a game as it was begun: leave out all other options but --budget, --results, "
                "--record and --replay."
            )
        run = open_run(results / resume)
        if all(entrant.agent != "human" for entrant in run.tournament.entrants):
            raise UserError(f"{run.folder} is a tournament, not a game of dale play: see dale tournament run --help.")
        tournament = run.tournament.with_budget(budget)
        _play(tournament, results, replace(run, tournament=tournament), TapeChoice(record, replay))
        return
    free = name if name is not None else _free_name(results)
    deal = seed if seed is not None else derive_seed("play", free)
    options = {"sets": [word.strip() for word in sets.split(",")] if sets is not None else None, "start": start}
    options |= {"edition": edition or "classic", "variant": variant or "standard", "language": language or "en"}
    table = _table(free, against or ["merchant"], seat or 1, deal, options).with_budget(budget)
    _play(table, results, None, TapeChoice(record, replay))


def _table(name: str, against: list[str], seat: int, seed: int, options: dict[str, Any]) -> Tournament:
    """Return the one-game tournament of a person and the opponents; ``options`` are further keys of its file."""
    from harness import prompts
    from harness.agents.spec import parse_spec
    from harness.config import make_tournament

    if len(against) > 3:
        raise UserError(f"--against is given {len(against)} times, but at most three opponents fit at the table.")
    if seat > len(against) + 1:
        raise UserError(f"--seat {seat} is beyond the table: there are {len(against) + 1} players.")
    if any(parse_spec(spec).kind == "human" for spec in against):
        raise UserError("--against human: only one person can play; name another agent (see dale agents).")
    entrants = [
        {"name": spec if against.count(spec) == 1 else f"{spec} ({number})", "agent": spec}
        for number, spec in enumerate(against, 1)
    ]
    entrants.insert(seat - 1, {"name": prompts.load(options["language"]).say("you"), "agent": "human"})
    data = {
        "name": name,
        "seed": seed,
        "players": len(entrants),
        **options,
        "attempts": ATTEMPTS,
        "schedule": {"kind": "line_ups", "rotate": False, "line_ups": [[entrant["name"] for entrant in entrants]]},
        "entrants": entrants,
    }
    return make_tournament(data, "dale play")


def _play(tournament: Tournament, results: Path, found: Run | None, tape: TapeChoice) -> None:
    """Play the game and say how it ended, or how it can be gone on with."""
    from harness import prompts
    from harness.budget import BUDGET_CODE
    from harness.log import read_log
    from harness.progress import tell
    from harness.records import AttemptRecord
    from harness.schedule import make_schedule
    from harness.text import clean_line

    texts = prompts.load(tournament.language)
    try:
        asyncio.run(_sit_down(tournament, results, found, tape))
    except KeyboardInterrupt:
        print()
    (plan,) = make_schedule(tournament)
    log = read_log(results / tournament.name / "games" / f"{plan.game}.jsonl")
    if log.outcome is not None:
        print(f"\n{texts.say('over', ending=tell(plan, log.outcome, tournament.language))}")
    else:
        last = log.records[-1]
        if isinstance(last, AttemptRecord) and last.result == "provider":
            name = plan.seats[last.seat]
            print(clean_line(texts.say("no_answer", name=name, code=last.code, detail=last.detail), 400))
        where = ["--results", str(results)] if results != Path("results") else []
        more = ["--budget", "MORE"] if isinstance(last, AttemptRecord) and last.code == BUDGET_CODE else []
        command = shlex.join(["dale", "play", "--resume", tournament.name, *more, *where, *tape.words()])
        print(f"\n{texts.say('kept', command=command)}")
    spoken = ["--lang", tournament.language] if tournament.language != prompts.DEFAULT_LANGUAGE else []
    print(texts.say("look", command=shlex.join(["dale", "replay", str(log.path), *spoken])))


async def _sit_down(tournament: Tournament, results: Path, found: Run | None, tape: TapeChoice) -> None:
    from harness import prompts
    from harness.budget import Budget
    from harness.progress import Silent
    from harness.store import create_run, refuse_existing
    from harness.tournament import play_run, seated

    # Ctrl-C shall end the waiting for a line, which the event loop's own handler would not do.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if found is None:
        refuse_existing(results, tournament)
    budget = Budget(tournament.caps)
    resumed = found is not None
    async with (
        tape.connections(resumed) as connections,
        seated(tournament, connections=connections, budget=budget) as agents,
    ):
        run = found or create_run(results, tournament)
        result = await play_run(run, agents, Silent(), signals=False, budget=budget, alone=True)
    for game, path in result.crashed.items():
        print(prompts.load(tournament.language).say("crashed", game=game, path=path))


def _free_name(results: Path) -> str:
    number = 1
    while (results / f"play-{number}").exists():
        number += 1
    return f"play-{number}"
