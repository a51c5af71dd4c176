"""How one call differs from another, as data.

An edit is a small record. Every one names its `field`: an argument of contract section 1, `choices.cards` and the like
for the fields of `choices`, or `tool`.

- a list of cards, seats or slots: `drop` and `add`, the names that go and come;
- a single value, `stack`, `adjust` or `tool`: `from` and `to`, null for "not given";
- an entry of `copies`: `card`, and `from` and `to`, the targets, null for no entry.
"""

from __future__ import annotations

from typing import Final

from engine.explanations.calls import CARDS_CHOSEN, Fields
from engine.references import split_name
from engine.types import JSON

Edit = dict[str, JSON]

LIST_FIELDS: Final = frozenset(
    ("payment", "cards", "throw_away", "from_discard", CARDS_CHOSEN, "choices.opponents", "choices.slots")
)


def edits_between(stated: Fields, wanted: Fields, chosen_from_hand: bool) -> list[Edit]:
    """What has to be changed in the stated fields to get the wanted ones, lists compared without their order.

    chosen_from_hand: whether `choices.cards` names cards of the hand; those are settled (see `calls.settled`).
    """
    edits: list[Edit] = []
    for field in dict.fromkeys([*stated, *wanted]):
        old, new = stated.get(field), wanted.get(field)
        if field == "copies":
            edits += _copies(_entries(old), _entries(new))
        elif field in LIST_FIELDS:
            edits += _list_edit(field, _names(old), _names(new), field == CARDS_CHOSEN and not chosen_from_hand)
        elif old != new and not (field == "card" and old == split_name(str(new))[0]):
            edits.append({"field": field, "from": old, "to": new})
    return edits


def _names(value: JSON) -> list[str]:
    return [str(name) for name in value] if isinstance(value, list) else []


def _list_edit(field: str, old: list[str], new: list[str], copies_unnamed: bool) -> list[Edit]:
    left = list(new)
    drop: list[JSON] = []
    for name in old:
        slug, number = split_name(name)
        if name in left:
            left.remove(name)
        elif copies_unnamed and slug in left and 0 < number <= new.count(slug):
            left.remove(slug)  # of cards that are no hand cards the canonical form names no copy
        else:
            drop.append(name)
    edit: Edit = {"field": field}
    if drop:
        edit["drop"] = drop
    if left:
        edit["add"] = [*left]
    return [edit] if len(edit) > 1 else []


def _entries(value: JSON) -> list[tuple[str, JSON]]:
    entries = value if isinstance(value, list) else []
    return [(str(entry["card"]), entry["targets"]) for entry in entries if isinstance(entry, dict)]


def _copies(old: list[tuple[str, JSON]], new: list[tuple[str, JSON]]) -> list[Edit]:
    edits: list[Edit] = []
    left = list(new)
    changed = []
    for entry in old:
        if entry in left:
            left.remove(entry)
        else:
            changed.append(entry)
    for card, targets in changed:
        other = next((entry for entry in left if entry[0] == card), None)
        if other is not None:
            left.remove(other)
        edits.append({"field": "copies", "card": card, "from": targets, "to": other[1] if other else None})
    return edits + [{"field": "copies", "card": card, "from": None, "to": targets} for card, targets in left]


def changes_in(edits: list[Edit]) -> int:
    """How many things change: each name dropped or added is one, each other edit is one."""
    total = 0
    for edit in edits:
        names = [edit.get("drop", []), edit.get("add", [])]
        total += sum(len(part) for part in names if isinstance(part, list)) if edit["field"] in LIST_FIELDS else 1
    return total


def applied(stated: Fields, edits: list[Edit]) -> Fields:
    """The stated fields after these edits: what stays keeps its order, what comes stands at the end."""
    fields = dict(stated)
    for edit in edits:
        field = str(edit["field"])
        if field == "copies":
            fields[field] = _with_copy(fields.get(field), edit)
        elif field in LIST_FIELDS:
            kept = _names(fields.get(field))
            for name in reversed(_names(edit.get("drop"))):
                kept.reverse()
                kept.remove(name)
                kept.reverse()
            fields[field] = [*kept, *_names(edit.get("add"))]
        else:
            fields[field] = edit["to"]
    return fields


def _with_copy(value: JSON, edit: Edit) -> JSON:
    entries = list(value) if isinstance(value, list) else []
    old: JSON = {"card": edit["card"], "targets": edit["from"]}
    new: JSON = {"card": edit["card"], "targets": edit["to"]}
    if edit["from"] is None:
        return [*entries, new]
    place = entries.index(old)
    return [*entries[:place], *([] if edit["to"] is None else [new]), *entries[place + 1 :]]
