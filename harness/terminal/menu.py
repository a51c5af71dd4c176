"""The legal list in words, made when looked at, shown in pages or by the words its entries contain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import overload

from harness import render
from harness.agents.base import Turn
from harness.prompts import Texts
from harness.terminal.spelling import spell
from harness.text import clean_line

PAGE = 8
"""Entries shown at a time: few, since a small terminal has 24 lines."""


class LegalMenu(Sequence[str]):
    """The entries of a turn, without their numbers."""

    def __init__(self, turn: Turn, texts: Texts) -> None:
        self._turn, self._texts = turn, texts
        self.shown = 0

    def __len__(self) -> int:
        return len(self._turn.legal)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        return render.proposal(self._turn.legal[index], self._turn.observation, self._texts.language)

    @cached_property
    def lines(self) -> list[str]:
        """The entries as lines that can be typed."""
        return [spell(proposal, self._texts.language) for proposal in self._turn.legal]

    def page(self, start: int) -> str:
        """Return the next entries, and how many are left."""
        if start >= len(self):
            return self._texts.say("no_more", count=len(self))
        self.shown = min(start + PAGE, len(self))
        return page(self, start, self._texts)

    def containing(self, words: Sequence[str]) -> str:
        """Return the entries that contain all the words."""
        entries = list(self)
        hits = [number for number, entry in enumerate(entries) if all(word in entry.casefold() for word in words)]
        if not hits:
            return self._texts.say("not_found", words=clean_line(" ".join(words), 60))
        left = len(hits) - PAGE
        rest = [f"      {self._texts.say('more_found', left=left)}"] if left > 0 else []
        return "\n".join([*(numbered(number, entries[number]) for number in hits[:PAGE]), *rest])


def numbered(number: int, entry: str) -> str:
    """Return an entry as it stands in the menu."""
    return f"{number:>4}  {entry}"


def page(entries: Sequence[str], start: int, texts: Texts) -> str:
    """Return the entries of a page that begins at one, and how many are left."""
    end = min(start + PAGE, len(entries))
    lines = [numbered(number, entries[number]) for number in range(start, end)]
    left = len(entries) - end
    return "\n".join([*lines, *([f"      {texts.say('more', left=left)}"] if left else [])])
