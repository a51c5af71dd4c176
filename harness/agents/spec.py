"""How agents are named: short texts, the same in TOML and on the command line.

``kind``, ``kind:ARGUMENT``, ``kind:MODEL@BASE_URL``, each with ``?option=value&option=value`` behind it.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, cast
from urllib.parse import quote, unquote

from harness.agents.base import Agent
from harness.agents.context import RunContext
from harness.agents.kinds import KINDS, Kind, Option, Value
from harness.errors import UserError
from harness.secrets import holds_key

__all__ = ["KINDS", "AgentSpec", "Kind", "Option", "create_agent", "parse_spec"]


@dataclass(frozen=True)
class AgentSpec:
    """A parsed spec. ``options`` holds what was given, typed; ``resolved`` fills in the defaults."""

    kind: str
    argument: str | None
    base_url: str | None
    options: Mapping[str, Value]

    def __str__(self) -> str:
        """Return the canonical text form, which parses back to an equal spec."""
        text = self.kind
        if self.argument is not None:
            text += f":{self.argument}"
        if self.base_url is not None:
            text += f"@{self.base_url}"
        if self.options:
            text += "?" + "&".join(f"{name}={_show(value)}" for name, value in sorted(self.options.items()))
        return text

    def resolved(self) -> dict[str, Value]:
        """Return every option of the kind, in the order of the registry, with its default where none was given."""
        return {option.name: self.options.get(option.name, option.default) for option in KINDS[self.kind].options}


def parse_spec(text: str) -> AgentSpec:
    """Parse a spec; raises UserError with what exists for an unknown kind, option or value, or if a key is in it."""
    if holds_key(text):
        raise UserError(
            "what is given as an agent holds what looks like a key: take it out; keys are read from environment "
            "variables alone (see dale agents)."
        )
    head, _, query = text.strip().partition("?")
    name, colon, rest = head.partition(":")
    kind = KINDS.get(name)
    if kind is None:
        raise UserError(f"unknown agent {name!r} in {text!r}{_near(name, KINDS)}; there are: {', '.join(KINDS)}.")
    base_url = None
    if kind.base_url:
        rest, at, url = rest.rpartition("@") if "@http" in rest else (rest, "", "")
        if not at or not url.startswith(("http://", "https://")):
            raise UserError(f"agent {text!r} needs the address of its server: {kind.form}.")
        base_url = url.rstrip("/")
    if kind.argument == "required" and not rest:
        raise UserError(f"agent {text!r} is incomplete: write {kind.form}.")
    if kind.argument == "none" and colon:
        raise UserError(f"agent {name!r} takes nothing after a colon, but {text!r} has {rest!r}: write {kind.form}.")
    spec = AgentSpec(name, rest or None, base_url, MappingProxyType(_parse_options(kind, query, text)))
    return _checked_argument(spec, text)


def _checked_argument(spec: AgentSpec, text: str) -> AgentSpec:
    if spec.kind != "sloppy" or spec.argument is None:
        return spec
    try:
        rate = float(spec.argument)
    except ValueError:
        rate = math.nan
    if not 0 <= rate <= 1:
        raise UserError(f"the rate of {text!r} must be a number from 0 to 1, as in sloppy:0.1.")
    return AgentSpec(spec.kind, repr(rate), spec.base_url, spec.options)


def create_agent(spec: AgentSpec, context: RunContext | None = None) -> Agent:
    """Make the agent a spec names, among the others of ``context``; None means that it plays alone.

    A factory is called with the spec, its options in full (the run's rulebook and language always among them) and the
    context. It raises UserError for what the user can put right, such as a missing key or package.
    """
    context = context or RunContext()
    module, _, function = KINDS[spec.kind].factory.partition(":")
    options = spec.resolved()
    for name, of_the_run in (("rulebook", context.rulebook), ("language", context.language)):
        if options.get(name) is None:
            options[name] = of_the_run
    return cast(Agent, getattr(importlib.import_module(module), function)(spec, options, context))


def _parse_options(kind: Kind, query: str, text: str) -> dict[str, Value]:
    options: dict[str, Value] = {}
    for part in query.split("&") if query else ():
        name, equals, value = part.partition("=")
        option = kind.option(name)
        if option is None:
            names = [known.name for known in kind.options]
            there_are = f"its options are: {', '.join(names)}" if names else "it has no options"
            raise UserError(
                f"agent {kind.name!r} has no option {name!r} (in {text!r}){_near(name, names)}; {there_are}."
            )
        if not equals or not value:
            raise UserError(f"option {name!r} of {text!r} has no value: write {name}={_example(option)}.")
        if name in options:
            raise UserError(f"option {name!r} is given twice in {text!r}.")
        options[name] = _parse_value(option, unquote(value), text)
    return options


def _parse_value(option: Option, value: str, text: str) -> Value:
    if option.type == "choice" and value in option.choices:
        return value
    if option.type == "flag" and value in ("true", "false"):
        return value == "true"
    if option.type == "text":
        return value
    if option.type in ("integer", "number"):
        with suppress(ValueError, OverflowError):  # what is no number, and what is too large to reckon with
            number = int(value) if option.type == "integer" else float(value)
            if math.isfinite(number) and option.minimum <= number <= option.maximum:
                return number
    raise UserError(f"option {option.name!r} of {text!r} must be {_wanted(option)}, not {value!r}.")


def _wanted(option: Option) -> str:
    if option.type == "choice":
        return "one of " + ", ".join(option.choices)
    if option.type == "flag":
        return "true or false"
    number = "an integer" if option.type == "integer" else "a number"
    if math.isfinite(option.maximum):
        return f"{number} from {option.minimum:g} to {option.maximum:g}"
    return f"{number} of at least {option.minimum:g}"


def _example(option: Option) -> str:
    return option.choices[0] if option.choices else _show(option.default) if option.default is not None else "VALUE"


def _show(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return quote(str(value), safe="/:@,+.-_~ ")


def _near(name: str, names: Mapping[str, Any] | list[str]) -> str:
    close = get_close_matches(name, list(names), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
