"""Which processes play a run: a file for each under ``RUN/workers/``, locked by the system while the process lives.

On one host nothing is guessed: the lock of a process that was killed is free at once. A process of another host, or a
system without such locks, is known by the file's time alone: its owner renews it, and whoever has looked at it for
``LEASE_S`` seconds without seeing it change takes its owner for dead. No clocks of two hosts are compared.
"""

from __future__ import annotations

import json
import os
import platform
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from harness.errors import UserError, cannot_write

try:
    import fcntl
except ImportError:  # a system without such locks: the lease has to do
    LOCKS = False
else:
    LOCKS = True

FOLDER = "workers"
BEAT_S = 5.0
"""So often a process renews its file."""
LEASE_S = 30.0
"""A file of another host that did not change for so long belongs to nobody."""


def this_host() -> str:
    """The name of this host as it stands in the files."""
    return platform.node() or "unknown"


def now() -> float:
    """Seconds on a clock that goes on while the host sleeps, where there is one."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


@dataclass
class Worker:
    """This process as one of those that play a run. ``name`` is unlike any other."""

    name: str
    path: Path
    file: IO[bytes]
    gone: threading.Event = field(default_factory=threading.Event)
    beaten: float = field(default_factory=lambda: now())

    def renew(self) -> bool:
        """Renew the lease; false if the file is gone, because another host took this process for dead."""
        try:
            os.utime(self.path)
        except FileNotFoundError:
            return False
        except OSError:  # a disk that is away for a moment: the lease goes on running
            return True
        self.beaten = now()
        return True

    def is_lost(self) -> bool:
        """Whether this process slept longer than the lease, and another host took its games over meanwhile."""
        return now() - self.beaten > LEASE_S and not self.renew()


@contextmanager
def entered(run: Path, database_host: str | None = None, alone: bool = False) -> Iterator[Worker]:
    """Be a worker of the run while the block lasts.

    ``database_host`` is where the run's database is open, None for here; ``alone`` lets no other worker in. Raises
    UserError if the disk refuses.
    """
    name = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
    path = run / FOLDER / f"{name}.json"
    about = {"host": this_host(), "pid": os.getpid(), "database": database_host or this_host(), "alone": alone}
    try:
        path.parent.mkdir(exist_ok=True)
        file = open(path, "xb", buffering=0)  # noqa: SIM115 - held while the worker lives
        _try_lock(file)
        file.write(json.dumps(about).encode())
    except OSError as error:
        raise cannot_write(path, error) from None
    worker = Worker(name, path, file)
    beating = threading.Thread(target=_beat, args=(worker,), daemon=True, name="lease")
    beating.start()
    try:
        yield worker
    finally:
        worker.gone.set()
        beating.join()
        path.unlink(missing_ok=True)
        file.close()


def _beat(worker: Worker) -> None:
    while not worker.gone.wait(BEAT_S):
        worker.renew()


@dataclass(frozen=True)
class Others:
    """What one process knows of the other workers of a run; remembers when it saw the files of other hosts change."""

    run: Path
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """All that have a file, dead ones too."""
        return sorted(path.stem for path in (self.run / FOLDER).glob("*.json"))

    def about(self, name: str) -> dict[str, Any]:
        """What a worker's file says; empty if it is not there or being written."""
        try:
            told = json.loads(self._path(name).read_bytes())
        except (OSError, ValueError):
            return {}
        return told if isinstance(told, dict) else {}

    def lives(self, name: str) -> bool:
        """Whether a worker may be at work still."""
        path = self._path(name)
        try:
            with open(path, "rb") as file:
                if self.about(name).get("host", this_host()) == this_host() and LOCKS:
                    return not _try_lock(file)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        changed = self.changed(name)
        if changed is None:
            return False
        before, since = self._seen.get(name, (None, 0.0))
        if changed != before:
            self._seen[name] = (changed, now())
            return True
        return now() - since <= LEASE_S

    def changed(self, name: str) -> int | None:
        """When a worker's file was renewed, on a clock that may be another's; None if it is not there."""
        try:
            return self._path(name).stat().st_mtime_ns
        except OSError:
            return None

    def forget(self, name: str) -> None:
        """Remove the file of a dead worker."""
        with suppress(OSError):
            self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self.run / FOLDER / f"{name}.json"


def _try_lock(file: IO[bytes]) -> bool:
    """Take the lock of a file if it is free; always true on a system without locks."""
    if not LOCKS:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def at_the_door(run: Path) -> Iterator[None]:
    """Let one process at a time open the run's database; held for moments only."""
    try:
        file = open(run / "run.json", "rb")  # noqa: SIM115 - closed below
    except OSError as error:
        raise UserError(f"{run} is not a run: cannot read run.json in it: {error.strerror}.") from None
    with file:
        if LOCKS:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
