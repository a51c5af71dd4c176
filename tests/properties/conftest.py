from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import SETS, Game, catalogue

CARDS = [card for card in catalogue("classic") if card.set != "none"]


@pytest.fixture(scope="session")
def walk() -> Callable[..., Iterator[Game]]:
    """Uniformly random play from a position on: the same game object, stopped at each of its decisions."""

    def decisions(game: Game, seed: object, count: int) -> Iterator[Game]:
        chance = random.Random(str(seed))
        for _ in range(count):
            if game.over:
                return
            yield game
            legal = game.legal
            game.apply(legal[chance.randrange(len(legal))])

    return decisions


@pytest.fixture(scope="session")
def crowd() -> Callable[..., Game]:
    """A position made by a seed, with cards of all kinds in small hands, piles and stalls, as late games have them.

    `rich`: of the tournament variant, with gold.
    """

    def build(seed: int, players: int | None = None, hand: int = 4, pile: int = 3, rich: bool = False) -> Game:
        chance = random.Random(f"crowd {seed}")
        players = players or chance.choice([2, 2, 3, 4])
        sets = chance.sample(SETS, players + 1)
        slugs = [card.slug for card in CARDS if card.set in sets]
        dear = [card.slug for card in CARDS if card.set in sets and card.value > 1]

        def some(most: int, least: int = 0, names: list[str] | None = None) -> list[str]:
            return [chance.choice([*(names or slugs), "junk"]) for _ in range(chance.randint(least, most))]

        state: dict[str, Any] = {
            "market": [chance.choice([*dear, None]) for _ in range(5)],
            "market_deck": [chance.choice(dear) for _ in range(chance.randint(0, 8))],
            "market_discard": [card for card in some(3) if card != "junk"],
            "junk_pile": chance.randint(0, 6),
        }
        for index, seat in enumerate("ABCD"[:players]):
            state[seat] = {
                "hand": some(hand, 1 if index == 0 else 0),
                "deck": some(6),
                "discard": some(pile),
                "stall": [
                    [card for card in some(2, 1) if card != "junk"] or ["junk"] for _ in range(chance.randint(0, 6))
                ],
            }
            if rich:
                state[seat]["gold"] = chance.randint(0, 4)
        variant = "tournament" if rich else "standard"
        return Game.from_position({"players": players, "variant": variant, "sets": sets, "seed": seed, "state": state})

    return build


@pytest.fixture(scope="session")
def physical() -> Callable[[Game], list[int]]:
    """Every physical card of a game, wherever it lies."""

    def cards(game: Game) -> list[int]:
        data: Any = game.to_json()
        found = [card for zone in data["zones"] for card in zone if card >= 0]
        found += [card for stall in data["stalls"] for stack in stall for card in stack]
        return sorted(found)

    return cards
