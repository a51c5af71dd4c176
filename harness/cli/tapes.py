"""The options ``--record`` and ``--replay``, the same for every command that plays games."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from harness.providers.connections import Connections

_PATH = "FOLDER|FILE"

RecordOption = Annotated[
    Path | None, typer.Option("--record", metavar=_PATH, help="Keep what the models' servers say on a tape.")
]
ReplayOption = Annotated[
    Path | None,
    typer.Option("--replay", metavar=_PATH, help="Take their answers from a tape: needs no key and no network."),
]


@dataclass(frozen=True)
class TapeChoice:
    """What was given for ``--record`` and ``--replay``."""

    record: Path | None
    replay: Path | None

    @property
    def given(self) -> bool:
        """Whether there is a tape."""
        return self.record is not None or self.replay is not None

    def words(self) -> list[str]:
        """Return the options as words of a command line."""
        given = (("--record", self.record), ("--replay", self.replay))
        return [word for name, path in given if path is not None for word in (name, str(path))]

    @asynccontextmanager
    async def connections(self, resume: bool) -> AsyncIterator[Connections]:
        """Give the connections of a run and close its tape in the end; UserError if the tape cannot be had."""
        from harness.providers.connections import Connections
        from harness.providers.tape import open_tape

        tape = open_tape(self.record, self.replay, resume)
        try:
            yield Connections(tape=tape)
        finally:
            if tape is not None:
                tape.close()
