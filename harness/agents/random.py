"""The agent that draws uniformly from the legal list: the floor every other agent is measured against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.agents.base import Answer, Turn
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec
from harness.randomness import Draws


class RandomAgent:
    """Keeps nothing between decisions."""

    def __init__(self, spec: str) -> None:
        self.spec = spec
        self.settings: dict[str, Any] = {}

    async def choose(self, turn: Turn) -> Answer:
        """Return one entry of the legal list, each equally likely."""
        return Answer(proposal=Draws(*turn.key).choice(turn.legal))

    async def close(self) -> None:
        """Nothing to give back."""


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> RandomAgent:
    """Make the agent; it has no options."""
    return RandomAgent(str(spec))
