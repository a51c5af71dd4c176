"""Questions for other players: one, several, or one whose discard pile holds a card."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import perm
from typing import ClassVar

from engine.frames import Question, Wrong
from engine.references import Choices, Reader, kinds_of
from engine.state import Frame, State
from engine.tables import SLUGS
from engine.types import JSON, JUNK, KIND_MASK, SEATS, Answer
from engine.verbs.asking import listed, names_top, opponents_of, rest_of_hand
from engine.verbs.wrong import wrong_opponents


class opponent(Question):
    """One other player; may be one the effect does nothing to (R-EFF-04).

    needs_hand: asked only if there is another card in the hand.
    """

    field = "opponents"

    def __init__(self, needs_hand: bool = False) -> None:
        self.needs_hand = needs_hand

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every other seat."""
        if self.needs_hand and not rest_of_hand(g, f):
            return []
        return [(seat,) for seat in opponents_of(g, f)]

    def count(self, g: State, f: Frame) -> int:
        """As many as there are other seats, or none."""
        return self.settled(len(g.hand(f.actor)) - 1, g.players)

    def settled(self, others: int, players: int) -> int:
        """As many as there are other seats, or none."""
        return 0 if self.needs_hand and not others else players - 1

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one seat letter."""
        wanted = listed(choices, "opponents")
        if not wanted:
            reader.blame("missing_required_choice", field="opponents")
            return None
        seats = [reader.opponent(seat) for seat in wanted]
        if len(wanted) > 1:
            reader.blame("too_many_targets", field="opponents", given=len(wanted), most=1)
        return (seats[0],) if len(seats) == 1 and seats[0] >= 0 else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nobody, oneself, a player there is not, or several."""
        yield "missing_required_choice", {}
        yield from wrong_opponents(g, f, 1)

    def keep(self, f: Frame, answer: Answer) -> None:
        """As the frame's seat."""
        f.seat = answer[0]

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `opponents`."""
        return {"opponents": [SEATS[seat] for seat in answer]}


class victim(opponent):
    """One other player from whose hand chance picks a card."""

    def stray(self, reader: Reader, f: Frame, field: str, choices: Choices) -> str:
        """Naming the card that chance should pick."""
        return "random_choice_required" if field == "cards" else "superfluous_choice"


class victims(Question):
    """From `least` to two other players, all different, from whose hands chance picks cards (RAC2-1, R-EFF-08)."""

    field = "opponents"
    most: ClassVar[int] = 2

    def __init__(self, least: int) -> None:
        self.least = least

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every ordered choice of different seats."""
        others = opponents_of(g, f)
        return [seats for count in range(self.least, self.most + 1) for seats in permutations(others, count)]

    def count(self, g: State, f: Frame) -> int:
        """The number of ordered choices."""
        return self.settled(0, g.players)

    def settled(self, others: int, players: int) -> int:
        """The number of ordered choices."""
        return sum([perm(players - 1, count) for count in range(self.least, self.most + 1)])

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """A list of different seat letters."""
        wanted = listed(choices, "opponents")
        seats = [reader.opponent(seat, "RAC2-1") for seat in wanted]
        if len(wanted) > self.most or len(set(wanted)) < len(wanted):
            reader.blame("too_many_targets", "RAC2-1", field="opponents", given=len(wanted), most=self.most)
        elif len(wanted) < self.least:
            reader.blame("too_few_targets", "RAC2-1", field="opponents", given=len(wanted), least=self.least)
        elif min(seats, default=0) >= 0:
            return tuple(seats)
        return None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Too few, oneself, a player there is not, the same one twice, or too many."""
        yield "too_few_targets", {}
        yield from wrong_opponents(g, f, self.most)

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `opponents`."""
        return {"opponents": [SEATS[seat] for seat in answer]}

    def stray(self, reader: Reader, f: Frame, field: str, choices: Choices) -> str:
        """Naming the card that chance should pick."""
        return "random_choice_required" if field == "cards" else "superfluous_choice"


class opponent_with_discard(opponent):
    """One other player whose discard pile has a card; mandatory if there is one (RAC5Bc-1)."""

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every other seat with a discard pile."""
        return [(seat,) for seat in opponents_of(g, f) if g.discard(seat)]

    def count(self, g: State, f: Frame) -> int:
        """As many as there are such seats."""
        return len(self.options(g, f))

    def settled(self, others: int, players: int) -> int:
        """It takes a look at the piles."""
        return -1

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one seat letter, and that pile must not be empty."""
        answer = super().read(reader, f, choices)
        if answer is not None and not reader.g.discard(answer[0]) and self.options(reader.g, f):
            reader.blame("target_empty", "RAC5Bc-1", seat=SEATS[answer[0]])
            return None
        return answer

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """As for any player, and those without a discard pile; where junk lies on top, another card than that."""
        yield from super().wrong(g, f)
        for seat in opponents_of(g, f):
            if not g.discard(seat):
                yield "target_empty", {"opponents": [SEATS[seat]]}
            elif g.discard(seat)[-1] & KIND_MASK == JUNK:
                other = next(kind for kind in kinds_of(g) if kind != JUNK)
                yield "target_invalid", {"opponents": [SEATS[seat]], "cards": [SLUGS[other]]}

    def stray(self, reader: Reader, f: Frame, field: str, choices: Choices) -> str:
        """Asking for another card than the top one; to name that one is more than is asked for."""
        return "target_invalid" if field == "cards" and not names_top(reader.g, f, choices) else "superfluous_choice"
