"""The tournament variant: bans, picks, gold (R-TRM-01 to R-TRM-03); what it says in scenarios is in tournament.yaml."""

from __future__ import annotations

import json
from typing import Any

import pytest
from stating import Accept, Codes, Position

from engine import SETS, Game, PositionError


def drafted(game: Game, *names: str) -> tuple[str, ...]:
    """Name these sets for whoever decides; the types of the last events."""
    for name in names:
        assert game.decision is not None
        verdict = game.propose(game.decision.seat, "choose", {"choices": {"option": name}})
        assert verdict.accepted, verdict.violations
    return tuple(event.type for event in verdict.events)


def gold(game: Game) -> dict[str, int]:
    """The gold of each seat, as the first one is shown it."""
    seats: Any = game.observe("A")["seats"]
    return {seat: zones["gold"] for seat, zones in seats.items()}


def asked(game: Game) -> tuple[str, str]:
    """Who is asked what."""
    assert game.decision is not None
    return game.decision.seat, game.decision.asks


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_standard_game_knows_nothing_of_it(players: int) -> None:
    game = Game.new(players=players, seed=3)
    assert game.variant == "standard"
    assert "gold" not in game.to_json()
    assert {"variant", "draft"}.isdisjoint(game.observe("A"))
    assert "gold" not in json.dumps([game.observe("A"), game.position()])
    assert Game.new(players=players, seed=3, variant="standard").digest() == game.digest()


def test_a_standard_purchase_says_nothing_of_gold(position: Position, accept: Accept) -> None:
    game = position(market=["cookies", None, None, None, None], A={"hand": ["junk", "junk"]})
    (short,) = game.judge("A", "market", {"source": "slot_0", "payment": ["junk"]})
    assert (short.rules, short.facts) == (("R-MKT-06", "R-MKT-09"), {"cost": 2, "total": 1})
    bought = accept(game, "A", "market", source="slot_0", payment=["junk", "junk"]).events[0]
    assert "gold" not in bought.fields


@pytest.mark.parametrize("players", [2, 3, 4])
def test_gold_goes_by_place_in_turn_order(players: int) -> None:
    seats = "ABCD"[:players]
    for start in seats:
        game = Game.new(players=players, seed=1, variant="tournament", start=start)
        order = seats[seats.index(start) :] + seats[: seats.index(start)]
        assert gold(game) == {seat: place for place, seat in enumerate(order)}
        assert asked(game)[0] == start


def test_the_start_player_is_drawn_by_the_seed_as_in_a_standard_game() -> None:
    starts = [asked(Game.new(players=4, seed=seed, variant="tournament"))[0] for seed in range(40)]
    assert set(starts) == set("ABCD")
    standard = [Game.new(players=4, seed=seed).decision for seed in range(40)]
    assert starts == [decision.seat for decision in standard if decision]


def test_two_players_ban_then_pick_and_the_rest_is_drawn() -> None:
    game = Game.new(players=2, seed=8, variant="tournament", start="B")
    said = []
    for name in ("macaws", "pandas", "raccoons", "squirrels"):
        said.append(asked(game))
        last = drafted(game, name)
    assert said == [("B", "ban"), ("A", "ban"), ("B", "pick"), ("A", "pick")]
    assert last == ("pick", "deal", "turn")
    assert {"raccoons", "squirrels"} < set(game.sets) <= set(SETS) - {"macaws", "pandas"}
    assert (asked(game), game.round, game.variant) == (("B", ""), 1, "tournament")


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_nobody_bans(players: int) -> None:
    game = Game.new(players=players, seed=8, variant="tournament", start="A")
    for seat, name in zip("ABCD"[:players], SETS, strict=False):
        assert asked(game) == (seat, "pick")
        drafted(game, name)
    assert len(game.sets) == players + 1
    assert list(game.sets) == sorted(game.sets, key=SETS.index)


def test_what_is_shown_before_the_deal() -> None:
    game = Game.new(players=2, seed=8, variant="tournament", start="A")
    drafted(game, "ocelots", "pandas", "macaws")
    seen: Any = game.observe("A")
    assert seen["draft"] == {"banned": ["ocelots", "pandas"], "left": ["raccoons", "squirrels", "chameleons"]}
    assert (seen["sets"], seen["hand"], seen["market"], seen["round"]) == (["macaws"], [], [None] * 5, 0)
    assert seen["decision"] == {"seat": "B", "kind": "effect_choice", "asks": "pick", "card": None, "bonus": False}
    assert [game.proposal(action)["arguments"] for action in game.legal] == [
        {"choices": {"option": name}} for name in ("raccoons", "squirrels", "chameleons")
    ]
    tools: Any = game.tools("L1")
    assert tools[0]["parameters"]["properties"]["option"]["enum"] == seen["draft"]["left"]
    assert game.observe("B") == {**seen, "seat": "B", "hand_limit": 5} | {"pools": game.observe("B")["pools"]}


def test_the_last_set_varies_with_the_seed_and_the_deal_is_the_usual_one() -> None:
    last = set()
    for seed in range(30):
        game = Game.new(players=3, seed=seed, variant="tournament", start="A")
        drafted(game, "macaws", "ocelots", "pandas")
        last |= set(game.sets) - {"macaws", "ocelots", "pandas"}
        standard = Game.new(players=3, seed=seed, sets=game.sets, start="A")
        given = Game.new(players=3, seed=seed, sets=game.sets, start="A", variant="tournament")
        assert given.digest() == game.digest()
        zones: Any = standard.position()
        for place, seat in enumerate("ABC"):
            zones[seat]["gold"] = place
        assert game.position() == zones
    assert last == {"raccoons", "squirrels", "chameleons"}


def test_the_variant_is_kept_by_clones_and_saved_games() -> None:
    for sets in (None, ["macaws", "pandas", "raccoons"]):
        game = Game.new(seed=4, variant="tournament", sets=sets)
        for other in (game.clone(), Game.from_json(json.loads(json.dumps(game.to_json())))):
            assert (other.variant, other.digest()) == ("tournament", game.digest())
            other.apply(other.legal[0])
            assert other.digest() != game.digest()


def test_a_seat_that_gives_up_in_the_draft_is_passed_over_and_its_set_drawn() -> None:
    game = Game.new(players=4, seed=2, variant="tournament", start="B")
    drafted(game, "macaws")
    assert asked(game) == ("C", "pick")
    game.forfeit("A")
    assert asked(game) == ("C", "pick")
    assert [event.type for event in game.forfeit("C")] == ["forfeit"]
    assert asked(game) == ("D", "pick")
    drafted(game, "ocelots")
    assert asked(game) == ("B", "")
    assert len(game.sets) == 5
    assert {"macaws", "ocelots"} < set(game.sets)


def test_the_last_seat_in_the_draft_gives_up_and_the_next_one_begins() -> None:
    game = Game.new(players=3, seed=2, variant="tournament", start="A")
    drafted(game, "macaws", "ocelots")
    game.forfeit("A")
    assert [event.type for event in game.forfeit("C")] == ["forfeit", "win"]
    other = Game.new(players=3, seed=2, variant="tournament", start="A")
    drafted(other, "macaws", "ocelots")
    assert [event.type for event in other.forfeit("C")] == ["forfeit", "deal", "turn"]
    assert asked(other) == ("A", "")


def test_giving_up_before_the_deal_of_two_ends_the_game() -> None:
    game = Game.new(players=2, seed=2, variant="tournament", start="A")
    game.forfeit("A")
    assert (game.winner, game.decision, len(game.legal)) == ("B", None, 0)
    assert game.observe("B")["market"] == [None] * 5


def test_forced_outcomes_are_for_what_happens_after_the_deal() -> None:
    game = Game.from_position({"variant": "tournament", "seed": 3, "random": [{"die": 2}]})
    assert asked(game) == ("A", "ban")
    drafted(game, "pandas", "squirrels", "macaws", "ocelots")
    assert game.position()["random_left"] == 1


@pytest.mark.parametrize(
    ("position", "wrong"),
    [
        ({"variant": "solo"}, "unknown variant 'solo': the variants are standard, tournament"),
        ({"variant": "tournament", "state": {"A": {"hand": ["junk"]}}}, "state needs sets"),
        ({"state": {"A": {"gold": 1}}}, "unknown field 'gold' in seat A"),
        ({"variant": "tournament", "sets": list(SETS[:3]), "state": {"B": {"gold": -1}}}, "gold of B must be"),
        ({"variant": "tournament", "sets": list(SETS[:3]), "state": {"B": {"gold": "2"}}}, "gold of B must be"),
    ],
)
def test_positions_that_mean_nothing_are_refused(position: dict[str, Any], wrong: str) -> None:
    with pytest.raises(PositionError, match=wrong):
        Game.from_position(position)


def test_the_facts_say_how_much_gold_there_is(position: Position) -> None:
    game = position(variant="tournament", market=["spyglass"] + [None] * 4, A={"hand": ["junk"], "gold": 2})
    (short,) = game.judge("A", "market", {"source": "slot_0", "payment": ["junk"]})
    assert short.rules == ("R-MKT-06", "R-MKT-09", "R-TRM-03")
    assert short.facts == {"cost": 4, "total": 1, "gold": 2}


def test_gold_is_spent_by_its_owner_and_is_gone(position: Position, accept: Accept, codes: Codes) -> None:
    game = position(
        variant="tournament",
        market=["cookies", None, None, None, None],
        market_deck=["spyglass"],
        A={"hand": ["junk"], "gold": 2},
        B={"hand": ["junk"], "gold": 1},
    )
    accept(game, "A", "market", source="slot_0", payment=["junk"])
    assert gold(game) == {"A": 1, "B": 1}
    assert codes(game, "B", "market", source="slot_0", payment=["junk"]) == ["insufficient_payment"]


def test_gold_ends_with_what_it_pays_and_the_list_is_the_plain_one_again(position: Position) -> None:
    hand = ["junk", "junk", "cookies", "spyglass"]
    market = ["spyglass", "cookies", "nuisance", None, "flashy_show"]
    plain = position(market=market, A={"hand": hand})
    poor = position(variant="tournament", market=market, A={"hand": hand, "gold": 0})
    rich = position(variant="tournament", market=market, A={"hand": hand, "gold": 1})
    entries = [[str(game.proposal(action)) for action in game.legal] for game in (plain, poor, rich)]
    assert entries[0] == entries[1]
    assert set(entries[0]) < set(entries[2])
