"""What to leave out when a server says that it does not take something. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.providers.profiles import CapParam, Profile
from harness.providers.types import ProviderError

_NAMED: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
    ("named_tool", False, ("tool_choice", "tool choice", "forced tool")),
    ("forced_tool", False, ("tool_choice", "tool choice", "forced tool")),
    ("parallel_flag", False, ("parallel_tool", "parallel tool")),
    ("prompt_cache", "none", ("prompt_cache", "cache_control")),
    ("strict", False, ("strict", "grammar", "text.format.schema", "invalid schema")),
)
"""Fields, what they fall back to, and the words of a refusal that mean them, the most telling first."""
_WORDS: tuple[tuple[str, Any, str], ...] = (("seed", False, "seed"), ("store_flag", False, "store"))
"""The same for names that must stand alone, since they are part of other words."""
_EFFORT = ("reasoning_effort", "reasoning.effort", "reasoning effort", "output_config.effort", "'reasoning'")


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
    if (profile.forced_tool or profile.named_tool) and _forced_kinds(told):
        return replace(profile, forced_tool=False, named_tool=False)
    for field, fallback, words in _NAMED:
        if getattr(profile, field) != fallback and any(word in told for word in words):
            return replace(profile, **{field: fallback})
    if any(word in told for word in _EFFORT):
        effort = "none" if "'none'" in told and profile.reasoning_effort != "none" else None
        return replace(profile, reasoning_effort=effort)
    if profile.api == "chat" and "max_completion_tokens" in told and "too large" not in told:  # the number is, then
        wanted: CapParam = "max_completion_tokens" if "instead" in told else "max_tokens"
        return replace(profile, cap_param=wanted)
    alone = told.translate(str.maketrans("'\"`.,:", "      ")).split()
    for field, fallback, word in _WORDS:
        if getattr(profile, field) != fallback and word in alone:
            return replace(profile, **{field: fallback})
    if profile.system == "developer" and "developer" in told:
        return replace(profile, system="system")
    return profile


def _forced_kinds(told: str) -> bool:
    return '"any"' in told and "not supported" in told


def difference(before: Profile, after: Profile) -> str:
    """Return what a degraded profile does differently, for the log."""
    changed = [name for name, value in vars(before).items() if getattr(after, name) != value]
    return ", ".join(f"{name}={getattr(after, name)}" for name in changed)
