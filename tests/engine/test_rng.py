"""Randomness is a function of seed, source and count, the same on every machine and Python (R-RND-01, R-RND-02)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from engine import EDITIONS, Game, Verdict, chance, rng
from engine.state import blank_state

PINNED = {
    "stream(0, 0, 0)": 12035550249420947055,
    "stream(1, DICE, 7)": 15896755814825506110,
    "stream(2**70 + 5, SHUFFLES + 3, 2)": 9089878310408277058,
}
PINNED_SHUFFLE = [
    16,
    29,
    19,
    15,
    12,
    0,
    2,
    14,
    6,
    9,
    28,
    21,
    23,
    8,
    4,
    26,
    24,
    13,
    11,
    20,
    7,
    5,
    22,
    1,
    10,
    25,
    17,
    18,
    3,
    27,
]


def test_pinned_numbers() -> None:
    assert rng.stream(0, 0, 0) == PINNED["stream(0, 0, 0)"]
    assert rng.stream(1, rng.DICE, 7) == PINNED["stream(1, DICE, 7)"]
    assert rng.stream(2**70 + 5, rng.SHUFFLES + 3, 2) == PINNED["stream(2**70 + 5, SHUFFLES + 3, 2)"]
    assert rng.shuffled(list(range(30)), rng.stream(3, rng.MARKET_SHUFFLES, 0)) == PINNED_SHUFFLE


@pytest.mark.rules("R-RND-01")
def test_pinned_deal() -> None:
    game = Game.new(players=2, seed=2024)
    zones = game.position()
    assert game.sets == ("macaws", "raccoons", "chameleons")
    assert zones["market"] == ["favourite_toy", "nuisance", "spyglass", "shattered_relic", "rotten_food"]
    assert zones["A"]["hand"] == ["junk", "junk", "flexible_shopkeeper", "junk", "junk"]


@pytest.mark.rules("R-RND-02")
def test_every_order_of_four_things_is_as_likely_as_any_other() -> None:
    found = Counter(tuple(rng.shuffled([0, 1, 2, 3], rng.stream(11, rng.PICKS, count))) for count in range(24_000))
    assert len(found) == 24
    assert all(850 < times < 1150 for times in found.values())


@pytest.mark.rules("R-RND-02")
def test_every_card_is_in_every_place_of_a_long_deck() -> None:
    on_top = Counter(
        rng.shuffled(list(range(55)), rng.stream(12, rng.MARKET_SHUFFLES, count))[-1] for count in range(11_000)
    )
    assert len(on_top) == 55
    assert all(120 < times < 290 for times in on_top.values())


@pytest.mark.rules("R-EFF-05")
def test_every_face_and_every_sample_comes() -> None:
    faces = Counter(rng.below(6, rng.stream(13, rng.DICE, count)) for count in range(6_000))
    assert sorted(faces) == [0, 1, 2, 3, 4, 5]
    assert all(850 < times < 1150 for times in faces.values())
    pairs = Counter(frozenset(rng.sample([0, 1, 2, 3], 2, rng.stream(14, rng.PICKS, count))) for count in range(6_000))
    assert len(pairs) == 6
    assert all(850 < times < 1150 for times in pairs.values())
    assert rng.sample([4, 5], 0, 99) == []


@pytest.mark.rules("R-RND-03")
@pytest.mark.parametrize(("edition", "faces"), [("classic", [0, 1, 1, 2, 2, 3]), ("remastered", [0, 1, 2, 2, 3, 3])])
def test_the_six_faces_of_the_ocelot_die(edition: str, faces: list[int]) -> None:
    state = blank_state(EDITIONS.index(edition), 2, (0, 1, 4), 15)
    rolled = Counter(chance.roll(state) for _ in range(6_000))
    assert sorted(rolled) == [0, 1, 2, 3]
    for value, times in rolled.items():
        assert 850 * faces.count(value) < times < 1150 * faces.count(value)


@pytest.mark.rules("R-RND-01")
def test_seeds_sources_and_counts_give_different_streams() -> None:
    streams = {rng.stream(seed, source, count) for seed in range(20) for source in range(9) for count in range(20)}
    assert len(streams) == 20 * 9 * 20


@pytest.mark.rules("R-RND-01")
def test_one_seats_shuffles_do_not_disturb_another(
    position: Callable[..., Game], accept: Callable[..., Verdict]
) -> None:
    pile = ["cookies", "shattered_relic", "prepaid_good", "rotten_food", "nuisance"]

    def looked_at(hand: list[str]) -> list[object]:
        game = position(A={"hand": hand, "discard": ["junk"] * 4}, B={"hand": ["spyglass"], "discard": pile})
        while game.decision and game.decision.seat == "A":
            if "swift_broker" in game.position()["A"]["hand"]:
                accept(game, "A", "technique", card="swift_broker")
            else:
                accept(game, "A", "inventory", cards=[])
        accept(game, "B", "technique", card="spyglass")
        return game.observe("B")["offered"]

    quiet = looked_at(["junk"] * 5)
    busy = looked_at(["swift_broker", "junk", "cookies"])
    assert quiet == busy
