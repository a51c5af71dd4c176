from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import SETS, Game, catalogue

CARDS = [card for card in catalogue("classic") if card.set != "none"]
CHAMELEONS = {"flexible_shopkeeper", "reflection", "good_old_times", "trendsetting", "seeing_doubles"}


@pytest.fixture(scope="session")
def walk() -> Callable[..., Iterator[Game]]:
    """Uniformly random play from a position on: the same game object, stopped at each of its decisions."""

    def decisions(game: Game, seed: object, count: int) -> Iterator[Game]:
        chance = random.Random(str(seed))
        for _ in range(count):
            if game.over:
                return
            yield game
            legal = game.legal
            game.apply(legal[chance.randrange(len(legal))])

    return decisions


@pytest.fixture(scope="session")
def crowd() -> Callable[..., Game]:
    """A position made by a seed, with cards of all kinds in small hands, piles and stalls, as late games have them."""

    def build(seed: int, players: int | None = None, hand: int = 4, pile: int = 3) -> Game:
        chance = random.Random(f"crowd {seed}")
        players = players or chance.choice([2, 2, 3, 4])
        sets = chance.sample(SETS, players + 1)
        slugs = [card.slug for card in CARDS if card.set in sets]
        dear = [card.slug for card in CARDS if card.set in sets and card.value > 1]

        def some(most: int, least: int = 0, names: list[str] | None = None) -> list[str]:
            return [chance.choice([*(names or slugs), "junk"]) for _ in range(chance.randint(least, most))]

        state: dict[str, Any] = {
            "market": [chance.choice([*dear, None]) for _ in range(5)],
            "market_deck": [chance.choice(dear) for _ in range(chance.randint(0, 8))],
            "market_discard": [card for card in some(3) if card != "junk"],
            "junk_pile": chance.randint(0, 6),
        }
        for index, seat in enumerate("ABCD"[:players]):
            state[seat] = {
                "hand": some(hand, 1 if index == 0 else 0),
                "deck": some(6),
                "discard": some(pile),
                "stall": [
                    [card for card in some(2, 1) if card != "junk"] or ["junk"] for _ in range(chance.randint(0, 6))
                ],
            }
        return Game.from_position({"players": players, "sets": sets, "seed": seed, "state": state})

    return build


@pytest.fixture(scope="session")
def physical() -> Callable[[Game], list[int]]:
    """Every physical card of a game, wherever it lies."""

    def cards(game: Game) -> list[int]:
        data: Any = game.to_json()
        found = [card for zone in data["zones"] for card in zone if card >= 0]
        found += [card for stall in data["stalls"] for stack in stall for card in stack]
        return sorted(found)

    return cards


class Speaker:
    """Makes random readable proposals for the deciding seat from what it sees."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        assert game.decision is not None
        self.chance = chance
        self.game = game
        self.seat = game.decision.seat
        self.seen: Any = game.observe(self.seat)
        self.hand = [entry["card"].partition("#")[0] for entry in self.seen["hand"]]
        own = self.seen["seats"][self.seat]
        self.pile: list[str] = own["discard"]
        self.slugs = ["junk", *(card.slug for card in CARDS if card.set in game.sets)]
        self.strange = [card.slug for card in CARDS if card.set not in game.sets]
        self.targets = [f"hand:{name}" for name in self.numbered(self.hand)]
        self.targets += [f"market:{offer['card']}" for offer in self.seen["market"] if offer]
        self.targets += [f"market_discard:{slug}" for slug in self.seen["market_discard"][-2:]]
        for seat, zones in self.seen["seats"].items():
            self.targets += [f"discard_{seat}:{slug}" for slug in zones["discard"][-2:]]
        self.targets += [f"stall:{slug}" for stack in own["stall"][-2:] for slug in stack]

    def numbered(self, zone: list[str]) -> list[str]:
        """Every card of a zone by its number."""
        return [f"{slug}#{1 + zone[:place].count(slug)}" for place, slug in enumerate(zone)]

    def some(self, zone: list[str], most: int = 8) -> list[str]:
        """A selection of a zone, now and then with a name too many, by number or bare."""
        names = self.numbered(zone)
        chosen = [name for name in names if self.chance.random() < self.chance.choice([0.2, 0.5, 0.9])][:most]
        self.chance.shuffle(chosen)
        if self.chance.random() < 0.5:
            chosen = [name.partition("#")[0] for name in chosen]
        if self.chance.random() < 0.12:
            chosen.insert(self.chance.randint(0, len(chosen)), self.any_name())
        return chosen

    def any_name(self) -> str:
        """Any card of the game, rarely one of another, by number or bare."""
        chance = self.chance
        slug = chance.choice(chance.choice([self.hand or self.slugs, self.pile or self.slugs, self.slugs]))
        if chance.random() < 0.05:
            slug = chance.choice(self.strange)
        return f"{slug}#{chance.randint(1, 4)}" if chance.random() < 0.25 else slug

    def copies(self, cards: list[str]) -> list[dict[str, Any]]:
        """Something stated for the chameleons among these cards, now and then for another card."""
        chance = self.chance
        result = []
        for card in cards:
            copying = card.partition("#")[0] in CHAMELEONS
            if chance.random() < (0.85 if copying else 0.03) and self.targets:
                length = chance.choice([0, 1, 1, 1, 1, 1, 2, 2, 3])
                result.append({"card": card, "targets": [chance.choice(self.targets) for _ in range(length)]})
        return result

    def choices(self) -> dict[str, Any]:
        """Up to three fields of `choices`, with what is at hand."""
        chance = self.chance
        seats = [*self.game.seats, "D", "Z"]
        offered = self.seen["offered"] or []
        zones = [self.hand, self.pile, offered or self.hand, [self.any_name()]]
        slots = [*(f"slot_{slot}" for slot in range(5)), "slot_7"]
        stalls = [
            {"seat": seat, "number": number, "card": chance.choice([*stack, self.any_name()])}
            for seat, shown in self.seen["seats"].items()
            for number, stack in enumerate(shown["stall"], 1)
        ]
        stalls.append({"seat": chance.choice(seats), "number": chance.randint(0, 3), "card": self.any_name()})
        makers: dict[str, Callable[[], Any]] = {
            "cards": lambda: self.some(chance.choice(zones), chance.choice([1, 1, 1, 2, 8])),
            "opponents": lambda: chance.choices(seats, k=chance.choice([1, 1, 2, 3])),
            "slots": lambda: chance.choices(slots, k=chance.choice([1, 1, 2, 5])),
            "stack": lambda: chance.choice(stalls),
            "value": lambda: chance.choice([0, 1, 3, 6, 21]),
            "option": lambda: chance.choice([*self.slugs, "yes"]),
        }
        weights = [5, 5, 2, 2, 1, 1]
        fields = dict.fromkeys(chance.choices(list(makers), weights, k=chance.choice([0, 1, 1, 1, 2, 2, 3])))
        return {field: makers[field]() for field in fields}

    def thrown(self, payment: list[str]) -> list[str]:
        """What is to be thrown away of a payment, most of the time nothing."""
        chance = self.chance
        if chance.random() < 0.7:
            return []
        return chance.choice([payment[:1], payment[-2:], ["junk"] * chance.randint(1, 5), [self.any_name()]])

    def speak(self) -> tuple[str, dict[str, Any]]:
        """Any proposal, most of the time with a tool that answers the decision."""
        chance = self.chance
        kind = self.seen["decision"]["kind"]
        answers = {
            "action": ["market", "market", "technique", "technique", "stall", "stall", "inventory", "ability"],
            "bonus_stack": ["stall", "stall", "ability"],
            "effect_choice": ["choose"],
            "end_of_turn": ["ability"],
        }[kind]
        tool = chance.choice(answers)
        if chance.random() < 0.02:
            tool = chance.choice(["market", "technique", "stall", "inventory", "ability", "choose", "skip", "end_turn"])
        if tool == "market":
            payment = self.some(self.hand)
            source = chance.choice([*(f"slot_{slot}" for slot in range(6)), "market_discard"])
            more = {"throw_away": self.thrown(payment), "copies": self.copies(payment)}
            return tool, {"source": source, "payment": payment, **more}
        if tool == "stall":
            return tool, self.stack()
        if tool == "inventory":
            return tool, {"cards": self.some(self.hand)}
        if tool in ("technique", "ability"):
            card = chance.choice(self.numbered(self.hand)) if self.hand and chance.random() < 0.9 else self.any_name()
            choices = self.choices() if tool == "technique" or chance.random() < 0.1 else {}
            return tool, {"card": card, "choices": choices, "copies": self.copies([card, *choices.get("cards", [])])}
        return tool, {"choices": self.choices()} if tool == "choose" else {}

    def stack(self) -> dict[str, Any]:
        """A stack, now and then with discarded cards, a number or an adjustment."""
        chance = self.chance
        cards = self.some(self.hand)
        pile = self.some(self.pile, 3) if chance.random() < 0.4 else []
        adjust = [
            {"card": card, "by": chance.choice([-1, 0, 1, 2])} for card in [*cards, *pile][: chance.choice([1, 2])]
        ]
        return {
            "cards": cards,
            "from_discard": pile,
            "stack": chance.choice([None, None, None, None, self.seen["next_stack"], chance.randint(-1, 9)]),
            "adjust": adjust if chance.random() < 0.15 else None,
            "copies": self.copies([*cards, *(name.partition("#")[0] for name in pile)]),
        }


@pytest.fixture(scope="session")
def speaker() -> Callable[[Game, object], Speaker]:
    """A maker of random readable proposals for a decision, by a seed."""
    return lambda game, seed: Speaker(game, random.Random(str(seed)))
