"""Skill given compliance: an entrant's rating over the games in which every move was its own.

Where the tries are used up the policy moves, and a rating over all games measures following the rules and playing well
together. The games without such a move measure playing alone, but they are no sample of all games: short ones, and
those whose positions are easy to answer legally, are more often among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.compliance.shares import Share, deal_of, share
from harness.log import GameLog
from harness.ratings.results import results_of
from harness.ratings.standings import Standing, rate
from harness.records import DecisionRecord, Header, SeatRecord


@dataclass(frozen=True)
class Compliant:
    """Of each entrant the share of its rated games without a move by the policy for it, and how strong it is in them.

    ``standings`` are of those whom the policy helped in some games and in others not: the games in which it helped them
    are left out, all others count, whoever plays. The others have the same rating as ever, or no game of their own.
    """

    own: Mapping[str, Share]
    standings: Mapping[str, Standing]

    @property
    def told(self) -> bool:
        """Whether there is anything to tell: somebody needed the policy."""
        return any(one.part < one.whole for one in self.own.values())

    def to_json(self) -> list[dict[str, Any]]:
        """Return the figures as plain JSON, a row for each entrant."""
        return [
            {"entrant": name, "own_moves": {**asdict(one), "value": one.value}}
            | {"rating": asdict(self.standings[name]) if name in self.standings else None}
            for name, one in self.own.items()
        ]


def compliant(
    logs: Sequence[GameLog],
    label: Callable[[SeatRecord, Header], str],
    agents: Mapping[str, str],
    *,
    seed: int,
    anchor: str | None = None,
) -> Compliant:
    """Compute both from the games that have a ranking; the arguments are those of ``harness.ratings.standings.rate``.

    Where the anchor has no game left the mean is 0.
    """
    counts: dict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
    helped: dict[str, set[int]] = defaultdict(set)
    rated = [log for log in logs if log.outcome is not None and log.outcome.result != "void"]
    for number, log in enumerate(rated):
        by_policy = {one.seat for one in log.decisions if one.by != "agent" and not _is_resignation(one)}
        for seat, who in log.header.seats.items():
            name, deal = label(who, log.header), deal_of(log.header)
            part, whole = counts[name].get(deal, (0, 0))
            counts[name][deal] = (part + (seat not in by_policy), whole + 1)
            if seat in by_policy:
                helped[name].add(number)
    own = {name: share(deals) for name, deals in counts.items()}
    standings: dict[str, Standing] = {}
    for name in own:
        if helped[name] and own[name].part:
            results = results_of([log for number, log in enumerate(rated) if number not in helped[name]], label)
            zero = anchor if any(anchor in result.seats for result in results) else None
            found = rate(results, agents, seed=seed, anchor=zero).standings
            standings.update((one.name, one) for one in found if one.name == name)
    return Compliant(own, standings)


def _is_resignation(record: DecisionRecord) -> bool:
    """Whether a person gave the game up, which is a decision of its own."""
    return record.asked and record.by == "forfeit"
