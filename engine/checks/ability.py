"""Activated abilities and the declaration that a chameleon copies Cookies (rules.md 8, R-CLN-08)."""

from __future__ import annotations

from engine.actions import Action, Copy
from engine.checks.copies import Copying
from engine.checks.form import Arguments
from engine.checks.technique import choices_of
from engine.copying import copies_on
from engine.references import Reader, of_kind, split_name
from engine.tables import COOKIES, GOOD_OLD_TIMES
from engine.types import ABILITY_TOOL, END_OF_TURN, KIND_MASK, Card, Kind
from engine.values import Identity, plain
from engine.window import ABILITY_KINDS, allowed_now, has_effect


def read_ability(reader: Reader, arguments: Arguments) -> Action | None:
    """The use of an ability proposed, or None with the faults in the reader."""
    g = reader.g
    written = str(arguments["card"])
    card = _named(reader, written)
    for field in choices_of(arguments):
        reader.blame("superfluous_choice", field=field)
    if card < 0:
        return None
    copying = Copying(reader, arguments.get("copies"))
    own = card & KIND_MASK == GOOD_OLD_TIMES and copies_on(g, card) and not copying.named(card)
    identity = Identity(GOOD_OLD_TIMES, 0, False, ()) if own else copying.identity(card, written)
    copying.finish()
    if identity is None:
        return None
    _test(reader, written, card, identity)
    if reader.faults:
        return None
    copied = bool(identity.chain) and copies_on(g, card)
    return Action(ABILITY_TOOL, card, copies=(Copy(card, identity.chain),) if copied else ())


def _named(reader: Reader, written: str) -> Card:
    """The hand card; a bare slug means a copy whose ability is unused, if there is one."""
    g = reader.g
    hand = g.hand(reader.seat)
    kind = reader.kind(written)
    if kind < 0:
        return -1
    if split_name(written)[1] == 0:
        copies = of_kind(hand, kind)
        if copies:
            return min(copies, key=lambda card: (plain(g, card).used, card in g.counted))
    cards = reader.cards(hand, [written], "hand")
    return cards[0] if cards else -1


def _test(reader: Reader, written: str, card: Card, identity: Identity) -> None:
    g = reader.g
    kind: Kind = identity.kind
    declares = kind == COOKIES and bool(identity.chain)
    if kind not in ABILITY_KINDS and not declares:
        reader.blame("no_ability", card=written)
        return
    if (card in g.counted) if declares else (card in g.used or identity.used):
        reader.blame("ability_already_used", card=written)
    if not allowed_now(g, kind):
        reader.blame("ability_wrong_timing", card=written, window=g.phase == END_OF_TURN)
    if not has_effect(g, kind):
        reader.blame("ability_no_effect", card=written)
