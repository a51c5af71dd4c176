"""The rows of the tables that are read from logs; each row is a mapping from columns to plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from engine import CODES
from harness.blobs import BlobStore
from harness.canonical import canonical_json
from harness.compliance.decisions import decided
from harness.compliance.opportunities import FirstAttempt
from harness.compliance.rates import ANY_RULE
from harness.log import GameLog
from harness.prompts import code_meaning
from harness.records import AttemptRecord, Header, OutcomeRecord, Seat, ViolationRecord
from harness.report import ILLEGAL, SETTINGS, Report, settings_of
from harness.secrets import without_keys

Row = dict[str, Any]

_HEADER = (
    "deal", "line_up", "rotation", "edition", "variant", "players", "seed", "run_seed", "attempts", "feedback",
    "policy", "provider_failure", "round_limit", "decision_limit", "schema_version", "engine_version", "rules_version",
    "harness_epoch",
)  # fmt: skip


def games(logs: Sequence[GameLog], report: Report) -> Iterator[Row]:
    """Yield a row for each game."""
    for log in logs:
        header, outcome = log.header, log.outcome
        winner = outcome.winner if outcome is not None else None
        yield {
            **_place(header),
            **{name: getattr(header, name) for name in _HEADER},
            "sets": " ".join(header.sets),
            "result": outcome.result if outcome is not None else None,
            "reason": outcome.reason if outcome is not None else None,
            "winner_seat": winner,
            "winner": report.label(header.seats[winner], header) if winner is not None else None,
            "rounds": outcome.rounds if outcome is not None else None,
            "decisions": len(log.decisions),
        }


def seats(logs: Sequence[GameLog], report: Report) -> Iterator[Row]:
    """Yield a row for each seat of each game."""
    for log in logs:
        for seat, who in log.header.seats.items():
            made = [record for record in log.decisions if record.seat == seat]
            settings = settings_of(who, log.header)
            yield {
                **_player(log.header, seat, report),
                "name": who.name,
                "agent": who.agent,
                "model": (who.settings.get("profile") or {}).get("model"),
                **{name: settings[name] for name in SETTINGS},
                **_ending(log.outcome, seat),
                "decisions": len(made),
                "by_policy": sum(record.by != "agent" for record in made),
                **_spent([record for record in log.attempts if record.seat == seat]),
            }


def _ending(outcome: OutcomeRecord | None, seat: Seat) -> Row:
    if outcome is None:
        return dict.fromkeys(("rank", "won", "stacks", "forfeited"))
    better = 0
    rank = None
    for group in outcome.ranking:
        if seat in group:
            rank = better + 1
        better += len(group)
    return {
        "rank": rank,
        "won": outcome.winner == seat,
        "stacks": outcome.stacks[seat],
        "forfeited": seat in outcome.forfeited,
    }


def decisions(logs: Sequence[GameLog], report: Report) -> Iterator[Row]:
    """Yield a row for each decision."""
    facts = decided(logs, report.label)
    for log in logs:
        for record in log.decisions:
            fact = next(facts)
            yield {
                **_player(log.header, record.seat, report),
                "decision": record.number,
                **{
                    name: getattr(record, name)
                    for name in ("round", "kind", "asks", "card", "bonus", "by", "asked", "observation")
                },
                **{name: getattr(fact, name) for name in ("refused", "strict", "settled")},
                "proposal": canonical_json(record.proposal) if record.proposal is not None else None,
            }


def attempts(logs: Sequence[GameLog], report: Report, texts: bool) -> Iterator[Row]:
    """Yield a row for each attempt; with ``texts`` also what was sent and answered, from the blobs of the run."""
    for log in logs:
        for number, record in enumerate(log.attempts):
            timing = record.timing or {}
            yield {
                **_attempt(log.header, number, record, report),
                "class_strict": "format" if record.result == "accepted" and record.repairs else record.result,
                "code": record.code,
                "repairs": " ".join(record.repairs),
                **_spent([record]),
                "queued_seconds": timing.get("queued"),
                "latency_seconds": timing.get("latency"),
                "request": record.request,
                "answer": record.answer,
                **(_texts(log, record) if texts else {}),
            }


def _texts(log: GameLog, record: AttemptRecord) -> Row:
    blobs = BlobStore(log.path.parent.parent / "blobs")

    def told(name: str | None) -> str | None:
        return without_keys(blobs.get(name).decode("utf-8", "replace")) if name is not None else None

    return {
        "stated": without_keys(canonical_json(record.stated)) if record.stated is not None else None,
        "detail": without_keys(record.detail),
        "request_text": told(record.request),
        "answer_text": told(record.answer),
    }


def violations(logs: Sequence[GameLog], report: Report) -> Iterator[Row]:
    """Yield a row for each violation code of each illegal attempt, the one it is counted under first."""
    for log in logs:
        for number, record in enumerate(log.attempts):
            if record.result in ILLEGAL and record.code is not None:
                for place, one in enumerate(_broken(record)):
                    yield {
                        **_attempt(log.header, number, record, report),
                        "code": one.code,
                        "is_primary": place == 0,
                        "rules": " ".join(one.rules),
                        "meaning": code_meaning(one.code),
                    }


def _broken(record: AttemptRecord) -> list[ViolationRecord]:
    """The violations; an answer that could not be read as a proposal has the one of its code."""
    code = str(record.code)
    rules = list(CODES[code].rules) if code in CODES else []
    return record.violations or [ViolationRecord(code=code, rules=rules, facts={})]


def opportunities(first: Sequence[FirstAttempt]) -> Iterator[Row]:
    """Yield a row for each code that was open to an entrant in a game."""
    there: Counter[tuple[tuple[str, str], str, str]] = Counter()
    broken: Counter[tuple[tuple[str, str], str, str]] = Counter()
    for one in first:
        for code in (ANY_RULE, *one.open):
            there[one.game, one.entrant, code] += 1
        if one.broken is not None:
            broken[one.game, one.entrant, ANY_RULE] += 1
            broken[one.game, one.entrant, one.broken] += one.broken in one.open
    games = list(dict.fromkeys(one.game for one in first))
    for game, entrant, code in sorted(there, key=lambda key: (games.index(key[0]), key[1], key[2] != ANY_RULE, key[2])):
        yield {
            "run": game[0], "game": game[1], "entrant": entrant, "code": code,
            "opportunities": there[game, entrant, code], "violations": broken[game, entrant, code],
        }  # fmt: skip


def _place(header: Header) -> Row:
    return {"run": header.run, "game": header.game}


def _player(header: Header, seat: Seat, report: Report) -> Row:
    return {**_place(header), "seat": seat, "entrant": report.label(header.seats[seat], header)}


def _attempt(header: Header, number: int, record: AttemptRecord, report: Report) -> Row:
    return {
        **_player(header, record.seat, report),
        "record": number,
        "decision": record.number,
        "attempt": record.attempt,
        "class": record.result,
    }


def _spent(records: Sequence[AttemptRecord]) -> Row:
    """Calls, tokens and cost of some attempts together; empty what no attempt tells."""
    used = [record.usage for record in records if record.usage is not None]
    costs = [Decimal(record.cost) for record in records if record.cost is not None]
    uncertain = [Decimal(record.uncertain) for record in records if record.uncertain is not None]
    tokens = {
        f"{name}_tokens": sum(getattr(usage, name) for usage in used) if used else None
        for name in ("uncached_input", "cache_read", "cache_write", "output", "reasoning")
    }
    return {
        "calls": sum(record.calls for record in records),
        **tokens,
        "cost": sum(costs, Decimal(0)) if costs else None,
        "cost_uncertain": sum(uncertain, Decimal(0)) if uncertain else None,
    }
