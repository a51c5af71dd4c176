"""Ctrl-C: the first one lets running calls end, the second drops them."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop:
    """Whether a run was asked to stop, and the tasks a second request cancels. Belongs to one event loop."""

    def __init__(self) -> None:
        self.asked = False
        self.tasks: set[asyncio.Task[None]] = set()
        self.heard: list[Callable[[], None]] = []
        """Called at every request."""

    def ask(self) -> None:
        """Stop before the next decisions; asked again, at once."""
        if self.asked:
            for task in self.tasks:
                task.cancel()
        self.asked = True
        for tell in self.heard:
            tell()

    @contextmanager
    def on_signal(self) -> Iterator[None]:
        """Let Ctrl-C and a polite kill ask for the stop; outside the main thread signals stay as they are."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, lambda *_: loop.call_soon_threadsafe(self.ask)) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
