"""The tools of level L1: made for the pending decision, flat, with only the fields and values that can occur."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards._define import PROGRAMS
from engine.checks.copies import spell_chain
from engine.copying import copies_on, identities, reachable
from engine.decisions import pending_step
from engine.frames import BONUS_STACK_PROGRAM, Question
from engine.groups import groups_by_name
from engine.schemas import (
    INTEGER,
    MOST_VALUES,
    Schema,
    enum_values,
    list_of,
    maybe,
    one_of,
    record,
    tool,
    without_enums,
)
from engine.state import Frame, State
from engine.tables import (
    ACCORDION,
    IS_TECHNIQUE,
    KINDS,
    MARKET_DISCOVERY,
    NOSTALGIC_ITEM,
    SECRET,
    SLUGS,
    THRIFTY,
)
from engine.types import ACTION, EMPTY, JSON, KIND_MASK, Card, Kind, Seat
from engine.values import Identity
from engine.verbs.spelling import spell_card
from engine.window import questions_of, usable


def guided_tools(g: State) -> list[Schema]:
    """One tool for each kind of answer that can be given now, one for each technique and ability that can be used.

    Where their enums had too many values together, as with a hand of more than thirty different cards, cards are any
    strings (contract, section 3).
    """
    tools = _guided_tools(g)
    if sum(map(enum_values, tools)) <= MOST_VALUES:
        return tools
    return [{**one, "parameters": without_enums(one["parameters"], _is_card)} for one in tools]


def _is_card(value: str) -> bool:
    """Whether a value of an enum names a card: ``slug``, ``slug#n`` or ``zone:slug``."""
    return value.rpartition(":")[2].partition("#")[0] in KINDS


def _guided_tools(g: State) -> list[Schema]:
    seat = g.turn
    step = pending_step(g)
    if step is not None:
        return [tool("choose", _fields(g, g.frames[-1], (step.question,)))]
    if g.frames and g.frames[-1].program == BONUS_STACK_PROGRAM:
        return [_stall(g, seat), *_abilities(g, seat), tool("skip", {})]
    if g.phase == ACTION:
        return [
            *_market(g, seat),
            *_techniques(g, seat),
            _stall(g, seat),
            tool("inventory", {"cards": list_of(one_of(_hand_names(g, seat)))}),
            *_abilities(g, seat),
        ]
    return [*_abilities(g, seat), tool("end_turn", {})]


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _hand_names(g: State, seat: Seat, without: Card = EMPTY) -> list[str]:
    return _unique(spell_card(g, seat, card) for card in g.hand(seat) if card != without)


def _kinds(g: State, seat: Seat, card: Card) -> list[Kind]:
    return [one.kind for one in identities(g, seat, card)]


def _can_be(g: State, seat: Seat, cards: list[Card], kind: Kind) -> bool:
    return any(kind in _kinds(g, seat, card) for card in cards)


def _written(g: State, seat: Seat, found: list[Identity]) -> list[str]:
    return _unique(target for one in found for target in spell_chain(g, seat, one.chain))


def _copies(g: State, seat: Seat, cards: list[Card], playing: Card = EMPTY) -> dict[str, Schema]:
    """The field `copies` if some of these cards must copy. playing: the technique whose secret card they may be."""
    copying = [card for card in cards if copies_on(g, card, playing)]
    if not copying:
        return {}
    names = _unique(spell_card(g, seat, card) if card in g.hand(seat) else SLUGS[card & KIND_MASK] for card in copying)
    found = [one for card in copying for one in reachable(g, seat, card, playing)]
    item = record({"card": one_of(names), "targets": list_of(one_of(_written(g, seat, found)))})
    return {"copies": maybe(list_of(item))}


def _market(g: State, seat: Seat) -> list[Schema]:
    hand = g.hand(seat)
    sources = [f"slot_{slot}" for slot, card in enumerate(g.market) if card != EMPTY]
    offered = [card for card in g.market if card != EMPTY]
    if g.market_discard and _can_be(g, seat, hand, MARKET_DISCOVERY):
        sources.append("market_discard")
        offered.append(g.market_discard[-1])
    if not sources:
        return []
    names = _hand_names(g, seat)
    fields: dict[str, Schema] = {"source": one_of(sources), "payment": list_of(one_of(names))}
    if any(card & KIND_MASK == THRIFTY[g.edition] for card in offered):
        fields["throw_away"] = maybe(list_of(one_of(names)))
    return [tool("market", {**fields, **_copies(g, seat, hand)})]


def _techniques(g: State, seat: Seat) -> list[Schema]:
    return [_technique(g, seat, group) for group in groups_by_name(g.hand(seat)) if _playable(g, seat, group)]


def _playable(g: State, seat: Seat, group: list[Card]) -> list[Identity]:
    """The techniques the copies of one name can be played as."""
    every = [one for card in group for one in identities(g, seat, card)]
    return [one for one in every if IS_TECHNIQUE[g.edition][one.kind]]


def _technique(g: State, seat: Seat, group: list[Card]) -> Schema:
    slug = SLUGS[group[0] & KIND_MASK]
    names = _unique(spell_card(g, seat, card) for card in group)
    fields: dict[str, Schema] = {"card": one_of(names)} if len(names) > 1 else {}
    copying = [card for card in group if copies_on(g, card)]
    if copying:
        targets = list_of(one_of(_written(g, seat, [one for one in _playable(g, seat, copying) if one.chain])))
        fields["targets"] = targets if len(copying) == len(group) else maybe(targets)
    kinds = list(dict.fromkeys(one.kind for one in _playable(g, seat, group)))
    for kind in kinds:
        for card in group if len(names) > 1 else group[:1]:
            for field, part in _fields(g, Frame(kind, seat, card), PROGRAMS[g.edition][kind].questions).items():
                single = len(kinds) == 1 and len(names) < 2
                fields[field] = part if single else _either(fields.get(field), part)
    if SECRET[g.edition] in kinds:
        playing = group[0] if len(group) == 1 else EMPTY
        fields.update(_copies(g, seat, [one for one in g.hand(seat) if one != playing], playing))
    return tool(f"technique_{slug}", fields)


def _either(one: Schema | None, other: Schema) -> Schema:
    """A field that several techniques or abilities a card can have use in their own ways, or not at all."""
    schemas = [_bare(schema) for schema in (one, other) if schema is not None]
    lists = [schema["items"] for schema in schemas if isinstance(schema.get("items"), dict)]
    values = [_enum(part) for part in (lists or schemas)]
    if all(enum is not None for enum in values):
        every = one_of(_unique(value for enum in values for value in enum or []))
        return maybe(list_of(every) if lists else every)
    return maybe(_bare(other))


def _bare(schema: Schema) -> Schema:
    """A schema without its null."""
    parts = schema.get("anyOf")
    inner = parts[0] if isinstance(parts, list) else schema
    return inner if isinstance(inner, dict) else schema


def _enum(schema: JSON) -> list[str] | None:
    """The values of an enum, None for another schema."""
    values = schema.get("enum") if isinstance(schema, dict) else None
    return [str(value) for value in values] if isinstance(values, list) else None


def _stall(g: State, seat: Seat) -> Schema:
    hand = g.hand(seat)
    fields: dict[str, Schema] = {"cards": list_of(one_of(_hand_names(g, seat)))}
    usable_cards = list(hand)
    if g.discard(seat) and _can_be(g, seat, hand, NOSTALGIC_ITEM):
        fields["from_discard"] = maybe(list_of(one_of(_unique(SLUGS[card & KIND_MASK] for card in g.discard(seat)))))
        usable_cards += g.discard(seat)
    accordions = [card for card in usable_cards if ACCORDION in _kinds(g, seat, card)]
    if accordions:
        names = _unique(SLUGS[card & KIND_MASK] for card in accordions)
        fields["adjust"] = maybe(list_of(record({"card": one_of(names), "by": INTEGER})))
    return tool("stall", {**fields, **_copies(g, seat, usable_cards)})


def _abilities(g: State, seat: Seat) -> list[Schema]:
    tools: dict[str, Schema] = {}
    uses = usable(g, seat)
    for card in _unique_cards([use.card for use in uses]):
        slug = SLUGS[card & KIND_MASK]
        own = [use for use in uses if use.card & KIND_MASK == card & KIND_MASK]
        names = _unique(spell_card(g, seat, use.card) for use in own)
        fields: dict[str, Schema] = {"card": one_of(names)} if len(names) > 1 else {}
        targets = _unique(target for use in own for target in spell_chain(g, seat, use.chain))
        if targets:
            fields["targets"] = maybe(list_of(one_of(targets)))
        parts = [_fields(g, Frame(0, seat, use.card), questions_of(g, use.kind)) for use in own]
        for field in _unique(field for part in parts for field in part):
            same = all(part.get(field) == parts[0].get(field) for part in parts)
            for part in parts:
                if field in part:
                    fields[field] = part[field] if same else _either(fields.get(field), part[field])
        tools.setdefault(slug, tool(f"ability_{slug}", fields))
    return list(tools.values())


def _unique_cards(cards: list[Card]) -> list[Card]:
    return list(dict.fromkeys(cards))


def _fields(g: State, frame: Frame, questions: tuple[Question, ...]) -> dict[str, Schema]:
    """The choice fields of these questions, with the values that can occur; optional orders may be null."""
    fields: dict[str, Schema] = {}
    for question in questions:
        spelled = [question.spell(g, frame, answer) for answer in question.options(g, frame)]
        if not spelled:
            continue
        if question.field == "value":
            fields["value"] = INTEGER
        elif question.field == "stack":
            stacks = [one["stack"] for one in spelled if isinstance(one.get("stack"), dict)]
            if stacks:
                fields["stack_seat"] = one_of(_unique(str(one["seat"]) for one in stacks if isinstance(one, dict)))
                fields["stack_number"] = INTEGER
                fields["stack_card"] = one_of(_unique(str(one["card"]) for one in stacks if isinstance(one, dict)))
        elif question.field == "option":
            fields["option"] = one_of(_unique(str(one["option"]) for one in spelled))
        else:
            values = _listed(g, frame, question, spelled)
            if values:
                schema = list_of(one_of(values))
                fields[question.field] = maybe(schema) if question.optional else schema
            for field in question.also:
                fields[field] = one_of(_unique(str(one[field]) for one in spelled))
    return fields


def _listed(g: State, frame: Frame, question: Question, spelled: list[dict[str, JSON]]) -> list[str]:
    """The values of a list field: those of the listed answers, or of the whole zone for an optional order."""
    if question.optional:
        if question.from_hand:
            return _hand_names(g, frame.actor, without=frame.card)
        return [f"slot_{slot}" for slot, card in enumerate(g.market) if card != EMPTY]
    lists = [one.get(question.field) for one in spelled]
    return _unique(str(value) for one in lists if isinstance(one, list) for value in one)
