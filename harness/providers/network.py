"""The only place that sends: one SDK client for one server and key, and one wall-clock deadline per request.

The SDKs sign and send; they do not retry, and what comes back is read from the raw body. Nothing that leaves here holds
the key: errors are our own, and it is taken out of every text of a server that repeats it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import anthropic
import httpx2
import openai
from pydantic_core import to_json

from harness.errors import UserError
from harness.providers.errors import short
from harness.providers.outcomes import TIMEOUT, Heard, Lost, deciding
from harness.providers.profiles import Profile, check_headers, read_key
from harness.providers.types import Json
from harness.secrets import masking, secrets_of

CONNECT_S = 15.0
SPARE_S = 60.0
"""So much longer than the deadline the SDKs would wait: the deadline alone decides, and there always is one."""
_LOGGERS = ("httpx2", "httpcore2", "openai", "anthropic")

Wrap: TypeAlias = Callable[[httpx2.AsyncBaseTransport], httpx2.AsyncBaseTransport]
"""Given a transport that goes to the network (past any proxy), returns the one to use."""
Sdk: TypeAlias = openai.AsyncOpenAI | anthropic.AsyncAnthropic


class Network:
    """The way to one server. Belongs to one event loop at a time."""

    def __init__(self, profile: Profile, wrap: Wrap | None) -> None:
        """Read the key; UserError if it is missing, or if a variable for headers holds what no header can."""
        self._profile, self._wrap = profile, wrap
        self._key = read_key(profile)
        check_headers(profile)
        self._sdk: Sdk | None = None
        self._mask = masking(())

    async def post(self, path: str, body: Json, deadline: float) -> Heard | Lost:
        """Send one body; never raises for what the server or the way to it does.

        ``deadline`` is in seconds by the clock, however slowly the answer drips. Raises UserError if no connection can
        be opened as the environment says (a proxy of an unknown kind).
        """
        if self._sdk is None:
            self._sdk = self._opened()
            self._mask = masking([self._key, *secrets_of(self._sdk._custom_headers)])
        options: Any = {"timeout": httpx2.Timeout(deadline + SPARE_S, connect=CONNECT_S)}
        try:
            async with asyncio.timeout(deadline):
                # The bytes are those the SDK itself would write from the body, in many times the time.
                content = to_json(body)
                return self._heard(
                    await self._sdk.post(path, cast_to=httpx2.Response, content=content, options=options)
                )
        except (TimeoutError, openai.APITimeoutError, anthropic.APITimeoutError) as error:
            nobody = isinstance(error.__cause__, httpx2.ConnectTimeout)
            return Lost(type(error.__cause__).__name__ if nobody else TIMEOUT)
        except (openai.APIStatusError, anthropic.APIStatusError) as error:
            return self._heard(error.response)
        except (openai.OpenAIError, anthropic.AnthropicError, httpx2.HTTPError) as error:
            return Lost(type(error.__cause__ or error).__name__)

    def _heard(self, response: httpx2.Response) -> Heard:
        """Return what a server sent without the key, should it repeat it."""
        return Heard(response.status_code, deciding(response.headers), self._mask(response.content))

    def _opened(self) -> Sdk:
        try:
            return self._open()
        except (ImportError, ValueError, httpx2.InvalidURL) as error:
            where = self._profile.base_url
            raise UserError(f"cannot open a connection to {where}: {short(str(error)).rstrip('.')}.") from None

    def _open(self) -> Sdk:
        for name in _LOGGERS:  # at their lower levels they print addresses and whole requests
            logging.getLogger(name).setLevel(logging.WARNING)
        profile = self._profile
        loopback = (urlsplit(profile.base_url).hostname or "") in ("127.0.0.1", "localhost", "::1")
        limits = httpx2.Limits(max_connections=max(100, profile.concurrency), max_keepalive_connections=100)
        http = httpx2.AsyncClient(
            limits=limits,
            follow_redirects=True,
            trust_env=not loopback,  # a proxy cannot reach this machine's own servers
            transport=self._wrap(httpx2.AsyncHTTPTransport(limits=limits)) if self._wrap is not None else None,
        )
        url, key = profile.base_url, self._key
        if profile.api == "messages":
            claude = anthropic.AsyncAnthropic(api_key=key, base_url=url, max_retries=0, http_client=http)
            if not profile.key_required:
                claude._custom_headers = {}  # ANTHROPIC_CUSTOM_HEADERS, no more the business of other servers
            return claude
        sdk = openai.AsyncOpenAI(api_key=key, base_url=url, max_retries=0, http_client=http)
        if not profile.key_required:
            sdk.organization = sdk.project = None  # read from the environment, and no business of other servers
            sdk._custom_headers = {}
        return sdk

    async def close(self) -> None:
        """Close the connections; the next request opens them again."""
        sdk, self._sdk = self._sdk, None
        if sdk is not None:
            await sdk.close()
