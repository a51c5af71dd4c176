"""A process that plays runs in children which may be killed; its children begin within milliseconds.

The module is also that process's program: it reads folders of runs, one a line, plays each in a fork and prints first
the child's process number, then how it ended.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


def play(folder: Path) -> None:
    """Play what is left of a run, as ``dale tournament resume`` does."""
    from harness.budget import Budget
    from harness.progress import Silent
    from harness.store import open_run
    from harness.tournament import play_run, seated

    async def go() -> None:
        run = open_run(folder)
        budget = Budget(run.tournament.caps)
        async with seated(run.tournament, budget=budget) as agents:
            await play_run(run, agents, Silent(), budget=budget)

    asyncio.run(go())


@dataclass
class Player:
    """Somebody who plays a run until told that it is dead."""

    process: subprocess.Popen[str]
    pid: int = 0

    def begin(self, folder: Path) -> None:
        """Start a child."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{folder}\n")
        self.process.stdin.flush()
        self.pid = int(self.process.stdout.readline())

    def kill(self) -> bool:
        """Kill the child at once; return whether it was still at work."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return self.ended() == -signal.SIGKILL

    def ended(self) -> int:
        """Wait for the child to end; return its exit code."""
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())


@contextmanager
def player() -> Iterator[Player]:
    """Give a player while the block lasts."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(Path(__file__))]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Player(process)
        assert process.stdin is not None
        process.stdin.close()


def written(folder: Path) -> int:
    """How many bytes the logs of a run have."""
    return sum(path.stat().st_size for path in folder.glob("games/*.jsonl"))


def wait_for_a_moment(folder: Path, draws: random.Random) -> None:
    """Wait for some time, or for some bytes in the logs and a little more; never longer than some seconds."""
    if draws.random() < 0.3:
        time.sleep(draws.uniform(0, 0.2))
        return
    goal, until = written(folder) + draws.randint(1, 20_000), time.monotonic() + 3
    while written(folder) < goal and time.monotonic() < until:
        time.sleep(0.001)
    time.sleep(draws.uniform(0, 0.005))


def serve() -> None:
    """Play the runs that are asked for, one after the other."""
    import harness.agents.merchant
    import harness.agents.model
    import harness.agents.sloppy
    import harness.providers.network  # noqa: F401 - all of them before the first fork

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                play(Path(line.strip()))
                code = 0
            finally:
                os._exit(code)
        print(child, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
