"""How far a position is from its next stacks: the cheapest way to get each, in turns, and what is left to pay with.

A card costs nothing in the hand, a little in the own piles, about a turn in the market and more if it is nowhere to
be seen. The stacks ahead are planned one after the other, each from what the ones before leave over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from harness.agents.merchant_view import JUNK, Key, Offer, View, cards, key_of, mean_value

STACKS = 8
AHEAD = 3
"""How many stacks are planned."""
MOST_CARDS = 4
"""Cards in a planned stack of one set."""
_VALUES = (1, 2, 3, 4, 5)
_VENDOR: Key = ("squirrels", 1)
_CHEST: Key = ("squirrels", 2)
_JUNK: Key = ("none", 1)
_NO_CARD = 99.0


Needed = Sequence[tuple[Key, int]]
"""Cards of a planned stack: how many of which."""


class Weights(NamedTuple):
    """Prices in turns, and what else makes a position good."""

    build: float = 1.0
    hand: float = 0.05
    deck: float = 0.25
    discard: float = 0.5
    market: float = 1.0
    market_cost: float = 0.05
    absent: float = 1.5
    absent_value: float = 0.12
    lost: float = 5.0
    """A card that cannot come into the market now."""
    far: float = 0.95
    """How much each stack counts beside the one before it."""
    power: float = 0.02
    """For each point of value to pay with next turn."""
    junk: float = 0.1
    """Against each own junk card."""


WEIGHTS = Weights()


class Holding(NamedTuple):
    """The cards of a seat at the end of its action, before it draws, and the market as it then is."""

    edition: str
    sets: tuple[str, ...]
    number: int
    limit: int
    hand: tuple[str, ...]
    deck: tuple[str, ...]
    discard: tuple[str, ...]
    market: tuple[Offer, ...]
    supply: frozenset[str]


class Outlook(NamedTuple):
    """``score``: the higher the better, about one for each turn saved. ``kept``: hand cards for the next two stacks."""

    score: float
    kept: tuple[str, ...]


def holding_of(view: View) -> Holding:
    """Return the cards as they are."""
    return Holding(
        view.edition,
        view.sets,
        view.number,
        view.limit,
        view.hand,
        view.deck,
        view.discard,
        view.market,
        view.supply,
    )


def outlook(own: Holding, last: int | None = None, weights: Weights = WEIGHTS) -> Outlook:
    """Judge a holding by its stacks up to number ``last`` (AHEAD of them unless given)."""
    if own.number > STACKS:
        return Outlook(1000.0, ())
    stock = _Stock(own, weights)
    if last is None:
        last = own.number + AHEAD - 1
    score, weight = 0.0, 1.0
    kept: list[str] = []
    for number in range(own.number, min(last, STACKS) + 1):
        price, needed = _cheapest(stock, number, own)
        score -= weight * (weights.build + price)
        weight *= weights.far
        taken = stock.take(needed)
        if number <= own.number + 1:
            kept += taken
    junk = (own.hand + own.deck + own.discard).count(JUNK)
    return Outlook(score + weights.power * _power(own, kept) - weights.junk * junk, tuple(kept))


def _power(own: Holding, kept: Sequence[str]) -> float:
    """What there will be to pay with next turn."""
    info = cards(own.edition)
    draws = max(0, own.limit - len(own.hand))
    drawn = mean_value(own.edition, own.deck if len(own.deck) >= draws else own.deck + own.discard)
    return sum(info[slug].value for slug in own.hand) - sum(info[slug].value for slug in kept) + draws * drawn


class _Stock:
    """What copies of each kind of card cost: ``totals[set][value][count]``, the cheapest copies first."""

    def __init__(self, own: Holding, weights: Weights) -> None:
        self.weights = weights
        self.prices: dict[Key, list[float]] = {(name, value): [] for name in own.sets for value in _VALUES}
        self.prices[_JUNK] = []
        self.supply = {key_of(own.edition, slug) for slug in own.supply}
        self.held: dict[Key, list[str]] = {key: [] for key in self.prices}
        self.owned = dict.fromkeys(self.prices, 0)
        draws = max(0, own.limit - len(own.hand))
        reach = min(1.0, draws / max(1, len(own.deck)))
        self._add(own, own.hand, weights.hand, self.held)
        self._add(own, own.deck, weights.deck * (1.5 - reach))
        self._add(own, own.discard, weights.discard)
        for place, offer in enumerate(own.market):  # cards slide to the right: the place is the surcharge to come
            key = key_of(own.edition, offer.slug)
            if key is not None:
                self.prices[key].append(weights.market + weights.market_cost * (key[1] + place))
        self.totals = {name: [(), *(self._totals((name, value)) for value in _VALUES)] for name in own.sets}
        self.junk = self._totals(_JUNK)

    def _add(self, own: Holding, zone: Sequence[str], price: float, held: dict[Key, list[str]] | None = None) -> None:
        for slug in zone:
            key = _JUNK if slug == JUNK else key_of(own.edition, slug)
            if key is not None:
                self.prices[key].append(price)
                self.owned[key] += 1
                if held is not None:
                    held[key].append(slug)

    def _totals(self, key: Key) -> tuple[float, ...]:
        return running_totals(tuple(sorted(self.prices[key])), self._absent(key))

    def _absent(self, key: Key) -> float:
        if key == _JUNK:
            return _NO_CARD
        return self.weights.absent + self.weights.absent_value * key[1] if key in self.supply else self.weights.lost

    def take(self, needed: Needed) -> list[str]:
        """Use these cards up; returns those that lie in the hand."""
        taken = []
        for key, count in needed:
            self.prices[key] = sorted(self.prices[key])[count:]
            self.owned[key] = max(0, self.owned[key] - count)
            taken += self.held[key][:count]
            del self.held[key][:count]
            if key == _JUNK:
                self.junk = self._totals(key)
            else:
                self.totals[key[0]][key[1]] = self._totals(key)
        return taken


def _cheapest(stock: _Stock, number: int, own: Holding) -> tuple[float, Needed]:
    """The cheapest cards for a stack and their price: of one set, or with what the Squirrels allow."""
    best: tuple[float, Needed] = (_NO_CARD, ())
    for name in own.sets:
        totals = stock.totals[name]
        for parts in partitions(number, MOST_CARDS):
            price = 0.0
            for value, count in parts:
                price += totals[value][count]
            if price < best[0]:
                best = (price, [((name, value), count) for value, count in parts])
    if "squirrels" in own.sets:
        others = (*_with_vendor(stock, number, own), *_with_chest(stock, number, own))
        best = min((best, *others), key=lambda way: way[0])
    return best


def _with_vendor(stock: _Stock, number: int, own: Holding) -> Iterator[tuple[float, Needed]]:
    """The stacks of a Stashing Vendor, junk, and perhaps one more Squirrel; a hand must be able to hold them."""
    if not stock.owned[_VENDOR]:
        return
    totals = stock.totals[_VENDOR[0]]
    for junk in range(1, min(number, own.limit)):
        rest = number - 1 - junk
        price = totals[1][1] + stock.junk[junk]
        if rest == 0:
            yield price, [(_VENDOR, 1), (_JUNK, junk)]
        elif 1 < rest <= _VALUES[-1]:
            yield price + totals[rest][1], [(_VENDOR, 1), (_JUNK, junk), ((_VENDOR[0], rest), 1)]


def _with_chest(stock: _Stock, number: int, own: Holding) -> Iterator[tuple[float, Needed]]:
    """The stacks of an Empty Chest and one or two cards of any other values."""
    if not stock.owned[_CHEST]:
        return
    cheapest = {
        value: min((stock.totals[name][value][1], (name, value)) for name in own.sets)
        for value in _VALUES
        if value != _CHEST[1]
    }
    chest = stock.totals[_CHEST[0]][_CHEST[1]][1]
    for parts in partitions(number - _CHEST[1], 2):
        if all(count == 1 and value in cheapest for value, count in parts):
            chosen = [cheapest[value] for value, _ in parts]
            yield chest + sum(price for price, _ in chosen), [(_CHEST, 1), *((key, 1) for _, key in chosen)]


@lru_cache(maxsize=4096)
def running_totals(prices: tuple[float, ...], absent: float) -> tuple[float, ...]:
    """Return the price of 0, 1, … 8 copies, of which those without a price cost ``absent``."""
    return tuple(accumulate((prices + (absent,) * STACKS)[:STACKS], initial=0.0))


@lru_cache(maxsize=64)
def partitions(total: int, most: int, largest: int = 5) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return every way to write a total as at most ``most`` values from 1 to ``largest``, as (value, count) pairs."""
    if total <= 0:
        return ((),) if total == 0 else ()
    found = []
    for value in range(min(largest, total), 0, -1):
        for count in range(1, min(most, total // value) + 1):
            for rest in partitions(total - value * count, most - count, value - 1):
                found.append(((value, count), *rest))
    return tuple(found)
