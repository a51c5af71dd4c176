"""Calls, tokens, money and time of a whole run, added up from what is expected of its entrants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from harness.config import Tournament
from harness.forecast.estimate import Calls, Expected
from harness.plan import MatchPlan
from harness.providers.gates import MINUTE_S
from harness.providers.prices import FREE
from harness.providers.types import Usage


@dataclass(frozen=True)
class Sum:
    """What one entrant, or all together, will take.

    ``cost`` is in US dollars, None if a price is unknown; ``at_most`` the same if every attempt were used.
    """

    games: int
    decisions: int
    calls: int
    tokens: Usage
    cost: Decimal | None
    at_most: Decimal | None


@dataclass(frozen=True)
class Time:
    """How long a run takes, in seconds.

    ``expected`` is None unless the seconds of a call are known of every model; ``least`` is what limits per minute
    make it at least, 0 without any. ``untimed`` names the models whose seconds are not known.
    """

    expected: float | None
    least: float
    untimed: tuple[str, ...]


def add_up(one: Expected) -> Sum:
    """Return what one entrant takes in all of its games."""
    decisions = round(one.games * one.decisions)
    if one.calls is None or not one.games:
        return Sum(one.games, decisions, 0, Usage(), FREE, FREE)
    expected, most = (_of_games(one, calls) for calls in (one.calls.per_decision, one.calls.at_most))
    return Sum(one.games, decisions, expected[0], expected[1], expected[2], most[2])


def _of_games(one: Expected, per_decision: float) -> tuple[int, Usage, Decimal | None]:
    """Calls, tokens and cost of all games of an entrant that makes so many calls for a decision."""
    assert one.calls is not None
    first, other, tariff = one.calls.first, one.calls.other, one.calls.tariff
    calls = max(one.games, round(one.games * one.decisions * per_decision))
    later = calls - one.games
    tokens = Usage(**{name: one.games * count + later * getattr(other, name) for name, count in vars(first).items()})
    costs = tariff.cost(first), tariff.cost(other)  # by call, for prices may depend on its size
    if costs[0] is None or costs[1] is None:
        return calls, tokens, None
    return calls, tokens, one.games * costs[0] + later * costs[1]


def whole(sums: Sequence[Sum], games: int) -> Sum:
    """Return the sum of all entrants' sums over so many games of the run."""
    return Sum(
        games,
        sum(one.decisions for one in sums),
        sum(one.calls for one in sums),
        sum((one.tokens for one in sums), Usage()),
        _together([one.cost for one in sums]),
        _together([one.at_most for one in sums]),
    )


def _together(costs: Sequence[Decimal | None]) -> Decimal | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known, FREE) if len(known) == len(costs) else None


def dearest_game(plans: Sequence[MatchPlan], expected: Sequence[Expected]) -> tuple[MatchPlan, Decimal] | None:
    """Return the game that costs most, and how much; None if a price is unknown."""
    costs = {one.name: add_up(one).cost for one in expected}
    games = {one.name: max(one.games, 1) for one in expected}
    found = []
    for plan in plans:
        total = _together([costs[name] for name in plan.seats.values()])
        if total is None:
            return None
        found.append(sum((cost / games[name] for name in plan.seats.values() if (cost := costs[name])), FREE))
    place = max(range(len(plans)), key=lambda place: found[place])
    return plans[place], found[place]


def time_of(tournament: Tournament, plans: Sequence[MatchPlan], expected: Sequence[Expected]) -> Time:
    """Return how long the calls take: one after the other within a game, no more at once than is allowed.

    The games at a time, the places at each endpoint, and the limits per minute each bound it from below; the largest
    of these counts. Waiting for a server that is overloaded is not foreseen, nor the computing of scripted agents.
    """
    models = [(one, one.calls) for one in expected if one.calls is not None and one.games]
    untimed = tuple(one.name for one, calls in models if calls.seconds is None)
    least = max((0.0, *_limits(models)))
    if untimed or not models:
        return Time(None, least, untimed)
    busy = {one.name: add_up(one).calls / one.games * (calls.seconds or 0.0) for one, calls in models}
    games = [sum(busy.get(name, 0.0) for name in plan.seats.values()) for plan in plans]
    servers: defaultdict[tuple[str, str], float] = defaultdict(float)
    for one, calls in models:
        profile = calls.profile
        servers[profile.api, profile.base_url] += one.games * busy[one.name] / profile.concurrency
    return Time(max(least, max(games), sum(games) / tournament.concurrency, *servers.values()), least, ())


def _limits(models: Sequence[tuple[Expected, Calls]]) -> list[float]:
    """The seconds each lane's limits make its calls take at least; answers count at their limit, as servers reckon."""
    requests: defaultdict[tuple[str, int], float] = defaultdict(float)
    tokens: defaultdict[tuple[str, int], float] = defaultdict(float)
    for one, calls in models:
        profile, count = calls.profile, add_up(one).calls
        if profile.rpm is not None:
            requests[profile.model, profile.rpm] += count
        if profile.tpm is not None:
            usage = calls.other
            read = usage.uncached_input + usage.cache_read + usage.cache_write
            tokens[profile.model, profile.tpm] += count * (read + profile.max_output_tokens)
    # What a lane lets pass in the first minute needs no waiting.
    return [
        MINUTE_S * max(0.0, amount / limit - 1) for lanes in (requests, tokens) for (_, limit), amount in lanes.items()
    ]
