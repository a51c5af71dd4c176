"""The accepted proposals on the same seed give the same events and digests; checked and unchecked play agree."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from strategies import Play, crowded_plays, dealt_plays, examples

Step = tuple[str, str, dict[str, Any], list[Any], str]


def played(play: Play) -> list[Step]:
    """Unchecked play as (seat, tool, arguments, events, digest) of every decision."""
    steps: list[Step] = []
    game = play.begin()
    for move in play.moves:
        if game.decision is None:
            break
        seat = game.decision.seat
        action = game.legal[move % len(game.legal)]
        proposal: Any = json.loads(json.dumps(game.proposal(action)))
        events = [event.to_json() for event in game.apply(action)]
        steps.append((seat, proposal["tool"], proposal["arguments"], events, game.digest()))
    return steps


def hold(play: Play) -> None:
    """Propose in another game what was played in the first; events are plain JSON that says whom they are about."""
    replayed = play.begin()
    for seat, tool, arguments, events, digest in played(play):
        verdict = replayed.propose(seat, tool, arguments)
        assert verdict.accepted
        assert verdict.proposal == {"tool": tool, "arguments": arguments}
        assert [event.to_json() for event in verdict.events] == events
        assert replayed.digest() == digest
        assert json.loads(json.dumps(events)) == events
        for event in events:
            assert list(event)[:2] == ["type", "seat"]
            assert event["seat"] in replayed.seats


@pytest.mark.rules("R-RND-01")
@examples(24)
@given(dealt_plays(250))
def test_dealt_games(play: Play) -> None:
    hold(play)


@pytest.mark.rules("R-RND-01")
@examples(200)
@given(crowded_plays(12))
def test_crowded_positions(play: Play) -> None:
    hold(play)
