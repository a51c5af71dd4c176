"""Random readable proposals over the names in play: what a player who half knows the rules might say."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engine import SETS, Game, catalogue

OPTIONS = ("yes", "no", "deck", "discard")
STATED = {"classic": 0.85, "remastered": 0.1}
"""How often copies are stated for a chameleon: in the remastered edition in vain (R-CPR-01)."""


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
        self.slugs = ["junk", *(card.slug for card in catalogue(game.edition) if card.set in game.sets)]
        self.chameleons = {
            card.slug for card in catalogue(game.edition) if card.set == "chameleons" and card.type == "passive"
        }
        self.active = {card.slug for card in catalogue(game.edition) if card.ability}
        self.strange = [card.slug for card in catalogue(game.edition) if card.set not in (*game.sets, "none")]
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
        if chance.random() < 0.05 and self.strange:
            slug = chance.choice(self.strange)
        return f"{slug}#{chance.randint(1, 4)}" if chance.random() < 0.25 else slug

    def copies(self, cards: list[str]) -> list[dict[str, Any]]:
        """Something stated for the chameleons among these cards, now and then for another card."""
        chance = self.chance
        result = []
        for card in cards:
            copying = card.partition("#")[0] in self.chameleons
            if chance.random() < (STATED[self.game.edition] if copying else 0.03) and self.targets:
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
        stalls += [one for one in stalls if one["seat"] == self.seat][-1:] * 2
        stalls.append({"seat": chance.choice(seats), "number": chance.randint(0, 3), "card": self.any_name()})
        makers: dict[str, Callable[[], Any]] = {
            "cards": lambda: self.some(chance.choice(zones), chance.choice([1, 1, 1, 2, 8])),
            "opponents": lambda: chance.choices(seats, k=chance.choice([1, 1, 2, 3])),
            "slots": lambda: chance.choices(slots, k=chance.choice([1, 1, 2, 5])),
            "stack": lambda: chance.choice(stalls),
            "value": lambda: chance.choice([0, 1, 3, 6, 21]),
            "option": lambda: chance.choice(chance.choice([self.slugs, SETS, OPTIONS])),
        }
        weights = [5, 5, 2, 2, 1, 2]
        fields = dict.fromkeys(chance.choices(list(makers), weights, k=chance.choice([0, 1, 1, 1, 2, 2, 3])))
        return {field: makers[field]() for field in fields}

    def thrown(self, payment: list[str]) -> list[str]:
        """What is to be thrown away of a payment, most of the time nothing."""
        chance = self.chance
        if chance.random() < 0.7:
            return []
        return chance.choice([payment[:1], payment[-2:], ["junk"] * chance.randint(1, 5), [self.any_name()]])

    def speak(self) -> tuple[str, dict[str, Any]]:
        """Any proposal, most of the time with a tool that answers the decision, or one that is nearly legal."""
        return self.nearly() if self.chance.random() < 0.2 else self.freely()

    def nearly(self) -> tuple[str, dict[str, Any]]:
        """A legal proposal into which a field or two of something else come, or from which one is left out."""
        chance = self.chance
        legal = self.game.legal
        proposal: Any = self.game.proposal(legal[chance.randrange(len(legal))])
        tool, arguments = proposal["tool"], {**proposal["arguments"]}
        for _ in range(chance.choice([1, 1, 2])):
            other = self.call(tool)
            field = chance.choice([*other, None])
            if field == "choices":
                choices = {**arguments.get("choices", {}), **other["choices"]}
                dropped = chance.choice([*choices, None])
                arguments["choices"] = {name: value for name, value in choices.items() if name != dropped}
            elif field is not None:
                arguments[field] = other[field]
        return tool, arguments

    def freely(self) -> tuple[str, dict[str, Any]]:
        """Any proposal with any tool, as it seems that fits the decision."""
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
        return tool, self.call(tool)

    def call(self, tool: str) -> dict[str, Any]:
        """Any arguments of a tool."""
        chance = self.chance
        if tool == "market":
            payment = self.some(self.hand)
            source = chance.choice([*(f"slot_{slot}" for slot in range(6)), "market_discard"])
            more = {"throw_away": self.thrown(payment), "copies": self.copies(payment)}
            return {"source": source, "payment": payment, **more}
        if tool == "stall":
            return self.stack()
        if tool == "inventory":
            return {"cards": self.some(self.hand)}
        if tool in ("technique", "ability"):
            card = chance.choice(self.numbered(self.hand)) if self.hand and chance.random() < 0.9 else self.any_name()
            asked = tool == "technique" or (self.game.edition == "remastered" and card.partition("#")[0] in self.active)
            choices = self.choices() if asked or chance.random() < 0.1 else {}
            return {"card": card, "choices": choices, "copies": self.copies([card, *choices.get("cards", [])])}
        return {"choices": self.choices()} if tool == "choose" else {}

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


def speaker(game: Game, seed: object) -> Speaker:
    """A maker of random readable proposals for a decision."""
    return Speaker(game, random.Random(str(seed)))
