"""A logged game as steps to walk through: what was attempted and decided, the position before it, and who could see it.

The log is data: the engine plays every decision again, and what it says counts where the log says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine import Event, Game
from harness.log import GameLog
from harness.playback import new_game, play_on
from harness.prompts import Texts
from harness.records import AttemptRecord, DecisionRecord, Header, OutcomeRecord, Record
from harness.terminal.nouns import names_of
from harness.terminal.table import Opened, Table

By = Literal["step", "decision", "turn", "illegal"]


@dataclass(frozen=True)
class Step:
    """One place in a game: the position, and what was tried or decided in it.

    ``record`` is None at the deal. ``tried`` is the accepted attempt behind a decision, ``events`` what followed from
    it, ``turn`` counts the turns of the game.
    """

    game: Game
    record: AttemptRecord | DecisionRecord | OutcomeRecord | None
    turn: int
    tried: AttemptRecord | None = None
    events: tuple[Event, ...] = ()

    @property
    def illegal(self) -> bool:
        """Whether it is an attempt that failed by the player's own doing."""
        return isinstance(self.record, AttemptRecord) and self.record.result != "provider"

    def seen_by(self, seat: str | None) -> bool:
        """Whether a seat (None: who sees everything) sees that there is something; attempts stay with their player."""
        return seat is None or not isinstance(self.record, AttemptRecord) or self.record.seat == seat


class WatchedGame:
    """The steps of one game so far; a running game grows by ``add``."""

    def __init__(self, path: Path, header: Header, game: Game) -> None:
        self.path, self.header = path, header
        self.seats = [str(seat) for seat in header.seats]
        self._game = game
        self._now = game.clone()
        self._turn = 0
        self._tried: AttemptRecord | None = None
        self._steps = [Step(self._now, None, 0)]

    @classmethod
    def of(cls, log: GameLog) -> WatchedGame:
        """Walk through a log. Raises UserError if the engine plays it differently."""
        watched = cls(log.path, log.header, new_game(log))
        watched.add(log.records[1:])
        return watched

    def names(self, texts: Texts) -> dict[str, str]:
        """Return the names by seat, fit to be shown."""
        return names_of(self.header, texts)

    @property
    def finished(self) -> bool:
        """Whether its outcome is logged."""
        return isinstance(self._steps[-1].record, OutcomeRecord)

    @property
    def steps(self) -> list[Step]:
        """From the deal to the outcome, or to the decision that is open."""
        return self._steps if self.finished else [*self._steps, Step(self._now, None, self._turn)]

    def add(self, records: Iterable[Record]) -> None:
        """Go on with further records. Raises UserError if the engine plays a decision differently than recorded."""
        for record in records:
            if isinstance(record, DecisionRecord):
                self._decide(record)
            elif isinstance(record, OutcomeRecord):
                self._steps.append(Step(self._now, record, self._turn))
            elif isinstance(record, AttemptRecord) and record.result == "accepted":
                self._tried = record
            elif isinstance(record, AttemptRecord):
                self._steps.append(Step(self._now, record, self._turn))

    def _decide(self, record: DecisionRecord) -> None:
        events = play_on(self._game, record, self.path)
        self._steps.append(Step(self._now, record, self._turn, self._tried, events))
        self._tried = None
        self._now = self._game.clone()
        self._turn += sum(event.type == "turn" for event in events)


def table_of(step: Step, seat: str | None, names: Mapping[str, str], texts: Texts) -> Table:
    """The table at a step, for a seat or (None) with everything open; nobody decides any more where it ends."""
    game = step.game
    deciding = game.decision.seat if game.decision is not None else game.seats[0]
    seen = game.observe(seat or deciding)
    if isinstance(step.record, OutcomeRecord):  # a limit ends a game in the middle of a decision
        seen = seen | {"decision": None, "offered": []}
    if seat is not None:
        return Table(seen, names, texts)
    position: dict[str, Any] = game.position()
    hands: dict[str, Any] = {one: game.observe(one)["hand"] for one in game.seats}
    decks = {one: position[one]["deck"] for one in game.seats}
    return Table(seen, names, texts, Opened(hands, decks, position["market_deck"]))


def next_step(steps: Sequence[Step], place: int, by: By, direction: int, seat: str | None) -> int | None:
    """The place of the next step in a direction (1 or -1) that the seat sees; None if there is none.

    By ``step`` every one counts, by ``decision`` those of the game alone, by ``illegal`` failed attempts; by ``turn``
    it is the first step of the next turn, backwards of this turn or else of the one before.
    """
    seen = [number for number, step in enumerate(steps) if step.seen_by(seat)]
    ahead = [number for number in (seen if direction > 0 else reversed(seen)) if (number - place) * direction > 0]
    if by == "turn":
        return _turn_step(steps, seen, ahead, place, direction)
    for number in ahead:
        step = steps[number]
        failed = isinstance(step.record, AttemptRecord)
        if by == "step" or (by == "decision" and not failed) or (by == "illegal" and step.illegal):
            return number
    return None


def _turn_step(steps: Sequence[Step], seen: Sequence[int], ahead: Sequence[int], place: int, way: int) -> int | None:
    firsts = {steps[number].turn: number for number in reversed(seen)}
    if way > 0:
        return next((number for number in ahead if steps[number].turn > steps[place].turn), None)
    if not ahead:
        return None
    first = firsts.get(steps[place].turn, place)
    return first if first < place else firsts[steps[ahead[0]].turn]
