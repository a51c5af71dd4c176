"""Judging never raises, whatever JSON it is given, and a refusal changes nothing (R-TRN-11)."""

from __future__ import annotations

import json
import random
from functools import lru_cache
from typing import Any

import pytest
from editions import EDITIONS
from hypothesis import given
from hypothesis import strategies as st
from strategies import SLUGS, Play, crowd, crowded_plays, examples, moves

from engine import CODES, TOOLS, FormatFault, Game

MARKS = st.sampled_from([0, 1, 2, 9, "x", "", "-1"])
ODD = ["", "#", "#1", "junk##1", "JUNK", "slot_0", "A", "market:cookies", "hand:junk", "stall:", ":", "²"]
NAMES = st.one_of(
    st.sampled_from(SLUGS),
    st.builds(lambda slug, mark: f"{slug}#{mark}", st.sampled_from(SLUGS), MARKS),
    st.sampled_from(ODD),
    st.text(max_size=4),
)
SEATS = st.sampled_from(["A", "B", "C", "D", "E", "", "AB"])
SLOTS = st.sampled_from(["slot_0", "slot_4", "slot_9", "slot_", "x"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-3, 30), st.integers(), st.floats(allow_nan=False), NAMES)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
LISTS = st.one_of(st.none(), st.lists(NAMES, max_size=6))
COPIES = st.one_of(
    st.none(), st.lists(st.fixed_dictionaries({"card": NAMES, "targets": st.lists(NAMES, max_size=4)}), max_size=3)
)
CHOICES = st.fixed_dictionaries(
    {},
    optional={
        "cards": LISTS,
        "opponents": st.one_of(st.none(), st.lists(SEATS, max_size=4)),
        "slots": st.one_of(st.none(), st.lists(SLOTS, max_size=6)),
        "stack": st.one_of(
            st.none(),
            st.fixed_dictionaries({"seat": st.sampled_from(["A", "B", "Z"]), "number": st.integers(), "card": NAMES}),
        ),
        "value": st.one_of(st.none(), st.integers()),
        "option": st.one_of(st.none(), NAMES),
    },
)
READABLE = st.one_of(
    st.fixed_dictionaries(
        {
            "source": st.sampled_from(["slot_0", "slot_3", "market_discard", "slot_5", "", "bank"]),
            "payment": st.lists(NAMES, max_size=6),
            "throw_away": LISTS,
            "copies": COPIES,
        }
    ).map(lambda arguments: ("market", arguments)),
    st.fixed_dictionaries({"card": NAMES, "choices": st.one_of(st.none(), CHOICES), "copies": COPIES}).flatmap(
        lambda arguments: st.sampled_from([("technique", arguments), ("ability", arguments)])
    ),
    st.fixed_dictionaries(
        {
            "cards": st.lists(NAMES, max_size=6),
            "from_discard": LISTS,
            "stack": st.one_of(st.none(), st.integers()),
            "adjust": st.one_of(
                st.none(), st.lists(st.fixed_dictionaries({"card": NAMES, "by": st.integers()}), max_size=3)
            ),
            "copies": COPIES,
        }
    ).map(lambda arguments: ("stall", arguments)),
    st.fixed_dictionaries({"cards": st.lists(NAMES, max_size=6)}).map(lambda arguments: ("inventory", arguments)),
    st.fixed_dictionaries({"choices": CHOICES}).map(lambda arguments: ("choose", arguments)),
)
UNREADABLE = st.tuples(st.one_of(st.sampled_from(TOOLS), ANYTHING), ANYTHING)


def hold(game: Game, tool: Any, arguments: Any) -> None:
    """Propose from every seat and hold the refusals to their promises."""
    before = game.digest()
    decision = game.decision
    for seat in game.seats:
        violations = game.judge(seat, tool, arguments)
        assert game.digest() == before
        if not violations:
            assert decision is not None
            assert decision.seat == seat
            continue
        verdict = game.propose(seat, tool, arguments)
        assert not verdict.accepted
        assert verdict.violations == violations
        assert (verdict.action, verdict.proposal, verdict.events) == (None, None, ())
        assert game.digest() == before
        for violation in violations:
            assert set(CODES[violation.code].rules) <= set(violation.rules)
            json.dumps(violation.facts)
        assert len({violation.code for violation in violations}) == len(violations)


@lru_cache(maxsize=1)
def positions() -> list[Game]:
    """Positions before actions and in the middle of effects, the simplest first."""
    found = []
    for seed in range(60):
        chance = random.Random(seed)
        for edition in EDITIONS:
            play = Play(crowd(chance, edition), moves(chance, 10))
            for number, game in enumerate(play.games()):
                if number in (0, 5) or (game.decision and game.decision.asks):
                    found.append(game.clone())
    return sorted(found, key=lambda game: len(str(game.position())))


PLACES = st.integers(0, 1 << 16).map(lambda number: positions()[number % len(positions())])


@pytest.mark.rules("R-TRN-11")
@examples(600)
@given(game=PLACES, proposal=READABLE)
def test_readable_garbage(game: Game, proposal: tuple[str, Any]) -> None:
    hold(game, *proposal)


@pytest.mark.rules("R-TRN-11")
@examples(600)
@given(game=PLACES, proposal=UNREADABLE)
def test_unreadable_garbage(game: Game, proposal: tuple[Any, Any]) -> None:
    hold(game, *proposal)


@examples(300)
@given(level=st.sampled_from(["L0", "L1", "L2"]), name=st.one_of(st.sampled_from(TOOLS), st.text()), arguments=ANYTHING)
def test_translating_garbage_raises_nothing_but_format_faults(level: str, name: str, arguments: Any) -> None:
    game = Game.new(players=2, seed=1)
    try:
        tool, translated = game.translate(level, name, arguments)
    except FormatFault as caught:
        fault: FormatFault | None = caught
    else:
        fault = None
        hold(game, tool, translated)
    assert fault is None or fault.code in ("malformed_arguments", "unknown_action")


OTHER = [None, True, -1, 0, 3, 99, "junk", "junk#1", "junk#0", "cookies", "magnet", "A", "B", "slot_1", [], {}, ""]


def mutated(chance: random.Random, value: Any) -> Any:
    """The JSON value with one part of it changed, dropped or doubled."""
    if isinstance(value, dict) and value and chance.randrange(10):
        key = chance.choice(list(value))
        changed = {one: part for one, part in value.items() if one != key or chance.randrange(10)}
        if key in changed:
            changed[key] = mutated(chance, changed[key])
        return changed
    if isinstance(value, list) and chance.randrange(10):
        changed_list = list(value)
        place = chance.randint(0, len(value))
        if value and chance.randrange(2):
            changed_list[place - 1] = mutated(chance, changed_list[place - 1])
        elif value and chance.randrange(2):
            del changed_list[place - 1]
        else:
            changed_list.insert(place, chance.choice([*OTHER, *SLUGS, *value]))
        return changed_list
    return chance.choice([*OTHER, chance.choice(SLUGS)])


@pytest.mark.rules("R-TRN-11")
@examples(300)
@given(play=crowded_plays(8), chance=st.randoms(use_true_random=False))
def test_legal_proposals_slightly_changed(play: Play, chance: random.Random) -> None:
    game = play.game()
    legal = game.legal
    for _ in range(8 if legal else 0):
        proposal: Any = game.proposal(legal[chance.randrange(len(legal))])
        arguments = json.loads(json.dumps(proposal["arguments"]))
        for _ in range(chance.randint(1, 2)):
            arguments = mutated(chance, arguments)
        hold(game, proposal["tool"], arguments)
