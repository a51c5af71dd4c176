"""A rule as it is quoted to a player: in the words of docs/, or in the player's language out of the rulebook and cards.

The rules themselves stand in one language. In any other a rule is quoted as the sentences of the full rulebook that
cite it, or of the card texts if it does not, so that no second translation of the rules has to be kept; so is, in every
language, a rule that holds a table in docs/ or points to a document there. A rule that the rulebook and cards of other
games cite, but not those of this one, does not belong to this game and is not quoted in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine import EDITIONS, SETS, VARIANTS, catalogue
from harness import prompts, rulebook
from harness.prompts import Texts
from harness.text import clean_line

LANGUAGE_OF_THE_RULES = "en"
LIMIT = 500
"""The longest quotation, in characters."""

_FOR_READERS_OF_DOCS = re.compile(r"\|---\||\b(?:decks|rules)\.md\b")
_BLOCKS = re.compile(r"(?:^|\n)\s*(?:- |\d\. )|\n\s*\n|^#.*$", re.MULTILINE)
_CITATION = re.compile(r"\[([A-Z][A-Za-z0-9-]*-\d+(?:, [A-Z][A-Za-z0-9-]*-\d+)*)\]")


def rule_quote(rule: str, texts: Texts, seen: Mapping[str, Any]) -> str | None:
    """The text of a rule or statement on one line for a player with the observation ``seen``.

    None if there is none, or if it is not one of this game: of the other edition, or of a set that is not in play.
    """
    variant = seen.get("variant", VARIANTS[0])
    found = cited(texts.language, seen["edition"], variant, tuple(seen["sets"]), len(seen["seats"]))
    if rule not in found and (not rule.startswith("R-") or rule in _cited_in_some_game(texts.language)):
        return None
    text = rulebook.rule_text(rule, LIMIT) if texts.language == LANGUAGE_OF_THE_RULES else None
    if text and not _FOR_READERS_OF_DOCS.search(text):
        return text
    return clean_line(found[rule], LIMIT) if rule in found else None


@lru_cache(maxsize=4)
def _cited_in_some_game(language: str) -> frozenset[str]:
    """Every ID that the rulebook or the cards cite in any edition and variant, with any sets."""
    games = [(edition, variant, players) for edition in EDITIONS for variant in VARIANTS for players in (2, 4)]
    books = [cited(language, edition, variant, SETS, players) for edition, variant, players in games]
    return frozenset(rule for book in books for rule in book)


@lru_cache(maxsize=16)
def cited(language: str, edition: str, variant: str, sets: tuple[str, ...], players: int) -> Mapping[str, str]:
    """By ID, the sentences of the rulebook that cite it, or else those of the cards in play."""
    texts = prompts.load(language)
    book = texts.render("rulebook_full.md", edition=edition, variant=variant, sets=sets, players=players)
    cards = [texts.card(edition, card.slug).text for card in catalogue(edition) if card.set in sets]
    # A card's sentence behind the book's own would tell of one card as if it were the rule of all.
    return {**_sentences("\n\n".join(cards)), **_sentences(book)}


def _sentences(text: str) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for block in _BLOCKS.split(text):
        parts = _CITATION.split(" ".join(block.replace("**", "").split()))
        for sentence, ids in zip(parts[0::2], parts[1::2], strict=False):  # behind the last citation more may stand
            for rule in ids.split(", "):
                found.setdefault(rule, []).append(_whole(sentence))
    return {rule: " ".join(sentences) for rule, sentences in found.items()}


def _whole(part: str) -> str:
    """A part of a sentence as a quotation of its own."""
    text = part.strip(" .,;:")
    return f"{'… ' if text[:1].islower() else ''}{text}."
