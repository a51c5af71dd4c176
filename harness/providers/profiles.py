"""Profiles: what one endpoint and model take, as data. The defaults lie in ``profiles.toml`` beside this module."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal
from urllib.parse import urlsplit

from harness.errors import UserError
from harness.providers.types import OutputMode

_HEADERS = {
    "openai": ("OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS"),
    "anthropic": ("ANTHROPIC_CUSTOM_HEADERS",),
}
"""Environment variables that the SDKs make headers of, by the SDK; the custom headers stand in lines."""

Api = Literal["chat", "responses", "messages"]
"""The wire formats (``harness.providers.wires``)."""
CapParam = Literal["max_tokens", "max_completion_tokens"]
NO_KEY = "no-key"
"""Sent where a server wants no key; the SDKs insist on some text."""


@dataclass(frozen=True)
class Profile:
    """What is sent to an endpoint, and how.

    ``temperature`` and ``reasoning_effort`` None send nothing; ``sampling`` False means that the API takes no sampling
    parameters at all. ``forced_tool`` asks for some tool call, ``named_tool`` for the only tool by its name where there
    is only one. ``cap_param`` is the field of the longest answer in Chat Completions; the other APIs have one name for
    it. ``prompt_cache`` is how servers that want it are told of the static prefix: by ``cache_control`` at its end, or
    by a ``key`` beside it. ``schema_field`` is where Responses carry the schema of an answer. ``store_flag`` tells the
    server not to keep what it is sent.

    ``deadline_s`` is the wall-clock limit of one try in seconds, ``max_wait_s`` the longest wait a server may ask for,
    ``retries`` how many tries follow the first, ``concurrency`` how many requests may be under way at the endpoint,
    ``rpm`` and ``tpm`` how many requests and tokens may leave in a minute (None: no limit); agents of one model that
    state the same limits share them. ``free`` means that calls cost nothing.
    """

    name: str
    api: Api
    model: str
    base_url: str
    key_env: str | None = None
    key_required: bool = False
    cap_param: CapParam = "max_tokens"
    system: Literal["system", "developer", "merge_into_user"] = "system"
    output_mode: OutputMode = "tools"
    forced_tool: bool = False
    named_tool: bool = False
    parallel_flag: bool = False
    strict: bool = False
    schema_field: Literal["text.format", "response_format"] = "text.format"
    prompt_cache: Literal["none", "cache_control", "key"] = "none"
    store_flag: bool = False
    sampling: bool = True
    reasoning_effort: str | None = None
    temperature: float | None = None
    seed: bool = False
    deadline_s: float = 120.0
    max_wait_s: float = 120.0
    retries: int = 4
    concurrency: int = 8
    rpm: int | None = None
    tpm: int | None = None
    max_output_tokens: int = 2048
    free: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON; there is no key among them."""
        return asdict(self)


@cache
def _defaults() -> Mapping[str, Any]:
    return tomllib.loads(files("harness.providers").joinpath("profiles.toml").read_text(encoding="utf-8"))


def make_profile(
    name: str,
    model: str | None = None,
    base_url: str | None = None,
    *,
    file: Mapping[str, Any] = MappingProxyType({}),
    **changes: Any,
) -> Profile:
    """Return the profile of a kind of endpoint for a model; ``changes`` that are not None replace its fields.

    ``file`` holds the fields of a profile file, which stand between the two. Without ``base_url`` the SDK's environment
    variable decides, then the provider's own address. Raises UserError for an address that is none or that holds a
    secret.
    """
    fields = dict(_defaults()[name])
    apis, models = fields.pop("apis", {}), fields.pop("models", {})
    base_url_env = fields.pop("base_url_env", None)
    given = {field: value for field, value in changes.items() if value is not None}
    fields |= apis.get(given.get("api", file.get("api")), {})
    fields["model"] = model or fields.get("model", "")
    known = [beginning for beginning in models if fields["model"].startswith(beginning)]
    if known:
        fields |= models[max(known, key=len)]
    address = base_url or (os.environ.get(base_url_env) if base_url_env else None)
    if address:
        fields["base_url"] = _checked_address(address, base_url_env if not base_url else None)
    fields |= {**file, **given}
    if fields["api"] == "messages":  # whose path begins with the version that other addresses end in
        fields["base_url"] = fields["base_url"].removesuffix("/").removesuffix("/v1")
    return Profile(name=name, **fields)


def _checked_address(url: str, variable: str | None) -> str:
    """Refuse what is no address, or holds a secret that would get into logs and messages."""
    where = f"the environment variable {variable}" if variable else "the address of the server"
    try:
        parts = urlsplit(url)
        wrong = parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0
    except ValueError:
        wrong = True
    if wrong:
        raise UserError(f"{where} must be an address such as http://127.0.0.1:8101/v1.")
    if parts.username is not None or parts.query:
        raise UserError(f"{where} must not hold a name, a password or a query: keys belong into their own variables.")
    return url


def preflight_key(profile: Profile) -> None:
    """Raise UserError, naming the environment variable, if the endpoint needs a key and there is none."""
    if profile.key_required and not _key(profile):
        raise UserError(
            f"there is no key for {profile.name}:{profile.model}: set the environment variable {profile.key_env}."
        )


def read_key(profile: Profile) -> str:
    """Return the key from the environment, or a text that is none where no key is needed. Raises UserError."""
    preflight_key(profile)
    return _key(profile) or NO_KEY


def check_headers(profile: Profile) -> None:
    """Raise UserError if a variable of the environment that the provider's headers are made of cannot stand in one."""
    names = _HEADERS["anthropic" if profile.api == "messages" else "openai"] if profile.key_required else ()
    for name in names:
        value = os.environ.get(name, "")
        if not value.isascii() or not (value.replace("\n", "") if "CUSTOM" in name else value).isprintable():
            raise UserError(f"the environment variable {name} holds characters that no header may have.")


def _key(profile: Profile) -> str:
    key = (os.environ.get(profile.key_env) or "").strip() if profile.key_env else ""
    if not key.isascii() or not key.isprintable():
        raise UserError(f"the environment variable {profile.key_env} holds characters that no key has.")
    return key
