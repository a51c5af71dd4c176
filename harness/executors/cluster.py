"""``--executor ray``: the same claims by workers on a Ray cluster whose nodes share the disk with the run.

SQLite in WAL mode is for one host, so the workers do not open the database: a desk, an actor on the driver's node,
makes their claims for them, keeps their messages for the driver, and tells them to stop.
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from harness.budget import Budget
from harness.claims import Claims
from harness.database import NAME, Database
from harness.errors import UserError
from harness.executors.work import Front, Job, Message, Teller, share, teach
from harness.interrupts import Stop
from harness.playing import Playing, RunResult
from harness.schedule import make_schedule
from harness.tournament import seated
from harness.workers import Others, entered, this_host

LOOK_S = 0.2
"""So often the driver looks for messages, and a worker for a request to stop."""


class Desk:
    """What stands between the workers and the database. One process, one call at a time."""

    def __init__(self, job: Job) -> None:
        self._job, self._run = job, job.run()
        self._database = Database(self._run.folder / NAME)
        self._others = Others(self._run.folder)
        self._plans = make_schedule(self._run.tournament)
        self._mail: list[Message] = []
        self._stops = 0

    def call(self, worker: str, part: str, method: str, arguments: tuple[Any, ...]) -> tuple[str | None, Any]:
        """Call a method of a worker's claims, or of their money; return a sentence for the user, or what it gives."""
        claims = Claims(self._run, self._database, self._others, worker, self._job.session)
        if method == "join":
            arguments = (self._plans,)
        try:
            return None, getattr(claims.money if part == "money" else claims, method)(*arguments)
        except UserError as error:
            return str(error), None

    def post(self, message: Message) -> None:
        """Keep a message for the driver."""
        self._mail.append(message)

    def collect(self) -> list[Message]:
        """Give all messages to the driver."""
        mail, self._mail = self._mail, []
        return mail

    def ask_to_stop(self) -> None:
        """Count one more request to stop."""
        self._stops += 1

    def stops(self) -> int:
        """How many requests to stop there were."""
        return self._stops


class _Remote:
    """A worker's claims, or their money, at the desk."""

    def __init__(self, desk: Any, worker: str, part: str = "claims") -> None:
        self._desk, self._worker, self._part = desk, worker, part

    def __getattr__(self, name: str) -> Any:
        if name == "money":
            return _Remote(self._desk, self._worker, "money")

        def call(*arguments: Any) -> Any:
            error, result = _ray().get(self._desk.call.remote(self._worker, self._part, name, arguments))
            if error is not None:
                raise UserError(error)
            return result

        return call


async def play_on_cluster(job: Job, workers: int | None, front: Front, claims: Claims) -> None:
    """Have so many workers of the cluster play the run, None for one on each of its CPUs.

    Joins the cluster that RAY_ADDRESS or ``ray start`` on this host names, else starts Ray on this host alone. A worker
    that dies is replaced, as often as there are workers.
    """
    ray = _ray()
    with _joined(ray):
        workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        job = replace(job, folder=job.folder.resolve(), concurrency=share(job.concurrency, workers))
        here = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=False
        )
        desk = ray.remote(Desk).options(num_cpus=0, scheduling_strategy=here).remote(job)
        hire = ray.remote(_work).options(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD").remote
        host, replacements = this_host(), workers
        tasks = {hire(job, desk, host): number for number in range(1, workers + 1)}
        hired = workers

        def stop() -> None:
            desk.ask_to_stop.remote()

        front.stop.heard.append(stop)
        orphans = 0
        while tasks or (orphans and not front.stop.asked):
            await asyncio.sleep(LOOK_S)
            done, _ = ray.wait(list(tasks), num_returns=len(tasks), timeout=0) if tasks else ([], [])
            for message in await _collected(ray, desk):
                front.take(message)
            wanted = 0
            for task in done:
                wanted += not _parted(ray, task, tasks.pop(task), front)
            if not tasks:  # a dead worker of another host keeps its games until its lease has run out
                before, orphans = orphans, claims.orphans()
                wanted += before > orphans
            while wanted and replacements and not front.stop.asked:
                wanted, replacements, hired = wanted - 1, replacements - 1, hired + 1
                tasks[hire(job, desk, host)] = hired
        front.stop.heard.remove(stop)


async def _collected(ray: Any, desk: Any) -> list[Message]:
    try:
        return cast(list[Message], await desk.collect.remote())
    except ray.exceptions.RayError as error:
        raise UserError(
            f"Ray lost the desk of the run ({type(error).__name__}): go on with dale tournament resume."
        ) from None


def _parted(ray: Any, task: Any, number: int, front: Front) -> bool:
    """Whether a worker that has ended came to its end; says so if it died."""
    try:
        ray.get(task)
    except ray.exceptions.RayError as error:
        reason = str(error).strip().splitlines()[0]
        front.say(f"Worker {number} died ({type(error).__name__}: {reason}); the games it played go to others.")
        return False
    return True


def _ray() -> Any:
    return importlib.import_module("ray")


@contextmanager
def _joined(ray: Any) -> Iterator[None]:
    """Be connected to the cluster while the block lasts; Ray's own handling of signals stays out."""
    before = signal.getsignal(signal.SIGTERM)
    joining = not ray.is_initialized()
    if joining:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)
    try:
        yield
    finally:
        if joining:
            ray.shutdown()


def _work(job: Job, desk: Any, host: str) -> None:
    """Be a worker: play what there is to claim, and stop when told or when the desk has gone."""
    if not (job.folder / "run.json").is_file():
        message = f"a node of the cluster does not see {job.folder}: the run has to lie on a disk that all nodes share."
        desk.post.remote(("error", message))
        return
    try:
        with entered(job.folder, host) as worker:
            result = asyncio.run(_play(job, desk, worker.name, worker.is_lost))
    except UserError as error:
        _ray().get(desk.post.remote(("error", str(error))))
        return
    _ray().get(desk.post.remote(("done", result)))


async def _play(job: Job, desk: Any, worker: str, is_lost: Any) -> RunResult:
    ray, stop, loop = _ray(), Stop(), asyncio.get_running_loop()
    over = threading.Event()

    def obey() -> None:
        heard = 0
        while not over.wait(LOOK_S):
            try:
                stops = ray.get(desk.stops.remote())
            except ray.exceptions.RayError:  # the driver has gone
                stops = max(heard, 1)
            for _ in range(heard, stops):
                loop.call_soon_threadsafe(stop.ask)
            heard = stops

    run, claims = job.run(), cast(Claims, _Remote(desk, worker))
    budget = Budget(run.tournament.caps)
    listening = threading.Thread(target=obey, daemon=True)
    listening.start()
    try:
        async with seated(run.tournament, budget=budget) as agents:
            teach(agents, job.degraded)
            claims.join([])
            try:
                with budget.sharing(claims.money):
                    teller = Teller(desk.post.remote)
                    result = RunResult(len(make_schedule(run.tournament)))
                    playing = Playing(run, agents, teller, budget, claims, stop, result, is_lost)
                    result = await playing.play(job.concurrency)
            finally:
                claims.go()
    finally:
        over.set()
        listening.join()
    result.comparison = None  # the driver reads the logs
    return result
