"""One run on disk: ``results/<run>/`` with its plan (run.json), one log per game and the blobs.

What is finished is read from the logs alone.
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from harness.blobs import BlobStore
from harness.canonical import canonical_json
from harness.config import Tournament, make_tournament
from harness.errors import UserError, cannot_write
from harness.records import SCHEMA_VERSION
from harness.schedule import make_schedule
from harness.versions import ENGINE_VERSION, HARNESS_EPOCH

_FREE = ("title", "concurrency", "budget", "prices", "estimate", "abort")
"""Fields of a tournament that change no game; they may differ when a run is resumed."""


@dataclass(frozen=True)
class Run:
    """An opened run: where it lies and what it plays."""

    folder: Path
    tournament: Tournament

    @property
    def blobs(self) -> BlobStore:
        """The run's store of requests and answers."""
        return BlobStore(self.folder / "blobs")

    def log(self, game: str) -> Path:
        """Where the log of a game lies, written or not."""
        return self.folder / "games" / f"{game}.jsonl"


def refuse_existing(results: Path, tournament: Tournament) -> None:
    """Raise UserError if the name of a new run is taken."""
    folder = results / tournament.name
    if folder.exists():
        raise UserError(
            f"the run {folder} exists already: add --resume to play what is left of it, or --name to start another."
        )


def create_run(results: Path, tournament: Tournament) -> Run:
    """Make the folder of a new run; UserError if the name is taken or the disk refuses."""
    refuse_existing(results, tournament)
    folder = results / tournament.name
    plan = {
        "schema_version": SCHEMA_VERSION,
        "engine_version": ENGINE_VERSION,
        "harness_epoch": HARNESS_EPOCH,
        "tournament": tournament.model_dump(mode="json"),
        "games": [
            {
                "game": game.game,
                "deal": game.deal,
                "line_up": game.line_up,
                "rotation": game.rotation,
                "seed": game.seed,
                "seats": dict(game.seats),
            }
            for game in make_schedule(tournament)
        ],
        "timing": {"created": datetime.now(UTC).isoformat(timespec="seconds")},
    }
    part = results / f".{tournament.name}.{os.getpid()}.part"  # whole or not there, whenever the process is killed
    try:
        (part / "games").mkdir(parents=True)
        (part / "run.json").write_text(json.dumps(plan, indent=2) + "\n", encoding="utf-8")
        part.rename(folder)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise cannot_write(f"the run {folder}", error) from None
    return Run(folder, tournament)


def open_run(folder: Path) -> Run:
    """Open the run in a folder; UserError if there is none or another version made it."""
    plan = _read_plan(folder)
    made_by = (plan.get("schema_version"), plan.get("harness_epoch"), plan.get("engine_version"))
    mine = (SCHEMA_VERSION, HARNESS_EPOCH, ENGINE_VERSION)
    if made_by != mine:
        raise UserError(
            f"the run {folder} was made by another version (schema, epoch, engine: {made_by}, here {mine}); "
            "go on with that version, or start a new run."
        )
    return Run(folder, make_tournament(plan["tournament"], str(folder / "run.json")))


def resume_run(results: Path, tournament: Tournament) -> Run:
    """Open the run of a tournament to play what is left; UserError if it was made with other settings."""
    folder = results / tournament.name
    if not folder.exists():
        raise UserError(f"there is no run {folder} to resume: leave out --resume to start it.")
    run = open_run(folder)
    old, new = run.tournament.model_dump(mode="json"), tournament.model_dump(mode="json")
    for field in new:
        if field not in _FREE and canonical_json(old[field]) != canonical_json(new[field]):
            raise UserError(
                f"the run {folder} was made with other settings: {field} is {_short(old[field])} there and "
                f"{_short(new[field])} now; resume it with its own, or give the new run another --name."
            )
    return Run(folder, tournament)


def _read_plan(folder: Path) -> dict[str, Any]:
    path = folder / "run.json"
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{folder} is not a run: cannot read {path.name} in it: {error.strerror}.") from None
    except ValueError:
        raise UserError(f"{path} is damaged: it is not JSON.") from None
    if not isinstance(plan, dict) or not isinstance(plan.get("tournament"), dict):
        raise UserError(f"{path} is damaged: it holds no tournament.")
    return plan


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
