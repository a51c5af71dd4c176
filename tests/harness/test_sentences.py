"""Single sentences told to players, in both languages: of what the engine refuses, and of what happens."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Game, Violation
from harness import prompts, render


def of(game: Game, tool: str, **arguments: Any) -> Violation:
    """The first thing wrong with a proposal of A's whose other arguments are null."""
    names = ("cards", "opponents", "slots", "stack", "value", "option")
    if arguments.get("choices"):
        arguments["choices"] = dict.fromkeys(names) | arguments["choices"]
    return game.judge("A", tool, {"choices": None, "copies": None} | arguments)[0]


def table(edition: str = "classic", **state: Any) -> Game:
    hand = {"A": {key: state.pop(key) for key in ("hand", "stall") if key in state}}
    sets = ["macaws", "pandas", "chameleons"]
    return Game.from_position({"players": 2, "sets": sets, "edition": edition, "state": state | hand})


def test_a_card_of_another_stack_that_cannot_be_copied_is_told_with_its_place() -> None:
    game = table("remastered", hand=["flexible_shopkeeper"], stall=[["swift_broker"], ["cookies"]])
    stack = {"seat": "A", "number": 1, "card": "swift_broker"}
    found = of(game, "ability", card="flexible_shopkeeper", choices={"stack": stack})
    assert prompts.message(found) == "flexible_shopkeeper cannot copy swift_broker in stack 1 of A."
    assert prompts.message(found, "pt-BR") == "flexible_shopkeeper não pode copiar swift_broker, na pilha 1 de A."


def test_a_target_elsewhere_that_cannot_be_copied_is_told_as_it_was_named() -> None:
    found = Violation("copy_target_invalid", (), {"card": "reflection", "target": "market:cookies"})
    assert prompts.message(found) == "reflection cannot copy market:cookies."
    assert prompts.message(found, "pt-BR") == "reflection não pode copiar market:cookies."


def test_a_slot_named_twice_is_called_a_slot() -> None:
    game = table("remastered", hand=["loyal_partner"], market=["cookies", *["spyglass"] * 4])
    found = of(game, "technique", card="loyal_partner", choices={"slots": ["slot_3", "slot_3"]})
    assert prompts.message(found) == "The same slot, slot_3, is named twice."
    assert prompts.message(found, "pt-BR") == "O mesmo espaço, slot_3, é nomeado duas vezes."


def test_an_order_of_one_card_is_told_in_the_singular() -> None:
    game = table(hand=["loyal_partner"], market_deck=[], market=["cookies", None, None, None, None])
    found = of(game, "technique", card="loyal_partner", choices={"slots": ["slot_0", "slot_0"]})
    assert found.code == "invalid_order"
    assert prompts.message(found) == "The order must name the only card concerned exactly once."
    assert prompts.message(found, "pt-BR") == "A ordem deve nomear a única carta em questão exatamente uma vez."


def test_a_copy_that_was_not_named_is_asked_for_without_the_name_of_a_field() -> None:
    facts = {"card": "trendsetting", "identities": ["charm", "spyglass"]}
    for given in (facts, {}):
        for language in prompts.languages():
            assert "copies" not in prompts.message(Violation("copy_target_missing", (), given), language)
    told = prompts.message(Violation("copy_target_missing", (), facts))
    assert told == "trendsetting must copy a card here; say which of these it is: charm or spyglass."


@pytest.mark.parametrize(
    ("code", "facts", "english", "portuguese"),
    [
        ("too_many_targets", {"given": 2, "field": "slots", "most": 1},
         "2 are named in the field slots, but at most 1 is allowed.",
         "O campo slots nomeia 2, mas é permitida no máximo 1 escolha."),
        ("too_many_targets", {"given": 3, "field": "opponents", "most": 2},
         "3 are named in the field opponents, but at most 2, all different, are allowed.",
         "O campo opponents nomeia 3, mas são permitidas no máximo 2 escolhas, todas diferentes."),
        ("target_empty", {"seat": "B", "option": "discard"},
         "B has no card in the discard pile; choose a source that has one.",
         "B não tem carta na pilha de descarte; escolha uma fonte que tenha."),
        ("stack_contains_junk", {"card": "junk"},
         "The stack would contain junk, which needs a Stashing Vendor in the stack.",
         "A pilha conteria sucata, o que exige uma Stashing Vendor na pilha."),
        ("stack_contains_junk", {"card": "reflection"},
         "The stack would contain reflection as junk, which needs a Stashing Vendor in the stack.",
         "A pilha conteria reflection como sucata, o que exige uma Stashing Vendor na pilha."),
    ],
)  # fmt: skip
def test_a_refusal_in_words(code: str, facts: dict[str, Any], english: str, portuguese: str) -> None:
    assert prompts.message(Violation(code, (), facts)) == english
    assert prompts.message(Violation(code, (), facts), "pt-BR") == portuguese


@pytest.mark.rules("R-JNK-04")
@pytest.mark.parametrize(
    ("count", "english", "portuguese"),
    [
        (1, "A takes 1 junk, from the junk pile or as a substitute if it is empty",
         "A pega 1 sucata, da pilha de sucata ou, se ela está vazia, uma substituta"),
        (3, "A takes 3 junk, from the junk pile as far as it goes, then substitutes",
         "A pega 3 sucatas, da pilha de sucata enquanto houver, depois substitutas"),
    ],
)  # fmt: skip
def test_junk_may_be_a_substitute(count: int, english: str, portuguese: str) -> None:
    event = {"type": "junk", "seat": "A", "count": count}
    assert render.event(event) == english
    assert render.event(event, "pt-BR") == portuguese
