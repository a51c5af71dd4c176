"""Looking things up in docs/rules.md and docs/decks.md by ID or by words, and the cards as data.

An ID is that of a rule (`R-MKT-07`), a card statement (`MAC4-1`, `GV-1`), a card (`PAN3c`), an example
(`EX-MKT-03`), an open question (`Q5`) or a violation code (`overpay_unneeded_card`). The beginning of several IDs
(`R-MKT`) stands for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

from engine import SETS, CardInfo, catalogue
from harness import data, prompts
from harness.errors import UserError

Kind = Literal["rule", "statement", "card", "example", "code", "question", "group"]
FILES = ("docs/rules.md", "docs/decks.md")
EDITIONS = ("classic", "remastered")
_TYPES = {"T": "technique", "P": "passive", "P A": "passive with an ability"}

_RULE = re.compile(r"^\*\*(R-[A-Z]{3}-\d\d)\*\*\s*(.*)$")
_STATEMENT = re.compile(r"^- ([A-Z]{2,3}[\dA-Z]*[cr]?(?:-[cr])?-\d+) (.*)$")
_ROW = re.compile(
    r"^\| *`?(EX-[A-Z]{3}[\dA-Z]*-\d+|Q\d+|[A-Z]{3}\d[AB]?[cr]?|[a-z]+(?:_[a-z]+)+)`? *(?:\(R\) *)?\|(.*)\|$"
)
_MARKS = re.compile(r"\*\*(.+?)\*\*|(?<![\w*])\*([^*\n]+)\*(?![\w*])|`([^`\n]*)`")
_SOURCE = re.compile(
    r"\s*\(((?:seed|rulebook|cards15|cards26|FAQ-PT|FAQ|tournament|impl26|impl24|ruling|computed)\b[^()]*"
    r"(?:\([^()]*\)[^()]*)*)\)\s*$"
)


@dataclass(frozen=True)
class Entry:
    """One thing that has an ID: its text without markup, where it stands, and for a rule its sources."""

    id: str
    kind: Kind
    section: str
    text: str
    source: str = ""


@dataclass(frozen=True)
class Card:
    """A card of one edition with its facts and its text in our own words."""

    info: CardInfo
    text: str
    brief: str


@lru_cache(maxsize=1)
def entries() -> Mapping[str, Entry]:
    """Everything that has an ID, in the order of the documents."""
    found: dict[str, Entry] = {}
    for name in FILES:
        for entry in _parse(data.read_text(name)):
            found.setdefault(entry.id, entry)
    return found


def find_rule(wanted: str) -> Entry:
    """The entry with this ID, or all those whose IDs begin with it, as one; case does not matter.

    Raises UserError with close matches for an ID there is not.
    """
    table = entries()
    by_folded = {entry_id.casefold(): entry_id for entry_id in table}
    folded = wanted.strip().casefold()
    exact = table.get(by_folded.get(folded, ""))
    members = [entry for entry in table.values() if entry.id.casefold().startswith(folded + "-")] if folded else []
    if not members and exact is None and re.fullmatch(r"[a-z]{3}\d[ab]?", folded):  # a card code without its edition
        members = [entry for edition in "cr" for entry in table.values() if _belongs(entry.id, folded + edition)]
    if exact is not None and not members:
        return exact
    if members:
        parts = ([exact] if exact is not None else []) + members
        text = "\n".join(f"{part.id}: {part.text}" for part in parts)
        return Entry(exact.id if exact else wanted.strip(), "group", parts[0].section, text)
    close = get_close_matches(folded, by_folded, n=3, cutoff=0.6)
    near = f"; close to it: {', '.join(by_folded[match] for match in close)}" if close else ""
    raise UserError(f"there is no rule, card statement, example or code {wanted.strip()!r}{near}.")


def search(words: str) -> tuple[Entry, ...]:
    """The entries in which all the words occur, those first where they stand in the ID or the heading."""
    parts = words.casefold().split()
    hits: list[tuple[int, int, Entry]] = []
    for number, entry in enumerate(entries().values()):
        head, body = f"{entry.id} {entry.section}".casefold(), entry.text.casefold()
        if parts and all(part in head or part in body for part in parts):
            weight = sum(2 * (part in entry.id.casefold()) + (part in head) + (part in body[:80]) for part in parts)
            hits.append((-weight, number, entry))
    return tuple(entry for _, _, entry in sorted(hits, key=lambda hit: hit[:2]))


def as_text(entry: Entry) -> str:
    """An entry as `dale rules` prints it: ID, place, text, sources and what else cites it."""
    lines = [f"{entry.id}  ({entry.section})", entry.text]
    if entry.source:
        lines.append(f"Source: {entry.source}")
    citing = _cited_by(entry.id) if entry.kind != "group" else ()
    if citing:
        lines.append(f"See also: {', '.join(citing)}")
    return "\n".join(lines)


def lookup(words: str, limit: int = 20) -> str:
    """The answer to `dale rules WORDS`: the entry with that ID, or else what a search for the words finds.

    Raises UserError if neither finds anything.
    """
    try:
        return as_text(find_rule(words))
    except UserError as error:
        found = search(words)
        if not found:
            what = "these words" if " " in words.strip() else "this word"
            raise UserError(f"{str(error).rstrip('.')}; and no rule contains {what}.") from None
    shown = [f"{entry.id}: {_first_line(entry.text)}" for entry in found[:limit]]
    if len(found) > limit:
        shown.append(f"... and {len(found) - limit} more; add a word to narrow the search.")
    return "\n".join(shown)


def contents() -> str:
    """The sections of the rules with the IDs that stand in each, first to last."""
    sections: dict[str, list[str]] = {}
    for entry in entries().values():
        if entry.kind in ("rule", "statement", "code"):
            sections.setdefault(entry.section, []).append(entry.id)
    return "\n".join(f"{section}: {ids[0]} to {ids[-1]}" for section, ids in sections.items())


def rule_text(rule: str, limit: int = 700) -> str | None:
    """The text of a rule or statement on one line, for a quotation; None if there is no such ID."""
    try:
        text = " ".join(find_rule(rule).text.split())
    except UserError:
        return None
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + " …"


def cards(set_name: str | None = None, edition: str = "classic", language: str = "en") -> tuple[Card, ...]:
    """The cards of a set (None: all, junk first) with their facts and texts. Raises UserError for unknown names."""
    if edition not in EDITIONS:
        raise UserError(f"there is no edition {edition!r}; there are: {', '.join(EDITIONS)}.")
    if set_name is not None and set_name not in SETS:
        close = get_close_matches(set_name, SETS, n=1)
        near = f" (did you mean {close[0]!r}?)" if close else ""
        raise UserError(f"there is no set {set_name!r}{near}; there are: {', '.join(SETS)}.")
    texts = prompts.load(language)
    found = []
    for info in catalogue(edition):
        if set_name is None or info.set == set_name:
            text = texts.card(edition, info.slug)
            found.append(Card(info, text.text, text.brief))
    return tuple(found)


def _parse(document: str) -> list[Entry]:
    found: list[Entry] = []
    section, open_rule, body = "", "", []  # type: str, str, list[str]

    def close_rule() -> None:
        if open_rule:
            text, source = _split_source("\n".join(body).strip())
            found.append(Entry(open_rule, "rule", section, text, source))

    for line in [*document.splitlines(), "#"]:
        rule, statement, row = _RULE.match(line), _STATEMENT.match(line), _ROW.match(line)
        if line.startswith(("#", "---")) or rule or statement:
            close_rule()
            open_rule, body = "", []
        if line.startswith("#"):
            section = line.lstrip("# ")
        elif rule:
            open_rule, body = rule[1], [rule[2]]
        elif statement:
            found.append(Entry(statement[1], "statement", section, _unmark(statement[2])))
        elif row and _row_kind(row[1], section) is not None:
            kind = _row_kind(row[1], section)
            assert kind is not None
            found.append(Entry(row[1], kind, section, _row_text(kind, row[2])))
        elif open_rule:
            body.append(line)
    return found


def _row_kind(entry_id: str, section: str) -> Kind | None:
    if entry_id.startswith("EX-"):
        return "example"
    if re.fullmatch(r"Q\d+", entry_id):
        return "question"
    if re.fullmatch(r"[a-z_]+", entry_id):
        return "code" if re.match(r"[A-G]\. ", section) else None
    return None if "differences" in section else "card"


def _row_text(kind: Kind, row: str) -> str:
    cells = [_unmark(cell.strip()) for cell in row.split("|")]
    if kind == "code":
        parts = [cells[0], f"rules: {cells[1]}", *(f"example: {cell}" for cell in cells[2:3] if cell)]
        return "; ".join(parts)
    if kind == "card":
        name, value, copies, type_, plus, effect = cells
        many = "copy" if copies == "1" else "copies"
        return f"{name}: value {value}, {copies} {many}, {_TYPES[type_]}{' +' if plus == '+' else ''}. {effect}"
    return " -> ".join(cell for cell in cells if cell)


def _split_source(text: str) -> tuple[str, str]:
    found = _SOURCE.search(text)
    if found is None:  # the sources stand behind the first paragraph of a rule with a table or a list
        head, gap, rest = text.partition("\n\n")
        found = _SOURCE.search(head)
        if found is None:
            return _unmark(text), ""
        return _unmark(head[: found.start()] + gap + rest), found[1]
    return _unmark(text[: found.start()]), found[1]


def _unmark(text: str) -> str:
    return _MARKS.sub(lambda match: next(group for group in match.groups() if group is not None), text)


def _belongs(entry_id: str, code: str) -> bool:
    return entry_id.casefold() == code or entry_id.casefold().startswith(code + "-")


@lru_cache(maxsize=512)
def _cited_by(entry_id: str) -> tuple[str, ...]:
    cited = re.compile(rf"(?<![\w-]){re.escape(entry_id)}(?![\w-])")
    return tuple(entry.id for entry in entries().values() if entry.id != entry_id and cited.search(entry.text))


def _first_line(text: str, limit: int = 110) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= limit else line[: limit - 1].rsplit(" ", 1)[0] + " …"
