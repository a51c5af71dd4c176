"""The open decision as the makers of illegal examples look at it, and how they write calls.

Everything here is known to the deciding seat: its hand, the public zones, its legal list.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Final

from engine.actions import Action
from engine.cards._define import PROGRAMS, Program
from engine.checks.authority import ALLOWED
from engine.checks.copies import spell_chain
from engine.checks.judge import judge
from engine.copying import copies_on, identities
from engine.decisions import Decision
from engine.frames import ABILITY_PROGRAMS
from engine.legal import LegalActions
from engine.proposals import proposal_of, used_kind
from engine.references import Reader, copy_name, kinds_of
from engine.stacks import Piece
from engine.state import Frame, State
from engine.tables import SLUGS
from engine.types import EMPTY, JSON, KIND_MASK, MARKET_TOOL, SEATS, Card, Kind, Seat
from engine.values import Identity
from engine.verbs.spelling import spell_card

Call = tuple[str, dict[str, JSON]]
"""A tool and its arguments (contract section 1)."""

_NUMBERS: Final = {"technique": 0, "ability": ABILITY_PROGRAMS}
"""What is added to a kind to get the number of its program."""


class Spot:
    """A decision of one seat, with what several makers look up in it."""

    def __init__(self, g: State, decision: Decision) -> None:
        self.g = g
        self.decision = decision
        self.seat: Seat = SEATS.index(decision.seat)
        self.tools = ALLOWED[decision.kind]
        self.hand = g.hand(self.seat)
        self.pile = g.discard(self.seat)
        self._identities: dict[Card, list[Identity]] = {}

    def identities(self, card: Card) -> list[Identity]:
        """All a card can be in its next use."""
        found = self._identities.get(card)
        if found is None:
            found = self._identities[card] = identities(self.g, self.seat, card)
        return found

    def pieces(self, cards: list[Card]) -> list[Piece]:
        """Every card in everything it can be; alike cards each on their own."""
        return [Piece(card, one) for card in cards for one in self.identities(card)]

    @cached_property
    def legal(self) -> LegalActions:
        """The legal list."""
        return LegalActions(self.g)

    @cached_property
    def in_hand(self) -> list[Piece]:
        """The hand in everything it can be."""
        return self.pieces(self.hand)

    @cached_property
    def in_pile(self) -> list[Piece]:
        """The own discard pile in everything its cards can be."""
        return self.pieces(self.pile)

    @cached_property
    def copying(self) -> list[Card]:
        """The hand cards that have to copy."""
        return [card for card in self.hand if copies_on(self.g, card)]

    @cached_property
    def copying_pile(self) -> list[Card]:
        """The cards of the own discard pile that have to copy if they are used."""
        return [card for card in self.pile if copies_on(self.g, card)]

    @property
    def occupied(self) -> list[int]:
        """The market slots that hold a card."""
        return [slot for slot, card in enumerate(self.g.market) if card != EMPTY]

    @property
    def sources(self) -> list[str]:
        """All that could be bought if it were paid for."""
        return [*(f"slot_{slot}" for slot in self.occupied), *(["market_discard"] if self.g.market_discard else [])]

    def purchases(self) -> Iterator[tuple[Action, dict[str, JSON]]]:
        """The legal purchases with their arguments, as they stand in the legal list, nothing thrown away."""
        if "market" in self.tools:
            for action in self.legal.of_tool(MARKET_TOOL):
                if not action.extra:
                    yield action, arguments_of(self.g, action)

    def paid_as(self, action: Action, card: Card) -> Kind:
        """What a card counts as in a legal action."""
        return used_kind(self.g, action, card)

    @cached_property
    def names(self) -> dict[Card, str]:
        """For each card of the hand the name that means it or an alike one, as the canonical form spells it."""
        return {card: spell_card(self.g, self.seat, card) for card in self.hand}

    def exact(self, card: Card) -> str:
        """The name that means this card of the hand and no other."""
        return copy_name(self.hand, card)

    @cached_property
    def absent(self) -> dict[str, list[Kind]]:
        """The kinds of this game by the code for naming one that is not in the hand (R-ERR-05)."""
        reader = Reader(self.g, self.seat)
        kinds: dict[str, list[Kind]] = {}
        for kind in kinds_of(self.g):
            kinds.setdefault(reader.absent_from_hand(kind), []).append(kind)
        return kinds

    def copies(self, pieces: list[Piece], exact: bool = False) -> dict[str, JSON]:
        """The field `copies` for these pieces, left out if nothing has to be stated."""
        entries: list[JSON] = []
        for card, identity in pieces:
            if identity.chain and copies_on(self.g, card):
                name = self.exact(card) if exact else self.names.get(card) or SLUGS[card & KIND_MASK]
                targets: list[JSON] = [*spell_chain(self.g, self.seat, identity.chain)]
                entries.append({"card": name, "targets": targets})
        return {"copies": entries} if entries else {}

    def market(self, source: str, paid: list[Piece]) -> Call:
        """A purchase paid with these pieces."""
        payment: list[JSON] = [self.names[card] for card, _ in paid]
        return "market", {"source": source, "payment": payment, **self.copies(paid)}

    def stall(self, built: list[Piece], included: list[Piece] | None = None, **more: JSON) -> Call:
        """A stack of these pieces of the hand and of the own discard pile."""
        cards: list[JSON] = [self.names[card] for card, _ in built]
        found = included or []
        pile: list[JSON] = [copy_name(self.pile, card) for card, _ in found]
        from_discard: dict[str, JSON] = {"from_discard": pile} if pile else {}
        return "stall", {"cards": cards, **from_discard, **self.copies([*built, *found]), **more}

    def used(self, tool: str, piece: Piece, **more: JSON) -> Call:
        """A technique played or an ability used with this piece."""
        return tool, {"card": self.exact(piece.card), **self.copies([piece], exact=True), **more}

    def effects(self) -> Iterator[tuple[str, Piece, Program]]:
        """Every technique that can be played here and every ability that could be used, with its program."""
        programs = PROGRAMS[self.g.edition]
        for piece in self.in_hand:
            for tool, number in _NUMBERS.items():
                program = programs.get(number + piece.identity.kind)
                if program is not None and tool in self.tools:
                    yield tool, piece, program

    def frame(self, tool: str, piece: Piece) -> Frame:
        """The frame in which the questions of a technique or an ability look at the position."""
        return Frame(_NUMBERS[tool] + piece.identity.kind, self.seat, piece.card)


def primary_code(g: State, seat: Seat, call: Call) -> str | None:
    """The primary code the checker refuses a seat's call with, None if it is legal."""
    found = judge(g, seat, *call)
    return None if isinstance(found, Action) else found[0].code


def arguments_of(g: State, action: Action) -> dict[str, JSON]:
    """The arguments of a legal action's canonical proposal."""
    arguments = proposal_of(g, action)["arguments"]
    return dict(arguments) if isinstance(arguments, dict) else {}


def answer_of(g: State, frame: Frame, program: Program) -> dict[str, JSON]:
    """The choices that answer every question of a program by its first option."""
    choices: dict[str, JSON] = {}
    for question in program.questions:
        options = question.options(g, frame)
        if options:
            choices.update(question.spell(g, frame, options[0]))
    return choices


def list_in(arguments: dict[str, JSON], field: str) -> list[JSON]:
    """A list among the arguments, empty if it is not given."""
    value = arguments.get(field)
    return value if isinstance(value, list) else []
