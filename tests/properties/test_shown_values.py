"""What a seat is shown of its hand is enough to work out every value: a level may withhold the values themselves."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from editions import EDITIONS
from strategies import TIMES, crowd

from engine import Game, catalogue

CHANGING = ("flashy_show", "blindfold", "bold_haggler")
COPYING = ("seeing_doubles", "reflection", "flexible_shopkeeper", "trendsetting")


def games(edition: str, seed: int) -> Iterator[Game]:
    """A game with several cards that change values or copy, stopped at each decision; it avoids what ends a turn."""
    chance = random.Random(f"values {seed}")
    start = crowd(chance, edition, players=2, hand=2)
    start["sets"] = ["macaws", "ocelots", "chameleons"]
    state = start["state"]
    names = [card.slug for card in catalogue(edition) if card.set in start["sets"]]
    zones = [state["market_deck"], state["market_discard"], *state["A"]["stall"], *state["B"]["stall"]]
    for zone in (*zones, *(state[seat][name] for seat in "AB" for name in ("hand", "deck", "discard"))):
        zone[:] = [chance.choice(names) for _ in zone]
    state["market"] = [chance.choice(names) for _ in range(5)]
    state["A"]["hand"] += [chance.choice(CHANGING), chance.choice(CHANGING), chance.choice(COPYING)]
    game = Game.from_position(start)
    for _ in range(8):
        if game.over:
            return
        yield game
        legal = game.legal
        going_on = [action for action in legal if game.proposal(action)["tool"] in ("technique", "ability", "choose")]
        game.apply(chance.choice(going_on or legal))


def worked_out(card: dict[str, Any], for_all: int, printed: dict[str, int]) -> int:
    """The value of a hand card by its printed value and what is told to have changed it (R-VAL-02, R-VAL-03)."""
    value = printed[card.get("copies", card["card"].partition("#")[0])]
    left = for_all
    for change in card.get("changes", ()):
        if "add" in change:
            value += change["add"]
        else:
            value = change["set"]
            left = for_all - change.get("overrides", 0)
    return value + left


@pytest.mark.rules("R-VAL-01", "R-VAL-02", "R-VAL-03", "R-CPC-06", "R-CPR-03")
@pytest.mark.parametrize("edition", EDITIONS)
def test_values_follow_from_printed_ones_and_what_is_told_to_have_changed_them(edition: str) -> None:
    printed = {card.slug: card.value for card in catalogue(edition)}
    met: Counter[str] = Counter()
    for seed in range(250 * TIMES):
        for game in games(edition, seed):
            if game.decision is None or game.state.turn != "AB".index(game.decision.seat):
                continue
            seen: Any = game.observe(game.decision.seat)
            for_all = sum(change["add"] for change in seen.get("in_force", ()) if change["type"] == "value")
            for card in seen["hand"]:
                assert worked_out(card, for_all, printed) == card["value"], (seed, card, for_all)
                changes = card.get("changes", [])
                met["changed"] += bool(changes)
                met["overriding"] += any("overrides" in change for change in changes)
                met["copied with its value"] += "copies" in card and bool(changes)
    assert min(met[name] for name in ("changed", "overriding", "copied with its value")) >= 10, met
