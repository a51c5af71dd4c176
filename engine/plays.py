"""The techniques of a legal list, with every combination of the choices made when they are played (rules.md 5)."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Final

from engine.actions import Action, Copy, new_action
from engine.cards._define import PROGRAMS
from engine.copying import copies_on, identities, reachable
from engine.groups import Add
from engine.state import Frame, State
from engine.tables import IS_TECHNIQUE, SECRET
from engine.types import TECHNIQUE_TOOL, Answer, Card, Kind, Seat


def copied_technique_parts(g: State, seat: Seat, card: Card, add: Add) -> None:
    """An open card as every technique it can be."""
    for identity in identities(g, seat, card):
        if IS_TECHNIQUE[g.edition][identity.kind]:
            program_parts(g, seat, card, identity.kind, (Copy(card, identity.chain),), add)


def program_parts(g: State, seat: Seat, card: Card, kind: Kind, copies: tuple[Copy, ...], add: Add) -> None:
    """Every combination of answers to the questions asked when the card is played."""
    questions = PROGRAMS[g.edition][kind].questions
    if not questions:
        add((1, partial(play, g, seat, card, kind, copies)))
        return
    frame = Frame(kind, seat, card)
    if kind == SECRET[g.edition]:
        variants = _blindfolds(g, seat, frame, copies)
        add((len(variants), variants.__getitem__))
        return
    size = 1
    for question in questions:
        size *= question.count(g, frame) or 1
    add((size, partial(play, g, seat, card, kind, copies)))


def play(g: State, seat: Seat, card: Card, kind: Kind, copies: tuple[Copy, ...], index: int) -> Action:
    """The index-th way to play a card as a technique of this kind."""
    frame = Frame(kind, seat, card)
    answers: list[Answer] = []
    for question in PROGRAMS[g.edition][kind].questions:
        options = question.options(g, frame) or _NONE
        index, place = divmod(index, len(options))
        answers.append(options[place])
    return new_action(Action, (TECHNIQUE_TOOL, card, (), -1, (), (), tuple(answers), copies))


def every_play(g: State, seat: Seat, card: Card, kind: Kind) -> list[Action]:
    """All ways to play a card that is itself, in the order of `play`: the first question's answers change first."""
    frame = Frame(kind, seat, card)
    questions = PROGRAMS[g.edition][kind].questions
    chosen: list[tuple[Answer, ...]]
    if len(questions) == 1:
        chosen = [(answer,) for answer in questions[0].options(g, frame) or _NONE]
    else:
        lists = [question.options(g, frame) or _NONE for question in questions]
        chosen = [answers[::-1] for answers in product(*lists[::-1])]
    return [new_action(Action, (TECHNIQUE_TOOL, card, (), -1, (), (), answers, ())) for answers in chosen]


_NONE: Final[list[Answer]] = [()]


def _blindfolds(g: State, seat: Seat, frame: Frame, copies: tuple[Copy, ...]) -> list[Action]:
    """Blindfold with every secret card, a chameleon in every copy it can be (OCE5Bc-4)."""
    lists = [question.options(g, frame) or _NONE for question in PROGRAMS[g.edition][frame.program].questions]
    copying = [secret[0] for secret in lists[0] if secret and copies_on(g, secret[0], frame.card)]
    ways = {card: [(Copy(card, one.chain),) for one in reachable(g, seat, card, frame.card)] for card in copying}
    result = []
    for answers in product(*lists):
        extras: list[tuple[Copy, ...]] = [*ways.get(answers[0][0], ())] if answers[0] else []
        for extra in extras or [()]:
            result.append(Action(TECHNIQUE_TOOL, frame.card, answers=answers, copies=copies + extra))
    return result
