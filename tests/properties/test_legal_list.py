"""The legal list is what brute force finds: every proposal that small hands allow, judged one by one.

Proposals are made here from the public zones and the rules of naming alone; which of them are legal is the
judge's word. Two accepted proposals are one action if they differ only in order, in the copy of alike cards or
in a default (contract section 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from typing import Any

import pytest

from engine import SETS, Game, catalogue

Walk = Callable[..., Iterator[Game]]
VALUE = {card.slug: card.value for card in catalogue("classic")}
CHAMELEONS = {"flexible_shopkeeper", "reflection", "good_old_times", "trendsetting", "seeing_doubles"}


class Table:
    """What the deciding seat sees, in the form the oracle needs."""

    def __init__(self, game: Game) -> None:
        assert game.decision is not None
        self.game = game
        self.seat = game.decision.seat
        self.zones: Any = game.position()
        self.seen: Any = game.observe(self.seat)
        self.others = [seat for seat in game.seats if seat != self.seat]
        self.hand: list[str] = []
        self.label: dict[str, tuple[Any, ...]] = {}
        self.locked: set[str] = set()
        for entry in self.seen["hand"]:
            slug = entry["card"].partition("#")[0]
            name = f"{slug}#{1 + sum(one.partition('#')[0] == slug for one in self.hand)}"
            self.hand.append(name)
            self.label[name] = (slug, entry["value"], entry.get("copies"), entry.get("ability"))
            if "copies" in entry:
                self.locked.add(name)
        data: Any = game.to_json()
        self.shows = sum(amount for card, _, amount in data["alterations"] if card == -1)

    def named(self, written: str, taken: set[str]) -> str:
        """The numbered hand card a name means: a bare slug takes the first copy not taken."""
        slug, mark, _ = written.partition("#")
        name = written if mark else next(one for one in self.hand if one not in taken and one.startswith(f"{slug}#"))
        taken.add(name)
        return name

    def targets(self, slug: str, root: str) -> list[str]:
        """What a chameleon of this name can point at (R-CPC-04)."""
        own = self.zones[self.seat]
        if slug == "flexible_shopkeeper":
            return [f"stall:{card}" for card in dict.fromkeys(own["stall"][-1])] if own["stall"] else []
        if slug == "reflection":
            piles = {seat: self.zones[seat]["discard"] for seat in self.others}
            return [f"discard_{seat}:{pile[-1]}" for seat, pile in piles.items() if pile]
        if slug == "good_old_times":
            return [f"market_discard:{card}" for card in self.zones["market_discard"][-1:]]
        if slug == "trendsetting":
            return [f"market:{card}" for card in dict.fromkeys(self.zones["market"]) if card]
        return [f"hand:{name}" for name in self.hand if name != root]

    def chains(self, root: str) -> list[list[str]]:
        """Every chain of targets, those that stop at a chameleon included (R-CPC-05)."""
        slug = root.partition("#")[0]
        if slug not in CHAMELEONS or root in self.locked:
            return []
        found: list[list[str]] = []
        queue: list[tuple[list[str], str]] = [([], slug)]
        for chain, kind in queue:
            for target in self.targets(kind, root):
                written = target.partition(":")[2]
                name = written.partition("#")[0]
                found.append([*chain, target])
                names = {slug, *(one.partition(":")[2].partition("#")[0] for one in chain)}
                if name in CHAMELEONS and written not in self.locked and name not in names:
                    queue.append(([*chain, target], name))
        return found

    def copies(self, cards: list[str]) -> Iterator[list[dict[str, Any]] | None]:
        """Every way to state copies for these cards, none stated included."""
        ways = []
        for card in cards:
            chains = self.chains(card)
            if chains:
                entries = [
                    {"card": card if card in self.label else card.partition("#")[0], "targets": one} for one in chains
                ]
                ways.append([None, *entries])
        for chosen in product(*ways):
            yield [entry for entry in chosen if entry] or None

    def identity(self, entry: dict[str, Any]) -> tuple[Any, ...]:
        """What a stated copy makes of a card: name and value, whichever way it is reached."""
        zone, _, written = entry["targets"][-1].partition(":")
        slug = entry["card"].partition("#")[0]
        if zone == "hand":
            target = self.label[self.named(written, set())]
            return slug, target[2] or target[0], target[1], target[3] == "used"
        return slug, written, VALUE[written] + self.shows, False

    def key(self, proposal: Any) -> tuple[Any, ...]:
        """The action a canonical proposal stands for."""
        given = proposal["arguments"]
        taken = {name for field in ("payment", "cards") for name in given.get(field, []) if "#" in name}
        own = [self.named(name, taken) for name in given.get("payment", given.get("cards", []))]
        choices = given.get("choices", {})
        chosen = [self.choice(name, proposal["tool"]) for name in choices.get("cards", [])]
        return (
            proposal["tool"],
            self.label[self.named(given["card"], set())] if "card" in given else None,
            given.get("source"),
            tuple(sorted(str(self.label[name]) for name in own)),
            tuple(sorted(given.get("throw_away", given.get("from_discard", [])))),
            tuple(chosen),
            str({field: value for field, value in choices.items() if field != "cards"}),
            tuple(sorted(str(self.identity(entry)) for entry in given.get("copies", []))),
        )

    def choice(self, written: str, tool: str) -> Any:
        """A card in `choices`: by its likeness if it is a card of the hand, else by its name."""
        slug, mark, _ = written.partition("#")
        names = [name for name in self.hand if name.startswith(f"{slug}#")]
        if mark:
            return self.label.get(written, slug)
        return self.label[names[-1]] if names and len({self.label[name] for name in names}) == 1 else slug


def subsets(cards: list[str]) -> Iterator[list[str]]:
    """Every selection, in the order of the zone."""
    for count in range(len(cards) + 1):
        yield from (list(chosen) for chosen in combinations(cards, count))


def purchases(table: Table) -> Iterator[dict[str, Any]]:
    """Every payment for every source, with junk thrown away or not."""
    for source in [*(f"slot_{slot}" for slot in range(5)), "market_discard"]:
        top = (table.zones["market_discard"] or [None])[-1]
        bought = top if source == "market_discard" else table.zones["market"][int(source[-1])]
        for paid in subsets(table.hand):
            thrown: list[list[str]] = [[]]
            if bought == "essential_purchase":
                thrown = [
                    list(one) for one in {tuple(name.partition("#")[0] for name in part) for part in subsets(paid)}
                ]
            for copies in table.copies(paid):
                for part in thrown:
                    yield {"source": source, "payment": paid, "throw_away": part, "copies": copies}


def stacks(table: Table) -> Iterator[dict[str, Any]]:
    """Every selection of hand cards with every selection of up to three discarded ones."""
    pile: list[str] = table.zones[table.seat]["discard"]
    included = {tuple(sorted(chosen)) for count in range(min(3, len(pile)) + 1) for chosen in combinations(pile, count)}
    for cards in subsets(table.hand):
        for chosen in included:
            if len(chosen) <= len(cards):
                for copies in table.copies([*cards, *chosen]):
                    yield {"cards": cards, "from_discard": list(chosen), "copies": copies}


def choices(table: Table) -> Iterator[dict[str, Any]]:
    """Every content of one or two fields of `choices`."""
    pile = table.zones[table.seat]["discard"]
    cards = [[name] for name in [*table.hand, *dict.fromkeys(pile)]]
    seats = [[seat] for seat in table.seen["seats"]] + [list(pair) for pair in permutations(table.others, 2)]
    slots = [[f"slot_{slot}"] for slot in range(5)]
    stalls = [
        {"seat": seat, "number": number, "card": card}
        for seat in table.seen["seats"]
        for number, stack in enumerate(table.zones[seat]["stall"], 1)
        for card in dict.fromkeys(stack)
    ]
    yield {}
    for field, values in (("cards", cards), ("opponents", seats), ("slots", slots), ("stack", stalls)):
        for value in values:
            yield {field: value}
    for card, seat in product(cards, seats):
        yield {"cards": card, "opponents": seat}


def techniques(table: Table) -> Iterator[dict[str, Any]]:
    """Every card with every choice; copies for it and for one card chosen with it."""
    for card in table.hand:
        for chosen in choices(table):
            secret = [name for name in chosen.get("cards", []) if name in table.hand and name != card]
            for copies in table.copies([card, *secret]):
                yield {"card": card, "choices": chosen, "copies": copies}


def answers(table: Table) -> Iterator[dict[str, Any]]:
    """Every answer to a question of an effect."""
    offered = table.seen["offered"] or table.hand
    for count in range(1, min(3, len(offered)) + 1):
        for order in permutations(offered, count):
            yield {"choices": {"cards": list(order)}}
    for value in range(-1, 23):
        yield {"choices": {"value": value}}
    for name in (*VALUE, *SETS):
        yield {"choices": {"option": name}}


def proposals(table: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every proposal worth judging."""
    yield "skip", {}
    yield "end_turn", {}
    assert table.game.decision is not None
    if table.game.decision.kind == "effect_choice":
        yield from (("choose", one) for one in answers(table))
        return
    yield from (("market", one) for one in purchases(table))
    yield from (("stall", one) for one in stacks(table))
    yield from (("technique", one) for one in techniques(table))
    yield from (("inventory", {"cards": cards}) for cards in subsets(table.hand))
    for card in table.hand:
        yield from (("ability", {"card": card, "copies": copies}) for copies in table.copies([card]))


def hold(game: Game) -> int:
    """Compare the legal list with brute force at one decision; the number of proposals judged."""
    table = Table(game)
    accepted: dict[tuple[Any, ...], Any] = {}
    judged = 0
    for tool, arguments in proposals(table):
        judged += 1
        if not game.judge(table.seat, tool, arguments):
            verdict = game.clone().propose(table.seat, tool, arguments)
            accepted.setdefault(table.key(verdict.proposal), arguments)
    listed: Any = [game.proposal(action) for action in game.legal]
    keys = [table.key(proposal) for proposal in listed]
    missing = [accepted[key] for key in accepted if key not in keys]
    extra = [proposal for key, proposal in zip(keys, listed, strict=True) if key not in accepted]
    assert (missing, extra) == ([], [])
    doubled = [proposal for key, proposal in zip(keys, listed, strict=True) if keys.count(key) > 1]
    assert doubled == []
    return judged


def small(game: Game) -> bool:
    """Few enough chameleons for brute force."""
    assert game.decision is not None
    zones: Any = game.position()[game.decision.seat]
    chameleons = sum(card in CHAMELEONS for card in zones["hand"])
    return len(zones["hand"]) <= 5 and chameleons <= 2 and sum(card in CHAMELEONS for card in zones["discard"]) <= 1


@pytest.mark.parametrize("block", range(4))
def test_crowded_positions(walk: Walk, crowd: Callable[..., Game], block: int) -> None:
    judged = 0
    for seed in range(block * 20, block * 20 + 20):
        for game in walk(crowd(seed, hand=4, pile=3), seed, 5):
            if small(game):
                judged += hold(game)
    assert judged > 10_000


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dealt_games(walk: Walk, players: int) -> None:
    for number, game in enumerate(walk(Game.new(players=players, seed=players + 70), players, 200)):
        if number % 16 == 0 and small(game):
            hold(game)


def test_bans_picks_and_purchases_with_gold(walk: Walk, crowd: Callable[..., Game]) -> None:
    for players in (2, 3):
        for game in walk(Game.new(players=players, seed=9, variant="tournament"), players, 5):
            hold(game)
    for seed in range(200, 220):
        game = crowd(seed, hand=4, pile=2, rich=True)
        if small(game):
            hold(game)


@pytest.mark.slow
def test_many_crowded_positions(walk: Walk, crowd: Callable[..., Game]) -> None:
    for seed in range(1000, 5000):
        for game in walk(crowd(seed, hand=4, pile=3), seed, 8):
            if small(game):
                hold(game)
