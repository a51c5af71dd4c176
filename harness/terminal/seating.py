"""Who sits where in a game of ``dale play``, as the one-game run it is, and which such game was left last."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness import prompts
from harness.agents.spec import parse_spec
from harness.config import Tournament, make_tournament
from harness.errors import UserError
from harness.log import is_finished
from harness.schedule import make_schedule
from harness.store import Run, open_run

ATTEMPTS = 1000
"""A person may try as often as a run allows."""
SEATS = 4


@dataclass(frozen=True)
class Wanted:
    """Who is to play: the opponents' specs, how many persons, their names if the game is to be counted."""

    against: Sequence[str] = ()
    people: int | None = None
    names: Sequence[str] = ()
    seat: int | None = None
    level: str | None = None


def make_table(name: str, wanted: Wanted, options: dict[str, Any]) -> Tournament:
    """Return the run of one game; ``options`` are further keys of its file. UserError for what does not fit."""
    human = [spec for spec in wanted.against if parse_spec(spec).kind == "human"]
    if any(parse_spec(spec).options for spec in human):
        raise UserError("--against human takes no options: --level and --as are for all people at the table.")
    opponents = [spec for spec in wanted.against if spec not in human]
    people = _people(wanted, len(human), len(wanted.names))
    if not opponents and people == 1:
        opponents = ["merchant"]
    if people + len(opponents) > SEATS:
        raise UserError(f"{people + len(opponents)} players are too many: at most four fit at the table.")
    entrants = [
        {"name": spec if opponents.count(spec) == 1 else f"{spec} ({number})", "agent": spec}
        for number, spec in enumerate(opponents, 1)
    ]
    place = _place(wanted.seat, people, len(entrants) + people)
    entrants[place:place] = _persons(wanted, people, options["language"])
    data = {
        "name": name,
        "players": len(entrants),
        **options,
        "attempts": ATTEMPTS,
        "schedule": {"kind": "line_ups", "rotate": False, "line_ups": [[entrant["name"] for entrant in entrants]]},
        "entrants": entrants,
    }
    return make_tournament(data, "dale play")


def _people(wanted: Wanted, against: int, named: int) -> int:
    """How many persons play: as many as are asked for, or named, or one and those among the opponents."""
    if wanted.people is not None and against:
        raise UserError("--people says how many persons play: leave --against human out.")
    people = wanted.people or (1 + against if against else max(1, named))
    if named not in (0, people):
        raise UserError(f"--as names {named} of {people} people at the table: name all of them, or none.")
    return people


def _place(seat: int | None, people: int, players: int) -> int:
    if seat is None:
        return 0
    if people > 1:
        raise UserError("--seat is the place of one person: leave it out where several play; they sit first.")
    if seat > players:
        raise UserError(f"--seat {seat} is beyond the table: there are {players} players.")
    return seat - 1


def _persons(wanted: Wanted, people: int, language: str) -> list[dict[str, str]]:
    """The entrants of the people; unless they are named the game is casual, and their agents' specs say so."""
    options = [f"level={wanted.level}"] if wanted.level is not None else []
    options += [] if wanted.names else ["casual=true"]
    agent = f"human?{'&'.join(options)}" if options else "human"
    texts = prompts.load(language)
    unnamed = (
        [texts.say("person", number=number) for number in range(1, people + 1)] if people > 1 else [texts.say("you")]
    )
    return [{"name": name, "agent": agent} for name in (wanted.names or unnamed)]


def free_name(results: Path, kind: str = "play") -> str:
    """Return the first of play-1, play-2 … that no run has."""
    number = 1
    while (results / f"{kind}-{number}").exists():
        number += 1
    return f"{kind}-{number}"


def open_game(results: Path, name: str | None) -> Run:
    """Return the game of that name to go on with; without a name the one that was played last and is not over."""
    if name is not None:
        run = open_run(results / name)
        if not run.tournament.has_people:
            command = shlex.join(["dale", "tournament", "resume", str(run.folder)])
            raise UserError(f"{run.folder} is a tournament, not a game of dale play: go on with {command}.")
        return run
    found = [(log.stat().st_mtime_ns, run) for run in _runs(results) if (log := _log(run)).exists()]
    left = [(time, run) for time, run in found if not is_finished(_log(run))]
    if not left:
        raise UserError(f"there is no game in {results} to go on with: dale play begins one.")
    return max(left, key=lambda one: one[0])[1]


def _runs(results: Path) -> list[Run]:
    """The games of dale play that this version can go on with."""
    found = []
    for path in sorted(results.glob("*/run.json")):
        try:
            run = open_run(path.parent)
        except UserError:
            continue
        if run.tournament.has_people:
            found.append(run)
    return found


def _log(run: Run) -> Path:
    (plan,) = make_schedule(run.tournament)
    return run.log(plan.game)
