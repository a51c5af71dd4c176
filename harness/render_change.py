"""The nearest legal proposal of an explanation in words: what it is, and what has to change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import Explanation
from harness import prompts, render
from harness.prompts import DEFAULT_LANGUAGE, Texts
from harness.text import clean_data

Edit = Mapping[str, Any]


def nearest(explanation: Explanation, observation: Mapping[str, Any], language: str = DEFAULT_LANGUAGE) -> str:
    """One or two sentences; empty if there is no nearest legal proposal."""
    if explanation.change is None:
        return ""
    texts = prompts.load(language)
    edits: list[Edit] = clean_data([*explanation.edits])
    if edits and edits[0]["field"] == "tool":
        edits = edits[:1]  # with another tool everything is new, and the proposal says it
    values = {
        "proposal": render.proposal(explanation.change, observation, language),
        "changes": [line for edit in edits for line in _lines(texts, edit)],
    }
    return _line(texts, "nearest", values)


def _lines(texts: Texts, edit: Edit) -> list[str]:
    """An edit in words; a list from which names go and to which others come takes two."""
    field = str(edit["field"]).rpartition(".")[2]
    if field == "tool":
        return [_line(texts, "tool", edit)]
    if field == "copies":
        return [_line(texts, f"copy_{_kind(edit)}", edit)]
    if "from" in edit:
        values = {"field": field, "from": _value(texts, field, edit["from"]), "to": _value(texts, field, edit["to"])}
        return [_line(texts, _kind(edit), values)]
    return [_line(texts, kind, {"field": field, "names": edit[kind]}) for kind in ("drop", "add") if kind in edit]


def _kind(edit: Edit) -> str:
    if edit["to"] is None:
        return "omit"
    return "give" if edit["from"] in (None, []) else "replace"  # an empty list names nothing either


def _value(texts: Texts, field: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return _line(texts, "stack_value", value)
    if isinstance(value, list):
        return ", ".join(_line(texts, f"{field}_value", one) for one in value)
    return str(value)


def _line(texts: Texts, name: str, values: Mapping[str, Any]) -> str:
    line = prompts.render_line(texts, texts.changes[name], values)
    if line is None:
        raise ValueError(f"the values of {name} are incomplete")
    return line
