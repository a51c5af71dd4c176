"""A turn as a match would give it to an agent, made from a game alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine import Game
from harness.agents.base import MatchSettings, Turn, TurnKey


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
        number=number,
        attempt=attempt,
        feedback=(),
        key=TurnKey(game.seed, "game", decision.seat, number),
        settings=MatchSettings(),
    )
    return replace(turn, **changes)
