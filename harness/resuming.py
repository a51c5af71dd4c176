"""Where a log that breaks off is gone on with: what was written in one go counts together, or not at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from harness.agents.base import BROKEN_OFF
from harness.budget import BUDGET_CODE
from harness.log import GameLog
from harness.providers.types import FATAL
from harness.records import AttemptRecord, DecisionRecord, Reason


def whole(log: GameLog) -> GameLog:
    """Return a log without tries at its end that lack the attempt they were written with.

    They belong to a call whose answer was not written any more: it is made again, and tells its tries anew.
    """
    kept = len(log.records)
    while kept and _is_try(log.records[kept - 1]):
        kept -= 1
    if kept == len(log.records):
        return log
    lines = log.path.read_bytes()[: log.size].split(b"\n")[:kept]
    return replace(log, records=log.records[:kept], size=sum(len(line) + 1 for line in lines), torn=True)


def voids(provider_failure: Literal["open", "void"], record: AttemptRecord) -> bool:
    """Whether a game ends without result because a provider gave up.

    What stops a provider for good, its money, or a person who does not wait leaves every game open.
    """
    gave_up = record.result == "provider" and record.code not in (*FATAL, BUDGET_CODE, BROKEN_OFF)
    return provider_failure == "void" and gave_up


def unwritten_end(log: GameLog) -> Reason | None:
    """Return why the game of a whole log without an outcome is over all the same, None if it goes on."""
    last = log.records[-1]
    if isinstance(last, DecisionRecord) and last.by == "void":
        return "attempts"
    if isinstance(last, AttemptRecord) and voids(log.header.provider_failure, last):
        return "provider"
    return None


def _is_try(record: object) -> bool:
    """Whether a record is one try of a call, which stands before the attempt that holds the request."""
    if not isinstance(record, AttemptRecord) or record.result != "provider" or record.code == BROKEN_OFF:
        return False
    return record.request is None and record.calls == 1
