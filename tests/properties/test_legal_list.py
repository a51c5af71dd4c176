"""The legal list is what brute force finds: every proposal that small hands allow, judged one by one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from brute_force import Table, proposals, small
from editions import EDITIONS
from hypothesis import given
from strategies import TIMES, Play, crowded_plays, dealt_plays, examples

from engine import TOOLS, Game

MOST = 2_000
"""How many proposals are judged at one decision. Where there are more (two chameleons with many targets each), a
sample of that size must be in the list, and every entry of the list is judged by itself."""


def hold(game: Game, counts: Counter[str], tools: Sequence[str] = TOOLS) -> None:
    """Compare the legal list with brute force at one decision, of all tools or of some."""
    table = Table(game)
    if not small(table):
        counts["too large"] += 1
        return
    found = [one for one in proposals(table) if one[0] in tools]
    whole = len(found) <= MOST
    if not whole:
        found = random.Random(len(found)).sample(found, MOST)
    every: Any = [game.proposal(action) for action in game.legal]
    listed = [proposal for proposal in every if proposal["tool"] in tools]
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


@pytest.mark.parametrize("edition", EDITIONS)
def test_stacks_with_cards_of_the_discard_pile(edition: str) -> None:
    """SQU3-1: in whatever order they lie there, Nostalgic Items among them make room; alike ones count once."""
    counts: Counter[str] = Counter()
    pool = ["nostalgic_item", "accordion", "stashing_vendor", "empty_chest"] * 2
    pool += ["junk", "spyglass", "swift_broker", "reflection", "flexible_shopkeeper"]
    for seed in range(150 * TIMES):
        chance = random.Random(f"pile {seed}")
        own = {
            "hand": ["nostalgic_item", *chance.choices(pool, k=chance.randint(0, 2))],
            "discard": chance.choices(pool, k=chance.randint(1, 3)),
            "deck": [],
            "stall": [["stashing_vendor", "swift_broker"]] * chance.randint(4, 7),
        }
        other = {"hand": [], "deck": [], "discard": [chance.choice(["cookies", "junk", "nostalgic_item"])]}
        state = {"market": [None] * 5, "market_deck": [], "market_discard": [], "A": own, "B": other}
        sets = ["macaws", "squirrels", "chameleons"]
        hold(Game.from_position({"edition": edition, "sets": sets, "state": state}), counts, ("stall",))
    print(dict(counts))
    assert counts["whole"] > 100


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
