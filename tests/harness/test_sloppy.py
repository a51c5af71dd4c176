from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from turns import turn_of

from engine import Game
from harness.agents.merchant import decide
from harness.agents.sloppy import breach
from harness.agents.spec import create_agent, parse_spec
from harness.randomness import Draws

KINDS = ("action", "bonus_stack", "effect_choice", "end_of_turn")


def at(sets: list[str], state: dict[str, Any], players: int = 2) -> Game:
    return Game.from_position({"edition": "classic", "players": players, "sets": sets, "seed": 1, "state": state})


def new(seed: int, players: int = 2) -> Game:
    """The editions in turn; one game in four begins with the draft and pays with gold."""
    variant = "tournament" if seed % 4 == 3 else "standard"
    return Game.new(edition=("classic", "remastered")[seed % 2], variant=variant, players=players, seed=seed)


def remastered_positions() -> list[Game]:
    """Abilities with choices, a card to copy, Cookies at the end of a turn."""

    def remastered(sets: list[str], state: dict[str, Any]) -> Game:
        return Game.from_position({"edition": "remastered", "sets": sets, "seed": 1, "state": state})

    sets = ["macaws", "raccoons", "chameleons"]
    hand = ["reflection", "good_old_times", "sound_detectors", "seeing_doubles", "flexible_shopkeeper"]
    chameleons = remastered(sets, {"A": {"hand": hand}, "B": {"discard": ["cookies"]}})
    detectors = remastered(sets, {"A": {"hand": ["sound_detectors"]}, "B": {"hand": ["cookies", "nuisance"]}})
    assert detectors.propose("A", "ability", {"card": "sound_detectors", "choices": {"opponents": ["B"]}}).accepted
    cookies = remastered(sets, {"A": {"hand": ["cookies", "cookies", "trendsetting", "junk"], "deck": ["junk"] * 4}})
    assert cookies.propose("A", "inventory", {"cards": []}).accepted
    return [chameleons, detectors, cookies]


def special_positions() -> list[Game]:
    four = [["swift_broker"]] * 4
    winter = at(
        ["macaws", "squirrels", "ocelots"],
        {"A": {"hand": ["winter_is_coming", "bold_haggler", "acorn", "empty_chest", "junk"], "stall": four}},
    )
    assert winter.propose("A", "stall", {"cards": ["winter_is_coming"]}).accepted
    rolled = winter.clone()
    assert rolled.propose("A", "ability", {"card": "bold_haggler"}).accepted
    charm = at(
        ["macaws", "chameleons", "ocelots"],
        {
            "market": ["spyglass", "charm", "cookies", "blindfold", "gamble"],
            "market_deck": ["trendsetting"],
            "A": {"hand": ["charm", "junk"], "stall": four[:3]},
        },
    )
    assert charm.propose("A", "technique", {"card": "charm"}).accepted
    hunter = at(
        ["raccoons", "macaws", "pandas", "chameleons"],
        {
            "A": {"hand": ["treasure_hunter", "junk"]},
            "B": {"discard": []},
            "C": {"discard": ["cookies"]},
        },
        players=3,
    )
    copying = at(
        ["macaws", "pandas", "chameleons"],
        {"market": ["cookies", "spyglass", "cookies", None, "spyglass"], "A": {"hand": ["trendsetting", "junk"]}},
    )
    discovery = at(
        ["macaws", "pandas", "chameleons"],
        {"market_deck": ["cookies"] * 9, "A": {"hand": ["market_discovery", "good_old_times"], "deck": ["junk"] * 9}},
    )
    assert discovery.propose("A", "ability", {"card": "market_discovery"}).accepted
    assert discovery.propose("A", "inventory", {"cards": []}).accepted
    haggler = at(["ocelots", "macaws", "pandas"], {"A": {"hand": ["bold_haggler", "junk"]}})
    assert haggler.propose("A", "ability", {"card": "bold_haggler"}).accepted
    return [haggler, winter, rolled, charm, hunter, copying, discovery, *remastered_positions()]


def test_every_code_that_is_open_is_chosen_equally_often() -> None:
    game = Game.new(players=3, seed=5)
    turn = turn_of(game)
    tries = 400
    codes: Counter[str] = Counter()
    said = set()
    for number in range(tries):
        proposal = breach(turn, Draws("breach", number))
        codes[game.judge(turn.seat, proposal["tool"], proposal["arguments"])[0].code] += 1
        said.add(str(proposal))
    assert sorted(codes) == sorted(one.code for one in game.opportunities())
    share = tries / len(codes)
    assert all(abs(count - share) <= 4 * share**0.5 for count in codes.values())
    assert len(said) > 4 * len(codes)


def test_no_breach_is_a_fault_of_form() -> None:
    codes: Counter[tuple[str, str]] = Counter()
    games = [*special_positions(), *(new(seed, 2 + seed % 3) for seed in range(6))]
    for game in games:
        for number in range(80):
            if game.decision is None:
                break
            kind = game.decision.kind
            if kind != "action" or number % 20 == 0:
                turn = turn_of(game)
                for attempt in range(4):
                    proposal = breach(turn, Draws(game.seed, number, attempt))
                    violation, *_ = game.judge(turn.seat, proposal["tool"], proposal["arguments"])
                    assert not violation.is_format
                    codes[kind, violation.code] += 1
            game.apply(Draws(game.seed, number).choice(game.legal))
    assert {kind for kind, _ in codes} == set(KINDS)
    assert len(codes) > 50


async def attempts_of(rate: float, seeds: Iterable[int], players: int = 2) -> Counter[tuple[str, bool]]:
    """Attempts of sloppy players by kind of decision and whether they were illegal; three for each decision."""
    counts: Counter[tuple[str, bool]] = Counter()
    agent = create_agent(parse_spec(f"sloppy:{rate}"))
    for seed in seeds:
        game = new(seed, players)
        number = 0
        while game.decision is not None and game.round <= 100:
            for attempt in range(3):
                kind, seat = game.decision.kind, game.decision.seat
                proposal = (await agent.choose(turn_of(game, number, attempt))).proposal
                assert proposal is not None
                verdict = game.propose(seat, proposal["tool"], proposal["arguments"])
                counts[kind, not verdict.accepted] += 1
                if verdict.accepted:
                    break
                assert not verdict.violations[0].is_format
            else:
                game.apply(game.legal[0])
            number += 1
    return counts


def assert_rate(counts: Counter[tuple[str, bool]], rate: float, kinds: Iterable[str]) -> None:
    """The share of illegal attempts lies within three standard deviations of the rate."""
    kinds = tuple(kinds)
    illegal = sum(counts[kind, True] for kind in kinds)
    total = illegal + sum(counts[kind, False] for kind in kinds)
    assert abs(illegal - rate * total) <= 3 * (total * rate * (1 - rate)) ** 0.5, (kinds, illegal, total)


@pytest.mark.parametrize(("rate", "games"), [(0.1, 16), (0.4, 8)])
async def test_the_rate_is_as_stated(rate: float, games: int) -> None:
    counts = await attempts_of(rate, range(games))
    assert sum(counts.values()) > 500
    assert_rate(counts, rate, KINDS)
    for kind in KINDS:
        assert_rate(counts, rate, [kind])


async def test_the_rate_holds_at_every_kind_of_decision() -> None:
    """Twelve attempts at each of many positions: all that are rare, a few of the common kind."""
    rate = 0.3
    agent = create_agent(parse_spec(f"sloppy:{rate}"))
    counts: Counter[tuple[str, bool]] = Counter()
    games = [*special_positions(), *(new(seed, 2 + seed % 3) for seed in range(3))]
    for game in games:
        for number in range(200):
            if game.decision is None:
                break
            kind = game.decision.kind
            for attempt in range(12 if kind != "action" or number % 40 == 0 else 0):
                proposal = (await agent.choose(turn_of(game, number, attempt))).proposal
                assert proposal is not None
                illegal = bool(game.judge(turn_of(game).seat, proposal["tool"], proposal["arguments"]))
                counts[kind, illegal] += 1
            game.apply(Draws(game.seed, number).choice(game.legal))
    for kind in KINDS:
        assert_rate(counts, rate, [kind])
        assert counts[kind, True] > 10


@pytest.mark.slow
async def test_the_rate_is_as_stated_over_many_attempts() -> None:
    counts = await attempts_of(0.1, range(100, 180), players=3)
    assert sum(counts.values()) > 5000
    for kind in KINDS:
        assert_rate(counts, 0.1, [kind])


async def test_the_ends_of_the_scale() -> None:
    assert not any(illegal for (_, illegal) in await attempts_of(0, range(2)))
    game = Game.new(seed=4)
    agent = create_agent(parse_spec("sloppy:1"))
    for attempt in range(30):
        proposal = (await agent.choose(turn_of(game, 0, attempt))).proposal
        assert proposal is not None
        assert game.judge(turn_of(game).seat, proposal["tool"], proposal["arguments"])


async def test_draws_depend_on_the_turn_alone_and_differ_between_attempts() -> None:
    game = Game.new(seed=4)
    one, other = (create_agent(parse_spec("sloppy:0.5")) for _ in range(2))
    said = [(await one.choose(turn_of(game, 0, attempt))).proposal for attempt in range(20)]
    assert said == [(await other.choose(turn_of(game, 0, attempt))).proposal for attempt in range(20)]
    assert len({str(proposal) for proposal in said}) >= 4
    assert decide(turn_of(game)) in said
    assert (one.spec, one.settings) == ("sloppy:0.5", {"rate": 0.5})
