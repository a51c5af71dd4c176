"""The numbered menu of level L0: the legal list as lines, in steps where it is too long for one list.

The steps are kind of action, then card or slot, then number of cards, then parts of what is left; a step with only one
way to go is left out. All steps together are one decision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from harness import prompts
from harness.prompts import DEFAULT_LANGUAGE, Texts
from harness.render import proposal, slot_card

Data = Mapping[str, Any]


class Menu(NamedTuple):
    """One list to choose from.

    Entry n stands for the actions with the indices `groups[n]` of the legal list: for exactly one action, or for a
    group that is told apart in the next step.
    """

    title: str
    lines: tuple[str, ...]
    groups: tuple[tuple[int, ...], ...]

    def chosen(self, entry: int) -> int | None:
        """The index in the legal list if the entry is one action, else None. Raises IndexError for no such entry."""
        group = self.group(entry)
        return group[0] if len(group) == 1 else None

    def group(self, entry: int) -> tuple[int, ...]:
        """The indices an entry stands for. Raises IndexError if there is no such entry."""
        if not 0 <= entry < len(self.groups):
            raise IndexError(f"the menu has the entries 0 to {len(self.groups) - 1}, not {entry}")
        return self.groups[entry]


def menu(
    legal: Sequence[Data],
    seen: Data,
    limit: int,
    within: Sequence[int] | None = None,
    language: str = DEFAULT_LANGUAGE,
) -> Menu:
    """The menu over the actions with the indices `within` (all if None), with at most `limit` (at least 2) entries.

    For the next step, pass the group of the entry chosen in this one.
    """
    texts = prompts.load(language)
    indices = tuple(range(len(legal))) if within is None else tuple(within)
    if len(indices) <= limit:
        lines = tuple(proposal(legal[index], seen, language) for index in indices)
        title = texts.words["menu_title" if within is None else "menu_title_within"]
        return Menu(title, lines, tuple((index,) for index in indices))
    proposals = {index: legal[index] for index in indices}
    for title, label in _STEPS:
        groups = _grouped(proposals, [label(texts, one, seen) for one in proposals.values()])
        if 1 < len(groups) <= limit:
            return _stepped(texts, title, groups, proposals, seen, language)
    return _stepped(texts, "step_page", _pages(texts, proposals, limit, seen, language), proposals, seen, language)


Groups = list[tuple[str, tuple[int, ...]]]


def _grouped(proposals: Mapping[int, Data], labels: Sequence[str]) -> Groups:
    groups: dict[str, list[int]] = {}
    for index, label in zip(proposals, labels, strict=True):
        groups.setdefault(label, []).append(index)
    return [(label, tuple(indices)) for label, indices in groups.items()]


def _stepped(
    texts: Texts, title: str, groups: Groups, proposals: Mapping[int, Data], seen: Data, language: str
) -> Menu:
    lines = []
    for label, indices in groups:
        if len(indices) == 1:
            lines.append(proposal(proposals[indices[0]], seen, language))
        else:
            lines.append(_say(texts, "group", label=label, count=len(indices)))
    return Menu(texts.words[title], tuple(lines), tuple(indices for _, indices in groups))


def _pages(texts: Texts, proposals: Mapping[int, Data], limit: int, seen: Data, language: str) -> Groups:
    """Consecutive parts of equal size, as few as possible, named by their first and last action."""
    indices = list(proposals)
    count = min(limit, -(-len(indices) // limit))
    size = -(-len(indices) // count)
    pages = []
    for start in range(0, len(indices), size):
        part = tuple(indices[start : start + size])
        first, last = (proposal(proposals[index], seen, language) for index in (part[0], part[-1]))
        pages.append((_say(texts, "page", first=first, last=last), part))
    return pages


def _kind(texts: Texts, one: Data, seen: Data) -> str:
    return texts.proposals[f"kind_{one['tool']}"]


def _subject(texts: Texts, one: Data, seen: Data) -> str:
    arguments = one["arguments"]
    if one["tool"] == "market":
        return _say(texts, "subject_slot", source=arguments["source"], bought=slot_card(seen, arguments["source"]))
    return str(arguments.get("card", ""))


def _size(texts: Texts, one: Data, seen: Data) -> str:
    arguments = one["arguments"]
    cards = arguments.get("payment") or [*(arguments.get("cards") or []), *(arguments.get("from_discard") or [])]
    return _say(texts, "size", count=len(cards))


_STEPS: tuple[tuple[str, Callable[[Texts, Data, Data], str]], ...] = (
    ("step_kind", _kind),
    ("step_subject", _subject),
    ("step_size", _size),
)


def _say(texts: Texts, name: str, **values: Any) -> str:
    line = prompts.render_line(texts, texts.proposals[name], values)
    assert line is not None
    return line
