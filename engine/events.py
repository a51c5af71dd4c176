"""What happened, as small records, and which seats may see which part of each (R-INF-01 to R-INF-03)."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.types import JSON, SEATS, Seat

EVERYBODY: Final = 15


class Event(NamedTuple):
    """One event: its type, the seat it is about, public fields, and fields only the seats in `knows` see.

    `knows` is a bit mask of seats. Cards are named by slug, seats by letter.
    """

    type: str
    seat: str
    fields: dict[str, JSON]
    secret: dict[str, JSON]
    knows: int

    def to_json(self) -> dict[str, JSON]:
        """The whole event, for the log; `known_to` names the seats that see the secret fields."""
        record: dict[str, JSON] = {"type": self.type, "seat": self.seat, **self.fields}
        if self.secret:
            record.update(self.secret)
            record["known_to"] = [letter for index, letter in enumerate(SEATS) if self.knows >> index & 1]
        return record

    def seen_by(self, seat: str) -> dict[str, JSON]:
        """The event as this seat may see it."""
        record: dict[str, JSON] = {"type": self.type, "seat": self.seat, **self.fields}
        if self.secret and self.knows >> SEATS.index(seat) & 1:
            record.update(self.secret)
        return record


def event(type_: str, seat: Seat, **fields: JSON) -> Event:
    """An event that everybody sees whole."""
    return Event(type_, SEATS[seat], fields, {}, EVERYBODY)


def private_event(type_: str, seat: Seat, knows: int, secret: dict[str, JSON], **fields: JSON) -> Event:
    """An event of which only the seats in the mask `knows` see the `secret` fields."""
    return Event(type_, SEATS[seat], fields, secret, knows)
