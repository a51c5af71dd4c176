"""The endpoints of a run: agents that play through the same server and key share one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from harness.providers.profiles import Profile

if TYPE_CHECKING:
    import httpx2

    from harness.providers.client import Endpoint


class Connections:
    """Opens an endpoint for its first user and closes it after its last. Belongs to one event loop at a time."""

    def __init__(self, wrap: Callable[[httpx2.AsyncBaseTransport], httpx2.AsyncBaseTransport] | None = None) -> None:
        """``wrap`` makes the transport of every endpoint out of the one that would reach its server."""
        self._wrap = wrap
        self._open: dict[tuple[str, str, str | None], tuple[Endpoint, int]] = {}

    def __len__(self) -> int:
        """Return how many endpoints are in use."""
        return len(self._open)

    def enter(self, profile: Profile) -> Endpoint:
        """Return the shared endpoint of a profile and count one more user of it; UserError if its key is missing."""
        from harness.providers.client import Endpoint  # with both SDKs, which take a second to import

        key = (profile.api, profile.base_url, profile.key_env)
        endpoint, users = self._open.get(key) or (Endpoint(profile, self._wrap), 0)
        self._open[key] = (endpoint, users + 1)
        return endpoint

    async def leave(self, endpoint: Endpoint) -> None:
        """Count one user less, and close the endpoint when the last one has gone."""
        key, users = next((key, users) for key, (one, users) in self._open.items() if one is endpoint)
        if users > 1:
            self._open[key] = (endpoint, users - 1)
            return
        del self._open[key]
        await endpoint.close()
