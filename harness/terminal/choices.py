"""The choices of a card or question as typed words: opponents, slots, cards, a stack, a value, a named alternative."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine import SETS
from harness.prompts import Texts
from harness.terminal.names import Seen, Unclear, in_game, in_hand, resolve
from harness.terminal.vocabulary import Vocabulary, folded

_SLOT = re.compile(r"(?:slot_?|s)([0-9])")


@dataclass(frozen=True)
class Asked:
    """What choices are read with; ``fields`` are those that the card or question takes."""

    texts: Texts
    words: Vocabulary
    seen: Seen
    fields: frozenset[str]


def read_choices(spoken: Sequence[str], asked: Asked) -> dict[str, Any]:
    """Return the object ``choices`` that some words state, without the fields they do not give.

    Each word says by its form what it is: a seat, a slot, a number, an alternative, else a card; ``stack`` before a
    seat, a number and a card names a card in a stall. Raises Unclear.
    """
    found: dict[str, Any] = {}
    left = list(spoken)
    while left:
        word = left.pop(0)
        if "stack" in asked.fields and asked.words.keywords.get(folded(word)) == "stack":
            found["stack"] = _stack(left[:3], asked)
            del left[:3]
        elif asked.words.keywords.get(folded(word)) != "nothing":
            field, value = _one(word, asked)
            if isinstance(value, list):
                found.setdefault(field, []).extend(value)
            else:
                found[field] = value
    return found


def _one(word: str, asked: Asked) -> tuple[str, Any]:
    """Return the field a word belongs to and its value; a list for the fields that hold several."""
    slot = _SLOT.fullmatch(folded(word))
    if slot:
        return "slots", [f"slot_{slot[1]}"]
    if word.upper() in asked.seen["seats"]:
        return "opponents", [word.upper()]
    if re.fullmatch(r"-?\d{1,9}", word):
        in_slots = "slots" in asked.fields and "value" not in asked.fields
        return ("slots", [f"slot_{int(word)}"]) if in_slots else ("value", int(word))
    if "option" in asked.fields:
        option = asked.words.options.get(folded(word)) or (folded(word) if folded(word) in SETS else None)
        if option is not None:
            return "option", option
        if "cards" not in asked.fields:
            return "option", resolve(word, (in_game(asked.seen), SETS), asked.texts)
    pile = asked.seen["seats"][asked.seen["seat"]]["discard"]
    near = asked.seen.get("offered") or (*in_hand(asked.seen), *pile)
    whole = folded(word).partition("#")[0] in in_game(asked.seen)
    return "cards", [resolve(word, (in_game(asked.seen),) if whole else (near, in_game(asked.seen)), asked.texts)]


def _stack(spoken: Sequence[str], asked: Asked) -> dict[str, Any]:
    if len(spoken) != 3 or spoken[0].upper() not in asked.seen["seats"] or not spoken[1].isdecimal():
        raise Unclear(asked.texts.say("which_stack"))
    seat, number, card = spoken
    return {"seat": seat.upper(), "number": int(number[:9]), "card": resolve(card, (in_game(asked.seen),), asked.texts)}
