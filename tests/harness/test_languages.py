"""Every language says the same: files, keys, variables, rules cited, fields; and the glossary of the Portuguese."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from jinja2 import meta

from engine import CODES, SETS, VARIANTS, Violation, catalogue
from harness import data, prompts, quotes

EDITIONS = ("classic", "remastered")
OTHERS = [language for language in prompts.languages() if language != "en"]
FILES = data.names("prompts/en")
TABLES = [name for name in FILES if name.endswith(".toml")]
TEMPLATES = [name for name in FILES if not name.endswith(".toml")]
CITED = re.compile(r"R-[A-Z]{3}-\d\d|[A-Z]{2,3}\d?[AB]?[cr]?(?:-[cr])?-\d+")


def leaves(table: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a table with the keys that lead to it."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


def texts_of(language: str, name: str) -> dict[str, str]:
    return dict(leaves(tomllib.loads(data.read_text(f"prompts/{language}/{name}"))))


def variables(language: str, text: str) -> set[str]:
    environment = prompts.load(language).environment
    return meta.find_undeclared_variables(environment.parse(text)) | set(re.findall(r"(?<!\{)\{seat\}", text))


def combinations() -> Iterator[dict[str, Any]]:
    for edition, variant, players in itertools.product(EDITIONS, VARIANTS, (2, 3, 4)):
        for sets in itertools.combinations(SETS, players + 1):
            yield {"edition": edition, "variant": variant, "players": players, "sets": sets}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_same_files(language: str) -> None:
    assert data.names(f"prompts/{language}") == FILES


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_the_same_keys_with_the_same_variables(language: str, name: str) -> None:
    english, other = texts_of("en", name), texts_of(language, name)
    assert list(other) == list(english)
    for key, text in english.items():
        assert variables(language, other[key]) == variables("en", text), key
        assert bool(other[key].strip()), key


@pytest.mark.parametrize("name", TEMPLATES)
@pytest.mark.parametrize("language", OTHERS)
def test_templates_have_the_same_variables(language: str, name: str) -> None:
    english, other = (data.read_text(f"prompts/{one}/{name}") for one in ("en", language))
    assert variables(language, other) == variables("en", english)


@pytest.mark.parametrize("book", ["rulebook_full.md", "rulebook_brief.md"])
@pytest.mark.parametrize("language", OTHERS)
def test_rulebooks_cite_the_same_rules_whatever_is_in_play(language: str, book: str) -> None:
    for situation in combinations():
        english, other = (prompts.load(one).render(book, **situation) for one in ("en", language))
        assert set(CITED.findall(other)) == set(CITED.findall(english)), situation
        assert re.findall(r"^#+ |^\d\. ", other, re.M) == re.findall(r"^#+ |^\d\. ", english, re.M), situation


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_of_a_rulebook_cites_a_rule(language: str) -> None:
    for situation in combinations():
        for book in ("rulebook_full.md", "rulebook_brief.md"):
            for block in re.split(r"\n\s*\n|\n\s*- |\n\s*\d\. ", prompts.load(language).render(book, **situation)):
                heading = block.startswith("#") or len(block.split()) < 2
                claimed = block.strip().rpartition("[")[2]
                assert heading or (CITED.match(claimed) and claimed.partition("]")[2] in ("", ".", ":", ";")), block


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", OTHERS)
def test_cards_cite_the_same_statements_and_take_the_same_choices(language: str, edition: str) -> None:
    for card in catalogue(edition):
        english, other = (prompts.load(one).card(edition, card.slug) for one in ("en", language))
        assert CITED.findall(other.text) == CITED.findall(english.text), card.slug
        assert other.choices.keys() == english.choices.keys()
        assert [bool(part) for part in (other.market, other.stall, other.copies)] == [
            bool(part) for part in (english.market, english.stall, english.copies)
        ]
        assert len(other.brief) <= 130, card.slug
        assert other.text.endswith(".")
        assert other.brief.endswith(".")


FACTS: dict[str, Any] = {
    "tool": "xtool", "argument": "xargument", "expected": "cards", "tools": ["xone", "xtwo"], "seat": "xseat",
    "deciding": "xdeciding", "decision": "bonus_stack", "allowed": ["xallowed", "xother"], "card": "xcard",
    "zone": "market", "slot": "xslot", "total": 47, "cost": 31, "minimum": 13, "superfluous": ["xjunk", "xmore"],
    "most": 71, "least": 73, "given": 79, "bought": "xbought", "copied": "xcopied", "field": "xfield", "value": 83,
    "lowest": 89, "highest": 97, "identities": ["xleft", "xright"], "target": "xtarget", "stack": 61, "next": 67,
    "sets": ["xset", "xsets"], "number": 59, "by": 53, "claimed": 43, "actual": 37, "option": "xoption",
    "options": ["xyes", "xno"], "allows": "xallows", "gold": 29,
}  # fmt: skip


@pytest.mark.parametrize("code", list(CODES))
@pytest.mark.parametrize("language", OTHERS)
def test_a_code_tells_the_same_facts(language: str, code: str) -> None:
    texts = {one: prompts.load(one).codes[code] for one in ("en", language)}
    needed = variables("en", texts["en"].message)
    assert needed <= FACTS.keys()
    for facts in ({**FACTS, "most": 1, "least": 1}, {**FACTS, "expected": "nothing"}, FACTS):
        told = {one: prompts.message(Violation(code, (), {name: facts[name] for name in needed}), one) for one in texts}
        shown = {one: set(re.findall(r"x[a-z]+\b(?<=\w\w\w)|\d+", sentence)) for one, sentence in told.items()}
        known = {str(part) for value in facts.values() for part in (value if isinstance(value, list) else [value])}
        assert shown["en"] & known == shown[language] & known
        assert not needed or told[language] != texts[language].plain
    assert prompts.code_meaning(code, language) != prompts.code_meaning(code)


GLOSSARY = {
    # rules.md R-VOC-01: two keywords, two Portuguese words
    r"\b(throw|throws|threw|thrown|throwing|throws?[- ]away)\b": r"\bjog\w+(-\w+)? fora\b",
    r"\bdiscard": r"\bdescart",
    r"\b(buy|buys|buying|bought|purchase)": r"\bcompr[aeo]\w*\b",
    r"\b(draw|draws|drew|drawn|drawing)\b": r"\b(sac\w+|saque\w*|sortead\w+)\b",
    r"\bstacks?\b": r"\bpilhas?\b(?! de (descarte|sucata))",
    r"\bjunk\b": r"\b(sucatas?|junk)\b",
    r"\bopponent": r"\boponente",
    r"\bmarkets?\b": r"\bmercado\b",
    r"\btechnique": r"\btécnica",
    r"\bpassive": r"\bpassiv[ao]s?\b",
    r"\bability\b|\babilities\b": r"\bhabilidade",
    r"\bbonus action": r"\baç(ão|ões) bônus",
    r"\bhand limit": r"\blimite d[ae] (sua )?mão",
    r"\bclean-up": r"\blimpeza",
    r"\bchameleon": r"\bcamale(ão|ões)",
    r"\bgold\b": r"\bouro\b",
    r"\b(ban|bans|banned)\b": r"\bban(e|a|id[oa]s?)\b",
    r"\bturn order\b": r"\bordem dos turnos\b",
    r"\bstart player\b": r"\bjogador inicial\b",
    r"\bnearest\b": r"\bmais próxim[oa]\b",
    r"\binstead of\b": r"\bem vez d[eo]\b",
}
"""English word and Portuguese word: where the one stands, the other must, and where it does not, must not."""


def told_without_names(text: str) -> str:
    """The text without what is no word of the language: names of cards, slugs, citations and template code."""
    names = {card.name for edition in EDITIONS for card in catalogue(edition) if card.type != "junk"}
    slugs = {card.slug for edition in EDITIONS for card in catalogue(edition) if card.type != "junk"}
    text = re.sub(r"\{[{%].*?[%}]\}|\[[^\]]*\d\]|\[\{.*?\}\]", " ", text)
    text = re.sub("|".join(map(re.escape, sorted(names | slugs, key=len, reverse=True))), " ", text)
    text = re.sub(
        r"\b(market_discard|market(?=:CAR)|from_discard|throw_away|bonus_stack|stack_\w+|discard_\w+):?\b", " ", text
    )
    return re.sub(r"\bslot_\d\b", " ", text).casefold()


def units() -> Iterator[tuple[str, str, str]]:
    """Sentences of both languages that say the same: place, English, Portuguese."""
    for name in ("cards.toml", "changes.toml", "codes.toml", "decisions.toml", "events.toml", "proposals.toml"):
        english, other = texts_of("en", name), texts_of("pt-BR", name)
        for key, text in english.items():
            if (name, key) != ("events.toml", "technique"):  # "joga a técnica", to stand apart from "joga fora"
                yield f"{name} {key}", text, other[key]
    for edition, variant, sets in itertools.product(EDITIONS, VARIANTS, (SETS[:5], SETS[1:])):
        english, other = (quotes.cited(one, edition, variant, tuple(sets), 4) for one in ("en", "pt-BR"))
        for rule, text in english.items():
            yield f"{edition} {variant} {rule}", text, other[rule]


def test_a_rule_of_the_book_is_quoted_without_what_single_cards_say_of_it() -> None:
    sets = ("macaws", "ocelots", "chameleons")
    told = quotes.cited("pt-BR", "classic", "standard", sets, 2)
    shopkeeper = prompts.load("pt-BR").card("classic", "flexible_shopkeeper").text
    assert "R-CPC-03" in shopkeeper
    assert told["R-CPC-03"].endswith("passiva.")
    assert told["CHA1c-1"].removesuffix(".").split(";")[0] in shopkeeper


def test_the_portuguese_texts_keep_to_the_glossary() -> None:
    wrong = []
    for place, english, portuguese in units():
        english, portuguese = told_without_names(english), told_without_names(portuguese)
        for word, ours in GLOSSARY.items():
            if bool(re.search(word, english)) != bool(re.search(ours, portuguese)):
                wrong.append((place, word, english, portuguese))
    assert wrong == []


def test_the_portuguese_texts_use_one_word_for_one_thing() -> None:
    avoided = re.compile(r"\b(adversári|lixo|quinquilharia|banca\b|lojas?\b|rodízio|cemitério|baixar)", re.I)
    for name in FILES:
        assert avoided.findall(data.read_text(f"prompts/pt-BR/{name}")) == []


def test_the_portuguese_lesson_says_sucata() -> None:
    assert "junk" not in " ".join(texts_of("pt-BR", "tutorial.toml").values())
