"""The figures of a run, computed from its logs and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from statistics import fmean
from typing import Any, get_args

from engine import CODES
from harness.agents.base import MODEL_FAILURES, AttemptClass
from harness.errors import UserError
from harness.log import GameLog, read_log
from harness.prompts import code_meaning
from harness.records import AttemptRecord, Header

CLASSES: tuple[AttemptClass, ...] = get_args(AttemptClass)
ILLEGAL: tuple[AttemptClass, ...] = ("format", "rule")


@dataclass
class Entry:
    """The figures of one entrant.

    ``led`` counts the unfinished games in which it alone had the most stacks (R-END-04). Means are over finished and
    unfinished games; None where there is nothing to take them of.
    """

    name: str
    agent: str
    games: int = 0
    wins: int = 0
    unfinished: int = 0
    led: int = 0
    void: int = 0
    open: int = 0
    forfeits: int = 0
    stacks: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    decisions: int = 0
    first_try: int = 0
    first_try_strict: int = 0
    by_policy: int = 0
    attempts: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    rules: dict[str, list[str]] = field(default_factory=dict)
    calls: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    cost: Decimal | None = None
    unpriced_calls: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain JSON."""
        illegal = sum(self.attempts[name] for name in ILLEGAL)
        judged = sum(self.attempts[name] for name in (*MODEL_FAILURES, "rule", "accepted"))
        return {
            "name": self.name,
            "agent": self.agent,
            "games": self.games,
            "wins": self.wins,
            "unfinished": self.unfinished,
            "led_unfinished": self.led,
            "void": self.void,
            "open": self.open,
            "forfeits": self.forfeits,
            "stacks_mean": fmean(self.stacks) if self.stacks else None,
            "rounds_mean": fmean(self.rounds) if self.rounds else None,
            "decisions": self.decisions,
            "decided_by_policy": self.by_policy,
            "first_try_legal": self.first_try / self.decisions if self.decisions else None,
            "first_try_legal_strict": self.first_try_strict / self.decisions if self.decisions else None,
            "attempts": {name: self.attempts[name] for name in CLASSES},
            "illegal_rate": illegal / judged if judged else None,
            "illegal_by_code": [
                {"code": code, "meaning": code_meaning(code), "count": count, "rules": self.rules.get(code, [])}
                for code, count in sorted(self.codes.items(), key=lambda item: (-item[1], item[0]))
            ],
            "calls": self.calls,
            "tokens": {name: self.tokens[name] for name in TOKENS},
            "cost": str(self.cost) if self.cost is not None else None,
            "unpriced_calls": self.unpriced_calls,
        }


TOKENS = ("uncached_input", "cache_read", "cache_write", "output", "reasoning")


@dataclass(frozen=True)
class Report:
    """A run's settings and the figures of every entrant, most wins first."""

    run: str
    settings: dict[str, Any]
    games: int
    torn: tuple[str, ...]
    entries: tuple[Entry, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON."""
        return {
            "run": self.run,
            "settings": self.settings,
            "games": self.games,
            "torn_logs": list(self.torn),
            "entrants": [entry.to_json() for entry in self.entries],
        }


def report_on(path: Path) -> Report:
    """Read a run's folder, or one game log; UserError if there is no log there."""
    paths = sorted((path / "games").glob("*.jsonl")) if path.is_dir() else [path]
    logs = [log for log in map(read_log, paths) if log.records]
    if not logs:
        raise UserError(f"there is no game log in {path}: give the folder of a run, such as results/quickstart.")
    return make_report(logs)


def make_report(logs: Sequence[GameLog]) -> Report:
    """Compute the figures of these logs, which must be of one run."""
    entries: dict[str, Entry] = {}
    for log in logs:
        seats = {
            seat: entries.setdefault(who.name, Entry(who.name, who.agent)) for seat, who in log.header.seats.items()
        }
        _count_outcome(log, seats)
        for seat, entry in seats.items():
            _count_attempts(entry, [record for record in log.attempts if record.seat == seat])
            _count_decisions(entry, seat, log)
    order = sorted(
        entries.values(),
        key=lambda entry: (-_share(entry.wins, entry.games), -_share(entry.led, entry.games), -_mean(entry.stacks)),
    )
    return Report(
        run=logs[0].header.run,
        settings=_settings(log.header for log in logs),
        games=len(logs),
        torn=tuple(log.path.name for log in logs if log.torn),
        entries=tuple(order),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _mean(values: list[int]) -> float:
    return fmean(values) if values else 0.0


def _settings(headers: Iterable[Header]) -> dict[str, Any]:
    names = (
        "edition", "variant", "players", "run_seed", "attempts", "feedback", "policy", "provider_failure",
        "round_limit", "rulebook", "engine_version", "rules_version", "harness_epoch",
    )  # fmt: skip
    found: dict[str, list[Any]] = {name: [] for name in names}
    for header in headers:
        for name in names:
            value = getattr(header, name)
            if value not in found[name]:
                found[name].append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _count_outcome(log: GameLog, seats: dict[Any, Entry]) -> None:
    outcome = log.outcome
    for seat, entry in seats.items():
        entry.games += 1
        if outcome is None:
            entry.open += 1
            continue
        entry.wins += outcome.winner == seat
        entry.unfinished += outcome.result == "unfinished"
        entry.led += outcome.result == "unfinished" and outcome.ranking[0] == [seat]
        entry.void += outcome.result == "void"
        entry.forfeits += seat in outcome.forfeited
        if outcome.result != "void":
            entry.stacks.append(outcome.stacks[seat])
            entry.rounds.append(outcome.rounds)


def _count_attempts(entry: Entry, attempts: list[AttemptRecord]) -> None:
    for record in attempts:
        entry.attempts[record.result] += 1
        if record.result in ILLEGAL and record.code is not None:
            entry.codes[record.code] += 1
            broken = record.violations[0].rules if record.violations else CODES[record.code].rules
            known = entry.rules.setdefault(record.code, [])
            known.extend(rule for rule in broken if rule not in known)
        entry.calls += record.calls
        if record.usage is not None:
            entry.tokens.update(record.usage.model_dump())
        if record.cost is not None:
            entry.cost = (entry.cost or Decimal(0)) + Decimal(record.cost)
        elif record.result != "provider":
            entry.unpriced_calls += record.calls


def _count_decisions(entry: Entry, seat: str, log: GameLog) -> None:
    decided = {record.number for record in log.decisions if record.seat == seat}
    entry.decisions += len(decided)
    entry.by_policy += sum(record.by != "agent" for record in log.decisions if record.seat == seat)
    for record in log.attempts:
        if record.number in decided and record.attempt == 0 and record.result == "accepted":
            entry.first_try += 1
            entry.first_try_strict += not record.repairs
