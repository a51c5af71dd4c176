"""Answers to a person's questions at a turn: why something is refused, what a rule or card says, what can be typed."""

from __future__ import annotations

import re

from engine import VARIANTS
from harness import prompts, render_change, rulebook
from harness.agents.base import Proposal, Turn
from harness.errors import UserError
from harness.prompts import Texts
from harness.quotes import LANGUAGE_OF_THE_RULES, rule_quote
from harness.rulebook import Card
from harness.terminal.names import Unclear, in_game, resolve
from harness.text import clean_line

MOST_QUOTED = 2
"""Rules of a refusal that are quoted: a code's first rules are those that say it."""


def explanation(turn: Turn, proposal: Proposal, texts: Texts) -> str:
    """Return everything that stands against a proposal, the rules in question, and the nearest legal proposal."""
    found = turn.explain(proposal)
    if not found.violations:
        return texts.say("is_legal")
    language = texts.language
    lines = []
    for violation in found.violations:
        marks = ", ".join((violation.code, *violation.rules))
        lines.append(f"{prompts.message(violation, language)} [{marks}]")
    quotes = [(rule, rule_quote(rule, texts, turn.observation)) for rule in found.violations[0].rules]
    lines += [f"  {rule}: {quote}" for rule, quote in quotes if quote][:MOST_QUOTED]
    lines.append(render_change.nearest(found, turn.observation, language) or texts.say("no_nearest"))
    return "\n".join(lines)


def refusal(turn: Turn, texts: Texts) -> str:
    """Return why the last try was not accepted; without an explanation, as far as the run tells it."""
    proposal = last_refused(turn)
    if proposal is not None:
        return texts.say("refused", reason=explanation(turn, proposal, texts))
    told = turn.feedback[-1].message if turn.feedback else ""
    return texts.say("refused", reason=told).rstrip()


def last_refused(turn: Turn) -> Proposal | None:
    """Return the proposal that was refused last at this decision."""
    stated = turn.feedback[-1].stated if turn.feedback else None
    return dict(stated) if stated is not None else None


def rules(words: str, turn: Turn, texts: Texts) -> str:
    """Return what ``dale rules`` says to some words; to none the short rules of this game.

    In a language other than that of the rules, what the rulebook of the player's language says goes before.
    """
    if not words:
        return _book("rulebook_brief.md", turn, texts)
    if texts.language != LANGUAGE_OF_THE_RULES:
        quote = rule_quote(words.upper(), texts, turn.observation)
        if quote:
            return f"{words.upper()}: {quote}"
        found = containing(_book("rulebook_full.md", turn, texts), words)
        if found:
            return found
    try:
        return rulebook.lookup(clean_line(words, 100))
    except UserError as error:
        raise Unclear(str(error)) from None


def _book(name: str, turn: Turn, texts: Texts) -> str:
    """The rulebook of this game in the player's language."""
    seen = turn.observation
    situation = {"edition": seen["edition"], "variant": seen.get("variant", VARIANTS[0]), "sets": tuple(seen["sets"])}
    return texts.render(name, players=len(seen["seats"]), **situation).strip()


def containing(text: str, words: str) -> str:
    """Return the paragraphs and entries of lists that contain all of some words."""
    blocks = re.split(r"\n\s*\n|\n(?=- |\d\. )", text)
    wanted = words.casefold().split()
    return "\n".join(block for block in blocks if all(word in block.casefold() for word in wanted))


def cards(words: str, turn: Turn, texts: Texts) -> str:
    """Return the card some words name; to none those in the hand and in the market."""
    seen = turn.observation
    known = {card.info.slug: card for card in rulebook.cards(None, seen["edition"], texts.language)}
    if words:
        wanted = [resolve("_".join(words.split()), (in_game(seen), tuple(known)), texts).partition("#")[0]]
    else:
        market = [slot["card"] for slot in seen["market"] if slot is not None]
        wanted = [*(entry["card"].partition("#")[0] for entry in seen["hand"]), *market]
    return "\n".join(_card(known[slug], texts) for slug in dict.fromkeys(wanted))


def _card(card: Card, texts: Texts) -> str:
    return f"{texts.say('card', **card.info._asdict())}\n    {card.text}"
