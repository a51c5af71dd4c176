"""``--executor process``: worker processes on this host, each with its own interpreter, that play one run."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess

from harness.budget import Budget
from harness.errors import UserError
from harness.executors.work import Front, Job, Message, Teller, share, teach
from harness.interrupts import Stop
from harness.tournament import Part, play_run, seated


async def play_in_processes(job: Job, workers: int | None, front: Front) -> None:
    """Have so many processes play the run, None for one on each core; each that dies is said, and replaced.

    There are as many replacements as workers. A request to stop goes to all of them.
    """
    workers = workers or os.cpu_count() or 1
    job = replace(job, concurrency=share(job.concurrency, workers))
    crew = _Crew(job, front, asyncio.get_running_loop())
    front.stop.heard.append(crew.stop)
    try:
        for _ in range(workers):
            crew.hire()
        replacements = workers
        while crew.hands:
            number, message = await crew.mail.get()
            if message is not None:
                front.take(message)
                crew.has_word(number, message)
            elif crew.bury(number) and replacements and not front.stop.asked:
                replacements -= 1
                crew.hire()
    finally:
        front.stop.heard.remove(crew.stop)
        crew.disband()


class _Crew:
    """The processes, by number, and what they send."""

    def __init__(self, job: Job, front: Front, loop: asyncio.AbstractEventLoop) -> None:
        self.job, self.front, self.loop = job, front, loop
        self.mail: asyncio.Queue[tuple[int, Message | None]] = asyncio.Queue()
        self.hands: dict[int, tuple[SpawnProcess, Connection]] = {}
        self._hired = 0
        self._parted: set[int] = set()

    def hire(self) -> None:
        """Start a worker."""
        self._hired += 1
        number, context = self._hired, multiprocessing.get_context("spawn")
        mine, its = context.Pipe()
        process = context.Process(target=main, args=(self.job, its), name=f"worker {number}", daemon=True)
        with _deaf():  # Ctrl-C is for the parent, which tells its workers
            process.start()
        its.close()
        self.hands[number] = (process, mine)
        threading.Thread(target=self._listen, args=(number, mine), daemon=True).start()

    def _listen(self, number: int, pipe: Connection) -> None:
        """Pass on what a worker sends; None when it has gone."""
        message: Message | None = ("", None)
        while message is not None:
            try:
                message = pipe.recv()
            except (EOFError, OSError):
                message = None
            with suppress(RuntimeError):  # the loop is closed: nobody waits for it
                self.loop.call_soon_threadsafe(self.mail.put_nowait, (number, message))

    def has_word(self, number: int, message: Message) -> None:
        """Remember who said how it ended."""
        if message[0] in ("done", "error"):
            self._parted.add(number)

    def bury(self, number: int) -> bool:
        """Take leave of a worker that has gone; return whether it died without a word."""
        process, pipe = self.hands.pop(number)
        process.join()
        pipe.close()
        if number in self._parted:
            return False
        code = process.exitcode or 0
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        self.front.say(f"Worker {number} {how}; the games it played go to others.")
        return True

    def stop(self) -> None:
        """Pass on a request to stop."""
        for _, pipe in self.hands.values():
            with suppress(OSError):
                pipe.send("stop")

    def disband(self) -> None:
        """End those that are left, which there are after an error in here only."""
        for process, pipe in self.hands.values():
            process.terminate()
            process.join()
            pipe.close()


@contextmanager
def _deaf() -> Iterator[None]:
    """Hide Ctrl-C from a process that is started in the block; only the main thread can, and only there it comes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def main(job: Job, pipe: Connection) -> None:
    """Be a worker: play what there is to claim, tell of it through the pipe, and stop when told or left alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_work(job, pipe))


async def _work(job: Job, pipe: Connection) -> None:
    stop, loop = Stop(), asyncio.get_running_loop()

    def obey() -> None:
        with suppress(EOFError, OSError):
            while pipe.recv():
                loop.call_soon_threadsafe(stop.ask)
        with suppress(RuntimeError):  # the parent has gone, or this worker is done
            loop.call_soon_threadsafe(abandon)

    def abandon() -> None:
        if not stop.asked:
            stop.ask()

    def tell(message: Message) -> None:
        with suppress(OSError):
            pipe.send(message)

    threading.Thread(target=obey, daemon=True).start()
    run, teller = job.run(), Teller(tell)
    budget = Budget(run.tournament.caps)
    try:
        async with seated(run.tournament, budget=budget) as agents:
            teach(agents, job.degraded)
            part = Part(job.session, stop, job.concurrency)
            result = await play_run(run, agents, teller, signals=False, budget=budget, part=part)
    except UserError as error:
        tell(("error", str(error)))
        return
    result.comparison = None  # the parent reads the logs
    tell(("done", result))
