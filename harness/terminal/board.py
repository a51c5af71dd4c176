"""The table as lines of text: what a seat sees, laid out for a width and as far as possible for a height.

A pure function of the observation, shown by ``dale play`` and ``dale watch``. Every sign stands in letters and words
(``MAC`` for a card of the macaws, ``T+`` for a technique with a bonus action); colours only repeat them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.text import Text

from harness import render
from harness.terminal.cards import CardRow, card_cells, card_lines, empty_slots, hand_rows, market_rows
from harness.terminal.cells import cut, ends, flow, styled, tail, wrapped
from harness.terminal.seats import deck_lines, pile_lines, seat_lines, seats_in_order
from harness.terminal.table import ALERT, HEAD, LABEL, QUIET, Table


@dataclass(frozen=True)
class _Layout:
    """How much room is taken: lines of an effect, of a seat and of the own one (0: as many as it needs), and so on."""

    market_effects: int | None = 0
    hand_effects: int | None = 0
    seat_lines: int = 0
    own_lines: int = 0
    gaps: bool = False
    known_lines: int = 0


_LAYOUTS = (
    _Layout(gaps=True),
    _Layout(),
    _Layout(1, 1, gaps=True),
    _Layout(1, 1, known_lines=1),
    _Layout(1, 1, 2, 2, known_lines=1),
    _Layout(1, 1, 2, 2, known_lines=-1),
    _Layout(1, 1, 1, 2, known_lines=-1),
    _Layout(1, 1, 1, 1, known_lines=-1),
    _Layout(1, None, 1, 2, known_lines=-1),
    _Layout(1, None, 1, 1, known_lines=-1),
    _Layout(None, None, 1, 1, known_lines=-1),
)
"""From roomy to terse; ``None`` for effects sets the cards side by side without them."""


def board(table: Table, width: int, height: int | None = None) -> list[Text]:
    """Lay the table out in lines of at most ``width`` cells: the roomiest way that fits in ``height`` lines.

    The tersest way is taken, whatever its height, if none fits, and the roomiest without a height.
    """
    made: dict[tuple[Any, ...], list[Text]] = {}  # many layouts share a block
    lines: list[Text] = []
    for layout in _LAYOUTS:
        lines = []
        for block, *how in _blocks(table, layout):
            key = (block, *how)
            if key not in made:
                made[key] = block(table, width, *how)
            lines += [Text()] if lines and layout.gaps and made[key] else []
            lines += made[key]
        if height is None or len(lines) <= height:
            break
    return lines


def _blocks(table: Table, layout: _Layout) -> list[tuple[Any, ...]]:
    """The blocks of the table from top to bottom, each with what it takes besides table and width."""
    if "draft" in table.seen:
        return [(_heading, 1), (_draft,)]
    whole = layout.seat_lines == 0
    hand = [(_hand, layout.hand_effects)] if table.opened is None else []
    return [
        (_heading, layout.hand_effects or 1),
        (_market, layout.market_effects, whole),
        *hand,
        (_seats, layout.seat_lines, layout.own_lines),
        (_known, layout.known_lines),
    ]


def decision_words(table: Table) -> str:
    """Who has to decide what, in a few words; the card that asks where an effect does."""
    asked = table.seen["decision"]
    if asked is None:
        return table.say("over")
    words = table.texts.words
    if asked["kind"] == "effect_choice" and asked["card"]:
        what = table.say("asks", card=asked["card"])
    elif "draft" in table.seen:
        what = table.say("sets")
    elif asked["kind"] == "action" and asked["bonus"]:
        what = table.say("bonus")
    else:
        what = words[asked["kind"]]
    if table.opened is None and asked["seat"] == table.seen["seat"]:
        return table.say("you_decide", what=what)
    return table.say("decides", name=table.name(asked["seat"]), seat=asked["seat"], what=what)


def _heading(table: Table, width: int, effects: int) -> list[Text]:
    seen = table.seen
    asked = seen["decision"]
    mine = table.opened is None and asked is not None and asked["seat"] == seen["seat"]
    left = styled((table.say("round", round=seen["round"]), HEAD), "  ")
    if asked is not None and asked["seat"] != seen["turn"]:
        left.append(f"{table.say('turn', name=table.name(seen['turn']), seat=seen['turn'])}; ")
    left.append(decision_words(table), ALERT if mine else LABEL)
    sets = styled((f"{table.texts.words[seen['edition']]}: {', '.join(seen['sets'])}", QUIET))
    lines = [ends(left, sets, width) if left.cell_len + 1 + sets.cell_len <= width else cut(left, width)]
    for change in seen.get("in_force", ()):
        told = render.event(change, table.texts.language)
        lines.append(cut(styled((f"{table.say('in_force')}: ", ALERT), told), width))
    if seen["offered"]:
        rows = [CardRow(card, seen["edition"]) for card in seen["offered"]]
        lines.append(cut(styled((f"{table.say('offered')}:", ALERT)), width))
        lines += card_lines(table.texts, rows, width, effects)
    return lines


def _draft(table: Table, width: int) -> list[Text]:
    seen, draft = table.seen, table.seen["draft"]
    parts = {"banned": draft["banned"], "picked": seen["sets"], "left": draft["left"]}
    lines = [styled(line) for line in wrapped(table.say("draft"), width)]
    for name, sets in parts.items():
        shown = ", ".join(sets) or table.say("no_set")
        lines.append(cut(styled((f"{table.say(name)}: ", LABEL), shown), width))
    gold = [styled(f"{seat} {table.name(seat)}: {player['gold']}") for seat, player in seen["seats"].items()]
    return lines + flow(styled((f"{table.say('gold')}: ", LABEL)), gold, width)


def _market(table: Table, width: int, effects: int | None, whole: bool) -> list[Text]:
    seen, texts = table.seen, table.texts
    rows = market_rows(seen)
    if effects is None:
        lines = [styled((table.say("market"), LABEL)), *card_cells(rows, width)]
    else:
        lines = card_lines(texts, rows, width, effects, table.say("market"))
    empty = empty_slots(seen)
    if empty:
        told = table.say("empty" if len(empty) == 1 else "several_empty")
        lines.append(cut(styled((f"{', '.join(empty)}: {told}", QUIET)), width))
    head = styled(f"  {table.say('market_deck')} {seen['market_deck_size']}, {table.say('junk')} {seen['junk_pile']}, ")
    lines += pile_lines(table, head, seen["market_discard"], 0 if whole else 1, width)
    if table.opened is not None and whole:
        lines += deck_lines(table, table.say("deck_top_first"), table.opened.market_deck, width)
    return lines


def _hand(table: Table, width: int, effects: int | None) -> list[Text]:
    seen = table.seen
    total = sum(entry["value"] for entry in seen["hand"])
    title = f"{table.say('your_hand')}: {len(seen['hand'])}, {table.say('sum')} {total}"
    if seen["hand_limit"] is not None:
        title += f", {table.say('limit')} {seen['hand_limit']}"
    rows = hand_rows(seen)
    if effects is None:
        return [cut(styled((title, LABEL)), width), *card_cells(rows, width)]
    return card_lines(table.texts, rows, width, effects, title)


def _seats(table: Table, width: int, others: int, own: int) -> list[Text]:
    lines = []
    for seat in seats_in_order(table):
        mine = table.opened is None and seat == table.seen["seat"]
        lines += seat_lines(table, seat, own if mine else others, width)
        if table.opened is not None and not others:
            lines += deck_lines(table, table.say("deck_top_first"), table.opened.decks[seat], width)
    return lines


def _known(table: Table, width: int, limit: int) -> list[Text]:
    """What the seat knows about hidden cards: all, one line, or nothing of it."""
    if limit < 0 or table.opened is not None or not table.seen["known"]:
        return []
    items = []
    for known in table.seen["known"]:
        position = known.get("position")
        way = "somewhere" if position is None else "in_place" if position else "on_top"
        place = (position or 0) + 1
        items.append(Text(table.say(way, card=known["card"], zone=known["zone"], place=place)))
    head = styled((f"{table.say('known')}: ", LABEL))
    return flow(head, items, width, joint="; ") if not limit else [tail(head, items, width, "; ")]
