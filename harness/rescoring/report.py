"""Scoring runs again: reading, judging, scoring and the comparison of all policies, as one result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.reporting import Analysis, analyse
from harness.rescoring.reading import read_logs
from harness.rescoring.rejudging import Difference, Rejudged, rejudge
from harness.rescoring.scoring import Rescored, Scoring, rescore
from harness.rescoring.sensitivity import POLICIES, Counts, Scenario, count, scenarios
from harness.text import clean_data
from harness.versions import ENGINE_VERSION, RULES_VERSION


@dataclass(frozen=True)
class Rescoring:
    """Some games scored again: the ordinary figures of what they became, and how they became it."""

    scoring: Scoring
    judged: tuple[Rejudged, ...]
    games: tuple[Rescored, ...]
    analysis: Analysis
    sensitivity: tuple[Scenario, ...]

    @property
    def counts(self) -> Counts:
        """What became of the games."""
        return count(self.games)

    @property
    def differences(self) -> list[Difference]:
        """Everything the present engine judges otherwise."""
        return [one for judged in self.judged for one in judged.differences]

    @property
    def moved(self) -> list[Rescored]:
        """The games that do not keep their result."""
        return [game for game in self.games if game.fate != "same"]

    def versions(self) -> list[tuple[str, str]]:
        """Return the versions of engine and rules under which the games were played."""
        headers = [game.recorded.header for game in self.games]
        return list(dict.fromkeys((header.engine_version, header.rules_version) for header in headers))

    def to_json(self) -> dict[str, Any]:
        """Return the figures of ``dale report --json``, and under ``rescoring`` how they came about."""
        return {
            **self.analysis.to_json(),
            "rescoring": {
                **asdict(self.scoring),
                "engine": {"recorded": self.versions(), "now": [ENGINE_VERSION, RULES_VERSION]},
                **asdict(self.counts),
                "results": [_moved(game) for game in self.moved],
                "proposals_judged": sum(one.judged for one in self.judged),
                "differences": [_cleaned(one) for one in self.differences],
                "lost": [
                    {"game": one.log.header.game, "from": one.lost} for one in self.judged if one.lost is not None
                ],
                "sensitivity": [scenario.to_json() for scenario in self.sensitivity],
            },
        }


def rescoring(
    paths: Sequence[Path], scoring: Scoring, anchor: str | None = None, rules: bool = False, skill: bool = False
) -> Rescoring:
    """Score the games of some runs or logs again; ``anchor``, ``rules`` and ``skill`` are as in ``reporting.analyse``.

    Takes about a millisecond for each decision. Raises UserError for what cannot be read, set up or scored like this.
    """
    if scoring.policy is not None and scoring.policy not in POLICIES:
        raise UserError(f"there is no policy {scoring.policy!r}; there are: {', '.join(POLICIES)}.")
    logs = read_logs(paths)
    judged = [rejudge(log) for log in logs]
    games = [rescore(log, one, scoring) for log, one in zip(logs, judged, strict=True)]
    return Rescoring(
        scoring=scoring,
        judged=tuple(judged),
        games=tuple(games),
        analysis=analyse([game.log for game in games], anchor, rules, skill),
        sensitivity=tuple(scenarios(logs, judged, scoring.attempts, anchor)),
    )


def _moved(game: Rescored) -> dict[str, Any]:
    fields = {"result", "reason", "winner", "ranking", "stacks"}
    old, new = (
        log.outcome.model_dump(mode="json", include=fields) if log.outcome is not None else None
        for log in (game.recorded, game.log)
    )
    departure = asdict(game.departure) if game.departure is not None else None
    header = game.recorded.header
    return {"run": header.run, "game": header.game, "was": old, "is": new, "departure": departure}


def _cleaned(one: Difference) -> dict[str, Any]:
    return {name: clean_data(value, 300) if isinstance(value, dict) else value for name, value in vars(one).items()}
