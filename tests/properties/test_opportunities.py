"""The codes said to be open at a decision are exactly those that readable proposals break (R-ERR-01).

Soundness: the checker refuses every example with its code. Completeness: whatever random readable proposals over the
names in play are refused with is said to be open, and so is everything that small stacks and payments, tried one by
one, are refused with.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from typing import Any

import pytest
from editions import EDITIONS, edition_of
from rare import RARE, at
from speaker import Speaker, speaker
from strategies import crowded, walk

from engine import CODES, VARIANTS, Game

NEVER = {
    "malformed_arguments",
    "unknown_action",
    "game_over",
    "hidden_zone_access",
    "pile_reorder",
    "multiple_purchase",
    "market_discard_not_top",
    "fizzle_not_allowed",
    "bonus_stack_not_available",
    *(code for code, info in CODES.items() if info.group == "G"),
}
"""Codes that are no opportunity: faults of form, the end of the game, what no tool call can express (R-ERR-06), and the
second stack, which is always refused as a second action or as another seat's decision first (R-ERR-01)."""
OUT_OF_TURN = {"not_your_decision", "second_action_without_bonus"}
ELSEWHERE = {
    "classic": {"too_few_targets"},
    "remastered": {"market_discard_empty", "copy_target_missing", "copy_chain_invalid"},
}
"""By edition: the codes that can be broken in the other one alone. Without a Market Discovery, and without chameleons
of which it must be said what they are, it is always known that the market discard is not for sale."""


def one_by_one(game: Game, mind: Speaker) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every stack of a small hand and a few discarded cards, and every payment for every source; no copies."""
    assert game.decision is not None
    if game.decision.kind not in ("action", "bonus_stack"):
        return
    hand = mind.numbered(mind.hand)[:6]
    pile = mind.numbered(mind.pile)[-4:]
    for cards in subsets(hand):
        for included in subsets(pile):
            yield "stall", {"cards": cards, "from_discard": included}
        for source in [*(f"slot_{slot}" for slot in range(5)), "market_discard"]:
            yield "market", {"source": source, "payment": cards}


def subsets(names: list[str]) -> Iterator[list[str]]:
    """Every selection, in the order of the zone."""
    return map(list, chain.from_iterable(combinations(names, count) for count in range(len(names) + 1)))


def hold(game: Game, mind: Speaker, spoken: int, thorough: bool = False) -> set[str]:
    """Hold one decision to both promises; the open codes."""
    assert game.decision is not None
    seat = game.decision.seat
    before = game.digest()
    codes = []
    for seed in (None, spoken + len(mind.hand)):
        found = game.opportunities(seed=seed)
        codes = [opportunity.code for opportunity in found]
        assert codes == [code for code in CODES if code in codes]
        for code, tool, arguments in found:
            assert game.judge(seat, tool, arguments)[0].code == code, (code, tool, arguments)
        assert [one.code for one in game.opportunities(seat)] == codes
    assert not NEVER & set(codes)
    proposals = (mind.speak() for _ in range(spoken))
    for tool, arguments in chain(proposals, one_by_one(game, mind) if thorough else ()):
        refused = game.judge(seat, tool, arguments)
        if refused:
            assert not refused[0].is_format, (tool, arguments)
            assert refused[0].code in codes, (tool, arguments, refused, codes)
    assert game.digest() == before
    return set(codes)


@pytest.mark.parametrize("block", range(3))
def test_crowded_positions(block: int) -> None:
    codes: dict[str, set[str]] = {edition: set() for edition in EDITIONS}
    for seed in range(block * 20, block * 20 + 20):
        edition = edition_of(seed)
        for number, game in enumerate(walk(crowded(seed, edition, hand=1 + seed % 6, pile=seed % 5), seed, 5)):
            codes[edition] |= hold(game, speaker(game, (seed, number)), 150, thorough=number == seed % 5)
    for edition in EDITIONS:
        assert len(codes[edition]) > 35
        assert not codes[edition] & ELSEWHERE[edition]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_dealt_games(players: int, edition: str) -> None:
    """With three players sets are banned and picked first, and gold is paid."""
    variant = VARIANTS[players == 3]
    start = Game.new(edition=edition, variant=variant, players=players, seed=players + 50)
    for number, game in enumerate(walk(start, players, 160)):
        assert game.decision is not None
        if number % 8 == 0 or game.decision.kind != "action":
            hold(game, speaker(game, (players, number)), 150)


@pytest.mark.slow
def test_many_crowded_positions() -> None:
    for seed in range(1000, 4000):
        start = crowded(seed, edition_of(seed), hand=1 + seed % 6, pile=seed % 5)
        for number, game in enumerate(walk(start, seed, 12)):
            hold(game, speaker(game, (seed, number)), 500, thorough=seed % 3 == 0)


@pytest.mark.parametrize("name", RARE)
def test_positions_built_for_what_is_rare(name: str) -> None:
    game = RARE[name]()
    hold(game, speaker(game, name), 1500, thorough=True)


def test_every_code_that_a_call_can_break_is_open_somewhere() -> None:
    codes = {edition: OUT_OF_TURN.copy() for edition in EDITIONS}
    walks = (walk(crowded(seed, edition_of(seed)), seed, 3) for seed in range(60))
    for game in chain((position() for position in RARE.values()), *walks):
        codes[game.edition] |= {opportunity.code for opportunity in game.opportunities()}
    for edition in EDITIONS:
        assert codes[edition] == set(CODES) - NEVER - ELSEWHERE[edition]


def test_a_seat_that_does_not_decide_can_only_act_out_of_turn() -> None:
    both = 0
    for game in walk(Game.new(players=3, seed=8), 8, 40):
        assert game.decision is not None
        for seat in game.seats:
            if seat != game.decision.seat:
                found = game.opportunities(seat)
                codes = {opportunity.code for opportunity in found}
                assert {"not_your_decision"} <= codes <= OUT_OF_TURN
                both += codes == OUT_OF_TURN
                for code, tool, arguments in found:
                    assert game.judge(seat, tool, arguments)[0].code == code
                refused = {game.judge(seat, tool, {"card": "junk"})[0].code for tool in ("technique", "ability")}
                assert refused <= codes
    assert both > 10


def test_nothing_is_open_when_the_game_is_over() -> None:
    game = Game.new(players=2, seed=1)
    game.forfeit("B")
    assert game.over
    assert game.opportunities() == game.opportunities("A") == ()


def test_cards_named_where_a_slot_or_a_player_is_asked_for() -> None:
    """The code is open although the card that is played lies in the market, and junk on top of the pile."""
    market = ["prepaid_good", "cookies", None, None, None]
    voucher = at("macaws pandas raccoons", market=market, A={"hand": ["prepaid_good"]})
    assert "card_in_wrong_zone" in {one.code for one in voucher.opportunities()}
    hunter = at("macaws pandas raccoons", A={"hand": ["treasure_hunter"]}, B={"discard": ["cookies", "junk"]})
    assert "target_invalid" in {one.code for one in hunter.opportunities()}


@pytest.mark.rules("PAN3c-3", "R-ERR-05")
def test_a_card_paid_beside_a_copy_that_does_not_hold_may_be_no_junk_to_throw_away() -> None:
    """Nothing can be bought here; but what a payment comes to is not told while nobody knows what is paid."""
    market = ["spyglass", None, None, None, None]
    game = at("macaws chameleons pandas", market=market, A={"hand": ["reflection", "loyal_partner"]})
    assert not any(game.proposal(action)["tool"] == "market" for action in game.legal)
    found = {one.code: one for one in game.opportunities()}
    assert found["throw_away_not_junk"].arguments["throw_away"] == ["loyal_partner"]
    (violation, *_) = game.judge("A", "market", found["throw_away_not_junk"].arguments)
    assert violation.code == "throw_away_not_junk"


def test_a_seed_chooses_the_example_and_nothing_else() -> None:
    varied: Counter[str] = Counter()
    for number in range(12):
        game = crowded(number, edition_of(number))
        plain = game.opportunities()
        examples: dict[str, set[str]] = {}
        for seed in range(12):
            found = game.opportunities(seed=seed)
            assert [one.code for one in found] == [one.code for one in plain]
            for one in found:
                examples.setdefault(one.code, set()).add(json.dumps([one.tool, one.arguments]))
        assert game.opportunities(seed=3) == game.clone().opportunities(seed=3)
        varied.update(code for code, several in examples.items() if len(several) > 2)
    assert len(varied) > 25


@pytest.mark.rules("R-TEC-07", "R-CPC-12")
def test_a_spare_choice_is_open_where_every_hand_card_must_be_told_what_it_copies() -> None:
    game = Game.from_position(
        {
            "edition": "classic",
            "players": 2,
            "sets": ["macaws", "pandas", "chameleons"],
            "state": {
                "market": ["stock_clearance", "cookies", None, None, None],
                "market_deck": ["cookies"],
                "A": {"hand": ["trendsetting"], "deck": ["junk"]},
                "B": {"hand": ["junk"], "deck": ["junk"]},
            },
        }
    )
    found = next(one for one in game.opportunities() if one.code == "superfluous_choice")
    assert game.judge("A", found.tool, found.arguments)[0].code == "superfluous_choice"
