"""The registry of the kinds of agents, with all their options: what specs may say and ``dale agents`` lists."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from harness import data

Value = str | int | float | bool | None
_MODEL = "harness.agents.model:create"


@dataclass(frozen=True)
class Option:
    """One option of a kind of agent. ``default`` None means: left to the run, the model or the server."""

    name: str
    type: Literal["choice", "integer", "number", "flag", "text"]
    default: Value
    help: str
    choices: tuple[str, ...] = ()
    minimum: float = 0
    maximum: float = math.inf


@dataclass(frozen=True)
class Kind:
    """One kind of agent; ``factory`` is ``module:function`` and is imported only when such an agent is made."""

    name: str
    form: str
    help: str
    factory: str
    argument: Literal["none", "optional", "required"] = "none"
    base_url: bool = False
    options: tuple[Option, ...] = ()

    @property
    def is_model(self) -> bool:
        """Whether a language model plays."""
        return self.factory == _MODEL

    def option(self, name: str) -> Option | None:
        """Return the option of that name, None if the kind has none."""
        return next((option for option in self.options if option.name == name), None)


MOST_ENUM = 200
"""The most values of an enum (contract, section 3)."""
_LEVELS = ("L0", "L1", "L2", "L3", "L4", "L5")
_LOCAL_DEFAULTS: dict[str, Value] = {"rulebook": "brief", "menu_limit": 12, "schema_mode": "enum"}


def _model_options(*apis: str, **defaults: Value) -> tuple[Option, ...]:
    """Return the options every model has, with other defaults where a kind of model needs them.

    ``apis`` are the wire formats to choose from, the usual one first; none where there is only one.
    """
    options = (
        Option("level", "choice", "L2",
               "help given: a menu (L0), tools made for the decision (L1), all tools (L2), nothing computed (L3), "
               "no present state, only what was shown (L4), no rules (L5)",
               _LEVELS),
        Option("rulebook", "choice", None,
               "the rulebook in the request; unless given, the run's (local: brief; L5: always none)",
               ("full", "brief", "none")),
        Option("output_mode", "choice", None,
               "ask for a tool call, for JSON held to a schema, for any JSON object, or for text that is one; "
               "unless given, tools (local: json_schema)",
               ("tools", "json_schema", "json_object", "text")),
        Option("language", "choice", None, "language of the rules and messages; unless given, the run's",
               data.names("prompts")),
        Option("menu_limit", "integer", 200, "at L0 a longer menu is asked in steps; local: 12", minimum=2),
        Option("schema_mode", "choice", "static",
               "at L0 put entry numbers, up to 200, into the schema (enum) or not (static)",
               ("static", "enum")),
        Option("temperature", "number", None, "sampling temperature; unless given, the server's (local: 0.8)"),
        Option("max_output_tokens", "integer", None,
               "longest answer, reasoning included; unless given, 2048 (openai: 8192, local: 160)", minimum=1),
        Option("deadline", "number", None, "seconds to wait for an answer; 120 unless given (local: 300)", minimum=0.1),
        Option("rpm", "integer", None, "requests per minute at most; all games of the model share them", minimum=1),
        Option("tpm", "integer", None, "tokens per minute at most, answers counted at their limit", minimum=1),
        Option("strict", "flag", False, "ask the server to hold tool calls strictly to their schema"),
        Option("reasoning_effort", "choice", None, "how long the model thinks; unless given, the server's own measure",
               ("none", "minimal", "low", "medium", "high", "xhigh", "max")),
        Option("profile", "text", None, "file with what the server takes, as dale models probe writes it"),
    )  # fmt: skip
    wire = (Option("api", "choice", None, f"wire format; unless given, {apis[0]}", apis),) if apis else ()
    return tuple(replace(option, default=defaults.get(option.name, option.default)) for option in (*options, *wire))


_EPSILON = Option("epsilon", "number", 0.0,
                  "weaker: with this probability a uniformly random legal move; 0 is merchant itself, 1 random",
                  maximum=1)  # fmt: skip
_REPLAY_SEAT = Option("seat", "choice", None, "the seat of the log whose part it plays; unless given, where it sits",
                 ("A", "B", "C", "D"))  # fmt: skip

_HUMAN = (
    Option("level", "choice", None, "show just what a model at that level is shown; unless given, full help", _LEVELS),
    Option("casual", "flag", False, "a game that reports do not count"),
)

KINDS: Mapping[str, Kind] = MappingProxyType({
    kind.name: kind
    for kind in (
        Kind("random", "random", "Draws uniformly from the legal list.", "harness.agents.random:create"),
        Kind("merchant", "merchant",
             "Scripted: builds when it can, buys what its next stacks need, thins out junk.",
             "harness.agents.merchant:create", options=(_EPSILON,)),
        Kind("sloppy", "sloppy:RATE",
             "Plays like merchant but states an illegal proposal at the given rate (0 to 1; 0.1 unless given).",
             "harness.agents.sloppy:create", argument="optional"),
        Kind("openai", "openai:MODEL", "A model of OpenAI; the key is read from OPENAI_API_KEY.",
             _MODEL, argument="required", options=_model_options("responses", "chat")),
        Kind("anthropic", "anthropic:MODEL", "A model of Anthropic; the key is read from ANTHROPIC_API_KEY.",
             _MODEL, argument="required", options=_model_options()),
        Kind("compat", "compat:MODEL@BASE_URL",
             "A model behind any server that speaks one of the wire formats; DALE_COMPAT_API_KEY if it wants a key.",
             _MODEL, argument="required", base_url=True, options=_model_options("chat", "responses", "messages")),
        Kind("local", "local", "The small embedded model: runs inside this process, needs no key and no service.",
             _MODEL, options=_model_options("chat", "responses", "messages", **_LOCAL_DEFAULTS)),
        Kind("replay", "replay:FILE", "Answers as a seat of a game log answered.", "harness.agents.replay:create",
             argument="required", options=(_REPLAY_SEAT,)),
        Kind("human", "human", "A person at the terminal (only in dale play).", "harness.agents.human:create",
             options=_HUMAN),
    )
})  # fmt: skip
"""Every kind of agent by name, in the order ``dale agents`` lists them."""
