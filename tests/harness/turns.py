"""A turn as a match would give it to an agent: of a game alone, or of a game as it is played."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import Action, Event, Game
from harness.agents.base import MatchSettings, Note, Turn, TurnKey
from harness.memory import Memory


def turn_of(game: Game, number: int = 0, attempt: int = 0, **changes: Any) -> Turn:
    """The pending decision; `changes` are other fields than a first attempt without history has."""
    decision = game.decision
    assert decision is not None
    turn = Turn(
        seat=decision.seat,
        decision=decision,
        observation=game.observe(decision.seat),
        legal=[game.proposal(action) for action in game.legal],
        tools=game.tools,
        translate=game.translate,
        opportunities=lambda seed: game.opportunities(seed=seed),
        explain=lambda proposal: game.explain(decision.seat, proposal["tool"], proposal["arguments"]),
        history=(),
        record=(Note("state", game.observe(decision.seat)),),
        number=number,
        attempt=attempt,
        feedback=(),
        key=TurnKey(game.seed, "game", decision.seat, number),
        settings=MatchSettings(),
    )
    return replace(turn, **changes)


class Table:
    """A game that is played move by move, with what each seat is shown of it."""

    def __init__(self, game: Game) -> None:
        """Sit down; the game is the opening of what is noted."""
        self.game = game
        self.memory = Memory(game)
        self.number = 0

    def play(self, tool: str, **arguments: Any) -> None:
        """Make a proposal that must be legal."""
        decision = self.game.decision
        assert decision is not None
        verdict = self.game.propose(decision.seat, tool, arguments)
        assert verdict.accepted, verdict.violations
        self._note(decision.seat, verdict.proposal, verdict.events)

    def apply(self, action: Action, by: str = "agent") -> None:
        """Carry out an entry of the legal list, played by the agent or by a policy."""
        decision = self.game.decision
        assert decision is not None
        proposal = self.game.proposal(action)
        self._note(decision.seat, proposal, self.game.apply(action), by)

    def _note(self, seat: str, proposal: Any, events: tuple[Event, ...], by: str = "agent") -> None:
        self.memory.advance(seat, by, proposal, events)
        self.number += 1

    def turn(self, **changes: Any) -> Turn:
        """The pending decision with all that its seat has been shown."""
        decision = self.game.decision
        assert decision is not None
        seen = {"history": self.memory.history(decision.seat), "record": self.memory.record(decision.seat)}
        return turn_of(self.game, self.number, **{**seen, **changes})
