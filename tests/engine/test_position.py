"""Positions written by hand: what is stated stands, the rest is dealt; bad input is one sentence (contract 5)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine import ForcedOutcomeError, Game, PositionError

SETS = ["macaws", "pandas", "raccoons"]


def stand(state: dict[str, Any], **fields: Any) -> Game:
    """The game of a position."""
    return Game.from_position({"sets": SETS, "seed": 1, "state": state, **fields})


def test_a_stated_zone_is_complete_as_written() -> None:
    state: dict[str, Any] = {
        "market": ["spyglass", None, "cookies", None, None],
        "market_deck": ["nuisance", "rotten_food"],
        "market_discard": ["prepaid_good", "loyal_partner"],
        "junk_pile": 3,
        "A": {"hand": ["junk"], "deck": ["cookies", "junk"], "discard": ["junk"], "stall": [["swift_broker"]]},
        "B": {"hand": [], "deck": [], "discard": [], "stall": []},
    }
    game = stand(state, turn="B")
    zones = game.position()
    assert {key: zones[key] for key in state} == state
    assert game.decision is not None
    assert game.decision.seat == "B"


def test_a_stated_market_deck_is_not_dealt_into_an_unstated_market() -> None:
    zones = stand({"market_deck": ["cookies", "spyglass"]}).position()
    assert zones["market_deck"] == ["cookies", "spyglass"]
    assert len([card for card in zones["market"] if card]) == 5


def test_what_is_not_stated_is_dealt_from_the_rest() -> None:
    zones = stand({"market": ["spyglass", "spyglass", None, None, None], "A": {"hand": ["cookies", "junk"]}}).position()
    everything = Counter(zones["market_deck"]) + Counter(card for card in zones["market"] if card)
    assert everything["spyglass"] == 3
    assert everything["cookies"] == 2
    assert zones["A"]["hand"] == ["cookies", "junk"]
    assert Counter(zones["A"]["deck"]) == {"junk": 6, "swift_broker": 1, "loyal_partner": 1, "wily_fellow": 1}
    assert len(zones["B"]["hand"]) == len(zones["B"]["deck"]) == 5
    assert zones["A"]["discard"] == zones["B"]["discard"] == zones["market_discard"] == []


@pytest.mark.parametrize("stated", range(11))
def test_a_hand_is_dealt_from_what_the_stated_deck_leaves(stated: int) -> None:
    start = ["junk"] * 7 + ["swift_broker", "loyal_partner", "wily_fellow"]
    own = stand({"A": {"deck": start[:stated]}}).position()["A"]
    assert own["deck"] == start[:stated]
    assert len(own["hand"]) == min(5, 10 - stated)
    assert not Counter(own["hand"]) - Counter(start[stated:])


def test_the_same_seed_fills_in_the_same_cards() -> None:
    assert stand({}, seed=9).digest() == stand({}, seed=9).digest()
    assert stand({}, seed=9).position() != stand({}, seed=10).position()


def test_physical_cards_are_distinct_in_a_position_with_too_many() -> None:
    game = stand({"A": {"hand": ["junk"], "deck": []}, "B": {"hand": ["junk"] * 90}, "junk_pile": 0})
    verdict = game.propose("A", "inventory", {"cards": []})
    assert verdict.accepted
    assert game.propose("B", "inventory", {"cards": ["junk"] * 90}).accepted
    zones: Any = game.to_json()["zones"]
    cards = [card for zone in zones for card in zone if card >= 0]
    assert len(set(cards)) == len(cards)


@pytest.mark.parametrize(
    "position",
    [
        {"edition": "third"},
        {"edition": None},
        {"players": 6},
        {"players": "2"},
        {"players": True},
        {"players": [2]},
        {"sets": ["macaws"]},
        {"sets": "macaws"},
        {"sets": 3},
        {"sets": ["macaws", "pandas", 3]},
        {"sets": ["macaws", "pandas", ["raccoons"]]},
        {"seed": "one"},
        {"seed": 1.5},
        {"turn": "C"},
        {"turn": 0},
        {"turn": "AB"},
        {"turn": ""},
        {"scenario": 1},
        {"state": ["market"]},
        {"state": "market"},
        {"state": {"bank": []}},
        {"state": {"C": {}}},
        {"state": {"market": 5}},
        {"state": {"market": "spyglass"}},
        {"state": {"market": ["spyglass"] * 6}},
        {"state": {"market": [3]}},
        {"state": {"market_deck": "cookies"}},
        {"state": {"market_deck": None}},
        {"state": {"market_deck": {"cookies": 1}}},
        {"state": {"market_discard": 1}},
        {"state": {"junk_pile": -1}},
        {"state": {"junk_pile": "six"}},
        {"state": {"junk_pile": True}},
        {"state": {"A": ["junk"]}},
        {"state": {"A": "hand"}},
        {"state": {"A": 3}},
        {"state": {"A": {"pocket": []}}},
        {"state": {"A": {"hand": "junk"}}},
        {"state": {"A": {"hand": ["magnet"]}}},
        {"state": {"A": {"hand": ["accordion"]}}},
        {"state": {"A": {"hand": [None]}}},
        {"state": {"A": {"hand": [["junk"]]}}},
        {"state": {"A": {"stall": ["junk"]}}},
        {"state": {"A": {"stall": 2}}},
        {"state": {"A": {"stall": [["junk"]] * 8}}},
        {"random": 3},
        {"random": ["die"]},
        {"random": [{"die": 9}]},
        {"random": [{"die": "3"}]},
        {"random": [{"dice": 3}]},
        {"random": [{"die": 1, "pick": []}]},
        {"random": [{"pick": "junk"}]},
        {"random": [{"pick": ["magnet"]}]},
        {"random": [{"pick": ["junk#0"]}]},
        {"random": [{"shuffle": ["junk#2"]}]},
        {"random": [{"shuffle": [["junk"]]}]},
    ],
    ids=str,
)
def test_bad_input_is_one_sentence(position: dict[str, Any]) -> None:
    with pytest.raises(PositionError, match=r"^[^\n]{10,}$"):
        Game.from_position({"sets": SETS, **position})


class TestForcedOutcomes:
    """Used in order, each for one event with more than one possible result."""

    def test_a_shuffle_names_the_new_deck_top_first(self) -> None:
        own = {"hand": ["spyglass"], "deck": [], "discard": ["junk", "cookies", "nuisance"]}
        game = stand({"A": own}, random=[{"shuffle": ["cookies", "nuisance", "junk"]}])
        assert game.propose("A", "technique", {"card": "spyglass"}).accepted
        assert game.observe("A")["offered"] == ["cookies", "nuisance", "junk"]
        assert game.position()["random_left"] == 0

    def test_an_event_with_one_possible_result_uses_none(self) -> None:
        own = {"hand": ["spyglass", "junk"], "deck": [], "discard": ["junk", "junk"]}
        game = stand({"A": own, "B": {"hand": ["cookies"]}}, random=[{"pick": ["cookies"]}])
        assert game.propose("A", "technique", {"card": "spyglass"}).accepted
        assert game.position()["random_left"] == 1

    @pytest.mark.parametrize(
        "forced",
        [
            {"die": 2},
            {"shuffle": ["junk"]},
            {"pick": ["spyglass"]},
            {"pick": ["junk#2"]},
            {"pick": ["junk", "cookies"]},
        ],
    )
    def test_one_that_does_not_fit_is_an_error(self, forced: dict[str, Any]) -> None:
        game = stand({"A": {"hand": ["nuisance"]}, "B": {"hand": ["junk", "cookies"]}}, random=[forced])
        with pytest.raises(ForcedOutcomeError, match=r"^[^\n]{10,}$"):
            game.propose("A", "technique", {"card": "nuisance", "choices": {"opponents": ["B"]}})

    def test_the_active_players_hand_comes_first(self) -> None:
        game = Game.from_position(
            {
                "sets": ["macaws", "pandas", "ocelots"],
                "state": {"A": {"hand": ["gamble", "junk", "cookies"]}, "B": {"hand": ["charm", "spyglass"]}},
                "random": [{"die": 1}, {"pick": ["cookies"]}, {"pick": ["charm"]}],
            }
        )
        assert game.propose("A", "technique", {"card": "gamble"}).accepted
        assert sorted(game.position()["A"]["hand"]) == ["charm", "junk"]
        assert sorted(game.position()["B"]["hand"]) == ["cookies", "spyglass"]

    @pytest.mark.parametrize(("forced", "left"), [("bold_haggler", 1), ("bold_haggler#1", 1), ("bold_haggler#2", 4)])
    def test_copies_of_unlike_value_are_different_results_of_a_pick(self, forced: str, left: int) -> None:
        """Contract section 2: they are told apart by `#n`; a bare name means the first one."""
        game = Game.from_position(
            {
                "edition": "remastered",
                "sets": ["macaws", "pandas", "ocelots"],
                "state": {"A": {"hand": ["gamble", "bold_haggler", "bold_haggler"]}, "B": {"hand": ["junk"]}},
                "random": [{"die": 3}, {"die": 1}, {"pick": [forced]}],
            }
        )
        assert game.propose("A", "ability", {"card": "bold_haggler#1"}).accepted
        assert game.propose("A", "technique", {"card": "gamble", "choices": {"opponents": ["B"]}}).accepted
        hand: Any = game.observe("A")["hand"]
        assert [card["value"] for card in hand if card["card"] == "bold_haggler"] == [left]
        assert game.position()["random_left"] == 0
