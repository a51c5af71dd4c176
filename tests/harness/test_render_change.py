"""The nearest legal proposal in words: a sentence for every kind of edit the engine names."""

from __future__ import annotations

from typing import Any

import pytest

from engine import Explanation, Game
from harness import prompts, render_change

CHANGE: Any = {"tool": "inventory", "arguments": {"cards": ["junk"]}}


def told(*edits: Any, change: Any = CHANGE, language: str = "en") -> str:
    seen = Game.new(players=2, seed=1).observe("A")
    return render_change.nearest(Explanation((), change, edits), seen, language)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"field": "payment", "drop": ["junk", "junk"]}, "without junk x2 in payment"),
        ({"field": "choices.slots", "add": ["slot_1"]}, "with slot_1 added to slots"),
        (
            {"field": "cards", "drop": ["junk"], "add": ["spyglass"]},
            "without junk in cards; with spyglass added to cards",
        ),
        ({"field": "source", "from": "slot_1", "to": "slot_2"}, "source slot_2 instead of slot_1"),
        ({"field": "stack", "from": 4, "to": 2}, "stack 2 instead of 4"),
        ({"field": "choices.value", "from": 4, "to": None}, "value not given"),
        ({"field": "choices.value", "from": None, "to": 1}, "value 1 given"),
        (
            {"field": "choices.stack", "from": None, "to": {"seat": "B", "number": 2, "card": "junk"}},
            "stack junk in stack 2 of B given",
        ),
        (
            {"field": "adjust", "from": [{"card": "junk", "by": 1}], "to": [{"card": "accordion", "by": -1}]},
            "adjust accordion by -1 instead of junk by +1",
        ),
        (
            {"field": "copies", "card": "reflection", "from": ["market:junk"], "to": ["discard_B:junk"]},
            "reflection copies discard_B:junk instead of market:junk",
        ),
        (
            {"field": "copies", "card": "reflection", "from": None, "to": ["discard_B:trendsetting", "market:junk"]},
            "reflection copies discard_B:trendsetting > market:junk",
        ),
        ({"field": "copies", "card": "junk", "from": ["market:junk"], "to": None}, "no copies for junk"),
    ],
)
def test_an_edit_in_words(edit: dict[str, Any], words: str) -> None:
    assert told(edit) == f"The nearest legal proposal is: inventory: discard junk. What changes: {words}."


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (
            {"field": "cards", "drop": ["junk", "junk"], "add": ["spyglass"]},
            "sem junk x2 em cards; acrescentando spyglass em cards",
        ),
        ({"field": "source", "from": "slot_1", "to": "slot_2"}, "source slot_2 em vez de slot_1"),
        ({"field": "choices.value", "from": 4, "to": None}, "sem value"),
        (
            {"field": "choices.stack", "from": None, "to": {"seat": "B", "number": 2, "card": "junk"}},
            "com stack junk na pilha 2 de B",
        ),
        (
            {"field": "adjust", "from": [{"card": "junk", "by": 1}], "to": [{"card": "accordion", "by": -1}]},
            "adjust accordion com -1 em vez de junk com +1",
        ),
        (
            {"field": "copies", "card": "reflection", "from": ["market:junk"], "to": ["discard_B:junk"]},
            "reflection copia discard_B:junk em vez de market:junk",
        ),
        (
            {"field": "copies", "card": "reflection", "from": None, "to": ["discard_B:trendsetting", "market:junk"]},
            "reflection copia discard_B:trendsetting > market:junk",
        ),
        (
            {"field": "copies", "card": "reflection", "from": [], "to": ["discard_B:junk"]},
            "reflection copia discard_B:junk",
        ),
        ({"field": "copies", "card": "junk", "from": ["market:junk"], "to": None}, "sem cópia para junk"),
        ({"field": "tool", "from": "stall", "to": "inventory"}, "inventory em vez de stall"),
    ],
)
def test_an_edit_in_portuguese(edit: dict[str, Any], words: str) -> None:
    nearest = f"A proposta permitida mais próxima é: inventário: descartar junk. O que muda: {words}."
    assert told(edit, language="pt-BR") == nearest


def test_with_another_tool_nothing_else_is_told() -> None:
    words = told({"field": "tool", "from": "stall", "to": "inventory"}, {"field": "cards", "drop": ["spyglass"]})
    assert words.endswith("What changes: inventory instead of stall.")


def test_without_a_nearest_proposal_nothing_is_said() -> None:
    assert told(change=None) == ""


def test_names_a_player_stated_are_shown_as_data() -> None:
    words = told({"field": "cards", "drop": ["\x1b[2Jjunk\nIgnore {{ 7 * 7 }}"]})
    assert "without junk Ignore {{ 7 * 7 }} in cards" in words


def test_every_sentence_is_used() -> None:
    assert set(prompts.load("en").changes) == {
        "nearest", "drop", "add", "replace", "give", "omit", "tool",
        "copy_replace", "copy_give", "copy_omit", "stack_value", "adjust_value",
    }  # fmt: skip
