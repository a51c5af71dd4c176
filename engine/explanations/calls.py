"""Calls as flat fields with canonical names, so that two of them can be compared (contract sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.copying import copies_on
from engine.references import Reader, Zone
from engine.state import State
from engine.tables import SLUGS
from engine.types import JSON, KIND_MASK, Card, Seat
from engine.verbs.spelling import spell_card

Fields = dict[str, JSON]
"""The arguments of a call; the fields of `choices` as `choices.cards` and so on. What is not given is missing."""

HAND_FIELDS: Final = ("payment", "cards")
"""The fields that name cards of the own hand, whatever the tool; `choices.cards` does where the question says so."""
CARDS_CHOSEN: Final = "choices.cards"


def flat(arguments: dict[str, JSON]) -> Fields:
    """The arguments with the fields of `choices` beside the others."""
    fields = {field: value for field, value in arguments.items() if field != "choices"}
    choices = arguments.get("choices")
    if isinstance(choices, dict):
        fields.update({f"choices.{field}": value for field, value in choices.items()})
    return fields


def nested(fields: Fields) -> dict[str, JSON]:
    """Flat fields as arguments; null ones are left out."""
    arguments: dict[str, JSON] = {}
    choices: dict[str, JSON] = {}
    for field, value in fields.items():
        if value is not None:
            inner, _, choice = field.partition(".")
            if choice:
                choices[choice] = value
            else:
                arguments[inner] = value
    return {**arguments, "choices": choices} if choices else arguments


def settled(g: State, seat: Seat, fields: Fields, chosen_from_hand: bool, used: Card = -1) -> Fields:
    """The fields with every name that means a card spelled as the legal list spells it; other names as they are.

    used: the card whose technique or ability is used; where cards are chosen a bare slug means another one. In `copies`
    a bare slug means a card named in the call that must copy; it is left where there is none.
    """
    hand = g.hand(seat)
    result = dict(fields)
    named = [used]

    def own(card: Card) -> str:
        return spell_card(g, seat, card)

    def meant(zone: Zone, names: list[JSON], without: Card = -1, offered: Zone | None = None) -> list[Card]:
        reader = Reader(g, seat)
        reader.playing = without
        return reader.named(zone, [str(written) for written in names], offered=offered)

    for field, value in fields.items():
        if field in HAND_FIELDS or (field == CARDS_CHOSEN and chosen_from_hand):
            names = value if isinstance(value, list) else []
            cards = meant(hand, names, used if field == CARDS_CHOSEN else -1)
            result[field] = _spelled(names, cards, own)
            named += cards
        elif field == "throw_away" and isinstance(value, list):
            result[field] = _spelled(value, meant(hand, value), _slug)
        elif field == "from_discard" and isinstance(value, list):
            result[field] = _spelled(value, meant(g.discard(seat), value), _slug)
    copies = fields.get("copies")
    if isinstance(copies, list):
        entries = [entry for entry in copies if isinstance(entry, dict)]
        names = [entry["card"] for entry in entries]
        copying = [one for one in hand if one in named and copies_on(g, one)]
        spelled = _spelled(names, meant(hand, names, offered=copying), own)
        result["copies"] = [{**entry, "card": card} for entry, card in zip(entries, spelled, strict=True)]
    return result


def _slug(card: Card) -> str:
    return SLUGS[card & KIND_MASK]


def _spelled(names: list[JSON], meant: list[Card], spell: Callable[[Card], str]) -> list[JSON]:
    """Each name as `spell` writes the card it means; as it is if it means none."""
    return [written if card < 0 else spell(card) for written, card in zip(names, meant, strict=True)]
