"""The worked examples of the rules as scenario files, and that none of the classic ones is missing."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from engine import Game
from harness.scenario import Document, load_paths, run

ROOT = Path(__file__).parent.parent
DOCUMENTS = load_paths([Path(__file__).parent / "scenarios"])

LEFT_OUT = {
    "EX-SET-04": "counted below",
    "EX-ZON-01": "looking through a public pile is no tool call",
    "EX-ZON-02": "hidden_zone_access, R-ERR-06",
    "EX-ZON-03": "pile_reorder, R-ERR-06",
    "EX-SQU4-3": "fizzle_not_allowed, R-ERR-06",
    "EX-SQU5A-1": "a Market action has no place for an adjustment",
}


@pytest.mark.parametrize("document", DOCUMENTS, ids=[document.scenario.name for document in DOCUMENTS])
def test_scenario(document: Document) -> None:
    assert [str(failure) for failure in run(document.scenario)] == []


def test_names_are_unique() -> None:
    counts = Counter(document.scenario.name for document in DOCUMENTS)
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_classic_example_is_there_or_left_out_with_a_reason() -> None:
    rules = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    decks = (ROOT / "docs/decks.md").read_text(encoding="utf-8")
    classic = set(re.findall(r"^\| (EX-\w+-\d+) \| (?!remastered)", rules, re.M))
    classic |= set(re.findall(r"^\| (EX-\w+-\d+) \| (?:c|both) \|", decks, re.M))
    assert len(classic) > 150
    names = {document.scenario.name for document in DOCUMENTS}
    assert classic - names == set(LEFT_OUT)


def test_every_classic_card_statement_is_exercised_or_a_matter_of_observation() -> None:
    decks = (ROOT / "docs/decks.md").read_text(encoding="utf-8")
    statements = set(re.findall(r"^- ((?:[A-Z]{3}\d[AB]?c?|GV)-\d+) ", decks, re.M))
    assert len(statements) > 80
    exercised = {rule for document in DOCUMENTS for rule in document.scenario.rules}
    assert statements - exercised == {"MAC1-4", "RAC4-3"}


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
