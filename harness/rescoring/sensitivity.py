"""What every policy would have made of the same games, read leniently and strictly: how much results hang on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

from harness.agents.base import Policy
from harness.log import GameLog
from harness.ratings.results import results_of
from harness.ratings.standings import rate
from harness.report import make_report
from harness.rescoring.rejudging import Rejudged
from harness.rescoring.scoring import How, Rescored, Scoring, rescore

POLICIES: tuple[Policy, ...] = get_args(Policy)
REASONS: tuple[How, ...] = get_args(How)


@dataclass(frozen=True)
class Counts:
    """What became of some games: ``affected`` are those that are counted otherwise in any figure.

    ``changed`` end with another result, ``cut`` without one that could be computed. ``left`` counts games by why they
    leave the course they were played on; ``early`` those of them that do so at a decision that counts as used up
    although the player would have been asked again.
    """

    games: int
    affected: int
    changed: int
    cut: int
    left: dict[How, int]
    early: int


@dataclass(frozen=True)
class Standing:
    """One entrant under one scoring: games that are ranked, wins, forfeits (of cut games too), rating in Elo points.

    ``rating`` is None if there is none, ``half_width`` half the width of its 95 % interval.
    """

    name: str
    ranked: int
    wins: int
    forfeits: int
    rating: float | None
    half_width: float | None


@dataclass(frozen=True)
class Scenario:
    """All games under one scoring."""

    scoring: Scoring
    counts: Counts
    standings: tuple[Standing, ...]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        return {**asdict(self.scoring), **asdict(self.counts), "standings": [asdict(one) for one in self.standings]}


def count(games: Sequence[Rescored]) -> Counts:
    """Count what became of games that were scored again."""
    fates = Counter(game.fate for game in games)
    departures = [game.departure for game in games if game.departure is not None]
    left = Counter(departure.how for departure in departures)
    return Counts(
        games=len(games),
        affected=sum(game.recorded.records[1:] != game.log.records[1:] for game in games),
        changed=fates["changed"],
        cut=fates["cut"],
        left={how: left[how] for how in REASONS},
        early=sum(departure.early for departure in departures),
    )


def scenarios(
    logs: Sequence[GameLog], judged: Sequence[Rejudged], attempts: int | None, anchor: str | None
) -> list[Scenario]:
    """Score games under every policy, read leniently and strictly, with ``attempts`` for each decision (None: theirs).

    Where no readable answer needed a repair the two readings are one, and only the lenient one is returned.
    """
    repaired = any(record.repairs for log in logs for record in log.attempts)
    found = []
    for policy in POLICIES:
        for strict in (False, True) if repaired else (False,):
            scoring = Scoring(policy, attempts, strict)
            games = [rescore(log, one, scoring) for log, one in zip(logs, judged, strict=True)]
            found.append(Scenario(scoring, count(games), _standings([game.log for game in games], anchor)))
    return found


def _standings(logs: Sequence[GameLog], anchor: str | None) -> tuple[Standing, ...]:
    report = make_report(logs)
    results = results_of(logs, report.label)
    agents = {entry.label: entry.agent for entry in report.entries}
    rated = {name for result in results for name in result.seats}
    ratings = {}
    if anchor is None or anchor in rated:
        found = rate(results, agents, seed=logs[0].header.run_seed, anchor=anchor)
        ratings = {one.name: one for one in found.standings}
    forfeits = Counter(
        report.label(log.header.seats[record.seat], log.header)
        for log in logs
        for record in log.decisions
        if record.by == "forfeit"
    )
    standings = []
    for entry in sorted(report.entries, key=lambda entry: entry.label):
        rating = ratings.get(entry.label)
        standings.append(
            Standing(
                name=entry.label,
                ranked=sum(entry.label in result.seats for result in results),
                wins=entry.wins,
                forfeits=forfeits[entry.label],
                rating=rating.rating if rating is not None else None,
                half_width=rating.half_width if rating is not None else None,
            )
        )
    return tuple(standings)
