"""The tools of the affordance levels and the way between their calls and proposals (contract sections 1 and 3).

L0 has one static tool `act`, L1 tools made for the pending decision, L2 to L5 the static tools of section 1: from there
on the levels differ in what a player is told, not in what it can say.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.errors import EngineError, FormatFault
from engine.guided import guided_tools
from engine.legal import LegalActions
from engine.proposals import Proposal, proposal_of
from engine.schemas import INTEGER, STRING, Schema, list_of, maybe, one_of, record
from engine.state import State
from engine.types import JSON, SEATS, SLOTS, TOOLS

LEVELS: Final = ("L0", "L1", "L2", "L3", "L4", "L5")
MENU_TOOL: Final = "act"
TECHNIQUE_PREFIX: Final = "technique_"
ABILITY_PREFIX: Final = "ability_"
CHOICE_FIELDS: Final = ("cards", "opponents", "slots", "stack", "value", "option")
_STACK_FIELDS: Final = ("stack_seat", "stack_number", "stack_card")
_NOT_NESTED: Final = ("choices", *_STACK_FIELDS)
_MENU_FORM: Final[Schema] = record({"entry": INTEGER})
_SLOT_NAMES: Final = [f"slot_{slot}" for slot in range(SLOTS)]

COPIES: Final[Schema] = maybe(list_of(record({"card": STRING, "targets": list_of(STRING)})))


def menu_tools() -> list[Schema]:
    """The static tool of L0."""
    return [{"name": MENU_TOOL, "parameters": _MENU_FORM}]


def _stack_fields(players: int) -> dict[str, Schema]:
    """A card in a stall: whose, in which stack, which."""
    return {"seat": one_of(list(SEATS[:players])), "number": INTEGER, "card": STRING}


def _choice_fields(players: int) -> dict[str, Schema]:
    """The choices of an effect (section 1), each of which may be null."""
    return {
        "cards": maybe(list_of(STRING)),
        "opponents": maybe(list_of(one_of(list(SEATS[:players])))),
        "slots": maybe(list_of(one_of(_SLOT_NAMES))),
        "stack": maybe(record(_stack_fields(players))),
        "value": maybe(INTEGER),
        "option": maybe(STRING),
    }


def _static_forms(players: int) -> dict[str, Schema]:
    """The arguments of the tools of section 1 by name."""
    choices = record(_choice_fields(players))
    cards = list_of(STRING)
    adjust = maybe(list_of(record({"card": STRING, "by": INTEGER})))
    return {
        "market": record(
            {
                "source": one_of([*_SLOT_NAMES, "market_discard"]),
                "payment": cards,
                "throw_away": maybe(cards),
                "copies": COPIES,
            }
        ),
        "technique": record({"card": STRING, "choices": maybe(choices), "copies": COPIES}),
        "stall": record(
            {
                "cards": cards,
                "from_discard": maybe(cards),
                "stack": maybe(INTEGER),
                "adjust": adjust,
                "copies": COPIES,
            }
        ),
        "inventory": record({"cards": cards}),
        "ability": record({"card": STRING, "choices": maybe(choices), "copies": COPIES}),
        "choose": record({"choices": choices}),
        "skip": record({}),
        "end_turn": record({}),
    }


def static_tools(players: int) -> list[Schema]:
    """The eight tools of section 1: enums for slots and seats, cards as strings."""
    return [{"name": name, "parameters": form} for name, form in _static_forms(players).items()]


def form_of(players: int, level: str, name: str) -> Schema | None:
    """What the arguments of a tool are held against when a call is read (contract section 4), None for an unknown tool.

    It has every field section 1 knows and no name of a card, whatever was offered at this decision: so a call is
    readable by its structure and types alone, and the same is readable at L1 to L5.
    """
    forms = _forms(players, level)
    if level == "L1":
        for prefix in (TECHNIQUE_PREFIX, ABILITY_PREFIX):
            if name.startswith(prefix):
                return forms[prefix]
    return forms.get(name)


@cache
def _forms(players: int, level: str) -> dict[str, Schema]:
    """The forms of a level's tools by name, at L1 those of one card by their prefix."""
    if level == "L0":
        return {MENU_TOOL: _MENU_FORM}
    forms = _static_forms(players)
    if level == "L1":
        flat = _choice_fields(players) | {f"stack_{key}": maybe(part) for key, part in _stack_fields(players).items()}
        flat["choices"] = maybe({})  # no field of a flat tool: what is stated in it is refused, not dropped
        forms["choose"] = record(flat)
        one_card = {"card": maybe(STRING), "targets": maybe(list_of(STRING)), "copies": COPIES}
        forms[TECHNIQUE_PREFIX] = forms[ABILITY_PREFIX] = record(one_card | flat)
    return forms


def tools_of(g: State, level: str) -> list[Schema]:
    """The tools a player has at a level; a decision must be pending."""
    if level == "L0":
        return menu_tools()
    if level == "L1":
        return guided_tools(g)
    if level in LEVELS:
        return static_tools(g.players)
    raise EngineError(f"no level {level!r}: the levels are {', '.join(LEVELS)}")


def translate(g: State, level: str, name: str, arguments: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """A call in the tools of a level as the tool and arguments of section 1.

    A tool of section 1 that cannot be used now passes: the engine judges it. Raises FormatFault.
    """
    if not isinstance(arguments, Mapping):
        raise FormatFault("malformed_arguments", f"the arguments of {name} must be an object")
    if level == "L0":
        return _from_menu(g, name, arguments)
    if level == "L1":
        return _from_guided(name, arguments)
    if name not in TOOLS:
        raise FormatFault("unknown_action", f"there is no tool {name}: the tools are {', '.join(TOOLS)}")
    return name, dict(arguments)


def _from_menu(g: State, name: str, arguments: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    if name != MENU_TOOL:
        raise FormatFault("unknown_action", f"there is no tool {name}: the only tool is {MENU_TOOL}")
    entry = arguments.get("entry")
    legal = LegalActions(g)
    if not isinstance(entry, int) or isinstance(entry, bool) or not 0 <= entry < len(legal):
        raise FormatFault("malformed_arguments", f"entry must be a number from 0 to {len(legal) - 1}")
    proposal = proposal_of(g, legal[entry])
    return _parts(proposal)


def _parts(proposal: Proposal) -> tuple[str, dict[str, object]]:
    arguments = proposal["arguments"]
    return str(proposal["tool"]), dict(arguments) if isinstance(arguments, dict) else {}


def _from_guided(name: str, arguments: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    flat = dict(arguments)
    if name == "choose":
        return name, {"choices": _nested(name, flat)}
    for prefix, plain in ((TECHNIQUE_PREFIX, "technique"), (ABILITY_PREFIX, "ability")):
        if name.startswith(prefix):
            targets = flat.pop("targets", None)
            copies = flat.pop("copies", None)
            slug = name.removeprefix(prefix)
            card = flat.pop("card", None) or slug
            if isinstance(card, str) and card.partition("#")[0] != slug:
                raise FormatFault("malformed_arguments", f"{name} is no tool for {card}")
            result: dict[str, object] = {"card": card, "choices": _nested(name, flat)}
            if targets:
                copies = [{"card": result["card"], "targets": targets}, *(copies if isinstance(copies, list) else [])]
            if copies is not None:
                result["copies"] = copies
            return plain, result
    if name in TOOLS:
        return name, flat
    raise FormatFault("unknown_action", f"there is no tool {name}")


def _nested(name: str, flat: Mapping[str, object]) -> dict[str, object]:
    """Flat choice fields as `choices`; the three stack fields become one."""
    if flat.get("choices") is not None:
        raise FormatFault("malformed_arguments", f"{name} has no field choices: each choice is a field of its own")
    choices = {field: value for field, value in flat.items() if field not in _NOT_NESTED}
    seat, number, card = (flat.get(field) for field in _STACK_FIELDS)
    if seat is not None or number is not None or card is not None:
        choices["stack"] = {"seat": seat, "number": number, "card": card}
    return choices


def express(g: State, level: str, index: int) -> tuple[str, dict[str, JSON]]:
    """The call by which a player at this level makes the index-th legal action, every key of the schema filled in."""
    if level == "L0":
        return MENU_TOOL, {"entry": index}
    name, stated = _parts(proposal_of(g, LegalActions(g)[index]))
    given: dict[str, JSON] = {key: value for key, value in stated.items()}  # type: ignore[misc]  # JSON by construction
    if level == "L1":
        name, given = _guided_call(name, given)
    schema = next((one for one in tools_of(g, level) if one["name"] == name), None)
    if schema is None:
        raise EngineError(f"level {level} has no tool {name} for this decision")
    return name, _filled(schema["parameters"], given)


def _guided_call(name: str, given: dict[str, JSON]) -> tuple[str, dict[str, JSON]]:
    choices = given.pop("choices", None)
    flat: dict[str, JSON] = dict(choices) if isinstance(choices, dict) else {}
    stack = flat.pop("stack", None)
    if isinstance(stack, dict):
        flat.update({f"stack_{key}": value for key, value in stack.items()})
    if name in ("technique", "ability"):
        card = str(given["card"])
        copies = given.get("copies")
        entries = list(copies) if isinstance(copies, list) else []
        rest = entries
        if entries and isinstance(entries[0], dict) and entries[0]["card"] == card:
            flat["targets"] = entries[0]["targets"]
            rest = entries[1:]
        if rest:
            flat["copies"] = rest
        flat["card"] = card
        return f"{name}_{card.partition('#')[0]}", flat
    return name, {**given, **flat}


def _filled(schema: JSON, given: dict[str, JSON]) -> dict[str, JSON]:
    """The arguments with null for every key that was not given, at every depth of the schema."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    result: dict[str, JSON] = {}
    for key, part in (properties if isinstance(properties, dict) else {}).items():
        value = given.get(key)
        inner = part
        if isinstance(part, dict) and isinstance(part.get("anyOf"), list):
            inner = part["anyOf"][0]  # type: ignore[index]  # a list, as tested
        if isinstance(value, dict):
            value = _filled(inner, value)
        elif value is None and part is inner and isinstance(part, dict):
            value = [] if part["type"] == "array" else _filled(part, {})
        result[key] = value
    return result
