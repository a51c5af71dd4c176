"""What a classic chameleon can copy: valid targets, chains, reachable identities, locks (R-CPC-01 to R-CPC-12)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.actions import STALL, Copy, Link
from engine.state import Lock, State
from engine.tables import (
    FLEXIBLE_SHOPKEEPER,
    GOOD_OLD_TIMES,
    IS_CHAMELEON,
    REFLECTION,
    SEEING_DOUBLES,
    TRENDSETTING,
    VALUE,
)
from engine.types import (
    CLASSIC,
    EMPTY,
    KIND_MASK,
    MARKET,
    MARKET_DISCARD,
    Card,
    Kind,
    Seat,
    discard_zone,
    hand_zone,
)
from engine.values import Identity, copied, lock_of, new_identity, plain


def targets(g: State, seat: Seat, kind: Kind, root: Card, playing: Card = EMPTY) -> list[Link]:
    """The valid targets of a chameleon of this kind used by `seat`; `root` is the card used (R-CPC-04).

    Each kind has a statement of its own: CHA1c-1, CHA2c-1, CHA3c-1, CHA5Ac-1, CHA5Bc-1. playing: the technique that is
    being played while it still lies in the hand; for what it does it is no longer part of it (R-VOC-04).
    """
    if kind == FLEXIBLE_SHOPKEEPER:
        return [(STALL, card) for card in g.stalls[seat][-1]] if g.stalls[seat] else []
    if kind == REFLECTION:
        piles = [(seat + step) % g.players for step in range(1, g.players)]
        return [(discard_zone(other), g.discard(other)[-1]) for other in piles if g.discard(other)]
    if kind == GOOD_OLD_TIMES:
        return [(MARKET_DISCARD, g.market_discard[-1])] if g.market_discard else []
    if kind == TRENDSETTING:
        return [(MARKET, card) for card in g.market if card != EMPTY]
    if kind == SEEING_DOUBLES:
        return [(hand_zone(seat), card) for card in g.hand(seat) if card not in (root, playing)]
    return []


def copies_on(g: State, card: Card, playing: Card = EMPTY) -> bool:
    """Whether a target is a copying card that must copy on: a classic chameleon without a lock (R-CPC-05, R-CPC-08).

    playing: the technique that is being played; locks that rest on it end as it leaves the hand (R-VOC-04).
    """
    if g.edition != CLASSIC or not IS_CHAMELEON[card & KIND_MASK]:
        return False
    chain = lock_of(g, card)
    if not chain or playing == EMPTY:
        return not chain
    return any([target == playing for _, target in chain]) or copies_on(g, chain[-1][1], playing)


def reachable(g: State, seat: Seat, card: Card, playing: Card = EMPTY) -> list[Identity]:
    """Every identity a chameleon without a lock can take, each by the first of its shortest chains.

    Identities that agree in kind, value and use count as one. playing: as in `targets`.
    """
    if g.alterations or g.used or g.locks:
        return _reachable_now(g, seat, card, playing)
    # every target is its printed self, so that a kind is an identity
    found: dict[Kind, Identity] = {}
    for chain, link in _links(g, seat, card, playing):
        kind = link[1] & KIND_MASK
        if kind not in found:
            found[kind] = new_identity(Identity, (kind, VALUE[kind], False, (*chain, link)))
    return list(found.values())


def _reachable_now(g: State, seat: Seat, card: Card, playing: Card) -> list[Identity]:
    """The same while something changes values, uses or identities."""
    found: dict[tuple[Kind, int, bool], Identity] = {}
    for chain, link in _links(g, seat, card, playing):
        identity = copied(g, card, (*chain, link))
        found.setdefault((identity.kind, identity.value, identity.used), identity)
    return list(found.values())


def _links(g: State, seat: Seat, card: Card, playing: Card) -> list[tuple[tuple[Link, ...], Link]]:
    """Every last link of a chain, with the chain before it, the shortest chains first."""
    start = card & KIND_MASK
    queue: list[tuple[tuple[Link, ...], Kind, tuple[Kind, ...]]] = [((), start, (start,))]
    found = []
    for chain, kind, seen in queue:
        for link in targets(g, seat, kind, card, playing):
            target = link[1]
            name = target & KIND_MASK
            if not (IS_CHAMELEON[name] and copies_on(g, target, playing)):
                found.append((chain, link))
            elif name not in seen:
                queue.append(((*chain, link), name, (*seen, name)))
    return found


def identities(g: State, seat: Seat, card: Card) -> list[Identity]:
    """All a card can be in its next use: itself, or, for a chameleon that must copy, what it can copy (R-CPC-03)."""
    memo = g.memo
    if memo is not None and card in memo:
        return memo[card]
    result = []
    if IS_CHAMELEON[card & KIND_MASK] and copies_on(g, card):
        result = reachable(g, seat, card)
    result = result or [plain(g, card)]
    if memo is not None:
        memo[card] = result
    return result


def copies_of(g: State, pieces: Iterable[tuple[Card, Identity]]) -> tuple[Copy, ...]:
    """What has to be announced for cards used in these identities; a locked chameleon needs nothing."""
    return tuple([Copy(card, one.chain) for card, one in pieces if one.chain and copies_on(g, card)])


def surely_other(g: State, seat: Seat, card: Card, kind: Kind) -> bool:
    """A quick test: whether a chameleon has a direct target that neither is of this kind now nor must copy on."""
    for _, target in targets(g, seat, card & KIND_MASK, card):
        if target & KIND_MASK != kind and not copies_on(g, target) and plain(g, target).kind != kind:
            return True
    return False


def chain_holds(g: State, seat: Seat, card: Card, chain: tuple[Link, ...]) -> bool:
    """Whether every link of a chain is a valid target of the one before it, and the last one must not copy on."""
    kind = card & KIND_MASK
    for link in chain:
        if link not in targets(g, seat, kind, card):
            return False
        kind = link[1] & KIND_MASK
    return not copies_on(g, chain[-1][1])


def lock(g: State, card: Card, chain: tuple[Link, ...]) -> None:
    """From now on the chameleon stays this copy; a lock it had ends (R-CPC-08)."""
    unlock(g, [one for one in g.locks if one[0] == card])
    g.locks.append((card, chain, sum([change[0] == card for change in g.alterations])))


def unlock(g: State, ended: list[Lock]) -> None:
    """End these locks, with the alterations put on the cards since they began (R-CPC-08)."""
    for one in ended:
        g.locks.remove(one)
        card, _, before = one
        kept = []
        for change in g.alterations:
            if change[0] != card or before:
                kept.append(change)
            if change[0] == card and before:
                before -= 1
        g.alterations = kept


def break_locks(g: State) -> None:
    """End the locks whose target is no longer valid (R-CPC-08).

    A lock on a locked chameleon ends with the lock of that one: it would have to copy on (R-CPC-05).
    """
    while ended := [one for one in g.locks if not chain_holds(g, g.turn, one[0], one[1])]:
        unlock(g, ended)
