"""The figures of the page as positions and texts; the template draws them as SVG, so that they need no script."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from harness.compliance.rates import ANY_RULE, Rate
from harness.ratings.standings import Standing

WIDTH: Final = 640.0
ROW: Final = 28.0
LEFT: Final = 10.0


@dataclass(frozen=True)
class Tick:
    """A labelled position on an axis."""

    at: float
    label: str


@dataclass(frozen=True)
class Bar:
    """One entrant's interval: the ends and the middle along the axis, and where its row lies."""

    name: str
    low: float
    middle: float
    high: float
    y: float


@dataclass(frozen=True)
class Intervals:
    """Ratings with their intervals on one axis."""

    height: float
    ticks: tuple[Tick, ...]
    bars: tuple[Bar, ...]


@dataclass(frozen=True)
class Dot:
    """One entrant in the scatter of cost against rating."""

    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Scatter:
    """Rating over cost in US dollars per game, on a logarithmic axis of cost."""

    height: float
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    dots: tuple[Dot, ...]


@dataclass(frozen=True)
class Cell:
    """One entrant and code of the heat map: the share in words, how deep its colour is from 0 to 1, and the counts."""

    share: str
    depth: float
    title: str


@dataclass(frozen=True)
class HeatMap:
    """Violations per opportunity: a row for each code that anybody broke, a column for each entrant."""

    entrants: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


def intervals(standings: Sequence[Standing]) -> Intervals | None:
    """Return the picture of the ratings; None without any."""
    if not standings:
        return None
    reach = [(one.rating - (one.half_width or 0), one.rating + (one.half_width or 0)) for one in standings]
    axis = _axis(min(low for low, _ in reach), max(high for _, high in reach))
    bars = [
        Bar(one.name, axis.place(low), axis.place(one.rating), axis.place(high), (number + 0.5) * ROW)
        for number, (one, (low, high)) in enumerate(zip(standings, reach, strict=True))
    ]
    ticks = tuple(Tick(axis.place(value), f"{value:+.0f}" if value else "0") for value in axis.values)
    return Intervals(len(bars) * ROW, ticks, tuple(bars))


def scatter(standings: Sequence[Standing], cost_per_game: dict[str, float]) -> Scatter | None:
    """Return cost against rating for the entrants that cost anything; None for fewer than two."""
    shown = [one for one in standings if cost_per_game.get(one.name, 0.0) > 0]
    if len(shown) < 2:
        return None
    logs = [math.log10(cost_per_game[one.name]) for one in shown]
    across = _axis(math.floor(min(logs)), max(math.ceil(max(logs)), math.floor(min(logs)) + 1), whole=True)
    up = _axis(min(one.rating for one in shown), max(one.rating for one in shown))
    height = 300.0
    dots = [
        Dot(one.name, across.place(log), height - up.place(one.rating) * height / WIDTH)
        for one, log in zip(shown, logs, strict=True)
    ]
    return Scatter(
        height,
        tuple(Tick(across.place(value), f"${10**value:.12g}") for value in across.values),
        tuple(Tick(height - up.place(value) * height / WIDTH, f"{value:+.0f}") for value in up.values),
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


@dataclass(frozen=True)
class _Axis:
    low: float
    high: float
    values: tuple[float, ...]

    def place(self, value: float) -> float:
        """Where a value lies, from LEFT to WIDTH - LEFT."""
        return round(LEFT + (value - self.low) / (self.high - self.low) * (WIDTH - 2 * LEFT), 1)


def _axis(low: float, high: float, whole: bool = False) -> _Axis:
    """An axis that holds the values, with about five round marks; ``whole`` marks every whole number."""
    span = max(high - low, 1e-9)
    raw = span / 5
    size = 10 ** math.floor(math.log10(raw))
    step = 1.0 if whole else next(factor * size for factor in (1, 2, 5, 10) if factor * size >= raw)
    first, last = math.floor(low / step), math.ceil(high / step)
    last = max(last, first + 1)
    return _Axis(first * step, last * step, tuple(number * step for number in range(first, last + 1)))
