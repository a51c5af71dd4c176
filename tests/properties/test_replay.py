"""The accepted proposals on the same seed give the same events and digests; checked and unchecked play agree.

The canonical form of an accepted proposal is read as the very same action, also of one that names copies by `#n`.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from editions import edition_of
from hypothesis import given
from strategies import Play, crowded_plays, deal, dealt_plays, examples

from engine import Game

Step = tuple[str, str, dict[str, Any], list[Any], str]


def played(play: Play) -> list[Step]:
    """Unchecked play as (seat, tool, arguments, events, digest) of every decision."""
    steps: list[Step] = []
    game = play.begin()
    for move in play.moves:
        if game.decision is None:
            break
        seat = game.decision.seat
        action = game.legal[move % len(game.legal)]
        proposal: Any = json.loads(json.dumps(game.proposal(action)))
        events = [event.to_json() for event in game.apply(action)]
        steps.append((seat, proposal["tool"], proposal["arguments"], events, game.digest()))
    return steps


def hold(play: Play) -> None:
    """Propose in another game what was played in the first; events are plain JSON that says whom they are about."""
    replayed = play.begin()
    for seat, tool, arguments, events, digest in played(play):
        verdict = replayed.propose(seat, tool, arguments)
        assert verdict.accepted
        assert verdict.proposal == {"tool": tool, "arguments": arguments}
        assert [event.to_json() for event in verdict.events] == events
        assert replayed.digest() == digest
        assert json.loads(json.dumps(events)) == events
        for event in events:
            assert list(event)[:2] == ["type", "seat"]
            assert event["seat"] in replayed.seats


@pytest.mark.rules("R-RND-01")
@examples(24)
@given(dealt_plays(250))
def test_dealt_games(play: Play) -> None:
    hold(play)


@pytest.mark.rules("R-RND-01")
@examples(200)
@given(crowded_plays(12))
def test_crowded_positions(play: Play) -> None:
    hold(play)


class Numbers:
    """Names other copies by `#n` in a canonical proposal, where a zone holds several, no copy twice."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        assert game.decision is not None
        seat = game.decision.seat
        seen: Any = game.observe(seat)
        self.chance = chance
        self.stalls = {other: zones["stall"] for other, zones in seen["seats"].items()}
        self.hand = [entry["card"].partition("#")[0] for entry in seen["hand"]]
        self.pile: list[str] = seen["seats"][seat]["discard"]
        self.offered: list[str] = seen["offered"] or []
        market = [offer["card"] for offer in seen["market"] if offer]
        self.targets = {"hand": self.hand, "market": market, "stall": (self.stalls[seat] or [[]])[-1]}

    def names(self, written: list[str], zone: list[str]) -> list[str]:
        """Each bare name as one of the copies in the zone."""
        left = {slug: self.chance.sample(range(1, zone.count(slug) + 1), zone.count(slug)) for slug in set(zone)}
        return [f"{name}#{left[name].pop()}" if left.get(name) else name for name in written]

    def chosen(self, choices: dict[str, Any]) -> dict[str, Any]:
        """The cards and the card in a stack among choices."""
        named = dict(choices)
        if "cards" in named:
            zone = self.offered or (self.hand if {*named["cards"]} <= {*self.hand} else self.pile)
            named["cards"] = self.names(named["cards"], zone)
        if "stack" in named:
            stack = named["stack"]
            (card,) = self.names([stack["card"]], self.stalls[stack["seat"]][stack["number"] - 1])
            named["stack"] = {**stack, "card": card}
        return named

    def entry(self, entry: dict[str, Any]) -> dict[str, Any]:
        """An entry of `copies`, its targets numbered."""
        targets = []
        for target in entry["targets"]:
            zone, _, name = target.partition(":")
            targets += [f"{zone}:{one}" for one in self.names([name], self.targets.get(zone, []))]
        return {**entry, "targets": targets}

    def proposal(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The arguments with every name numbered; some are no longer legal, as when a copy is named twice."""
        named = dict(arguments)
        for field in ("payment", "cards"):
            if field in named:
                named[field] = self.names(named[field], self.hand)
                self.chance.shuffle(named[field])
        if "throw_away" in named:
            paid = self.chance.sample(named["payment"], len(named["payment"]))
            named["throw_away"] = [one for one in paid if one.startswith("junk")][: len(named["throw_away"])]
        if "from_discard" in named:
            named["from_discard"] = self.names(named["from_discard"], self.pile)
        if "card" in named:
            (named["card"],) = self.names([named["card"]], self.hand)
        if "choices" in named:
            named["choices"] = self.chosen(named["choices"])
        if "copies" in named:
            named["copies"] = [self.entry(one) for one in named["copies"]]
        if "adjust" in named:
            cards = self.names([one["card"] for one in named["adjust"]], self.hand)
            named["adjust"] = [{**one, "card": card} for one, card in zip(named["adjust"], cards, strict=True)]
        return named


def held(play: Play) -> int:
    """Numbered proposals at every decision: read again, the canonical form is the same action; how many are legal."""
    legal = 0
    for number, game in enumerate(play.games()):
        assert game.decision is not None
        seat = game.decision.seat
        chance = random.Random(str((play.start["seed"], number)))
        numbers = Numbers(game, chance)
        for _ in range(6):
            listed: Any = game.proposal(game.legal[chance.randrange(len(game.legal))])
            named, again = game.clone(), game.clone()
            verdict = named.propose(seat, listed["tool"], numbers.proposal(listed["arguments"]))
            if not verdict.accepted:
                continue
            legal += 1
            proposal: Any = json.loads(json.dumps(verdict.proposal))
            repeated = again.propose(seat, proposal["tool"], proposal["arguments"])
            assert (repeated.action, repeated.proposal) == (verdict.action, proposal), proposal
            assert repeated.events == verdict.events
            assert again.digest() == named.digest()
    return legal


def doubled(play: Play) -> Play:
    """The same with two of every card in hands, discard piles, stacks and the market."""
    state: Any = play.start["state"]
    twice: dict[str, Any] = {**state, "market": [*state["market"][:2], *state["market"][:2], None]}
    for seat in "ABCD":
        if seat in state:
            zones = state[seat]
            stall = [stack * 2 for stack in zones["stall"]]
            twice[seat] = {**zones, "hand": zones["hand"] * 2, "discard": zones["discard"] * 2, "stall": stall}
    return Play({**play.start, "state": twice}, play.moves)


def test_numbered_copies_in_dealt_games() -> None:
    for seed in range(4):
        chance = random.Random(seed)
        moves = tuple(chance.randrange(1 << 16) for _ in range(40))
        assert held(Play(deal(chance, edition_of(seed)), moves)) > 20


@examples(40)
@given(crowded_plays(3, hand=3, pile=3))
def test_numbered_copies_in_crowded_positions(play: Play) -> None:
    held(doubled(play))
