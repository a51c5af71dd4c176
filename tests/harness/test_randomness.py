from __future__ import annotations

from collections import Counter

import pytest

from harness.randomness import Draws, derive_seed


def test_same_key_same_draws_and_known_values() -> None:
    draws = [Draws(1, "g", "A", 0).below(1000) for _ in range(2)]
    assert draws[0] == draws[1]
    # Fixed for ever: a change would make old runs impossible to go on with.
    stream = Draws(7, "d001-p01-r0", "B", 12)
    assert [stream.below(1000) for _ in range(5)] == [508, 539, 559, 618, 610]
    assert derive_seed(1, "deal", 1) == 7074703673980713725


@pytest.mark.parametrize(
    "other", [(2, "g", "A", 0), (1, "h", "A", 0), (1, "g", "B", 0), (1, "g", "A", 1), ("1", "g", "A", 0)]
)
def test_every_part_of_the_key_counts(other: tuple[int | str, ...]) -> None:
    first, second = Draws(1, "g", "A", 0), Draws(*other)
    assert [first.below(1 << 30) for _ in range(3)] != [second.below(1 << 30) for _ in range(3)]


def test_draws_are_uniform_and_chance_keeps_its_rate() -> None:
    draws = Draws("uniform")
    counts = Counter(draws.below(7) for _ in range(7000))
    assert set(counts) == set(range(7))
    assert all(850 < count < 1150 for count in counts.values())
    assert 900 < sum(draws.chance(0.1) for _ in range(10000)) < 1100
    assert not any(draws.chance(0.0) for _ in range(100))
    assert all(draws.chance(1.0) for _ in range(100))


def test_nothing_to_draw_from() -> None:
    with pytest.raises(ValueError, match="nothing to draw from"):
        Draws("x").below(0)
