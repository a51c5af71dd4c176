"""Looking at the top cards of a deck and splitting them (R-INF-03).

The cards stay on their deck while they are looked at; the frame's `count` says how many of the topmost ones they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Final

from engine import knowledge, moves
from engine.events import EVERYBODY
from engine.frames import Asking, Question, Step, Wrong
from engine.moves import names
from engine.references import Choices, Reader, first_of_each
from engine.state import Frame, State
from engine.types import JSON, KIND_MASK, MARKET_POOL, SEATS, Answer, Card
from engine.verbs.asking import listed
from engine.verbs.spelling import spell_cards
from engine.verbs.wrong import wrong_cards

OWN: Final = "own deck"
TARGET: Final = "deck of the chosen player"
SUPPLY: Final = "market deck"
SHOWN: Final = "cards of the chosen player's hand that were drawn by lot"


def owner_of(f: Frame, where: str) -> int:
    """Whose deck is looked at."""
    if where == SUPPLY:
        return MARKET_POOL
    return f.actor if where == OWN else f.seat


def deck_at(g: State, f: Frame, where: str) -> list[Card]:
    """The deck that is looked at."""
    owner = owner_of(f, where)
    return g.market_deck if owner == MARKET_POOL else g.deck(owner)


def looked_at(g: State, f: Frame, where: str) -> list[Card]:
    """The cards being looked at, the top card first, or in the order in which chance drew them."""
    if where == SHOWN:
        return f.picked
    deck = deck_at(g, f, where)
    return deck[len(deck) - f.count :][::-1]


class looked_card(Question):
    """One of the cards looked at; mandatory if there is one."""

    field = "cards"

    def __init__(self, where: str, *rules: str) -> None:
        self.where = where
        self.rules = rules

    def options(self, g: State, f: Frame) -> list[Answer]:
        """One of each name."""
        return [(card,) for card in first_of_each(looked_at(g, f, self.where))]

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Exactly one name of a card looked at."""
        wanted = listed(choices, "cards")
        if not wanted:
            reader.blame("missing_required_choice", *self.rules, field="cards")
            return None
        cards = reader.cards(looked_at(reader.g, f, self.where), wanted, "card_not_offered")
        if len(wanted) > 1:
            reader.blame("too_many_targets", *self.rules, field="cards", given=len(wanted), most=1)
            return None
        return tuple(cards) if cards else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, cards that are not looked at, or two of them."""
        yield "missing_required_choice", {}
        looked = looked_at(g, f, self.where)
        yield from wrong_cards(g, looked, "card_not_offered")
        for pair in combinations(looked, 2):
            yield "too_many_targets", {"cards": names(pair)}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `cards`."""
        return {"cards": spell_cards(looked_at(g, f, self.where), answer)}


class looked_order(Question):
    """All cards still looked at, in placement order (R-ZON-04): the last one ends on top."""

    field = "cards"

    def __init__(self, where: str, *rules: str) -> None:
        self.where = where
        self.rules = rules

    def options(self, g: State, f: Frame) -> list[Answer]:
        """Every order that differs by name."""
        found: dict[tuple[int, ...], Answer] = {}
        for order in permutations(looked_at(g, f, self.where)):
            found.setdefault(tuple(card & KIND_MASK for card in order), order)
        return list(found.values())

    def read(self, reader: Reader, f: Frame, choices: Choices) -> Answer | None:
        """Every card exactly once."""
        wanted = listed(choices, "cards")
        if not wanted:
            reader.blame("missing_required_choice", *self.rules, field="cards")
            return None
        looked = looked_at(reader.g, f, self.where)
        before = len(reader.faults)
        cards = reader.cards(looked, wanted, "card_not_offered")
        if len(reader.faults) == before and len(cards) != len(looked):
            reader.blame("invalid_order", *self.rules, given=list(wanted), expected=len(looked))
        return tuple(cards) if len(reader.faults) == before else None

    def wrong(self, g: State, f: Frame) -> Iterator[Wrong]:
        """Nothing, cards that are not looked at, or an order that leaves one out."""
        yield "missing_required_choice", {}
        looked = looked_at(g, f, self.where)
        yield from wrong_cards(g, looked, "card_not_offered")
        for place in range(1, len(looked)):
            yield "invalid_order", {"cards": names(looked[:place])}

    def spell(self, g: State, f: Frame, answer: Answer) -> dict[str, JSON]:
        """As `cards`."""
        return {"cards": spell_cards(looked_at(g, f, self.where), answer)}


class look(Step):
    """Look at up to `most` top cards of a deck, reshuffling in the middle if needed."""

    def __init__(self, where: str, most: int) -> None:
        self.where = where
        self.most = most

    def start(self, g: State, f: Frame) -> bool:
        """Note who sees the cards."""
        owner = owner_of(f, self.where)
        f.count = moves.supply(g, owner, self.most)
        cards = looked_at(g, f, self.where)
        for card in cards:
            knowledge.look(g, f.actor, owner, card)
        if cards:
            zone = "market_deck" if owner == MARKET_POOL else f"deck_{SEATS[owner]}"
            secret: dict[str, JSON] = {"cards": names(cards)}
            moves.emit_private(g, "look", f.actor, 1 << f.actor, secret, zone=zone, count=len(cards))
        return True


class ask_if_unlike(Asking):
    """Ask only if there is more than one distinct answer (R-DEC-02)."""

    def start(self, g: State, f: Frame) -> bool:
        """Nothing to choose: done. One answer: carried out. Else wait."""
        options = self.question.options(g, f)
        if not options or options == [()]:
            return True
        return len(options) == 1 and self.answer(g, f, options[0])


class take_one(ask_if_unlike):
    """Take one of the cards looked at in the own deck (MAC4-2)."""

    asks = "take"

    def __init__(self) -> None:
        self.question = looked_card(OWN, "MAC4-2")

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Into the hand; nobody else can tell any more where the others lie."""
        (card,) = answer
        looked = looked_at(g, f, OWN)
        for one in looked:
            knowledge.mingle(g, f.actor, one)
        if len(looked) > 1:
            knowledge.forget_places(g, looked, knowledge.others(g, f.actor))
        knowledge.forget_places(g, [card], 1 << f.actor)
        g.deck(f.actor).remove(card)
        g.hand(f.actor).append(card)
        f.count -= 1
        secret: dict[str, JSON] = {"card": moves.name(card)}
        moves.emit_private(g, "take", f.actor, 1 << f.actor, secret, zone=f"deck_{SEATS[f.actor]}")
        return True


class put_back(ask_if_unlike):
    """Put the cards looked at back on top of the own deck in any order (MAC4-2)."""

    asks = "put_back"

    def __init__(self) -> None:
        self.question = looked_order(OWN, "MAC4-2")

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """The last card named is the top card; the player knows where they lie."""
        deck = g.deck(f.actor)
        deck[len(deck) - f.count :] = answer
        secret: dict[str, JSON] = {"cards": names(answer)}
        moves.emit_private(g, "put_back", f.actor, 1 << f.actor, secret, zone=f"deck_{SEATS[f.actor]}", count=f.count)
        return True


class take_offer(ask_if_unlike):
    """Take one of the cards looked at in the market deck (PAN5A-1)."""

    asks = "take"

    def __init__(self) -> None:
        self.question = looked_card(SUPPLY, "PAN5A-1")

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Into the hand, known to the taker only (PAN5A-2)."""
        (card,) = answer
        moves.take_from_deck(g, f.actor, MARKET_POOL, card)
        f.count -= 1
        secret: dict[str, JSON] = {"card": moves.name(card)}
        moves.emit_private(g, "take", f.actor, 1 << f.actor, secret, zone="market_deck")
        return True


class throw_offer(ask_if_unlike):
    """Throw the other cards looked at in the market deck away in any order (PAN5A-1)."""

    asks = "throw_away_order"

    def __init__(self) -> None:
        self.question = looked_order(SUPPLY, "PAN5A-1")

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """They become public."""
        for card in answer:
            knowledge.identify(g, EVERYBODY, MARKET_POOL, card, in_hand=False)
            g.market_deck.remove(card)
            moves.throw(g, card)
        moves.emit(g, "throw_away", f.actor, cards=names(answer))
        return True


class throw_one_of_target(ask_if_unlike):
    """Throw away one of the cards looked at; the other goes on that player's discard pile (RAC5A-2)."""

    asks = "throw_away"

    def __init__(self) -> None:
        self.question = looked_card(TARGET, "RAC5A-2")

    def answer(self, g: State, f: Frame, answer: Answer) -> bool:
        """Both become public."""
        (thrown,) = answer
        looked = looked_at(g, f, TARGET)
        for card in looked:
            knowledge.identify(g, EVERYBODY, f.seat, card, in_hand=False)
            g.known.pop(card, None)
            g.deck(f.seat).remove(card)
        moves.throw(g, thrown)
        moves.emit(g, "throw_away", f.actor, cards=[moves.name(thrown)])
        rest = [card for card in looked if card != thrown]
        for card in rest:
            moves.lay_off(g, f.seat, card)
            moves.emit(g, "discard", f.seat, cards=[moves.name(card)])
        return True
