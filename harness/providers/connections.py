"""The endpoints of a run: agents that play through the same server and key share one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.providers.client import Endpoint
from harness.providers.gates import GateState
from harness.providers.profiles import Profile

if TYPE_CHECKING:
    from harness.providers.network import Wrap
    from harness.providers.tape import Tape


class Connections:
    """Opens an endpoint for its first user and closes it after its last. Belongs to one event loop at a time."""

    def __init__(self, wrap: Wrap | None = None, tape: Tape | None = None) -> None:
        """``wrap`` and ``tape`` go to every endpoint; the caller closes the tape."""
        self._wrap, self._tape = wrap, tape
        self._open: dict[tuple[str, str, str | None], tuple[Endpoint, int]] = {}

    def __len__(self) -> int:
        """Return how many endpoints are in use."""
        return len(self._open)

    @property
    def replaying(self) -> bool:
        """Whether all answers come from a tape, so that neither keys nor servers are needed."""
        return self._tape is not None and self._tape.replaying

    def enter(self, profile: Profile) -> Endpoint:
        """Return the shared endpoint of a profile and count one more user of it; UserError if its key is missing."""
        key = (profile.api, profile.base_url, profile.key_env)
        endpoint, users = self._open.get(key) or (Endpoint(profile, self._wrap, self._tape), 0)
        self._open[key] = (endpoint, users + 1)
        return endpoint

    def gates(self) -> list[GateState]:
        """Return how the gates of the endpoints in use are now; may be asked by another thread."""
        states = (endpoint.gates() for endpoint, _ in list(self._open.values()))
        return [state for state in states if state is not None]

    async def leave(self, endpoint: Endpoint) -> None:
        """Count one user less, and close the endpoint when the last one has gone."""
        key, users = next((key, users) for key, (one, users) in self._open.items() if one is endpoint)
        if users > 1:
            self._open[key] = (endpoint, users - 1)
            return
        del self._open[key]
        await endpoint.close()
