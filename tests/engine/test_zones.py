"""What holds in every game: open zones, the order of piles, no card lost, who decides (rules.md 2 and 3)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine import SETS, Game
from engine.types import MARKET_DISCARD, discard_zone

FIRST_SUBSTITUTE = 4096
OTHER_SETS = [name for name in SETS if name != "ocelots"]


def played(seed: int, decisions: int = 120) -> Iterator[Game]:
    """Uniformly random play of a dealt game with ocelots: the same game object, stopped at each of its decisions."""
    chance = random.Random(seed)
    players = 2 + seed % 3
    game = Game.new(players=players, sets=["ocelots", *chance.sample(OTHER_SETS, players)], seed=seed)
    for _ in range(decisions):
        if game.over:
            return
        yield game
        legal = game.legal
        game.apply(legal[chance.randrange(len(legal))])


def physical_cards(game: Game) -> list[int]:
    """Every physical card of a game, wherever it lies."""
    data: Any = game.to_json()
    cards = [card for zone in data["zones"] for card in zone if card >= 0]
    return sorted(cards + [card for stall in data["stalls"] for stack in stall for card in stack])


@pytest.mark.rules("R-ZON-01", "R-ZON-02")
def test_open_zones_are_shown_whole_and_alike_to_every_seat() -> None:
    for seed in range(12):
        for game in played(seed):
            zones: Any = game.position()
            for seat in game.seats:
                seen: Any = game.observe(seat)
                assert [card and card["card"].partition("#")[0] for card in seen["market"]] == zones["market"]
                assert seen["market_discard"] == zones["market_discard"]
                assert seen["market_deck_size"] == len(zones["market_deck"])
                assert seen["junk_pile"] == zones["junk_pile"]
                for other in game.seats:
                    public = seen["seats"][other]
                    assert public["discard"] == zones[other]["discard"]
                    assert public["stall"] == zones[other]["stall"]
                    assert public["hand_size"] == len(zones[other]["hand"])
                    assert public["deck_size"] == len(zones[other]["deck"])


@pytest.mark.rules("R-ZON-02")
def test_cards_that_stay_in_a_pile_stay_in_their_order() -> None:
    compared = 0
    for seed in range(12):
        before: list[list[int]] = []
        for game in played(seed):
            zones: Any = game.to_json()["zones"]
            numbers = [MARKET_DISCARD, *map(discard_zone, range(len(game.seats)))]
            after = [list(zones[number]) for number in numbers]
            for old, new in zip(before, after, strict=False):
                stayed = [card for card in new if card in old]
                assert stayed == [card for card in old if card in new]
                compared += len(stayed) > 1
            before = after
    assert compared > 1000


@pytest.mark.rules("R-ZON-06", "R-JNK-04")
def test_no_card_is_lost_doubled_or_made_but_junk_substitutes() -> None:
    for seed in range(12):
        dealt: list[int] = []
        for game in played(seed):
            cards = physical_cards(game)
            assert len(set(cards)) == len(cards)
            dealt = dealt or cards
            made = sorted(set(cards) - set(dealt))
            assert len(cards) == len(dealt) + len(made)
            assert made == [FIRST_SUBSTITUTE + number << 8 for number in range(len(made))]


@pytest.mark.rules("R-TRN-10", "R-EFF-10", "R-DEC-01")
def test_nobody_but_the_active_player_is_asked_except_for_the_guess_of_blindfold() -> None:
    met: Counter[str] = Counter()
    for seed in range(30):
        for game in played(seed):
            decision = game.decision
            assert decision is not None
            guessing = decision.asks == "guess"
            assert (decision.seat != game.observe("A")["turn"]) == guessing
            met[decision.kind] += 1
            met["guesses"] += guessing
    assert {"action", "effect_choice", "end_of_turn"} <= set(met)
    assert met["guesses"] > 5
