"""What lies before each player, as lines of the table: piles and their sizes, stacks, and the hand if it is open."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from harness.terminal.cards import CardRow, hand_rows, piled
from harness.terminal.cells import cut, flow, joined, styled, tail
from harness.terminal.table import HEAD, LABEL, QUIET, Table

STACKS = 8
"""Stacks that win the game (R-END-01)."""


def seats_in_order(table: Table) -> list[str]:
    """The own seat first and then on in turn order; with everything open, from the first seat."""
    seats = list(table.seen["seats"])
    start = 0 if table.opened is not None else seats.index(table.seen["seat"])
    return seats[start:] + seats[:start]


def seat_lines(table: Table, seat: str, lines: int, width: int) -> list[Text]:
    """One seat on one or two lines, 0: on as many as it takes."""
    head = _head(table, seat)
    stacks = _stacks(table, seat)
    player = table.seen["seats"][seat]
    if lines == 1:
        return _terse(table, seat, head, stacks, width)
    shown = pile_lines(
        table, head.append(f"{table.say('deck')} {player['deck_size']}, "), player["discard"], lines, width
    )
    hand = _hand(table, seat)
    if hand:
        shown += _listed(styled((f"  {table.say('hand')}: ", QUIET)), hand, lines, width, ", ")
    if player["in_play"]:
        caption = styled((f"  {table.say('in_play')}: ", QUIET))
        shown += _listed(caption, piled(player["in_play"], table.seen["edition"]), lines, width, ", ")
    return shown + _listed(Text.assemble("  ", _stack_head(table, seat)), stacks, lines, width, "; ")


def _terse(table: Table, seat: str, head: Text, stacks: Sequence[Text], width: int) -> list[Text]:
    """The sizes of the piles and the stacks on one line; open hands on another. The top discard if there is room."""
    player = table.seen["seats"][seat]
    head.append(f"{table.say('deck')} {player['deck_size']}, {table.say('discard')} {len(player['discard'])}")
    hand, stack_head = _hand(table, seat), _stack_head(table, seat)
    if hand:
        return [tail(head.append("; "), hand, width), tail(Text.assemble("  ", stack_head), stacks, width, "; ")]
    top = f" ({table.say('top')} {player['discard'][-1]})" if player["discard"] else ""
    if head.cell_len + len(top) + 2 + stack_head.cell_len + joined(stacks, "; ").cell_len <= width:
        head.append(top)
    return [tail(Text.assemble(head, "; ", stack_head), stacks, width, "; ")]


def pile_lines(table: Table, head: Text, cards: Sequence[str], lines: int, width: int) -> list[Text]:
    """A discard pile behind a head: its size and its cards, the top one last; all of them if ``lines`` is 0."""
    if not cards:
        return [cut(head.append(f"{table.say('discard')} 0"), width)]
    caption = table.say("discard_top_last", count=len(cards))
    head.append(f"{caption}: ")
    return _listed(head, piled(cards, table.seen["edition"]), lines, width, ", ")


def deck_lines(table: Table, caption: str, cards: Sequence[str], width: int) -> list[Text]:
    """A deck that lies open for the one who looks, from the top."""
    shown = piled(cards, table.seen["edition"]) or [Text(table.say("none"))]
    return flow(styled((f"  {caption}: ", QUIET)), shown, width, indent=4)


def _listed(head: Text, items: Sequence[Text], lines: int, width: int, joint: str) -> list[Text]:
    return [tail(head, items, width, joint)] if lines else flow(head, items, width, joint, indent=4)


def _head(table: Table, seat: str) -> Text:
    player = table.seen["seats"][seat]
    mine = table.opened is None and seat == table.seen["seat"]
    deciding = table.seen["decision"] is not None and table.seen["decision"]["seat"] == seat
    name = f"{seat} {table.name(seat)}"
    if mine and table.name(seat) != table.say("you"):
        name += f" ({table.say('you')})"
    head = styled((f"{'>' if deciding else ' '} {name}: ", HEAD if deciding else LABEL))
    if player["forfeited"]:
        head.append(f"{table.say('gave_up')}, ")
    if "gold" in player:
        head.append(f"{table.say('gold')} {player['gold']}, ")
    if not mine and table.opened is None:
        head.append(f"{table.say('hand')} {player['hand_size']}, ")
    return head


def _stack_head(table: Table, seat: str) -> Text:
    built = len(table.seen["seats"][seat]["stall"])
    return styled((f"{table.say('stacks')} {built}/{STACKS}: ", LABEL))


def _stacks(table: Table, seat: str) -> list[Text]:
    stall = table.seen["seats"][seat]["stall"]
    edition = table.seen["edition"]
    built = [
        Text.assemble((f"{number} ", "bold"), joined(piled(stack, edition), " + "))
        for number, stack in enumerate(stall, 1)
    ]
    return built or [styled((table.say("none"), QUIET))]


def _hand(table: Table, seat: str) -> list[Text]:
    """The hand of a seat as names with values, if all hands are open."""
    if table.opened is None:
        return []
    rows = hand_rows({"hand": table.opened.hands[seat], "edition": table.seen["edition"]})
    return [_held(row) for row in rows] or [Text(table.say("none"))]


def _held(row: CardRow) -> Text:
    copied = f" = {row.copies}" if row.copies else ""
    return styled((f"{row.name}{copied}", row.colour), f" {row.worth}")
