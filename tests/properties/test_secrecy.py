"""A seat is shown nothing it is not entitled to know (contract section 7).

Everything a seat cannot know is dealt again; its observation, decision, legal list, tool schemas, refusals,
explanations and opportunities stay byte for byte the same. What a seat is entitled to is the subject of
test_entitled.py.

A position is one decision, looked at from every seat. CI tries 1,200 of each edition; DALE_SECRECY_POSITIONS=20000
tries more.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import pytest
from editions import EDITIONS
from strategies import Play, crowd, deal, moves, physical, walk

from engine import Game, catalogue

POSITIONS = int(os.environ.get("DALE_SECRECY_POSITIONS", "1200"))
BLOCKS = 4
ANSWERS = {
    "action": ("market", "technique", "stall", "inventory", "ability"),
    "bonus_stack": ("stall", "ability"),
    "end_of_turn": ("ability",),
    "effect_choice": ("choose",),
}
"""The tools whose proposals are read card by card at a decision; any other is refused whatever its arguments are."""


@lru_cache(maxsize=1000)
def refused(edition: str, sets: tuple[str, ...]) -> list[tuple[str, dict[str, Any]]]:
    """A fixed set of proposals, most of them illegal, that name every card of the game in every way."""
    asked: list[tuple[str, dict[str, Any]]] = [("skip", {}), ("end_turn", {}), ("trade", {}), ("market", {})]
    for slug in [card.slug for card in catalogue(edition) if card.set in (*sets, "none")]:
        names = [slug, f"{slug}#2"]
        copies = [{"card": slug, "targets": [f"hand:{slug}"]}, {"card": slug, "targets": ["discard_B:junk"]}]
        asked += [
            ("inventory", {"cards": names}),
            ("market", {"source": "slot_1", "payment": [slug, "junk"], "throw_away": [slug]}),
            ("market", {"source": "market_discard", "payment": names, "copies": copies}),
            ("technique", {"card": slug, "choices": {"cards": [slug], "opponents": ["B"]}}),
            ("technique", {"card": slug, "choices": {"stack": {"seat": "B", "number": 1, "card": slug}}}),
            ("stall", {"cards": names, "from_discard": [slug], "copies": copies[:1]}),
            ("ability", {"card": slug, "copies": copies[1:]}),
            ("choose", {"choices": {"cards": names}}),
        ]
    return asked


@lru_cache(maxsize=10_000)
def asked(edition: str, sets: tuple[str, ...], tools: tuple[str, ...], turn: int) -> list[tuple[str, dict[str, Any]]]:
    """Of these proposals every second one in `tools` and every eighth of the others; with `turn` they take turns."""
    proposals = refused(edition, sets)
    read = [one for one in proposals if one[0] in tools]
    return read[turn % 2 :: 2] + [one for one in proposals if one[0] not in tools][turn % 8 :: 8]


def shown(game: Game, seat: str, turn: int) -> dict[str, str]:
    """Everything this seat is shown at the `turn`-th position, as text: one entry for each kind of thing."""
    decision = game.decision
    told: dict[str, Any] = {"observation": game.observe(seat), "decision": decision}
    tools: tuple[str, ...] = ()
    if decision is not None and decision.seat == seat:
        tools = ANSWERS[decision.kind]
        told["legal list"] = [game.proposal(action) for action in game.legal]
        told["tools"] = [game.tools(level) for level in ("L0", "L1", "L2")]
    proposals = asked(game.edition, game.sets, tools, turn % 8)
    told["refusals"] = [game.judge(seat, tool, arguments) for tool, arguments in proposals]
    explained = proposals[:: 11 if decision is not None and decision.seat == seat else 50]
    told["explanations"] = [game.explain(seat, tool, arguments) for tool, arguments in explained]
    told["opportunities"] = game.opportunities(seat, turn if turn % 2 else None)
    return {what: json.dumps(value) for what, value in told.items()}


def hidden(game: Game, seat: str) -> dict[str, Any]:
    """The hidden zones as they are."""
    zones: Any = game.position()
    found = {"market_deck": zones["market_deck"]}
    for other in game.seats:
        found[f"deck_{other}"] = zones[other]["deck"]
        if other != seat:
            found[f"hand_{other}"] = sorted(zones[other]["hand"])
    return found


def positions(edition: str, block: int) -> Iterator[Game]:
    """Endlessly: decisions of dealt games, early and late, and of crowded positions; every effect that asks."""
    number = block
    while True:
        chance = random.Random(f"secrecy {edition} {number}")
        players = 2 + number % 3
        for step, game in enumerate(walk(Game.new(**deal(chance, edition, players)), number, 120)):
            decision = game.decision
            if step % 24 == number % 24 or (decision and decision.asks):
                yield game
        for _ in range(6):
            play = Play(crowd(chance, edition, players), moves(chance, 10))
            for step, game in enumerate(play.games()):
                decision = game.decision
                if step % 6 == 0 or (decision and decision.kind != "action"):
                    yield game
        number += BLOCKS


@pytest.mark.rules("R-ZON-01", "R-INF-02", "R-INF-03", "R-INF-04")
@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_seat_cannot_know_changes_nothing_it_is_shown(edition: str, block: int) -> None:
    counts: Counter[str] = Counter()
    for number, game in enumerate(islice(positions(edition, block), POSITIONS // BLOCKS)):
        before = game.digest()
        decision = game.decision
        assert decision is not None
        counts["positions"] += 1
        counts[decision.asks or decision.kind] += 1
        for seat in game.seats:
            other = game.determinise(seat, number)
            changed = hidden(other, seat) != hidden(game, seat)
            counts["re-deals"] += 1
            counts["that changed hidden cards"] += changed
            told, again = shown(game, seat, number), shown(other, seat, number)
            for what, text in told.items():
                assert again[what] == text, (what, seat, decision)
        assert game.digest() == before
    print(f"{edition}, block {block}: {dict(counts)}")
    assert counts["positions"] == POSITIONS // BLOCKS
    assert counts["that changed hidden cards"] > 0.85 * counts["re-deals"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_everything_open_is_dealt_again(edition: str) -> None:
    """So that the test above cannot pass by moving little: over many deals every open place of a deck changes."""
    places = 0
    for seed in range(25):
        chance = random.Random(seed)
        for number, game in enumerate(Play(crowd(chance, edition), moves(chance, 9)).games()):
            if number % 4 == 0:
                seat = game.seats[seed % len(game.seats)]
                deals = [hidden(game.determinise(seat, again), seat) for again in range(40)]
                places += open_places_change(game.observe(seat), deals)
    assert places > 200


def open_places_change(seen: Any, deals: list[dict[str, Any]]) -> int:
    """Check each place of a deck that the seat does not know; the number of places checked."""
    checked = 0
    for owner, pool in seen["pools"].items():
        zone = owner if owner == "market_deck" else f"deck_{owner}"
        pinned = {place["position"]: place["card"] for place in seen["known"] if place["zone"] == zone}
        held = [place["card"] for place in seen["known"] if place["zone"] == f"hand_{owner}"]
        free = Counter(pool["cards"]) - Counter([*pinned.values(), *held])
        mixed = free.total() > 1 and free.most_common(1)[0][1] <= free.total() / 2 and not pool["unknown"]
        for position in range(len(deals[0][zone])):
            dealt = {deal[zone][position] for deal in deals}
            if position in pinned:
                assert dealt == {pinned[position]}
            elif mixed:
                assert len(dealt) > 1
                checked += 1
    return checked


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_redealt_game_can_be_played_on(edition: str) -> None:
    """A searching player plays on from it: in the middle of another seat's effect too, and no card is lost."""
    for seed in range(180):
        chance = random.Random(seed)
        for number, game in enumerate(Play(crowd(chance, edition), moves(chance, 12)).games()):
            decision = game.decision
            assert decision is not None
            if not decision.asks and number % 6:
                continue
            for seat in game.seats:
                other = game.determinise(seat, number)
                cards = physical(other)
                assert cards == physical(game)
                for _ in walk(other, (seed, number, seat), 12):
                    pass
                assert set(cards) <= set(physical(other))


def test_what_everybody_saw_happen_to_a_hand_card_stays_in_that_hand() -> None:
    """A rolled one of two Bold Hagglers; B knows of one of them by an older move. The roll is no secret (R-RND-04)."""
    game = Game.from_position(
        {
            "sets": ["macaws", "pandas", "ocelots"],
            "state": {
                "A": {
                    "hand": ["favourite_toy", "bold_haggler", "junk"],
                    "discard": ["bold_haggler"],
                    "deck": ["junk", "cookies", "spyglass", "junk"],
                },
                "B": {"hand": ["junk"]},
            },
            "random": [{"die": 3}],
        }
    )
    assert game.propose("A", "technique", {"card": "favourite_toy"}).accepted
    assert game.propose("A", "ability", {"card": "bold_haggler#1"}).accepted
    for number in range(20):
        hand: Any = game.determinise("B", number).observe("A")["hand"]
        assert 4 in [card["value"] for card in hand if card["card"].startswith("bold_haggler")]
