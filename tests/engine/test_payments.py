"""Which purchases are legal, against counting every payment by hand (R-MKT-02 to R-MKT-09, PAN4c, PAN5Bc)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Game, Verdict, catalogue

VALUE = {card.slug: card.value for card in catalogue("classic")}
CARDS = [card.slug for card in catalogue("classic") if card.set in ("macaws", "pandas", "ocelots", "none")]
OFFERED = [None, *(card for card in CARDS if VALUE[card] > 1)]

Purchase = tuple[str, tuple[str, ...], int]
"""Source, paid cards in alphabetical order, how many junk cards are thrown away."""


def listed(game: Game) -> list[Purchase]:
    """The purchases of the legal list."""
    found = []
    for action in game.legal:
        proposal = game.proposal(action)
        if proposal["tool"] == "market":
            arguments: Any = proposal["arguments"]
            paid = tuple(sorted(card.partition("#")[0] for card in arguments["payment"]))
            found.append((arguments["source"], paid, len(arguments.get("throw_away", []))))
    return found


def counted(hand: list[str], market: list[str | None], top: str | None, shows: int, gold: int) -> Iterator[Purchase]:
    """Every legal purchase, from the rules: no paid card may be superfluous; gold pays what they leave open."""
    stock = Counter(hand)
    for numbers in product(*(range(count + 1) for count in stock.values())):
        paid = [card for card, number in zip(stock, numbers, strict=True) for _ in range(number)]
        values = [VALUE[card] + shows for card in paid]
        sources = [(f"slot_{slot}", VALUE[card] + slot, card) for slot, card in enumerate(market) if card]
        if top and "market_discovery" in paid:
            sources.append(("market_discard", VALUE[top], top))
        for source, cost, bought in sources:
            reduced = min(cost, sum(values)) if gold else cost
            needed = "stock_clearance" in paid or all(sum(values) - value < reduced for value in values)
            if sum(values) >= reduced and cost - reduced <= gold and needed:
                most = min(3, paid.count("junk")) if bought == "essential_purchase" else 0
                for thrown in range(most + 1):
                    yield source, tuple(sorted(paid)), thrown


@pytest.mark.rules("R-MKT-06", "R-MKT-07", "R-MKT-08")
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    hand=st.lists(st.sampled_from(CARDS), max_size=7),
    market=st.lists(st.sampled_from(OFFERED), min_size=5, max_size=5),
    top=st.sampled_from(OFFERED),
    shows=st.integers(0, 2),
    gold=st.integers(0, 3),
)
def test_the_legal_list_holds_every_purchase_once(
    position: Callable[..., Game],
    accept: Callable[..., Verdict],
    hand: list[str],
    market: list[str | None],
    top: str | None,
    shows: int,
    gold: int,
) -> None:
    game = position(
        variant="tournament",
        sets="macaws pandas ocelots",
        market=market,
        market_discard=[top] if top else [],
        A={"hand": hand + ["flashy_show"] * shows, "gold": gold},
    )
    for _ in range(shows):
        accept(game, "A", "technique", card="flashy_show")
    found = listed(game)
    assert sorted(found) == sorted(counted(hand, market, top, shows, gold))
    legal = game.legal
    assert [legal[index] for index in range(len(legal))] == list(legal)


@pytest.mark.parametrize(
    ("slot", "payment", "expected"),
    [
        ("slot_1", "junk junk junk", []),
        ("slot_1", "spyglass", []),
        ("slot_1", "shattered_relic junk", ["overpay_unneeded_card"]),
        ("slot_1", "cookies nuisance", []),
        ("slot_0", "shattered_relic cookies junk", ["overpay_unneeded_card"]),
        ("slot_0", "flashy_show", []),
        ("slot_4", "flashy_show spyglass", []),
        ("slot_4", "flashy_show spyglass junk", ["overpay_unneeded_card"]),
        ("slot_0", "cookies junk", ["insufficient_payment"]),
        ("slot_1", "", ["insufficient_payment"]),
        ("slot_3", "junk", ["slot_empty"]),
        ("slot_7", "junk", ["slot_out_of_range"]),
        ("slot_1", "junk#1 junk#1 junk#2", ["duplicate_card"]),
        ("slot_1", "junk junk junk junk", ["card_not_in_hand"]),
    ],
)
def test_the_examples_of_the_overpay_rule(
    position: Callable[..., Game], codes: Callable[..., list[str]], slot: str, payment: str, expected: list[str]
) -> None:
    game = position(
        market=["spyglass", "cookies", "nuisance", None, "flashy_show"],
        A={"hand": ["junk", "junk", "junk", "spyglass", "shattered_relic", "cookies", "nuisance", "flashy_show"]},
    )
    assert codes(game, "A", "market", source=slot, payment=payment.split()) == expected


def test_the_facts_of_a_superfluous_card(position: Callable[..., Game]) -> None:
    game = position(market=["spyglass", None, None, None, None], A={"hand": ["shattered_relic", "cookies", "junk"]})
    arguments = {"source": "slot_0", "payment": ["shattered_relic", "junk", "cookies"]}
    (violation,) = game.judge("A", "market", arguments)
    assert violation.code == "overpay_unneeded_card"
    assert "R-MKT-07" in violation.rules
    assert violation.facts == {"cost": 4, "total": 6, "minimum": 1, "superfluous": ["junk", "cookies"]}


def test_the_last_card_paid_is_on_top_and_the_bought_one_in_hand(
    position: Callable[..., Game], accept: Callable[..., Verdict]
) -> None:
    game = position(
        market=["shattered_relic", "cookies", None, None, None],
        market_deck=["nuisance"],
        A={"hand": ["junk", "cookies", "spyglass"], "deck": ["junk"] * 9, "discard": ["junk"]},
    )
    accept(game, "A", "market", source="slot_0", payment=["junk", "cookies"])
    zones = game.position()
    assert zones["A"]["discard"] == ["junk", "junk", "cookies"]
    assert "shattered_relic" in zones["A"]["hand"]
    assert zones["market"] == ["cookies", "nuisance", None, None, None]
