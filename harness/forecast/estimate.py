"""What is expected of each entrant, figure by figure, and what every figure rests on.

A figure is taken from the first of these that has it: a sample, what is declared (an option, the tournament file),
what can be computed without a call, an assumption. A price that is unknown stays unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from harness.agents.spec import KINDS, AgentSpec, parse_spec
from harness.config import Tournament
from harness.config_estimate import EstimateTable
from harness.forecast import assumptions as assumed
from harness.forecast.meter import Meter
from harness.forecast.quick import play_quickly
from harness.forecast.sample import Seen, read_sample
from harness.log import GameLog
from harness.plan import MatchPlan
from harness.providers.prices import Tariff, make_tariff
from harness.providers.profiles import Profile
from harness.providers.types import Usage

Basis = Literal["sample", "declared", "computed", "assumed", "unknown"]
FIGURES: Final = ("decisions", "calls", "input", "output", "seconds")
"""The figures of an entrant that rest on something."""


@dataclass(frozen=True)
class Declared:
    """What options say of every model: tokens of output of a call, seconds of a call; None where they say nothing."""

    output_tokens: int | None = None
    seconds_per_call: float | None = None


@dataclass(frozen=True)
class Calls:
    """How an entrant that is a model calls its server.

    ``per_decision`` calls on the mean, ``at_most`` if every attempt is used; ``first`` is the usage of the first call
    of a game, ``other`` of every other. ``seconds`` is None if nothing says how long a call takes.
    """

    per_decision: float
    at_most: float
    first: Usage
    other: Usage
    seconds: float | None
    tariff: Tariff
    profile: Profile


@dataclass(frozen=True)
class Expected:
    """One entrant: its games, the decisions of each, and the calls for them, None where no model plays.

    ``basis`` says of each figure what it rests on; ``seen`` is what the sample shows of it.
    """

    name: str
    agent: str
    games: int
    decisions: float
    calls: Calls | None
    basis: Mapping[str, Basis]
    seen: Seen = field(default_factory=Seen)


def expect(
    tournament: Tournament, plans: Sequence[MatchPlan], logs: Sequence[GameLog] = (), declared: Declared | None = None
) -> list[Expected]:
    """Return what is expected of each entrant. Raises UserError for an agent that could not be made in a run either."""
    specs = {one.name: parse_spec(one.agent) for one in tournament.entrants}
    meters = _meters(specs, tournament)
    told = {name: meter.settings for name, meter in meters.items()}
    seen = read_sample(logs, tournament, plans[0], told)
    quick = play_quickly(tournament, plans, meters)
    found = []
    for name, spec in specs.items():
        table = _table_of(tournament, name, spec)
        decisions, basis = _first(
            ("sample", seen[name].decisions_per_game),
            ("declared", table.decisions_per_game),
            ("computed", quick.of(name, plans)),
        )
        bases: dict[str, Basis] = {"decisions": basis}
        calls = None
        if name in meters:
            calls = _calls(tournament, name, spec, meters[name], seen[name], table, declared or Declared(), bases)
        games = sum(name in plan.seats.values() for plan in plans)
        found.append(Expected(name, str(spec), games, decisions, calls, bases, seen[name]))
    return found


def _meters(specs: Mapping[str, AgentSpec], tournament: Tournament) -> dict[str, Meter]:
    """A meter for every entrant that is a model; those of one agent share theirs."""
    made: dict[str, Meter] = {}
    found = {}
    for name, spec in specs.items():
        if KINDS[spec.kind].is_model:
            if str(spec) not in made:
                made[str(spec)] = Meter(spec, tournament)
            found[name] = made[str(spec)]
    return found


def _table_of(tournament: Tournament, name: str, spec: AgentSpec) -> EstimateTable:
    """What the file declares of an entrant: under its name, its agent or its model, the most telling first."""
    for one in (name, str(spec), spec.argument):
        if one is not None and one in tournament.estimate:
            return tournament.estimate[one]
    return EstimateTable()


def _first(*figures: tuple[Basis, float | None]) -> tuple[float, Basis]:
    """The first figure there is; the last always is."""
    return next((value, basis) for basis, value in figures if value is not None)


def _calls(
    tournament: Tournament,
    name: str,
    spec: AgentSpec,
    meter: Meter,
    seen: Seen,
    table: EstimateTable,
    declared: Declared,
    bases: dict[str, Basis],
) -> Calls:
    level = meter.settings["level"]
    steps = meter.calls_per_attempt or 1.0
    attempts = min(1.0 if level == "L0" else assumed.ATTEMPTS_PER_DECISION, tournament.attempts)
    per_decision, bases["calls"] = _first(
        ("sample", seen.calls_per_decision),
        ("declared", table.calls_per_decision),
        ("computed" if tournament.attempts == 1 else "assumed", attempts * steps),
    )
    first, other = _usages(spec, meter, seen, table, declared, bases)
    seconds, bases["seconds"] = None, "unknown"
    for basis, value in _seconds(seen, table, declared):
        if value is not None:
            seconds, bases["seconds"] = value, basis
            break
    profile = meter.profile
    return Calls(
        per_decision=per_decision,
        at_most=max(per_decision, tournament.attempts * steps),
        first=first,
        other=other,
        seconds=seconds,
        tariff=make_tariff(profile, tournament.unit_prices, (name, str(spec), profile.model)),
        profile=profile,
    )


def _seconds(seen: Seen, table: EstimateTable, declared: Declared) -> tuple[tuple[Basis, float | None], ...]:
    return (
        ("sample", seen.seconds_per_call),
        ("declared", declared.seconds_per_call),
        ("declared", table.seconds_per_call),
    )


def _usages(
    spec: AgentSpec, meter: Meter, seen: Seen, table: EstimateTable, declared: Declared, bases: dict[str, Basis]
) -> tuple[Usage, Usage]:
    """The usage of the first call of a game, and of every other."""
    sample = seen.tokens_per_call
    if sample is not None:
        bases["input"] = bases["output"] = "sample"
        usage = Usage(**{name: round(count) for name, count in sample.items()})
        return usage, usage
    output, reasoning, bases["output"] = _output(spec, meter, table, declared)
    if table.input_tokens is not None:
        bases["input"] = "declared"
        cached = table.cached_tokens or 0
        usage = Usage(table.input_tokens - cached, cached, 0, output, reasoning)
        return usage, usage
    bases["input"] = "computed"
    size = meter.mean
    if size is None:  # it plays no game
        return Usage(), Usage()
    if not caches(meter):
        usage = Usage(size.prefix + size.message, 0, 0, output, reasoning)
        return usage, usage
    written = size.prefix if meter.profile.prompt_cache == "cache_control" else 0
    first = Usage(size.prefix + size.message - written, 0, written, output, reasoning)
    return first, Usage(size.message, size.prefix, 0, output, reasoning)


def caches(meter: Meter) -> bool:
    """Whether the provider is expected to keep the prefix of a model's requests from one call to the next.

    At L1 the tools, which stand before everything else, are others at every decision.
    """
    size = meter.mean
    return (
        size is not None
        and size.static
        and size.prefix >= assumed.LEAST_CACHED
        and meter.profile.prompt_cache != "none"
    )


def _output(spec: AgentSpec, meter: Meter, table: EstimateTable, declared: Declared) -> tuple[int, int, Basis]:
    """Tokens of output of a call, how many of them are reasoning, and what that rests on."""
    if declared.output_tokens is not None:
        return declared.output_tokens, 0, "declared"
    if table.output_tokens is not None:
        return table.output_tokens, table.reasoning_tokens or 0, "declared"
    profile = meter.profile
    effort = profile.reasoning_effort or assumed.USUAL_EFFORT.get(spec.kind, "none")
    stated = assumed.OUTPUT_OF_MENU if meter.settings["level"] == "L0" else assumed.OUTPUT_OF_CALL
    stated = min(stated, profile.max_output_tokens)
    reasoning = min(assumed.REASONING[effort], profile.max_output_tokens - stated)
    return stated + reasoning, reasoning, "assumed"
