"""Technique actions and the choices made when a card is played (rules.md 5 and 12)."""

from __future__ import annotations

from typing import Final

from engine.actions import Action, Copy
from engine.cards._define import PROGRAMS, Program
from engine.checks.copies import Copying
from engine.checks.form import Arguments
from engine.copying import copies_on
from engine.frames import Question, fields_of
from engine.references import Choices, Reader, split_name
from engine.state import Frame, State
from engine.subjects import card_played
from engine.tables import IS_TECHNIQUE, SECRET, SLUGS
from engine.types import KIND_MASK, TECHNIQUE_TOOL, Answer, Card


def choices_of(arguments: Arguments) -> Choices:
    """The choices that were given."""
    choices = arguments.get("choices")
    return choices if isinstance(choices, dict) else {}


def read_technique(reader: Reader, arguments: Arguments) -> Action | None:
    """The technique proposed, or None with the faults in the reader; it needs nothing (R-TEC-02, R-TEC-03)."""
    g = reader.g
    written = str(arguments["card"])
    choices = choices_of(arguments)
    card = played_card(reader, written, choices)
    copying = Copying(reader, arguments.get("copies"))
    identity = copying.identity(card, written) if card >= 0 else None
    if identity is None:
        copying.finish(perhaps=copying.others(card))
        return None
    if not IS_TECHNIQUE[g.edition][identity.kind]:
        facts = {} if identity.kind == card & KIND_MASK else {"copied": SLUGS[identity.kind]}
        reader.blame("not_a_technique", card=written, **facts)
        copying.finish()
        return None
    reader.playing = card
    frame = Frame(identity.kind, reader.seat, card)
    answers = read_answers(reader, PROGRAMS[g.edition][identity.kind], frame, choices)
    copies = [Copy(card, identity.chain)] if identity.chain and copies_on(g, card) else []
    if answers:
        copies += _secret_copies(g, copying, frame, answers)
    secret_unread = identity.kind == SECRET[g.edition] and bool(reader.faults) and not answers[0]
    copying.finish(perhaps=copying.others(card) if secret_unread else [])
    if reader.faults:
        return None
    return Action(TECHNIQUE_TOOL, card, answers=tuple(answers), copies=tuple(copies))


def played_card(reader: Reader, written: str, choices: Choices) -> Card:
    """The hand card to play; -1 after blame."""
    kind = reader.kind(written)
    if kind < 0:
        return -1
    card = card_played(reader.g, reader.seat, kind, choices) if split_name(written)[1] == 0 else -1
    cards = [card] if card >= 0 else reader.cards(reader.g.hand(reader.seat), [written], "hand")
    return cards[0] if cards else -1


def read_answers(reader: Reader, program: Program, frame: Frame, choices: Choices) -> list[Answer]:
    """One answer for each question of an effect; () where there is nothing to choose."""
    answers: list[Answer] = []
    for question in program.questions:
        answers.append(_answer(reader, question, frame, choices))
    used = {field for question in program.questions for field in fields_of(question)}
    for field in choices:
        if field not in used:
            reader.blame(stray_code(reader, program, frame, field, choices), field=field)
    return answers


_PLAIN: Final = "superfluous_choice"


def stray_code(reader: Reader, program: Program, frame: Frame, field: str, choices: Choices) -> str:
    """The code for a field of the choices that no question of the effect uses."""
    codes = [question.stray(reader, frame, field, choices) for question in program.questions]
    return next((code for code in codes if code != _PLAIN), _PLAIN)


def _answer(reader: Reader, question: Question, frame: Frame, choices: Choices) -> Answer:
    given = not choices.keys().isdisjoint(fields_of(question))
    options = question.options(reader.g, frame)
    if not given and len(options) == 1:
        return options[0]
    if not given and not options:
        return ()
    answer = question.read(reader, frame, choices)
    return answer if answer is not None and options else ()


def _secret_copies(g: State, copying: Copying, frame: Frame, answers: list[Answer]) -> list[Copy]:
    """For Blindfold: what a chameleon chosen as the secret card copies (OCE5Bc-4)."""
    if frame.program != SECRET[g.edition] or not answers[0]:
        return []
    card = answers[0][0]
    if not copies_on(g, card, frame.card):
        return []
    identity = copying.identity(card, SLUGS[card & KIND_MASK])
    return [Copy(card, identity.chain)] if identity is not None and identity.chain else []
