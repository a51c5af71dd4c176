"""The figures of runs, computed from their logs and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from statistics import fmean
from typing import Any, get_args

from engine import CODES
from harness.agents.base import MODEL_FAILURES, AttemptClass
from harness.canonical import canonical_json
from harness.casual import is_casual
from harness.errors import UserError
from harness.figures import quantile_of
from harness.log import GameLog, game_logs, no_game_log, read_log
from harness.prompts import code_meaning
from harness.records import AttemptRecord, Header, SeatRecord

CLASSES: tuple[AttemptClass, ...] = get_args(AttemptClass)
ILLEGAL: tuple[AttemptClass, ...] = ("format", "rule")
OWN_SETTINGS = ("level", "language", "rulebook", "output_mode", "api")
"""What an entrant played under by its own choice; None where no model plays."""
SETTINGS = (*OWN_SETTINGS, "attempts", "feedback", "policy")
"""The same, and what it played under by its run's choice."""


@dataclass
class Entry:
    """The figures of one entrant under one group of settings.

    ``led`` counts the unfinished games in which it alone had the most stacks (R-END-04). Means are over finished and
    unfinished games; None where there is nothing to take them of. ``settled`` counts decisions by the number of the try
    that was accepted. ``uncertain`` is what calls may have cost beyond ``cost``; ``latencies`` are seconds by attempt.
    """

    name: str
    agent: str
    settings: dict[str, Any] = field(default_factory=dict)
    label: str = ""
    """The name, with the settings behind it where another row has the same name."""
    prices: list[dict[str, Any]] = field(default_factory=list)
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
    settled: Counter[int] = field(default_factory=Counter)
    first_try_strict: int = 0
    by_policy: int = 0
    attempts: Counter[str] = field(default_factory=Counter)
    provider_codes: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    repaired: int = 0
    rules: dict[str, list[str]] = field(default_factory=dict)
    calls: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    cost: Decimal | None = None
    unpriced_calls: int = 0
    uncertain: Decimal = Decimal(0)
    latencies: list[float] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain JSON."""
        illegal = sum(self.attempts[name] for name in ILLEGAL)
        judged = sum(self.attempts[name] for name in (*MODEL_FAILURES, "rule", "accepted"))
        read = sum(self.tokens[name] for name in INPUT)
        priced = self.cost if not self.unpriced_calls else None
        return {
            "name": self.name,
            "label": self.label,
            "agent": self.agent,
            "settings": self.settings,
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
            "first_try_legal": self._per_decision(self.settled[1]),
            "first_try_legal_strict": self._per_decision(self.first_try_strict),
            "settled_at_try": {str(number): count for number, count in sorted(self.settled.items())},
            "attempts": {name: self.attempts[name] for name in CLASSES},
            "provider_failures": [{"code": code, "count": count} for code, count in _most_first(self.provider_codes)],
            "illegal_rate": illegal / judged if judged else None,
            "illegal_rate_strict": (illegal + self.repaired) / judged if judged else None,
            "repairs": [{"kind": kind, "count": count} for kind, count in _most_first(self.repairs)],
            "illegal_by_code": [
                {"code": code, "meaning": code_meaning(code), "count": count, "rules": self.rules.get(code, [])}
                for code, count in _most_first(self.codes)
            ],
            "calls": self.calls,
            "tokens": {name: self.tokens[name] for name in TOKENS},
            "tokens_per_decision": {
                "input": self._per_decision(read),
                "cached": self._per_decision(self.tokens["cache_read"]),
                "output": self._per_decision(self.tokens["output"]),
            },
            "calls_per_decision": self._per_decision(self.calls),
            "cache_hit_ratio": self.tokens["cache_read"] / read if read else None,
            "prices": self.prices,
            "cost": str(self.cost) if self.cost is not None else None,
            "cost_uncertain": str(self.uncertain),
            "cost_per_game": _quotient(priced, self.games),
            "cost_per_decision": _quotient(priced, self.decisions),
            "unpriced_calls": self.unpriced_calls,
            "latency_median": quantile_of(sorted(self.latencies), 0.5) if self.latencies else None,
        }

    def _per_decision(self, count: int) -> float | None:
        return count / self.decisions if self.decisions else None


INPUT = ("uncached_input", "cache_read", "cache_write")
TOKENS = (*INPUT, "output", "reasoning")


@dataclass(frozen=True)
class Report:
    """The settings of one run or of several, and the figures of every entrant, most wins first."""

    run: str
    settings: dict[str, Any]
    games: int
    torn: tuple[str, ...]
    entries: tuple[Entry, ...]
    labels: Mapping[str, str]
    """The label of the row of every kind of seat, for ``label``."""

    def label(self, who: SeatRecord, header: Header) -> str:
        """Return the label of the row in which a seat is counted."""
        return self.labels[_key(who, header)]

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON."""
        return {
            "run": self.run,
            "settings": self.settings,
            "games": self.games,
            "torn_logs": list(self.torn),
            "entrants": [entry.to_json() for entry in self.entries],
        }


def read_logs(*paths: Path, read: Callable[[Path], GameLog] = read_log) -> list[GameLog]:
    """Read the folders of runs, or game logs, without casual games; ``read`` reads one log. Each file counts once.

    Raises UserError if there is no log in one of them, or none that counts, or for two runs of one name.
    """
    logs: dict[Path, GameLog] = {}
    for path in paths:
        found = [log for log in map(read, game_logs(path)) if log.records]
        if not found:
            raise no_game_log(path)
        counted = [log for log in found if not is_casual(log.header)]
        if not counted:
            raise UserError(
                f"{path} is a casual game, which no report counts: dale play --as NAME counts; dale replay tells it."
            )
        logs |= {log.path.resolve(): log for log in counted}
    _refuse_namesakes(logs.values())
    return list(logs.values())


def _refuse_namesakes(logs: Iterable[GameLog]) -> None:
    """Raise UserError for two runs of one name: a game is known by its run and its own name, and theirs are alike."""
    runs: dict[str, GameLog] = {}
    games: dict[tuple[str, str], GameLog] = {}
    for log in logs:
        header = log.header
        first, same = runs.setdefault(header.run, log), games.setdefault((header.run, header.game), log)
        if same is not log or first.header.run_seed != header.run_seed:
            other = first if same is log else same
            raise UserError(
                f"{other.path} and {log.path} are of two runs, or two copies of one, that are both called "
                f"{header.run!r}: give only one of them."
            )


def make_report(logs: Sequence[GameLog]) -> Report:
    """Compute the figures of these logs. An entrant that played under several settings has a row for each."""
    entries: dict[str, Entry] = {}
    for log in logs:
        seats = {seat: _entry(entries, who, log.header) for seat, who in log.header.seats.items()}
        _count_outcome(log, seats)
        for seat, entry in seats.items():
            _count_attempts(entry, [record for record in log.attempts if record.seat == seat])
            _count_decisions(entry, seat, log)
    order = sorted(
        entries.values(),
        key=lambda entry: (-_share(entry.wins, entry.games), -_share(entry.led, entry.games), -_mean(entry.stacks)),
    )
    _label(order)
    return Report(
        run=", ".join(dict.fromkeys(log.header.run for log in logs)),
        settings=_settings(log.header for log in logs),
        games=len(logs),
        torn=tuple(log.path.name for log in logs if log.torn),
        entries=tuple(order),
        labels={key: entry.label for key, entry in entries.items()},
    )


def _label(entries: Sequence[Entry]) -> None:
    """Give every row a label of its own."""
    for entry in entries:
        alike = [one for one in entries if one.name == entry.name]
        telling = [name for name in SETTINGS if len({str(one.settings[name]) for one in alike}) > 1]
        told = [str(entry.settings[name]) for name in telling]
        if len({one.agent for one in alike}) > 1:
            told.insert(0, entry.agent)
        entry.label = f"{entry.name} ({', '.join(told)})" if told else entry.name


def settings_of(who: SeatRecord, header: Header) -> dict[str, Any]:
    """Return what a seat was played under, by the names of ``SETTINGS``."""
    profile = who.settings.get("profile", {})
    own = {name: who.settings.get(name, profile.get(name)) for name in OWN_SETTINGS}
    return {name: own[name] if name in own else getattr(header, name) for name in SETTINGS}


def _key(who: SeatRecord, header: Header) -> str:
    return canonical_json([who.name, who.agent, settings_of(who, header)])


def _entry(entries: dict[str, Entry], who: SeatRecord, header: Header) -> Entry:
    """Return the entry of a seat, made if it is the first of its kind."""
    entry = entries.setdefault(_key(who, header), Entry(who.name, who.agent, settings_of(who, header)))
    price = who.settings.get("price")
    if price is not None and price not in entry.prices:
        entry.prices.append(price)
    return entry


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _quotient(cost: Decimal | None, number: int) -> str | None:
    return format((cost / number).quantize(Decimal("1e-8")).normalize(), "f") if cost is not None and number else None


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _mean(values: list[int]) -> float:
    return fmean(values) if values else 0.0


def _settings(headers: Iterable[Header]) -> dict[str, Any]:
    names = (
        "edition", "variant", "players", "run_seed", "attempts", "feedback", "policy", "provider_failure",
        "round_limit", "decision_limit", "rulebook", "engine_version", "rules_version", "harness_epoch",
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


def unpriced_calls(record: AttemptRecord) -> int:
    """Return the calls of an attempt that have no price: refused ones cost nothing, those without usage count apart."""
    known = record.cost is not None or record.uncertain is not None or record.result == "provider"
    return 0 if known else record.calls


def _count_attempts(entry: Entry, attempts: list[AttemptRecord]) -> None:
    for record in attempts:
        entry.attempts[record.result] += 1
        if record.result in ILLEGAL and record.code is not None:
            entry.codes[record.code] += 1
            known_rules = CODES[record.code].rules if record.code in CODES else ()  # other engines have other codes
            broken = record.violations[0].rules if record.violations else known_rules
            known = entry.rules.setdefault(record.code, [])
            known.extend(rule for rule in broken if rule not in known)
        if record.result == "provider":
            entry.provider_codes[record.code or "unknown"] += 1
        entry.repairs.update(record.repairs)
        entry.repaired += record.result == "accepted" and bool(record.repairs)
        entry.calls += record.calls
        if record.result != "provider" and record.timing is not None and "latency" in record.timing:
            entry.latencies.append(float(record.timing["latency"]))
        if record.usage is not None:
            entry.tokens.update(record.usage.model_dump())
        if record.cost is not None:
            entry.cost = (entry.cost or Decimal(0)) + Decimal(record.cost)
        entry.unpriced_calls += unpriced_calls(record)
        entry.uncertain += Decimal(record.uncertain or 0)


def _count_decisions(entry: Entry, seat: str, log: GameLog) -> None:
    made = [record for record in log.decisions if record.seat == seat and not record.asked]
    decided = {record.number for record in made}
    entry.decisions += len(decided)
    entry.by_policy += sum(record.by != "agent" for record in made)
    for record in log.attempts:
        if record.number in decided and record.result == "accepted":
            entry.settled[record.attempt + 1] += 1
            entry.first_try_strict += record.attempt == 0 and not record.repairs
