"""Which activated abilities can be used now (R-TRN-09, R-PAS-05, R-CLN-08, R-CLN-09)."""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

from engine.actions import Link
from engine.cards._define import PROGRAMS
from engine.copying import copies_on, identities, targets
from engine.frames import ABILITY_PROGRAMS, Question, distinct
from engine.state import Frame, State
from engine.tables import (
    CHAMELEON_SET,
    CLASSIC_CHAMELEONS,
    COOKIES,
    GOOD_OLD_TIMES,
    HAS_ABILITY,
    MARKET_DISCOVERY,
    SLUGS,
)
from engine.types import (
    EDITIONS,
    END_OF_TURN,
    HAND,
    KIND_MASK,
    MARKET_DECK,
    MARKET_DISCARD,
    ZONES_PER_SEAT,
    Answer,
    Card,
    Kind,
    Seat,
)
from engine.values import likeness, plain

THROW_AWAY_KINDS: Final = (MARKET_DISCOVERY, GOOD_OLD_TIMES)
"""The classic once-per-turn abilities that throw away the top card of the market deck."""
WINDOW_KINDS: Final = ((*THROW_AWAY_KINDS, COOKIES), (COOKIES,))
"""By edition: what can be used, or declared to be copied, in the end-of-turn window (R-CLN-08, R-CLN-09)."""

_CANDIDATES: Final = tuple(
    frozenset([kind for kind in range(len(SLUGS)) if HAS_ABILITY[edition][kind]] + list(CLASSIC_CHAMELEONS))
    for edition in range(len(EDITIONS))
)
"""By edition: the cards on whose face an ability stands, or that may come to have one."""


_IN_WINDOW: Final = frozenset((MARKET_DISCOVERY, *CLASSIC_CHAMELEONS))
"""The cards that may be of use in the end-of-turn window (R-CLN-08)."""


_WORTH_COPYING: Final = frozenset((MARKET_DISCOVERY, COOKIES, *CLASSIC_CHAMELEONS))
"""The targets that may give a chameleon something to do in the end-of-turn window, themselves or by a chain."""


class Use(NamedTuple):
    """One way to use an ability: the card, whose ability, and what a chameleon copies for it."""

    card: Card
    kind: Kind
    chain: tuple[Link, ...]


def questions_of(g: State, kind: Kind) -> tuple[Question, ...]:
    """What is asked when an ability is used."""
    program = PROGRAMS[g.edition].get(ABILITY_PROGRAMS + kind)
    return program.questions if program else ()


def answers_of(g: State, use: Use) -> list[tuple[Answer, ...]]:
    """Every way to answer what is asked when an ability is used."""
    frame = Frame(ABILITY_PROGRAMS + use.kind, g.turn, use.card)
    return list(product(*[question.options(g, frame) for question in questions_of(g, use.kind)]))


def has_effect(g: State, kind: Kind, card: Card) -> bool:
    """Whether an ability can do anything now (PAN4c-1, CHA3c-1, R-CLN-09, R-CPR-05)."""
    if g.edition:
        if kind == COOKIES:
            return bool(g.deck(g.turn) or g.discard(g.turn))
        return bool(answers_of(g, Use(card, kind, ())))
    if kind in THROW_AWAY_KINDS:
        return bool(g.zones[MARKET_DECK] or g.zones[MARKET_DISCARD])
    return True


def allowed_now(g: State, kind: Kind) -> bool:
    """Whether this is the time for an ability: in the end-of-turn window not for all (R-CLN-08, R-CPR-01)."""
    if g.phase == END_OF_TURN:
        return kind in WINDOW_KINDS[g.edition]
    return HAS_ABILITY[g.edition][kind] and kind != COOKIES


def usable(g: State, seat: Seat) -> list[Use]:
    """Every ability the active player can use now, alike cards once; only those of the hand (R-PAS-01)."""
    candidate_kinds = _CANDIDATES[g.edition]
    candidates = [card for card in g.zones[HAND + ZONES_PER_SEAT * seat] if card & KIND_MASK in candidate_kinds]
    if not candidates:
        return []
    uses: list[Use] = []
    for card in distinct(g, candidates):
        if card in g.counted:
            card = _alike_not_counted(g, candidates, card)
        uses += [use for use in ways(g, seat, card) if allowed_now(g, use.kind) and has_effect(g, use.kind, card)]
    return uses


def _alike_not_counted(g: State, cards: list[Card], counted: Card) -> Card:
    """An alike card that has not counted as Cookies and so can do more; the card itself if there is none (R-CLN-08)."""
    mark = likeness(g, counted)
    return next((card for card in cards if card not in g.counted and likeness(g, card) == mark), counted)


def ways(g: State, seat: Seat, card: Card) -> list[Use]:
    """The unused abilities a hand card has or can copy, whatever the time; declaring Cookies is not limited by use."""
    used = card in g.used
    if not copies_on(g, card):
        identity = plain(g, card)
        able = HAS_ABILITY[g.edition][identity.kind] and not identity.used
        return [Use(card, identity.kind, ())] if able else []
    found = []
    if card & KIND_MASK == GOOD_OLD_TIMES and not used:
        found.append(Use(card, GOOD_OLD_TIMES, ()))
    for identity in identities(g, seat, card):
        if identity.chain:
            counts = identity.kind == COOKIES and g.phase == END_OF_TURN and card not in g.counted
            if counts or (HAS_ABILITY[g.edition][identity.kind] and not identity.used):
                found.append(Use(card, identity.kind, identity.chain))
    return found


def window_open(g: State) -> bool:
    """Whether anything can be used in the end-of-turn window."""
    if g.edition:
        return _cookies_left(g)
    if CHAMELEON_SET not in g.sets and not (g.zones[MARKET_DECK] or g.zones[MARKET_DISCARD]):
        return False  # nothing to throw away, and nobody who could be anything else
    for card in g.zones[HAND + ZONES_PER_SEAT * g.turn]:
        kind = card & KIND_MASK
        if kind in _IN_WINDOW:
            if kind == MARKET_DISCOVERY:
                if card not in g.used and has_effect(g, kind, card):
                    return True
            elif _in_doubt(g, card):
                return bool(usable(g, g.turn))
    return False


def _in_doubt(g: State, card: Card) -> bool:
    """A quick test that lets most chameleons pass: not their own ability, and nothing in sight that has one."""
    kind = card & KIND_MASK
    if kind in THROW_AWAY_KINDS or g.locks:
        return True
    return any([target & KIND_MASK in _WORTH_COPYING for _, target in targets(g, g.turn, kind, card)])


def _cookies_left(g: State) -> bool:
    """Whether a remastered Cookies, or a copy of one, can draw a card (R-CLN-09)."""
    hand = g.zones[HAND + ZONES_PER_SEAT * g.turn]
    if not g.alterations:  # no copy in force
        found = any([card & KIND_MASK == COOKIES and card not in g.used for card in hand])
    else:
        found = any([one.kind == COOKIES and not one.used for one in [plain(g, card) for card in hand]])
    return found and bool(g.deck(g.turn) or g.discard(g.turn))
