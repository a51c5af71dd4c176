"""The words a person can type, by language: ``command_*``, ``word_*`` and ``option_*`` of ``terminal.toml``.

Every entry lists the words for one thing, the usual one first; ``_`` stands for the blank in a command of two words.
Case and accents do not matter.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from harness import prompts

COMMANDS = "command_"
KEYWORDS = "word_"
OPTIONS = "option_"


@dataclass(frozen=True)
class Vocabulary:
    """What words of a language mean: commands that open a line, keywords inside it, and named alternatives.

    ``usual`` holds for each entry of ``terminal.toml`` the word it is spelled with.
    """

    commands: Mapping[str, str]
    keywords: Mapping[str, str]
    options: Mapping[str, str]
    usual: Mapping[str, str]

    def command(self, word: str) -> tuple[str, ...]:
        """Return the commands a word can mean: one for a whole word, all those it is a beginning of otherwise."""
        word = _one_blank(word)
        if word in self.commands:
            return (self.commands[word],)
        if len(word) < 2:
            return ()
        return tuple(dict.fromkeys(name for known, name in self.commands.items() if known.startswith(word)))

    def is_command(self, words: str) -> bool:
        """Return whether these are the words of a command, none of them shortened."""
        return _one_blank(words) in self.commands

    def spell(self, name: str) -> str:
        """Return the usual word for an entry, such as ``command_buy``."""
        return self.usual[name]


@lru_cache(maxsize=8)
def vocabulary(language: str) -> Vocabulary:
    """Return the words of a language. Raises UserError for a language there is not."""
    terminal = prompts.load(language).terminal
    tables: dict[str, dict[str, str]] = {COMMANDS: {}, KEYWORDS: {}, OPTIONS: {}}
    usual: dict[str, str] = {}
    for key, words in terminal.items():
        kind = next((kind for kind in tables if key.startswith(kind)), None)
        if kind is not None:
            for word in words.split():
                tables[kind].setdefault(folded(word.replace("_", " ")), key.removeprefix(kind))
            usual[key] = words.split()[0]
    return Vocabulary(tables[COMMANDS], tables[KEYWORDS], tables[OPTIONS], usual)


def _one_blank(words: str) -> str:
    return " ".join(folded(words).split())


def folded(word: str) -> str:
    """Return a word in lower case and without accents."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
