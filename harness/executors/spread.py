"""Playing a run by an executor, from one parent that shows it and counts it."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from harness.budget import Budget
from harness.claims import opened
from harness.errors import UserError
from harness.executors.choice import Executor
from harness.executors.processes import play_in_processes
from harness.executors.work import Degraded, Front, Job
from harness.interrupts import Stop
from harness.playing import RunResult, Watcher
from harness.schedule import make_schedule
from harness.stopping import comparison_of
from harness.store import Run
from harness.tournament import MENDED


async def play_spread(
    run: Run, executor: Executor, watcher: Watcher, budget: Budget, degraded: Degraded, say: Callable[[str], None]
) -> RunResult:
    """Play what is left of a run by the workers of an executor; ``say`` shows a sentence at once.

    ``budget`` knows the prices of the entrants. Raises UserError for what the user can put right; the other workers
    then end after their present decisions.
    """
    plans = make_schedule(run.tournament)
    session, stop = uuid.uuid4().hex, Stop()
    with opened(run, plans, session, say=say) as (claims, _, mended), budget.sharing(claims.money), stop.on_signal():
        claims.recount(budget, plans)
        result = RunResult(len(plans), remarks=[MENDED] if mended else [])
        front = Front(run, watcher, result, stop, say)
        table = run.tournament
        job = Job(run.folder, table.model_dump(mode="json"), session, table.concurrency, degraded)
        if executor.kind == "ray":
            from harness.executors.cluster import play_on_cluster

            await play_on_cluster(job, executor.workers, front, claims)
        else:
            await play_in_processes(job, executor.workers, front)
        if front.error is not None:
            raise UserError(front.error)
        result.finished, result.elsewhere = claims.counts()
        result.spent = budget.spent
        result.interrupted = stop.asked
        result.comparison = comparison_of(run, plans)
    return result
