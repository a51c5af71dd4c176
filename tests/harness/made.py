"""Game logs made by hand: who decided what at which try, without a game behind them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.log import GameLog
from harness.records import AttemptRecord, DecisionRecord, Header, OutcomeRecord, Record

ZERO = "0" * 64


def model(level: str = "L2", language: str = "en", **profile: Any) -> dict[str, Any]:
    """The settings of a seat that a language model has."""
    rulebook = "none" if level == "L5" else "brief"
    own = {"output_mode": "tools", "api": "chat", "model": "m-1"} | profile
    return {"level": level, "language": language, "rulebook": rulebook, "profile": own}


def attempt(number: int, seat: str, tries: int, kind: str, **fields: Any) -> AttemptRecord:
    """One attempt; ``kind`` is a class, ``repaired``, or the code of a broken rule."""
    known = ("accepted", "text_only", "truncated", "empty", "refusal", "provider")
    result = "accepted" if kind == "repaired" else kind if kind in known else "rule"
    broken = (
        {"code": kind, "violations": [{"code": kind, "rules": ["R-MKT-07"], "facts": {}}]} if result == "rule" else {}
    )
    repairs = ["case"] if kind == "repaired" else []
    place = {"number": number, "seat": seat, "attempt": tries, "class": result, "repairs": repairs}
    return AttemptRecord.model_validate({**place, **broken, **fields})


def decision(number: int, seat: str, by: str = "agent") -> DecisionRecord:
    return DecisionRecord.model_validate(
        {
            "number": number, "seat": seat, "kind": "action", "round": 1, "observation": ZERO, "by": by,
            "proposal": {"tool": "inventory", "arguments": {"cards": []}}, "events": [],
        }
    )  # fmt: skip


def made_log(
    seats: Mapping[str, tuple[str, str, dict[str, Any]]],
    decided: Sequence[tuple[str, Sequence[str]]],
    *,
    deal: int = 1,
    game: str = "g",
    winner: str | None = "A",
    spent: Mapping[str, Any] | None = None,
    **header: Any,
) -> GameLog:
    """A log of decisions, each a seat and its tries; one whose last try is not accepted falls to the policy.

    ``seats`` are name, agent and settings; ``spent`` are fields of every attempt; ``winner`` None leaves the game open.
    """
    told = {
        "engine_version": "0", "rules_version": "1", "run": "run", "run_seed": 1, "game": game, "deal": deal,
        "line_up": 1, "rotation": 0, "edition": "classic", "variant": "standard", "players": len(seats),
        "sets": ["macaws", "pandas", "raccoons"], "start": None, "seed": deal, "attempts": 3, "feedback": "rule",
        "policy": "random_legal", "provider_failure": "open", "round_limit": 100, "decision_limit": 1000,
        "rulebook": "full",
        "seats": {seat: dict(zip(("name", "agent", "settings"), who, strict=True)) for seat, who in seats.items()},
    }  # fmt: skip
    records: list[Record] = [Header.model_validate(told | header)]
    for number, (seat, tries) in enumerate(decided):
        used = 0
        for kind in tries:
            records.append(attempt(number, seat, used, kind, **(spent or {})))
            used += kind != "provider"
        own = tries[-1] in ("accepted", "repaired")
        records.append(decision(number, seat, "agent" if own else "random_legal"))
    if winner is not None:
        others = [seat for seat in seats if seat != winner]
        records.append(
            OutcomeRecord.model_validate(
                {
                    "result": "win", "reason": "eighth_stack", "winner": winner, "ranking": [[winner], others],
                    "stacks": {seat: 8 if seat == winner else 3 for seat in seats}, "forfeited": [], "rounds": 9,
                    "decisions": len(decided), "state": ZERO,
                }
            )
        )  # fmt: skip
    return GameLog(Path(f"{game}.jsonl"), tuple(records), 0, torn=False)
