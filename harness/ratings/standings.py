"""Ratings, intervals, rank sets, who beat whom, the effect of the seat and the noise floor, from one set of results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any, Final

import numpy as np

from harness.compliance.shares import interval, share
from harness.errors import UserError
from harness.ratings.plackett_luce import Floats, Model, choices_in, fit
from harness.ratings.resampling import CONFIDENCE, block_weights, half_widths, rank_sets, tosses
from harness.ratings.results import GameResult, score

ELO: Final = 400 / math.log(10)
"""Points of the Elo scale for one unit of strength: 400 points are odds of ten to one."""


@dataclass(frozen=True)
class Standing:
    """One entrant: its rating in Elo points, half the width of its 95 % interval, the ranks the games leave open.

    ``half_width`` and ``ranks`` are None where fewer than two blocks were played; an anchor's rating is 0 and certain.
    """

    name: str
    games: int
    blocks: int
    rating: float
    half_width: float | None
    ranks: tuple[int, int] | None


@dataclass(frozen=True)
class Meeting:
    """Two entrants at the same table: in how many games, and the share in which the first ranked higher (ties half).

    ``low`` and ``high`` bound the 95 % interval of that share, with deals as clusters.
    """

    first: str
    second: str
    games: int
    score: float
    low: float
    high: float


@dataclass(frozen=True)
class SeatEffect:
    """How often a seat won, as a share of the games that had a winner.

    ``low`` and ``high`` bound the 95 % interval, with deals as clusters: what a deal gives a seat it gives it in all
    line-ups.
    """

    seat: str
    wins: float
    low: float
    high: float


@dataclass(frozen=True)
class Floor:
    """Two entrants that are the same agent: the difference of their ratings is noise, and shows how much there is."""

    first: str
    second: str
    difference: float
    half_width: float | None


@dataclass(frozen=True)
class Ratings:
    """Everything about strength that some games tell. ``apart`` names groups that never met: nobody is rated then."""

    model: Model
    anchor: str | None
    confidence: float
    games: int
    blocks: int
    standings: tuple[Standing, ...]
    meetings: tuple[Meeting, ...]
    seats: tuple[SeatEffect, ...]
    floors: tuple[Floor, ...]
    apart: tuple[tuple[str, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain JSON."""
        return asdict(self)


def rate(
    results: Sequence[GameResult],
    agents: Mapping[str, str],
    *,
    seed: int,
    model: Model = "plackett_luce",
    anchor: str | None = None,
) -> Ratings:
    """Compute the ratings of the entrants in these results.

    ``agents`` maps entrants to what their agents are and play under, so that duplicates are found; ``seed`` is that of
    the run, so that the same logs give the same intervals. ``anchor`` is the entrant whose rating is 0, unless given
    the mean is: intervals then tell how far each stands from the field, and not how badly one known agent is pinned
    down. Raises UserError for an anchor that did not play.
    """
    names = sorted({name for result in results for name in result.seats})
    groups = _groups(names, results)
    blocks = list(dict.fromkeys(result.block for result in results))
    strata = {result.block: result.stratum for result in results}
    if anchor is not None and anchor not in names:
        raise UserError(f"no entrant with a rated game is called {anchor!r}; there are: {', '.join(names)}.")
    standings: list[Standing] = []
    floors: list[Floor] = []
    drawn = block_weights([strata[block] for block in blocks], seed)
    weights = None if drawn is None else drawn[:, [blocks.index(result.block) for result in results]]
    if len(groups) == 1 and len(names) > 1:
        rankings = [[[names.index(name) for name in group] for group in result.ranking] for result in results]
        choices = choices_in(rankings, len(names), model)
        estimate = ELO * fit(choices, np.ones((1, len(results))))[0]
        replicates = None if weights is None else ELO * fit(choices, weights, tossed=tosses(len(names), seed))
        standings = _standings(names, results, anchor, estimate, replicates)
        floors = _floors(names, agents, estimate, replicates)
    return Ratings(
        model=model,
        anchor=anchor,
        confidence=CONFIDENCE,
        games=len(results),
        blocks=len(blocks),
        standings=tuple(standings),
        meetings=tuple(_meetings(names, results)),
        seats=tuple(_seats(results)),
        floors=tuple(floors),
        apart=tuple(groups) if len(groups) > 1 else (),
    )


def _groups(names: Sequence[str], results: Sequence[GameResult]) -> list[tuple[str, ...]]:
    """The entrants that met, directly or through others, together."""
    groups = [{name} for name in names]
    for result in results:
        together = set().union(*(group for group in groups if not group.isdisjoint(result.seats)))
        groups = [group for group in groups if group.isdisjoint(result.seats)] + [together]
    return [tuple(sorted(group)) for group in groups]


def _standings(
    names: Sequence[str],
    results: Sequence[GameResult],
    anchor: str | None,
    estimate: Floats,
    replicates: Floats | None,
) -> list[Standing]:
    zero = names.index(anchor) if anchor is not None else None
    anchored = estimate - (estimate[zero] if zero is not None else 0.0)
    widths, ranks = None, None
    if replicates is not None:
        shifted = replicates - (replicates[:, [zero]] if zero is not None else 0.0)
        widths, ranks = half_widths(anchored, shifted), rank_sets(estimate, replicates)
    found = []
    for place, name in enumerate(names):
        played = [result for result in results if name in result.seats]
        found.append(
            Standing(
                name=name,
                games=len(played),
                blocks=len({result.block for result in played}),
                rating=float(anchored[place]),
                half_width=float(widths[place]) if widths is not None else None,
                ranks=ranks[place] if ranks is not None else None,
            )
        )
    return sorted(found, key=lambda standing: -standing.rating)


def _floors(
    names: Sequence[str], agents: Mapping[str, str], estimate: Floats, replicates: Floats | None
) -> list[Floor]:
    found = []
    for first, second in combinations(range(len(names)), 2):
        if agents.get(names[first]) is None or agents[names[first]] != agents.get(names[second]):
            continue
        width = None
        if replicates is not None:
            apart = (replicates[:, first] - replicates[:, second])[:, None]
            width = float(half_widths((estimate[first] - estimate[second])[None], apart)[0])
        found.append(Floor(names[first], names[second], float(estimate[first] - estimate[second]), width))
    return found


def _meetings(names: Sequence[str], results: Sequence[GameResult]) -> list[Meeting]:
    found = []
    for first, second in permutations(names, 2):
        deals: dict[str, tuple[float, int]] = {}
        for result in results:
            if {first, second} <= set(result.seats):
                points, games = deals.get(result.deal, (0.0, 0))
                deals[result.deal] = (points + score(result.ranking, first, second), games + 1)
        if deals:
            games = sum(games for _, games in deals.values())
            low, high, _ = interval(deals)
            found.append(Meeting(first, second, games, math.fsum(own for own, _ in deals.values()) / games, low, high))
    return found


def _seats(results: Sequence[GameResult]) -> list[SeatEffect]:
    decided = [result for result in results if result.winner is not None]
    found = []
    for seat in range(max((len(result.seats) for result in decided), default=0)):
        deals: dict[str, tuple[int, int]] = {}
        for result in decided:
            won, games = deals.get(result.deal, (0, 0))
            deals[result.deal] = (won + (result.winner in result.seats[seat : seat + 1]), games + 1)
        one = share(deals)
        found.append(SeatEffect("ABCD"[seat], one.value, one.low, one.high))
    return found
