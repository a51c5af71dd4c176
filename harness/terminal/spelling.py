"""A proposal as the line by which a person types it: the other way round than ``harness.terminal.commands``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.terminal.vocabulary import vocabulary

_COMMANDS = {
    "market": "buy",
    "stall": "stack",
    "inventory": "inventory",
    "technique": "play",
    "ability": "use",
    "choose": "choose",
    "skip": "skip",
    "end_turn": "end",
}


def spell(proposal: Mapping[str, Any], language: str) -> str:
    """Return the line that states a legal proposal, in the usual words of a language."""
    words = vocabulary(language)
    given = proposal["arguments"]
    line = [words.spell(f"command_{_COMMANDS[proposal['tool']]}")]
    if "source" in given:
        line.append(_source(given["source"], language))
        line += [words.spell("word_with"), *(given["payment"] or [words.spell("word_nothing")])]
    if "card" in given:
        line.append(given["card"])
    if "cards" in given:
        empty = not given["cards"] and not given.get("from_discard")
        line += [words.spell("word_nothing")] if empty else given["cards"]
    line += _choices(given.get("choices") or {}, language)
    for field, keyword in (("throw_away", "throwing"), ("from_discard", "from")):
        if given.get(field):
            line += [words.spell(f"word_{keyword}"), *given[field]]
    if given.get("stack") is not None:
        line += [words.spell("word_into"), str(given["stack"])]
    if given.get("adjust"):
        line.append(words.spell("word_counted"))
        line += [part for one in given["adjust"] for part in (one["card"], f"{one['by']:+d}")]
    if given.get("copies"):
        line.append(words.spell("word_as"))
        line += [part for one in given["copies"] for part in (one["card"], *one["targets"])]
    return " ".join(line)


def _source(source: str, language: str) -> str:
    return vocabulary(language).spell("word_discard") if source == "market_discard" else source.removeprefix("slot_")


def _choices(choices: Mapping[str, Any], language: str) -> list[str]:
    words = vocabulary(language)
    line: list[str] = []
    for field, value in choices.items():
        if field == "stack":
            line += [words.spell("word_stack"), value["seat"], str(value["number"]), value["card"]]
        elif field == "option":
            line.append(words.usual.get(f"option_{value}", value))
        else:
            line += [str(part) for part in (value if isinstance(value, list) else [value])]
    return line or ([words.spell("word_nothing")] if choices else [])
