"""The form of proposals: which arguments a tool has and of which type (failure class `format`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.codes import Violation, fault
from engine.types import TOOLS

Arguments = dict[str, object]
Test = Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _record(fields: Mapping[str, Test]) -> Test:
    def test(value: object) -> bool:
        return (
            isinstance(value, dict)
            and value.keys() == fields.keys()
            and all(fields[name](one) for name, one in value.items())
        )

    return test


def _records(fields: Mapping[str, Test]) -> Test:
    one = _record(fields)
    return lambda value: isinstance(value, list) and all(one(entry) for entry in value)


_STACK: Final = _record({"seat": _is_text, "number": _is_number, "card": _is_text})
CHOICE_FIELDS: Final[dict[str, Test]] = {
    "cards": _is_texts,
    "opponents": _is_texts,
    "slots": _is_texts,
    "stack": _STACK,
    "value": _is_number,
    "option": _is_text,
}


def _is_choices(value: object) -> bool:
    return isinstance(value, dict) and all(
        name in CHOICE_FIELDS and (one is None or CHOICE_FIELDS[name](one)) for name, one in value.items()
    )


_COPIES: Final = _records({"card": _is_text, "targets": _is_texts})
_ADJUST: Final = _records({"card": _is_text, "by": _is_number})

ARGUMENTS: Final[dict[str, dict[str, tuple[bool, Test, str]]]] = {
    "market": {
        "source": (True, _is_text, "slot"),
        "payment": (True, _is_texts, "cards"),
        "throw_away": (False, _is_texts, "cards_or_null"),
        "copies": (False, _COPIES, "copies_or_null"),
    },
    "technique": {
        "card": (True, _is_text, "card"),
        "choices": (False, _is_choices, "choices_or_null"),
        "copies": (False, _COPIES, "copies_or_null"),
    },
    "stall": {
        "cards": (True, _is_texts, "cards"),
        "from_discard": (False, _is_texts, "cards_or_null"),
        "stack": (False, _is_number, "integer_or_null"),
        "adjust": (False, _ADJUST, "adjust_or_null"),
        "copies": (False, _COPIES, "copies_or_null"),
    },
    "inventory": {"cards": (True, _is_texts, "cards")},
    "ability": {
        "card": (True, _is_text, "card"),
        "choices": (False, _is_choices, "choices_or_null"),
        "copies": (False, _COPIES, "copies_or_null"),
    },
    "choose": {"choices": (True, _is_choices, "choices")},
    "skip": {},
    "end_turn": {},
}
"""For every tool its arguments: whether required, the test of its type, and the name of the type."""


def read_form(tool: object, arguments: object) -> Arguments | Violation:
    """The arguments that were given, empty and null ones left out, or what is wrong with their form."""
    if not isinstance(tool, str) or tool not in ARGUMENTS:
        return fault("unknown_action", tool=str(tool), tools=list(TOOLS))
    if not isinstance(arguments, dict):
        return fault("malformed_arguments", tool=tool, argument="arguments", expected="object")
    expected = ARGUMENTS[tool]
    given: Arguments = {}
    for name, value in arguments.items():
        if name not in expected:
            return fault("malformed_arguments", tool=tool, argument=str(name), expected="nothing")
        required, test, wanted = expected[name]
        if value is None and not required:
            continue
        if not test(value):
            return fault("malformed_arguments", tool=tool, argument=name, expected=wanted)
        if required or value not in ([], {}, ""):
            given[name] = value
    for name, (required, _, wanted) in expected.items():
        if required and name not in given:
            return fault("malformed_arguments", tool=tool, argument=name, expected=wanted)
    if isinstance(given.get("choices"), dict):
        choices = given["choices"]
        given["choices"] = {field: one for field, one in choices.items() if one not in (None, [], "")}  # type: ignore[attr-defined]  # a dict, as tested
    return given
