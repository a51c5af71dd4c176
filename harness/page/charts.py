"""The figures of the page as positions and texts; the template draws them, so that they need no script."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from harness.compliance.rates import ANY_RULE, Rate
from harness.compliance.shares import Share
from harness.ratings.standings import Meeting, Standing

WIDTH: Final = 440.0
"""Of the scatter, in units of its picture; narrow, so that its letters can be read on a phone."""
HEIGHT: Final = 260.0
EDGE: Final = 0.02
"""What is left free at both ends of an axis, as a share of it."""


@dataclass(frozen=True)
class Tick:
    """A labelled position on an axis."""

    at: float
    label: str


@dataclass(frozen=True)
class Bar:
    """A row of a chart: an interval and its middle, in percent of the axis; ``beside`` is a second, hollow mark."""

    name: str
    about: str
    low: float
    middle: float
    high: float
    value: str
    beside: float | None = None


@dataclass(frozen=True)
class Chart:
    """Intervals below each other on one axis."""

    ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Dot:
    """One entrant in the scatter of cost against rating; its label stands on the left where the right has no room."""

    name: str
    x: float
    y: float
    left: bool


@dataclass(frozen=True)
class Scatter:
    """Rating over cost in US dollars per game, on a logarithmic axis of cost."""

    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Cell:
    """A cell of a map: the share in words, how deep its colour is from 0 to 1, and more in words."""

    share: str
    depth: float
    title: str


@dataclass(frozen=True)
class HeatMap:
    """Violations per opportunity: a row for each code that anybody broke, a column for each entrant."""

    entrants: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


def rating_chart(standings: Sequence[Standing]) -> Chart | None:
    """Return the picture of the ratings; None without any."""
    if not standings:
        return None
    reach = [(one.rating - (one.half_width or 0), one.rating + (one.half_width or 0)) for one in standings]
    axis = _axis(min(low for low, _ in reach), max(high for _, high in reach))
    bars = [
        Bar(one.name, "", axis.percent(low), axis.percent(one.rating), axis.percent(high), _points(one))
        for one, (low, high) in zip(standings, reach, strict=True)
    ]
    return Chart(_ticks(axis), tuple(bars))


def share_chart(rows: Sequence[tuple[str, str, Share, Share | None]]) -> Chart | None:
    """Return shares with their intervals, each (name, about it, share, another beside it); None without any."""
    if not rows:
        return None
    axis = _Axis(0.0, 1.0, (0.0, 0.25, 0.5, 0.75, 1.0))
    bars = [
        Bar(
            name, about, axis.percent(one.low), axis.percent(one.value), axis.percent(one.high),
            f"{one.value:.1%} ({one.bounds('–')})",
            axis.percent(other.value) if other is not None else None,
        )
        for name, about, one, other in rows
    ]  # fmt: skip
    return Chart(tuple(Tick(axis.percent(value), f"{value:.0%}") for value in axis.values), tuple(bars))


def scatter(standings: Sequence[Standing], cost_per_game: Mapping[str, float]) -> Scatter | None:
    """Return cost against rating for the entrants that cost anything; None for fewer than two."""
    shown = [one for one in standings if cost_per_game.get(one.name, 0.0) > 0]
    if len(shown) < 2:
        return None
    logs = [math.log10(cost_per_game[one.name]) for one in shown]
    across = _axis(math.floor(min(logs)), max(math.ceil(max(logs)), math.floor(min(logs)) + 1), whole=True)
    up = _axis(min(one.rating for one in shown), max(one.rating for one in shown))
    dots = [
        Dot(one.name, across.along(log, WIDTH), HEIGHT - up.along(one.rating, HEIGHT), across.along(log, 1) > 0.6)
        for one, log in zip(shown, logs, strict=True)
    ]
    return Scatter(
        tuple(Tick(across.along(value, WIDTH), f"${10**value:.12g}") for value in across.values),
        tuple(Tick(HEIGHT - up.along(value, HEIGHT), _signed(value)) for value in up.values),
        tuple(dots),
    )


def heat_map(rates: Sequence[Rate]) -> HeatMap:
    """Return the map of all codes that anybody broke, the most broken first."""
    entrants = tuple(dict.fromkeys(one.entrant for one in rates))
    found = {(one.entrant, one.code): one for one in rates}
    codes = {one.code: 0.0 for one in rates if one.violations and one.code != ANY_RULE}
    for one in rates:
        if one.code in codes:
            codes[one.code] = max(codes[one.code], one.low)
    order = sorted(codes, key=lambda code: (-codes[code], code))
    rows = tuple(
        (code, tuple(_cell(found.get((entrant, code))) for entrant in entrants)) for code in [ANY_RULE, *order]
    )
    return HeatMap(entrants, rows)


def _cell(one: Rate | None) -> Cell | None:
    if one is None:
        return None
    share = "0" if not one.violations else f"{one.value:.1%}" if one.value < 0.1 else f"{one.value:.0%}"
    title = f"{one.violations} of {one.opportunities}, 95 % interval {one.low:.1%} to {one.high:.1%}"
    return Cell(share, math.sqrt(one.value), title)  # the root, so that rare violations are seen too


def matrix(order: Sequence[str], meetings: Sequence[Meeting]) -> list[tuple[str, list[Cell | None]]]:
    """Return who ranked above whom, row against column; an empty cell for those who never met."""
    found = {(one.first, one.second): one for one in meetings}
    return [(first, [_met(found.get((first, second))) for second in order]) for first in order]


def _met(one: Meeting | None) -> Cell | None:
    if one is None:
        return None
    title = f"{one.games} games, 95 % interval {one.low:.0%} to {one.high:.0%}"
    return Cell(f"{one.score:.0%}", one.score, title)


def _points(one: Standing) -> str:
    return f"{one.rating:+.0f}{f' ± {one.half_width:.0f}' if one.half_width is not None else ''}"


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    values: tuple[float, ...]

    def along(self, value: float, length: float) -> float:
        """Where a value lies on an axis of a length, with something left free at both ends."""
        share = (value - self.low) / (self.high - self.low)
        return round((EDGE + share * (1 - 2 * EDGE)) * length, 2)

    def percent(self, value: float) -> float:
        """Where it lies in percent."""
        return self.along(value, 100)


def _axis(low: float, high: float, whole: bool = False) -> _Axis:
    """An axis that holds the values, with about five round marks; ``whole`` marks every whole number."""
    span = max(high - low, 1e-9)
    raw = span / 5
    size = 10 ** math.floor(math.log10(raw))
    step = 1.0 if whole else next(factor * size for factor in (1, 2, 5, 10) if factor * size >= raw)
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return _Axis(first * step, last * step, tuple(number * step for number in range(first, last + 1)))


def _ticks(axis: _Axis) -> tuple[Tick, ...]:
    return tuple(Tick(axis.percent(value), _signed(value)) for value in axis.values)


def _signed(value: float) -> str:
    return f"{value:+.0f}" if value else "0"
