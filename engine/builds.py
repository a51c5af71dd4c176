"""The stacks of a legal list (rules.md 6)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.actions import Action
from engine.choices import Choice
from engine.copying import copies_of, identities
from engine.groups import Add
from engine.hand_tables import HandTable
from engine.hands import Pick
from engine.open_cards import Way
from engine.stacks import (
    Content,
    Piece,
    accordions_in,
    card_content,
    faults_of,
    fitting_adjustment,
    hand_items_in,
    items_in,
    lifts_tests,
    next_stack,
    sum_in,
)
from engine.state import State
from engine.tables import ACCORDION, CLASSIC_CHAMELEONS
from engine.types import KIND_MASK, STALL_TOOL, Card, Kind, Seat
from engine.values import plain

Pieces = tuple[Piece, ...]
_ADJUSTS: Final = frozenset((ACCORDION, *CLASSIC_CHAMELEONS))
"""The cards that are or may become Accordions."""


def stack_parts(g: State, seat: Seat, table: HandTable, ways: Sequence[Way], pick: Pick, add: Add) -> None:
    """Every legal Stall action: cards of the table together with open cards used in one of these ways."""
    number = next_stack(g, seat)
    pile: list[tuple[Piece, Content]] | None = None
    for way in ways:
        size = table.count_stacks(number, way.content, way.sets)
        if size:
            add((size, _maker(g, number, table, way, pick)))
        if (table.item or hand_items_in(way.content)) and _may_include(g, seat, table, way, number):
            pile = _pile_pieces(g, seat) if pile is None else pile
            found = _with_pile_cards(table, way, number, pile)
            if found:
                add((len(found), _pile_maker(g, number, found, pick)))


def _maker(g: State, number: int, table: HandTable, way: Way, pick: Pick) -> Callable[[int], Action]:
    """Makes the Stall actions of cards of the table and open cards."""

    def make(index: int) -> Action:
        return stack_of(g, number, pick(table.stacks(number, way.content, way.sets)[index]), way.pieces)

    return make


def _pile_maker(
    g: State, number: int, found: list[tuple[Choice, Pieces, Pieces]], pick: Pick
) -> Callable[[int], Action]:
    """Makes the Stall action of one of these: cards of the table, open cards, cards of the discard pile."""

    def make(index: int) -> Action:
        choice, used, chosen = found[index]
        included = tuple(sorted(chosen, key=lambda piece: g.discard(g.turn).index(piece.card)))
        return stack_of(g, number, pick(choice), used, included)

    return make


def stack_of(g: State, number: int, cards: tuple[Card, ...], used: Pieces = (), included: Pieces = ()) -> Action:
    """The Stall action of these cards that are one thing each, open cards, and cards of the discard pile."""
    pieces = [Piece(card, plain(g, card)) for card in cards]
    if used:
        hand = g.hand(g.turn)
        pieces = sorted([*pieces, *used], key=lambda piece: hand.index(piece.card))
    every = [*pieces, *included]
    return Action(
        STALL_TOOL,
        cards=tuple([piece.card for piece in pieces]),
        extra=tuple([piece.card for piece in included]),
        adjust=fitting_adjustment(every, number),
        copies=copies_of(g, every),
    )


def _may_include(g: State, seat: Seat, table: HandTable, way: Way, number: int) -> bool:
    """A quick test: an item and a card of the discard pile are too much, if nothing can adjust the total."""
    kinds = {card & KIND_MASK for card in g.discard(seat)}
    if not _ADJUSTS.isdisjoint(kinds) or not _ADJUSTS.isdisjoint(table.places) or accordions_in(way.content):
        return True
    least = sum_in(way.content) + (0 if hand_items_in(way.content) else table.item)
    return bool(kinds) and least < number


def _with_pile_cards(
    table: HandTable, way: Way, number: int, pile: list[tuple[Piece, Content]]
) -> list[tuple[Choice, Pieces, Pieces]]:
    """The stacks in which Nostalgic Items include cards of the own discard pile (SQU3-1)."""
    if not pile:
        return []
    slack = sum([accordions_in(content) for _, content in pile])
    lifted = any([lifts_tests(content) for _, content in pile])
    found = []
    for choice, content, sets in table.selections(number, way.content, way.sets, slack, lifted, more=True):
        if hand_items_in(content):
            most = number + slack + accordions_in(content)
            for included, whole in _with_pile(content, pile, items_in(content), most):
                if not faults_of(whole, sets, number):
                    found.append((choice, way.pieces, included))
    return found


def _pile_pieces(g: State, seat: Seat) -> list[tuple[Piece, Content]]:
    """Every card of the own discard pile in every identity it could be included as (SQU3-5).

    Nostalgic Items first: they take no room and make some for the others. Alike ones stand together.
    """
    alike: dict[tuple[Kind, Kind, int], list[tuple[Piece, Content]]] = {}
    for card in g.discard(seat):
        for identity in identities(g, seat, card):
            piece = Piece(card, identity)
            content = card_content(identity.kind, identity.value, from_hand=False)
            alike.setdefault(_mark(piece), []).append((piece, content))
    every = [entry for entries in alike.values() for entry in entries]
    return sorted(every, key=lambda entry: not items_in(entry[1]))


def _mark(piece: Piece) -> tuple[Kind, Kind, int]:
    """What two cards of a pile agree in if one can be included instead of the other."""
    return piece.card & KIND_MASK, piece.identity.kind, piece.identity.value


def _with_pile(
    content: Content, pile: list[tuple[Piece, Content]], room: int, most: int
) -> list[tuple[Pieces, Content]]:
    """Every selection of discard cards as far as Nostalgic Items allow (SQU3-1); alike ones once, the lowest first."""
    result: list[tuple[Pieces, Content]] = []
    seen = set()
    for place, (piece, more) in enumerate(pile):
        mark = _mark(piece)
        if mark in seen or sum_in(content) + sum_in(more) > most:
            continue
        seen.add(mark)
        whole = content + more
        result.append(((piece,), whole))
        left = room - 1 + items_in(more)
        if left:
            rest = [entry for entry in pile[place + 1 :] if entry[0].card != piece.card]
            result += [((piece, *own), end) for own, end in _with_pile(whole, rest, left, most)]
    return result
