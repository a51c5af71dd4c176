"""The change an explanation offers is legal, canonical and as small as the legal list allows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from editions import EDITIONS, edition_of
from rare import RARE
from speaker import Speaker, speaker
from strategies import crowded, walk

from engine import VARIANTS, Explanation, Game


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
    assert {"choices.stack", "choices.option"} <= fields.keys()


@pytest.mark.parametrize("edition", EDITIONS)
def test_dealt_games(edition: str) -> None:
    """With four players sets are picked first, and gold is paid."""
    for players in (2, 3, 4):
        variant = VARIANTS[players == 4]
        start = Game.new(edition=edition, variant=variant, players=players, seed=players + 90)
        for number, game in enumerate(walk(start, players, 100)):
            assert game.decision is not None
            if number % 8 == 0 or game.decision.kind != "action":
                hold(game, speaker(game, (players, number)), 15)


@pytest.mark.parametrize("name", RARE)
def test_positions_built_for_what_is_rare(name: str) -> None:
    game = RARE[name]()
    hold(game, speaker(game, name), 120)


@pytest.mark.slow
def test_many_crowded_positions() -> None:
    for seed in range(1000, 3000):
        for number, game in enumerate(walk(crowded(seed, edition_of(seed), hand=1 + seed % 7), seed, 10)):
            hold(game, speaker(game, (seed, number)), 30)


def changes(edits: Any, field: str) -> int:
    """How many names of a list the edits move."""
    moved = [edit for edit in edits if edit["field"] == field]
    return sum(len(edit.get("drop", ())) + len(edit.get("add", ())) for edit in moved)


def apart(stated: dict[str, Any], listed: dict[str, Any]) -> int:
    """In how many names and single values two `choices` differ."""
    total = 0
    for field in {**stated, **listed}:
        old, new = stated.get(field), listed.get(field)
        if field in ("cards", "opponents", "slots"):
            names = Counter(old or ()), Counter(new or ())
            total += ((names[0] - names[1]) + (names[1] - names[0])).total()
        else:
            total += old != new
    return total


def test_no_choices_of_a_listed_ability_are_nearer() -> None:
    """Remastered chameleons of different names, the choices without numbers."""
    compared: Counter[str] = Counter()
    for name in ("chameleons that can copy", "a lone chameleon", "a chameleon that copied a chameleon"):
        game = RARE[name]()
        mind = speaker(game, name)
        listed: Any = [game.proposal(action) for action in game.legal]
        abilities = [one["arguments"] for one in listed if one["tool"] == "ability"]
        for card in mind.hand:
            legal = [one["choices"] for one in abilities if one["card"] == card]
            for _ in range(60 if legal and card in mind.active else 0):
                choices = mind.choices()
                if "cards" in choices:
                    choices["cards"] = [one.partition("#")[0] for one in choices["cards"]]
                found = game.explain(mind.seat, "ability", {"card": card, "choices": choices})
                if found.violations:
                    nearest = min(apart(choices, one) for one in legal)
                    edits: Any = found.edits
                    moved = [len(edit.get("drop", ())) + len(edit.get("add", ())) or 1 for edit in edits]
                    assert sum(moved) <= nearest, (card, choices, found)
                    assert all(edit["field"].startswith("choices.") for edit in edits)
                    compared[card] += 1
    assert len(compared) == 6
    assert compared.total() > 200


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
