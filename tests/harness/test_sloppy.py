from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from engine import CODES, EDITIONS, Game
from harness.agents.base import MatchSettings, Turn, TurnKey
from harness.agents.merchant import decide
from harness.agents.sloppy import WAYS, breaches
from harness.agents.spec import create_agent, parse_spec
from harness.randomness import Draws

Hits = Counter[tuple[str, str]]
"""How often a way was possible, by kind of decision and the way's function."""

RARE = {
    ("action", "_ability_again"),
    ("action", "_empty_pile"),
    ("action", "_copy_unsaid"),
    ("bonus_stack", "_ability_again"),
    ("bonus_stack", "_chosen_in_vain"),
    ("end_of_turn", "_ability_again"),
    ("effect_choice", "_not_that_copy"),
}
"""Ways that positions built for them must show, as random ones seldom do."""


def turn_of(game: Game, number: int = 0, attempt: int = 0) -> Turn:
    decision = game.decision
    assert decision is not None
    return Turn(
        seat=decision.seat,
        decision=decision,
        observation=game.observe(decision.seat),
        legal=[game.proposal(action) for action in game.legal],
        tools=game.tools,
        translate=game.translate,
        history=(),
        number=number,
        attempt=attempt,
        feedback=(),
        key=TurnKey(game.seed, "game", decision.seat, number),
        settings=MatchSettings(),
    )


def check_breaches(game: Game, hits: Hits) -> None:
    """Every way that is possible here is judged with its code first of all, and never as a fault of form."""
    turn = turn_of(game)
    for way, proposal in breaches(turn):
        violations = game.judge(turn.seat, proposal["tool"], proposal["arguments"])
        assert violations, (way, proposal, turn.observation)
        assert violations[0].code == way.code, (way, proposal, violations, turn.observation)
        assert not violations[0].is_format
        hits[turn.decision.kind, way.make.__name__] += 1


def check_games(
    seeds: Iterable[int], every: int, decisions: int, variant: str = "standard", edition: str = "classic"
) -> Hits:
    """Check every so many positions of random games of two to four players, and all that are not of the common kind."""
    hits: Hits = Counter()
    for seed in seeds:
        game = Game.new(players=2 + seed % 3, seed=seed, variant=variant, edition=edition)
        for number in range(decisions):
            if game.decision is None:
                break
            if number % every == 0 or game.decision.kind != "action":
                check_breaches(game, hits)
            game.apply(Draws(seed, number).choice(game.legal))
    return hits


def at(sets: list[str], state: dict[str, Any], players: int = 2) -> Game:
    return Game.from_position({"edition": "classic", "players": players, "sets": sets, "seed": 1, "state": state})


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
    return [haggler, winter, rolled, charm, hunter, copying, discovery]


def test_every_way_breaks_the_rule_it_was_made_for() -> None:
    hits = check_games(range(18), every=15, decisions=300)
    hits += check_games(range(20, 26), every=2, decisions=20, variant="tournament")  # gold is spent early
    hits += check_games(range(12), every=15, decisions=300, edition="remastered")
    special: Hits = Counter()
    for game in special_positions():
        check_breaches(game, special)
    assert set(special) >= RARE
    every = {(kind, way.make.__name__) for kind, ways in WAYS.items() for way in ways}
    every.remove(("bonus_stack", "_out_of_the_discard"))  # the values of discarded cards are only sure at first
    assert every == set(hits) | set(special)


REMASTERED = {"_cookies_too_early", "_nothing_to_copy", "_copy_out_of_no_stack", "_nobody_annoyed", "_copied_too_late"}


def test_ways_of_the_remastered_edition_are_possible_in_it_alone() -> None:
    assert {name for _, name in check_games(range(12), every=10, decisions=200, edition="remastered")} >= REMASTERED
    assert REMASTERED.isdisjoint(name for _, name in check_games(range(3), every=10, decisions=200))


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_way_in_many_games(edition: str) -> None:
    hits = check_games(range(1000, 1090), every=1, decisions=400, edition=edition)
    hits += check_games(range(1000, 1090), every=1, decisions=100, variant="tournament", edition=edition)
    assert sum(hits.values()) > 100_000


def test_codes_exist_and_none_is_a_fault_of_form() -> None:
    codes = {way.code for ways in WAYS.values() for way in ways}
    assert codes <= set(CODES) - {"malformed_arguments", "unknown_action"}
    assert len(codes) > 35


async def attempts_of(rate: float, seeds: Iterable[int], players: int = 2) -> Counter[tuple[str, bool]]:
    """Attempts of sloppy players by kind of decision and whether they were illegal; three for each decision."""
    counts: Counter[tuple[str, bool]] = Counter()
    agent = create_agent(parse_spec(f"sloppy:{rate}"))
    for seed in seeds:
        game = Game.new(players=players, seed=seed)
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


@pytest.mark.parametrize(("rate", "games"), [(0.1, 40), (0.4, 20)])
async def test_the_rate_is_as_stated(rate: float, games: int) -> None:
    counts = await attempts_of(rate, range(games))
    assert sum(counts.values()) > 1400
    assert_rate(counts, rate, WAYS)
    for kind in WAYS:
        assert_rate(counts, rate, [kind])


async def test_the_rate_holds_at_every_kind_of_decision() -> None:
    """Twelve attempts at each of many positions: all that are rare, a few of the common kind."""
    rate = 0.3
    agent = create_agent(parse_spec(f"sloppy:{rate}"))
    counts: Counter[tuple[str, bool]] = Counter()
    games = [*special_positions(), *(Game.new(players=2 + seed % 3, seed=seed) for seed in range(12))]
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
    for kind in WAYS:
        assert_rate(counts, rate, [kind])
        assert counts[kind, True] > 10


@pytest.mark.slow
async def test_the_rate_is_as_stated_over_many_attempts() -> None:
    counts = await attempts_of(0.1, range(100, 180), players=3)
    assert sum(counts.values()) > 5000
    for kind in WAYS:
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
