"""Before a run: does the key of every model work, is the model there, and can it answer in the chosen way?

One tiny question for each different model profile, through the same connections as the games. What can only fail stops
the run before anything is written; what a server merely does not take is said and left out from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol, runtime_checkable

from harness.agents.base import Agent
from harness.agents.spec import parse_spec
from harness.errors import UserError
from harness.providers.normalise import Failure, normalise
from harness.providers.probe import IN_TOOLS, IN_WORDS, REFUSALS, explain, question
from harness.providers.profiles import Profile
from harness.providers.types import FATAL, Exchange, Request

STOPPING = (*FATAL, *REFUSALS, "connection")
"""Kinds of trouble that would meet every game."""


class Line(Protocol):
    """What sends an agent's questions. ``degraded`` is what it uses instead of profiles that a server refused."""

    degraded: dict[Profile, Profile]

    def current(self, profile: Profile) -> Profile:
        """Return the profile without what the server refused."""

    async def send(self, req: Request, profile: Profile) -> Exchange:
        """Ask once."""


@runtime_checkable
class Wired(Protocol):
    """An agent behind which a server answers."""

    def wire(self) -> tuple[Line, Profile]:
        """Return where its questions go and what is sent there."""


async def preflight(agents: Mapping[str, Agent]) -> list[str]:
    """Ask every different model behind the agents once; return what was found odd, one sentence each.

    ``agents`` are by entrant. The embedded model, asked in its usual way, is passed over: its server is our own, so
    there is nothing to learn. Raises UserError for what would fail in every game, naming the entrant.
    """
    remarks = []
    asked: set[Profile] = set()
    for name, agent in agents.items():
        if not isinstance(agent, Wired):
            continue
        line, profile = agent.wire()
        if profile in asked or _is_embedded(profile):
            continue
        asked.add(profile)
        remarks += await _check(name, agent.spec, line, profile)
    return remarks


def _is_embedded(profile: Profile) -> bool:
    return profile.name == "local" and profile.output_mode == "json_schema" and profile.api != "messages"


async def _check(name: str, spec: str, line: Line, profile: Profile) -> list[str]:
    mode = profile.output_mode
    request = question(profile, IN_TOOLS if mode == "tools" else IN_WORDS, mode)
    quick = replace(profile, retries=min(profile.retries, 1))
    exchange = await line.send(request, quick)
    if exchange.reply is None:
        error = exchange.error
        assert error is not None
        if error.kind in STOPPING:
            raise UserError(f"entrant {name!r} {explain(error, profile)}")
        return [f"Entrant {name!r} {explain(error, profile)}"]
    left = replace(line.current(quick), retries=profile.retries)
    _insist(name, spec, profile, left)
    refused = [fault.error.message for fault in exchange.faults if fault.error.kind == "unsupported"]
    remarks = [f"Entrant {name!r}: {message}." for message in refused]
    read = normalise(exchange.reply, request.tools, mode)
    if isinstance(read, Failure):
        remarks.append(
            f"Entrant {name!r} gave no readable answer to a tiny question ({read.kind}: {read.detail}): "
            "dale models probe says which output mode its server is good for."
        )
        if not exchange.reply.calls:  # the wish for a call is not heard: there is no use in sending it
            left = replace(left, forced_tool=False, named_tool=False)
    if left != profile:
        line.degraded[profile] = left
    return remarks


def _insist(name: str, spec: str, asked: Profile, got: Profile) -> None:
    """Refuse to play without what the user asked for by name."""
    for option in parse_spec(spec).options:
        wanted = getattr(asked, option, None)
        if wanted != getattr(got, option, None):
            raise UserError(
                f"entrant {name!r} asks for {option}={str(wanted).lower()}, which the server does not take: "
                f"leave it out of {spec!r}."
            )
