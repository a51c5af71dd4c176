"""Whether the budgets of a run will do, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from harness.budget import dollars
from harness.config import Tournament
from harness.forecast.estimate import Expected
from harness.forecast.totals import Sum, dearest_game
from harness.plan import MatchPlan


def remarks(
    tournament: Tournament, plans: Sequence[MatchPlan], expected: Sequence[Expected], sums: Sequence[Sum], total: Sum
) -> list[str]:
    """Return what is to be said of the budgets, nothing if there is none."""
    caps = tournament.caps
    if caps.run is None and caps.entrant is None and caps.game is None:
        return []
    unknown = [one for one in expected if one.calls is not None and not one.calls.tariff.known]
    if unknown and unknown[0].calls is not None:
        model = unknown[0].calls.tariff.model
        return [
            f"The run would be refused: it has a budget, but the price of {unknown[0].name} is unknown; declare it in "
            f'[prices."{model}"], or take out the budget.'
        ]
    found = []
    if caps.run is not None:
        found.append(_compare("the run", caps.run, total.cost, total.at_most, "the run"))
    if caps.entrant is not None:
        for one, own in zip(expected, sums, strict=True):
            if own.calls:
                found.append(_compare(one.name, caps.entrant, own.cost, own.at_most, "its games"))
    dearest = dearest_game(plans, expected) if caps.game is not None else None
    if caps.game is not None and dearest is not None and dearest[1]:
        game = f"a game such as {dearest[0].game}"
        found.append(_compare(game, caps.game, dearest[1], None, "such games"))
    return [one for one in found if one]


def _compare(of: str, cap: Decimal, cost: Decimal | None, at_most: Decimal | None, what: str) -> str:
    if cost is None:
        return ""
    told = f"The budget of {of} is {dollars(cap)} US dollars, the estimate {about(cost)}"
    if cost > cap:
        return f"WARNING: {told[:1].lower()}{told[1:]}: {what} would be stopped after about {cap / cost:.0%} of that."
    if at_most is not None and at_most > cap:
        return f"{told}, {about(at_most)} if every attempt were used: it will probably do."
    return f"{told}: it will do."


def about(cost: Decimal) -> str:
    """Return an estimated amount for people: no more decimals than an estimate has use for."""
    return f"{cost:.2f}" if cost >= 1 else dollars(cost)
