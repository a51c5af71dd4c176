"""How the merchant answers what an effect asks in the middle of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from harness.agents.base import Proposal, Turn
from harness.agents.merchant_plan import Holding, holding_of, outlook
from harness.agents.merchant_view import View, cards, key_of, slug_of, without

_TOP_VALUE = 5
_SETS = ("squirrels", "macaws", "pandas", "ocelots", "raccoons", "chameleons")
"""The sets the merchant can do most with first: squirrels ease its stacks, chameleons cannot be planned with."""


def answer_effect(view: View, turn: Turn) -> Proposal:
    """Return one of the legal answers, the first of equally good ones."""
    judge = _JUDGES.get(turn.decision.asks)
    if judge is None:  # the order in which offered cards are thrown away, and as what Charm's card is built
        return turn.legal[0]
    return max(turn.legal, key=lambda proposal: judge(view, turn, proposal["arguments"]["choices"]))


def _take(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    """A card for the hand, from the own deck (Spyglass) or the market deck (Special Offer)."""
    slug = slug_of(choices["cards"][0])
    own = holding_of(view)
    if turn.decision.card != "special_offer":
        own = own._replace(deck=without(own.deck, (slug,)))
    return outlook(own._replace(hand=(*own.hand, slug))).score


def _put_back(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    """The card last named is drawn first."""
    wanted = [_wanted(view, slug_of(name)) for name in choices["cards"]]
    return sum(place * worth for place, worth in enumerate(wanted))


def _wanted(view: View, slug: str) -> float:
    own = holding_of(view)
    return outlook(own._replace(hand=(*own.hand, slug), deck=without(own.deck, (slug,)))).score


def _give_back(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    """The hand that is left should be the best."""
    own: Holding = holding_of(view)
    return outlook(own._replace(hand=without(own.hand, (slug_of(choices["cards"][0]),)))).score


def _throw_away(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    """The best card of another player's deck (Sabotage); junk last of all."""
    slug = slug_of(choices["cards"][0])
    value = cards(view.edition)[slug].value
    return value + 0.5 if key_of(view.edition, slug) is not None else value


def _guess(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    """The value most cards have that the asking player may hold; of equally frequent ones the lower."""
    holder = turn.observation["turn"]
    values = Counter(cards(view.edition)[slug].value for slug in turn.observation["pools"][holder]["cards"])
    value: int = choices["value"]
    return values[value] - value / 100


def _value(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    """What builds the next stack alone if it can, else as much as possible to pay with."""
    value: int = choices["value"]
    return _TOP_VALUE + 1 if value == view.number else value


def _pick(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    return -_SETS.index(choices["option"])


def _ban(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    return _SETS.index(choices["option"])


def _copy(view: View, turn: Turn, choices: Mapping[str, Any]) -> float:
    """The dearest card to pay or build with (Sound Detectors)."""
    return cards(view.edition)[slug_of(choices["cards"][0])].value


_JUDGES: Mapping[str, Callable[[View, Turn, Mapping[str, Any]], float]] = {
    "take": _take,
    "put_back": _put_back,
    "give_back": _give_back,
    "copy": _copy,
    "throw_away": _throw_away,
    "guess": _guess,
    "value": _value,
    "pick": _pick,
    "ban": _ban,
}
