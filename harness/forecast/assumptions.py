"""What is assumed where nothing is known: round figures, told beside every estimate that rests on them."""

from __future__ import annotations

from typing import Final

ATTEMPTS_PER_DECISION: Final = 1.2
"""Attempts a model needs for a decision; at L0, where only the form can be wrong, one."""
OUTPUT_OF_MENU: Final = 20
"""Tokens that state an entry of the menu (L0)."""
OUTPUT_OF_CALL: Final = 80
"""Tokens that state a whole proposal (L1 to L5)."""
REASONING: Final = {"none": 0, "minimal": 64, "low": 256, "medium": 1024, "high": 4096, "xhigh": 8192, "max": 16384}
"""Tokens of reasoning before an answer, by the effort that is asked for."""
USUAL_EFFORT: Final = {"openai": "medium"}
"""By kind of agent, the effort of a server that is not told any; of all others none."""
LEAST_CACHED: Final = 1024
"""Tokens below which providers keep no prefix."""

VIOLATION_RATE: Final = 0.05
"""Share of first attempts that break a rule."""
CLUSTERING: Final = 0.02
"""Correlation of two first attempts on one deal in whether they break a rule."""
