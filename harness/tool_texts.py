"""The tools of a level with descriptions: the engine's schemas and what they do in a player's language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine import Game
from harness import prompts, render
from harness.agents.base import Turn
from harness.prompts import DEFAULT_LANGUAGE, Texts

Spec = dict[str, Any]

GUIDED = "L1"
"""The level whose tools are made for each decision; those of all others never change within a game."""


def tool_specs(turn: Turn, level: str, language: str = DEFAULT_LANGUAGE) -> tuple[Spec, ...]:
    """The tools of a level with descriptions: each `{"name", "description", "parameters"}`; not to be changed.

    The schemas are the engine's; only `description` is added, to tools and to their arguments.
    """
    if level != GUIDED:
        return static_specs(level, language, turn.observation["edition"], len(turn.observation["seats"]))
    texts = prompts.load(language)
    return tuple(_spec(tool, *_guided_text(texts, tool["name"], turn)) for tool in turn.tools(level))


@lru_cache(maxsize=64)
def static_specs(level: str, language: str, edition: str, players: int) -> tuple[Spec, ...]:
    """The tools of any level but L1, which are the same for all games of an edition with so many players."""
    texts = prompts.load(language)
    tools: Any = Game.new(players=players, edition=edition).tools(level)
    return tuple(_spec(tool, *_static_text(texts, tool["name"], edition)) for tool in tools)


def described(specs: tuple[Spec, ...]) -> list[dict[str, Any]]:
    """The tools as they are described in words where the request cannot carry schemas."""
    return [
        {
            "name": spec["name"],
            "description": spec["description"],
            "arguments": {
                field: part.get("description", "") for field, part in spec["parameters"].get("properties", {}).items()
            },
        }
        for spec in specs
    ]


def _spec(tool: Mapping[str, Any], description: str, arguments: Mapping[str, str]) -> Spec:
    schema = dict(tool["parameters"])
    schema["properties"] = {
        field: _with_description(part, arguments.get(field)) for field, part in schema.get("properties", {}).items()
    }
    return {"name": tool["name"], "description": description, "parameters": schema}


def _with_description(part: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    return {"description": text, **part} if text else dict(part)


def _static_text(texts: Texts, name: str, edition: str) -> tuple[str, Mapping[str, str]]:
    text = texts.tools[name]
    own = text.remastered if edition == "remastered" else {}
    return text.description, {**text.arguments, **own}


def _guided_text(texts: Texts, name: str, turn: Turn) -> tuple[str, Mapping[str, str]]:
    edition = turn.observation["edition"]
    if name in texts.tools:
        description, arguments = _static_text(texts, name, edition)
        ask = texts.decisions.asks.get(turn.decision.asks) if name == "choose" else None
        return description, {**arguments, **(ask.choices if ask else {})}
    kind, _, slug = name.partition("_")
    used = [texts.card(edition, one) for one in _used_as(turn, kind, slug)]
    template = texts.tools[f"{kind}_card"].description
    brief = " ".join(card.brief for card in used)
    told = prompts.render_line(texts, template, {"card": slug, "brief": brief})
    assert told is not None
    arguments = dict(texts.tools[f"{kind}_card"].arguments)
    for card in used:
        arguments |= card.choices
    return told, arguments


def _used_as(turn: Turn, kind: str, slug: str) -> list[str]:
    """As which cards the hand cards of a name can be played or have an ability: what they are copies of now, too."""
    facts = render.card_facts(turn.observation["edition"])
    held = [entry for entry in turn.observation["hand"] if render.bare(entry["card"]) == slug]
    copied = [entry["copies"] for entry in held if "copies" in entry]
    fitting = [one for one in copied if (facts[one].type == "technique" if kind == "technique" else facts[one].ability)]
    itself = [slug] if len(copied) < len(held) or not fitting else []
    return list(dict.fromkeys([*itself, *fitting]))
