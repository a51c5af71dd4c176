"""Stopping a comparison of two entrants as soon as it is decided: the generalised sequential probability ratio test.

Works on blocks (one deal, both seatings), whose scores need no model of how luck ties the two games together. The
hypotheses are differences in normalised Elo: the mean score of a block over its own standard deviation.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final, Literal

LEAST: Final = 8
"""Blocks before which nothing is decided: the spread of fewer is not known well enough."""
NORMALISED: Final = 800 / math.log(10)
"""Points of normalised Elo for a mean score of one standard deviation of a single game."""

Verdict = Literal["first", "second", "alike", "open"]


@dataclass(frozen=True)
class StoppingRule:
    """The stopping rule. ``margin`` is the difference, in normalised Elo, that is worth finding.

    ``alpha`` is the chance to call two equal entrants different (both directions together), ``beta`` that to miss a
    difference of ``margin``.
    """

    margin: float = 60.0
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True)
class Progress:
    """Where a test stands after some blocks.

    ``better`` and ``worse`` are the log likelihood ratios of the first entrant being stronger, or weaker, by the
    margin, against equal strength. One that reaches ``upper`` decides, and so do both below ``lower``: ``alike`` means
    closer than the margin.
    """

    blocks: int
    mean: float
    better: float
    worse: float
    lower: float
    upper: float
    verdict: Verdict


def judge(scores: Sequence[float], games: int, rule: StoppingRule) -> Progress:
    """Return where the test stands.

    ``scores`` are the first entrant's mean scores, 0 to 1, in blocks of ``games`` games, in the order of play.
    """
    lower, upper = math.log(rule.beta / (1 - rule.alpha / 2)), math.log((1 - rule.beta) / (rule.alpha / 2))
    if not scores:
        return Progress(0, 0.5, 0.0, 0.0, lower, upper, "open")
    mean = fmean(scores)
    # A half point, won and lost, keeps the spread of blocks that all end alike above zero.
    padded = [*scores, 0.0, 1.0]
    spread = math.sqrt(fmean((score - fmean(padded)) ** 2 for score in padded) * games)
    aim = rule.margin / NORMALISED * math.sqrt(games)
    found = (mean - 0.5) / spread * math.sqrt(games)
    better = len(scores) * (aim * found - aim * aim / 2)
    worse = len(scores) * (-aim * found - aim * aim / 2)
    return Progress(len(scores), mean, better, worse, lower, upper, _verdict(len(scores), better, worse, lower, upper))


def _verdict(blocks: int, better: float, worse: float, lower: float, upper: float) -> Verdict:
    if blocks < LEAST:
        return "open"
    if better >= upper:
        return "first"
    if worse >= upper:
        return "second"
    return "alike" if better <= lower and worse <= lower else "open"
