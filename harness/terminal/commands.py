"""What a typed line means: a proposal in the form of the contract, an entry of the menu, words to find, or a question.

A line is read by its words alone and never completed by a guess: what it leaves open is asked back. Whether a proposal
is legal is for the engine to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.agents.base import Proposal
from harness.prompts import Texts
from harness.render import bare, slot_card
from harness.terminal.choices import Asked, read_choices
from harness.terminal.names import Seen, Unclear, in_game, in_hand, joined, resolve
from harness.terminal.vocabulary import Vocabulary, folded, vocabulary
from harness.text import clean_line

_FIRST = re.compile(r"[\s{,]")
_TWO_WORDS = re.compile(r"[^\s{,]+\s+[^\s{,]+")
_SLOT = re.compile(r"(?:slot_?|s)?([0-9])")
_TIMES = re.compile(r"[x×*](\d)")
_MARKS = str.maketrans({",": " ", ";": " ", ">": " "})


@dataclass(frozen=True)
class Said:
    """What a line states.

    ``command`` is ``propose`` (then ``proposal`` is given), ``entry`` (``text`` is the number), ``find`` (``text`` are
    words to look for in the menu), or a command of the vocabulary with what stands behind it in ``text``.
    """

    command: str
    text: str = ""
    proposal: Proposal | None = None


def understand(line: str, seen: Seen, decision: Mapping[str, Any], texts: Texts) -> Said:
    """Return what a line means for the seat with the observation ``seen`` at this decision; Unclear if it is open."""
    line = line.strip()
    if not line:
        return Said("menu")
    if line.startswith("{"):
        return Said("propose", line, _from_json(line, texts))
    if line.isdecimal():
        return Said("entry", line)
    words = vocabulary(texts.language)
    first = _opening(line, words)
    rest = line[len(first) :].strip()
    meant = words.command(first if first == "?" else first.rstrip("?"))
    if len(meant) > 1:
        usual = [words.spell(f"command_{name}") for name in meant]
        raise Unclear(texts.say("ambiguous", word=clean_line(first, 40), candidates=usual))
    if not meant:
        return Said("find", line)
    (command,) = meant
    if command not in _MAKERS:
        return Said(command, rest)
    reader = _Reader(words, seen, decision, texts)
    spoken = joined(re.sub(r"[()]", " ", rest.translate(_MARKS)).split(), seen)
    return Said("propose", line, _MAKERS[command](reader, spoken))


def _opening(line: str, words: Vocabulary) -> str:
    """The word that opens a line, or the two words of a command such as ``por que``."""
    two = _TWO_WORDS.match(line)
    if two and words.is_command(two[0].rstrip("?")):
        return two[0]
    return _FIRST.split(line, maxsplit=1)[0]


def _from_json(line: str, texts: Texts) -> Proposal:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        position = error.pos + 1 if isinstance(error, json.JSONDecodeError) else None
        raise Unclear(texts.say("not_json", position=position)) from None
    data = data if isinstance(data, dict) else {}
    arguments = data.get("arguments", {})
    if not isinstance(data.get("tool"), str) or not isinstance(arguments, dict) or set(data) - {"tool", "arguments"}:
        raise Unclear(texts.say("not_a_proposal"))
    return {"tool": data["tool"], "arguments": arguments}


@dataclass(frozen=True)
class _Reader:
    """What the words of a line are read with."""

    words: Vocabulary
    seen: Seen
    decision: Mapping[str, Any]
    texts: Texts

    def parts(self, spoken: Sequence[str], *keywords: str) -> dict[str, list[str]]:
        """Return the words behind each of these keywords that is there, and those before the first under ``""``."""
        found: dict[str, list[str]] = {"": []}
        at = ""
        for word in spoken:
            meant = self.keyword(word)
            if meant in keywords:
                at = meant
                found.setdefault(at, [])
            elif meant != "and":
                found[at].append(word)
        return found

    def keyword(self, word: str) -> str:
        """Return which keyword a word is, empty for none."""
        return self.words.keywords.get(folded(word), "")

    def cards(self, spoken: Sequence[str], *zones: Sequence[str]) -> list[str]:
        """Return the cards some words name; a number before a name, or x3 behind it, repeats it."""
        found: list[str] = []
        times = 1
        for word in spoken:
            again = _TIMES.fullmatch(word)
            if again and found:
                found += [found[-1]] * (int(again[1]) - 1)
            elif word.isdecimal() and len(word) == 1:
                times = int(word)
            elif self.keyword(word) != "nothing":
                found += [resolve(word, (*zones, in_game(self.seen)), self.texts)] * times
                times = 1
        return found

    def copies(self, spoken: Sequence[str]) -> list[dict[str, Any]]:
        """Return what chameleons copy: each by its name, and its targets (``market:cookies``) behind it."""
        found: list[dict[str, Any]] = []
        for word in spoken:
            zone, colon, card = word.partition(":")
            if not colon:
                named = resolve(word, (in_hand(self.seen), in_game(self.seen)), self.texts)
                found.append({"card": named, "targets": []})
            elif found:
                found[-1]["targets"].append(f"{zone}:{resolve(card, (in_game(self.seen),), self.texts)}")
            else:
                raise Unclear(self.texts.say("no_copying_card", word=clean_line(word, 40)))
        return found

    def source(self, spoken: Sequence[str]) -> str:
        """Return where the card lies that is bought: a slot by number or card, or the market discard."""
        told = [word for word in spoken if self.keyword(word) != "slot"]
        if len(told) != 1:
            raise Unclear(self.texts.say("which_source"))
        (word,) = told
        slot = _SLOT.fullmatch(folded(word))
        if slot:
            return f"slot_{slot[1]}"
        if self.keyword(word) == "discard" or word == "market_discard":
            return "market_discard"
        sources = [*(f"slot_{number}" for number in range(len(self.seen["market"]))), "market_discard"]
        lying = {source: card for source in sources if (card := slot_card(self.seen, source)) is not None}
        card = resolve(word, (list(lying.values()),), self.texts)
        places = [source for source, name in lying.items() if name == card]
        if len(places) > 1:
            raise Unclear(self.texts.say("ambiguous", word=clean_line(word, 40), candidates=places))
        return places[0]


def _buy(read: _Reader, spoken: Sequence[str]) -> Proposal:
    parts = read.parts(spoken, "with", "from", "throwing", "as")
    source = read.source(parts.get("from") or parts[""])
    if "with" not in parts:
        raise Unclear(
            read.texts.say("which_payment", card=slot_card(read.seen, source) or source, line=" ".join(spoken))
        )
    arguments: dict[str, Any] = {
        "source": source,
        "payment": read.cards(_without_gold(read, parts["with"]), in_hand(read.seen)),
    }
    if "throwing" in parts:
        arguments["throw_away"] = read.cards(parts["throwing"], in_hand(read.seen))
    return _whole(read, "market", arguments, parts)


def _without_gold(read: _Reader, spoken: Sequence[str]) -> list[str]:
    """The words of a payment but for ``2 gold``: what the cards leave open is taken in gold by itself (R-TRM-03)."""
    left: list[str] = []
    for word in spoken:
        if read.keyword(word) != "gold":
            left.append(word)
        elif left and left[-1].isdecimal():
            left.pop()
    return left


def _stack(read: _Reader, spoken: Sequence[str]) -> Proposal:
    parts = read.parts(spoken, "from", "into", "counted", "as")
    if not parts[""] and not parts.get("from"):
        raise Unclear(read.texts.say("which_cards"))
    arguments: dict[str, Any] = {"cards": read.cards(parts[""], in_hand(read.seen))}
    if "from" in parts:
        pile = read.seen["seats"][read.seen["seat"]]["discard"]
        dug = [word for word in parts["from"] if read.keyword(word) != "discard"]
        arguments["from_discard"] = read.cards(dug, pile)
    if "into" in parts:
        arguments["stack"] = _number(read, parts["into"])
    if "counted" in parts:
        arguments["adjust"] = _adjusted(read, parts["counted"])
    return _whole(read, "stall", arguments, parts)


def _number(read: _Reader, spoken: Sequence[str]) -> int:
    if len(spoken) != 1 or not spoken[0].isdecimal():
        raise Unclear(read.texts.say("which_number"))
    return int(spoken[0][:9])


def _adjusted(read: _Reader, spoken: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for card, by in zip(spoken[0::2], spoken[1::2], strict=False):
        if not re.fullmatch(r"[+-]?\d", by):
            raise Unclear(read.texts.say("which_number"))
        found.append({"card": resolve(card, (in_hand(read.seen), in_game(read.seen)), read.texts), "by": int(by)})
    return found


def _inventory(read: _Reader, spoken: Sequence[str]) -> Proposal:
    if not spoken:
        raise Unclear(read.texts.say("which_discards"))
    return {"tool": "inventory", "arguments": {"cards": read.cards(read.parts(spoken)[""], in_hand(read.seen))}}


def _play(read: _Reader, spoken: Sequence[str]) -> Proposal:
    return _with_choices(read, "technique", spoken)


def _use(read: _Reader, spoken: Sequence[str]) -> Proposal:
    return _with_choices(read, "ability", spoken)


def _with_choices(read: _Reader, tool: str, spoken: Sequence[str]) -> Proposal:
    parts = read.parts(spoken, "as")
    if not parts[""]:
        raise Unclear(read.texts.say("which_card"))
    card = resolve(parts[""][0], (in_hand(read.seen), in_game(read.seen)), read.texts)
    copies = read.copies(parts.get("as", ()))
    asked = Asked(read.texts, read.words, read.seen, _fields(read, card, copies))
    arguments: dict[str, Any] = {"card": card}
    choices = read_choices(parts[""][1:], asked)
    if choices:
        arguments["choices"] = choices
    return _whole(read, tool, arguments, parts)


def _fields(read: _Reader, card: str, copies: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Which fields of ``choices`` a card takes as what it is played as now."""
    slug = bare(card)
    for entry in read.seen["hand"]:
        if entry["card"] == card and entry.get("copies"):
            slug = entry["copies"]
    for copy in copies:
        if copy["card"] == card and copy["targets"]:
            slug = bare(copy["targets"][-1].partition(":")[2])
    texts = read.texts.cards[read.seen["edition"]].get(slug)
    return frozenset(texts.choices) if texts else frozenset()


def _choose(read: _Reader, spoken: Sequence[str]) -> Proposal:
    ask = read.texts.decisions.asks.get(read.decision["asks"])
    if not spoken:
        raise Unclear(read.texts.say("which_choice"))
    asked = Asked(read.texts, read.words, read.seen, frozenset(ask.choices) if ask else frozenset())
    return {"tool": "choose", "arguments": {"choices": read_choices(read.parts(spoken)[""], asked)}}


def _skip(read: _Reader, spoken: Sequence[str]) -> Proposal:
    return _alone(read, "skip", spoken)


def _end(read: _Reader, spoken: Sequence[str]) -> Proposal:
    return _alone(read, "end_turn", spoken)


def _alone(read: _Reader, tool: str, spoken: Sequence[str]) -> Proposal:
    if spoken:
        raise Unclear(read.texts.say("too_many_words", words=clean_line(" ".join(spoken), 60)))
    return {"tool": tool, "arguments": {}}


def _whole(read: _Reader, tool: str, arguments: dict[str, Any], parts: Mapping[str, list[str]]) -> Proposal:
    copies = read.copies(parts.get("as", ()))
    return {"tool": tool, "arguments": {**arguments, **({"copies": copies} if copies else {})}}


_MAKERS: Mapping[str, Callable[[_Reader, Sequence[str]], Proposal]] = {
    "buy": _buy,
    "stack": _stack,
    "inventory": _inventory,
    "play": _play,
    "use": _use,
    "choose": _choose,
    "skip": _skip,
    "end": _end,
}
PROPOSING = tuple(_MAKERS)
"""The commands that state a proposal."""
