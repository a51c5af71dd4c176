"""Tournaments of made-up entrants of known strength: how wide intervals get, and whether they hold the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.ratings.results import GameResult


@dataclass(frozen=True)
class Luck:
    """How much beside strength decides, on the scale of strengths (one unit is 174 points of Elo).

    ``deal`` is the spread of what one deal gives each seat, ``seat`` the advantage of a seat over the next one.
    """

    deal: float = 1.0
    seat: float = 0.15


def simulate(
    strengths: Sequence[float],
    line_ups: Sequence[Sequence[int]],
    deals: int,
    seed: int,
    luck: Luck | None = None,
    paired: bool = True,
    rotate: bool = True,
) -> list[GameResult]:
    """Return the results of a tournament in which every line-up plays every deal in every rotation of its seats.

    Entrants are called by their numbers. Given the deal, rankings follow Plackett–Luce. Without ``paired`` every game
    has a deal of its own; without ``rotate`` every line-up plays each deal once, seated as written.
    """
    luck = luck or Luck()
    random = np.random.Generator(np.random.Philox(seed))
    results = []
    for line_up in line_ups:
        players = len(line_up)
        for deal in range(deals):
            dealt = random.normal(0.0, luck.deal, size=players)
            for rotation in range(players if rotate else 1):
                if not paired:
                    dealt = random.normal(0.0, luck.deal, size=players)
                seated = [line_up[(seat + rotation) % players] for seat in range(players)]
                played = [
                    strengths[entrant] + dealt[seat] - luck.seat * seat + random.gumbel()
                    for seat, entrant in enumerate(seated)
                ]
                order = sorted(range(players), key=lambda seat: -played[seat])
                ranking = tuple((str(seated[seat]),) for seat in order)
                block = str(deal if paired else deal * players + rotation)
                results.append(GameResult(block, tuple(map(str, seated)), ranking, ranking[0][0]))
    return results
