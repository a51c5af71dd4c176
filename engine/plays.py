"""The techniques of a legal list, with every combination of the choices made when they are played (rules.md 5)."""

from __future__ import annotations

from itertools import product

from engine.actions import Action, Copy
from engine.cards._define import PROGRAMS
from engine.copying import copies_on, identities
from engine.groups import Add
from engine.state import Frame, State
from engine.tables import BLINDFOLD, IS_TECHNIQUE
from engine.types import TECHNIQUE_TOOL, Answer, Card, Kind, Seat


def copied_technique_parts(g: State, seat: Seat, card: Card, add: Add) -> None:
    """A chameleon as every technique it can be; a locked one needs no copies again."""
    free = copies_on(g, card)
    for identity in identities(g, seat, card):
        if IS_TECHNIQUE[g.edition][identity.kind]:
            copies = (Copy(card, identity.chain),) if free else ()
            program_parts(g, seat, card, identity.kind, copies, add)


def program_parts(g: State, seat: Seat, card: Card, kind: Kind, copies: tuple[Copy, ...], add: Add) -> None:
    """Every combination of answers to the questions asked when the card is played."""
    questions = PROGRAMS[g.edition][kind].questions
    if not questions:
        add((1, lambda _: Action(TECHNIQUE_TOOL, card, copies=copies)))
        return
    frame = Frame(kind, seat, card)
    lists = [question.options(g, frame) or [()] for question in questions]
    size = 1
    for options in lists:
        size *= len(options)
    secret = _secret_copies(g, seat, frame, kind, lists)
    if secret is not None:
        variants = [
            Action(TECHNIQUE_TOOL, card, answers=answers, copies=copies + extra)
            for answers in product(*lists)
            for extra in secret.get(answers[0], [()])
        ]
        add((len(variants), variants.__getitem__))
        return

    def make(index: int) -> Action:
        answers: list[Answer] = []
        for options in lists:
            index, place = divmod(index, len(options))
            answers.append(options[place])
        return Action(TECHNIQUE_TOOL, card, answers=tuple(answers), copies=copies)

    add((size, make))


def _secret_copies(
    g: State, seat: Seat, frame: Frame, kind: Kind, lists: list[list[Answer]]
) -> dict[Answer, list[tuple[Copy, ...]]] | None:
    """For Blindfold: the copies a chameleon chosen as the secret card can be (OCE5Bc-4); None if there is none."""
    if kind != BLINDFOLD:
        return None
    found: dict[Answer, list[tuple[Copy, ...]]] = {}
    for answer in lists[0]:
        if answer and copies_on(g, answer[0]):
            chains = [one.chain for one in identities(g, seat, answer[0]) if one.chain]
            if chains:
                found[answer] = [(Copy(answer[0], chain),) for chain in chains]
    return found or None
