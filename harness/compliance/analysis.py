"""All that is told of rule following from the logs alone, without playing the games again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from harness.compliance import following, settings
from harness.compliance.decisions import decided
from harness.compliance.effort import Effort, efforts
from harness.compliance.following import Following
from harness.compliance.settings import Effect
from harness.log import GameLog
from harness.report import Report


@dataclass(frozen=True)
class Compliance:
    """Figures of every entrant, what settings change on the same deals, and what a decision costs."""

    figures: tuple[Following, ...]
    effects: tuple[Effect, ...]
    efforts: tuple[Effort, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain JSON."""
        return {
            "figures": [
                {"entrant": one.entrant, "figure": one.figure, "code": one.code, **asdict(one.share)}
                | {"value": one.share.value}
                for one in self.figures
            ],
            "same_deals": [asdict(one) for one in self.effects],
            "per_decision": [asdict(one) for one in self.efforts],
        }


def analyse(logs: Sequence[GameLog], report: Report) -> Compliance:
    """Compute the figures of some logs; ``report`` is theirs and names the rows."""
    counts = following.count(one for one in decided(logs, report.label) if not one.asked)
    order = [entry.label for entry in report.entries]
    return Compliance(
        tuple(following.following(counts, order)),
        tuple(settings.effects(settings.rows_of(report, logs), counts)),
        tuple(efforts(logs, report.label)),
    )
