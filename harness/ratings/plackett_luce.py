"""Plackett–Luce: the chance that one of those left comes next is proportional to exp(its strength).

For two players this is the Bradley–Terry model. A ranking is a sequence of choices: the best among all, the second
among the rest, and so on. Ties count as every order of the tied, in equal shares. The fit is Newton's method for many
weightings of the same games at once, which is what resampling needs; the tests hold it to ``choix``, which takes
neither weights nor ties.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Model = Literal["plackett_luce", "winner_only"]
Ranking = Sequence[Sequence[int]]
"""Players by number, best first, those of equal rank together."""
Floats = NDArray[np.float64]

PHANTOM: Final = 1.0
"""Weight of the game against one of average strength that every player is given beside its own."""
_STEPS: Final = 100
_LONGEST: Final = 2.0
_ENOUGH: Final = 1e-9


class Choices(NamedTuple):
    """The different choices in some games: who was chosen, (choices,), among whom, (choices, players) of 0 and 1.

    ``counts``, (games, choices), says what share of each choice a game holds.
    """

    chosen: NDArray[np.intp]
    among: Floats
    counts: Floats


def choices_in(rankings: Sequence[Ranking], players: int, model: Model = "plackett_luce") -> Choices:
    """Return the choices in these rankings; ``winner_only`` takes the first of each ranking and leaves out the rest.

    Raises ValueError for a ranking that names a player twice, or one there is not.
    """
    columns: dict[tuple[int, tuple[int, ...]], int] = {}
    found: list[tuple[int, int, float]] = []
    for game, ranking in enumerate(rankings):
        named = [player for group in ranking for player in group]
        if len(set(named)) < len(named) or not all(0 <= player < players for player in named):
            raise ValueError(f"not a ranking of players 0 to {players - 1}: {ranking!r}")
        for chosen, among, share in _choices(ranking, model):
            found.append((game, columns.setdefault((chosen, among), len(columns)), share))
    there = np.zeros((len(columns), players))
    counts = np.zeros((len(rankings), len(columns)))
    for column, (_, names) in enumerate(columns):
        there[column, list(names)] = 1.0
    for game, column, share in found:
        counts[game, column] += share
    return Choices(np.array([chosen for chosen, _ in columns], np.intp), there, counts)


def _choices(ranking: Ranking, model: Model) -> list[tuple[int, tuple[int, ...], float]]:
    """The choices of one ranking: who was chosen, among whom, and in which share of the orders of the tied."""
    made = []
    below = [player for group in ranking for player in group]
    for group in ranking:
        below = below[len(group) :]
        for order in permutations(group):
            for place in range(1 if model == "winner_only" else len(order)):
                among = (*order[place:], *below)
                if len(among) > 1:
                    made.append((order[place], tuple(sorted(among)), 1 / factorial(len(order))))
        if model == "winner_only":
            break
    return made


def fit(choices: Choices, weights: Floats, phantom: float = PHANTOM, tossed: Floats | None = None) -> Floats:
    """Return the strengths, mean 0, under each row of ``weights``: (weightings, games) -> (weightings, players).

    The phantom game, of weight ``phantom``, keeps the strength of a player without a defeat, or without a win, finite.
    ``tossed``, (weightings, players), says how it ends, from 0, lost, to 1, won; unless given it is a draw.
    """
    weight = weights @ choices.counts
    taken = weight @ np.eye(choices.among.shape[1])[choices.chosen]
    strengths = np.zeros_like(taken)
    taken = taken + phantom * (0.5 if tossed is None else tossed)
    for _ in range(_STEPS):
        step = _step(choices.among, weight, taken, strengths, phantom)
        step *= np.minimum(1.0, _LONGEST / np.maximum(np.abs(step).max(axis=1, keepdims=True), _ENOUGH))
        strengths += step
        if np.abs(step).max() < _ENOUGH:
            break
    centred: Floats = strengths - strengths.mean(axis=1, keepdims=True)
    return centred


def _step(among: Floats, weight: Floats, taken: Floats, strengths: Floats, phantom: float) -> Floats:
    """One step of Newton's method for every weighting."""
    force = np.exp(strengths - strengths.max(axis=1, keepdims=True))
    chance = force[:, None, :] * among
    chance /= chance.sum(axis=2, keepdims=True)
    expected = chance * weight[:, :, None]
    even = 1 / (1 + np.exp(-strengths))
    slope = taken - expected.sum(axis=1) - phantom * even
    curve = expected.sum(axis=1) + phantom * even * (1 - even)
    bend = curve[:, :, None] * np.eye(curve.shape[1]) - expected.transpose(0, 2, 1) @ chance
    step: Floats = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
    return step
