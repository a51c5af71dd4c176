"""``merchant?epsilon=X``: weaker, never illegal; 0 is the merchant, 1 draws from the legal list."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import sqrt

import pytest
from turns import turn_of

from engine import EDITIONS, Game
from harness.agents.base import Agent, Proposal, Turn, TurnKey
from harness.agents.merchant import decide
from harness.agents.spec import create_agent, parse_spec
from harness.errors import UserError


def weakened(epsilon: float) -> Agent:
    return create_agent(parse_spec(f"merchant?epsilon={epsilon}"))


async def said(agent: Agent, turn: Turn) -> Proposal:
    answer = await agent.choose(turn)
    assert answer.proposal is not None
    return answer.proposal


async def play(game: Game, agents: dict[str, Agent]) -> list[tuple[Turn, Proposal]]:
    """Play a game to its end; every proposal is legal. Returns each decision with what was said."""
    told = []
    number = 0
    while game.decision is not None and game.round <= 100:
        turn = turn_of(game, number)
        proposal = await said(agents[turn.seat], turn)
        assert game.propose(turn.seat, proposal["tool"], proposal["arguments"]).accepted, (game.seed, number, proposal)
        told.append((turn, proposal))
        number += 1
    return told


async def test_with_0_it_is_the_merchant() -> None:
    agent = weakened(0)
    for turn, proposal in await play(Game.new(seed=3), {"A": agent, "B": agent}):
        assert proposal == decide(turn)


async def test_with_1_it_is_random_in_distribution() -> None:
    turn = turn_of(Game.new(seed=5))
    tries = 60 * len(turn.legal)
    agent = weakened(1)
    counts: Counter[str] = Counter()
    for number in range(tries):
        counts[str(await said(agent, replace(turn, key=TurnKey(number, "game", "A", 0))))] += 1
    assert set(counts) == {str(proposal) for proposal in turn.legal}
    assert all(abs(count - 60) <= 5 * sqrt(60) for count in counts.values())


async def test_it_draws_at_the_stated_rate() -> None:
    turn = turn_of(Game.new(seed=5))
    tries, epsilon = 2000, 0.3
    agent, own = weakened(epsilon), decide(turn)
    others = 0
    for number in range(tries):
        others += await said(agent, replace(turn, key=TurnKey(1, "game", "A", number))) != own
    expected = epsilon * (1 - 1 / len(turn.legal))
    assert abs(others / tries - expected) <= 4 * sqrt(expected * (1 - expected) / tries)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3])
async def test_every_proposal_is_legal_and_the_same_turn_gets_the_same_answer(edition: str, players: int) -> None:
    agent = weakened(0.5)
    told = await play(Game.new(players, seed=players, edition=edition), dict.fromkeys("ABC", agent))
    drawn = sum(proposal != decide(turn) for turn, proposal in told)
    assert 0 < drawn < len(told)
    for turn, proposal in told[::7]:
        assert await said(agent, turn) == proposal


def test_the_log_says_how_weak_it_is() -> None:
    agent = weakened(0.25)
    assert (agent.spec, agent.settings) == ("merchant?epsilon=0.25", {"epsilon": 0.25})


@pytest.mark.parametrize("value", ["1.01", "-0.1", "nan", "much"])
def test_a_rate_is_a_number_from_0_to_1(value: str) -> None:
    with pytest.raises(UserError, match=r"option 'epsilon' of .* must be a number from 0 to 1, not"):
        parse_spec(f"merchant?epsilon={value}")


@pytest.mark.slow
async def test_the_more_it_draws_the_weaker_it_is() -> None:
    """Games won of 200 against the merchant itself, in both seats: about 50, 12, 2 and 0 %."""
    shares = []
    for epsilon in (0.0, 0.2, 0.5, 1.0):
        won = 0
        for game_number in range(200):
            game = Game.new(seed=game_number // 2)
            seat = "AB"[game_number % 2]
            await play(game, {seat: weakened(epsilon), "AB"[seat == "A"]: weakened(0)})
            won += game.winner == seat
        shares.append(won / 200)
    print("\nwins against merchant with epsilon 0, 0.2, 0.5, 1:", *(f"{share:.1%}" for share in shares))
    assert shares[0] == 0.5
    assert 0.05 <= shares[1] <= 0.2
    assert shares[2] < shares[1] / 2
    assert shares[3] == 0
