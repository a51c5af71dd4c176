"""What a prompt says is so: tools, decisions, endings and limits are those of the engine and of the run."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from turns import turn_of

from engine import EDITIONS, SETS, TOOLS, VARIANTS, Game
from harness import prompts, render
from harness.agents.base import MatchSettings, Turn
from harness.prompting import Level, OutputMode, PromptOptions, build_messages, system_text, tool_specs

LEVELS: tuple[Level, ...] = ("L0", "L1", "L2", "L3", "L4", "L5")
MODES: tuple[OutputMode, ...] = ("tools", "json_schema")
LANGUAGES = prompts.languages()
MADE_FOR_A_CARD = re.compile(r"\b(?:technique|ability)_[a-z_]+\b")
MENU_TOOL = re.compile(r'(?:the tool|Call|Chame|ferramenta|"tool":) "?act\b')
NAMED = re.compile(rf"\b({'|'.join(TOOLS)})\b")


WRONG: tuple[tuple[str, dict[str, Any]], ...] = (("choose", {"choices": {}}), ("inventory", {"cards": []}))
"""One of these fits no decision."""


def decisions(length: int = 60) -> Iterator[Game]:
    """A game of each edition at each of its decisions; the game is played on afterwards."""
    for seed, edition in itertools.product(range(3), EDITIONS):
        game = Game.new(players=2 + seed, seed=seed, edition=edition, variant=VARIANTS[seed % 2])
        step = random.Random(seed)
        for _ in range(length):
            if game.decision is None:
                break
            yield game
            game.apply(step.choice(game.legal))


def before_a_bonus_stack() -> Game:
    stall = [["acorn"] for _ in range(4)]
    state = {"A": {"hand": ["winter_is_coming", "junk"], "stall": stall}}
    game = Game.from_position({"sets": ["squirrels", "pandas", "raccoons"], "state": state})
    assert game.propose("A", "stall", {"cards": ["winter_is_coming"]}).accepted
    return game


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tool_of_a_level_is_described_and_no_other_is_named(language: str) -> None:
    for number, game in enumerate(decisions()):
        turn = turn_of(game)
        for level, mode in itertools.product(LEVELS, MODES) if number % 17 == 0 else ():
            specs = tool_specs(turn, level, language)
            names = {spec["name"] for spec in specs}
            assert all(spec["description"] for spec in specs)
            system, ((_, text),) = build_messages(turn, PromptOptions(level, "full", mode, language))
            described = re.findall(r"^- (\w+): (.*)$", system + "\n" + text, re.M)
            if mode == "json_schema" and level != "L0":
                for spec in specs:
                    assert any(
                        name == spec["name"] and told.startswith(spec["description"]) for name, told in described
                    ), spec["name"]
            assert {name for name in MADE_FOR_A_CARD.findall(system + text) if name != "ability_card"} <= names
            assert bool(MENU_TOOL.search(system + text)) == (level == "L0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_decision_names_the_tools_that_answer_it(language: str) -> None:
    """The engine's refusal of a tool that does not fit says which do (R-DEC-01)."""
    kinds = set()
    for game in itertools.chain(decisions(120), [before_a_bonus_stack()]):
        decision = game.decision
        assert decision is not None
        tried = [game.judge(decision.seat, tool, arguments) for tool, arguments in WRONG]
        told: list[Any] = [one.facts["allowed"] for found in tried for one in found if "allowed" in one.facts]
        allowed = told[0]
        text = render.decision(decision._asdict(), language)
        if decision.kind == "effect_choice":
            assert allowed == ["choose"]
            continue
        assert set(NAMED.findall(text)) == set(allowed), decision.kind
        kinds.add((decision.kind, decision.bonus))
    assert len(kinds) == 4


ENDINGS = ("R-END-01", "R-END-02")
"""The endings that the rules know: stack 8 wins at once, however it was placed. Run limits are told beside them."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("book", ["rulebook_full.md", "rulebook_brief.md"])
def test_every_ending_of_the_game_is_told_in_every_rulebook(book: str, language: str) -> None:
    for edition, variant, players in itertools.product(EDITIONS, VARIANTS, (2, 3, 4)):
        text = prompts.load(language).render(
            book, edition=edition, variant=variant, sets=SETS[: players + 1], players=players
        )
        cited = [rule for found in re.findall(r"\[([^\]]*)\]", text) for rule in found.split(", ")]
        assert set(ENDINGS) <= set(cited)
        assert re.search(r"\b(stack|pilha) 8\b", text)
        assert re.search(r"\b(wins|venc\w+)\b", text)


def limited(**changes: Any) -> Turn:
    return turn_of(Game.new(players=2, sets=SETS[:3], seed=1), settings=MatchSettings(**changes))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("level", LEVELS)
def test_the_limits_of_the_run_are_told_at_every_level(level: Level, language: str) -> None:
    option = PromptOptions(level, language=language)
    texts = [
        system_text(limited(attempts=7, round_limit=23, policy=policy), option)
        for policy in ("random_legal", "forfeit", "void")
    ]
    assert len(set(texts)) == 3
    for text in texts:
        assert re.search(r"\b7 (answers|respostas)\b", text)
        assert re.search(r"\b23 (turns|turnos)\b", text)
    once = system_text(limited(attempts=1, round_limit=1), option)
    assert re.search(r"\b1 (answer|resposta)\b", once)
    assert re.search(r"\b1 (turn|turno)\b", once)
    assert system_text(limited(feedback="none"), option) == system_text(limited(feedback="explain"), option)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_policies_do_is_what_is_told(language: str) -> None:
    said = {
        policy: system_text(limited(policy=policy), PromptOptions("L2", language=language))
        for policy in ("random_legal", "forfeit", "void")
    }
    words = {
        "random_legal": ("drawn by lot", "sorteada"),
        "forfeit": ("you give up", "você desiste"),
        "void": ("without a result", "sem resultado"),
    }
    for policy, text in said.items():
        assert [other for other, parts in words.items() if any(part in text for part in parts)] == [policy]
