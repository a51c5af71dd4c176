"""Going through a game log with the engine beside it, record by record."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine import Event, Game, PositionError
from harness.errors import UserError
from harness.judging import apply_decision
from harness.log import GameLog
from harness.records import DecisionRecord, Record


def new_game(log: GameLog) -> Game:
    """Return the game of a log at its first decision; UserError if the engine cannot set it up."""
    header = log.header
    sets = header.sets or None
    try:
        return Game.new(header.players, sets, header.seed, header.edition, header.start, header.variant)
    except PositionError as error:
        raise UserError(f"{log.path}: the engine cannot set up this game: {error}") from None


def playback(log: GameLog) -> Iterator[tuple[Game, Record]]:
    """Yield every record behind the header with the game as it stood when the record was made.

    It is one game that goes on: whoever wants to keep a position clones it. Raises UserError, naming the decision, if
    the engine now plays the log differently.
    """
    game = new_game(log)
    for record in log.records[1:]:
        yield game, record
        if isinstance(record, DecisionRecord):
            play_on(game, record, log.path)


def play_on(game: Game, record: DecisionRecord, path: Path) -> tuple[Event, ...]:
    """Play a recorded decision and return its events; UserError if the engine now plays it differently."""
    events = apply_decision(game, record)
    if events is None:
        raise UserError(
            f"{path}: this version of the engine plays decision {record.number} differently than recorded; "
            f"see dale replay {path}."
        )
    return events
