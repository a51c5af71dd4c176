"""What an audit found, as figures and as lines."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

from harness.agents.base import AttemptClass
from harness.audit.games import Checked, Disagreement, audit_game
from harness.blobs import BlobStore
from harness.log import game_logs, no_game_log, read_log
from harness.text import clean_line, quoted

CLASSES: tuple[AttemptClass, ...] = get_args(AttemptClass)
BLOBS = "blobs"


@dataclass
class Audit:
    """The attempts of models in some logs: how many of each class, how many the audit confirms, what differs.

    ``unanswered`` counts those of which there is no answer to read.
    """

    games: int = 0
    logged: Counter[str] = field(default_factory=Counter)
    alike: Counter[str] = field(default_factory=Counter)
    unanswered: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, found: Checked | Disagreement) -> None:
        """Count one attempt, or one disagreement outside attempts."""
        if isinstance(found, Disagreement):
            self.disagreements.append(found)
            return
        self.logged[found.logged] += 1
        self.alike[found.logged] += not found.differences
        self.unanswered += not found.answered
        self.disagreements += found.differences

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON."""
        return {
            "games": self.games,
            "attempts": self.logged.total(),
            "without_answer": self.unanswered,
            "classes": {name: {"logged": self.logged[name], "confirmed": self.alike[name]} for name in CLASSES},
            "disagreements": [one.to_json() for one in self.disagreements],
        }


def audit(path: Path) -> Audit:
    """Audit a run's folder, or one game log in it; UserError if there is no log."""
    found = Audit()
    for one in game_logs(path):
        log = read_log(one)
        if log.records:
            found.games += 1
            for checked in audit_game(log, BlobStore(one.parent.parent / BLOBS)):
                found.add(checked)
    if not found.games:
        raise no_game_log(path)
    return found


def lines(found: Audit) -> Iterator[str]:
    """The figures, then every disagreement, for a terminal."""
    yield f"{'class':<12} {'attempts':>9} {'confirmed':>9}"
    for name in CLASSES:
        if found.logged[name]:
            yield f"{name:<12} {found.logged[name]:>9} {found.alike[name]:>9}"
    yield f"{'all':<12} {found.logged.total():>9} {found.alike.total():>9}"
    for one in found.disagreements:
        attempt = "" if one.attempt is None else f", attempt {one.attempt}"
        yield f"DIFFERENT: {clean_line(one.game)}, decision {one.number} of seat {one.seat}{attempt}: {one.field}"
        yield f"  logged:  {_shown(one.logged)}"
        yield f"  audited: {_shown(one.audited)}"
        if one.answer is not None:
            yield f"  answer {one.answer}: {one.excerpt}"
    count = len(found.disagreements)
    unread = f" ({found.unanswered} without any answer to read)" if found.unanswered else ""
    yield f"{found.games} games, {found.logged.total()} attempts of models{unread}, {count} disagreements."


def _shown(value: Any) -> str:
    return clean_line(value, 300) if isinstance(value, str) else quoted(json.loads(json.dumps(value)), 300)
