"""What ``--executor`` and ``--workers`` may say."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal, get_args

from harness.agents.spec import parse_spec
from harness.config import Tournament
from harness.errors import UserError

Kind = Literal["local", "process", "ray"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Executor:
    """Where the games of a run are played: in this process, or by workers; None for one on each core there is."""

    kind: Kind = "local"
    workers: int | None = None

    def words(self) -> list[str]:
        """Return the options as words of a command line."""
        words = ["--executor", self.kind] if self.kind != "local" else []
        return words + (["--workers", str(self.workers)] if self.workers is not None else [])


def choose(kind: str, workers: int | None) -> Executor:
    """Return the executor of the command line; UserError if there is none such."""
    if kind == "local" and workers is not None:
        raise UserError("--workers belongs to --executor process or ray: a local run has one process.")
    for known in KINDS:
        if kind == known:
            return Executor(known, workers)
    raise UserError(f"--executor must be one of {', '.join(KINDS)}, not {kind!r}.")


def check(executor: Executor, tournament: Tournament, taped: bool) -> None:
    """Raise UserError for what several processes cannot do together, and if the package that starts them is missing."""
    if executor.kind == "local":
        return
    if taped:
        raise UserError("a tape belongs to one process: use --record and --replay with --executor local.")
    for entrant in tournament.entrants:
        limits = [name for name in ("rpm", "tpm") if parse_spec(entrant.agent).options.get(name) is not None]
        if limits:
            raise UserError(
                f"entrant {entrant.name!r} limits its requests per minute ({limits[0]}), which one process alone can "
                "keep to: use --executor local."
            )
    if executor.kind == "ray" and find_spec("ray") is None:
        raise UserError("--executor ray needs the package ray: pip install 'dale-arena[ray]'.")
