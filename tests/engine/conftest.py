from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import Game, Verdict


@pytest.fixture
def position() -> Callable[..., Game]:
    """A game from zones, `position(A={"hand": [...]}, market=[...])`, and players, sets, turn, seed, random, edition.

    Zones that are not named are as empty as the rules allow, so that nothing is dealt by chance.
    """

    def build(
        players: int = 2,
        sets: str = "macaws pandas raccoons",
        turn: str = "A",
        seed: int = 1,
        random: list[dict[str, Any]] | None = None,
        variant: str = "standard",
        edition: str = "classic",
        **zones: Any,
    ) -> Game:
        state: dict[str, Any] = {"market": [None] * 5, "market_deck": [], "market_discard": [], "junk_pile": 6}
        for seat in "ABCD"[:players]:
            state[seat] = {"hand": [], "deck": [], "discard": [], "stall": [], **zones.pop(seat, {})}
        state.update(zones)
        return Game.from_position(
            {
                "edition": edition,
                "players": players,
                "variant": variant,
                "sets": sets.split(),
                "seed": seed,
                "turn": turn,
                "state": state,
                "random": random or [],
            }
        )

    return build


@pytest.fixture
def accept() -> Callable[..., Verdict]:
    """Propose something that must be legal: `accept(game, "A", "market", source="slot_0", payment=["junk"])`."""

    def propose(game: Game, seat: str, tool: str, **arguments: Any) -> Verdict:
        verdict = game.propose(seat, tool, arguments)
        assert verdict.accepted, [violation.code for violation in verdict.violations]
        return verdict

    return propose


@pytest.fixture
def codes() -> Callable[..., list[str]]:
    """The codes a proposal is refused with, the primary one first; empty if it is legal. The game stays as it is."""

    def judge(game: Game, seat: str, tool: str, **arguments: Any) -> list[str]:
        return [violation.code for violation in game.judge(seat, tool, arguments)]

    return judge
