"""Re-dealing what a seat cannot know: another game that seat could just as well be in (contract section 7).

The observation, the decision, the legal list, the tool schemas and every refusal stay the same for that seat.
"""

from __future__ import annotations

from engine import rng
from engine.knowledge import owners, pool, unlocated
from engine.state import State
from engine.types import MARKET_POOL, Card, Seat


def determinise(g: State, seat: Seat, seed: int) -> State:
    """A clone in which every card whose place the seat does not know is dealt again, uniformly, by `seed`.

    Cards that may be in several pools are dealt among those pools first, then each pool among its places.
    """
    other = g.clone()
    bit = 1 << seat
    lost = unlocated(other, seat)
    places = _places(other, seat)
    draw = 0
    if lost:
        among = [(zone, index) for zone, index in places if zone[index] in lost]
        _deal(among, rng.stream(seed, rng.PICKS, draw))
    for owner in owners(other):
        draw += 1
        inside = pool(other, seat, owner)
        free = {card for card in inside if not other.known.get(card, 0) & bit}
        _deal([(zone, index) for zone, index in places if zone[index] in free], rng.stream(seed, rng.PICKS, draw))
    return other


def _places(g: State, seat: Seat) -> list[tuple[list[Card], int]]:
    """Every place of a hidden zone, as (zone, index)."""
    zones = []
    for owner in owners(g):
        if owner == MARKET_POOL:
            zones.append(g.market_deck)
        else:
            zones.append(g.deck(owner))
            if owner != seat:
                zones.append(g.hand(owner))
    return [(zone, index) for zone in zones for index in range(len(zone))]


def _deal(places: list[tuple[list[Card], int]], start: int) -> None:
    """Permute the cards of these places."""
    cards = rng.shuffled([zone[index] for zone, index in places], start)
    for (zone, index), card in zip(places, cards, strict=True):
        zone[index] = card
