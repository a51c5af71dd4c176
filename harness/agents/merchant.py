"""The scripted player: builds when it can, buys what its next stacks need, plays its techniques, thins out junk.

It knows only its turn: the observation and the legal list. It keeps nothing, and what it draws (with ``epsilon``, a
move in place of its own) is a function of the turn's key, so the same turn always gets the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.agents.base import Answer, Proposal, Turn
from harness.agents.context import RunContext
from harness.agents.merchant_choices import answer_effect
from harness.agents.merchant_copies import best_copy
from harness.agents.merchant_finals import best_final, best_stack, played
from harness.agents.merchant_techniques import best_ability, best_technique
from harness.agents.merchant_view import View, read_view
from harness.agents.spec import AgentSpec
from harness.randomness import Draws


class MerchantAgent:
    """Keeps nothing between decisions; ``epsilon`` is the probability of a uniformly random legal move at each."""

    def __init__(self, spec: str, epsilon: float = 0.0) -> None:
        self.spec = spec
        self.epsilon = epsilon
        self.settings: dict[str, Any] = {"epsilon": epsilon}

    async def choose(self, turn: Turn) -> Answer:
        """Return the merchant's proposal, or with probability ``epsilon`` an entry of the legal list."""
        draws = Draws(*turn.key, "epsilon")
        return Answer(proposal=draws.choice(turn.legal) if draws.chance(self.epsilon) else decide(turn))

    async def close(self) -> None:
        """Nothing to give back."""


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> MerchantAgent:
    """Make the agent; ``epsilon`` weakens it (epsilon-greedy play) without ever making it break a rule."""
    return MerchantAgent(str(spec), float(options["epsilon"]))


def decide(turn: Turn) -> Proposal:
    """Return the proposal for a turn, always a legal one."""
    view = read_view(turn.observation)
    kind = turn.decision.kind
    if kind == "effect_choice":
        return answer_effect(view, turn)
    proposals = without_inventories(turn.legal)
    if kind == "action":
        final = best_final(view, proposals)
        ability = best_ability(proposals, final) or best_copy(view, proposals, final)
        return ability or best_technique(view, proposals, final) or final.proposal
    if kind == "bonus_stack":
        stack = best_stack(view, proposals)
        if stack is not None:
            return stack.proposal
        ability = best_ability(proposals, None) or best_copy(view, proposals, None)
        return ability or {"tool": "skip", "arguments": {}}
    cookies = (proposal for proposal in proposals if proposal["tool"] == "ability" and draws(view, proposal))
    return next(cookies, {"tool": "end_turn", "arguments": {}})


def draws(view: View, use: Proposal) -> bool:
    """Whether the use of an ability in the end-of-turn window brings a card: that of Cookies, or of a copy of one."""
    return view.edition == "remastered" or played(use) == "cookies"


def without_inventories(legal: Sequence[Proposal]) -> list[Proposal]:
    """Return the legal list but for its Inventory actions: they stand together, and any hand cards make one."""
    before: list[Proposal] = []
    for proposal in legal:
        if proposal["tool"] == "inventory":
            break
        before.append(proposal)
    behind: list[Proposal] = []
    for place in range(len(legal) - 1, len(before), -1):
        if legal[place]["tool"] == "inventory":
            break
        behind.append(legal[place])
    return before + behind[::-1]
