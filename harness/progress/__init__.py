"""Showing how a run goes, from the records of its games as they are written.

``tally`` counts them; ``lines`` tells every game that ends in a line, for logs and pipes; ``picture`` draws a screen of
the tally, and ``screen`` keeps it on a terminal; ``rater`` computes the standings beside the games. May import
everything below the command line; nothing but the command line and tests import it.
"""

from harness.progress.lines import tell
from harness.progress.showing import Silent, showing

__all__ = ["Silent", "showing", "tell"]
