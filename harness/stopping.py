"""Ending a run of two entrants as soon as its games have decided who is stronger (``[stop]`` of a tournament file)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from harness.log import read_outcome
from harness.plan import MatchPlan
from harness.ratings.results import score
from harness.ratings.sequential import Progress, StoppingRule, judge
from harness.records import OutcomeRecord
from harness.store import Run


class Comparison:
    """What the blocks played so far say.

    Only blocks without a gap before them count, so that the verdict does not depend on which of several games at a time
    ended first, and a run that was interrupted stops where an undisturbed one does.
    """

    def __init__(self, rule: StoppingRule, first: str, plans: Iterable[MatchPlan]) -> None:
        self.rule, self._first = rule, first
        self._games: defaultdict[int, list[str]] = defaultdict(list)
        for plan in plans:
            self._games[plan.deal].append(plan.game)
        self._scores: dict[str, float | None] = {}
        self.progress = self._judged()

    def note(self, plan: MatchPlan, outcome: OutcomeRecord) -> None:
        """Take the outcome of one game into account; a void one leaves its block out."""
        self._scores[plan.game] = _score(plan, outcome, self._first) if outcome.ranking else None
        self.progress = self._judged()

    def knows(self, game: str) -> bool:
        """Whether the outcome of a game was taken into account."""
        return game in self._scores

    @property
    def decided(self) -> bool:
        """Whether no more games are needed."""
        return self.progress.verdict != "open"

    def _judged(self) -> Progress:
        scores: list[float] = []
        size = max(map(len, self._games.values()), default=1)
        found = judge(scores, size, self.rule)
        for deal in sorted(self._games):
            games = self._games[deal]
            if found.verdict != "open" or any(game not in self._scores for game in games):
                break
            known = [score for score in map(self._scores.get, games) if score is not None]
            if len(known) == len(games):
                scores.append(sum(known) / len(known))
                found = judge(scores, size, self.rule)
        return found


def comparison_of(run: Run, plans: Iterable[MatchPlan]) -> Comparison | None:
    """Return the comparison a run is to decide, with the games it has finished; None if its file asks for none."""
    table = run.tournament.stop
    if table is None:
        return None
    plans = list(plans)
    rule = StoppingRule(table.margin, table.alpha, table.beta)
    found = Comparison(rule, run.tournament.entrants[0].name, plans)
    for plan in plans:
        outcome = read_outcome(run.log(plan.game))
        if outcome is not None:
            found.note(plan, outcome)
    return found


def verdict(progress: Progress, first: str, second: str, rule: StoppingRule) -> str:
    """Say in one sentence how a comparison ended."""
    blocks = f"after {progress.blocks} blocks (mean score of {first}: {progress.mean:.1%})"
    if progress.verdict == "alike":
        return f"{first} and {second} are closer than {rule.margin:g} points of normalised Elo, {blocks}"
    better, worse = (first, second) if progress.verdict == "first" else (second, first)
    return f"{better} is stronger than {worse}, {blocks}"


def _score(plan: MatchPlan, outcome: OutcomeRecord, first: str) -> float:
    second = next(name for name in plan.seats.values() if name != first)
    return score([[plan.seats[seat] for seat in group] for group in outcome.ranking], first, second)
