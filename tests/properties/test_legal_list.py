"""The legal list is what brute force finds: every proposal that small hands allow, judged one by one."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from brute_force import Table, proposals, small
from hypothesis import given
from strategies import Play, crowded_plays, dealt_plays, examples

from engine import Game

MOST = 2_000
"""How many proposals are judged at one decision. Where there are more (two chameleons with many targets each), a
sample of that size must be in the list, and every entry of the list is judged by itself."""


def hold(game: Game, counts: Counter[str]) -> None:
    """Compare the legal list with brute force at one decision."""
    table = Table(game)
    if not small(table):
        counts["too large"] += 1
        return
    found = list(proposals(table))
    whole = len(found) <= MOST
    if not whole:
        found = random.Random(len(found)).sample(found, MOST)
    listed: Any = [game.proposal(action) for action in game.legal]
    keys = Counter(table.key(proposal) for proposal in listed)
    accepted: dict[tuple[Any, ...], Any] = {}
    for tool, arguments in found:
        if not game.judge(table.seat, tool, arguments):
            verdict = game.clone().propose(table.seat, tool, arguments)
            accepted.setdefault(table.key(verdict.proposal), (tool, arguments))
    assert [proposal for key, proposal in accepted.items() if key not in keys] == [], "legal, but not listed"
    assert [key for key, count in keys.items() if count > 1] == [], "listed twice"
    for proposal in listed:
        assert game.judge(table.seat, proposal["tool"], proposal["arguments"]) == (), proposal
        assert not whole or table.key(proposal) in accepted, ("listed, but not found", proposal)
    counts["whole" if whole else "sampled"] += 1
    counts["judged"] += len(found)


def test_crowded_positions() -> None:
    counts: Counter[str] = Counter()

    @examples(150)
    @given(crowded_plays(8, hand=4, pile=3))
    def every_one(play: Play) -> None:
        game = play.game()
        if not game.over:
            hold(game, counts)

    every_one()
    print(dict(counts))
    assert counts["judged"] > 25_000
    assert counts["whole"] > 5 * counts["too large"] > 0
    assert counts["sampled"] > 2


def test_dealt_games() -> None:
    counts: Counter[str] = Counter()

    @examples(50)
    @given(dealt_plays(250))
    def every_one(play: Play) -> None:
        game = play.game()
        if not game.over:
            hold(game, counts)

    every_one()
    print(dict(counts))
    assert counts["whole"] > 20
