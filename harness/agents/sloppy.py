"""The scripted player with a known error rate: plays like ``merchant``, but breaks a rule at the rate it was given.

Every attempt breaks a rule with that probability, whatever came before. Which code it breaks is drawn uniformly from
those that are open at the decision, and how is drawn again; none is a fault of form. The engine makes the examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.agents.base import Answer, Proposal, Turn
from harness.agents.context import RunContext
from harness.agents.merchant import decide
from harness.agents.spec import AgentSpec
from harness.randomness import Draws

DEFAULT_RATE = 0.1
_SEEDS = 1 << 62


class SloppyAgent:
    """Keeps nothing between decisions; ``rate`` is the probability of an illegal proposal at each attempt."""

    def __init__(self, spec: str, rate: float) -> None:
        self.spec = spec
        self.rate = rate
        self.settings: dict[str, Any] = {"rate": rate}

    async def choose(self, turn: Turn) -> Answer:
        """Return the merchant's proposal, or at the given rate an illegal one."""
        draws = Draws(*turn.key, turn.attempt, "sloppy")
        return Answer(proposal=breach(turn, draws) if draws.chance(self.rate) else decide(turn))

    async def close(self) -> None:
        """Nothing to give back."""


def breach(turn: Turn, draws: Draws) -> Proposal:
    """Return an illegal proposal; at every decision some code is open."""
    chosen = draws.choice(turn.opportunities(draws.below(_SEEDS)))
    return {"tool": chosen.tool, "arguments": chosen.arguments}


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> SloppyAgent:
    """Make the agent; its argument is the rate, DEFAULT_RATE if there is none."""
    return SloppyAgent(str(spec), DEFAULT_RATE if spec.argument is None else float(spec.argument))
