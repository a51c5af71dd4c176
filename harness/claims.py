"""Which process plays which game of a run: each game belongs to at most one, and a dead one's games to nobody.

A claim is a row of the run's database; whether its owner lives is asked of the system (``harness.workers``), never of a
clock, but for owners on other hosts.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import NamedTuple

from harness.budget import Budget
from harness.database import Database, open_database
from harness.errors import UserError
from harness.ledger import SharedLedger
from harness.log import is_finished, read_outcome
from harness.plan import MatchPlan
from harness.records import OutcomeRecord
from harness.spending import count_spent
from harness.store import Run
from harness.text import clean_line
from harness.workers import LEASE_S, Others, Worker, at_the_door, entered, now, this_host


class Counts(NamedTuple):
    """How many games are finished, and how many are being played by other processes."""

    finished: int
    elsewhere: int


@dataclass(frozen=True)
class Claims:
    """The games of a run as one worker claims and gives them back.

    ``session`` is shared by the workers of one command: what one of them left open, none of them tries again.
    """

    run: Run
    database: Database
    others: Others
    worker: str
    session: str

    @property
    def money(self) -> SharedLedger:
        """What all processes of the run spend and set aside."""
        return SharedLedger(self.database, self.worker, self._bury)

    def join(self, plans: Sequence[MatchPlan]) -> None:
        """Become one of the workers, and set right what the logs know better than the database."""
        finished = {plan.game for plan in plans if is_finished(self.run.log(plan.game))}
        with self.database.writing():
            self._bury()
            self.database.rows("INSERT INTO workers VALUES (?, ?)", self.worker, self.session)
            for game, status in self.database.rows("SELECT game, status FROM games WHERE status != 'playing'"):
                if game in finished and status == "open":
                    self._finished(game, read_outcome(self.run.log(game)))
                elif game not in finished and status == "finished" and not is_finished(self.run.log(game)):
                    self.database.rows("UPDATE games SET status = 'open', outcome = NULL WHERE game = ?", game)

    def recount(self, budget: Budget, plans: Sequence[MatchPlan]) -> None:
        """Set what was spent in the games that nobody plays to what their logs say."""
        known = {row[0] for row in self.database.rows("SELECT game FROM spent")}
        for plan in plans:
            if plan.game not in known and not self.run.log(plan.game).exists():
                continue
            with self.database.writing():  # nobody claims the game meanwhile
                status = self.database.rows("SELECT status FROM games WHERE game = ?", plan.game)
                if status != [("playing",)]:
                    count_spent(budget, self.run, [plan])

    def claim(self, closed: Collection[str] = ()) -> str | None:
        """Take the first game that nobody plays; None if there is none beside those that are ``closed``."""
        with self.database.writing():
            game = self._free(closed)
            if game is None and self._bury():
                game = self._free(closed)
            if game is not None:
                take = "UPDATE games SET status = 'playing', worker = ?, left_in = NULL WHERE game = ?"
                self.database.rows(take, self.worker, game)
        return game

    def finish(self, game: str, outcome: OutcomeRecord) -> None:
        """Say how a claimed game ended. One its provider made void has failed."""
        with self.database.writing():
            self._finished(game, outcome)
            self._ended(game, outcome.reason == "provider")

    def leave(self, game: str, failed: bool) -> None:
        """Give back a game that stays open; ``failed`` if a provider or an error of the program was the reason."""
        with self.database.writing():
            give = "UPDATE games SET status = 'open', worker = NULL, left_in = ? WHERE game = ?"
            self.database.rows(give, self.session, game)
            if failed:
                self._ended(game, True)

    def failures(self, window: int) -> tuple[int, int]:
        """Of the last games of the session that ended or failed, ``window`` at most: how many failed, of how many."""
        last = "SELECT failed FROM endings WHERE session = ? ORDER BY number DESC LIMIT ?"
        failed = [int(row[0]) for row in self.database.rows(last, self.session, window)]
        return sum(failed), len(failed)

    def finished(self) -> list[str]:
        """The games that are finished, whoever played them."""
        return [row[0] for row in self.database.rows("SELECT game FROM games WHERE status = 'finished'")]

    def counts(self) -> Counts:
        """How far the run is."""
        count = "SELECT count(*) FROM games WHERE status = "
        ((finished,),) = self.database.rows(count + "'finished'")
        ((elsewhere,),) = self.database.rows(count + "'playing' AND worker != ?", self.worker)
        return Counts(int(finished), int(elsewhere))

    def orphans(self) -> int:
        """How many games the other workers of the session have claimed, those of the dead released first."""
        with self.database.writing():
            self._bury()
            ((count,),) = self.database.rows(
                "SELECT count(*) FROM games JOIN workers USING (worker) WHERE session = ? AND worker != ?",
                self.session,
                self.worker,
            )
        return int(count)

    def go(self) -> None:
        """Give everything back."""
        with self.database.writing():
            self._release(self.worker)

    def _free(self, closed: Collection[str]) -> str | None:
        free = "SELECT game FROM games WHERE status = 'open' AND left_in IS NOT ? ORDER BY place"
        if not closed:
            return next((row[0] for row in self.database.rows(f"{free} LIMIT 1", self.session)), None)
        return next((row[0] for row in self.database.rows(free, self.session) if row[0] not in closed), None)

    def _bury(self) -> bool:
        """Release what dead workers held; return whether there were any."""
        names = [row[0] for row in self.database.rows("SELECT worker FROM workers")]
        dead = [name for name in names if name != self.worker and not self.others.lives(name)]
        for name in dead:
            self._release(name)
            self.others.forget(name)
        return bool(dead)

    def _release(self, worker: str) -> None:
        self.database.rows("UPDATE games SET status = 'open', worker = NULL WHERE worker = ?", worker)
        self.database.rows("DELETE FROM held WHERE worker = ?", worker)
        self.database.rows("DELETE FROM workers WHERE worker = ?", worker)

    def _finished(self, game: str, outcome: OutcomeRecord | None) -> None:
        told = f"{outcome.result} ({outcome.reason})" if outcome is not None else None
        end = "UPDATE games SET status = 'finished', worker = NULL, left_in = NULL, outcome = ? WHERE game = ?"
        self.database.rows(end, told, game)

    def _ended(self, game: str, failed: bool) -> None:
        put = "INSERT INTO endings (session, game, failed) VALUES (?, ?, ?)"
        self.database.rows(put, self.session, game, int(failed))


@contextmanager
def opened(
    run: Run,
    plans: Sequence[MatchPlan],
    session: str | None = None,
    alone: bool = False,
    say: Callable[[str], object] | None = None,
) -> Iterator[tuple[Claims, Worker, bool]]:
    """Take part in a run while the block lasts; gives also whether its database was damaged and made anew.

    ``alone`` suffers no other process; ``say`` is told what is waited for. Raises UserError for what the user can put
    right.
    """
    others = Others(run.folder)
    with ExitStack() as leaving:
        with at_the_door(run.folder):
            _look_round(run, others, alone, say)
            database, mended = open_database(run.folder, plans, bool(others.names()))
            leaving.callback(database.close)
            worker = leaving.enter_context(entered(run.folder, alone=alone))
        claims = Claims(run, database, others, worker.name, session or uuid.uuid4().hex)
        claims.join(plans)
        try:
            yield claims, worker, mended
        except BaseException:
            with suppress(UserError):  # the first trouble is the one to tell
                claims.go()
            raise
        claims.go()


def _look_round(run: Run, others: Others, alone: bool, say: Callable[[str], object] | None) -> None:
    """Forget dead workers; UserError if one that lives and this process cannot both play."""
    for name in others.names():
        about = others.about(name)
        abroad = about.get("database", this_host()) != this_host()
        if abroad:
            host = clean_line(str(about["database"]), 100)
            if say is not None:
                say(f"Waiting for up to {LEASE_S + 1:.0f} s to see whether a process on {host} still plays this run.")
            _watch(others, name)
        if not others.lives(name):
            others.forget(name)
        elif abroad:
            raise UserError(
                f"the run {run.folder} is being played on {host}: several hosts play one run with "
                "--executor ray only (docs/runs.md)."
            )
        elif alone or about.get("alone"):
            raise UserError(f"the run {run.folder} is being played by another process; wait for it to end.")


def _watch(others: Others, name: str) -> None:
    """Look at the file of another host's process until it is renewed or the lease has run out."""
    before, until = others.changed(name), now() + LEASE_S + 1
    others.lives(name)
    while now() < until and others.changed(name) == before is not None:
        time.sleep(0.5)
