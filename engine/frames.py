"""How effects are written: steps run one after the other, and questions are asked of a player.

Steps and questions are shared and never change; what a run must remember is in its `Frame`. A question
stands either at the front of a technique, where its answer is part of the call that plays the card
(R-TEC-07), or inside an asking step, where it is a decision of its own (`effect_choice`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Final

from engine.references import Choices, Reader, first_of_each
from engine.state import Frame, State
from engine.types import JSON, Answer, Card, Seat
from engine.values import likeness

BONUS_STACK_PROGRAM: Final = 255
"""The program that offers another stack after Winter is Coming; not a card's."""
ABILITY_PROGRAMS: Final = 256
"""The program number of an ability is its card's kind plus this; of a technique it is the kind alone."""
DRAFT_PROGRAM: Final = 512
"""The program of the draft before a tournament game (R-TRM-01); not a card's."""


Wrong = tuple[str, dict[str, JSON]]
"""A wrong answer to a question: the code it breaks, and the fields of `choices` it is given in."""


class Question(ABC):
    """Something an effect asks. Subclasses say which field of `choices` answers it and what is allowed."""

    field: ClassVar[str] = ""
    also: ClassVar[tuple[str, ...]] = ()
    """Further fields of `choices` that belong to its answer."""
    from_hand: ClassVar[bool] = False
    """Whether the cards named come from the own hand."""
    optional: ClassVar[bool] = False
    """Whether it is an order that has a default."""

    @abstractmethod
    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every distinct answer in default form; empty if there is nothing to choose."""

    def count(self, g: State, f: Frame) -> int:
        """How many options there are; questions that can tell without listing them do."""
        return len(self.options(g, f))

    def settled(self, others: int, players: int) -> int:
        """How many options there are, if that is settled by the number of different other hand cards and of players.

        0 if there is nothing to choose, -1 if it takes more to tell.
        """
        return -1

    @abstractmethod
    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """The answer a proposal gives, or None with the faults left in the reader.

        Called only if there is something to choose.
        """

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Wrong answers, at least one for every code that `read` can blame here.

        A claim, not a verdict: one that the judge refuses for another reason, or not at all, is passed over. So a
        question may name more than can be wrong at the moment.
        """
        yield "missing_required_choice", {}

    def keep(self, f: Frame, answer: Answer) -> None:
        """Put the answer into the frame for the steps that follow."""
        f.picked = list(answer)

    @abstractmethod
    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """The answer as fields of `choices`."""

    def spell_out(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """The answer as fields of `choices`, where it is the default one too."""
        return self.spell(g, f, answer)

    def stray(self, reader: Reader, f: Frame, field: str, choices: Choices) -> str:
        """The code for a field that neither this nor another question of the effect uses."""
        return "superfluous_choice"


class Step(ABC):
    """One line of a card's text; it does what is possible (R-EFF-01) and heeds no passive and no value (R-TEC-09)."""

    @abstractmethod
    def start(self, g: State, f: Frame) -> bool:
        """Do it, or get ready to ask; True when done, False to wait for an answer."""


class Asking(Step):
    """A step that may ask: `question` and who answers. Subclasses define `start` and `answer`."""

    asks: ClassVar[str] = ""
    question: Question

    def chooser(self, f: Frame) -> Seat:
        """The seat that decides (R-TRN-10)."""
        return f.actor

    @abstractmethod
    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Carry out a choice; True when the step is done."""


def fields_of(question: Question) -> tuple[str, ...]:
    """The fields of `choices` that answer a question."""
    return (question.field, *question.also)


def distinct(g: State, cards: list[Card]) -> list[Card]:
    """The first of each group of alike cards: same name, value, use and copy (contract section 1)."""
    if not (g.alterations or g.used or g.locks):
        return first_of_each(cards)
    seen = set()
    result = []
    for card in cards:
        mark = likeness(g, card)
        if mark not in seen:
            seen.add(mark)
            result.append(card)
    return result
