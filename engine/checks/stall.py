"""Stall actions and bonus stacks (rules.md 6)."""

from __future__ import annotations

from engine.actions import Action
from engine.checks.copies import Copying, pieces_of
from engine.checks.form import Arguments
from engine.copying import copies_of
from engine.moves import name
from engine.references import ABSENT, Reader
from engine.stacks import Piece, fitting_adjustment, next_stack, stack_faults, total_of
from engine.subjects import counted_for_adjust
from engine.tables import ACCORDION, NOSTALGIC_ITEM, SETS
from engine.types import EMPTY, JUNK, STALL_TOOL, Card
from engine.values import set_of

Adjustment = tuple[tuple[Card, int], ...]


def read_stall(reader: Reader, arguments: Arguments) -> Action | None:
    """The stack proposed, or None with the faults in the reader."""
    g = reader.g
    number = next_stack(g, reader.seat)
    _test_number(reader, arguments.get("stack"), number)
    before = len(reader.faults)
    cards = reader.cards(g.hand(reader.seat), _names(arguments, "cards"), "hand")
    pile = reader.cards(g.discard(reader.seat), _names(arguments, "from_discard"), "card_in_wrong_zone")
    complete = len(reader.faults) == before
    copying = Copying(reader, arguments.get("copies"))
    hand_pieces = pieces_of(copying, cards)
    pile_pieces = pieces_of(copying, pile)
    copying.finish(perhaps=[] if complete else [*copying.others(EMPTY), *g.discard(reader.seat)])
    stated = arguments.get("adjust")
    if not complete or hand_pieces is None or pile_pieces is None:
        _adjusted(reader, stated, cards)
        return None
    pieces = hand_pieces + pile_pieces
    before = len(reader.faults)
    adjust = _adjust(reader, stated, cards, pieces)
    _test_stack(reader, hand_pieces, pile_pieces, number, adjust, with_total=len(reader.faults) == before)
    if reader.faults:
        return None
    filled = fitting_adjustment(pieces, number) if adjust is None else adjust
    return Action(STALL_TOOL, cards=tuple(cards), extra=tuple(pile), adjust=filled, copies=copies_of(g, pieces))


def _names(arguments: Arguments, field: str) -> list[str]:
    value = arguments.get(field)
    return value if isinstance(value, list) else []


def _test_number(reader: Reader, stated: object, number: int) -> None:
    """A named stack number must be the next one (R-STL-02, R-STL-06, R-ERR-05)."""
    if isinstance(stated, int) and stated != number:
        code = "stack_sealed" if 1 <= stated < number else "stack_out_of_order"
        reader.blame(code, stack=stated, next=number)


def _adjust(reader: Reader, stated: object, cards: list[Card], pieces: list[Piece]) -> Adjustment | None:
    """The stated adjustments, each of a different Accordion by -1, 0 or +1; None if none was stated (SQU5A-1)."""
    if not isinstance(stated, list):
        return None
    accordions = [piece.card for piece in pieces if piece.identity.kind == ACCORDION]
    result = []
    for entry, card in zip(stated, _adjusted(reader, stated, cards, accordions), strict=True):
        if card == ABSENT or entry["by"] not in (-1, 0, 1):
            reader.blame("adjust_not_available", card=entry["card"], by=entry["by"])
        elif entry["by"]:
            result.append((card, int(entry["by"])))
    return tuple(result)


def _adjusted(reader: Reader, stated: object, cards: list[Card], accordions: list[Card] | None = None) -> list[Card]:
    """The card of each stated adjustment, as `Reader.named` finds it.

    cards: those built from the hand. accordions: what can be adjusted; if that is not known, names are looked up only.
    """
    names = [entry["card"] for entry in stated] if isinstance(stated, list) else []
    return reader.named(counted_for_adjust(reader.g, reader.seat, cards), names, offered=accordions)


def _test_stack(
    reader: Reader,
    hand: list[Piece],
    pile: list[Piece],
    number: int,
    adjust: Adjustment | None,
    with_total: bool,
) -> None:
    """The exact test of R-STL-11, with a stated adjustment instead of any that fits (R-ERR-05).

    with_total: whether the total can be told, as it cannot with an adjustment that is not available (R-ERR-04).
    """
    g = reader.g
    total = total_of(hand) + total_of(pile)
    faults = stack_faults(g, hand, pile, number)
    if adjust is not None and "stack_empty" not in faults:
        total += sum(by for _, by in adjust)
        faults = [code for code in faults if code != "stack_wrong_total"]
        if with_total and total != number:
            faults.append("stack_wrong_total")
    items = sum(piece.identity.kind == NOSTALGIC_ITEM for piece in hand + pile)
    sets = sorted({set_of(g, piece.identity.kind) for piece in hand if piece.identity.kind != JUNK})
    for code in faults:
        if code == "stack_wrong_total":
            reader.blame(code, total=total, number=number)
        elif code == "stack_mixed_sets":
            reader.blame(code, sets=[SETS[one] for one in sets])
        elif code == "stack_contains_junk":
            reader.blame(code, card=next(name(piece.card) for piece in hand if piece.identity.kind == JUNK))
        elif code == "discard_inclusion_limit":
            reader.blame(code, given=len(pile), most=items)
        else:
            reader.blame(code)
