"""What a run has spent so far, from its logs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from harness.budget import Budget
from harness.errors import UserError
from harness.plan import MatchPlan
from harness.providers.types import Usage
from harness.store import Run

_MARK = b'"record":"attempt"'


def count_spent(budget: Budget, run: Run, plans: Sequence[MatchPlan]) -> None:
    """Count every attempt in the run's logs that cost something, failed ones and uncertain ones too."""
    for plan in plans:
        spent = dict.fromkeys(plan.seats.values(), Decimal())
        path = run.log(plan.game)
        for attempt in _attempts(path) if path.exists() else ():
            entrant = plan.seats[attempt["seat"]]
            usage = Usage(**attempt["usage"]) if attempt.get("usage") else None
            spent[entrant] += _price(budget, entrant, attempt.get("cost"), attempt.get("uncertain"), usage)
        budget.know(plan.game, spent)


def _price(budget: Budget, entrant: str, cost: str | None, uncertain: str | None, usage: Usage | None) -> Decimal:
    told = [Decimal(amount) for amount in (cost, uncertain) if amount is not None]
    return budget.price(entrant, sum(told, Decimal()) if told else None, usage)


def _attempts(path: Path) -> Iterator[dict[str, Any]]:
    """The attempts of a log, read without checking: whoever goes on with the game reads it whole."""
    try:
        with open(path, "rb") as file:
            for line in file:
                if _MARK in line:
                    try:
                        yield json.loads(line)
                    except (ValueError, RecursionError):
                        if line.endswith(b"\n"):
                            raise UserError(f"{path} is damaged: not every line of it is JSON.") from None
    except OSError as error:
        raise UserError(f"cannot read the game log {path}: {error.strerror}.") from None
