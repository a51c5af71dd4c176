"""From a turn to what a model sees: the static system text, the one last message, and the tools with descriptions.

The system text depends on the game's sets, edition, variant and number of players, on the options and on the limits of
the run alone, so that it can be cached from decision to decision and from game to game; while sets are drafted it tells
all of them. It goes from what all games share to what depends on the sets, so that games of other sets share its
beginning. Everything else (state, events, decision, earlier attempts) stands in the last message. At L4 that message
begins with the opening and grows at its end: the one of a later decision begins as the one before did, up to the
decision.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from engine import SETS, VARIANTS
from harness import prompts, render, render_usage
from harness.agents.base import Feedback, MatchSettings, Rulebook, Turn
from harness.prompts import DEFAULT_LANGUAGE, Texts
from harness.providers.types import AnswerForm, OutputMode
from harness.quotes import rule_quote
from harness.render_menu import Menu, menu
from harness.text import clean_line, quoted
from harness.tool_texts import described, static_specs, tool_specs

__all__ = [
    "AnswerForm",
    "Level",
    "Menu",
    "OutputMode",
    "PromptOptions",
    "build_messages",
    "last_message",
    "menu",
    "system_text",
    "tool_specs",
]

Level = Literal["L0", "L1", "L2", "L3", "L4", "L5"]
MAX_RULES = 3
"""How many rules a rejection quotes at most."""


@dataclass(frozen=True)
class PromptOptions:
    """What decides, beside the turn itself, how a turn is told.

    `menu` is the menu shown at L0, made by `menu(...)`; None means the whole legal list in one. In every output mode
    but `tools` the answer is the whole call or, with `answer_form` "arguments", only the arguments of the one tool.
    """

    level: Level = "L2"
    rulebook: Rulebook = "full"
    output_mode: OutputMode = "tools"
    language: str = DEFAULT_LANGUAGE
    menu: Menu | None = None
    answer_form: AnswerForm = "call"

    @property
    def book(self) -> Rulebook:
        """The rulebook that is told: none in the closed book, whatever the run has."""
        return "none" if self.level == "L5" else self.rulebook

    @property
    def plain(self) -> bool:
        """Whether nothing is computed for the player, nor told which cards can be used now."""
        return self.level in ("L3", "L4", "L5")


def build_messages(turn: Turn, options: PromptOptions) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The system text and the messages, here one: `(("user", text),)`."""
    return system_text(turn, options), (("user", last_message(turn, options)),)


def system_text(turn: Turn, options: PromptOptions) -> str:
    """The static part: notation, how to answer, limits, rulebook, cards in play. Names no seat, seed or opponent."""
    seen = turn.observation
    drafting = "draft" in seen
    sets = SETS if drafting else tuple(seen["sets"])
    variant = seen.get("variant", VARIANTS[0])
    options = replace(options, menu=None)
    return _system(options, seen["edition"], variant, sets, len(seen["seats"]), drafting, turn.settings)


@lru_cache(maxsize=128)
def _system(
    options: PromptOptions,
    edition: str,
    variant: str,
    sets: tuple[str, ...],
    players: int,
    drafting: bool,
    limits: MatchSettings,
) -> str:
    """The system text, made once for all decisions of all games that are alike in this."""
    texts = prompts.load(options.language)
    level, book = options.level, options.book
    situation = {"edition": edition, "variant": variant, "sets": sets, "players": players}
    in_words = options.output_mode != "tools" and level not in ("L0", "L1")
    return _tidy(
        texts.render(
            "system.md.j2",
            **situation,
            drafting=drafting,
            level=level,
            rulebook=book,
            output_mode=options.output_mode,
            rules=_rules(texts, book, situation),
            cards=_cards(texts, book, edition, sets),
            copying=edition == "classic" and "chameleons" in sets,
            copied=edition != "classic" and "chameleons" in sets,
            attempts=limits.attempts,
            policy=limits.policy,
            round_limit=limits.round_limit,
            notation=render_usage.notation(texts, edition, sets, level) if options.plain else (),
            answer_form="" if options.output_mode == "tools" else _by_form(texts, "form", options),
            tools=described(static_specs(level, options.language, edition, players)) if in_words else (),
        )
    )


def last_message(turn: Turn, options: PromptOptions) -> str:
    """The changing part: state, what happened, the decision, how the cards in hand are used, earlier attempts."""
    texts = prompts.load(options.language)
    language, level = options.language, options.level
    asked = turn.decision._asdict()
    in_words = options.output_mode != "tools" and level == "L1"
    shown = None
    if level == "L0":
        shown = options.menu or menu(turn.legal, turn.observation, max(len(turn.legal), 2), language=language)
    return _tidy(
        texts.render(
            "turn.md.j2",
            **_known(turn, options),
            decision=render.decision(asked, language),
            asked="" if level == "L0" else render_usage.asked(texts, asked, level),
            usable=render_usage.usable(texts, turn.observation, level) if level in ("L1", "L2") else (),
            tools=described(tool_specs(turn, level, language)) if in_words else (),
            menu_title=shown.title if shown else "",
            menu=render.numbered(shown.lines) if shown else "",
            feedback=[_feedback(texts, one, turn.observation) for one in turn.feedback],
            instruction=_by_form(texts, "answer", options),
        )
    )


def _known(turn: Turn, options: PromptOptions) -> dict[str, Any]:
    """What is told of the game: the position and what happened last, or at L4 the opening and all that came after."""
    language, plain = options.language, options.plain
    if options.level != "L4":
        return {
            "opening": "",
            "state": render.observation(turn.observation, language, plain),
            "history": render.history(turn.history, language, plain),
            "offered": (),
        }
    opening, *later = turn.record
    return {
        "opening": render.observation(opening.data, language, plain),
        "state": "",
        "history": render.record(later, language),
        "offered": turn.observation["offered"],
    }


def _by_form(texts: Texts, name: str, options: PromptOptions) -> str:
    """How to answer, in the words for the level if it has its own, and for the form of the answer."""
    form: str = options.output_mode
    if form != "tools" and options.answer_form == "arguments":
        form = "arguments"
    return texts.words.get(f"{name}_{options.level}_{form}") or texts.words[f"{name}_{form}"]


def _rules(texts: Texts, book: Rulebook, situation: Mapping[str, Any]) -> str:
    return "" if book == "none" else texts.render(f"rulebook_{book}.md", **situation).strip()


def _cards(texts: Texts, book: Rulebook, edition: str, sets: tuple[str, ...]) -> list[tuple[str, list[dict[str, Any]]]]:
    """The cards of the sets with their texts, by set; junk first, which has none."""
    shown: dict[str, list[dict[str, Any]]] = {}
    for card in render.card_facts(edition).values():
        if card.set in sets or card.type == "junk":
            text = texts.card(edition, card.slug)
            told = {"slug": card.slug, "value": card.value, "type": card.type, "plus": card.plus}
            told["text"] = text.brief if book == "brief" else text.text
            shown.setdefault("" if card.type == "junk" else card.set, []).append(told)
    return list(shown.items())


def _feedback(texts: Texts, attempt: Feedback, seen: Mapping[str, Any]) -> dict[str, Any]:
    told = {rule: None for violation in attempt.violations[:1] for rule in violation.rules}
    # A whole card beside one of its statements, and the rules about errors themselves, explain nothing.
    wanted = [
        rule
        for rule in told
        if not rule.startswith("R-ERR") and not any(other.startswith(f"{rule}-") for other in told)
    ]
    quotes = [(rule, rule_quote(rule, texts, seen)) for rule in wanted]
    stated = attempt.stated
    code = attempt.code
    message = clean_line(attempt.message, 600)
    if code and not any(violation.facts or violation.rules for violation in attempt.violations):
        meaning = prompts.code_meaning(code, texts.language)
        message = f"{meaning[:1].upper()}{meaning[1:]}. {message}"
    return {
        "stated": quoted(stated) if stated is not None else "",
        "code": code,
        "message": message,
        "nearest": clean_line(attempt.nearest, 600),
        "rules": [{"id": rule, "text": text} for rule, text in quotes if text][:MAX_RULES],
    }


def _tidy(text: str) -> str:
    """Text without blanks at line ends and without more than one empty line in a row."""
    lines: list[str] = []
    for line in text.strip().split("\n"):
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines)
