"""Which activated abilities can be used now (R-TRN-09, R-PAS-05, R-CLN-08)."""

from __future__ import annotations

from typing import NamedTuple

from engine.actions import Link
from engine.copying import copies_on, identities, targets
from engine.frames import distinct
from engine.state import State
from engine.tables import (
    BOLD_HAGGLER,
    CLASSIC_CHAMELEONS,
    COOKIES,
    GOOD_OLD_TIMES,
    MARKET_DISCOVERY,
)
from engine.types import END_OF_TURN, HAND, KIND_MASK, MARKET_DECK, MARKET_DISCARD, ZONES_PER_SEAT, Card, Kind, Seat
from engine.values import plain

THROW_AWAY_KINDS = (MARKET_DISCOVERY, GOOD_OLD_TIMES)
"""The once-per-turn abilities that throw away the top card of the market deck."""
ABILITY_KINDS = (*THROW_AWAY_KINDS, BOLD_HAGGLER)
"""Every activated ability of the classic edition (R-PAS-05)."""

_CANDIDATES = frozenset((*ABILITY_KINDS, *CLASSIC_CHAMELEONS))


_IN_WINDOW = frozenset((MARKET_DISCOVERY, *CLASSIC_CHAMELEONS))
"""The cards that may be of use in the end-of-turn window (R-CLN-08)."""


_WORTH_COPYING = frozenset((MARKET_DISCOVERY, COOKIES, *CLASSIC_CHAMELEONS))
"""The targets that may give a chameleon something to do in the end-of-turn window, themselves or by a chain."""


class Use(NamedTuple):
    """One way to use an ability: the card, whose ability, and what a chameleon copies for it."""

    card: Card
    kind: Kind
    chain: tuple[Link, ...]


def has_effect(g: State, kind: Kind) -> bool:
    """Whether an ability can do anything now (PAN4c-1, CHA3c-1)."""
    if kind in THROW_AWAY_KINDS:
        return bool(g.zones[MARKET_DECK] or g.zones[MARKET_DISCARD])
    return True


def allowed_now(g: State, kind: Kind) -> bool:
    """Whether this is the time for an ability: in the end-of-turn window not for all (R-CLN-08)."""
    if g.phase == END_OF_TURN:
        return kind in THROW_AWAY_KINDS or kind == COOKIES
    return kind in ABILITY_KINDS


def usable(g: State, seat: Seat) -> list[Use]:
    """Every ability the active player can use now, alike cards once; only those of the hand (R-PAS-01)."""
    candidates = [card for card in g.zones[HAND + ZONES_PER_SEAT * seat] if card & KIND_MASK in _CANDIDATES]
    if not candidates:
        return []
    uses: list[Use] = []
    for card in distinct(g, candidates):
        uses += [use for use in ways(g, seat, card) if allowed_now(g, use.kind) and has_effect(g, use.kind)]
    return uses


def ways(g: State, seat: Seat, card: Card) -> list[Use]:
    """The unused abilities a hand card has or can copy, whatever the time; declaring Cookies is not limited by use."""
    used = card in g.used
    if not copies_on(g, card):
        identity = plain(g, card)
        return [Use(card, identity.kind, ())] if identity.kind in ABILITY_KINDS and not identity.used else []
    found = []
    if card & KIND_MASK == GOOD_OLD_TIMES and not used:
        found.append(Use(card, GOOD_OLD_TIMES, ()))
    for identity in identities(g, seat, card):
        if identity.chain:
            counts = identity.kind == COOKIES and g.phase == END_OF_TURN and card not in g.counted
            if counts or (identity.kind in ABILITY_KINDS and not identity.used):
                found.append(Use(card, identity.kind, identity.chain))
    return found


def window_open(g: State) -> bool:
    """Whether anything can be used in the end-of-turn window."""
    for card in g.zones[HAND + ZONES_PER_SEAT * g.turn]:
        if card & KIND_MASK in _IN_WINDOW and _in_doubt(g, card):
            return bool(usable(g, g.turn))
    return False


def _in_doubt(g: State, card: Card) -> bool:
    """A quick test that lets most chameleons pass: not their own ability, and nothing in sight that has one."""
    kind = card & KIND_MASK
    if kind in THROW_AWAY_KINDS or g.locks:
        return True
    return any([target & KIND_MASK in _WORTH_COPYING for _, target in targets(g, g.turn, kind, card)])
