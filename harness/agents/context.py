"""What the agents of one run share."""

from __future__ import annotations

from dataclasses import dataclass, field

from harness.agents.base import Rulebook
from harness.providers.connections import Connections


@dataclass(frozen=True)
class RunContext:
    """The run's rulebook and language, used where an agent's spec states none, and the connections to servers."""

    rulebook: Rulebook = "full"
    language: str = "en"
    connections: Connections = field(default_factory=Connections)
