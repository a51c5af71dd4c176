"""The requests an agent would send, made by its own code and measured instead of sent."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, cast

from harness.agents.base import Proposal, Turn
from harness.agents.context import RunContext
from harness.agents.model import ModelAgent
from harness.agents.spec import AgentSpec, create_agent
from harness.config import Tournament
from harness.prompting import menu
from harness.providers.client import Endpoint
from harness.providers.connections import Connections
from harness.providers.estimate import prompt_characters, tokens, tool_characters
from harness.providers.profiles import Profile
from harness.providers.types import Allow, Exchange, RawCall, Reply, Request

_AT_ONCE: Mapping[str, float] = {"queued": 0.0, "latency": 0.0}


@dataclass(frozen=True)
class Size:
    """A request in estimated tokens: the ``prefix`` (system text and tools), the ``message`` behind it.

    ``static`` says whether the prefix comes again word for word with the next question.
    """

    prefix: int
    message: int
    static: bool


class _Scales:
    """Stands where an endpoint would: weighs what it is given, and answers at once."""

    def __init__(self) -> None:
        self.sizes: list[Size] = []
        self.entries: list[int] = []
        """What to choose from the menus to come, step by step; whatever else is asked gets an empty answer."""

    async def send(
        self, req: Request, profile: Profile, scope: tuple[object, ...] = (), allow: Allow | None = None
    ) -> Exchange:
        """Note the size of a request."""
        self.sizes.append(_size(req, profile))
        reply = _choice(req, self.entries.pop(0)) if self.entries else Reply()
        return Exchange(reply, None, b"", None, sent=1, timing=_AT_ONCE)


class _Nowhere(Connections):
    """Connections that lead to the scales; no key is read and nothing is opened."""

    def __init__(self, scales: _Scales) -> None:
        super().__init__()
        self._scales = scales

    @property
    def replaying(self) -> bool:
        """True: neither keys nor servers are needed."""
        return True

    def enter(self, profile: Profile) -> Endpoint:
        """Return the scales, which know of an endpoint what a model's agent uses of it."""
        return cast(Endpoint, self._scales)


class Meter:
    """A model's agent on the scales."""

    def __init__(self, spec: AgentSpec, tournament: Tournament) -> None:
        """Make the agent as the run would. Raises UserError as the run would, but for a missing key."""
        self._scales = _Scales()
        context = RunContext(tournament.rulebook, tournament.language, _Nowhere(self._scales))
        agent = create_agent(spec, context)
        assert isinstance(agent, ModelAgent)
        self._agent = agent
        self._positions = 0
        self.settings: dict[str, Any] = agent.settings
        self.profile: Profile = agent.wire()[1]

    async def weigh(self, turn: Turn, played: Proposal | None) -> None:
        """Have the agent make its requests for a turn, at which ``played`` is what the player there does."""
        self._positions += 1
        self._scales.entries = self._path(turn, played) if self.settings["level"] == "L0" else []
        await self._agent.choose(turn)

    def _path(self, turn: Turn, played: Proposal | None) -> list[int]:
        """The entries that lead through the steps of the menu to what was played, or else to the first action."""
        wanted = next((place for place, one in enumerate(turn.legal) if one == played), 0)
        path: list[int] = []
        within = None
        while True:
            limit, language = self.settings["menu_limit"], self.settings["language"]
            shown = menu(turn.legal, turn.observation, limit, within, language)
            path.append(next(entry for entry, group in enumerate(shown.groups) if wanted in group))
            within = shown.groups[path[-1]]
            if len(within) == 1:
                return path

    @property
    def calls_per_attempt(self) -> float | None:
        """How many calls an attempt takes: more than one where a menu is asked in steps; None before any was made."""
        return len(self._scales.sizes) / self._positions if self._positions else None

    @property
    def mean(self) -> Size | None:
        """The mean size of the requests so far, None before any was made."""
        sizes = self._scales.sizes
        if not sizes:
            return None
        prefix, message = (round(fmean(getattr(size, name) for size in sizes)) for name in ("prefix", "message"))
        return Size(prefix, message, all(size.static for size in sizes))


def _size(req: Request, profile: Profile) -> Size:
    sent = req.output_mode == "tools" or (req.output_mode == "json_schema" and profile.name != "local")
    prefix = len(req.system) + (tool_characters(req) if sent else 0)  # the embedded server reads schemas as grammars
    return Size(tokens(prefix), tokens(prompt_characters(req) - len(req.system)), req.static_prefix)


def _choice(req: Request, entry: int) -> Reply:
    """The answer that chooses an entry of the menu."""
    arguments = {"entry": entry}
    if req.output_mode == "tools":
        return Reply(calls=(RawCall("act", arguments),))
    bare = req.answer_form == "arguments"
    return Reply(text=json.dumps(arguments if bare else {"tool": "act", "arguments": arguments}))
