"""Every card and every kind of decision is reached in a fixed set of seeds; `pytest -s` prints the counts.

Random play, dealt games and crowded positions in turn; an Inventory action is drawn again now and then, since most
entries of a legal list are Inventory actions.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import Any

import pytest
from editions import EDITIONS
from strategies import crowd, deal

from engine import EVENT_TYPES, TOOLS, Action, CardInfo, Game, catalogue
from harness import prompts

GAMES = 300
LENGTH = 60
LEAST = 3
"""How often each thing must happen at least."""
ASKING = {"charm": "ocelots", "special_offer": "pandas", "winter_is_coming": "squirrels"}
"""Cards that lead to decisions seldom asked, with their sets."""
WAYS = ("played", "bought", "built", "discarded", "thrown away", "ability", "copies")


def begun(edition: str, seed: int, chance: random.Random) -> Game:
    """Every fourth game is dealt; in the others the first seat holds the cards of ASKING."""
    if seed % 4 == 0:
        return Game.new(**deal(chance, edition))
    start = crowd(chance, edition, hand=4)
    state = start["state"]
    state["A"]["hand"] += [card for card, of in ASKING.items() if of in start["sets"]]
    if {"chameleons", "ocelots"} <= set(start["sets"]):  # Charm may find a Trendsetting that fits in two ways
        number = chance.choice([2, 3, 4])
        fitting = [card.slug for card in catalogue(edition) if card.set in start["sets"] and card.value == number]
        state["market_deck"].insert(0, "trendsetting")
        state["market"] = [*chance.sample(fitting, 3), None, None]
        state["A"]["hand"] = ["charm"]
        state["A"]["stall"] = [["junk"]] * (number - 1)
    return Game.from_position(start)


def drawn(game: Game, chance: random.Random) -> Action:
    """An entry of the legal list; of Inventory actions fewer."""
    legal = game.legal
    action = legal[chance.randrange(len(legal))]
    for _ in range(4):
        if TOOLS[action.tool] != "inventory":
            break
        action = legal[chance.randrange(len(legal))]
    return action


def note(event: dict[str, Any], cards: dict[str, Counter[str]]) -> None:
    """What an event says about cards."""
    kind = event["type"]
    if kind in ("technique", "market", "ability", "copy"):
        way = {"technique": "played", "market": "bought", "ability": "ability", "copy": "copies"}[kind]
        cards[event["card"]][way] += 1
    if kind in ("stall", "discard", "throw_away"):
        way = {"stall": "built", "discard": "discarded", "throw_away": "thrown away"}[kind]
        for card in [*event["cards"], *event.get("from_discard", [])]:
            cards[card][way] += 1


@lru_cache(maxsize=2)
def reached(edition: str) -> tuple[dict[str, Counter[str]], Counter[str], Counter[str]]:
    """How often each card was used in each way, each decision was asked, and each type of event happened."""
    cards: dict[str, Counter[str]] = {card.slug: Counter() for card in catalogue(edition)}
    decisions: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for seed in range(GAMES):
        chance = random.Random(f"reach {seed}")
        game = begun(edition, seed, chance)
        dealt = seed % 4 == 0
        for step in range(LENGTH * (4 if dealt else 1)):
            decision = game.decision
            if decision is None:
                break
            decisions[decision.asks or decision.kind + " (bonus)" * decision.bonus] += 1
            happened = game.apply(drawn(game, chance))
            if dealt and step == LENGTH and seed % 16 == 0 and not game.over:
                happened += game.forfeit(game.seats[0])
            for event in happened:
                types[event.type] += 1
                note(event.to_json(), cards)
    return cards, decisions, types


def possible(card: CardInfo, edition: str) -> set[str]:
    """The ways in which a card can be used at all (R-MKT-01, R-STL-05, R-TEC-01, R-PAS-05, R-CPC-02)."""
    if card.type == "junk":
        return {"built", "discarded", "thrown away"}
    ways = {"bought", "built", "discarded", "thrown away"}
    if card.type == "technique":
        return ways | {"played"}
    if card.set == "chameleons":
        return ways | {"copies", "played", "ability"}
    return ways | ({"ability"} if card.ability else set())


def table(rows: dict[str, Counter[str]]) -> str:
    """The counts by card."""
    lines = ["".join([f"{'card':22}", *(f"{way:>12}" for way in WAYS)])]
    lines += ["".join([f"{slug:22}", *(f"{counts[way] or '-':>12}" for way in WAYS)]) for slug, counts in rows.items()]
    return "\n".join(lines)


ELSEWHERE = {
    "classic": {("decision", "copy"), ("event", "costs"), ("event", "hand_limit"), ("event", "swap_tops")},
    "remastered": {("decision", "guess"), ("decision", "build_as")},
}
"""By edition: what belongs to the other one alone."""


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_card_every_decision_and_every_event_is_reached(edition: str) -> None:
    cards, decisions, types = reached(edition)
    print(f"\n{edition}: {GAMES} games\n{table(cards)}")
    for name, counts in (("decision", decisions), ("event", types)):
        print(f"{name:22}" + ", ".join(f"{what} {count}" for what, count in sorted(counts.items())))
    few: dict[tuple[str, str], int] = {}
    for card in catalogue(edition):
        few |= {(card.slug, way): cards[card.slug][way] for way in possible(card, edition)}
    kinds = prompts.load().decisions.kinds.keys() - {"effect_choice"} | {"action (bonus)"}
    few |= {("decision", kind): decisions[kind] for kind in kinds | prompts.load().decisions.asks.keys()}
    few |= {("event", type_): types[type_] for type_ in EVENT_TYPES}
    assert {what: count for what, count in few.items() if count < LEAST and what not in ELSEWHERE[edition]} == {}


def test_a_card_is_reached_only_in_the_ways_the_rules_allow() -> None:
    """So that the table cannot be filled by counting wrongly."""
    for edition in EDITIONS:
        cards, _, _ = reached(edition)
        for card in catalogue(edition):
            assert {way for way in WAYS if cards[card.slug][way]} <= possible(card, edition), card.slug
