"""Cards as lines of the table: where they lie, cost, value, set, kind and effect, below each other or side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from harness import prompts
from harness.prompts import Texts
from harness.render import bare, card_facts
from harness.terminal.cells import cut, grid, styled, wrapped

Data = Mapping[str, Any]

LABEL, QUIET, COST, VALUE = "bold #87afd7", "#9e9e9e", "#ffd75f", "bold"
COLOURS = {
    "macaws": "#ff8787",
    "pandas": "#d7d7d7",
    "raccoons": "#87afff",
    "squirrels": "#ffaf5f",
    "ocelots": "#ffd787",
    "chameleons": "#87d787",
}
"""One for each set; its letters stand beside it always."""
NO_MARK = "---"


@dataclass(frozen=True)
class CardRow:
    """A card, or ``count`` alike ones, to be shown; ``lead`` says where it lies, ``copies`` what it has copied."""

    card: str
    edition: str
    count: int = 1
    lead: str = ""
    cost: int | None = None
    value: int | None = None
    copies: str | None = None
    used: bool = False

    @property
    def name(self) -> str:
        """Its name as the tools take it, and how many there are."""
        return self.card if self.count == 1 else f"{self.card} x{self.count}"

    @property
    def mark(self) -> str:
        """The three letters of its set, as in the codes of the cards."""
        facts = card_facts(self.edition)[bare(self.card)]
        return NO_MARK if facts.type == "junk" else facts.code[:3]

    @property
    def kind(self) -> str:
        """``T`` for a technique, ``P`` for a passive, with ``+`` for a bonus action; blank for junk."""
        facts = card_facts(self.edition)[bare(self.card)]
        return "" if facts.type == "junk" else facts.type[0].upper() + ("+" if facts.plus else "")

    @property
    def worth(self) -> str:
        """Its value now, with the printed one in parentheses where that differs."""
        printed = card_facts(self.edition)[bare(self.card)].value
        value = printed if self.value is None else self.value
        return str(value) if value == printed else f"{value} ({printed})"

    @property
    def colour(self) -> str:
        """The colour of its set."""
        return COLOURS.get(card_facts(self.edition)[bare(self.card)].set, QUIET)

    def effect(self, texts: Texts) -> str:
        """What it does, in one sentence; of a card that has copied, what the copied one does."""
        told = texts.card(self.edition, self.copies or bare(self.card)).brief
        if self.copies:
            told = f"{texts.say('board_copy_of', card=self.copies)}: {told}"
        return f"({texts.terminal['board_used']}) {told}" if self.used else told


def market_rows(seen: Data) -> list[CardRow]:
    """The filled slots of the market, slot_0 first, as the tools name them."""
    return [
        CardRow(slot["card"], seen["edition"], lead=slot["slot"], cost=slot["cost"])
        for slot in seen["market"]
        if slot is not None
    ]


def empty_slots(seen: Data) -> list[str]:
    """The names of the empty slots of the market."""
    return [f"slot_{number}" for number, slot in enumerate(seen["market"]) if slot is None]


def hand_rows(seen: Data) -> list[CardRow]:
    """The cards of a hand in its order, alike ones together."""
    counted: dict[tuple[Any, ...], list[Data]] = {}
    for entry in seen["hand"]:
        key = (entry["card"], entry["value"], entry.get("copies"), entry.get("ability"))
        counted.setdefault(key, []).append(entry)
    return [
        CardRow(
            entries[0]["card"],
            seen["edition"],
            count=len(entries),
            value=entries[0]["value"],
            copies=entries[0].get("copies"),
            used=entries[0].get("ability") == "used",
        )
        for entries in counted.values()
    ]


def card_lines(texts: Texts, rows: Sequence[CardRow], width: int, effect_lines: int, title: str = "") -> list[Text]:
    """Rows below each other, with their effects on at most ``effect_lines`` lines each (0: as many as it takes).

    With a title the first line names it and, of priced cards, the columns.
    """
    priced = any(row.cost is not None for row in rows)
    name = max((len(row.name) for row in rows), default=0)
    captions = (
        [texts.terminal[f"board_{column}"] for column in ("cost", "value", "set", "effect")] if priced else [""] * 4
    )
    cost, worth = len(captions[0]), max([len(captions[1]), *(len(row.worth) for row in rows)])
    lead = max([len(title), *(len(row.lead) for row in rows)]) if priced else 1

    lines = []
    if title:
        first = f"{title:<{lead}} {captions[0]} {'':<{name}} {captions[1]:>{worth}} {captions[2]:<6} {captions[3]}"
        lines.append(cut(styled((first if priced else title, LABEL)), width))
    for row in rows:
        price = "" if row.cost is None else str(row.cost)
        line = styled(
            f"{row.lead:<{lead}} ",
            (f"{price:>{cost}} " if priced else "", COST),
            (f"{row.name:<{name}} ", row.colour),
            (f"{row.worth:>{worth}} ", VALUE),
            (f"{row.mark} {row.kind:<2} ", row.colour),
        )
        lines += _with_effect(line, row.effect(texts), width, effect_lines)
    return lines


def _with_effect(line: Text, effect: str, width: int, limit: int) -> list[Text]:
    room = width - line.cell_len
    parts = wrapped(effect, room)
    if limit and len(parts) > limit:
        parts = [*parts[: limit - 1], " ".join(parts[limit - 1 :])]
    indent = Text(" " * line.cell_len)
    return [cut(Text.assemble(line if not number else indent, part), width) for number, part in enumerate(parts)]


def card_cells(rows: Sequence[CardRow], width: int) -> list[Text]:
    """Rows side by side, without their effects."""
    names = [f"{row.name} = {row.copies}" if row.copies else row.name for row in rows]
    name = max(map(len, names), default=0)
    cells = [
        styled(
            f"{row.lead} " if row.lead else "  ",
            ("" if row.cost is None else f"({row.cost}) ", COST),
            (f"{shown:<{name}} ", row.colour),
            (f"{row.worth} ", VALUE),
            (f"{row.mark} {row.kind}", row.colour),
        )
        for row, shown in zip(rows, names, strict=True)
    ]
    return grid(cells, width)


def piled(cards: Sequence[str], edition: str) -> list[Text]:
    """The names of a pile in order, neighbouring alike ones together."""
    return [styled((run, CardRow(run.partition(" ")[0], edition).colour)) for run in prompts.runs(cards)]
