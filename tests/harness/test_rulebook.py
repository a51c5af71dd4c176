"""Looking up rules, statements, examples, codes and cards in the docs."""

from __future__ import annotations

import re

import pytest

from engine import CODES, SETS, catalogue
from harness import data, rulebook
from harness.errors import UserError


def test_a_rule_has_its_text_section_and_source() -> None:
    entry = rulebook.find_rule("R-MKT-07")
    assert entry.kind == "rule"
    assert entry.section == "4. Market action"
    assert entry.text.startswith("Overpay rule. Let total")
    assert entry.text.endswith("removing any single one must leave too little.")
    assert entry.source == "seed"
    assert "overpay_unneeded_card" in rulebook.as_text(entry)


def test_lists_and_tables_of_a_rule_belong_to_it() -> None:
    exact_test = rulebook.find_rule("R-STL-11")
    assert "5. | sum of effective values" in exact_test.text
    assert exact_test.text.endswith("Cards of D are exempt from tests 3 and 4.")
    assert "| 4 | 5 | 5 | 5 | 20 | 0 | 0 |" in rulebook.find_rule("R-SET-02").text


def test_every_rule_printed_in_bold_is_found_once() -> None:
    printed = [
        rule
        for name in rulebook.FILES
        for rule in re.findall(r"^\*\*(R-[A-Z]{3}-\d\d)\*\*", data.read_text(name), re.M)
    ]
    assert printed == [entry.id for entry in rulebook.entries().values() if entry.kind == "rule"]


@pytest.mark.parametrize(
    ("wanted", "kind", "part"),
    [
        ("r-mkt-07", "rule", "Overpay"),
        ("MAC4-1", "statement", "Look at up to 3 cards"),
        ("GV-1", "statement", "Gift Voucher takes its slot"),
        ("CHA-c-1", "statement", "R-CPC-01"),
        ("EX-MKT-03", "example", "overpay_unneeded_card"),
        ("EX-MAC1-2", "example", "invalid_order"),
        ("EX-MKT-24", "example", "max(0, 2+1-4)"),
        ("Q5", "question", "Wily Fellow"),
        ("slot_empty", "code", "R-MKT-14"),
        ("PAN3c", "group", "PAN3c-4: The overpay rule applies normally."),
        ("MAC4", "group", "MAC4-3:"),
        ("MAC2", "group", "MAC2r-3:"),
        ("R-INV", "group", "R-INV-03:"),
    ],
)
def test_ids_of_every_kind_are_found(wanted: str, kind: str, part: str) -> None:
    entry = rulebook.find_rule(wanted)
    assert entry.kind == kind
    assert part in entry.text


def test_every_code_and_every_rule_it_names_is_found() -> None:
    for code, info in CODES.items():
        assert rulebook.find_rule(code).kind == "code"
        for rule in info.rules:
            assert rulebook.rule_text(rule), (code, rule)


def test_an_unknown_id_names_close_ones() -> None:
    with pytest.raises(UserError, match=r"'R-MKT-7'; close to it: R-MKT-07"):
        rulebook.find_rule("R-MKT-7")
    with pytest.raises(UserError, match="no rule, card statement"):
        rulebook.find_rule("  ")


def test_search_finds_all_words_in_any_order() -> None:
    found = [entry.id for entry in rulebook.search("junk clean-up")]
    assert "R-DRW-05" in found
    assert all(
        "junk" in text and "clean-up" in text
        for entry in rulebook.search("junk clean-up")
        for text in [f"{entry.id} {entry.section} {entry.text}".casefold()]
    )
    assert rulebook.search("") == ()


def test_lookup_takes_an_id_or_words() -> None:
    assert rulebook.lookup("R-INV-02").startswith("R-INV-02  (7. Inventory action)")
    assert "R-MKT-08: The overpay rule is dropped" in rulebook.lookup("overpay rule")
    assert "more; add a word" in rulebook.lookup("card", limit=3)
    with pytest.raises(UserError, match="no rule contains these words"):
        rulebook.lookup("xyzzy plugh")


def test_contents_lists_the_sections() -> None:
    assert "4. Market action: R-MKT-01 to R-MKT-15" in rulebook.contents()


def test_rule_text_is_one_bounded_line() -> None:
    text = rulebook.rule_text("R-STL-11", limit=100)
    assert text is not None
    assert "\n" not in text
    assert len(text) <= 100
    assert rulebook.rule_text("R-XXX-99") is None


@pytest.mark.parametrize("edition", ["classic", "remastered"])
def test_cards_are_complete_and_agree_with_the_docs(edition: str) -> None:
    cards = rulebook.cards(edition=edition)
    assert [card.info for card in cards] == list(catalogue(edition))
    for card in cards:
        assert card.text
        assert card.brief
        if card.info.type != "junk":
            entry = rulebook.entries().get(card.info.code) or rulebook.entries()[card.info.code + edition[0]]
            type_ = (
                card.info.type + (" with an ability" if card.info.ability else "") + (" +" if card.info.plus else "")
            )
            copies = "1 copy" if card.info.copies == 1 else f"{card.info.copies} copies"
            assert entry.text.startswith(f"{card.info.name}: value {card.info.value}, {copies}, {type_}. ")


def test_cards_of_one_set() -> None:
    for name in SETS:
        assert {card.info.set for card in rulebook.cards(name)} == {name}
    with pytest.raises(UserError, match="did you mean 'macaws'"):
        rulebook.cards("macaw")
    with pytest.raises(UserError, match="there are: classic, remastered"):
        rulebook.cards(edition="third")
