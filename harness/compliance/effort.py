"""What a decision costs its player: tokens, US dollars and seconds, with intervals between deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from harness.compliance.shares import deal_of, mean_and_reach, quantile
from harness.log import GameLog
from harness.records import AttemptRecord, Header, SeatRecord
from harness.report import unpriced_calls

MEANS: Final = ("calls", "input_tokens", "output_tokens", "cost")
"""Told per decision; ``cost`` in US dollars, only where the report knows of no call without a price."""
QUANTILES: Final = {"seconds_median": 0.5, "seconds_95": 0.95}
"""Of the seconds between a request and its whole answer, by attempt; what the network lost is not in it."""


@dataclass(frozen=True)
class Effort:
    """One figure of one entrant and its 95 % interval; a bound is None where too few deals were played to tell it."""

    entrant: str
    figure: str
    value: float
    low: float | None
    high: float | None


class _Spent:
    """What one entrant spent, by deal."""

    def __init__(self) -> None:
        self.decisions: dict[str, int] = defaultdict(int)
        self.amounts: dict[str, dict[str, float]] = {name: defaultdict(float) for name in MEANS}
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.priced = True

    def add(self, deal: str, record: AttemptRecord) -> None:
        usage = record.usage
        self.amounts["calls"][deal] += record.calls
        if usage is not None:
            self.amounts["input_tokens"][deal] += usage.uncached_input + usage.cache_read + usage.cache_write
            self.amounts["output_tokens"][deal] += usage.output
        if record.cost is not None:
            self.amounts["cost"][deal] += float(record.cost)
        self.priced = self.priced and not unpriced_calls(record)
        if record.result != "provider" and record.timing is not None and "latency" in record.timing:
            self.seconds[deal].append(float(record.timing["latency"]))


def efforts(logs: Iterable[GameLog], label: Callable[[SeatRecord, Header], str]) -> list[Effort]:
    """Return the figures of every entrant that made calls, in the order of the logs."""
    spent: dict[str, _Spent] = defaultdict(_Spent)
    for log in logs:
        deal, names = deal_of(log.header), {seat: label(who, log.header) for seat, who in log.header.seats.items()}
        for record in log.attempts:
            spent[names[record.seat]].add(deal, record)
        for decision in log.decisions:
            spent[names[decision.seat]].decisions[deal] += not decision.asked
    found = []
    for entrant, own in spent.items():
        if any(own.amounts["calls"].values()):
            found += _means(entrant, own) + _quantiles(entrant, own)
    return found


def _means(entrant: str, own: _Spent) -> list[Effort]:
    found = []
    for name in MEANS if any(own.decisions.values()) else ():
        if name == "cost" and not own.priced:
            continue
        deals = dict.fromkeys([*own.decisions, *own.amounts[name]])
        value, reach = mean_and_reach({deal: (own.amounts[name][deal], own.decisions[deal]) for deal in deals})
        low, high = (None, None) if reach is None else (max(0.0, value - reach), value + reach)
        found.append(Effort(entrant, name, value, low, high))
    return found


def _quantiles(entrant: str, own: _Spent) -> list[Effort]:
    if not own.seconds:
        return []
    found = []
    for name, at in QUANTILES.items():
        found.append(Effort(entrant, name, *quantile(own.seconds, at)))
    return found
