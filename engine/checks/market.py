"""Market actions (rules.md 4)."""

from __future__ import annotations

from engine.actions import Action
from engine.checks.copies import Copying, pieces_of
from engine.checks.form import Arguments
from engine.copying import copies_of, copies_on
from engine.moves import name
from engine.payments import MOST_THROWN, gold_needed, overpays
from engine.references import Reader, slot_number
from engine.stacks import Piece, total_of
from engine.tables import MARKET_DISCOVERY, SLUGS, STOCK_CLEARANCE, THRIFTY
from engine.types import EMPTY, FROM_MARKET_DISCARD, JUNK, KIND_MASK, MARKET_TOOL, Card
from engine.values import gold_of, market_discard_cost, plain, slot_cost


def read_market(reader: Reader, arguments: Arguments) -> Action | None:
    """The purchase proposed, or None with the faults in the reader."""
    g = reader.g
    source = _source(reader, str(arguments["source"]))
    payment = arguments["payment"]
    names = payment if isinstance(payment, list) else []
    before = len(reader.faults)
    cards = reader.cards(g.hand(reader.seat), names, "hand")
    complete = len(reader.faults) == before
    copying = Copying(reader, arguments.get("copies"))
    pieces = pieces_of(copying, cards)
    copying.finish(perhaps=[] if complete else copying.others(EMPTY))
    known = pieces if complete else None
    if known is not None:
        if arguments["source"] == "market_discard" and all(one.identity.kind != MARKET_DISCOVERY for one in known):
            reader.blame("market_discard_not_allowed")
        if source >= 0:
            _test_payment(reader, source, known)
    thrown = _thrown(reader, arguments.get("throw_away"), source, cards, known)
    if reader.faults or known is None:
        return None
    return Action(MARKET_TOOL, cards=tuple(cards), source=source, extra=tuple(thrown), copies=copies_of(g, known))


def _source(reader: Reader, written: str) -> int:
    """Slot number or FROM_MARKET_DISCARD; -1 after blame."""
    if written == "market_discard":
        if reader.g.market_discard:
            return FROM_MARKET_DISCARD
        reader.blame("market_discard_empty")
        return -1
    if slot_number(written) < 0:
        reader.blame("slot_out_of_range", slot=written)
        return -1
    return reader.slot(written)


def _test_payment(reader: Reader, source: int, pieces: list[Piece]) -> None:
    """Sum, gold and overpay rule (R-MKT-06 to R-MKT-09, R-TRM-03, PAN3c-4, PAN4c-3, PAN4c-5, PAN5Bc-1)."""
    g = reader.g
    kinds = [piece.identity.kind for piece in pieces]
    cost = market_discard_cost(g) if source == FROM_MARKET_DISCARD else slot_cost(g, source)
    total = total_of(pieces)
    gold = gold_needed(cost, total)
    if gold > gold_of(g, reader.seat):
        rules, facts = (("R-TRM-03",), {"gold": gold_of(g, reader.seat)}) if g.gold else ((), {})
        reader.blame("insufficient_payment", *rules, cost=cost, total=total, **facts)
        return
    smallest = min((piece.identity.value for piece in pieces), default=0)
    if pieces and STOCK_CLEARANCE not in kinds and overpays(total, smallest, cost - gold):
        superfluous = [name(piece.card) for piece in pieces if total - piece.identity.value >= cost - gold]
        reader.blame("overpay_unneeded_card", cost=cost, total=total, minimum=smallest, superfluous=superfluous)


def _thrown(reader: Reader, written: object, source: int, cards: list[Card], pieces: list[Piece] | None) -> list[Card]:
    """The paid junk cards thrown away instead of discarded (PAN3c-1 to PAN3c-3)."""
    names = written if isinstance(written, list) else []
    if not names:
        return []
    g = reader.g
    if source >= 0:
        bought = g.market_discard[-1] if source == FROM_MARKET_DISCARD else g.market[source]
        thrifty = THRIFTY[g.edition]
        if bought & KIND_MASK != thrifty:
            facts = {"allows": SLUGS[thrifty]} if thrifty >= 0 else {}
            reader.blame("throw_away_not_paid", card=names[0], bought=name(bought), **facts)
    if len(names) > MOST_THROWN:
        reader.blame("throw_away_too_many", given=len(names), most=MOST_THROWN)
    if pieces is not None:
        kinds = {piece.card: piece.identity.kind for piece in pieces}
    else:  # of those that must copy it is not known what they are (R-ERR-05)
        kinds = {card: plain(g, card).kind for card in cards if not copies_on(g, card)}
    junk = {card for card, kind in kinds.items() if kind == JUNK}
    offered = sorted(cards, key=lambda card: card not in junk)
    thrown = reader.cards(g.hand(reader.seat), names, "throw_away_not_paid", offered=offered)
    for card in thrown:
        if card in kinds and card not in junk:
            reader.blame("throw_away_not_junk", card=name(card))
    return thrown
