"""What the merchant reads out of an observation: its cards, the market, the others; and plain facts about cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from engine import CardInfo, catalogue

JUNK = "junk"
COPYING = frozenset(("flexible_shopkeeper", "reflection", "good_old_times", "trendsetting", "seeing_doubles"))
"""Cards that count as something else whenever they are used in the classic edition: no plan can be made with them."""

Key = tuple[str, int]
"""Set and printed value: all that matters about a card in a stack."""


class Offer(NamedTuple):
    """One card of the market."""

    slot: str
    slug: str
    cost: int


class View(NamedTuple):
    """A position as one seat sees it. ``deck`` is the own deck's content, in no order; ``discard`` has its top last."""

    seat: str
    edition: str
    sets: tuple[str, ...]
    number: int
    """The next stack."""
    limit: int
    """Cards a hand is filled up to."""
    hand: tuple[str, ...]
    values: Mapping[str, int]
    """Current value of each hand card by its name as the observation spells it."""
    names: tuple[str, ...]
    """The hand as the observation spells it, ``#n`` included."""
    copies: Mapping[str, str]
    """What hand cards are copies of now, by their names as the observation spells them."""
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    market: tuple[Offer, ...]
    market_discard: tuple[str, ...]
    supply: frozenset[str]
    """What may still come into the market: the names in the market deck and the market discard."""
    pools: Mapping[str, tuple[str, ...]]
    """What the hand and deck of each other seat are known to contain together."""
    opponents: Mapping[str, Mapping[str, Any]]
    """The public zones of the other seats."""
    gold: int
    """The own gold; none but in the tournament variant."""


def read_view(observation: Mapping[str, Any]) -> View:
    """Return the view of the seat the observation was made for."""
    seat = observation["seat"]
    return View(
        seat=seat,
        edition=observation["edition"],
        sets=tuple(observation["sets"]),
        number=observation["next_stack"],
        limit=observation["hand_limit"] or 5,
        hand=tuple(slug_of(card["card"]) for card in observation["hand"]),
        values={card["card"]: card["value"] for card in observation["hand"]},
        names=tuple(card["card"] for card in observation["hand"]),
        copies={card["card"]: card["copies"] for card in observation["hand"] if "copies" in card},
        deck=tuple(observation["pools"][seat]["cards"]),
        discard=tuple(observation["seats"][seat]["discard"]),
        market=tuple(
            Offer(offer["slot"], offer["card"], offer["cost"]) for offer in observation["market"] if offer is not None
        ),
        market_discard=tuple(observation["market_discard"]),
        supply=frozenset(observation["pools"]["market_deck"]["cards"] + observation["market_discard"]),
        pools={
            other: tuple(pool["cards"]) for other, pool in observation["pools"].items() if other in observation["seats"]
        },
        opponents={other: zones for other, zones in observation["seats"].items() if other != seat},
        gold=observation["seats"][seat].get("gold", 0),
    )


def slug_of(name: str) -> str:
    """Return a card's name without its ``#n``."""
    return name.partition("#")[0]


@lru_cache(maxsize=2)
def cards(edition: str) -> Mapping[str, CardInfo]:
    """Return every card of an edition by its slug."""
    return {card.slug: card for card in catalogue(edition)}


def key_of(edition: str, slug: str) -> Key | None:
    """Return what the card counts as in a planned stack; None for junk and for cards that must copy."""
    if slug == JUNK or (edition == "classic" and slug in COPYING):
        return None
    card = cards(edition)[slug]
    return card.set, card.value


def without(zone: Iterable[str], gone: Iterable[str]) -> tuple[str, ...]:
    """Return a zone without these cards, one copy for each time a card is named; cards it does not hold are ignored."""
    missing = Counter(gone)
    left = []
    for card in zone:
        if missing[card]:
            missing[card] -= 1
        else:
            left.append(card)
    return tuple(left)


def mean_value(edition: str, zone: Iterable[str]) -> float:
    """Return the mean printed value of the cards, that of junk if there are none."""
    values = [cards(edition)[slug].value for slug in zone]
    return sum(values) / len(values) if values else 1.0
