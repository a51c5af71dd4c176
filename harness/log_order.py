"""Which records may follow which in a game log, beside the form of each: one header, its seats, an outcome at the end.

Whether the engine would have let the game go that way is not asked here.
"""

from __future__ import annotations

from dataclasses import dataclass

from harness.records import AttemptRecord, DecisionRecord, Header, OutcomeRecord, Record


@dataclass
class Course:
    """How far a log has been read: its header, the number of the open decision, and whether the outcome came."""

    header: Header | None = None
    number: int = 0
    over: bool = False

    def take(self, record: Record) -> Record:
        """Go on by a record and return it; ValueError, saying why, if it cannot stand here."""
        if isinstance(record, Header):
            if self.header is not None:
                raise ValueError("a second header")
            self.header = record
        elif self.header is None:
            raise ValueError("the first line must be a header record")
        elif self.over:
            raise ValueError("a record behind the outcome")
        elif isinstance(record, OutcomeRecord):
            _fits(record, self.header)
            self.over = True
        else:
            self._decides(record, self.header)
            self.number += isinstance(record, DecisionRecord)
        return record

    def _decides(self, record: AttemptRecord | DecisionRecord, header: Header) -> None:
        if record.seat not in header.seats:
            raise ValueError(f"there is no seat {record.seat} in this game")
        if record.number != self.number:
            raise ValueError(f"decision {record.number} where decision {self.number} is open")
        if isinstance(record, AttemptRecord):
            if record.result == "accepted" and record.proposal is None:
                raise ValueError("an accepted attempt without its proposal")
        elif (record.proposal is None) != (record.by in ("forfeit", "void")):
            raise ValueError(f"a decision by {record.by} {'without' if record.proposal is None else 'with'} a proposal")


def _fits(record: OutcomeRecord, header: Header) -> None:
    ranked = sorted(seat for group in record.ranking for seat in group)
    if record.stacks.keys() != header.seats.keys() or ranked != (
        [] if record.result == "void" else sorted(header.seats)
    ):
        raise ValueError("stacks and ranking must hold every seat of the game once")
    if not all(record.ranking):
        raise ValueError("a rank without seats")
    if record.winner is not None and record.winner not in header.seats:
        raise ValueError(f"there is no seat {record.winner} in this game")
