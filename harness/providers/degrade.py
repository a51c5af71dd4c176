"""What to leave out when a server says that it does not take something. Pure."""

from __future__ import annotations

from dataclasses import replace

from harness.providers.profiles import Profile
from harness.providers.types import ProviderError


def degraded(profile: Profile, error: ProviderError) -> Profile | None:
    """Return the profile without what the server refused, None if that is not what the error is about.

    What a user asked for by name (a temperature, an output mode) is never taken away.
    """
    if error.status not in (400, 422) or error.kind != "bad_request":
        return None
    told = f"{error.code or ''} {error.message}".lower()
    less = _without(profile, told)
    return less if less != profile else None


def _without(profile: Profile, told: str) -> Profile:
    if profile.forced_tool and ("tool_choice" in told or "tool choice" in told or "forced tool" in told or _any(told)):
        return replace(profile, forced_tool=False)
    if profile.parallel_flag and ("parallel_tool" in told or "parallel tool" in told):
        return replace(profile, parallel_flag=False)
    if "reasoning_effort" in told:
        return replace(profile, reasoning_effort="none" if "'none'" in told else None)
    if "max_completion_tokens" in told and "instead" in told and profile.cap_param == "max_tokens":
        return replace(profile, cap_param="max_completion_tokens")
    if "max_completion_tokens" in told and "instead" not in told and profile.cap_param == "max_completion_tokens":
        return replace(profile, cap_param="max_tokens")
    if profile.strict and ("strict" in told or "grammar" in told):
        return replace(profile, strict=False)
    if profile.seed and "seed" in told.replace("'", " ").split():
        return replace(profile, seed=False)
    if profile.system == "developer" and "developer" in told:
        return replace(profile, system="system")
    return profile


def _any(told: str) -> bool:
    return '"any"' in told and "not supported" in told


def difference(before: Profile, after: Profile) -> str:
    """Return what a degraded profile does differently, for the log."""
    changed = [name for name, value in vars(before).items() if getattr(after, name) != value]
    return ", ".join(f"{name}={getattr(after, name)}" for name in changed)
