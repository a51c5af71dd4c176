"""When a run that ends by itself (``[stop]``) is likely to end, by simulating its test on two equal entrants."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Final

from harness.config import Tournament
from harness.forecast.precision import LUCK
from harness.randomness import derive_seed
from harness.ratings.results import score
from harness.ratings.sequential import LEAST, StoppingRule, judge
from harness.ratings.simulation import simulate

RUNS: Final = 30
LONGEST: Final = 400
"""Blocks after which a simulated run is left undecided."""
STEP: Final = 4
"""Blocks between two looks at a simulated run; a real one looks after each."""


@dataclass(frozen=True)
class Ending:
    """Blocks after which runs of equals end, on the mean, and the share that is decided before the last block."""

    blocks: float
    decided: float


def ending(tournament: Tournament) -> Ending | None:
    """Return when the run ends if its two entrants are equal; None if it does not end by itself."""
    if tournament.stop is None:
        return None
    rule = StoppingRule(tournament.stop.margin, tournament.stop.alpha, tournament.stop.beta)
    deals = min(tournament.schedule.deals, LONGEST)
    ends = [_end(deals, run, rule) for run in range(RUNS)]
    return Ending(fmean(deals if end is None else end for end in ends), sum(end is not None for end in ends) / RUNS)


def _end(deals: int, run: int, rule: StoppingRule) -> int | None:
    """The block after which one simulated run is decided, None if it never is."""
    games = simulate([0.0, 0.0], [(0, 1)], deals, derive_seed(run, "ending"), LUCK)
    points = [score(game.ranking, "0", "1") for game in games]
    blocks = [(first + second) / 2 for first, second in zip(points[::2], points[1::2], strict=True)]
    for number in range(LEAST, len(blocks) + 1, STEP):
        if judge(blocks[:number], 2, rule).verdict != "open":
            return number
    return None
