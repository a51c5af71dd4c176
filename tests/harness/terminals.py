"""A program in a pseudo-terminal of its own, and the screen it has drawn there."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress

import pexpect
import pyte

PATIENCE = 60.0
"""Seconds until a terminal that does not show what it should is given up."""


DALE = "from harness.cli import main; main()"


class Terminal:
    """A Python program, unless given the command ``dale``, with arguments in a terminal of ``columns`` by ``lines``."""

    def __init__(self, *arguments: str, columns: int = 80, lines: int = 24, program: str = DALE) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        settings = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": os.pathsep.join(sys.path)}
        self.child = pexpect.spawn(
            sys.executable,
            ["-c", program, *arguments],
            dimensions=(lines, columns),
            env={name: value for name, value in os.environ.items() if name != "NO_COLOR"} | settings,
        )

    def text(self) -> str:
        """The screen, its lines without the blanks at their ends."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def until(self, wanted: Callable[[str], bool]) -> str:
        """Read until the screen is as wanted, and return it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self._read()
            if wanted(self.text()):
                return self.text()
            if not self.child.isalive():
                self._read()
                break
        assert wanted(self.text()), self.text()
        return self.text()

    def shows(self, *texts: str) -> str:
        """Read until all the texts stand on the screen, and return it."""
        return self.until(lambda shown: all(text in shown for text in texts))

    def settled(self) -> None:
        """Read until the program draws nothing more for a moment."""
        while self._read():
            pass

    def press(self, keys: str) -> None:
        """Press keys."""
        self.child.send(keys)

    def ended(self) -> int:
        """Wait for the end of the program; return its exit code."""
        self.until(lambda shown: not self.child.isalive())
        self.child.close()
        return int(self.child.exitstatus)

    def _read(self) -> bool:
        with suppress(pexpect.TIMEOUT, pexpect.EOF):
            self._stream.feed(self.child.read_nonblocking(65536, 0.2))
            return True
        return False
