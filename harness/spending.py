"""What a run has spent so far, from its logs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from harness.budget import Budget
from harness.errors import UserError
from harness.log import load_line
from harness.plan import MatchPlan
from harness.providers.types import Usage
from harness.records import AttemptRecord
from harness.store import Run

_MARK = b'"record":"attempt"'


def count_spent(budget: Budget, run: Run, plans: Sequence[MatchPlan]) -> None:
    """Count every attempt in the run's logs that cost something, failed ones and uncertain ones too."""
    for plan in plans:
        spent = dict.fromkeys(plan.seats.values(), Decimal())
        path = run.log(plan.game)
        for attempt in _attempts(path) if path.exists() else ():
            entrant = plan.seats.get(attempt.seat)
            if entrant is None:
                raise _damaged(path)
            usage = Usage(**attempt.usage.model_dump()) if attempt.usage is not None else None
            spent[entrant] += _price(budget, entrant, attempt.cost, attempt.uncertain, usage)
        budget.know(plan.game, spent)


def _price(budget: Budget, entrant: str, cost: str | None, uncertain: str | None, usage: Usage | None) -> Decimal:
    told = [Decimal(amount) for amount in (cost, uncertain) if amount is not None]
    return budget.price(entrant, sum(told, Decimal()) if told else None, usage)


def _attempts(path: Path) -> Iterator[AttemptRecord]:
    """The attempts of a log, each by itself: whoever goes on with the game reads it whole."""
    try:
        with open(path, "rb") as file:
            for line in file:
                if _MARK in line:
                    try:
                        yield AttemptRecord.model_validate(load_line(line))
                    except ValueError:
                        if line.endswith(b"\n"):
                            raise _damaged(path) from None
    except OSError as error:
        raise UserError(f"cannot read the game log {path}: {error.strerror}.") from None


def _damaged(path: Path) -> UserError:
    return UserError(
        f"{path} is damaged: not every attempt in it can be read: put back a copy of the file, or take it away to have "
        "the game played anew."
    )
