"""From a turn to what a model sees: the static system text, the one last message, and the tools with descriptions.

The system text depends on the game's sets, edition, variant and number of players and on the options alone, so that it
can be cached from decision to decision; while sets are drafted it tells all of them. Everything else (state, events,
decision, earlier attempts) stands in the last message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine import SETS, VARIANTS
from harness import prompts, render, render_usage
from harness.agents.base import Feedback, Rulebook, Turn
from harness.prompts import DEFAULT_LANGUAGE, Texts
from harness.providers.types import AnswerForm, OutputMode
from harness.quotes import rule_quote
from harness.render_menu import Menu, menu
from harness.text import clean_line, quoted

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

Level = Literal["L0", "L1", "L2"]
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


def build_messages(turn: Turn, options: PromptOptions) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The system text and the messages, here one: `(("user", text),)`."""
    return system_text(turn, options), (("user", last_message(turn, options)),)


def system_text(turn: Turn, options: PromptOptions) -> str:
    """The static part: rulebook, cards in play, notation and how to answer. Names no seat, seed or opponent."""
    texts = prompts.load(options.language)
    seen = turn.observation
    drafting = "draft" in seen
    edition, sets = seen["edition"], SETS if drafting else tuple(seen["sets"])
    variant = seen.get("variant", VARIANTS[0])
    situation = {"edition": edition, "variant": variant, "sets": sets, "players": len(seen["seats"])}
    described = options.output_mode != "tools" and options.level == "L2"
    return _tidy(
        texts.render(
            "system.md.j2",
            **situation,
            drafting=drafting,
            level=options.level,
            rulebook=options.rulebook,
            output_mode=options.output_mode,
            rules=_rules(texts, options.rulebook, situation),
            cards=_cards(texts, options.rulebook, edition, sets),
            copying=edition == "classic" and "chameleons" in sets,
            answer_form="" if options.output_mode == "tools" else _by_form(texts, "form", options),
            tools=_described(tool_specs(turn, options.level, options.language)) if described else (),
        )
    )


def last_message(turn: Turn, options: PromptOptions) -> str:
    """The changing part: state, what happened, the decision, how the cards in hand are used, earlier attempts."""
    texts = prompts.load(options.language)
    language, level = options.language, options.level
    asked = turn.decision._asdict()
    described = options.output_mode != "tools" and level == "L1"
    shown = None
    if level == "L0":
        shown = options.menu or menu(turn.legal, turn.observation, max(len(turn.legal), 2), language=language)
    return _tidy(
        texts.render(
            "turn.md.j2",
            state=render.observation(turn.observation, language),
            history=render.history(turn.history, language),
            decision=render.decision(asked, language),
            asked="" if level == "L0" else render_usage.asked(texts, asked, level),
            usable=() if level == "L0" else render_usage.usable(texts, turn.observation, level),
            tools=_described(tool_specs(turn, level, language)) if described else (),
            menu_title=shown.title if shown else "",
            menu=render.numbered(shown.lines) if shown else "",
            feedback=[_feedback(texts, one, turn.observation) for one in turn.feedback],
            instruction=_by_form(texts, "answer", options),
        )
    )


def tool_specs(turn: Turn, level: Level, language: str = DEFAULT_LANGUAGE) -> tuple[dict[str, Any], ...]:
    """The tools of a level with descriptions: each `{"name", "description", "parameters"}`.

    The schemas are the engine's; only `description` is added, to tools and to their arguments.
    """
    texts = prompts.load(language)
    return tuple(_spec(texts, tool, turn) for tool in turn.tools(level))


def _by_form(texts: Texts, name: str, options: PromptOptions) -> str:
    """How to answer, in the words for the level if it has its own, and for the form of the answer."""
    form: str = options.output_mode
    if form != "tools" and options.answer_form == "arguments":
        form = "arguments"
    return texts.words.get(f"{name}_{options.level}_{form}") or texts.words[f"{name}_{form}"]


def _spec(texts: Texts, tool: Mapping[str, Any], turn: Turn) -> dict[str, Any]:
    name = tool["name"]
    description, arguments = _tool_text(texts, name, turn)
    schema = dict(tool["parameters"])
    schema["properties"] = {
        field: _with_description(texts, field, part, arguments.get(field))
        for field, part in schema.get("properties", {}).items()
    }
    return {"name": name, "description": description, "parameters": schema}


def _tool_text(texts: Texts, name: str, turn: Turn) -> tuple[str, Mapping[str, str]]:
    if name in texts.tools:
        text = texts.tools[name]
        if name == "choose" and turn.decision.asks in texts.decisions.asks:
            return text.description, {**text.arguments, **texts.decisions.asks[turn.decision.asks].choices}
        own = text.remastered if turn.observation["edition"] == "remastered" else {}
        return text.description, {**text.arguments, **own}
    kind, _, slug = name.partition("_")
    used = [texts.card(turn.observation["edition"], one) for one in _used_as(turn, kind, slug)]
    template = texts.tools[f"{kind}_card"].description
    brief = " ".join(card.brief for card in used)
    description = prompts.render_line(texts, template, {"card": slug, "brief": brief})
    assert description is not None
    arguments = dict(texts.tools[f"{kind}_card"].arguments)
    for card in used:
        arguments |= card.choices
    return description, arguments


def _used_as(turn: Turn, kind: str, slug: str) -> list[str]:
    """As which cards the hand cards of a name can be played or have an ability: what they are copies of now, too."""
    facts = render.card_facts(turn.observation["edition"])
    held = [entry for entry in turn.observation["hand"] if render.bare(entry["card"]) == slug]
    copied = [entry["copies"] for entry in held if "copies" in entry]
    fitting = [one for one in copied if (facts[one].type == "technique" if kind == "technique" else facts[one].ability)]
    itself = [slug] if len(copied) < len(held) or not fitting else []
    return list(dict.fromkeys([*itself, *fitting]))


def _with_description(texts: Texts, field: str, part: Mapping[str, Any], text: str | None) -> dict[str, Any]:
    return {"description": text, **part} if text else dict(part)


def _described(specs: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    """The tools as they are described in words where the request cannot carry schemas."""
    return [
        {
            "name": spec["name"],
            "description": spec["description"],
            "arguments": {
                field: part.get("description", "") for field, part in spec["parameters"].get("properties", {}).items()
            },
        }
        for spec in specs
    ]


def _rules(texts: Texts, book: Rulebook, situation: Mapping[str, Any]) -> str:
    return "" if book == "none" else texts.render(f"rulebook_{book}.md", **situation).strip()


def _cards(texts: Texts, book: Rulebook, edition: str, sets: tuple[str, ...]) -> list[dict[str, Any]]:
    shown = []
    for card in render.card_facts(edition).values():
        if card.set in sets or card.type == "junk":
            text = texts.card(edition, card.slug)
            shown.append(
                {
                    "slug": card.slug,
                    "set": "" if card.type == "junk" else card.set,
                    "value": card.value,
                    "type": card.type,
                    "plus": card.plus,
                    "text": text.brief if book == "brief" else text.text,
                }
            )
    return shown


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
