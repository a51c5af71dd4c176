"""Ratings as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from harness.ratings.standings import Ratings
from harness.tables import new_table
from harness.text import clean_line, for_terminal

WIDEST_MATRIX = 6
"""Entrants up to which the table of meetings is a matrix that fits 80 columns."""


def tables(ratings: Ratings) -> Iterator[Table]:
    """Yield the tables that have anything to tell."""
    if ratings.standings:
        yield _standings(ratings)
    if 2 < len({one.first for one in ratings.meetings}) <= WIDEST_MATRIX:
        yield _meetings(ratings)


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
        told = ", ".join(f"{one.seat} {one.wins:.0%}{_percent(one.half_width)}" for one in ratings.seats)
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
        rating = f"{one.rating:+.0f}{_reach(one.half_width)}"
        table.add_row(for_terminal(one.name, 48), str(one.games), str(one.blocks), rating, ranks)
    return table


def _meetings(ratings: Ratings) -> Table:
    order = [one.name for one in ratings.standings] or sorted({one.first for one in ratings.meetings})
    scores = {(one.first, one.second): one for one in ratings.meetings}
    table = new_table("Share of games ranked above", "agent", *(for_terminal(name, 12) for name in order))
    for first in order:
        cells = [scores.get((first, second)) for second in order]
        table.add_row(for_terminal(first, 48), *(f"{one.score:.0%}" if one else "" for one in cells))
    return table


def _reach(half_width: float | None) -> str:
    return "" if half_width is None else f" ± {half_width:.0f}"


def _percent(half_width: float | None) -> str:
    return "" if half_width is None else f" ± {half_width:.0%}"
