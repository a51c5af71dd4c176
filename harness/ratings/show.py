"""Ratings as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from harness.compliance.shares import Share
from harness.ratings.compliant import Compliant
from harness.ratings.standings import Meeting, Ratings, Standing
from harness.tables import new_table
from harness.text import clean_line, for_terminal

WIDEST_MATRIX = 6
"""Entrants up to which the table of meetings is a matrix that fits 80 columns."""
WIDEST_WITH_INTERVALS = 4
"""The same with intervals in it."""
WIDEST_HEADINGS = 66
"""Columns for the names at the head of that table, which are cut no shorter than that needs."""


def tables(ratings: Ratings) -> Iterator[Table]:
    """Yield the tables that have anything to tell."""
    if ratings.standings:
        yield _standings(ratings)
    if 1 < len({one.first for one in ratings.meetings}) <= WIDEST_MATRIX:
        yield _meetings(ratings)


def compliant_table(ratings: Ratings, compliant: Compliant) -> Table:
    """Return the ratings of all games beside those of the games without a move by the policy for the entrant."""
    table = new_table(
        "Skill given compliance: games without a move by the policy for the agent", "agent",
        "games", "of them\nwithout", "rating\nin all", "in those\nwithout",
    )  # fmt: skip
    for one in ratings.standings:
        own, there = compliant.own[one.name], compliant.standings.get(one.name)
        alone = _rating(there) if there is not None else "the same" if own.part == own.whole else "-"
        table.add_row(for_terminal(one.name, 48), str(own.whole), _own(own), _rating(one), alone)
    return table


def _own(share: Share) -> str:
    return f"{share.value:.0%} ({share.bounds()})"


def _rating(one: Standing) -> str:
    return f"{one.rating:+.0f}{_reach(one.half_width)}"


def notes(ratings: Ratings) -> Iterator[str]:
    """Yield what is to be said beside the tables, a line each."""
    if ratings.apart:
        groups = "; ".join(" and ".join(clean_line(name, 48) for name in group) for group in ratings.apart)
        yield f"No common rating: these never met, directly or through others: {groups}."
    for one in ratings.floors:
        yield (
            f"The same agent twice: {clean_line(one.first, 48)} and {clean_line(one.second, 48)} differ by "
            f"{one.difference:+.0f}{_reach(one.half_width)} points, which is noise."
        )
    if ratings.seats:
        told = ", ".join(f"{one.seat} {_with_interval(one.wins, one.low, one.high)}" for one in ratings.seats)
        yield f"Games won from each seat: {told}."


def _standings(ratings: Ratings) -> Table:
    zero = f"{clean_line(ratings.anchor, 48)} = 0" if ratings.anchor is not None else "mean = 0"
    table = new_table(
        f"Ratings (Elo points, {zero}; {ratings.confidence:.0%} intervals from {ratings.blocks} blocks)",
        "agent", "games", "blocks", "rating", "ranks left\nopen",
    )  # fmt: skip
    for one in ratings.standings:
        ranks = (
            "-" if one.ranks is None else str(one.ranks[0]) if len(set(one.ranks)) == 1 else "{}-{}".format(*one.ranks)
        )
        table.add_row(for_terminal(one.name, 48), str(one.games), str(one.blocks), _rating(one), ranks)
    return table


def _meetings(ratings: Ratings) -> Table:
    order = [one.name for one in ratings.standings] or sorted({one.first for one in ratings.meetings})
    found = {(one.first, one.second): one for one in ratings.meetings}
    narrow = len(order) > WIDEST_WITH_INTERVALS
    title = f"Share of games ranked above, row against column{'' if narrow else ' (95 % intervals)'}"
    limit = next(one for one in range(12, 0, -1) if sum(2 + min(len(name), one) for name in order) <= WIDEST_HEADINGS)
    table = new_table(title, "agent", *(for_terminal(name, limit) for name in order))
    for first in order:
        cells = [found.get((first, second)) for second in order]
        table.add_row(for_terminal(first, 48), *("" if one is None else _share(one, narrow) for one in cells))
    return table


def _share(one: Meeting, narrow: bool) -> str:
    return f"{one.score:.0%}" if narrow else _with_interval(one.score, one.low, one.high)


def _with_interval(share: float, low: float, high: float) -> str:
    return f"{share:.0%} ({100 * low:.0f}-{100 * high:.0f})"


def _reach(half_width: float | None) -> str:
    return "" if half_width is None else f" ± {half_width:.0f}"
