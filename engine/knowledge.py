"""Which seat knows which hidden card where (R-INF-01 to R-INF-04, contract section 7).

Hidden zones are hands, decks and the market deck. For an observer, the hand and deck of an opponent
form one pool, the own deck and the market deck are pools of their own. The contents of a pool are
public as long as every move in and out was seen, so what is stored is only what deviates:

- `known[card]`: seats that know exactly where this card lies (a place in a deck, or a certain hand);
- `limbo[card]`: seats for which this card is somewhere among the unknown cards of several pools,
  because a card they could not see left the pool it was in.

Copies of a card cannot be told apart by anybody, so when a card shows itself, the marks of its copies
are exchanged such that nothing an observer is told depends on which physical copy it was.
"""

from __future__ import annotations

from engine.events import EVERYBODY
from engine.state import State
from engine.types import KIND_MASK, MARKET_POOL, Card, Seat


def pool(g: State, observer: Seat, owner: int) -> list[Card]:
    """The cards of one pool as `observer` has to think of it, hand first."""
    if owner == MARKET_POOL:
        return g.market_deck
    if owner == observer:
        return g.deck(owner)
    return g.hand(owner) + g.deck(owner)


def owners(g: State) -> list[int]:
    """Every owner of a pool, the market last."""
    return [*range(g.players), MARKET_POOL]


def _put(marks: dict[Card, int], card: Card, mask: int) -> None:
    if mask:
        marks[card] = mask
    else:
        marks.pop(card, None)


def _exchange(marks: dict[Card, int], one: Card, other: Card, bits: int) -> None:
    """Exchange the marks of two alike cards for the seats in `bits`."""
    mine = marks.get(one, 0)
    theirs = marks.get(other, 0)
    _put(marks, one, mine & ~bits | theirs & bits)
    _put(marks, other, theirs & ~bits | mine & bits)


def identify(g: State, seen: int, owner: int, card: Card, in_hand: bool) -> None:
    """The seats in `seen` learn the name of a card that is about to leave a hidden zone of `owner`.

    Their marks on it are cleared; where an alike copy bears the better knowledge, marks are exchanged first.
    """
    known = g.known
    kind = card & KIND_MASK
    if in_hand and known and seen & ~known.get(card, 0):
        for other in g.hand(owner):
            if other & KIND_MASK == kind and other != card and other in known:
                bits = known[other] & ~known.get(card, 0) & seen
                if bits:
                    _exchange(known, card, other, bits)
                    _exchange(g.limbo, card, other, bits)
    if card in known:
        _put(known, card, known[card] & ~seen)
    lost = g.limbo.get(card, 0) & seen
    if lost:
        for observer in range(g.players):
            bit = 1 << observer
            if lost & bit:
                for other in pool(g, observer, owner):
                    marked = g.limbo.get(other, 0) | g.known.get(other, 0)
                    if other & KIND_MASK == kind and other != card and not marked & bit:
                        _exchange(g.limbo, card, other, bit)
                        break
        _put(g.limbo, card, g.limbo.get(card, 0) & ~seen)


def unlocated(g: State, observer: Seat) -> set[Card]:
    """The cards of which a seat does not know in which pool they are; none if a single pool holds them all."""
    bit = 1 << observer
    lost = {card for card, mask in g.limbo.items() if mask & bit}
    if lost:
        holding = [owner for owner in owners(g) if not lost.isdisjoint(pool(g, observer, owner))]
        if len(holding) > 1:
            return lost
    return set()


def _settle(g: State, observer: Seat) -> None:
    """If one pool holds all the cards a seat could not place, it knows again what that pool contains."""
    if not unlocated(g, observer):
        bit = 1 << observer
        for card in [card for card, mask in g.limbo.items() if mask & bit]:
            _put(g.limbo, card, g.limbo[card] & ~bit)


def leaves_unseen(g: State, unseen: int, owner: int, card: Card, in_hand: bool) -> None:
    """A card is about to leave the pool of `owner` and the seats in `unseen` cannot see which.

    Everything that could have been the card becomes unknown to them. A seat that knew a card's exact place
    in a deck follows it and keeps its knowledge.
    """
    for observer in range(g.players):
        bit = 1 << observer
        if not unseen & bit:
            continue
        if not in_hand and g.known.get(card, 0) & bit:
            continue
        if g.limbo:
            _settle(g, observer)
        if in_hand:
            for other in g.hand(owner):
                if other in g.known:
                    _put(g.known, other, g.known[other] & ~bit)
        for other in pool(g, observer, owner):
            if not g.known.get(other, 0) & bit:
                g.limbo[other] = g.limbo.get(other, 0) | bit


def learn(g: State, seats: int, card: Card) -> None:
    """The seats in the mask know where this card lies now."""
    if seats:
        g.known[card] = g.known.get(card, 0) | seats
        if card in g.limbo:
            _put(g.limbo, card, g.limbo[card] & ~seats)


def look(g: State, seat: Seat, owner: int, card: Card) -> None:
    """A seat looks at a card in a deck and leaves it there for the moment."""
    if g.limbo:
        identify(g, 1 << seat, owner, card, in_hand=False)
    learn(g, 1 << seat, card)


def forget_places(g: State, cards: list[Card], seats: int = EVERYBODY) -> None:
    """These seats no longer know where the cards lie: they were shuffled or secretly rearranged."""
    if g.known:
        for card in cards:
            if card in g.known:
                _put(g.known, card, g.known[card] & ~seats)


def others(g: State, seat: Seat) -> int:
    """The mask of every seat but this one."""
    return (1 << g.players) - 1 & ~(1 << seat)


def show_in_hand(g: State, seat: Seat, card: Card) -> None:
    """Everybody is shown a card that stays in a hand (R-PAS-07, R-CPC-10).

    A seat that already knows of an alike card in that hand learns nothing: it may be the same one.
    """
    hand = g.hand(seat)
    kind = card & KIND_MASK
    for observer in range(g.players):
        bit = 1 << observer
        alike = [other for other in hand if other & KIND_MASK == kind]
        if observer == seat or any(g.known.get(other, 0) & bit for other in alike):
            continue
        identify(g, bit, seat, card, in_hand=True)
        learn(g, bit, card)
