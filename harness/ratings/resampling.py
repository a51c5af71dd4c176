"""Intervals by resampling blocks, the unit of every figure: one deal played in every rotation of its seats.

Blocks are drawn within each line-up, one fewer than there are and weighted up for it (Rao and Wu's rescaling), so that
the spread of the draws is the variance of the estimate for few blocks too. The game every entrant is given beside its
own (``plackett_luce.PHANTOM``) ends by a toss in every draw, so that a handful of blocks that happen to agree, or a
player without a defeat, are never taken for certainty.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np

from harness.ratings.plackett_luce import Floats

DRAWS: Final = 1000
CONFIDENCE: Final = 0.95


def block_weights(strata: Sequence[Hashable], seed: int, draws: int = DRAWS) -> Floats | None:
    """Return resampled weights, (draws, blocks), of blocks whose line-ups are ``strata``; None for fewer than 2 blocks.

    Where a line-up has one block only, nothing can be drawn within line-ups: all blocks are drawn as one stratum.
    """
    if len(strata) < 2:
        return None
    names = list(dict.fromkeys(strata))
    if any(strata.count(name) < 2 for name in names):
        strata, names = [None] * len(strata), [None]
    random = _generator(seed)
    weights = np.zeros((draws, len(strata)))
    for name in names:
        members = [place for place, stratum in enumerate(strata) if stratum == name]
        size = len(members)
        drawn = random.multinomial(size - 1, [1 / size] * size, size=draws)
        weights[:, members] = drawn * (size / (size - 1))
    return weights


def tosses(players: int, seed: int, draws: int = DRAWS) -> Floats:
    """Return how the phantom game of each player ends in each draw: (draws, players).

    Nearly won or nearly lost, never quite: a player without a real defeat would be infinitely strong.
    """
    return np.where(_generator(seed).integers(0, 2, size=(draws, players)) == 1, 0.9, 0.1)


def _generator(seed: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(seed))


def half_widths(estimate: Floats, replicates: Floats, confidence: float = CONFIDENCE) -> Floats:
    """Return half the widths of symmetric intervals: (players,) and (draws, players) -> (players,)."""
    widths: Floats = np.quantile(np.abs(replicates - estimate), confidence, axis=0)
    return widths


def rank_sets(estimate: Floats, replicates: Floats, confidence: float = CONFIDENCE) -> list[tuple[int, int]]:
    """Return for each player the best and the worst rank, from 1, that the games leave open.

    From simultaneous intervals (max-t) of all differences: with the stated confidence every set holds the true rank.
    """
    differences = estimate[:, None] - estimate[None, :]
    drawn = replicates[:, :, None] - replicates[:, None, :]
    spread = drawn.std(axis=0, ddof=1)
    spread[spread == 0] = np.inf
    critical = np.quantile((np.abs(drawn - differences) / spread).max(axis=(1, 2)), confidence)
    spread[np.isinf(spread)] = 0
    surely = differences > critical * spread
    np.fill_diagonal(surely, False)
    players = len(estimate)
    return [(1 + int(surely[:, one].sum()), players - int(surely[one].sum())) for one in range(players)]
