"""What is wrong in a tournament file, as a sentence: key, what is wrong, what would be right."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

Location = tuple[int | str, ...]
_WANTED = {
    "model_type": "a table", "dict_type": "a table", "list_type": "a list", "string_type": "a text in quotes",
    "bool_type": "true or false",
}  # fmt: skip
"""What is told of values that are of another type."""


def sentence(error: ErrorDetails, model: type[BaseModel]) -> str:
    """Say one validation error of a file that ``model`` describes, without the full stop."""
    location = error["loc"]
    key = _key(location)
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":
        text = str(context["error"]).rstrip(".")
        return f"{key}: {text}" if key else text
    if kind == "missing":
        return f"the key {key!r} is missing"
    if kind == "extra_forbidden":
        known = list(_model_at(model, location[:-1]).model_fields)
        close = get_close_matches(str(location[-1]), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"unknown key {key!r}{hint}; known here are: {', '.join(known)}"
    if kind == "literal_error":
        return f"{key} must be one of {context['expected']}, not {error['input']!r}"
    if kind == "string_pattern_mismatch":
        return f"{key} must be letters, digits, dots, dashes and underscores, at most 64, not {error['input']!r}"
    if kind in _WANTED:
        return f"{key} must be {_WANTED[kind]}{_brackets(kind, location, model)}, not {error['input']!r}"
    message = error["msg"].removeprefix("Input should be ")
    return f"{key} must be {message[:1].lower()}{message[1:]}, not {error['input']!r}"


def _brackets(kind: str, location: Location, model: type[BaseModel]) -> str:
    """How the table, or the list of tables, that was expected at this place is written in TOML."""
    key = _key(location)
    if kind == "model_type":
        return f" begun by a line [[{_key(location[:-1])}]]" if isinstance(location[-1], int) else f" [{key}]"
    if kind == "dict_type":
        return f' of tables such as [{key}."NAME"]'
    of_tables = kind == "list_type" and _model_at(model, location) is not _model_at(model, location[:-1])
    return f" of tables, each begun by a line [[{key}]]" if of_tables else ""


def _key(location: Location) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _model_at(model: type[BaseModel], location: Location) -> type[BaseModel]:
    """The model of the table at a place; of places that are no tables, that of the table around them."""
    for part in location:
        field = model.model_fields.get(str(part))
        model = (_model_in(field.annotation) if field is not None else None) or model
    return model


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model a type holds, be it optional, or in a list or a table."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part)) is not None), None)
