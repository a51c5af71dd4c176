"""The console of a run, which outlives whoever reads it."""

from __future__ import annotations

import os
import sys

from rich.console import Console


class RunConsole(Console):
    """Shows nothing more once its reader has gone; rich's own would end the program, and drop calls under way."""

    lost = False
    """Whether the reader has gone."""

    def on_broken_pipe(self) -> None:
        """Send what is still to come nowhere."""
        self.lost = self.quiet = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
