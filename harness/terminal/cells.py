"""Lines of styled text in a given width: cutting, wrapping and setting side by side, by the cells a terminal uses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, chop_cells
from rich.text import Text

CUT = "…"
"""Marks what was left out; it stands in every code page a terminal is likely to have, Windows-1252 included."""


_BULLET = re.compile(r"[ -]*")
_COLUMN = re.compile(r" *\S+(?: \S+)*  +(?=\S)")


def styled(*parts: str | tuple[str, str]) -> Text:
    """Join plain parts and pairs of a part and its style."""
    return Text.assemble(*parts, no_wrap=True)


def cut(text: Text, width: int) -> Text:
    """The text in at most ``width`` cells, with a mark where it is cut; blanks at its end go."""
    short = text.copy()
    short.rstrip()
    short.truncate(max(width, 0), overflow="ellipsis")
    return short


def filled(text: Text, width: int) -> Text:
    """The text in exactly ``width`` cells."""
    short = cut(text, width)
    short.pad_right(max(0, width - short.cell_len))
    return short


def ends(left: Text, right: Text, width: int) -> Text:
    """Two texts at both ends of a line; the left one is cut for the right one."""
    room = width - right.cell_len
    return cut(Text.assemble(filled(left, room - 1), " ", right) if room > 1 else left, width)


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most ``width`` cells, broken between words where that goes; at least one line."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(joined) <= width:
            lines[-1] = joined
            continue
        pieces = chop_cells(word, max(width, 1))
        lines += pieces if lines[-1] else []
        if not lines[0]:
            lines = pieces
    return lines


def hanging(text: str, width: int) -> list[str]:
    """A text of several lines in lines of at most ``width`` cells; what is broken goes on below where it began.

    That is behind the dash or the blanks at the beginning of its line or, in a list of two columns, in the second one.
    """
    lines = []
    for line in text.split("\n"):
        if cell_len(line) <= width:
            lines.append(line)
            continue
        head = _COLUMN.match(line) or _BULLET.match(line)
        indent = head.end() if head is not None and head.end() <= width // 2 else 0
        parts = wrapped(line[indent:], width - indent)
        lines += [(line[:indent] if not number else " " * indent) + part for number, part in enumerate(parts)]
    return lines


def flow(head: Text, items: Sequence[Text], width: int, joint: str = ", ", indent: int = 2) -> list[Text]:
    """The items one after the other behind a head, on as many lines as it takes; further lines are indented."""
    lines = [head.copy()]
    mark = joint.rstrip()
    for number, item in enumerate(items):
        last = number == len(items) - 1
        needed = item.cell_len + (0 if last else len(mark))
        if lines[-1].cell_len + needed > width and lines[-1].plain.strip():
            lines.append(Text(" " * indent))
        lines[-1].append_text(item).append("" if last else joint)
    return [cut(line, width) for line in lines]


def tail(head: Text, items: Sequence[Text], width: int, joint: str = ", ") -> Text:
    """One line with the last items that fit behind a head; a mark stands for those before them."""
    chosen: list[Text] = []
    room = width - head.cell_len
    for item in reversed(items):
        mark = len(CUT) + 1 if len(chosen) + 1 < len(items) else 0
        needed = item.cell_len + (len(joint) if chosen else 0)
        if chosen and needed + mark > room:
            break
        chosen.insert(0, item)
        room -= needed
    left_out = [Text(f"{CUT} ")] if len(chosen) < len(items) else []
    return cut(Text.assemble(head, *left_out, joined(chosen, joint)), width)


def joined(items: Iterable[Text], joint: str = ", ") -> Text:
    """The items with the joint between them."""
    return Text(joint).join(items)


def grid(cells: Sequence[Text], width: int, gap: int = 2) -> list[Text]:
    """The cells in as many columns as fit, filled line by line."""
    if not cells:
        return []
    column = max(cell.cell_len for cell in cells) + gap
    columns = max(1, (width + gap) // column)
    rows = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    return [cut(Text.assemble(*(filled(cell, column) for cell in row)), width) for row in rows]
