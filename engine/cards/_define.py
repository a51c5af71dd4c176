"""Putting card programs together: the questions asked when the card is played, then its steps."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.frames import ABILITY_PROGRAMS, Question, Step
from engine.tables import KINDS
from engine.types import CLASSIC, REMASTERED

BOTH: Final = (CLASSIC, REMASTERED)


class Program(NamedTuple):
    """What a card does."""

    questions: tuple[Question, ...]
    steps: tuple[Step, ...]


PROGRAMS: Final[tuple[dict[int, Program], dict[int, Program]]] = ({}, {})
"""For each edition: programs by number."""


def program(*parts: Question | Step) -> Program:
    """A program from its questions and steps; questions stand before the steps."""
    questions = tuple(part for part in parts if isinstance(part, Question))
    steps = tuple(part for part in parts if isinstance(part, Step))
    return Program(questions, steps)


def technique(slug: str, *parts: Question | Step, editions: tuple[int, ...] = BOTH) -> None:
    """Define what a technique does in these editions."""
    for edition in editions:
        PROGRAMS[edition][KINDS[slug]] = program(*parts)


def ability(slug: str, *parts: Question | Step, editions: tuple[int, ...] = BOTH) -> None:
    """Define what a passive's activated ability does in these editions."""
    for edition in editions:
        PROGRAMS[edition][ABILITY_PROGRAMS + KINDS[slug]] = program(*parts)
