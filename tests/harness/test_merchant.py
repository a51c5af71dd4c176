from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from turns import turn_of

from engine import EDITIONS, SETS, Game
from harness.agents.merchant import decide, without_inventories
from harness.agents.merchant_plan import partitions
from harness.agents.spec import create_agent, parse_spec
from harness.randomness import Draws

ROUND_LIMIT = 100
LONGEST_TURN = 60
"""Decisions in one turn; far above what the merchant uses, far below an endless turn."""


def play(game: Game, merchants: Sequence[str], round_limit: int = ROUND_LIMIT) -> list[dict[str, Any]]:
    """Play a game: these seats are merchants, the others draw from the legal list. Returns what the merchants said."""
    said = []
    number = in_turn = 0
    while game.decision is not None and game.round <= round_limit:
        seat = game.decision.seat
        before = (game.round, game.observe(seat)["turn"])
        if seat in merchants:
            proposal = decide(turn_of(game, number))
            said.append(proposal)
            verdict = game.propose(seat, proposal["tool"], proposal["arguments"])
            assert verdict.accepted, (game.seed, number, proposal, verdict.violations)
        else:
            game.apply(Draws(game.seed, number).choice(game.legal))
        number += 1
        in_turn = in_turn + 1 if game.decision and (game.round, game.observe(seat)["turn"]) == before else 0
        assert in_turn < LONGEST_TURN or seat not in merchants, (game.seed, number)
    return said


def wins_against_random(games: range, edition: str) -> int:
    """Games won by the merchant, sets drawn by the seed and the seats alternating; unfinished is not won."""
    won = 0
    for seed in games:
        game = Game.new(players=2, seed=seed, edition=edition)
        merchant = "AB"[seed % 2]
        play(game, merchant)
        won += game.winner == merchant
    return won


@pytest.mark.parametrize(("edition", "games"), [("classic", 20), ("remastered", 10)])
def test_beats_random(edition: str, games: int) -> None:
    assert wins_against_random(range(games), edition) >= 0.9 * games


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
def test_wins_95_of_100_against_random(edition: str) -> None:
    assert wins_against_random(range(1000, 1100), edition) >= 95


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_proposal_is_legal_and_every_turn_ends(players: int, seed: int, edition: str) -> None:
    """All sets come up: three, four or five neighbours of the ring of six, whose start moves with the seed."""
    sets = [SETS[(2 * seed + place) % len(SETS)] for place in range(players + 1)]
    game = Game.new(players=players, sets=sets, seed=seed, edition=edition)
    play(game, game.seats[: players - seed % 2])
    assert game.winner in game.seats[: players - seed % 2]


@pytest.mark.parametrize("players", [2, 3])
def test_bans_picks_and_spends_gold(players: int) -> None:
    game = Game.new(players=players, seed=2, variant="tournament", start="B")
    said = [proposal["arguments"].get("choices", {}).get("option") for proposal in play(game, game.seats)]
    bans = ["chameleons", "raccoons"] if players == 2 else []
    assert said[: players + len(bans)] == [*bans, *["squirrels", "macaws", "pandas"][:players]]
    assert game.winner in game.seats
    seats: Any = game.observe("A")["seats"]
    assert {seat: zones["gold"] for seat, zones in seats.items()} == dict.fromkeys(game.seats, 0)


def test_gold_is_not_spent_where_junk_does() -> None:
    zones = {"hand": ["junk"] * 5, "deck": ["junk"] * 5, "stall": [["swift_broker"]], "gold": 3}
    state = {"A": zones, "market": ["cookies", None, None, None, None], "market_deck": []}
    proposal = decide(turn_of(at(state, variant="tournament")))
    assert proposal == {"tool": "market", "arguments": {"source": "slot_0", "payment": ["junk", "junk"]}}


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_proposal_is_legal_in_many_games(players: int, edition: str) -> None:
    for seed in range(40):
        game = Game.new(players=players, seed=seed, edition=edition)
        play(game, game.seats[: players - seed % 2])


@pytest.mark.parametrize("sets", [("raccoons", "macaws", "pandas"), ("ocelots", "squirrels", "chameleons")])
def test_plays_on_when_a_seat_has_left(sets: tuple[str, ...]) -> None:
    for seed in range(4):
        game = Game.new(players=3, sets=(*sets, "pandas" if "pandas" not in sets else "ocelots"), seed=seed)
        play(game, game.seats, round_limit=6)
        game.forfeit("B")
        play(game, game.seats)
        assert game.winner in ("A", "C")


async def test_the_same_turn_gets_the_same_answer() -> None:
    first, second = Game.new(players=3, seed=5), Game.new(players=3, seed=5)
    said = play(first, first.seats)
    assert said == play(second, second.seats)
    agent = create_agent(parse_spec("merchant"))
    turn = turn_of(Game.new(seed=7))
    assert await agent.choose(turn) == await agent.choose(turn)
    assert (agent.spec, agent.settings) == ("merchant", {"epsilon": 0.0})


def at(state: Mapping[str, Any], sets: Sequence[str] = ("macaws", "pandas", "squirrels"), **more: Any) -> Game:
    return Game.from_position({"sets": list(sets), "seed": 1, "state": state, **more})


MARKET = ["spyglass", "empty_chest", "special_offer", "acorn", "cookies"]


@pytest.mark.parametrize(
    ("zones", "tool", "arguments"),
    [
        pytest.param(
            {"hand": ["spyglass", "spyglass", "junk"], "stall": [["swift_broker"]] * 7},
            "stall",
            {"cards": ["spyglass", "spyglass"]},
            id="builds the eighth stack",
        ),
        pytest.param(
            {"hand": ["swift_broker", "junk", "junk", "junk"], "stall": []},
            "stall",
            {"cards": ["swift_broker"]},
            id="builds the first stack",
        ),
        pytest.param(
            {"hand": ["stashing_vendor", "junk", "junk", "junk"], "stall": [["swift_broker"]] * 3},
            "stall",
            {"cards": ["stashing_vendor", "junk", "junk", "junk"]},
            id="builds with junk where that is allowed",
        ),
        pytest.param(
            {"hand": ["junk", "loyal_partner", *["junk"] * 3], "stall": [["swift_broker"]] * 3, "deck": ["junk"] * 5},
            "market",
            {"source": "slot_0", "payment": ["junk"] * 4},
            id="buys the card that is the next stack, with junk",
        ),
        pytest.param(
            {"hand": ["spyglass", "special_offer", "junk", "shattered_relic"], "stall": [["swift_broker"]] * 3},
            "technique",
            {"card": "shattered_relic", "choices": {"cards": ["junk"]}},
            id="throws junk away before it builds",
        ),
        pytest.param(
            {"hand": ["prepaid_good", "junk"], "stall": [["swift_broker"]] * 4, "deck": ["junk"]},
            "technique",
            {"card": "prepaid_good", "choices": {"slots": ["slot_2"]}},
            id="takes the best card for nothing",
        ),
    ],
)
def test_sensible_actions(zones: dict[str, Any], tool: str, arguments: dict[str, Any]) -> None:
    game = at({"market": MARKET, "A": zones})
    assert decide(turn_of(game)) == {"tool": tool, "arguments": arguments}


def test_bonus_stack_is_built_or_skipped() -> None:
    for chest, expected in (
        ("empty_chest", {"tool": "stall", "arguments": {"cards": ["acorn", "empty_chest"]}}),
        ("junk", {"tool": "skip", "arguments": {}}),
    ):
        hand = ["winter_is_coming", "acorn", chest]
        game = at({"market": MARKET, "A": {"hand": hand, "stall": [["swift_broker"]] * 4, "deck": ["junk"] * 9}})
        for answer in ({"tool": "stall", "arguments": {"cards": ["winter_is_coming"]}}, expected):
            assert decide(turn_of(game)) == answer
            assert game.propose("A", **answer).accepted


def test_a_chameleon_counts_as_cookies_at_the_end_of_the_turn() -> None:
    game = at(
        {
            "market": ["cookies", "spyglass", "acorn", "acorn", "acorn"],
            "A": {"hand": ["trendsetting", "junk", "junk", "junk", "junk"], "deck": ["junk"] * 9},
        },
        sets=("macaws", "squirrels", "chameleons"),
    )
    assert game.propose("A", "inventory", {"cards": []}).accepted
    turn = turn_of(game)
    assert turn.decision.kind == "end_of_turn"
    said = decide(turn)
    assert said["tool"] == "ability"
    assert said["arguments"]["copies"] == [{"card": "trendsetting", "targets": ["market:cookies"]}]
    verdict = game.propose("A", **said)
    assert [event.to_json()["count"] for event in verdict.events if event.type == "draw"] == [1]


def test_effect_questions() -> None:
    game = at(
        {
            "market": MARKET,
            "A": {"hand": ["spyglass", "junk"], "deck": ["junk", "cookies", "junk", "junk"], "stall": [["junk"]]},
        }
    )
    assert game.propose("A", "technique", {"card": "spyglass"}).accepted
    assert decide(turn_of(game)) == {"tool": "choose", "arguments": {"choices": {"cards": ["cookies"]}}}


def test_blindfold_guess_and_value() -> None:
    game = at(
        {
            "A": {"hand": ["blindfold", "cookies", "junk"], "deck": ["junk"] * 5, "stall": [["swift_broker"]] * 3},
            "B": {"hand": ["junk"], "deck": ["junk"]},
        },
        sets=("macaws", "pandas", "ocelots"),
    )
    play_it = {"card": "blindfold", "choices": {"cards": ["cookies"], "opponents": ["B"]}}
    assert game.propose("A", "technique", play_it).accepted
    guess = decide(turn_of(game))
    assert turn_of(game).seat == "B"
    assert guess == {"tool": "choose", "arguments": {"choices": {"value": 1}}}
    assert game.propose("B", **guess).accepted
    value = decide(turn_of(game))
    assert value == {"tool": "choose", "arguments": {"choices": {"value": 4}}}
    assert game.propose("A", **value).accepted
    assert decide(turn_of(game)) == {"tool": "stall", "arguments": {"cards": ["cookies"]}}


def test_inventories_are_left_out_of_the_legal_list() -> None:
    legal = turn_of(Game.new(seed=3, sets=["ocelots", "pandas", "squirrels"])).legal
    kept = without_inventories(legal)
    assert kept == [proposal for proposal in legal if proposal["tool"] != "inventory"]
    assert len(kept) < len(legal)


def test_partitions() -> None:
    assert partitions(4, 2) == (((4, 1),), ((3, 1), (1, 1)), ((2, 2),))
    assert all(sum(value * count for value, count in parts) == 8 for parts in partitions(8, 4))
    assert (partitions(0, 4), partitions(-1, 4)) == (((),), ())


class TestRemastered:
    """What the merchant does with the cards of the remastered edition alone."""

    def test_a_chameleon_copies_what_makes_the_next_stack(self) -> None:
        zones = {"market": MARKET, "A": {"hand": ["trendsetting", "junk", "junk"], "stall": [["junk"]] * 3}}
        game = at(zones, sets=("macaws", "pandas", "squirrels", "chameleons"), players=3, edition="remastered")
        copy = {"card": "trendsetting", "choices": {"slots": ["slot_0"]}}
        for tool, arguments in (("ability", copy), ("stall", {"cards": ["trendsetting"]})):
            assert decide(turn_of(game)) == {"tool": tool, "arguments": arguments}
            assert game.propose("A", tool, arguments).accepted

    def test_cookies_draw_at_the_end_of_the_turn(self) -> None:
        zones = {"market": MARKET, "A": {"hand": ["cookies", *["junk"] * 4], "deck": ["junk"] * 3, "stall": [["junk"]]}}
        game = at(zones, edition="remastered")
        assert game.propose("A", "inventory", {"cards": []}).accepted
        assert decide(turn_of(game)) == {"tool": "ability", "arguments": {"card": "cookies"}}

    def test_essential_purchase_throws_junk_away(self) -> None:
        market = ["sabotage", "rotten_food", "spyglass", "nuisance", "cookies"]
        zones = {
            "market": market,
            "A": {
                "hand": ["essential_purchase", "spyglass", "junk", "junk"],
                "deck": ["junk"] * 3,
                "stall": [["junk"]] * 3,
            },
        }
        game = at(zones, sets=("macaws", "pandas", "raccoons"), edition="remastered")
        expected = {"card": "essential_purchase", "choices": {"cards": ["junk"]}}
        assert decide(turn_of(game)) == {"tool": "technique", "arguments": expected}

    def test_of_the_cards_shown_the_dearest_is_copied(self) -> None:
        zones = {
            "market": MARKET,
            "A": {"hand": ["sound_detectors", "junk"], "stall": [["junk"]]},
            "B": {"hand": ["cookies", "spyglass"]},
        }
        sets = ("macaws", "pandas", "squirrels", "chameleons")
        game = at(zones, sets=sets, players=3, edition="remastered")
        assert game.propose("A", "ability", {"card": "sound_detectors", "choices": {"opponents": ["B"]}}).accepted
        assert decide(turn_of(game))["arguments"] == {"choices": {"cards": ["spyglass"]}}
