"""The screen as plain lines: for pipes, screen readers and small terminals. On a terminal, Tab completes."""

from __future__ import annotations

import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from harness import render
from harness.prompts import Texts
from harness.terminal.menu import page
from harness.terminal.screen import Complete, View

_CLEAR = "\x1b[2J\x1b[3J\x1b[H"
"""Empties the screen and what can be scrolled back to, and goes to its first line."""


class LineScreen:
    """Prints and reads lines; a hand-over clears what stands on a terminal."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    async def show(self, view: View) -> None:
        """Print what happened, how things stand, and the first entries of the menu."""
        if view.decision is None and view.state is not None:
            self._hide()
        language = self._texts.language
        parts = [f"{self._texts.say('happened')}\n{view.happened}"] if view.happened and view.state is None else []
        parts.append(render.observation(view.observation, language) if view.state is None else view.state)
        if view.decision is not None and view.state is None:
            parts.append(render.decision(view.decision, language))
            parts.append(page(view.menu, 0, self._texts))
        self.write("\n" + "\n\n".join(parts))

    def write(self, text: str) -> None:
        """Print a message; on a terminal its long lines are broken between words."""
        print(_wrapped(text) if sys.stdout.isatty() else text, flush=True)

    async def read(self, prompt: str, complete: Complete) -> str | None:
        """Read a line; None at the end of the input and at Ctrl-C."""
        _complete_with(complete)
        try:
            with _interruptible():
                return input(prompt)
        except (EOFError, KeyboardInterrupt):
            print(flush=True)
            return None

    def thinking(self, name: str, note: str) -> None:
        """Print who is deciding."""
        if name:
            self.write(self._texts.say("thinking", name=name, note=note))

    def _hide(self) -> None:
        """Take away what the player before could see, as far as the terminal lets us: typed lines, too."""
        if not sys.stdout.isatty():
            return
        print(_CLEAR, end="", flush=True)
        try:
            import readline
        except ImportError:  # a system without line editing keeps no lines
            return
        readline.clear_history()


def _wrapped(text: str) -> str:
    width = shutil.get_terminal_size().columns
    lines: list[str] = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
        lines += textwrap.wrap(line, width, subsequent_indent=indent if line[:1] in " -" else "") or [""]
    return "\n".join(lines)


@asynccontextmanager
async def plain_lines(texts: Texts) -> AsyncIterator[LineScreen]:
    """Give the screen of standard input and output."""
    yield LineScreen(texts)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end the waiting for a line, whatever it does otherwise; outside the main thread it does not come."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _complete_with(complete: Complete) -> None:
    """Let Tab complete the line that is read next, where the system has line editing."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def completer(text: str, state: int) -> str | None:
        if state == 0:
            found[:] = complete(text)
        return found[state] if state < len(found) else None

    readline.set_completer_delims("")  # candidates are whole lines
    readline.set_completer(completer)
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
