"""Cards by what is typed of their names: whole, in part, with blanks, or with the mark of a copy (``#2``).

Nothing is guessed: a part that fits several cards is asked back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from harness.prompts import Texts
from harness.render import bare, card_facts
from harness.terminal.vocabulary import folded
from harness.text import clean_line

Seen = Mapping[str, Any]


class Unclear(Exception):
    """A typed line that states nothing yet; its text tells the person what is missing or which words to choose from."""


def in_game(seen: Seen) -> tuple[str, ...]:
    """Return the cards that can occur in this game, junk among them; while sets are drafted, all of the edition."""
    sets = () if "draft" in seen else tuple(seen["sets"])
    facts = card_facts(seen["edition"]).values()
    return tuple(card.slug for card in facts if not sets or card.set in sets or card.type == "junk")


def in_hand(seen: Seen) -> tuple[str, ...]:
    """Return the hand's cards by name, each once, without marks of copies."""
    return tuple(dict.fromkeys(bare(entry["card"]) for entry in seen["hand"]))


def resolve(word: str, zones: Iterable[Sequence[str]], texts: Texts) -> str:
    """Return the card a word names, looked for in one zone after the other.

    Within a zone a whole name goes before the beginning of one, that before the beginning of a word in it, and that
    before any part. Raises Unclear if several fit equally well, or none does.
    """
    part, mark, number = folded(word).replace("-", "_").partition("#")
    known: list[str] = []
    for zone in zones:
        known += zone
        fitting = _fitting(part, zone)
        if len(fitting) == 1:
            return f"{fitting[0]}{mark}{number}"
        if fitting:
            raise Unclear(texts.say("ambiguous", word=clean_line(word, 40), candidates=fitting))
    near = get_close_matches(part, dict.fromkeys(known), n=3)
    raise Unclear(texts.say("no_card", word=clean_line(word, 40), near=near))


def _fitting(part: str, zone: Sequence[str]) -> list[str]:
    if not part:
        return []
    for fits in (
        lambda slug: slug == part,
        lambda slug: slug.startswith(part),
        lambda slug: any(piece.startswith(part) for piece in slug.split("_")),
        lambda slug: part in slug,
    ):
        found = [slug for slug in dict.fromkeys(zone) if fits(slug)]
        if found:
            return found
    return []


def joined(words: Sequence[str], seen: Seen) -> list[str]:
    """Return the words with names that were typed in several words (``Swift Broker``) as one."""
    slugs = set(card_facts(seen["edition"]))
    found: list[str] = []
    place = 0
    while place < len(words):
        for length in (3, 2):
            name = "_".join(folded(word) for word in words[place : place + length])
            if len(words) - place >= length and name.partition("#")[0] in slugs and "_" not in name.partition("#")[2]:
                found.append(name)
                place += length
                break
        else:
            found.append(words[place])
            place += 1
    return found
