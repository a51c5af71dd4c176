"""Setting up a game: rules.md 1, EX-SET-01 to EX-SET-04."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import SETS, Game, PositionError, catalogue, rng
from engine.deal import market_cards
from engine.tables import SLUGS

CARDS = {card.slug: card for card in catalogue("classic")}


@pytest.mark.rules("R-SET-01", "R-SET-02", "R-SET-04", "R-SET-05", "R-SET-06", "R-SET-07")
@pytest.mark.parametrize(
    ("players", "junk_in_deck", "junk_pile", "market_deck"),
    [(2, 7, 6, 28), (3, 6, 2, 39), (4, 5, 0, 50)],
    ids=["EX-SET-01", "EX-SET-02", "EX-SET-03"],
)
def test_the_table_of_r_set_02(players: int, junk_in_deck: int, junk_pile: int, market_deck: int) -> None:
    game = Game.new(players=players, seed=5)
    zones = game.position()
    assert len(game.sets) == players + 1 == len(set(game.sets))
    assert zones["junk_pile"] == junk_pile
    assert len(zones["market_deck"]) == market_deck
    assert all(zones["market"])
    assert zones["market_discard"] == []
    decks = []
    for seat in game.seats:
        own = zones[seat]
        assert len(own["hand"]) == len(own["deck"]) == 5
        assert own["discard"] == own["stall"] == []
        decks.append(Counter(own["hand"] + own["deck"]))
    assert decks.count(decks[0]) == players
    assert decks[0]["junk"] == junk_in_deck
    ones = sorted(card for card in decks[0] if card != "junk")
    assert ones == sorted(card.slug for card in CARDS.values() if card.value == 1 and card.set in game.sets)


@pytest.mark.rules("R-SET-03", "R-SET-05", "EX-SET-04")
def test_ex_set_04_every_card_of_a_two_player_game_is_there() -> None:
    zones = Game.new(players=2, sets=["macaws", "squirrels", "chameleons"], seed=9).position()
    market = Counter(zones["market"] + zones["market_deck"])
    assert market == {
        slug: card.copies
        for slug, card in CARDS.items()
        if card.value > 1 and card.set in ("macaws", "squirrels", "chameleons")
    }
    seats = sum(len(zones[seat]["hand"]) + len(zones[seat]["deck"]) for seat in "AB")
    assert market.total() + seats + zones["junk_pile"] == 59


@pytest.mark.rules("R-SET-06")
def test_the_market_is_filled_from_the_right_with_the_topmost_cards() -> None:
    sets = (0, 1, 3)
    zones = Game.new(players=2, sets=[SETS[number] for number in sets], seed=9).position()
    shuffled = rng.shuffled(market_cards(0, sets), rng.stream(9, rng.MARKET_SHUFFLES, 0))
    topmost_first = [SLUGS[card & 255] for card in reversed(shuffled)]
    assert zones["market"] + zones["market_deck"] == topmost_first


@pytest.mark.rules("R-EDN-01")
def test_a_game_is_classic_unless_another_edition_is_asked_for() -> None:
    assert Game.new(players=2, seed=1).observe("A")["edition"] == "classic"


@pytest.mark.rules("R-SET-08")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_in_the_order_of_the_seats_from_the_start_player_on(players: int) -> None:
    seats = "ABCD"[:players]
    for start in seats:
        game = Game.new(players=players, seed=6, start=start)
        turns = []
        for _ in range(2 * players):
            assert game.decision is not None
            turns.append(game.decision.seat)
            assert game.propose(turns[-1], "inventory", {"cards": []}).accepted
        first = seats.index(start)
        assert "".join(turns) == 2 * (seats[first:] + seats[:first])


@pytest.mark.rules("R-SET-01", "R-SET-08")
def test_sets_and_start_player_vary_with_the_seed_and_can_be_given() -> None:
    games = [Game.new(players=3, seed=seed) for seed in range(60)]
    assert {name for game in games for name in game.sets} == set(SETS)
    assert {game.decision.seat for game in games if game.decision} == {"A", "B", "C"}
    given = Game.new(players=2, sets=["ocelots", "macaws", "pandas"], seed=1, start="B")
    assert given.sets == ("macaws", "pandas", "ocelots")
    assert given.decision is not None
    assert given.decision.seat == "B"
    assert (given.round, given.over, given.winner) == (1, False, None)


@pytest.mark.rules("R-RND-01")
def test_the_same_seed_deals_the_same_game_and_another_seed_another() -> None:
    assert Game.new(players=4, seed=77).digest() == Game.new(players=4, seed=77).digest()
    assert Game.new(players=4, seed=77).position() != Game.new(players=4, seed=78).position()


@pytest.mark.rules("R-EDN-01", "R-CMP-01", "R-SET-01")
@pytest.mark.parametrize(
    "setup",
    [
        {"players": 1},
        {"players": 5},
        {"edition": "third"},
        {"sets": ["macaws", "pandas"]},
        {"sets": ["macaws", "pandas", "pandas"]},
        {"sets": ["macaws", "pandas", "gnus"]},
        {"start": "C"},
        {"variant": "solo"},
        {"variant": "tournament", "sets": ["macaws", "pandas"]},
    ],
    ids=lambda setup: next(iter(setup)),
)
def test_a_setup_the_rules_do_not_know_is_refused_in_one_sentence(setup: dict[str, object]) -> None:
    with pytest.raises(PositionError, match=r"^[^\n]{10,}$"):
        Game.new(**setup)  # type: ignore[arg-type]  # the values are wrong on purpose
