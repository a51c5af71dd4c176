"""`dale bench`: how fast the engine plays at random, beside what is measured in the same run for comparison.

Rates are per second of CPU time on one core. Seconds differ between machines and from hour to hour; what can be
compared are ratios within a run: to a calibration loop that does the same work everywhere, and to the random play of
catanatron, a well-known Catan engine, if it is installed (`pip install 'dale-arena[bench]'`).
"""

from __future__ import annotations

import gc
import platform
import random
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from itertools import count
from statistics import median
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from engine import COMPILED, Action, Game

ROUND_LIMIT = 100
"""Random games are cut off after this many turns of each seat."""
SECONDS = 3.0
"""CPU time of each measurement."""
GAMES = 1000
"""Over so many random games legal lists are timed."""
WARM_UP_S = 2.0
"""Before a rate is measured both engines play for so much CPU time: tables made once for many games stand then."""
SLICE_S = 0.4
"""Ours and the other engine take turns of so much CPU time."""
CALIBRATION_SECONDS = 0.5
TRIO = ("macaws", "pandas", "raccoons")


class Row(NamedTuple):
    """One measurement; ratio: to the calibration loop; catan: to catanatron's rate. None for a time or if unknown."""

    what: str
    value: float
    unit: str
    ratio: float | None
    catan: float | None


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


def _play(game: Game, choose: Callable[[Sequence[Action]], Action], limit: int) -> int:
    """Play a game out; returns the number of decisions."""
    decisions = 0
    while not game.over and game.round <= limit:
        game.advance(choose(game.legal))
        decisions += 1
    return decisions


def _our_games(players: int, sets: Sequence[str] | None, full_lists: bool) -> Callable[[], int]:
    """What plays another random game, dealing included, without checks and events; it returns the decisions made.

    full_lists: build every entry of every legal list, instead of the one that is drawn.
    """
    draws = random.Random(1)
    seeds = count()

    def choose(legal: Sequence[Action]) -> Action:
        every = list(legal) if full_lists else legal
        return every[int(draws.random() * len(every))]

    return lambda: _play(Game.new(players=players, sets=sets, seed=next(seeds)), choose, ROUND_LIMIT)


def _catanatron_game() -> int:
    """Play one game of catanatron between two random players, and return the decisions made."""
    from catanatron import Color, Game, RandomPlayer

    game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)])
    game.play()
    records = getattr(game.state, "action_records", None)
    return len(game.state.actions if records is None else records)


class _Clock:
    """Decisions made and CPU time spent by what plays game after game; it is warmed up first."""

    def __init__(self, play: Callable[[], int]) -> None:
        self._play = play
        self._run(WARM_UP_S)
        self._decisions, self._spent = 0, 0.0

    def _run(self, seconds: float) -> tuple[int, float]:
        decisions = 0
        start = time.process_time()
        while (spent := time.process_time() - start) < seconds:
            decisions += self._play()
        return decisions, spent

    def go_on(self, seconds: float) -> None:
        """Play for about so many seconds of CPU time."""
        decisions, spent = self._run(seconds)
        self._decisions += decisions
        self._spent += spent

    @property
    def rate(self) -> float:
        """Decisions per second."""
        return self._decisions / self._spent


def rates(players: int, sets: Sequence[str] | None, full_lists: bool, seconds: float) -> tuple[float, float | None]:
    """Decisions per second of CPU time of our random play, and of catanatron's; None if it is not installed.

    The two take turns in short slices, so that both meet the same phases of a machine whose speed changes. Before that
    each has played games that are not counted (`WARM_UP_S`).
    """
    ours = _Clock(_our_games(players, sets, full_lists))
    theirs = _Clock(_catanatron_game) if find_spec("catanatron") is not None else None
    for _ in range(max(1, round(seconds / SLICE_S))):
        ours.go_on(min(SLICE_S, seconds))
        if theirs is not None:
            theirs.go_on(min(SLICE_S, seconds))
    return ours.rate, None if theirs is None else theirs.rate


def list_times(games: int) -> tuple[list[float], list[float]]:
    """Seconds each legal list of an action decision took, over random 2-player games of all sets.

    First to take it, with its length and one entry drawn from it; then to make every entry. Each is timed over all the
    games by itself: hundreds of entries made in between would push what the next list needs out of the caches.
    """
    draws = random.Random(3)
    return _times(games, lambda legal: legal[int(draws.random() * len(legal))]), _times(games, list)


def _times(games: int, use: Callable[[Sequence[Action]], object]) -> list[float]:
    """Seconds to ask for each legal list and to make this use of it."""
    draws = random.Random(2)
    times = []
    for seed in range(games):
        game = Game.new(players=2, seed=seed)
        gc.disable()  # as timeit does: a collection takes as long as thousands of lists, wherever it falls
        while not game.over and game.round <= ROUND_LIMIT:
            start = time.thread_time()
            legal = game.legal
            use(legal)
            times.append(time.thread_time() - start)
            game.advance(legal[int(draws.random() * len(legal))])
        gc.enable()
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


def measure(seconds: float = SECONDS, games: int = GAMES) -> Iterator[Row]:
    """All measurements, one after the other; `seconds` for each rate, `games` for the times of legal lists."""
    for what, players, sets, full in (
        ("random play, 2 players, macaws pandas raccoons", 2, TRIO, False),
        ("random play, 2 players, all sets in turn", 2, None, False),
        ("random play, 4 players, all sets in turn", 4, None, False),
        ("random play with full legal lists, 2 players, macaws pandas raccoons", 2, TRIO, True),
        ("random play with full legal lists, 2 players, all sets in turn", 2, None, True),
    ):
        loops = calibrate()
        rate, other = rates(players, sets, full, seconds)
        yield Row(what, rate, "decisions/s", rate / loops, rate / other if other else None)
        if other:
            yield Row("  catanatron beside it, 2 players", other, "decisions/s", other / loops, None)
    for what, times in zip(("a legal list taken", "a legal list built whole"), list_times(games), strict=True):
        yield Row(f"{what}, median", median(times) * 1e6, "µs", None, None)
        yield Row(f"{what}, longest", max(times) * 1e6, "µs", None, None)
    for players in (2, 4):
        yield Row(f"clone, {players} players", clone_time(players) * 1e6, "µs", None, None)


def run(seconds: float = SECONDS, games: int = GAMES) -> None:
    """Measure, telling on a terminal what has been measured so far, and print."""
    table = Table("measured", "value", "unit", "ratio", "to catanatron", title="Speed of the engine on one core")
    console = Console()
    with console.status("measuring") as status:
        for row in measure(seconds, games):
            marks = ["" if one is None else f"{one:.3f}" for one in (row.ratio, row.catan)]
            value = f"{row.value:,.0f}" if row.value >= 100 else f"{row.value:.1f}"
            table.add_row(row.what, value, row.unit, *marks)
            status.update(f"measuring; so far {row.what.strip()}: {value} {row.unit}")
    console.print(table)
    console.print(f"engine: {'compiled' if COMPILED else 'pure Python'}, {platform.python_version()}.")
    console.print(f"ratio: to a calibration loop measured before each row; now {calibrate():,.0f} loops/s.")
    if find_spec("catanatron") is None:
        console.print("catanatron is not installed here, so it was not measured: pip install 'dale-arena[bench]'.")
