"""Activated abilities, and the declaration that a classic chameleon copies Cookies (rules.md 8, R-CLN-08)."""

from __future__ import annotations

from engine.actions import Action, Copy
from engine.cards._define import Program
from engine.checks.copies import Copying
from engine.checks.form import Arguments
from engine.checks.technique import choices_of, read_answers
from engine.copying import copies_on
from engine.frames import ABILITY_PROGRAMS, fields_of
from engine.references import Choices, Reader, split_name
from engine.state import Frame
from engine.subjects import card_used
from engine.tables import COOKIES, GOOD_OLD_TIMES, HAS_ABILITY
from engine.types import ABILITY_TOOL, END_OF_TURN, KIND_MASK, Answer, Card, Kind
from engine.values import Identity
from engine.window import allowed_now, has_effect, questions_of


def read_ability(reader: Reader, arguments: Arguments) -> Action | None:
    """The use of an ability proposed, or None with the faults in the reader."""
    g = reader.g
    written = str(arguments["card"])
    choices = choices_of(arguments)
    card = used_card(reader, written, choices)
    copying = Copying(reader, arguments.get("copies"))
    if card < 0:
        copying.finish()
        return None
    own = card & KIND_MASK == GOOD_OLD_TIMES and copies_on(g, card) and not copying.named(card)
    identity = Identity(GOOD_OLD_TIMES, 0, False, ()) if own else copying.identity(card, written)
    copying.finish()
    if identity is None:
        return None
    answers = _answers(reader, card, identity.kind, choices, usable=_test(reader, written, card, identity))
    if reader.faults:
        return None
    copied = bool(identity.chain) and copies_on(g, card)
    copies = (Copy(card, identity.chain),) if copied else ()
    return Action(ABILITY_TOOL, card, answers=tuple(answers), copies=copies)


def used_card(reader: Reader, written: str, choices: Choices) -> Card:
    """The hand card; a bare slug means a copy whose ability is unused, if there is one, not one named by `#n`."""
    kind = reader.kind(written)
    if kind < 0:
        return -1
    card = card_used(reader.g, reader.seat, kind, choices) if split_name(written)[1] == 0 else -1
    cards = [card] if card >= 0 else reader.cards(reader.g.hand(reader.seat), [written], "hand")
    return cards[0] if cards else -1


def _test(reader: Reader, written: str, card: Card, identity: Identity) -> bool:
    """Whether the ability can be used now; blames what stands against it."""
    g = reader.g
    kind: Kind = identity.kind
    before = len(reader.faults)
    declares = kind == COOKIES and bool(identity.chain)
    if not HAS_ABILITY[g.edition][kind] and not declares:
        reader.blame("no_ability", card=written)
        return False
    if (card in g.counted) if declares else (card in g.used or identity.used):
        reader.blame("ability_already_used", card=written)
    if not allowed_now(g, kind):
        reader.blame("ability_wrong_timing", card=written, window=g.phase == END_OF_TURN)
    if not has_effect(g, kind, card):
        reader.blame("ability_no_effect", card=written)
    return len(reader.faults) == before


def _answers(reader: Reader, card: Card, kind: Kind, choices: Choices, usable: bool) -> list[Answer]:
    """One answer for each question of the ability.

    The content of the choices is looked at only if the ability can be used at all (R-ERR-04).
    """
    questions = questions_of(reader.g, kind)
    taken = {field for question in questions for field in fields_of(question)}
    if usable:
        frame = Frame(ABILITY_PROGRAMS + kind, reader.seat, card)
        return read_answers(reader, Program(questions, ()), frame, choices)
    for field in choices:
        if field not in taken:
            reader.blame("superfluous_choice", field=field)
    return []
