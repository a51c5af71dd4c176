"""Questions for another player together with one of two sources: the deck or the discard pile (remastered)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from engine.frames import Question, Wrong
from engine.moves import name
from engine.references import Choices, Reader
from engine.state import Frame, State
from engine.tables import SLUGS
from engine.types import JSON, JUNK, SEATS, Answer, Seat
from engine.verbs.asking import listed, names_top, opponents_of
from engine.verbs.wrong import wrong_opponents

FROM_DECK: Final = 0
FROM_DISCARD: Final = 1


def has_cards(g: State, seat: Seat, source: int) -> bool:
    """Whether a source holds a card; behind a deck stands its discard pile, which is reshuffled (R-DRW-07)."""
    return bool(g.discard(seat)) or (source == FROM_DECK and bool(g.deck(seat)))


class pile_of_opponent(Question):
    """One other player and one of two sources, by name; the source must hold a card as long as any does (R-EFF-04).

    names: how the deck and the discard pile are written in `option`. empty: the code for a source without a card.
    """

    field = "opponents"
    also: ClassVar[tuple[str, ...]] = ("option",)

    def __init__(self, names: tuple[str, str], empty: str, rule: str) -> None:
        self.names = names
        self.empty = empty
        self.rule = rule

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every source that holds a card."""
        sources = (FROM_DECK, FROM_DISCARD)
        return [(seat, source) for seat in opponents_of(g, f) for source in sources if has_cards(g, seat, source)]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """A seat letter, which may be left out if there is one other player, and one of the two names."""
        seat = self._seat(reader, f, choices)
        source = self._source(reader, seat, choices)
        if seat < 0 or source < 0:
            return None
        if not has_cards(reader.g, seat, source) and self.options(reader.g, f):
            reader.blame(self.empty, self.rule, card=name(f.card), seat=SEATS[seat], option=self.names[source])
            return None
        return (seat, source)

    def _seat(self, reader: Reader, f: Frame, choices: Choices) -> Seat:
        wanted = listed(choices, "opponents")
        if not wanted:
            others = opponents_of(reader.g, f)
            if len(others) == 1:
                return others[0]
            reader.blame("missing_required_choice", self.rule, field="opponents")
            return -1
        seats = [reader.opponent(seat, self.rule) for seat in wanted]
        if len(wanted) > 1:
            reader.blame("too_many_targets", self.rule, field="opponents", given=len(wanted), most=1)
            return -1
        return seats[0]

    def _source(self, reader: Reader, seat: Seat, choices: Choices) -> int:
        option = choices.get("option")
        if isinstance(option, str):
            if option in self.names:
                return self.names.index(option)
            reader.blame("target_invalid", self.rule, field="option", given=option, options=list(self.names))
            return -1
        if seat >= 0 and not has_cards(reader.g, seat, FROM_DISCARD):
            return FROM_DECK
        reader.blame("missing_required_choice", self.rule, field="option")
        return -1

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Source or player left out or both, a wrong player or several, another word, a source without a card."""
        others = opponents_of(g, f)
        yield "missing_required_choice", {}
        for seat in [*others, f.actor]:
            yield "missing_required_choice", {"opponents": [SEATS[seat]]}
        for option in self.names:
            yield "missing_required_choice", {"option": option}
            for code, fields in wrong_opponents(g, f, 1):
                yield code, {**fields, "option": option}
        for seat in others:
            yield "target_invalid", {"opponents": [SEATS[seat]], "option": SLUGS[JUNK]}
            for option in self.names:
                yield self.empty, {"opponents": [SEATS[seat]], "option": option}

    def keep(self, f: Frame, answer: Answer) -> None:
        """The player as the frame's seat, the source as its count."""
        f.seat, f.count = answer

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `opponents` and `option`."""
        return {"opponents": [SEATS[answer[0]]], "option": self.names[answer[1]]}

    def stray(self, reader: Reader, f: Frame, field: str, choices: Choices) -> str:
        """Asking for another card than the top one; to name that of a discard pile is more than is asked for."""
        known = choices.get("option") == self.names[FROM_DISCARD] and names_top(reader.g, f, choices)
        return "target_invalid" if field == "cards" and not known else "superfluous_choice"
