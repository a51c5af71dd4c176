"""Brute force for the legal list: every proposal that small hands allow, and which of them are one action.

Proposals are made from the public zones and the rules of naming alone; which of them are legal is the judge's word.
Two accepted proposals are one action if they differ only in order, in the copy of alike cards or in a default
(contract section 1); of alike hand cards to pay, build, play or discard only the last ones are tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

from engine import SETS, Game, catalogue

CHAMELEONS = {
    "classic": {"flexible_shopkeeper", "reflection", "good_old_times", "trendsetting", "seeing_doubles"},
}
"""The cards that copy at each use, by edition."""
OPTIONS = ("yes", "no", "deck", "discard")


@lru_cache(maxsize=2)
def values(edition: str) -> dict[str, int]:
    """The printed values by slug."""
    return {card.slug: card.value for card in catalogue(edition)}


@lru_cache(maxsize=2)
def active(edition: str) -> set[str]:
    """The cards with an ability of their own."""
    return {card.slug for card in catalogue(edition) if card.ability}


class Table:
    """What the deciding seat sees, in the form the oracle needs."""

    def __init__(self, game: Game) -> None:
        assert game.decision is not None
        self.game = game
        self.chameleons = CHAMELEONS.get(game.edition, set())
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

    def unlike(self) -> list[str]:
        """One card of each likeness in the hand, the last one."""
        return sorted({self.label[name]: name for name in self.hand}.values(), key=self.hand.index)

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
        if slug not in self.chameleons or root in self.locked:
            return []
        found: list[list[str]] = []
        queue: list[tuple[list[str], str]] = [([], slug)]
        for chain, kind in queue:
            for target in self.targets(kind, root):
                written = target.partition(":")[2]
                name = written.partition("#")[0]
                found.append([*chain, target])
                names = {slug, *(one.partition(":")[2].partition("#")[0] for one in chain)}
                if name in self.chameleons and written not in self.locked and name not in names:
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
        return slug, written, values(self.game.edition)[written] + self.shows, False

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
            str(self.meant(given.get("card"), {field: one for field, one in choices.items() if field != "cards"})),
            tuple(sorted(str(self.identity(entry)) for entry in given.get("copies", []))),
        )

    def meant(self, written: str | None, chosen: dict[str, Any]) -> Any:
        """Choices other than cards by what they come to, where remastered cards cannot tell two of them apart.

        Alike cards to copy are one target; of alike market cards thrown away nothing but the rest of the row tells.
        """
        if self.game.edition != "remastered" or written is None:
            return chosen
        slug, _, copied, _ = self.label[self.named(written, set())]
        card = copied or slug
        market = self.zones["market"]
        if card == "trendsetting" and chosen.get("slots"):
            return [market[int(slot[-1])] for slot in chosen["slots"]]
        if card == "reflection" and chosen.get("option") == "no":
            return [self.zones[seat]["discard"][-1] for seat in chosen["opponents"]]
        if card == "loyal_partner":
            return [one for slot, one in enumerate(market) if one and f"slot_{slot}" not in chosen.get("slots", [])]
        return chosen

    def choice(self, written: str, tool: str) -> Any:
        """A card in `choices`: by its likeness if it is a card of the hand, else by its name."""
        slug, mark, _ = written.partition("#")
        names = [name for name in self.hand if name.startswith(f"{slug}#")]
        if mark:
            return self.label.get(written, slug)
        return self.label[names[-1]] if names and len({self.label[name] for name in names}) == 1 else slug


def subsets(table: Table, cards: list[str]) -> Iterator[list[str]]:
    """Every selection of hand cards, in the order of the hand, alike ones once."""
    for count in range(len(cards) + 1):
        found = {tuple(sorted(str(table.label[name]) for name in some)): some for some in combinations(cards, count)}
        yield from map(list, found.values())


def purchases(table: Table) -> Iterator[dict[str, Any]]:
    """Every payment for every source, with junk thrown away or not."""
    for source in [*(f"slot_{slot}" for slot in range(5)), "market_discard"]:
        top = (table.zones["market_discard"] or [None])[-1]
        bought = top if source == "market_discard" else table.zones["market"][int(source[-1])]
        for paid in subsets(table, table.hand):
            thrown: list[list[str]] = [[]]
            if bought == "essential_purchase":
                names = [name.partition("#")[0] for name in paid]
                thrown = [list(one) for count in range(len(names) + 1) for one in {*combinations(names, count)}]
                thrown.sort()
            for copies in table.copies(paid):
                for part in thrown:
                    yield {"source": source, "payment": paid, "throw_away": part, "copies": copies}


def stacks(table: Table) -> Iterator[dict[str, Any]]:
    """Every selection of hand cards with every selection of up to three discarded ones."""
    pile: list[str] = table.zones[table.seat]["discard"]
    makes_room = {"nostalgic_item", *table.chameleons}
    included = {tuple(sorted(chosen)) for count in range(min(3, len(pile)) + 1) for chosen in combinations(pile, count)}
    for cards in subsets(table, table.hand):
        for chosen in sorted(included):
            if sum(card not in makes_room for card in chosen) <= len(cards):
                for copies in table.copies([*cards, *chosen]):
                    yield {"cards": cards, "from_discard": list(chosen), "copies": copies}


def choices(table: Table) -> list[dict[str, Any]]:
    """Every content of one or two fields of `choices`."""
    pile = table.zones[table.seat]["discard"]
    cards = [[name] for name in [*table.hand, *dict.fromkeys(pile)]]
    seats = [[seat] for seat in table.seen["seats"]] + [list(pair) for pair in permutations(table.others, 2)]
    slots = [f"slot_{slot}" for slot in range(5)]
    stalls = [
        {"seat": seat, "number": number, "card": card}
        for seat in table.seen["seats"]
        for number, stack in enumerate(table.zones[seat]["stall"], 1)
        for card in dict.fromkeys(stack)
    ]
    found: list[dict[str, Any]] = [{}]
    found += [{"cards": one} for one in cards]
    found += [{"opponents": one} for one in seats]
    found += [{"slots": list(some)} for count in range(1, 6) for some in combinations(slots, count)]
    found += [{"stack": one} for one in stalls]
    found += [{"option": one} for one in OPTIONS]
    found += [{"value": value} for value in range(7)]
    found += [{"cards": card, "opponents": seat} for card, seat in product(cards, seats)]
    found += [{"opponents": seat, "option": option} for seat, option in product(seats, OPTIONS)]
    return found


def techniques(table: Table) -> Iterator[dict[str, Any]]:
    """Every card with every choice; copies for it and for one card chosen with it."""
    contents = choices(table)
    for card in table.unlike():
        for chosen in contents:
            secret = [name for name in chosen.get("cards", []) if name in table.hand and name != card]
            for copies in table.copies([card, *secret]):
                yield {"card": card, "choices": chosen, "copies": copies}


def abilities(table: Table) -> Iterator[dict[str, Any]]:
    """Every card, with every choice if it has an ability of its own."""
    contents = choices(table)
    for card in table.unlike():
        own = card.partition("#")[0] in active(table.game.edition)
        for copies in table.copies([card]):
            for chosen in contents if own and not copies else [{}]:
                yield {"card": card, "choices": chosen, "copies": copies}


def answers(table: Table) -> Iterator[dict[str, Any]]:
    """Every answer to a question of an effect."""
    offered = table.seen["offered"] or table.hand
    for count in range(1, min(3, len(offered)) + 1):
        for order in permutations(offered, count):
            yield {"choices": {"cards": list(order)}}
    for value in range(-1, 23):
        yield {"choices": {"value": value}}
    for slug in [*values(table.game.edition), *OPTIONS, *SETS]:
        yield {"choices": {"option": slug}}


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
    yield from (("inventory", {"cards": cards}) for cards in subsets(table, table.hand))
    yield from (("ability", one) for one in abilities(table))


def small(table: Table) -> bool:
    """Whether the cards are few enough to list every proposal; two chameleons multiply, three explode."""
    held = Counter(name.partition("#")[0] in table.chameleons for name in table.hand)
    discarded = sum(card in table.chameleons for card in table.zones[table.seat]["discard"])
    return held.total() <= 5 and held[True] + discarded <= 2
