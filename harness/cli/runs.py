"""``dale quickstart``, ``dale tournament`` and ``dale replay``."""

from __future__ import annotations

import asyncio
import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.examples import examples
from harness.cli.executing import ConcurrencyOption, ExecutorOption, WorkersOption, budget_words, find_run, here
from harness.cli.groups import group
from harness.cli.tapes import RecordOption, ReplayOption, TapeChoice

if TYPE_CHECKING:
    from harness.cli.console import RunConsole
    from harness.config import Tournament
    from harness.executors.choice import Executor
    from harness.store import Run
    from harness.tournament import RunResult

ResultsOption = Annotated[Path, typer.Option("--results", help="Folder that holds the runs.")]
RESULTS = Path("results")

tournament_app = group()


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command(epilog=examples("dale quickstart", "dale quickstart --no-model"))(quickstart)
    app.add_typer(tournament_app, name="tournament", help="Play a tournament, or list those there are.")
    app.command(epilog=examples("dale replay results/quickstart/games/d001-p01-r0.jsonl"))(replay)


def quickstart(
    no_model: Annotated[bool, typer.Option("--no-model", help="Leave out the embedded model.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Play what is left of the latest quickstart.")] = False,
    results: ResultsOption = RESULTS,
    record: RecordOption = None,
    replay: ReplayOption = None,
) -> None:
    """Play a small tournament that needs no key.

    The embedded model at two levels of help meets three scripted agents, without any service. The first time it
    fetches the model (about 93 MB). Then it prints who won, every class of attempt, and each rule that was broken.
    Takes three to five minutes; without the model a few seconds.
    """
    from harness.data import data_path

    path = data_path("tournaments/quickstart.toml")
    name = _latest(results, "quickstart") if resume else _free(results, "quickstart")
    tournament = _load(path, name=name)
    if no_model:
        tournament = _without_models(tournament)
    command = ["dale", "quickstart", "--resume", *(["--no-model"] if no_model else []), *_results_words(results)]
    _run(tournament, results, _found(results, tournament, resume), command, TapeChoice(record, replay), here())


@tournament_app.command(
    "run",
    epilog=examples(
        "dale tournament run scripted",
        "dale tournament run my.toml --name second-try --seed 7",
        "dale tournament run my.toml --budget 5",
        "dale tournament run my.toml --executor process --workers 8",
        "dale tournament run my.toml --resume",
    ),
)
def run_tournament(
    tournament: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A TOML file, or a name from the list.")],
    resume: Annotated[bool, typer.Option("--resume", help="Play what is left of a run that was interrupted.")] = False,
    results: ResultsOption = RESULTS,
    name: Annotated[str | None, typer.Option("--name", help="Name of the run; unless given, the file's.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the run; unless given, the file's.")] = None,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="The most the whole run may cost; else the file's.")
    ] = None,
    no_preflight: Annotated[
        bool, typer.Option("--no-preflight", help="Do not ask each model a tiny question before anything is written.")
    ] = False,
    executor: ExecutorOption = "local",
    workers: WorkersOption = None,
    record: RecordOption = None,
    replay: ReplayOption = None,
) -> None:
    """Play a tournament, log its games and print its tables.

    Before anything is written each model answers a tiny question, so that a wrong key or name costs no game. Every
    game is logged under results/RUN/. Ctrl-C stops it after the running decisions; --resume plays only the rest and
    gives the same logs as a run that was never interrupted. docs/runs.md tells about several processes and hosts.
    """
    from harness.executors.choice import choose

    how = choose(executor, workers)
    loaded = _load(_find(tournament), name=name, seed=seed).with_budget(budget)
    command = ["dale", "tournament", "run", tournament, "--resume", *_results_words(results)]
    command += ["--name", name] if name is not None else []
    command += ["--seed", str(seed)] if seed is not None else []
    command += ["--no-preflight"] if no_preflight else []
    found = _found(results, loaded, resume)
    _run(loaded, results, found, command, TapeChoice(record, replay), how, not no_preflight, budget)


@tournament_app.command(
    "resume",
    epilog=examples(
        "dale tournament resume my-run",
        "dale tournament resume results/my-run --budget 20",
        "dale tournament resume my-run --executor process",
    ),
)
def resume_tournament(
    path: Annotated[Path, typer.Argument(metavar="RUN", help="A run's name, or its folder.")],
    results: ResultsOption = RESULTS,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="USD", help="The most the whole run may cost; else as begun.")
    ] = None,
    concurrency: ConcurrencyOption = None,
    no_preflight: Annotated[
        bool, typer.Option("--no-preflight", help="Do not ask each model a tiny question before it goes on.")
    ] = False,
    executor: ExecutorOption = "local",
    workers: WorkersOption = None,
    record: RecordOption = None,
    replay: ReplayOption = None,
) -> None:
    """Play what is left of a run, from its folder alone.

    Goes on in the middle of a game: no finished decision and no recorded attempt is made again. May be started several
    times at once: each game is played by one of the processes, and the games of one that dies go to the others.
    """
    from harness.executors.choice import choose

    how = choose(executor, workers)
    run = find_run(path, results, budget, concurrency)
    command = ["dale", "tournament", "resume", str(path), *_results_words(results)]
    command += ["--concurrency", str(concurrency)] if concurrency is not None else []
    command += ["--no-preflight"] if no_preflight else []
    _run(run.tournament, results, run, command, TapeChoice(record, replay), how, not no_preflight, budget)


@tournament_app.command("list")
def list_tournaments() -> None:
    """List the tournaments there are.

    They come with the program; each can be started by its name, and copied as the beginning of your own.
    """
    from harness.data import data_path, names
    from harness.schedule import make_schedule

    for name in names("tournaments", ".toml"):
        path = data_path(f"tournaments/{name}.toml")
        tournament = _load(path)
        print(f"{name:<12} {len(make_schedule(tournament)):>3} games  {tournament.title}\n{'':<12} {path}")


def replay(
    file: Annotated[Path, typer.Argument(help="A game log (results/RUN/games/GAME.jsonl).")],
    check: Annotated[bool, typer.Option("--check", help="Only say whether the log replays.")] = False,
    language: Annotated[str, typer.Option("--lang", help="Language to tell it in, such as pt-BR.")] = "en",
) -> None:
    """Verify a game log and tell the game.

    Plays it through the engine again, which must give the same events. Exits with code 1 and names the first
    difference if it does not.
    """
    from harness import prompts
    from harness.log import read_log
    from harness.replay import replay as replay_log
    from harness.text import clean_line

    texts = prompts.load(language)
    log = read_log(file)
    for step in replay_log(log, language):
        if step.different:
            print(f"DIFFERENT: {step.text}")
            raise typer.Exit(1)
        if step.text and not check:
            print(step.text)
    print(texts.say("replay_same", file=clean_line(str(file), 1000), decisions=len(log.decisions)))


def _found(results: Path, tournament: Tournament, resume: bool) -> Run | None:
    """Return the run of a tournament to go on with, None to begin it."""
    from harness.store import resume_run

    return resume_run(results, tournament) if resume else None


def _run(
    tournament: Tournament, results: Path, found: Run | None, command: list[str], tape: TapeChoice, how: Executor,
    asking: bool = True, budget: str | None = None,
) -> None:  # fmt: skip
    """Play a tournament into its folder, print its tables, and end with the exit code that fits.

    ``command`` goes on with it, without the ``budget`` that was given for this time.
    """
    from harness.executors.choice import check
    from harness.report import read_logs
    from harness.reporting import analyse, print_analysis
    from harness.text import clean_line

    check(how, tournament, tape.given)
    console = _console()
    run, result = asyncio.run(_play(tournament, results, found, tape, how, asking, console))
    command = [*command, *how.words(), *tape.words()]
    if any((run.folder / "games").glob("*.jsonl")):
        print_analysis(console, analyse(read_logs(run.folder)))
    left = result.games - result.finished
    done = f"{result.finished} of {result.games} games are finished; logs in {run.folder / 'games'}."
    print(done)
    _tell_odd(result)
    for game, path in result.crashed.items():
        print(f"Game {game} was stopped by an error inside the program, told in {path}.")
    for name, reason in result.refused.items():
        print(f"No more games of {clean_line(name, 48)}: its provider said {clean_line(reason, 300)}.")
    _tell_money(tournament, result)
    command += budget_words(budget, any(one.kind == "run" for one in result.reached))
    decided = _tell_decision(tournament, result)
    if left and not decided:
        print(f"Go on with: {shlex.join(command)}")
    else:
        example = next(iter(sorted((run.folder / "games").glob("*.jsonl"))))
        print(f"Look at a game with: {shlex.join(['dale', 'replay', str(example)])}")
    if console.lost:
        print(f"dale: standard output was closed, and the run went on without it: {done}", file=sys.stderr)
    if result.interrupted:
        raise typer.Exit(130)
    if console.lost or (left and not decided):
        raise typer.Exit(1)


def _tell_odd(result: RunResult) -> None:
    """Say what was mended, who else plays, and why a run was given up."""
    from harness.text import clean_line

    for remark in result.remarks:
        print(clean_line(remark, 1000))
    if result.elsewhere:
        print(f"Games that other processes are playing: {result.elsewhere}.")
    if result.aborted is not None:
        print(
            "Given up: {} of the last {} games failed, by their provider or an error in this program ([abort] in the "
            "tournament file); mend the cause, then go on.".format(*result.aborted)
        )


def _tell_decision(tournament: Tournament, result: RunResult) -> bool:
    """Say how the comparison of a run ended that stops by it; return whether it did."""
    if result.comparison is None or not result.comparison.decided:
        return False
    from harness.stopping import verdict
    from harness.text import clean_line

    first, second = (clean_line(entrant.name, 48) for entrant in tournament.entrants)
    print(f"Decided: {verdict(result.comparison.progress, first, second, result.comparison.rule)}.")
    return True


def _tell_money(tournament: Tournament, result: RunResult) -> None:
    """Say what was spent and which budgets were reached."""
    from harness.budget import dollars
    from harness.text import clean_line

    reached, cap = result.reached, tournament.caps.run
    if result.spent or cap is not None:
        print(f"Spent: {dollars(result.spent)}{f' of {dollars(cap)}' if cap is not None else ''} US dollars.")
    for one in reached:
        print(f"Stopped: {clean_line(str(one), 300)}.")
    for kind in ("entrant", "game"):
        if any(one.kind == kind for one in reached):
            print(f"To go on, raise {kind} under [budget] in the tournament file.")


async def _play(
    tournament: Tournament, results: Path, found: Run | None, tape: TapeChoice, how: Executor, asking: bool,
    console: RunConsole,
) -> tuple[Run, RunResult]:  # fmt: skip
    """Play a new run or what is left of one; nothing is written before all its agents are there.

    ``asking``: nor before each of its models has answered a tiny question, which a replay cannot put to them.
    """
    from harness.budget import Budget
    from harness.executors.spread import play_spread
    from harness.executors.work import learnt
    from harness.preflight import preflight
    from harness.progress import showing
    from harness.store import create_run, refuse_existing
    from harness.text import clean_line
    from harness.tournament import play_run, progress_of, seated

    if found is None:
        refuse_existing(results, tournament)
    budget = Budget(tournament.caps)
    say = partial(console.print, markup=False, soft_wrap=True)
    async with (
        tape.connections(found is not None) as connections,
        seated(tournament, connections=connections, budget=budget) as agents,
    ):
        games, finished = progress_of(found) if found is not None else (1, 0)
        asking = asking and finished < games and not connections.replaying
        for remark in await preflight(agents) if asking else ():
            print(clean_line(remark, 600))
        run = found or create_run(results, tournament)
        if how.kind == "local":
            with showing(console, run, budget, connections) as watcher:
                alone = tape.record is not None  # two processes would write one tape
                return run, await play_run(run, agents, watcher, budget=budget, alone=alone, say=say)
        degraded = learnt(agents)
    with showing(console, run, budget) as watcher:
        return run, await play_spread(run, how, watcher, budget, degraded, say)


def _console() -> RunConsole:
    from harness.cli.console import RunConsole

    return RunConsole(highlight=False, emoji=False)


def _load(path: Path, **overrides: Any) -> Tournament:
    from harness.config import load_tournament

    return load_tournament(path, **overrides)


def _find(tournament: str) -> Path:
    """Return the file of a tournament given by path or by name."""
    from harness.shipped import find_tournament

    return find_tournament(tournament)


def _without_models(tournament: Tournament) -> Tournament:
    """Return the tournament with its scripted entrants and their games only."""
    from harness.agents.spec import KINDS, parse_spec
    from harness.config import make_tournament

    data = tournament.model_dump(mode="json")
    data["entrants"] = [one for one in data["entrants"] if not KINDS[parse_spec(one["agent"]).kind].is_model]
    left = {one["name"] for one in data["entrants"]}
    if data["schedule"]["line_ups"]:
        data["schedule"]["line_ups"] = [table for table in data["schedule"]["line_ups"] if left.issuperset(table)]
    return make_tournament(data, "tournament without models")


def _free(results: Path, name: str) -> str:
    """Return the name itself, or with the first free number behind it."""
    number = 1
    while (results / _numbered(name, number)).exists():
        number += 1
    return _numbered(name, number)


def _latest(results: Path, name: str) -> str:
    number = 1
    while (results / _numbered(name, number + 1)).exists():
        number += 1
    return _numbered(name, number)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


def _results_words(results: Path) -> list[str]:
    return ["--results", str(results)] if results != RESULTS else []
