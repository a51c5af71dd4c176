"""From an agent's spec to the profile of the server behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from harness.agents.spec import AgentSpec
from harness.errors import UserError
from harness.providers.client import EMBEDDED
from harness.providers.local import server
from harness.providers.profile_file import read_profile_file
from harness.providers.profiles import Profile, make_profile
from harness.secrets import remember

_FIELDS = {"deadline": "deadline_s"}
"""Options that are called otherwise than the field of the profile they set."""


def join(spec: AgentSpec, replaying: bool = False) -> tuple[Profile, Callable[[], None] | None]:
    """Return the profile a spec asks for and, for the embedded model, what must be called when it is needed no more.

    The embedded model's server runs from then on, unless a tape is replayed: then the answers are there already. Raises
    UserError for a missing extra, a broken profile file, or an option that the API does not have.
    """
    changes = {_FIELDS.get(name, name): value for name, value in spec.options.items() if _is_of_profile(name)}
    path = spec.options.get("profile")
    file = read_profile_file(str(path)) if path is not None else {}
    if file.get("key_env") is not None:
        remember(file["key_env"])
    if spec.kind == "local" and replaying:
        return _profile(spec, f"http://{EMBEDDED}", file, changes), None
    if spec.kind != "local":
        return _profile(spec, spec.base_url, file, changes), None
    address = server.acquire()
    try:
        return _profile(spec, address, file, changes), server.release
    except BaseException:  # an interruption, too: nobody else would give the server back
        server.release()
        raise


def _is_of_profile(option: str) -> bool:
    return _FIELDS.get(option, option) in Profile.__dataclass_fields__


def _profile(spec: AgentSpec, base_url: str | None, file: Mapping[str, Any], changes: Mapping[str, Any]) -> Profile:
    profile = make_profile(spec.kind, spec.argument, base_url, file=file, **changes)
    if profile.temperature is not None and not profile.sampling:
        raise UserError(f"the models behind {spec.kind} take no temperature: leave it out of {str(spec)!r}.")
    if profile.api == "messages" and profile.output_mode == "json_object":
        raise UserError(
            f"{str(spec)!r} asks for output_mode=json_object, which the wire format messages does not have: "
            "write json_schema or text."
        )
    return profile
