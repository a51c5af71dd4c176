"""The command ``dale``. Each module holds a few subcommands; what they do lives elsewhere in ``harness``.

Commands import what they need when they run, so that help is there at once.
"""

from harness.cli.app import main, run

__all__ = ["main", "run"]
