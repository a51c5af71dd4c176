"""Completing a typed line: from what is typed so far and the turn to the lines it can become.

Moves are completed word by word from the legal list, whatever the order in which the cards of a payment are typed;
questions by their own words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.prompts import Texts
from harness.terminal.commands import PROPOSING
from harness.terminal.names import Seen, in_game
from harness.terminal.vocabulary import folded, vocabulary

ASKING = ("why", "hint", "menu", "more", "state", "rules", "cards", "help", "undo", "save", "resign", "quit")
"""The commands that state no move, in the order in which they are offered."""
OPENING = ("with", "throwing", "from", "into", "counted", "as")
"""The keywords behind which another part of a move begins."""


def complete(line: str, legal: Iterable[str], seen: Seen, texts: Texts) -> list[str]:
    """Return the lines that ``line`` can become by one more word, the whole line where only one move fits.

    ``legal`` are the lines that state the legal moves (``harness.terminal.spelling``), looked at only for moves.
    """
    start, blank, word = line.rpartition(" ")
    done = start.split()
    if not done:
        first = _moves(legal, texts) if word == line else []
        return [f"{blank}{one}" for one in (*first, *commands(texts)) if folded(one).startswith(folded(word))]
    meant = vocabulary(texts.language).command(done[0].rstrip("?"))
    if meant == ("why",):
        return [
            f"{done[0]} {one}"
            for one in complete(line.split(None, 1)[1] if len(done) > 1 else word, legal, seen, texts)
        ]
    if meant == ("cards",):
        return [f"{start} {card}" for card in in_game(seen) if len(done) == 1 and _fits(word, card)]
    if len(meant) != 1 or meant[0] not in PROPOSING:
        return []
    usual = vocabulary(texts.language).spell(f"command_{meant[0]}")
    moves = [move.split()[1:] for move in legal if move.split(" ", 1)[0] == usual]
    return [f"{start} {end}" for end in _endings(moves, done[1:], word, texts)]


def commands(texts: Texts) -> list[str]:
    """Return the usual words of the commands that state no move."""
    words = vocabulary(texts.language)
    return [words.spell(f"command_{name}") for name in ASKING]


def _moves(legal: Iterable[str], texts: Texts) -> list[str]:
    """The first words of the legal moves, in the order of the vocabulary."""
    words = vocabulary(texts.language)
    opening = {move.split(" ", 1)[0] for move in legal}
    return [word for name in PROPOSING if (word := words.spell(f"command_{name}")) in opening]


def _endings(moves: Sequence[Sequence[str]], done: Sequence[str], word: str, texts: Texts) -> list[str]:
    """What can stand in place of the last word, once each; if only one move is left, all of its rest."""
    found: dict[str, None] = {}
    whole: list[str] = []
    for move in moves:
        left = _left(move, done, texts)
        next_words = [one for one in _section(left, texts) if _fits(word, one)] if left else []
        if left and next_words:
            found.update(dict.fromkeys(next_words))
            rest = list(left)
            rest.remove(next_words[0])
            whole.append(" ".join([next_words[0], *rest]))
    return whole if len(whole) == 1 else list(found)


def _left(move: Sequence[str], done: Sequence[str], texts: Texts) -> list[str] | None:
    """The words of a move that have not been typed yet; None if what was typed belongs to another move."""
    left = list(move)
    for word in done:
        fitting = [one for one in _section(left, texts) if _fits(word, one)]
        if not fitting:
            return None
        exact = [one for one in fitting if folded(one) == folded(word)]
        left.remove((exact or fitting)[0])
    return left


def _section(left: Sequence[str], texts: Texts) -> list[str]:
    """The words among which the next one can be: a keyword alone, or all up to the next keyword."""
    keywords = vocabulary(texts.language).keywords
    section: list[str] = []
    for one in left:
        if keywords.get(folded(one)) in OPENING:
            return section or [one]
        section.append(one)
    return section


def _fits(word: str, whole: str) -> bool:
    """Whether a word is typed so far as the beginning of another, or of a part of a card's name."""
    typed, name = folded(word), folded(whole)
    if name.isdecimal() and typed.startswith("s"):
        typed = typed.removeprefix("slot").removeprefix("s").removeprefix("_")
    return any(part.startswith(typed) for part in (name, *name.split("_")))
