"""When the merchant plays a technique with + or an ability before the action it has settled on.

A card is played only if neither that action nor the next two stacks need it, so the action stays possible. The turn
always ends: a technique leaves fewer cards in the hand, or it is one of ``_RENEWING``, which bring one card for
themselves. Spyglass is played only on a deck that needs no reshuffle, Acorn and Gift Voucher leave the own cards, and
none of them ever fetches another one from where those that were played lie.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from harness.agents.base import Proposal
from harness.agents.merchant_finals import Final, played
from harness.agents.merchant_plan import holding_of, outlook
from harness.agents.merchant_view import COPYING, JUNK, View, cards, key_of, mean_value, slug_of, without

_RENEWING = COPYING | {"spyglass", "favourite_toy", "new_season", "gift_voucher", "acorn"}
"""What leaves the hand as large as it was: never brought back into the hand by another such card."""
_LOOKED_AT = 3
_LEAST = 0.05
"""A technique whose worth is not above this is not played."""
_MARKET_DECK_CARD = 1.0
"""What an unknown card of the market deck is worth in the hand."""


class Case(NamedTuple):
    """A technique that could be played now. ``loose``: the other hand cards that nothing needs."""

    view: View
    card: str
    choices: Mapping[str, Any]
    final: Final
    kept: tuple[str, ...]
    loose: tuple[str, ...]
    now: float
    """The score of the position as it is."""

    @property
    def idle(self) -> bool:
        """Whether the action settled on neither builds nor brings a card."""
        return bool(self.final.proposal["tool"] == "inventory")

    @property
    def chosen(self) -> str:
        """The first card chosen, "" if there is none."""
        return slug_of(next(iter(self.choices.get("cards", ())), ""))


def best_technique(view: View, proposals: Sequence[Proposal], final: Final) -> Proposal | None:
    """Return the technique with + that is worth most, None if none is worth playing."""
    own = outlook(holding_of(view))
    needed = Counter(final.used) | Counter(own.kept)
    loose = without(view.hand, needed.elements())
    best, found = _LEAST, None
    for proposal in proposals:
        arguments = proposal["arguments"]
        if proposal["tool"] != "technique" or slug_of(arguments["card"]) not in loose:
            continue
        worth = _WORTH.get(played(proposal))
        if worth is not None:
            card = slug_of(arguments["card"])
            rest = without(loose, (card,))
            value = worth(Case(view, card, arguments.get("choices", {}), final, own.kept, rest, own.score))
            if value > best:
                best, found = value, proposal
    return found


def best_ability(proposals: Sequence[Proposal], final: Final | None) -> Proposal | None:
    """Return the roll of a Bold Haggler unless a stack is to be built: it can only add to what is paid.

    None if there is no such roll left.
    """
    if final is not None and final.proposal["tool"] == "stall":
        return None
    rolls = (p for p in proposals if p["tool"] == "ability" and slug_of(p["arguments"]["card"]) == "bold_haggler")
    return next(rolls, None)


def _swift_broker(case: Case) -> float:
    rest = without(case.view.hand, (case.card,))
    supply = case.view.deck if len(case.view.deck) >= len(rest) else case.view.deck + case.view.discard
    better = mean_value(case.view.edition, supply) - mean_value(case.view.edition, rest)
    return 0.3 + 0.3 * better - 0.4 * len(case.kept) if case.idle else 0.0


def _shattered_relic(case: Case) -> float:
    return _thrown(case)


def _thrown(case: Case) -> float:
    """What it is worth to be rid of the chosen card."""
    if case.chosen not in case.loose:
        return 0.0
    if case.chosen == JUNK:
        return 0.8
    return 0.2 if cards(case.view.edition)[case.chosen].value == 1 and case.view.number > 2 else 0.0


def _spyglass(case: Case) -> float:
    return 0.3 if len(case.view.deck) >= _LOOKED_AT else 0.0


def _flashy_show(case: Case) -> float:
    """Worth it if it makes the next stack."""
    view = case.view
    if case.final.proposal["tool"] == "stall":
        return 0.0
    keys = [key for slug in without(view.hand, (case.card,)) if (key := key_of(view.edition, slug))]
    for name in view.sets:
        values = [value + 1 for own, value in keys if own == name]
        for count in range(1, min(4, len(values)) + 1):
            if any(sum(chosen) == view.number for chosen in combinations(values, count)):
                return 1.0
    return 0.0


def _favourite_toy(case: Case) -> float:
    if not case.view.discard or case.view.discard[-1] in _RENEWING:
        return 0.0
    top = case.view.discard[-1]
    own = holding_of(case.view)
    hand = (*without(own.hand, (case.card,)), top)
    return outlook(own._replace(hand=hand, discard=(*own.discard[:-1], case.card))).score - case.now


def _loyal_partner(case: Case) -> float:
    """Classic: the whole market; remastered: any part of it, the more the better."""
    if case.view.edition == "remastered":
        return 0.08 * len(case.choices.get("slots", ())) if case.idle else 0.0
    return 0.4 if case.idle else 0.0


def _essential_purchase(case: Case) -> float:
    """To be rid of a card, and to buy for less."""
    if case.chosen and case.chosen not in case.loose:
        return 0.0
    return _thrown(case) + (0.0 if case.final.proposal["tool"] == "stall" else 0.3)


def _exclusive_contacts(case: Case) -> float:
    """Two cards more, if nothing is to be bought."""
    return 0.0 if case.final.proposal["tool"] == "market" else 0.6


def _wily_fellow(case: Case) -> float:
    view = case.view
    gain = mean_value(view.edition, view.discard) - mean_value(view.edition, view.deck)
    return 0.3 * gain if len(view.discard) >= len(view.deck) else 0.0


def _nuisance(case: Case) -> float:
    return sum(_against(case, seat, 0.1) for seat in case.choices.get("opponents", ()) if _hand_size(case, seat))


def _against(case: Case, seat: str, worth: float) -> float:
    """What is worth something against a player is worth a little more against one that is ahead."""
    zones = case.view.opponents[seat]
    return worth + len(zones["stall"]) / 100 if worth > 0 and not zones["forfeited"] else 0.0


def _hand_size(case: Case, seat: str) -> int:
    size: int = case.view.opponents[seat]["hand_size"]
    return size


def _rotten_food(case: Case) -> float:
    return sum(_against(case, seat, _thrown(case)) for seat in case.choices.get("opponents", ()))


def _dirty_exchange(case: Case) -> float:
    (seat,) = case.choices["opponents"]
    return _against(case, seat, 0.5) if JUNK in case.loose and _hand_size(case, seat) else 0.0


def _sabotage(case: Case) -> float:
    (seat,) = case.choices["opponents"]
    return _against(case, seat, 0.2)


def _acorn(case: Case) -> float:
    stack = case.choices.get("stack")
    return _against(case, stack["seat"], _swapped(case, slug_of(stack["card"]))) if stack else 0.0


def _swapped(case: Case, taken: str) -> float:
    """What it is worth to have another card in the place of the one played, which is lost."""
    if taken in _RENEWING:
        return 0.0
    own = holding_of(case.view)
    return outlook(own._replace(hand=(*without(own.hand, (case.card,)), taken))).score - case.now


def _gift_voucher(case: Case) -> float:
    slots = case.choices.get("slots", ())
    return sum(_swapped(case, offer.slug) for offer in case.view.market if offer.slot in slots)


def _new_season(case: Case) -> float:
    if not case.chosen or case.chosen in _RENEWING:
        return 0.0
    own = holding_of(case.view)
    hand, discard = without(own.hand, (case.card,)), without(own.discard, (case.chosen,))
    after = outlook(own._replace(hand=hand, discard=(*discard, case.card)))
    return after.score + _MARKET_DECK_CARD - case.now


def _whirligig(case: Case) -> float:
    (seat,) = case.choices["opponents"]
    if case.view.edition == "remastered":
        theirs = case.view.pools[seat]
        better = mean_value(case.view.edition, theirs) - mean_value(case.view.edition, case.view.deck)
        return _against(case, seat, 0.2 * better)
    return _against(case, seat, _swift_broker(case) - 0.1) if _hand_size(case, seat) else 0.0


def _charm(case: Case) -> float:
    return 0.5 if case.view.number <= 5 else 0.0


def _gamble(case: Case) -> float:
    (seat,) = case.choices["opponents"]
    rest = without(case.view.hand, (case.card,))
    return _against(case, seat, 0.1) if case.idle and not case.kept and set(rest) == {JUNK} else 0.0


def _blindfold(case: Case) -> float:
    """A card nobody is likely to guess may become the next stack alone; remastered: a likely guess brings a card."""
    view = case.view
    if view.edition == "remastered":
        values = [cards(view.edition)[slug].value for slug in view.deck or view.discard]
        return 0.6 * values.count(case.choices.get("value", 0)) / len(values) - 0.2 if values else 0.0
    if case.final.proposal["tool"] == "stall" or not 1 < view.number <= 5 or not case.chosen:
        return 0.0
    key = key_of(view.edition, case.chosen)
    if key is None or case.chosen not in case.loose:
        return 0.0
    frequent = Counter(cards(view.edition)[slug].value for slug in (*view.hand, *view.deck))
    return 0.6 - 0.02 * frequent[key[1]]


_WORTH: Mapping[str, Callable[[Case], float]] = {
    "swift_broker": _swift_broker,
    "shattered_relic": _shattered_relic,
    "spyglass": _spyglass,
    "flashy_show": _flashy_show,
    "favourite_toy": _favourite_toy,
    "loyal_partner": _loyal_partner,
    "wily_fellow": _wily_fellow,
    "nuisance": _nuisance,
    "rotten_food": _rotten_food,
    "dirty_exchange": _dirty_exchange,
    "sabotage": _sabotage,
    "acorn": _acorn,
    "new_season": _new_season,
    "whirligig": _whirligig,
    "charm": _charm,
    "gamble": _gamble,
    "blindfold": _blindfold,
    "gift_voucher": _gift_voucher,
    "essential_purchase": _essential_purchase,
    "exclusive_contacts": _exclusive_contacts,
}
"""What each technique with + is worth, in turns; other techniques end the action phase (``merchant_finals``)."""
