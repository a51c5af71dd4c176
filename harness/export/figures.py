"""The rows of the tables that hold figures: ratings, and rates with their intervals."""

from __future__ import annotations

from collections.abc import Iterator

from harness.compliance.following import EVERY_REFUSAL, FIGURES
from harness.export.columns import VIOLATIONS_PER_OPPORTUNITY
from harness.export.rows import Row
from harness.reporting import Analysis

ABOUT = {VIOLATIONS_PER_OPPORTUNITY: "first attempts that broke the code, of those that could have"} | dict(FIGURES)
"""The figures of the table ``rates``, and what is counted of what."""


def ratings(analysis: Analysis) -> Iterator[Row]:
    """Yield a row for each entrant: the rated ones by strength, the others as in the report."""
    assert analysis.compliant is not None
    own = analysis.compliant.own
    standing = {one.name: one for one in analysis.ratings.standings}
    clean = {name: standing[name] for name in standing if own[name].part == own[name].whole}
    clean |= analysis.compliant.standings
    entries = {entry.label: entry for entry in analysis.report.entries}
    for name in dict.fromkeys([*standing, *entries]):
        one, there = standing.get(name), clean.get(name)
        ranks = one.ranks if one is not None and one.ranks is not None else (None, None)
        yield {
            "entrant": name,
            "agent": entries[name].agent,
            "games": own[name].whole if name in own else 0,
            "blocks": one.blocks if one is not None else None,
            "rating": one.rating if one is not None else None,
            "half_width": one.half_width if one is not None else None,
            "best_rank": ranks[0],
            "worst_rank": ranks[1],
            "own_moves": own[name].part if name in own else 0,
            "rating_own_moves": there.rating if there is not None else None,
            "half_width_own_moves": there.half_width if there is not None else None,
        }


def rates(analysis: Analysis) -> Iterator[Row]:
    """Yield a row for each figure of each entrant, those per opportunity behind the others."""
    told = [(one.entrant, one.figure, one.code, one.share) for one in analysis.compliance.figures]
    for entrant, figure, code, share in told:
        yield {
            "entrant": entrant, "figure": figure, "code": None if code == EVERY_REFUSAL else code,
            "part": share.part, "whole": share.whole, "rate": share.value, "low": share.low, "high": share.high,
            "effective": share.effective, "deals": share.deals,
        }  # fmt: skip
    for one in analysis.rates or ():
        yield {
            "entrant": one.entrant, "figure": VIOLATIONS_PER_OPPORTUNITY, "code": one.code,
            "part": one.violations, "whole": one.opportunities, "rate": one.value, "low": one.low, "high": one.high,
            "effective": one.effective, "deals": one.deals,
        }  # fmt: skip
