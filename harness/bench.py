"""`dale bench`: how fast the engine plays at random, beside a calibration loop measured in the same run.

Rates are per second of CPU time on one core. Seconds differ between machines and from hour to hour; the ratio to
the calibration loop, which does the same work everywhere, is what can be compared.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from engine import Action, Game

ROUND_LIMIT = 100
"""Random games are cut off after this many turns of each seat."""
SECONDS = 3.0
"""CPU time of each measurement."""
CALIBRATION_SECONDS = 0.5
TRIO = ("macaws", "pandas", "raccoons")


class Row(NamedTuple):
    """One measurement; ratio: to the calibration loop, None for a time."""

    what: str
    value: float
    unit: str
    ratio: float | None


def calibrate(seconds: float = CALIBRATION_SECONDS) -> float:
    """Calibration loops per second of CPU time: plain integer and list work."""
    done = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        cards = list(range(40))
        total = 0
        for card in cards:
            if card & 3:
                total += card >> 2
        cards.reverse()
        cards.sort()
        done += 1
    return done / spent


def _games(players: int, sets: Sequence[str] | None, seeds: range) -> list[Game]:
    return [Game.new(players=players, sets=sets, seed=seed) for seed in seeds]


def _play(game: Game, choose: Callable[[Sequence[Action]], Action], limit: int) -> int:
    """Play a game out; returns the number of decisions."""
    decisions = 0
    while not game.over and game.round <= limit:
        game.advance(choose(game.legal))
        decisions += 1
    return decisions


def play_rate(players: int, sets: Sequence[str] | None, full_lists: bool, seconds: float = SECONDS) -> float:
    """Decisions of random play per second of CPU time, without checks and events; dealing included.

    full_lists: build every entry of every legal list, instead of the one that is drawn.
    """
    draws = random.Random(1)

    def one(legal: Sequence[Action]) -> Action:
        return legal[int(draws.random() * len(legal))]

    def whole(legal: Sequence[Action]) -> Action:
        every = list(legal)
        return every[int(draws.random() * len(every))]

    choose = whole if full_lists else one
    for game in _games(players, sets, range(1000, 1020)):
        _play(game, choose, ROUND_LIMIT)
    decisions = 0
    seed = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        decisions += _play(Game.new(players=players, sets=sets, seed=seed), choose, ROUND_LIMIT)
        seed += 1
    return decisions / spent


def list_times(games: int = 100) -> list[float]:
    """Seconds each legal list of an action decision took to build whole, over random 2-player games of all sets."""
    draws = random.Random(2)
    times = []
    for game in _games(2, None, range(games)):
        while not game.over and game.round <= ROUND_LIMIT:
            start = time.perf_counter()
            every = list(game.legal)
            times.append(time.perf_counter() - start)
            game.advance(every[int(draws.random() * len(every))])
    return times


def clone_time(players: int, repeats: int = 20_000) -> float:
    """Seconds one clone of a mid-game position takes."""
    game = Game.new(players=players, seed=3)
    draws = random.Random(3)
    while game.round <= 20 and not game.over:
        legal = game.legal
        game.advance(legal[int(draws.random() * len(legal))])
    start = time.process_time()
    for _ in range(repeats):
        game.clone()
    return (time.process_time() - start) / repeats


def measure(seconds: float = SECONDS) -> list[Row]:
    """All measurements."""
    rows = []
    for what, players, sets, full in (
        ("random play, 2 players, macaws pandas raccoons", 2, TRIO, False),
        ("random play, 2 players, all sets in turn", 2, None, False),
        ("random play, 4 players, all sets in turn", 4, None, False),
        ("random play with full legal lists, 2 players, macaws pandas raccoons", 2, TRIO, True),
        ("random play with full legal lists, 2 players, all sets in turn", 2, None, True),
    ):
        loops = calibrate()
        rate = play_rate(players, sets, full, seconds)
        rows.append(Row(what, rate, "decisions/s", rate / loops))
    times = list_times()
    rows.append(Row("a legal list built whole, median", median(times) * 1e6, "µs", None))
    rows.append(Row("a legal list built whole, longest", max(times) * 1e6, "µs", None))
    for players in (2, 4):
        rows.append(Row(f"clone, {players} players", clone_time(players) * 1e6, "µs", None))
    return rows


def run() -> None:
    """Measure and print."""
    table = Table("measured", "value", "unit", "ratio", title="Speed of the engine on one core")
    for row in measure():
        ratio = "" if row.ratio is None else f"{row.ratio:.3f}"
        table.add_row(row.what, f"{row.value:,.0f}" if row.value >= 100 else f"{row.value:.1f}", row.unit, ratio)
    console = Console()
    console.print(table)
    console.print(f"ratio: to a calibration loop measured before each row; now {calibrate():,.0f} loops/s")
