"""Rules quoted to a player are those of the game played, in words that are meant for players."""

from __future__ import annotations

import re

import pytest

from engine import CODES, EDITIONS, Game
from harness import prompts, rulebook
from harness.quotes import LIMIT, cited, rule_quote

SETS = ("macaws", "pandas", "chameleons")
LANGUAGES = prompts.languages()


def quoted(rule: str, edition: str, language: str = "en") -> str | None:
    seen = Game.new(players=2, sets=SETS, seed=1, edition=edition).observe("A")
    return rule_quote(rule, prompts.load(language), seen)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("rule", "edition"),
    [
        ("PAN3c-2", "classic"),
        ("PAN4c-2", "classic"),
        ("R-MKT-04", "classic"),
        ("R-CPC-04", "classic"),
        ("R-CLN-08", "classic"),
        ("R-CLN-09", "remastered"),
        ("R-CPR-05", "remastered"),
    ],
)
def test_a_rule_of_one_edition_is_not_quoted_in_the_other(rule: str, edition: str, language: str) -> None:
    (other,) = (one for one in EDITIONS if one != edition)
    assert quoted(rule, edition, language)
    assert quoted(rule, other, language) is None


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_language_quotes_the_same_rules_but_for_those_no_rulebook_cites(edition: str) -> None:
    """These stand in docs/ alone, in one language."""
    rules = {rule for code in CODES.values() for rule in code.rules} | set(rulebook.entries())
    told = {language: {rule for rule in rules if quoted(rule, edition, language)} for language in LANGUAGES}
    assert len(told["en"]) > 100
    for language, known in told.items():
        assert known <= told["en"]
        alone = told["en"] - known
        assert not any(quoted(rule, other, language) for rule in alone for other in EDITIONS)
        assert {"R-CMP-05", "R-PAS-07"} <= told["en"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_quotation_is_one_line_without_tables_and_without_names_of_files(edition: str) -> None:
    for rule in rulebook.entries():
        for language in LANGUAGES:
            text = quoted(rule, edition, language) or ""
            assert not re.search(r"\|---|\n|\.md\b", text), (rule, text)
            assert len(text) <= LIMIT


def test_a_rule_that_is_a_table_is_quoted_as_the_rulebook_says_it() -> None:
    told = quoted("R-CPC-04", "classic")
    assert told is not None
    assert "Reflection: the top card of any opponent's discard pile." in told


def test_the_rulebooks_tell_what_else_ends_with_a_lock_and_where_a_copy_of_junk_goes() -> None:
    for language, part in (("en", "when the lock ends"), ("pt-BR", "quando a trava acaba")):
        assert part in cited(language, "classic", "standard", SETS, 2)["R-CPC-08"]
    for edition in EDITIONS:
        for language, part in (("en", "the physical card decides"), ("pt-BR", "decide a carta física")):
            assert part in cited(language, edition, "standard", SETS, 2)["R-THR-02"]
