"""The money of a run that several processes play: a call is admitted against what all of them spent and set aside.

What was spent is kept by game and entrant, because the log of a game knows better; whoever claims a game sets it right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from harness.budget import Caps, Reached, Scope, scopes, stands_against
from harness.database import Database

_RUN: Scope = ("run", "")


@dataclass(frozen=True)
class SharedLedger:
    """The ledger in the run's database, as one worker uses it."""

    database: Database
    worker: str
    bury: Callable[[], bool]
    """Drops what dead workers set aside; whether there were any."""

    def spent(self) -> Decimal:
        """What the run has spent."""
        return self._spent(_RUN)

    def know(self, game: str, spent: Mapping[str, Decimal]) -> None:
        """Set what each entrant has spent in a game that nobody else plays."""
        wrong = {entrant: amount for entrant, amount in spent.items() if amount != self._of(game, entrant)}
        if wrong:
            with self.database.writing():
                for entrant, amount in wrong.items():
                    self._add(entrant, game, amount - self._of(game, entrant))

    def reserve(self, entrant: str, game: str, call: Decimal, caps: Caps) -> Reached | bool:
        """Set aside what a call may cost; false if other calls' reservations have to be settled first."""
        with self.database.writing():
            against = stands_against(caps, entrant, game, call, self._spent, self._reserved)
            if against is True and self.bury():
                against = stands_against(caps, entrant, game, call, self._spent, self._reserved)
            if not against:
                put = "INSERT INTO held VALUES (?, ?, ?, ?)"
                self.database.rows(put, self.worker, game, entrant, str(call))
        return against if isinstance(against, Reached) else not against

    def settle(self, entrant: str, game: str, reserved: Decimal, spent: Decimal) -> None:
        """Replace a reservation by what was spent."""
        if not reserved and not spent:
            return
        with self.database.writing():
            if reserved:
                self.database.rows(
                    "DELETE FROM held WHERE rowid = (SELECT rowid FROM held WHERE worker = ? AND game = ? "
                    "AND entrant = ? AND amount = ? LIMIT 1)",
                    self.worker, game, entrant, str(reserved),
                )  # fmt: skip
            self._add(entrant, game, spent)

    def _reserved(self, scope: Scope) -> Decimal:
        rows = self.database.rows("SELECT entrant, game, amount FROM held")
        return sum((Decimal(amount) for entrant, game, amount in rows if scope in scopes(entrant, game)), Decimal())

    def _spent(self, scope: Scope) -> Decimal:
        if scope[0] == "game":
            rows = self.database.rows("SELECT amount FROM spent WHERE game = ?", scope[1])
        else:
            rows = self.database.rows("SELECT amount FROM totals WHERE kind = ? AND name = ?", *scope)
        return sum((Decimal(row[0]) for row in rows), Decimal())

    def _of(self, game: str, entrant: str) -> Decimal:
        rows = self.database.rows("SELECT amount FROM spent WHERE game = ? AND entrant = ?", game, entrant)
        return Decimal(rows[0][0]) if rows else Decimal()

    def _add(self, entrant: str, game: str, amount: Decimal) -> None:
        if not amount:
            return
        of_game = str(self._of(game, entrant) + amount)
        self.database.rows("INSERT OR REPLACE INTO spent VALUES (?, ?, ?)", game, entrant, of_game)
        for scope in (_RUN, ("entrant", entrant)):
            total = str(self._spent(scope) + amount)
            self.database.rows("INSERT OR REPLACE INTO totals VALUES (?, ?, ?)", *scope, total)
