"""The cards are those of docs/decks.md section 7, in both editions (R-CMP-02, R-CMP-03)."""

from __future__ import annotations

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

from engine import EDITIONS, SETS, CardInfo, PositionError, catalogue

DECKS = (Path(__file__).parents[2] / "docs" / "decks.md").read_text(encoding="utf-8")
TYPES = {"T": "technique", "P": "passive", "J": "junk"}


def listed(edition: str) -> list[CardInfo]:
    """The rows of the machine-readable list that hold for an edition."""
    section = DECKS.partition("## 7. Machine-readable list")[2]
    found = re.search(r"```csv\n(.*?)```", section, re.DOTALL)
    assert found
    return [
        CardInfo(
            slug=row["name"].lower().replace(" ", "_"),
            name=row["name"],
            set=row["set"],
            value=int(row["value"]),
            copies=int(row["copies"]),
            type=TYPES[row["type"]],
            plus=row["plus"] == "1",
            ability=row["ability"] == "1",
            code=row["code"],
        )
        for row in csv.DictReader(found[1].splitlines())
        if row["edition"] in ("both", edition)
    ]


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_same_cards_in_the_same_order(edition: str) -> None:
    assert list(catalogue(edition)) == listed(edition)


@pytest.mark.rules("R-CMP-02", "R-CMP-03")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_self_checks_of_the_list(edition: str) -> None:
    cards = catalogue(edition)
    assert sum(card.copies for card in cards) == 110
    assert sum(card.copies for card in cards if card.type != "junk") == 90
    for name in SETS:
        own = [card for card in cards if card.set == name]
        assert Counter(card.value for card in own) == {1: 1, 2: 1, 3: 1, 4: 1, 5: 2}
        assert sum(card.copies for card in own) == 15
        market = [card for card in own if card.value > 1]
        assert sum(card.copies for card in market) == 11
        assert sum(card.copies * card.value for card in market) == 37


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_techniques_have_a_plus_and_only_passives_an_ability(edition: str) -> None:
    for card in catalogue(edition):
        assert not card.plus or card.type == "technique"
        assert not card.ability or card.type == "passive"


def test_slugs_name_one_card() -> None:
    for edition in EDITIONS:
        slugs = [card.slug for card in catalogue(edition)]
        assert len(set(slugs)) == len(slugs)
        assert all(re.fullmatch(r"[a-z_]+", slug) for slug in slugs)


def test_an_unknown_edition_is_an_error() -> None:
    with pytest.raises(PositionError, match=r"\S"):
        catalogue("third")
