"""Going through a game log with the engine beside it, record by record."""

from __future__ import annotations

from collections.abc import Iterator

from engine import Game, PositionError
from harness.errors import UserError
from harness.judging import apply_decision
from harness.log import GameLog
from harness.records import DecisionRecord, Header, Record


def new_game(header: Header) -> Game:
    """Return the game of a log at its first decision. Raises PositionError."""
    return Game.new(header.players, header.sets or None, header.seed, header.edition, header.start, header.variant)


def playback(log: GameLog) -> Iterator[tuple[Game, Record]]:
    """Yield every record behind the header with the game as it stood when the record was made.

    It is one game that goes on: whoever wants to keep a position clones it. Raises UserError, naming the decision, if
    the engine now plays the log differently.
    """
    try:
        game = new_game(log.header)
    except PositionError as error:
        raise UserError(f"{log.path}: the engine cannot set up this game: {error}") from None
    for record in log.records[1:]:
        yield game, record
        if isinstance(record, DecisionRecord) and apply_decision(game, record) is None:
            raise UserError(
                f"{log.path}: this version of the engine plays decision {record.number} differently than recorded; "
                f"see dale replay {log.path}."
            )
