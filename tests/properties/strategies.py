"""What the properties are held against: dealt games, crowded positions, and random play from both.

Everything is drawn from a `random.Random`, so the same code serves seeds (`random.Random(7)`) and hypothesis, whose
own `Random` shrinks a failing example to few cards and few moves.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from editions import EDITIONS
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine import SETS, VARIANTS, Game, catalogue

TIMES = int(os.environ.get("DALE_EXAMPLES", "1"))
"""How many times the examples of CI are tried; beyond 1 they are drawn afresh at every run."""

SLUGS = sorted({card.slug for edition in EDITIONS for card in catalogue(edition)})


def examples(count: int) -> settings:
    """The hypothesis settings of a property that CI tries `count` times, the same examples every time."""
    return settings(
        max_examples=count * TIMES,
        derandomize=TIMES == 1,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )


@dataclass(frozen=True)
class Play:
    """A start and the moves made from there, each an index into the legal list (beyond its end it wraps around)."""

    start: Mapping[str, Any]
    moves: tuple[int, ...]

    def begin(self) -> Game:
        """The game before any move."""
        return Game.from_position(self.start) if "state" in self.start else Game.new(**self.start)

    def games(self) -> Iterator[Game]:
        """The same game object, stopped at each of its decisions, the one after the last move included."""
        game = self.begin()
        for move in self.moves:
            if game.over:
                return
            yield game
            legal = game.legal
            game.apply(legal[move % len(legal)])
        if not game.over:
            yield game

    def game(self) -> Game:
        """The game at its last decision."""
        last = self.begin()
        for game in self.games():
            last = game.clone()
        return last


def deal(chance: random.Random, edition: str, players: int | None = None) -> dict[str, Any]:
    """The arguments of a dealt game; one in four is of the tournament variant and begins with the draft."""
    players = players or chance.choice([2, 3, 4])
    variant = VARIANTS[chance.randrange(4) == 3]
    return {"edition": edition, "variant": variant, "players": players, "seed": chance.randrange(1 << 16)}


def crowd(
    chance: random.Random, edition: str, players: int | None = None, hand: int = 4, pile: int = 3
) -> dict[str, Any]:
    """A position with cards of all kinds in small hands, piles and stalls, as late games have them.

    One in four is of the tournament variant, with gold.
    """
    players = players or chance.choice([2, 2, 3, 4])
    sets = chance.sample(SETS, players + 1)
    cards = [card for card in catalogue(edition) if card.set in sets]
    slugs = [*(card.slug for card in cards), "junk"]
    dear = [card.slug for card in cards if card.value > 1]

    def some(most: int, least: int = 0) -> list[str]:
        return [chance.choice(slugs) for _ in range(chance.randint(least, most))]

    def clean(names: list[str]) -> list[str]:
        return [name for name in names if name != "junk"]

    state: dict[str, Any] = {
        "market": [chance.choice([*dear, None]) for _ in range(5)],
        "market_deck": [chance.choice(dear) for _ in range(chance.randint(0, 8))],
        "market_discard": clean(some(3)),
        "junk_pile": chance.randint(0, 6),
    }
    for index, seat in enumerate("ABCD"[:players]):
        state[seat] = {
            "hand": some(hand, 1 if index == 0 else 0),
            "deck": some(6),
            "discard": some(pile),
            "stall": [clean(some(2, 1)) or ["junk"] for _ in range(chance.randint(0, 7))],
        }
    variant = VARIANTS[chance.randrange(4) == 3]
    if variant != VARIANTS[0]:
        for seat in "ABCD"[:players]:
            state[seat]["gold"] = chance.randint(0, 4)
    start = {"edition": edition, "variant": variant, "players": players, "sets": sets}
    return {**start, "seed": chance.randrange(1 << 16), "state": state}


def crowded(seed: object, edition: str, players: int | None = None, hand: int = 4, pile: int = 3) -> Game:
    """A crowded position by a seed."""
    return Game.from_position(crowd(random.Random(str(seed)), edition, players, hand, pile))


def moves(chance: random.Random, most: int) -> tuple[int, ...]:
    """Up to `most` moves."""
    return tuple(chance.randrange(1 << 16) for _ in range(chance.randint(0, most)))


def dealt_plays(most: int) -> st.SearchStrategy[Play]:
    """Random play of up to `most` decisions from a dealt game; the moves come from a seed, their number shrinks."""

    def play(edition: str, players: int, seed: int, count: int) -> Play:
        chance = random.Random(seed)
        start = deal(chance, edition, players)
        return Play(start, tuple(chance.randrange(1 << 16) for _ in range(count)))

    return st.builds(play, st.sampled_from(EDITIONS), st.integers(2, 4), st.integers(0, 1 << 16), st.integers(0, most))


def crowded_plays(most: int, hand: int = 4, pile: int = 3) -> st.SearchStrategy[Play]:
    """Random play of up to `most` decisions from a crowded position."""

    def play(chance: random.Random, edition: str) -> Play:
        return Play(crowd(chance, edition, hand=hand, pile=pile), moves(chance, most))

    return st.builds(play, st.randoms(use_true_random=False), st.sampled_from(EDITIONS))


def walk(game: Game, seed: object, count: int) -> Iterator[Game]:
    """Uniformly random play from a game on: the same game object, stopped at each of its decisions."""
    chance = random.Random(str(seed))
    for _ in range(count):
        if game.over:
            return
        yield game
        legal = game.legal
        game.apply(legal[chance.randrange(len(legal))])


def physical(game: Game) -> list[int]:
    """Every physical card of a game, wherever it lies."""
    data: Any = game.to_json()
    found = [card for zone in data["zones"] for card in zone if card >= 0]
    found += [card for stall in data["stalls"] for stack in stall for card in stack]
    return sorted(found)
