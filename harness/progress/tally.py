"""What has happened in a run so far, counted from the records of its games. Belongs to one thread at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from harness.agents.base import AttemptClass
from harness.budget import BUDGET_CODE
from harness.log import read_outcome
from harness.plan import MatchPlan
from harness.ratings.results import GameResult
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord, Record
from harness.text import clean_line

LIMITED = ("rate_limit", "overloaded")
"""Codes by which a server asks for fewer requests."""


@dataclass
class Player:
    """One entrant. Games and wins are of the whole run, all else since this process shows it.

    ``first`` counts first attempts that were accepted, ``limited`` tries that a server turned away for load or a limit;
    ``queued`` is seconds of waiting before requests left.
    """

    games: int = 0
    wins: int = 0
    attempts: Counter[AttemptClass] = field(default_factory=Counter)
    decisions: int = 0
    first: int = 0
    tokens: int = 0
    cost: Decimal = Decimal(0)
    unpriced: bool = False
    limited: int = 0
    queued: float = 0.0


@dataclass
class Running:
    """A game under way. ``trouble`` says why it gets no further, if it does not."""

    plan: MatchPlan
    decisions: int = 0
    round: int = 1
    trouble: str = ""


@dataclass
class Tally:
    """A run as far as it got. ``finished`` and ``results`` are of the whole run; void games have no result."""

    games: int
    players: dict[str, Player]
    finished: int = 0
    since: int = 0
    """Games finished since this process shows the run."""
    void: int = 0
    running: dict[str, Running] = field(default_factory=dict)
    results: list[GameResult] = field(default_factory=list)

    @property
    def attempts(self) -> Counter[AttemptClass]:
        """Attempts of all entrants by class."""
        return sum((player.attempts for player in self.players.values()), Counter())

    @property
    def tokens(self) -> int:
        """Tokens of all entrants."""
        return sum(player.tokens for player in self.players.values())

    @property
    def unpriced(self) -> bool:
        """Whether calls were made whose price is unknown."""
        return any(player.unpriced for player in self.players.values())

    def started(self, plan: MatchPlan) -> None:
        """A game starts or goes on."""
        self.running[plan.game] = Running(plan)

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """A record was written."""
        game = self.running.setdefault(plan.game, Running(plan))
        if isinstance(record, AttemptRecord):
            self._attempt(game, self.players[plan.seats[record.seat]], record)
        elif isinstance(record, DecisionRecord):
            game.decisions, game.round = record.number + 1, record.round
            self.players[plan.seats[record.seat]].decisions += 1

    def _attempt(self, game: Running, player: Player, record: AttemptRecord) -> None:
        player.attempts[record.result] += 1
        player.first += record.attempt == 0 and record.result == "accepted"
        player.limited += record.result == "provider" and record.code in LIMITED
        player.queued += float((record.timing or {}).get("queued", 0.0))
        if record.usage is not None:
            player.tokens += sum(record.usage.model_dump(exclude={"reasoning"}).values())
            player.unpriced = player.unpriced or record.cost is None
        for told in (record.cost, record.uncertain):
            player.cost += Decimal(told or 0)
        if record.code == BUDGET_CODE:
            game.trouble = "stopped by the budget"
        elif record.result == "provider":
            name = clean_line(game.plan.seats[record.seat], 48)
            game.trouble = f"no answer from the provider of {name}: {clean_line(f'{record.code}: {record.detail}')}"
        else:
            game.trouble = ""

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> Running:
        """A game is finished, or stays open (None); returns it as it was."""
        game = self.running.pop(plan.game, Running(plan))
        if outcome is not None:
            self.since += 1
            self.count(plan, outcome)
        return game

    def count(self, plan: MatchPlan, outcome: OutcomeRecord) -> None:
        """Count a finished game."""
        self.finished += 1
        for seat, name in plan.seats.items():
            self.players[name].games += 1
            self.players[name].wins += seat == outcome.winner
        if outcome.result == "void":
            self.void += 1
            return
        self.results.append(
            GameResult(
                deal=str(plan.deal),
                seats=tuple(plan.seats.values()),
                ranking=tuple(tuple(plan.seats[seat] for seat in group) for group in outcome.ranking),
                winner=plan.seats[outcome.winner] if outcome.winner is not None else None,
            )
        )


def tally_of(plans: Sequence[MatchPlan], names: Sequence[str], folder: Path) -> Tally:
    """Return the tally of a run whose game logs lie in a folder: of the games that are finished there, their ends."""
    tally = Tally(len(plans), {name: Player() for name in names})
    for plan in plans:
        outcome = read_outcome(folder / f"{plan.game}.jsonl")
        if outcome is not None:
            tally.count(plan, outcome)
    return tally
