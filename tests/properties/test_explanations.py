"""The change an explanation offers is legal, canonical and as small as the legal list allows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from editions import EDITIONS, edition_of
from speaker import Speaker, speaker
from strategies import crowded, walk

from engine import Explanation, Game


def hold(game: Game, mind: Speaker, spoken: int) -> Counter[str]:
    """Explain random proposals at one decision; how often each field was changed."""
    assert game.decision is not None
    before = game.digest()
    fields: Counter[str] = Counter()
    for _ in range(spoken):
        tool, arguments = mind.speak()
        found = game.explain(mind.seat, tool, arguments)
        assert found.violations == game.judge(mind.seat, tool, arguments)
        assert game.digest() == before
        if not found.violations:
            assert found == Explanation((), None, ())
            continue
        assert found.change is not None
        change: Any = found.change
        verdict = game.clone().propose(mind.seat, change["tool"], change["arguments"])
        assert verdict.accepted, (tool, arguments, found)
        assert verdict.proposal == change
        assert found.edits
        check_size(game, tool, arguments, found)
        fields.update(str(edit["field"]) for edit in found.edits)
    return fields


def check_size(game: Game, tool: str, arguments: dict[str, Any], found: Explanation) -> None:
    """The tool changes only if nothing of it is legal, the source only if nothing there can be bought; no payment and
    no stack can be nearer than by its number of cards."""
    change: Any = found.change
    same = [game.proposal(action) for action in game.legal]
    same = [one for one in same if one["tool"] == tool]
    assert (change["tool"] == tool) == bool(same)
    if not same or tool not in ("market", "stall"):
        return
    field = {"market": "payment", "stall": "cards"}[tool]
    listed: Any = [one["arguments"] for one in same]
    if tool == "market":
        there = [one for one in listed if one["source"] == arguments["source"]]
        assert (change["arguments"]["source"] == arguments["source"]) == bool(there)
        listed = there or listed
    fewest = min(abs(len(one[field]) - len(arguments[field])) for one in listed)
    edits: Any = found.edits
    moved = sum(len(edit.get("drop", ())) + len(edit.get("add", ())) for edit in edits if edit["field"] == field)
    assert moved >= fewest
    assert moved <= len(arguments[field]) + len(change["arguments"][field])


@pytest.mark.parametrize("block", range(2))
def test_crowded_positions(block: int) -> None:
    fields: Counter[str] = Counter()
    for seed in range(block * 14, block * 14 + 14):
        for number, game in enumerate(walk(crowded(seed, edition_of(seed), hand=1 + seed % 6), seed, 4)):
            fields += hold(game, speaker(game, (seed, number)), 25)
    assert {"tool", "source", "card", "payment", "cards", "copies", "stack", "adjust", "throw_away"} <= fields.keys()
    assert {"from_discard", "choices.cards", "choices.opponents", "choices.slots", "choices.value"} <= fields.keys()


@pytest.mark.parametrize("edition", EDITIONS)
def test_dealt_games(edition: str) -> None:
    for players in (2, 3, 4):
        start = Game.new(edition=edition, players=players, seed=players + 90)
        for number, game in enumerate(walk(start, players, 100)):
            assert game.decision is not None
            if number % 8 == 0 or game.decision.kind != "action":
                hold(game, speaker(game, (players, number)), 15)


@pytest.mark.slow
def test_many_crowded_positions() -> None:
    for seed in range(1000, 3000):
        for number, game in enumerate(walk(crowded(seed, edition_of(seed), hand=1 + seed % 7), seed, 10)):
            hold(game, speaker(game, (seed, number)), 30)


def changes(edits: Any, field: str) -> int:
    """How many names of a list the edits move."""
    moved = [edit for edit in edits if edit["field"] == field]
    return sum(len(edit.get("drop", ())) + len(edit.get("add", ())) for edit in moved)


def test_no_payment_of_a_listed_purchase_is_nearer() -> None:
    """Ordinary hands, names without numbers: payments are as far apart as the cards in which they differ."""
    compared = 0
    for number, game in enumerate(walk(Game.new(players=2, sets=["macaws", "pandas", "raccoons"], seed=6), 6, 60)):
        assert game.decision is not None
        if number % 2 or game.decision.kind != "action" or game.decision.bonus:
            continue
        mind = speaker(game, number)
        listed: Any = [game.proposal(action) for action in game.legal]
        for _ in range(40):
            payment = [name.partition("#")[0] for name in mind.some(mind.hand)]
            slot = f"slot_{mind.chance.randrange(5)}"
            found = game.explain(mind.seat, "market", {"source": slot, "payment": payment})
            legal = [one["arguments"] for one in listed if one["arguments"].get("source") == slot]
            if found.violations and legal:
                stated = Counter(payment)
                paid = [Counter(one["payment"]) for one in legal]
                nearest = min(((stated - one) + (one - stated)).total() for one in paid)
                assert changes(found.edits, "payment") == nearest
                assert [edit["field"] for edit in found.edits] == ["payment"]
                compared += 1
    assert compared > 100
