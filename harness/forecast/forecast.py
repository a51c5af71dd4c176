"""A whole forecast, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from harness.config import Tournament
from harness.forecast import assumptions as assumed
from harness.forecast import budgets
from harness.forecast.estimate import Declared, Expected, expect
from harness.forecast.precision import LUCK, SPREAD, Following, Strength, following, strength
from harness.forecast.sequence import Ending, ending
from harness.forecast.totals import Sum, Time, add_up, time_of, whole
from harness.log import GameLog
from harness.plan import MatchPlan
from harness.providers.estimate import CHARACTERS_PER_TOKEN
from harness.providers.prices import amount
from harness.schedule import line_ups, make_schedule


@dataclass(frozen=True)
class Forecast:
    """What a tournament will take and how much it will tell. ``sums`` are by entrant, in the order of ``expected``."""

    tournament: Tournament
    plans: Sequence[MatchPlan]
    expected: Sequence[Expected]
    sums: Sequence[Sum]
    total: Sum
    time: Time
    strength: Strength
    field: Strength
    """The same if the entrants are not equal, but ``precision.SPREAD`` apart."""
    following: Mapping[str, Following | None]
    ending: Ending | None
    remarks: Sequence[str]

    @property
    def rotations(self) -> int:
        """In how many seatings a line-up plays a deal."""
        return self.tournament.players if self.tournament.schedule.rotate else 1

    @property
    def tables(self) -> list[tuple[str, ...]]:
        """The line-ups."""
        return line_ups(self.tournament)

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON."""
        return {
            "tournament": self.tournament.name,
            "games": {
                "total": len(self.plans),
                "line_ups": [list(table) for table in self.tables],
                "deals": self.tournament.schedule.deals,
                "rotations": self.rotations,
                "list": [game_of(plan) for plan in self.plans],
            },
            "entrants": [self._entrant(*both) for both in zip(self.expected, self.sums, strict=True)],
            "total": _sum(self.total),
            "time": asdict(self.time),
            "ratings": {
                **asdict(self.strength),
                "luck": asdict(LUCK),
                "wide_field": {"spread": SPREAD, "alone": self.field.alone},
            },
            "ending": asdict(self.ending) if self.ending is not None else None,
            "remarks": list(self.remarks),
            "assumptions": assumptions(),
        }

    def _entrant(self, one: Expected, own: Sum) -> dict[str, Any]:
        told = self.following[one.name]
        return {
            "name": one.name,
            "agent": one.agent,
            "decisions_per_game": round(one.decisions, 2),
            "calls_per_decision": round(one.calls.per_decision, 3) if one.calls is not None else None,
            "first_call": vars(one.calls.first) if one.calls is not None else None,
            "other_calls": vars(one.calls.other) if one.calls is not None else None,
            "seconds_per_call": one.calls.seconds if one.calls is not None else None,
            "price": one.calls.tariff.to_json() if one.calls is not None else None,
            "rests_on": dict(one.basis),
            **_sum(own),
            "rating_half_width": self.strength.alone[one.name],
            "rule_violations": asdict(told) if told is not None else None,
        }


def game_of(plan: MatchPlan) -> dict[str, Any]:
    """Return a game as plain JSON."""
    return {
        "game": plan.game,
        "deal": plan.deal,
        "line_up": plan.line_up,
        "rotation": plan.rotation,
        "seed": plan.seed,
        "seats": dict(plan.seats),
    }


def assumptions() -> dict[str, Any]:
    """Return the figures that are assumed where nothing is known."""
    return {
        "characters_per_token": CHARACTERS_PER_TOKEN,
        "attempts_per_decision": assumed.ATTEMPTS_PER_DECISION,
        "output_of_menu": assumed.OUTPUT_OF_MENU,
        "output_of_call": assumed.OUTPUT_OF_CALL,
        "reasoning": dict(assumed.REASONING),
        "usual_effort": dict(assumed.USUAL_EFFORT),
        "least_cached": assumed.LEAST_CACHED,
        "violation_rate": assumed.VIOLATION_RATE,
        "clustering": assumed.CLUSTERING,
    }


def forecast(tournament: Tournament, logs: Sequence[GameLog] = (), declared: Declared | None = None) -> Forecast:
    """Return the forecast of a tournament; ``logs`` are those of a calibration run.

    Plays a few quick scripted games and simulates some tournaments: that takes a few seconds. Raises UserError for an
    agent that could not be made in a run either.
    """
    plans = make_schedule(tournament)
    expected = expect(tournament, plans, logs, declared)
    sums = [add_up(one) for one in expected]
    total = whole(sums, len(plans))
    return Forecast(
        tournament=tournament,
        plans=plans,
        expected=expected,
        sums=sums,
        total=total,
        time=time_of(tournament, plans, expected),
        strength=strength(tournament),
        field=strength(tournament, SPREAD),
        following={one.name: following(one, tournament.schedule.deals) for one in expected},
        ending=ending(tournament),
        remarks=budgets.remarks(tournament, plans, expected, sums, total),
    )


def _sum(one: Sum) -> dict[str, Any]:
    return {
        "games": one.games,
        "decisions": one.decisions,
        "calls": one.calls,
        "tokens": vars(one.tokens),
        "cost": _money(one.cost),
        "cost_if_all_attempts_are_used": _money(one.at_most),
    }


def _money(cost: Decimal | None) -> str | None:
    return amount(cost) if cost is not None else None
