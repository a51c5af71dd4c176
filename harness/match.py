"""One game: asks the agent whose decision it is, has the engine judge the answer, and writes what happened.

A match goes on where its log ends: recorded decisions are replayed, recorded attempts at the open decision count, and
since all draws are functions of their key, a game interrupted anywhere equals an undisturbed one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal, overload

from engine import Action, Decision, Event, Game, Verdict
from harness import render_change
from harness.agents.base import Agent, Fault, Feedback, Leave, LetDraw, Policy, Proposal, Resign, Turn, TurnKey
from harness.blobs import BlobStore
from harness.canonical import digest
from harness.errors import UserError
from harness.feedback import make_feedback
from harness.judging import apply_decision, fault_record, judge, outcome_record, repeated
from harness.log import GameLog, LogWriter, read_log
from harness.memory import Memory
from harness.plan import MatchPlan, difference, make_header
from harness.randomness import Draws
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord, Reason, Record, comparable
from harness.resuming import unwritten_end, voids, whole

Observer = Callable[[Record], None]


async def play(
    plan: MatchPlan,
    agents: Mapping[str, Agent],
    path: Path,
    blobs: BlobStore,
    stop: Callable[[], bool] = lambda: False,
    observe: Observer = lambda record: None,
) -> OutcomeRecord | None:
    """Play a game, or what is left of it, into the log at ``path``.

    ``agents`` are by seat. ``stop`` is asked before every decision; ``observe`` is told every record as it is written.
    Returns the outcome, or None if the game stays open: stopped, left by its player, or its provider gave up.
    Raises UserError if the log there belongs to another game, and whatever an agent or the engine raises.
    """
    game = plan.new_game()
    found = whole(read_log(path)) if path.exists() else None
    if found is not None and found.outcome is not None:
        return found.outcome
    header = make_header(plan, game, agents)
    if found is not None and found.records and comparable(found.header) != comparable(header):
        raise UserError(f"{path} holds a game with other settings: {difference(found.header, header)}.")
    with LogWriter(path, found) as log:
        match = _Match(plan, agents, game, log, blobs, observe)
        if found is None or not found.records:
            match.write(header)
        else:
            match.restore(found)
        return await match.run(stop)


class _Legal(Sequence[Proposal]):
    """The legal list of the open decision as canonical proposals: found when asked for, each made when looked at."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @cached_property
    def _actions(self) -> Sequence[Action]:
        return self._game.legal

    def __len__(self) -> int:
        return len(self._actions)

    @overload
    def __getitem__(self, index: int) -> Proposal: ...
    @overload
    def __getitem__(self, index: slice) -> list[Proposal]: ...
    def __getitem__(self, index: int | slice) -> Proposal | list[Proposal]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        return self._game.proposal(self._actions[index])


@dataclass(frozen=True)
class _Open:
    """The open decision as it stands before anybody answers."""

    decision: Decision
    round: int
    observation: dict[str, Any]
    shown: str
    """Digest of the observation, taken before any agent holds it."""
    legal: Sequence[Proposal]


@dataclass(frozen=True)
class _Judged:
    """An attempt and the engine's verdict on it, None if there was nothing to judge."""

    record: AttemptRecord
    verdict: Verdict | None


class _Match:
    """The running game: the engine, the log, what each seat saw, and the attempts at the open decision."""

    def __init__(
        self,
        plan: MatchPlan,
        agents: Mapping[str, Agent],
        game: Game,
        log: LogWriter,
        blobs: BlobStore,
        observe: Observer,
    ) -> None:
        self.plan, self.agents, self.game = plan, agents, game
        self.log, self.blobs, self.observe = log, blobs, observe
        self.number = 0
        self.memory = Memory(game)
        self.tried: list[_Judged] = []
        self.failed = 0
        self.ended: Reason | None = None

    def write(self, *records: Record) -> None:
        """Write records in one go, then tell the observer."""
        self.log.write(*records)
        for record in records:
            self.observe(record)

    def restore(self, found: GameLog) -> None:
        """Bring the engine and the attempts to where the log ends; UserError if the log does not replay."""
        self.ended = unwritten_end(found)
        for record in found.records[1:]:
            events: tuple[Event, ...] | None = ()
            if isinstance(record, AttemptRecord) and record.result == "provider":
                self.failed += 1
            elif isinstance(record, AttemptRecord):
                events = self._restore_attempt(record)
            elif isinstance(record, DecisionRecord):
                events = apply_decision(self.game, record)
                if events is not None:
                    self._advance(record.seat, record.by, record.proposal, events)
            if events is None:
                raise self._not_as_recorded(found)
        last = self.tried[-1].record.proposal if self.tried and self.tried[-1].record.result == "accepted" else None
        if last is not None:  # the decision behind it was not written any more: it will be played
            seat = self.tried[-1].record.seat
            if not self.game.clone().propose(seat, last["tool"], last["arguments"]).accepted:
                raise self._not_as_recorded(found)

    def _not_as_recorded(self, found: GameLog) -> UserError:
        return UserError(
            f"{found.path} cannot be resumed: this version of the engine plays decision {self.number} differently than "
            "recorded; use the version that made it, or start a new run."
        )

    def _restore_attempt(self, record: AttemptRecord) -> tuple[Event, ...] | None:
        verdict = None
        if record.proposal is not None and record.result != "accepted":
            verdict = self.game.propose(record.seat, record.proposal["tool"], record.proposal["arguments"])
            if verdict.accepted:
                return None
        self.tried.append(_Judged(record, verdict))
        return ()

    async def run(self, stop: Callable[[], bool]) -> OutcomeRecord | None:
        """Play until the game is over, unfinished or void, or has to stay open."""
        if self.ended is not None:
            return self._end(self.ended)
        while self.game.decision is not None and self.game.round <= self.plan.settings.round_limit:
            await asyncio.sleep(0)  # scripted agents never wait: give the other games and the display their turn
            if stop():
                return None
            if self.number >= self.plan.decision_limit:
                return self._end("decision_limit")
            now = self._open(self.game.decision)
            try:
                ended = await self._decide(now)
            except Leave as left:
                self._note(now, left.faults)
                return None
            except Resign:
                ended = self._use_policy(now, "forfeit", asked=True)
            except LetDraw as drawn:
                ended = self._use_policy(now, "random_legal", asked=True, faults=drawn.faults)
            if ended is not None:
                return ended if isinstance(ended, OutcomeRecord) else None
        if self.game.decision is not None:
            return self._end("round_limit")
        return self._end("eighth_stack" if max(self.game.stacks.values()) >= 8 else "last_seat")

    def _open(self, decision: Decision) -> _Open:
        observation = self.game.observe(decision.seat)
        return _Open(decision, self.game.round, observation, digest(observation), _Legal(self.game))

    async def _decide(self, now: _Open) -> OutcomeRecord | Literal["open"] | None:
        """Carry the open decision to its end; return how the game stops here, None if it goes on."""
        if self.tried and self.tried[-1].record.result == "accepted":  # killed before the decision was written
            proposal = self.tried[-1].record.proposal
            assert proposal is not None
            self._finish(now, "agent", proposal, self._played(now, proposal))
            return None
        while len(self.tried) < self.plan.settings.attempts:
            if self._would_ask_the_refused():
                refused = repeated(self.tried[-1].record, len(self.tried))
                self.write(refused)
                self.tried.append(_Judged(refused, None))
                continue
            started = time.perf_counter()
            answer = await self.agents[now.decision.seat].choose(self._turn(now))
            place = self._place(now)
            record, verdict = judge(self.game, place, answer, time.perf_counter() - started, self.blobs)
            records = (*(fault_record(fault, place) for fault in answer.faults), record)
            if verdict is not None and verdict.accepted:
                self._finish(now, "agent", record.proposal, verdict.events, records)
                return None
            if voids(self.plan.provider_failure, record):
                return self._end("provider", *records)
            self.write(*records)
            self.failed += sum(one.result == "provider" for one in records)
            if record.result == "provider":
                return "open"
            self.tried.append(_Judged(record, verdict))
        return self._use_policy(now, self.plan.settings.policy)

    def _would_ask_the_refused(self) -> bool:
        """Whether the next attempt would ask word for word what was refused: without feedback nothing changes in it."""
        refused = bool(self.tried) and self.tried[-1].record.result == "refusal"
        return refused and self.plan.settings.feedback == "none"

    def _place(self, now: _Open) -> dict[str, Any]:
        return {"number": self.number, "seat": now.decision.seat, "attempt": len(self.tried)}

    def _note(self, now: _Open, faults: Sequence[Fault]) -> None:
        """Write the calls that were broken off because a person did not wait for them."""
        self.write(*(fault_record(fault, self._place(now)) for fault in faults))
        self.failed += len(faults)

    def _turn(self, now: _Open) -> Turn:
        seat = now.decision.seat
        return Turn(
            seat=seat,
            decision=now.decision,
            observation=now.observation,
            legal=now.legal,
            tools=self.game.tools,
            translate=self.game.translate,
            opportunities=lambda seed: self.game.opportunities(seed=seed),
            explain=lambda proposal: self.game.explain(seat, proposal["tool"], proposal["arguments"]),
            history=self.memory.history(seat),
            record=self.memory.record(seat),
            number=self.number,
            attempt=len(self.tried),
            feedback=self._feedback(now, str(self.agents[seat].settings.get("language", "en"))),
            key=TurnKey(self.plan.run_seed, self.plan.game, seat, self.number),
            settings=self.plan.settings,
            earlier=tuple(judged.record.result for judged in self.tried),
            failed=self.failed,
        )

    def _feedback(self, now: _Open, language: str) -> tuple[Feedback, ...]:
        told = []
        for judged in self.tried:
            violations = judged.verdict.violations if judged.verdict else ()
            nearest = partial(self._nearest, now, judged.record, language)
            told.append(make_feedback(self.plan.settings.feedback, judged.record, violations, language, nearest))
        return tuple(feedback for feedback in told if feedback is not None)

    def _nearest(self, now: _Open, record: AttemptRecord, language: str) -> str:
        """The nearest legal proposal to one that was refused, in words."""
        proposal = record.proposal
        assert proposal is not None
        explanation = self.game.explain(record.seat, proposal["tool"], proposal["arguments"])
        return render_change.nearest(explanation, now.observation, language)

    def _use_policy(
        self, now: _Open, policy: Policy, asked: bool = False, faults: Sequence[Fault] = ()
    ) -> OutcomeRecord | None:
        seat = now.decision.seat
        broken = tuple(fault_record(fault, self._place(now)) for fault in faults)
        if policy == "random_legal":
            draws = Draws(self.plan.run_seed, self.plan.game, seat, self.number, "policy")
            proposal = draws.choice(now.legal)
            return self._finish(now, policy, proposal, self._played(now, proposal), broken, asked)
        return self._finish(now, policy, None, self.game.forfeit(seat) if policy == "forfeit" else (), broken, asked)

    def _played(self, now: _Open, proposal: Proposal) -> tuple[Event, ...]:
        """Play a proposal known to be legal; RuntimeError if the engine says otherwise, for then it has a bug."""
        verdict = self.game.propose(now.decision.seat, proposal["tool"], proposal["arguments"])
        if not verdict.accepted:
            raise RuntimeError(f"the engine refuses what it listed or accepted before: {proposal}")
        return verdict.events

    def _finish(
        self,
        now: _Open,
        by: Literal["agent", "random_legal", "forfeit", "void"],
        proposal: Proposal | None,
        events: tuple[Event, ...],
        attempts: tuple[AttemptRecord, ...] = (),
        asked: bool = False,
    ) -> OutcomeRecord | None:
        """Write how the open decision ended, its last attempts in the same breath, and go on to the next.

        A void decision ends the game: its outcome is written with it and returned.
        """
        fields = {
            "number": self.number,
            **now.decision._asdict(),
            "round": now.round,
            "observation": now.shown,
            "by": by,
            "asked": asked,
            "proposal": proposal,
            "events": [event.to_json() for event in events],
        }
        record = DecisionRecord.model_validate(fields)
        outcome = self._outcome("attempts", self.number + 1) if by == "void" else None
        self.write(*attempts, record, *((outcome,) if outcome is not None else ()))
        self._advance(now.decision.seat, by, proposal, events)
        return outcome

    def _advance(self, seat: str, by: str, proposal: Proposal | None, events: tuple[Event, ...]) -> None:
        self.number += 1
        self.tried = []
        self.failed = 0
        self.memory.advance(seat, by, proposal, events)

    def _end(self, reason: Reason, *attempts: AttemptRecord) -> OutcomeRecord:
        """Write the outcome, in the same breath as the attempts that led to it."""
        outcome = self._outcome(reason, self.number)
        self.write(*attempts, outcome)
        return outcome

    def _outcome(self, reason: Reason, decisions: int) -> OutcomeRecord:
        return outcome_record(self.game, reason, self.plan.settings.round_limit, decisions)
