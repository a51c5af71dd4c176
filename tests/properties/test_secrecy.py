"""A seat is shown nothing it is not entitled to know, and everything it is entitled to (contract section 7).

Everything a seat cannot know is dealt again; its observation, decision, legal list, tool schemas, refusals,
explanations and opportunities stay byte for byte the same. The other way round, what it has seen must stand in the
observation, and be true.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import Event, Game, catalogue

Walk = Callable[..., Iterator[Game]]
CARDS = catalogue("classic")


def refused(game: Game) -> list[tuple[str, dict[str, Any]]]:
    """A fixed set of proposals, most of them illegal, that name every card of the game in every way."""
    asked: list[tuple[str, dict[str, Any]]] = [("skip", {}), ("end_turn", {}), ("trade", {}), ("market", {})]
    for slug in [card.slug for card in CARDS if card.set in (*game.sets, "none")]:
        names = [slug, f"{slug}#2"]
        copies = [{"card": slug, "targets": [f"hand:{slug}"]}, {"card": slug, "targets": ["discard_B:junk"]}]
        asked += [
            ("inventory", {"cards": names}),
            ("market", {"source": "slot_1", "payment": [slug, "junk"], "throw_away": [slug]}),
            ("market", {"source": "market_discard", "payment": names, "copies": copies}),
            ("technique", {"card": slug, "choices": {"cards": [slug], "opponents": ["B"]}}),
            ("technique", {"card": slug, "choices": {"stack": {"seat": "B", "number": 1, "card": slug}}}),
            ("stall", {"cards": names, "from_discard": [slug], "copies": copies[:1]}),
            ("ability", {"card": slug, "copies": copies[1:]}),
            ("choose", {"choices": {"cards": names}}),
        ]
    return asked


def shown(game: Game, seat: str) -> list[str]:
    """Everything this seat is shown, as text."""
    decision = game.decision
    parts: list[Any] = [game.observe(seat), decision and decision._asdict()]
    if decision is not None and decision.seat == seat:
        parts.append([game.proposal(action) for action in game.legal])
        parts += [game.tools(level) for level in ("L0", "L1", "L2")]
    for tool, arguments in refused(game):
        parts.append([violation._asdict() for violation in game.judge(seat, tool, arguments)])
    for tool, arguments in refused(game)[:: 11 if decision is not None and decision.seat == seat else 50]:
        parts.append(list(game.explain(seat, tool, arguments)))
    for chosen in (None, 7):
        parts.append([opportunity._asdict() for opportunity in game.opportunities(seat, chosen)])
    return [json.dumps(part) for part in parts]


def hidden(game: Game, seat: str) -> dict[str, Any]:
    """The hidden zones as they are."""
    zones: Any = game.position()
    found = {"market_deck": zones["market_deck"]}
    for other in game.seats:
        found[f"deck_{other}"] = zones[other]["deck"]
        if other != seat:
            found[f"hand_{other}"] = sorted(zones[other]["hand"])
    return found


def hold(games: Iterator[Game], every: int, deals: int = 2) -> Counter[str]:
    """Deal again for every seat at every `every`-th decision; how often that changed hidden cards."""
    counts: Counter[str] = Counter()
    for number, game in enumerate(games):
        decision = game.decision
        assert decision is not None
        if number % every and not decision.asks:
            continue
        before = game.digest()
        for seat in game.seats:
            told = shown(game, seat)
            for deal in range(deals):
                other = game.determinise(seat, deal * 1000 + number)
                assert shown(other, seat) == told, (seat, decision)
                counts["changed" if hidden(other, seat) != hidden(game, seat) else "same"] += 1
        assert game.digest() == before
    return counts


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dealt_games(walk: Walk, players: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(2):
        counts += hold(walk(Game.new(players=players, seed=seed + 20), seed, 80), every=16)
    assert counts["changed"] > 20 * counts["same"]


@pytest.mark.parametrize("block", range(3))
def test_crowded_positions(walk: Walk, crowd: Callable[..., Game], block: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(block * 10, block * 10 + 10):
        counts += hold(walk(crowd(seed), seed, 10), every=5, deals=1)
    assert counts["changed"] > 3 * counts["same"]


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_thousand_positions(walk: Walk, crowd: Callable[..., Game], players: int) -> None:
    positions = 0
    for seed in range(100, 400):
        for game in (Game.new(players=players, seed=seed), crowd(seed, players)):
            counts = hold(walk(game, seed, 150), every=25)
            positions += counts.total()
    assert positions > 2000 * players


def test_everything_open_is_dealt_again(walk: Walk, crowd: Callable[..., Game]) -> None:
    """So that the tests above cannot pass by moving little: over many deals every open place of a deck changes."""
    places = 0
    for seed in range(25):
        for number, game in enumerate(walk(crowd(seed), seed, 9)):
            if number % 4 == 0:
                seat = game.seats[seed % len(game.seats)]
                deals = [hidden(game.determinise(seat, deal), seat) for deal in range(40)]
                places += open_places_change(game.observe(seat), deals)
    assert places > 200


def open_places_change(seen: Any, deals: list[dict[str, Any]]) -> int:
    """Check each place of a deck that the seat does not know; the number of places checked."""
    checked = 0
    for owner, pool in seen["pools"].items():
        zone = owner if owner == "market_deck" else f"deck_{owner}"
        pinned = {place["position"]: place["card"] for place in seen["known"] if place["zone"] == zone}
        held = [place["card"] for place in seen["known"] if place["zone"] == f"hand_{owner}"]
        free = Counter(pool["cards"]) - Counter([*pinned.values(), *held])
        mixed = free.total() > 1 and free.most_common(1)[0][1] <= free.total() / 2 and not pool["unknown"]
        for position in range(len(deals[0][zone])):
            dealt = {deal[zone][position] for deal in deals}
            if position in pinned:
                assert dealt == {pinned[position]}
            elif mixed:
                assert len(dealt) > 1
                checked += 1
    return checked


def owners(game: Game, seat: str) -> dict[str, list[str]]:
    """The pools as they really are."""
    zones: Any = game.position()
    pools = {"market_deck": zones["market_deck"]}
    for other in game.seats:
        pools[other] = zones[other]["deck"] + (zones[other]["hand"] if other != seat else [])
    return pools


def test_what_is_shown_is_true(walk: Walk, crowd: Callable[..., Game]) -> None:
    for seed in range(80):
        for game in walk(crowd(seed), seed, 20):
            zones: Any = game.position()
            for seat in game.seats:
                seen: Any = game.observe(seat)
                for place in seen["known"]:
                    zone, _, owner = place["zone"].partition("_")
                    if zone == "hand":
                        assert place["card"] in zones[owner]["hand"]
                    else:
                        deck = zones["market_deck"] if zone == "market" else zones[owner]["deck"]
                        assert deck[place["position"]] == place["card"]
                rest: Counter[str] = Counter()
                for owner, cards in owners(game, seat).items():
                    stated = Counter(seen["pools"][owner]["cards"])
                    assert not stated - Counter(cards)
                    left = Counter(cards) - stated
                    assert left.total() == seen["pools"][owner]["unknown"]
                    rest += left
                assert sorted(rest.elements()) == seen["unlocated"]


def passes_unseen(event: Event, seat: str) -> bool:
    """Whether a card went from one hidden pool to another without this seat seeing which."""
    told = event.seen_by(seat)
    if all(field in told for field in event.secret):
        return False
    zone = str(event.fields.get("zone"))
    between = zone == "market_deck" or zone.startswith("hand_")
    return event.type in ("place", "give", "exchange") or (event.type in ("take", "draw") and between)


def test_until_a_card_moves_unseen_every_pool_is_shown_whole(crowd: Callable[..., Game]) -> None:
    shown_whole = 0
    for seed in range(80):
        game = crowd(seed)
        chance = random.Random(seed)
        clear = set(game.seats)
        for _ in range(30):
            if game.over:
                break
            legal = game.legal
            for event in game.apply(legal[chance.randrange(len(legal))]):
                clear -= {seat for seat in clear if passes_unseen(event, seat)}
            for seat in clear:
                seen: Any = game.observe(seat)
                assert seen["unlocated"] == []
                pools = {owner: sorted(cards) for owner, cards in owners(game, seat).items()}
                assert {owner: pool["cards"] for owner, pool in seen["pools"].items()} == pools
                shown_whole += 1
    assert shown_whole > 1500


@pytest.mark.parametrize("block", range(3))
def test_a_redealt_game_can_be_played_on(
    walk: Walk, crowd: Callable[..., Game], physical: Callable[[Game], list[int]], block: int
) -> None:
    """A searching player plays on from it: in the middle of another seat's effect too, and no card is lost."""
    for seed in range(block * 60, block * 60 + 60):
        for number, game in enumerate(walk(crowd(seed), seed, 12)):
            decision = game.decision
            assert decision is not None
            if not decision.asks and number % 6:
                continue
            for seat in game.seats:
                other = game.determinise(seat, number)
                cards = physical(other)
                assert cards == physical(game)
                for _ in walk(other, (seed, number, seat), 12):
                    pass
                assert set(cards) <= set(physical(other))


def test_what_everybody_saw_happen_to_a_hand_card_stays_in_that_hand() -> None:
    """A rolled one of two Bold Hagglers; B knows of one of them by an older move. The roll is no secret (R-RND-04)."""
    game = Game.from_position(
        {
            "sets": ["macaws", "pandas", "ocelots"],
            "state": {
                "A": {
                    "hand": ["favourite_toy", "bold_haggler", "junk"],
                    "discard": ["bold_haggler"],
                    "deck": ["junk", "cookies", "spyglass", "junk"],
                },
                "B": {"hand": ["junk"]},
            },
            "random": [{"die": 3}],
        }
    )
    assert game.propose("A", "technique", {"card": "favourite_toy"}).accepted
    assert game.propose("A", "ability", {"card": "bold_haggler#1"}).accepted
    for deal in range(20):
        hand: Any = game.determinise("B", deal).observe("A")["hand"]
        assert 4 in [card["value"] for card in hand if card["card"].startswith("bold_haggler")]
