"""Calls as flat fields with canonical names, so that two of them can be compared (contract sections 1 and 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.references import kind_in_game, of_kind, split_name
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

    used: the card whose technique or ability is used; where cards are chosen a bare slug means another one.
    """
    hand = g.hand(seat)
    result = dict(fields)

    def own(card: Card) -> str:
        return spell_card(g, seat, card)

    for field, value in fields.items():
        if field in HAND_FIELDS or (field == CARDS_CHOSEN and chosen_from_hand):
            names = value if isinstance(value, list) else []
            result[field] = _spelled(g, hand, names, own, used if field == CARDS_CHOSEN else -1)
        elif field == "throw_away" and isinstance(value, list):
            result[field] = _spelled(g, hand, value, _slug)
        elif field == "from_discard" and isinstance(value, list):
            result[field] = _spelled(g, g.discard(seat), value, _slug)
        elif field == "copies" and isinstance(value, list):
            entries = [entry for entry in value if isinstance(entry, dict)]
            cards = _spelled(g, hand, [entry["card"] for entry in entries], own)
            result[field] = [{**entry, "card": card} for entry, card in zip(entries, cards, strict=True)]
    return result


def _slug(card: Card) -> str:
    return SLUGS[card & KIND_MASK]


def _spelled(
    g: State, zone: list[Card], names: list[JSON], spell: Callable[[Card], str], used: Card = -1
) -> list[JSON]:
    """Each name as `spell` writes the card it means: `#n` first, then bare slugs in zone order (contract section 2)."""
    meant: dict[int, Card] = {}
    for bare in (False, True):
        for place, written in enumerate(names):
            slug, number = split_name(str(written))
            kind = kind_in_game(g, slug)
            if (number == 0) == bare and kind >= 0:
                copies = of_kind(zone, kind)
                free = [one for one in copies if one != used]
                found = free if bare else [one for one in copies[number - 1 : number] if one != used and number > 0]
                card = next((one for one in found if one not in meant.values()), None)
                if card is not None:
                    meant[place] = card
    return [spell(meant[place]) if place in meant else written for place, written in enumerate(names)]
