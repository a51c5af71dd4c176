"""The worked examples of the rules, and what goes beyond them, as scenario files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from engine import Game
from harness.scenario import Document, load_paths, run

DOCUMENTS = load_paths([Path(__file__).parent / "scenarios"])


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document.scenario.name for document in DOCUMENTS])
def test_scenario(document: Document) -> None:
    assert [str(failure) for failure in run(document.scenario)] == []


def test_names_are_unique() -> None:
    counts = Counter(document.scenario.name for document in DOCUMENTS)
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize(
    ("players", "ones", "junk", "pile", "market_deck", "cards"),
    [(2, 3, 7, 6, 28, 59), (3, 4, 6, 2, 39, 76), (4, 5, 5, 0, 50, 95)],
    ids=["EX-SET-01", "EX-SET-02", "EX-SET-03"],
)
def test_setup(players: int, ones: int, junk: int, pile: int, market_deck: int, cards: int) -> None:
    position = Game.new(players=players, seed=7).position()
    seats = [position[seat] for seat in "ABCD"[:players]]
    for seat in seats:
        deck = seat["hand"] + seat["deck"]
        assert (len(seat["hand"]), len(seat["deck"])) == (5, 5)
        assert (len(set(deck) - {"junk"}), deck.count("junk")) == (ones, junk)
        assert (seat["discard"], seat["stall"]) == ([], [])
    assert len({tuple(sorted(seat["hand"] + seat["deck"])) for seat in seats}) == 1
    assert None not in position["market"]
    assert (position["junk_pile"], len(position["market_deck"])) == (pile, market_deck)
    assert position["market_discard"] == []
    # EX-SET-04 counts the case of two players
    assert 10 * players + pile + 5 + market_deck == cards
