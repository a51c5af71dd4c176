"""Which seat knows which hidden card where (R-INF-01 to R-INF-04, contract section 7).

Hidden zones are hands, decks and the market deck. For an observer, the hand and deck of an opponent
form one pool, the own deck and the market deck are pools of their own. The contents of a pool are
public as long as every move in and out was seen, so what is stored is only what deviates:

- `known[card]`: the mask of seats that know exactly where this card lies (a place in a deck, or a certain hand);
- `limbo[seat][card]`: the seat does not know in which of several pools this card is, because a card it
  could not see went from one to another. The value is a class: the cards of one class are spread over the same pools.
  It is negative while the card lies where a seat was seen to place it on a deck: the seat does not know which card of
  the class lies there, but that it is one of them and none of the deck's own.

Copies of a card cannot be told apart by anybody, so when a card shows itself, the marks of its copies
are exchanged such that nothing an observer is told depends on which physical copy it was.
"""

from __future__ import annotations

from collections.abc import Collection

from engine.state import State, copy_of
from engine.types import HAND, KIND_MASK, MARKET_POOL, ZONES_PER_SEAT, Card, Kind, Seat


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


def others(g: State, seat: Seat) -> int:
    """The mask of every seat but this one."""
    return (1 << g.players) - 1 & ~(1 << seat)


def _know(g: State, card: Card, mask: int) -> None:
    if mask:
        g.known[card] = mask
    else:
        g.known.pop(card, None)


def _exchange(g: State, one: Card, other: Card, observer: Seat) -> None:
    """Exchange all marks of two alike cards for one observer."""
    bit = 1 << observer
    mine = g.known.get(one, 0)
    theirs = g.known.get(other, 0)
    _know(g, one, mine & ~bit | theirs & bit)
    _know(g, other, theirs & ~bit | mine & bit)
    lost = g.limbo[observer]
    here = lost.pop(one, None)
    there = lost.pop(other, None)
    if there is not None:
        lost[one] = there
    if here is not None:
        lost[other] = here


def concerns(g: State, seen: int, owner: int, card: Card, in_hand: bool) -> bool:
    """Whether `identify` could have anything to do: a quick test for moves that mostly have not."""
    known = g.known
    if card in known:
        return True
    for lost in g.limbo:
        if card in lost and any([seen >> observer & 1 for observer, one in enumerate(g.limbo) if card in one]):
            return True
    if in_hand:
        hand = g.zones[HAND + ZONES_PER_SEAT * owner]
        if not known.keys().isdisjoint(hand):
            kind = card & KIND_MASK
            for other in hand:
                if other & KIND_MASK == kind and other in known:
                    return True
    return False


def known_kinds(g: State, cards: list[Card]) -> Collection[Kind]:
    """The kinds of those of these cards that some seat knows the place of."""
    return {card & KIND_MASK for card in g.known.keys() & cards}


def any_lost(g: State, cards: Collection[Card]) -> bool:
    """Whether some seat no longer knows which pool holds one of these cards."""
    for lost in g.limbo:  # noqa: SIM110  a generator would take longer than the test
        if lost and not lost.keys().isdisjoint(cards):
            return True
    return False


def identify(g: State, seen: int, owner: int, card: Card, in_hand: bool) -> None:
    """The seats in `seen` learn the name of a card that is about to leave a hidden zone of `owner`.

    Their marks on it are cleared; where an alike copy bears the better knowledge, marks are exchanged first. A card
    that was seen to be placed where it lies cannot be taken for a copy.
    """
    kind = card & KIND_MASK
    known = g.known
    held: list[Card] = []
    if in_hand and known:
        held = [one for one in g.zones[HAND + ZONES_PER_SEAT * owner] if one & KIND_MASK == kind and one in known]
    for observer, lost in enumerate(g.limbo):
        bit = 1 << observer
        if not seen & bit:
            continue
        if held and not known.get(card, 0) & bit:
            for other in held:
                if known.get(other, 0) & bit:
                    _exchange(g, card, other, observer)
                    break
        if card in lost:
            _find(g, observer, owner, card)
    if card in known:
        _know(g, card, known[card] & ~seen)


def _find(g: State, observer: Seat, owner: int, card: Card) -> None:
    """A card the observer could not place shows itself in a pool; an alike one that was never lost may be meant."""
    lost = g.limbo[observer]
    if lost[card] > 0:
        for other in pool(g, observer, owner):
            alike = other & KIND_MASK == card & KIND_MASK
            if alike and other not in lost and not g.known.get(other, 0) >> observer & 1:
                _exchange(g, card, other, observer)
                break
    lost.pop(card, None)
    if lost.keys().isdisjoint(pool(g, observer, owner)):
        _settle(g, observer)


def classes(g: State, observer: Seat) -> list[set[Card]]:
    """The cards a seat cannot place, class by class, the oldest first; one that a single pool holds is open no more."""
    found: dict[int, set[Card]] = {}
    for card, number in g.limbo[observer].items():
        found.setdefault(abs(number), set()).add(card)
    return [lost for _, lost in sorted(found.items()) if _spread(g, observer, lost) > 1]


def _spread(g: State, observer: Seat, lost: set[Card]) -> int:
    """Over how many pools these cards are spread."""
    return sum(not lost.isdisjoint(pool(g, observer, owner)) for owner in owners(g))


def _settle(g: State, observer: Seat) -> None:
    """Forget the classes that a single pool holds: it is known again what that pool contains.

    What is told is the same without it; but moves of cards that no seat has lost are quicker.
    """
    still_open = {card for lost in classes(g, observer) for card in lost}
    lost = g.limbo[observer]
    for card in [card for card in lost if card not in still_open]:
        del lost[card]


Move = tuple[int, int, Card]
"""A card that goes from the pool of one owner to that of another: (owner, receiver, card)."""


def leave_unseen(g: State, unseen: int, moving: list[Move], in_hand: bool, placed: bool = False) -> None:
    """Cards are about to go to other pools, none of them yet; the seats in `unseen` cannot see which.

    Everything that could have been one of them becomes unknown to these seats, together with what was unknown in the
    pools before. A seat that knew a card's exact place in a deck follows it and keeps its knowledge, as does one that
    knows of a whole hand from which a single card goes that there is but one name in it. Where decks change packets a
    seat also follows all it cannot tell apart in a pool if that goes whole; of hands the number is a secret.

    placed: the cards go on top of a deck, where everybody can follow them and they do not mingle with its own.
    """
    for observer in range(g.players):
        if unseen >> observer & 1:
            if g.limbo[observer]:
                _settle(g, observer)
            _lose_sight(g, observer, moving, in_hand, placed)


def _lose_sight(g: State, observer: Seat, moving: list[Move], in_hand: bool, placed: bool) -> None:
    """The same for one seat."""
    lost = g.limbo[observer]
    left = _left_whole(g, observer, moving) if len(moving) > 1 and not in_hand else []
    for owner, receiver, card in moving:
        if in_hand:
            hand = g.hand(owner)
            known_whole = all([g.known.get(one, 0) >> observer & 1 for one in hand])
            if known_whole and len(moving) == 1 and _are_alike(g, hand):
                continue
            forget_places(g, hand, 1 << observer)
            free = hand if known_whole else _free(g, observer, owner)
        elif is_placed(g, observer, card):
            free = [card]
        elif owner in left or g.known.get(card, 0) >> observer & 1:
            continue
        else:
            free = _free(g, observer, owner)
        _join(g, observer, free, [] if placed or receiver in left else pool(g, observer, receiver))
    if placed:
        for _, _, card in moving:
            if card in lost:
                lost[card] = -abs(lost[card])


def is_placed(g: State, observer: Seat, card: Card) -> bool:
    """Whether the observer saw this card placed where it lies now, and does not know which card it is."""
    return g.limbo[observer].get(card, 0) < 0


def _are_alike(g: State, cards: list[Card]) -> bool:
    """Whether these hand cards cannot be told apart: one name, and announced as the same copy if any is (R-CPR-06)."""
    return len({(card & KIND_MASK, copy_of(g, card)) for card in cards}) == 1


def _free(g: State, observer: Seat, owner: int) -> list[Card]:
    """The cards of a pool of which the observer does not know the place, nor that they were placed where they lie."""
    bit = 1 << observer
    return [
        card for card in pool(g, observer, owner) if not (g.known.get(card, 0) & bit or is_placed(g, observer, card))
    ]


def _left_whole(g: State, observer: Seat, moving: list[Move]) -> list[int]:
    """The pools whose free cards all go to one other pool: none of them could be anywhere else then."""
    found = []
    for owner, receiver in {(giver, taker): None for giver, taker, _ in moving}:
        going = {card for giver, taker, card in moving if (giver, taker) == (owner, receiver)}
        if going.issuperset(_free(g, observer, owner)):
            found.append(owner)
    return found


def _join(g: State, observer: Seat, free: list[Card], target: list[Card]) -> None:
    """Make one class of the cards that could have gone and of every class that either pool takes part in.

    A class takes part in a pool where one of its cards may be any card of that pool, not if it was placed there.
    """
    lost = g.limbo[observer]
    touched = {abs(lost[card]) for card in free if card in lost} | {lost[card] for card in target if card in lost}
    number = max([max(map(abs, one.values()), default=0) for one in g.limbo]) + 1
    for card, old in lost.items():
        if abs(old) in touched:
            lost[card] = number if old > 0 else -number
    for card in free:
        lost[card] = number


def mingle(g: State, owner: Seat, card: Card) -> None:
    """A card that lay where it had been placed is about to become one of many: drawn to a hand, or rearranged."""
    for observer, lost in enumerate(g.limbo):
        if card in lost and lost[card] < 0:
            _settle(g, observer)
            if card in lost:
                _join(g, observer, [card], pool(g, observer, owner))


def learn(g: State, seats: int, card: Card) -> None:
    """The seats in the mask know where this card lies now."""
    if seats:
        g.known[card] = g.known.get(card, 0) | seats
        for observer, lost in enumerate(g.limbo):
            if seats >> observer & 1:
                lost.pop(card, None)


def look(g: State, seat: Seat, owner: int, card: Card) -> None:
    """A seat looks at a card in a deck and leaves it there for the moment."""
    if any(g.limbo):
        identify(g, 1 << seat, owner, card, in_hand=False)
    learn(g, 1 << seat, card)


def forget_places(g: State, cards: list[Card], seats: int) -> None:
    """These seats no longer know where the cards lie: they were secretly rearranged, or one of them left unseen."""
    if g.known:
        for card in cards:
            if card in g.known:
                _know(g, card, g.known[card] & ~seats)


def show_in_hand(g: State, seat: Seat, card: Card) -> None:
    """Everybody is shown a card that stays in a hand (R-PAS-07, R-CPC-10)."""
    for observer in range(g.players):
        if observer != seat:
            show_to(g, observer, seat, [card])


def show_to(g: State, observer: Seat, owner: Seat, shown: list[Card]) -> None:
    """A seat is shown cards, all at once, that stay in another hand (CHA4r-1).

    If it already knows of an alike card there that it is not shown now, it learns nothing: it may be the same one. A
    chameleon that has been announced as a copy is not alike to another one that is none (R-CPR-06).
    """
    bit = 1 << observer
    for card in shown:
        if g.known.get(card, 0) & bit:
            continue
        kind = card & KIND_MASK
        copied = copy_of(g, card)
        others = [one for one in g.hand(owner) if one & KIND_MASK == kind and one not in shown]
        alike = next((one for one in others if g.known.get(one, 0) & bit and copy_of(g, one) == copied), None)
        if alike is not None:
            _exchange(g, card, alike, observer)
        else:
            identify(g, bit, owner, card, in_hand=False)
            learn(g, bit, card)
