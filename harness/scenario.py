"""Running scenarios on the engine and comparing what they expect with what came of it (contract section 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from engine import Event, ForcedOutcomeError, Game, Verdict
from harness.scenario_file import Document, ScenarioFileError, load_file, load_paths
from harness.scenario_form import Expectation, Scenario, SeatExpectation
from harness.text import clean_line

__all__ = [
    "Document",
    "Failure",
    "Report",
    "Scenario",
    "ScenarioFileError",
    "check_paths",
    "load_file",
    "load_paths",
    "run",
]

SLOTS = 5


class Failure(NamedTuple):
    """One expectation that does not hold: in which step (from 1; None: at the end), of what, expected, got."""

    step: int | None
    field: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        """Say it in words."""
        place = f"step {self.step}" if self.step else "end"
        return f"{place}: {self.field}: expected {_shown(self.expected)}, got {_shown(self.got)}"


class FailedScenario(NamedTuple):
    """A scenario that failed, with everything that does not hold at the first place where something does not."""

    document: Document
    failures: tuple[Failure, ...]

    def __str__(self) -> str:
        """One line: file, name, step, expected, got."""
        more = len(self.failures) - 1
        rest = f" (and {more} more)" if more else ""
        name = clean_line(self.document.scenario.name, 80)
        return clean_line(f"{self.document.path}: {name}: {self.failures[0]}", 2000) + rest


@dataclass(frozen=True)
class Report:
    """The result of a check: how many files and scenarios were run, and those that failed."""

    files: int
    scenarios: int
    failed: tuple[FailedScenario, ...]

    @property
    def exit_code(self) -> int:
        """0 if every scenario holds, else 1."""
        return 1 if self.failed else 0

    @property
    def lines(self) -> list[str]:
        """One line for each scenario that failed, and a closing one with the counts."""
        passed = self.scenarios - len(self.failed)
        total = f"{passed} of {self.scenarios} scenarios in {self.files} files hold"
        return [*map(str, self.failed), total + (f", {len(self.failed)} failed." if self.failed else ".")]


def check_paths(paths: Sequence[Path]) -> Report:
    """Run every scenario in these files and folders. Raises ScenarioFileError before running if one is broken."""
    documents = load_paths(list(paths))
    results = [FailedScenario(document, run(document.scenario)) for document in documents]
    files = len({document.path for document in documents})
    return Report(files, len(documents), tuple(result for result in results if result.failures))


def run(scenario: Scenario) -> tuple[Failure, ...]:
    """Play a scenario; return what does not hold at the first step where something does not, or at the end.

    Also held to, written or not: a refusal leaves the game bit-for-bit as it was (R-TRN-11), and the forced outcomes
    fit their events and are used up.
    """
    game = Game.from_position(scenario.position())
    events: list[Event] = []
    verdict: Verdict | None = None
    for number, step in enumerate(scenario.steps, 1):
        before = game.digest()
        try:
            verdict = game.propose(step.seat, step.propose.tool, step.propose.arguments)
        except ForcedOutcomeError as error:
            return (Failure(number, "random", "forced outcomes that fit their events", str(error)),)
        events += verdict.events
        failures = [*_judgement(step.expect, verdict), *_outcome(step.expect, game, verdict.events)]
        if not verdict.accepted and game.digest() != before:
            failures.append(("state", "unchanged after a refusal", "changed"))
        if failures:
            return tuple(Failure(number, *failure) for failure in failures)
    failures = [*_outcome(scenario.expect, game, events)]
    if {"accepted", "violation", "codes", "rules"} & scenario.expect.model_fields_set:
        failures += _judgement(scenario.expect, verdict)
    left = game.position()["random_left"]
    if left:
        failures.append(("random", "every forced outcome used", f"{left} left over"))
    return tuple(Failure(None, *failure) for failure in failures)


_Found = tuple[str, Any, Any]
"""Field, expected, got."""


def _judgement(expect: Expectation, verdict: Verdict | None) -> Iterator[_Found]:
    """Compare how the proposal was judged."""
    if verdict is None:
        yield "accepted", "a step that was judged", "no step"
        return
    codes = [violation.code for violation in verdict.violations]
    rules = [rule for violation in verdict.violations for rule in violation.rules]
    got = "accepted" if verdict.accepted else f"refused: {', '.join(codes)} ({', '.join(rules)})"
    if verdict.accepted == expect.refusal:
        wanted = expect.violation or ", ".join(expect.codes) or "a violation"
        yield "accepted", f"refused: {wanted}" if expect.refusal else "accepted", got
        return
    if "violation" in expect.model_fields_set and codes[0] != expect.violation:
        yield "violation", expect.violation, got
    for code in expect.codes:
        if code not in codes:
            yield "codes", code, got
    for rule in expect.rules:
        if rule not in rules:
            yield "rules", rule, got


def _outcome(expect: Expectation, game: Game, events: Sequence[Event]) -> Iterator[_Found]:
    """Compare zones, decision, winner and events; only what is written."""
    written = expect.model_fields_set
    position: dict[str, Any] = game.position()
    if "market" in written:
        wanted = expect.market + [None] * (SLOTS - len(expect.market))
        yield from _differ("market", wanted, position["market"])
    for zone in ("market_deck", "market_discard", "junk_pile"):
        if zone in written:
            yield from _differ(zone, getattr(expect, zone), position[zone])
    for seat in game.seats:
        if seat in written:
            yield from _seat(seat, getattr(expect, seat), position[seat])
    if "decision" in written:
        yield from _decision(expect, game)
    if "winner" in written:
        yield from _differ("winner", expect.winner, game.winner)
    if "events" in written:
        yield from _missing_event(expect.events, [event.to_json() for event in events])


def _seat(seat: str, expect: SeatExpectation, zones: dict[str, Any]) -> Iterator[_Found]:
    written = expect.model_fields_set
    if "hand" in written:
        yield from _differ(f"{seat}.hand", sorted(expect.hand), sorted(zones["hand"]))
    for zone in ("deck", "discard"):
        if zone in written:
            yield from _differ(f"{seat}.{zone}", getattr(expect, zone), zones[zone])
    if "stall" in written:
        got = [sorted(stack) for stack in zones["stall"]]
        yield from _differ(f"{seat}.stall", [sorted(stack) for stack in expect.stall], got)
    if "gold" in written:
        yield from _differ(f"{seat}.gold", expect.gold, zones.get("gold"))
    if "hand_size" in written:
        yield from _differ(f"{seat}.hand_size", expect.hand_size, len(zones["hand"]))
    if "deck_size" in written:
        yield from _differ(f"{seat}.deck_size", expect.deck_size, len(zones["deck"]))


def _decision(expect: Expectation, game: Game) -> Iterator[_Found]:
    pending = game.decision
    wanted = expect.decision.model_dump(exclude_unset=True) if expect.decision else None
    got = {"seat": pending.seat, "kind": pending.kind} if pending else None
    same = got is not None and wanted is not None and all(got[field] == value for field, value in wanted.items())
    if not same and (wanted is not None or got is not None):
        yield "decision", wanted, got


def _differ(field: str, expected: Any, got: Any) -> Iterator[_Found]:
    if expected != got:
        yield field, expected, got


def _missing_event(expected: list[dict[str, Any]], got: list[dict[str, Any]]) -> Iterator[_Found]:
    """The first expected event that does not follow, in order, what was found for those before it."""
    rest = iter(got)
    for event in expected:
        if not any(all(field in have and have[field] == event[field] for field in event) for have in rest):
            yield "events", event, got
            return


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
    return "null" if value is None else str(value)
