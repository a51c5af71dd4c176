"""What the agents of one run share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from harness.agents.base import Rulebook
from harness.budget import Budget
from harness.providers.connections import Connections
from harness.providers.prices import UnitPrices


@dataclass(frozen=True)
class RunContext:
    """The run's rulebook and language, used where an agent's spec states none, the connections to servers, the money.

    ``entrant`` is the name under which the agent plays; ``prices`` are those the run declares, by the name of an
    entrant or of a model, None for free.
    """

    rulebook: Rulebook = "full"
    language: str = "en"
    connections: Connections = field(default_factory=Connections)
    budget: Budget = field(default_factory=Budget)
    prices: Mapping[str, UnitPrices | None] = field(default_factory=dict)
    entrant: str = ""
