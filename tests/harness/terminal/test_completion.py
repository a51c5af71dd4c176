"""Completion of typed lines: from the line so far and the turn to what it can become."""

from __future__ import annotations

from engine import Game
from harness import prompts
from harness.terminal.completion import complete
from harness.terminal.spelling import spell

SETS = ["macaws", "pandas", "raccoons"]


def completed(line: str, language: str = "en") -> list[str]:
    game = Game.new(players=2, seed=5, sets=SETS, start="A")
    legal = [spell(game.proposal(action), language) for action in game.legal]
    return complete(line, legal, game.observe("A"), prompts.load(language))


def test_the_first_word_is_a_move_that_is_legal_or_a_question() -> None:
    assert completed("")[:5] == ["buy", "stack", "inventory", "play", "why"]
    assert completed("b") == ["buy"]
    assert completed("st") == ["stack", "state"]
    assert completed("cho") == []


def test_a_move_is_completed_word_by_word_from_the_legal_list() -> None:
    assert completed("buy ") == ["buy 0"]
    assert completed("buy 0 w") == ["buy 0 with"]
    assert completed("buy 0 with ") == ["buy 0 with junk", "buy 0 with wily_fellow", "buy 0 with loyal_partner"]
    assert completed("buy 4 with ") == []


def test_cards_are_completed_in_any_order_and_from_any_part_of_their_name() -> None:
    assert completed("buy 0 with fell") == ["buy 0 with wily_fellow"]
    assert completed("buy 0 with wily part") == ["buy 0 with wily loyal_partner"]
    assert completed("inventory loyal wily junk ") == ["inventory loyal wily junk junk"]


def test_the_whole_line_is_given_where_one_move_is_left() -> None:
    assert completed("stack w") == ["stack wily_fellow"]
    assert completed("inventory loyal wily junk junk j") == ["inventory loyal wily junk junk junk"]


def test_questions_are_completed_too() -> None:
    assert completed("why buy 0 with fell") == ["why buy 0 with wily_fellow"]
    assert completed("why b") == ["why buy"]
    assert completed("cards sp") == ["cards spyglass", "cards special_offer"]
    assert completed("rules overp") == []


def test_a_portuguese_line_is_completed_in_portuguese() -> None:
    assert completed("comprar 0 c", "pt-BR") == ["comprar 0 com"]
    assert completed("inventario loyal wily n", "pt-BR") == []
    assert completed("di", "pt-BR") == ["dica"]
