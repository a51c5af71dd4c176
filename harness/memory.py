"""What each seat of a game has been shown and has answered, from the opening on: all that level L4 may tell.

Notes are only ever added, and follow from the decisions of the game and their events alone: a game that is gone on with
has the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import Event, Game
from harness.agents.base import Note, Proposal


class Memory:
    """The notes of all seats of one running game."""

    def __init__(self, game: Game) -> None:
        """Note the opening; ``game`` stands at its first decision."""
        self._game = game
        self._notes: dict[str, list[Note]] = {seat: [] for seat in game.seats}
        self._since = dict.fromkeys(game.seats, 1)
        self._drafting = False
        self._note_states()

    def advance(self, seat: str, by: str, proposal: Proposal | None, events: Sequence[Event]) -> None:
        """Note a decision of ``seat`` that was carried out: what was answered, and the events as each may see them.

        ``by`` is ``agent`` or the policy that decided instead.
        """
        if proposal is not None:
            self._notes[seat].append(Note("own" if by == "agent" else "drawn", proposal))
        self._since[seat] = len(self._notes[seat])
        for event in events:
            shared = None if event.secret else Note("event", event.seen_by(seat))
            for other, notes in self._notes.items():
                notes.append(shared or Note("event", event.seen_by(other)))
        if self._drafting:
            self._note_states(dealt=True)

    def history(self, seat: str) -> tuple[dict[str, Any], ...]:
        """The events this seat saw since its own last decision."""
        return tuple(note.data for note in self._notes[seat][self._since[seat] :] if note.kind == "event")

    def record(self, seat: str) -> tuple[Note, ...]:
        """Everything this seat was shown and answered, oldest first."""
        return tuple(self._notes[seat])

    def _note_states(self, dealt: bool = False) -> None:
        """Note what every seat sees at the opening, and again once the cards have been dealt after a draft."""
        seen = {seat: self._game.observe(seat) for seat in self._notes}
        self._drafting = any("draft" in one for one in seen.values())
        if not (dealt and self._drafting):
            for seat, notes in self._notes.items():
                notes.append(Note("state", seen[seat]))
