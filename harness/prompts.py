"""The texts of `prompts/<language>`: loaded, validated, hashed; and the sentences for violations.

Every sentence a player reads comes from there. A language is a folder; what is missing or malformed in it is a
UserError that names the file.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, TemplateError, UndefinedError
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from engine import Violation
from harness import data
from harness.errors import UserError
from harness.text import clean_data

DEFAULT_LANGUAGE = "en"
T = TypeVar("T")


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CardText(_Record):
    """One card of one edition: its effect in full and in one line, and how it is named in the fields of the tools."""

    text: str
    brief: str
    choices: dict[str, str] = {}
    market: str = ""
    bought: str = ""
    stall: str = ""
    copies: str = ""


class CodeText(_Record):
    """One violation code: a clause, a sentence with facts (a template) and the same without."""

    meaning: str
    message: str
    plain: str


class ToolText(_Record):
    """One tool: what it does, and what goes into each argument; `remastered`: where that edition reads otherwise."""

    description: str
    arguments: dict[str, str] = {}
    remastered: dict[str, str] = {}


class KindText(_Record):
    """One kind of decision: what is to be decided, and the same when it is a bonus action."""

    text: str
    bonus: str = ""


class AskText(_Record):
    """One question of an effect: what is to be decided and which field of `choices` carries the answer."""

    text: str
    choices: dict[str, str]


class Decisions(_Record):
    """Decision kinds and questions of effects."""

    kinds: dict[str, KindText]
    asks: dict[str, AskText]


@dataclass(frozen=True)
class Texts:
    """Everything of one language. `environment` renders its templates, with the filters and words of the language."""

    language: str
    cards: Mapping[str, Mapping[str, CardText]]
    codes: Mapping[str, CodeText]
    tools: Mapping[str, ToolText]
    decisions: Decisions
    events: Mapping[str, str]
    failures: Mapping[str, str]
    proposals: Mapping[str, str]
    terminal: Mapping[str, str]
    tutorial: Mapping[str, Mapping[str, str]]
    changes: Mapping[str, str]
    words: Mapping[str, str]
    environment: Environment

    def card(self, edition: str, slug: str) -> CardText:
        """The texts of a card; a bare slug, without `#n`. Raises KeyError for an unknown card."""
        return self.cards[edition][slug]

    def render(self, template: str, **values: Any) -> str:
        """A template file of the language with these values filled in."""
        return _render(self.environment.get_template(template), values, f"prompts/{self.language}/{template}")

    def say(self, name: str, /, **values: Any) -> str:
        """A line of `terminal` with these values filled in."""
        template = _template(self.environment, self.terminal[name])
        return _render(template, values, f"prompts/{self.language}/*.toml, {name}")


def languages() -> tuple[str, ...]:
    """The languages there are."""
    return data.names("prompts")


@lru_cache(maxsize=8)
def load(language: str = DEFAULT_LANGUAGE) -> Texts:
    """The texts of a language. Raises UserError for a language there is not, or for broken files."""
    if language not in languages():
        raise UserError(f"there are no prompts in language {language!r}; there are: {', '.join(languages())}.")
    raw_cards = _load(language, "cards.toml", dict[str, dict[str, CardText]])
    both = raw_cards.get("both", {})
    cards = {edition: both | own for edition, own in raw_cards.items() if edition != "both"}
    words = _load(language, "words.toml", dict[str, str])
    return Texts(
        language=language,
        cards=cards,
        codes=_load(language, "codes.toml", dict[str, CodeText]),
        tools=_load(language, "tools.toml", dict[str, ToolText]),
        decisions=_load(language, "decisions.toml", Decisions),
        events=_load(language, "events.toml", dict[str, str]),
        failures=_load(language, "failures.toml", dict[str, str]),
        proposals=_load(language, "proposals.toml", dict[str, str]),
        terminal=_load(language, "terminal.toml", dict[str, str]) | _load(language, "table.toml", dict[str, str]),
        tutorial=_load(language, "tutorial.toml", dict[str, dict[str, str]]),
        changes=_load(language, "changes.toml", dict[str, str]),
        words=words,
        environment=_environment(language, words),
    )


@lru_cache(maxsize=8)
def prompt_hash(language: str = DEFAULT_LANGUAGE) -> str:
    """SHA-256 (hex) over the names and texts of all files of a language, in order of their names."""
    load(language)
    total = hashlib.sha256()
    for name in data.names(f"prompts/{language}"):
        text = data.read_text(f"prompts/{language}/{name}").encode()
        total.update(f"{name} {len(text)}\n".encode() + text)
    return total.hexdigest()


def code_meaning(code: str, language: str = DEFAULT_LANGUAGE) -> str:
    """What a violation code means, as one clause. An unknown code stands for itself."""
    text = load(language).codes.get(code)
    return text.meaning if text else code


def message(violation: Violation, language: str = DEFAULT_LANGUAGE) -> str:
    """One sentence that says what is wrong, with the facts of the violation where they are given."""
    texts = load(language)
    text = texts.codes.get(violation.code)
    if text is None:
        return violation.code
    facts = clean_data(violation.facts)
    try:
        return _template(texts.environment, text.message).render(facts)
    except (UndefinedError, TypeError):  # a fact is missing or of another kind: the sentence that needs none
        return text.plain


def failure_message(failure: str, language: str = DEFAULT_LANGUAGE) -> str:
    """What is told to a player whose answer was no readable proposal (or, for `rule`, only that it was illegal)."""
    return load(language).failures.get(failure, failure)


def render_line(texts: Texts, source: str, values: Mapping[str, Any]) -> str | None:
    """A one-line template of the language with these values; None if a value it needs is missing."""
    try:
        return _template(texts.environment, source).render(values)
    except (UndefinedError, TypeError):
        return None


def runs(cards: Iterable[str]) -> list[str]:
    """Neighbouring alike cards taken together: `["junk x2", "cookies"]`. The order is kept."""
    counted: list[tuple[str, int]] = []
    for card in cards:
        if counted and counted[-1][0] == card:
            counted[-1] = (card, counted[-1][1] + 1)
        else:
            counted.append((card, 1))
    return [card if count == 1 else f"{card} x{count}" for card, count in counted]


def _load(language: str, name: str, form: type[T]) -> T:
    path = f"prompts/{language}/{name}"
    try:
        return TypeAdapter(form).validate_python(tomllib.loads(data.read_text(path)))
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"the prompt file {path} is not valid TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UserError(f"the prompt file {path} is wrong at {where!r}: {first['msg']}.") from error


class _Environment(Environment):
    """Looks for ``a.b`` among the keys first: what the templates are filled with are plain objects of JSON."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return the key or, where there is none of that name, what jinja finds."""
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def _environment(language: str, words: Mapping[str, str]) -> Environment:
    environment = _Environment(
        loader=FunctionLoader(lambda name: data.read_text(f"prompts/{language}/{name}")),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.clear()  # no template uses them, and merging them in takes longer than filling in one line

    def listed(items: Iterable[Any], joint: str = "") -> str:
        """`a, b and c`; the last joint is a word of the language."""
        parts = [str(item) for item in items]
        if not joint or len(parts) < 2:
            return ", ".join(parts) or words["none"]
        return f"{', '.join(parts[:-1])} {words[joint]} {parts[-1]}"

    def zone(name: str) -> str:
        """`deck_B` as `B's deck`, `market_deck` as it stands among the words, anything else as it is."""
        kind, _, seat = name.rpartition("_")
        if name not in words and f"zone_{kind}" in words:
            return words[f"zone_{kind}"].format(seat=seat)
        return words.get(name, name)

    environment.filters["zone"] = zone
    environment.filters["listed"] = listed
    environment.filters["cards"] = lambda cards: listed(runs(cards))
    environment.filters["slots"] = lambda slots: listed(slot or words["empty"] for slot in slots)
    environment.filters["word"] = lambda name: words.get(name, str(name))
    return environment


@lru_cache(maxsize=512)
def _template(environment: Environment, source: str) -> Template:
    return environment.from_string(source)


def _render(template: Template, values: Mapping[str, Any], name: str) -> str:
    try:
        return template.render(values)
    except TemplateError as error:
        raise UserError(f"the prompt file {name} cannot be filled in: {error}.") from error
