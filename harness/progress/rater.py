"""Ratings of a run that goes on, computed beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future

from harness.ratings.results import GameResult
from harness.ratings.standings import Standing, rate

SHARE = 20
"""Between two computations pass so many times the seconds that the last one took."""
MOST = 3000
"""Games beyond which the ratings are left to the report."""

Standings = Mapping[str, Standing]


class Rater:
    """Computes ratings in ``pool``, seldom enough that the games hardly notice. ``clock`` gives seconds."""

    def __init__(self, seed: int, pool: Executor, clock: Callable[[], float]) -> None:
        self.standings: Standings = {}
        self._seed, self._pool, self._clock = seed, pool, clock
        self._working: Future[Standings] | None = None
        self._games = 0
        self._began, self._not_before = 0.0, 0.0

    def look(self, results: Sequence[GameResult]) -> Standings:
        """Return the newest ratings there are; have newer ones computed if games have ended since and it is time."""
        now = self._clock()
        if self._working is not None and self._working.done():
            self.standings, self._working = self._working.result(), None
            self._not_before = now + SHARE * (now - self._began)
        if self._working is None and self._games < len(results) <= MOST and now >= self._not_before:
            self._games, self._began = len(results), now
            self._working = self._pool.submit(_rated, tuple(results), self._seed)
        return self.standings


def _rated(results: Sequence[GameResult], seed: int) -> Standings:
    return {one.name: one for one in rate(results, {}, seed=seed).standings}
