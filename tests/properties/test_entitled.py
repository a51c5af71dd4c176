"""A seat is shown everything it is entitled to (contract section 7), so that secrecy cannot be had by showing less."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from editions import EDITIONS
from memory import Memory
from strategies import TIMES, Play, crowd, deal, moves

from engine import Event, Game

TELLING = {"spyglass": "macaws", "rotten_food": "raccoons", "dirty_exchange": "raccoons", "gamble": "ocelots"}
"""Cards that let a seat know a hidden place, with their sets."""
TELLING_TOO = {"whirligig": "ocelots", "treasure_hunter": "raccoons", "sound_detectors": "chameleons"}
"""Further ones of the remastered edition, and those that move what a seat knows of a deck."""


def plays(edition: str, count: int, most: int) -> list[Play]:
    """Walks from crowded positions, hands with a telling card among them, and for every fourth seed a dealt game."""
    found = []
    for seed in range(count * TIMES):
        chance = random.Random(f"entitled {seed}")
        start = deal(chance, edition) if seed % 4 == 3 else crowd(chance, edition, hand=3)
        telling = TELLING | (TELLING_TOO if edition == "remastered" else {})
        for seat in "ABCD"[: start["players"] if "state" in start else 0]:
            start["state"][seat]["hand"] += [card for card, of in telling.items() if of in start["sets"]]
        found.append(Play(start, moves(chance, most)))
    return found


HIDDEN = ("draw", "look", "put_back", "place", "give", "exchange")
"""Events that always have a part that not everybody sees; a card may be taken openly or not."""


def told_to_those_concerned(event: Event, seats: tuple[str, ...]) -> bool:
    """Whether only the seat that moves cards sees which, and the other hand that gives or receives (R-INF-02/03)."""
    zone = str(event.fields.get("zone", ""))
    concerned = {event.seat, str(event.fields.get("to", event.seat))} | ({zone[-1]} if zone[:5] == "hand_" else set())
    if event.secret:
        return {seat for seat in seats if event.secret.keys() <= event.seen_by(seat).keys()} == concerned
    return event.type not in HIDDEN


@pytest.mark.rules("R-INF-02", "R-INF-03", "R-INF-04", "R-PAS-07", "R-CPR-06", "OCE3r-2", "RAC5Br-2", "CHA4r-1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_the_places_a_seat_knows_are_those_it_could_have_noted_itself(edition: str) -> None:
    """A card looked at and put back, placed on a deck, given, taken, exchanged; a shuffle forgets, and nothing else.

    In the remastered edition cards move between decks too, are looked at in a hand, and chameleons become copies.
    """
    noted: Counter[str] = Counter()
    for play in plays(edition, 200, 50):
        game = play.begin()
        memories = [Memory(dict(game.observe(seat))) for seat in game.seats]
        for move in play.moves:
            if game.over:
                break
            events = game.apply(game.legal[move % len(game.legal)])
            assert all(told_to_those_concerned(event, game.seats) for event in events), events
            for memory in memories:
                for event in events:
                    memory.read(event.seen_by(memory.seat))
                if not game.over:
                    known: Any = game.observe(memory.seat)["known"]
                    places = memory.places()
                    assert sorted(map(str, known)) == sorted(map(str, places)), (play, events)
                    noted["places"] += len(places)
        for memory in memories:
            noted += memory.noted
    print(dict(noted))
    assert noted["places"] > 5000
    assert min(noted[way] for way in ("put back", "placed", "given", "taken", "exchanged", "shuffle")) > 10
    if edition == "remastered":
        assert min(noted[way] for way in ("copied", "looked at in a hand", "hunted")) > 30
        assert noted["swapped"] > 3


def owners(game: Game, seat: str) -> dict[str, list[str]]:
    """The pools as they really are."""
    zones: Any = game.position()
    pools = {"market_deck": zones["market_deck"]}
    for other in game.seats:
        pools[other] = zones[other]["deck"] + (zones[other]["hand"] if other != seat else [])
    return pools


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_shown_is_true(edition: str) -> None:
    for play in plays(edition, 80, 20):
        for game in play.games():
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
    if event.type == "swap_tops":
        return True
    told = event.seen_by(seat)
    if all(field in told for field in event.secret):
        return False
    zone = str(event.fields.get("zone"))
    between = zone == "market_deck" or zone.startswith("hand_") or (zone[:5] == "deck_" and zone[5:] != event.seat)
    return event.type in ("place", "give", "exchange") or (event.type in ("take", "draw") and between)


@pytest.mark.parametrize("edition", EDITIONS)
def test_until_a_card_moves_unseen_every_pool_is_shown_whole(edition: str) -> None:
    """Public moves fix what lies in a deck, and a reshuffle forgets places, not contents."""
    counts: Counter[str] = Counter()
    for play in plays(edition, 120, 40):
        game = play.begin()
        clear = set(game.seats)
        shuffled = False
        for move in play.moves:
            if game.over:
                break
            for event in game.apply(game.legal[move % len(game.legal)]):
                clear -= {seat for seat in clear if passes_unseen(event, seat)}
                shuffled = shuffled or event.type == "shuffle"
            for seat in clear:
                seen: Any = game.observe(seat)
                assert seen["unlocated"] == []
                pools = {owner: sorted(cards) for owner, cards in owners(game, seat).items()}
                assert {owner: pool["cards"] for owner, pool in seen["pools"].items()} == pools
                counts["after a shuffle" if shuffled else "before"] += 1
    print(dict(counts))
    assert counts["before"] > 500
    assert counts["after a shuffle"] > 1000


def placed_after(placed: int | None, event: Event, seat: str) -> int | None:
    """How many cards on top of a seat's deck others have placed there at most; None: other cards may have left it."""
    zone = str(event.fields.get("zone"))
    count = event.fields.get("count", 1)
    assert isinstance(count, int)
    if placed is None or event.type in ("swap_tops", "swap_piles"):
        return None
    if event.type == "place" and zone == f"deck_{seat}":
        return placed + 1
    if event.seat == seat and (
        (event.type == "draw" and zone == "None") or (event.type == "look" and zone[-1] == seat)
    ):
        return max(0, placed - count)
    if event.type in ("take", "look", "reveal") and zone == f"deck_{seat}" and event.seat != seat:
        return placed - 1 if event.type == "take" and placed else None
    return placed


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_card_placed_on_a_deck_hides_nothing_but_itself(edition: str) -> None:
    """Everybody saw where it went: when it is drawn or taken again, the owner knows what the deck must contain."""
    counts: Counter[str] = Counter()
    for play in plays(edition, 200, 50):
        game = play.begin()
        placed: dict[str, int | None] = dict.fromkeys(game.seats)
        for move in play.moves:
            if game.over:
                break
            events = game.apply(game.legal[move % len(game.legal)])
            for seat in game.seats:
                before = placed[seat]
                for event in events:
                    placed[seat] = placed_after(placed[seat], event, seat)
                seen: Any = game.observe(seat)
                unknown = seen["pools"][seat]["unknown"]
                most = placed[seat]
                if most is not None:
                    assert unknown <= most, (play, events, seat)
                    counts["placed"] += most > 0
                    counts["drawn again"] += bool(before) and most == 0
                if not unknown:
                    placed[seat] = 0
    print(dict(counts))
    assert counts["placed"] > 200
    assert counts["drawn again"] > 50
