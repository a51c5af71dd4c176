"""The scripted player with a known error rate: plays like ``merchant``, but breaks a rule at the rate it was given.

Every attempt breaks a rule with that probability, whatever came before. Which way is drawn uniformly from those that
are possible here; each is certain to be illegal by what the observation shows, and none is a fault of form.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.agents.base import Answer, Proposal, Turn
from harness.agents.merchant import decide
from harness.agents.sloppy_cards import ABILITY_WAYS, CARD_WAYS, STACK_WAYS
from harness.agents.sloppy_effects import BONUS_STACK_WAYS, EFFECT_WAYS, END_OF_TURN_WAYS, TECHNIQUE_WAYS
from harness.agents.sloppy_spot import Spot, Way
from harness.agents.spec import AgentSpec
from harness.randomness import Draws

DEFAULT_RATE = 0.1
WAYS: Mapping[str, tuple[Way, ...]] = {
    "action": (*CARD_WAYS, *STACK_WAYS, *ABILITY_WAYS, *TECHNIQUE_WAYS),
    "bonus_stack": (*BONUS_STACK_WAYS, *STACK_WAYS, *ABILITY_WAYS),
    "effect_choice": EFFECT_WAYS,
    "end_of_turn": (*END_OF_TURN_WAYS, *ABILITY_WAYS),
}
"""The ways to break a rule at each kind of decision; some are possible everywhere, so the rate holds everywhere."""


class SloppyAgent:
    """Keeps nothing between decisions; ``rate`` is the probability of an illegal proposal at each attempt."""

    def __init__(self, spec: str, rate: float) -> None:
        self.spec = spec
        self.rate = rate
        self.settings: dict[str, Any] = {"rate": rate}

    async def choose(self, turn: Turn) -> Answer:
        """Return the merchant's proposal, or at the given rate an illegal one."""
        draws = Draws(*turn.key, turn.attempt, "sloppy")
        if draws.chance(self.rate):
            return Answer(proposal=draws.choice(breaches(turn))[1])
        return Answer(proposal=decide(turn))

    async def close(self) -> None:
        """Nothing to give back."""


def create(spec: AgentSpec, options: Mapping[str, Any]) -> SloppyAgent:
    """Make the agent; its argument is the rate, DEFAULT_RATE if there is none."""
    return SloppyAgent(str(spec), DEFAULT_RATE if spec.argument is None else float(spec.argument))


def breaches(turn: Turn) -> list[tuple[Way, Proposal]]:
    """Return every way to break a rule that is possible at this decision, with what it proposes."""
    spot = Spot(turn)
    found = ((way, way.make(spot)) for way in WAYS[turn.decision.kind])
    return [(way, proposal) for way, proposal in found if proposal is not None]
