"""The agent that answers as a seat of a game log answered, attempt by attempt, illegal ones included."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from harness.agents.base import Answer, Failure, Turn
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec
from harness.log import read_log
from harness.records import AttemptRecord


class ReplayAgent:
    """Knows the attempts of one log; asked for one that is not there, it has nothing to say (class ``empty``)."""

    def __init__(self, spec: str, path: Path, seat: str | None) -> None:
        self.spec = spec
        self.settings: dict[str, Any] = {"seat": seat}
        self._seat = seat
        log = read_log(path)
        _ = log.header  # refuse at once what is no game log
        self._attempts: dict[tuple[str, int, int], AttemptRecord] = {
            (record.seat, record.number, record.attempt): record
            for record in log.attempts
            if record.result != "provider"
        }

    async def choose(self, turn: Turn) -> Answer:
        """Return the recorded attempt with the same numbers of decision and attempt."""
        record = self._attempts.get((self._seat or turn.seat, turn.number, turn.attempt))
        if record is None:
            return Answer(failure="empty", detail="the replayed log has no answer here")
        return _answer(record)

    async def close(self) -> None:
        """Nothing to give back."""


def _answer(record: AttemptRecord) -> Answer:
    if record.proposal is not None:
        return Answer(proposal=record.proposal, stated=record.stated, repairs=tuple(record.repairs))
    return Answer(
        failure=cast(Failure, record.result),
        code=record.code,
        detail=record.detail,
        stated=record.stated,
    )


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> ReplayAgent:
    """Make the agent; UserError if its file is no game log."""
    return ReplayAgent(str(spec), Path(spec.argument or ""), options["seat"])
