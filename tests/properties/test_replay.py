"""The accepted proposals on the same seed give the same events and digests; checked and unchecked play agree."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine import Game

Step = tuple[str, str, dict[str, Any], list[Any], str]


def played(game: Game, seed: int, decisions: int) -> list[Step]:
    """Unchecked play as (seat, tool, arguments, events, digest) of every decision."""
    steps: list[Step] = []
    while game.decision is not None and len(steps) < decisions:
        seat = game.decision.seat
        legal = game.legal
        action = legal[(seed * 7919 + len(steps) * 104_729) % len(legal)]
        proposal: Any = json.loads(json.dumps(game.proposal(action)))
        events = [event.to_json() for event in game.apply(action)]
        steps.append((seat, proposal["tool"], proposal["arguments"], events, game.digest()))
    return steps


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("seed", "variant"), [*((seed, "standard") for seed in range(4)), (4, "tournament")])
def test_dealt_games(players: int, seed: int, variant: str) -> None:
    replayed, first = (Game.new(players=players, seed=seed, variant=variant) for _ in range(2))
    for seat, tool, arguments, events, digest in played(first, seed, 200):
        verdict = replayed.propose(seat, tool, arguments)
        assert verdict.accepted
        assert verdict.proposal == {"tool": tool, "arguments": arguments}
        assert [event.to_json() for event in verdict.events] == events
        assert replayed.digest() == digest


def test_events_are_plain_json_and_say_who_sees_them() -> None:
    for _, _, _, events, _ in played(Game.new(players=3, seed=11), 11, 300):
        for event in events:
            assert json.loads(json.dumps(event)) == event
            assert list(event)[:2] == ["type", "seat"]
            assert event["seat"] in "ABC"
