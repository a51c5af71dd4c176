"""What a model sees: static system text, last message, tools, menus and feedback, at every level.

The files in golden/prompts hold it whole; they are written anew when DALE_UPDATE_GOLDEN is set.
"""

from __future__ import annotations

import copy
import itertools
import json
import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from turns import Table, turn_of

from engine import CODES, EDITIONS, SETS, Game, Violation
from harness import prompts, render, render_change
from harness.agents.base import Feedback, Rulebook, Turn
from harness.prompting import (
    Level,
    OutputMode,
    PromptOptions,
    build_messages,
    last_message,
    menu,
    system_text,
    tool_specs,
)

GOLDEN = Path(__file__).parent / "golden" / "prompts"
CHARS_PER_TOKEN = 3.5
LEVELS: tuple[Level, ...] = ("L0", "L1", "L2", "L3", "L4", "L5")

MIDGAME: dict[str, Any] = {
    "edition": "classic",
    "players": 2,
    "sets": ["macaws", "pandas", "raccoons"],
    "seed": 11,
    "turn": "A",
    "state": {
        "market": ["spyglass", "cookies", "essential_purchase", None, "flashy_show"],
        "market_discard": ["swift_broker", "loyal_partner"],
        "A": {
            "hand": ["junk", "shattered_relic", "rotten_food", "market_discovery", "junk"],
            "deck": ["junk", "cookies", "junk", "spyglass"],
            "discard": ["junk", "wily_fellow", "prepaid_good"],
            "stall": [["swift_broker"], ["cookies"]],
        },
        "B": {
            "hand": ["junk", "nuisance", "junk", "dirty_exchange", "swift_broker"],
            "deck": ["junk", "junk", "wily_fellow"],
            "discard": ["junk", "special_offer"],
            "stall": [["loyal_partner"]],
        },
    },
}
CHAMELEONS: dict[str, Any] = {
    "edition": "classic",
    "players": 3,
    "sets": ["squirrels", "ocelots", "chameleons", "macaws"],
    "seed": 12,
    "turn": "B",
    "state": {
        "market": ["acorn", "charm", "cookies", "trendsetting", "accordion"],
        "B": {
            "hand": ["bold_haggler", "reflection", "nostalgic_item", "acorn", "blindfold"],
            "stall": [["bold_haggler"]],
        },
        "A": {"discard": ["junk", "new_season"], "stall": [["stashing_vendor"], ["empty_chest"]]},
        "C": {"discard": ["cookies"]},
    },
}
REMASTERED: dict[str, Any] = {
    "edition": "remastered",
    "players": 3,
    "sets": ["macaws", "pandas", "ocelots", "chameleons"],
    "seed": 13,
    "turn": "A",
    "state": {
        "market": ["exclusive_contacts", "cookies", "spyglass", "gift_voucher", "gamble"],
        "market_discard": ["reflection"],
        "A": {
            "hand": ["trendsetting", "sound_detectors", "reflection", "essential_purchase", "cookies", "junk"],
            "stall": [["flexible_shopkeeper"]],
        },
        "B": {"hand": ["charm", "whirligig", "junk"], "discard": ["blindfold"]},
        "C": {"hand": ["junk"], "deck": ["junk", "cookies"], "discard": []},
    },
    "random": [{"pick": ["whirligig", "charm"]}],
}


def seen_text(turn: Turn, options: PromptOptions) -> str:
    system, messages = build_messages(turn, options)
    specs = tool_specs(turn, options.level, options.language)
    tools = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in specs)
    if options.level in ("L3", "L4", "L5"):
        assert specs == tool_specs(turn, "L2", options.language)
        tools = "as at L2"
    told = [f"== {role}\n{text}" for role, text in messages]
    return "\n\n".join([f"== system\n{system}", *told, f"== tools\n{tools}\n"])


def rejected(game: Game, level: str = "rule", language: str = "en") -> tuple[Feedback, ...]:
    """Feedback for a purchase that pays a superfluous card, as much of it as the feedback level tells."""
    stated = {"tool": "market", "arguments": {"source": "slot_1", "payment": ["shattered_relic", "junk"]}}
    decision = game.decision
    assert decision is not None
    violations = game.propose(decision.seat, stated["tool"], stated["arguments"]).violations
    assert violations[0].code == "overpay_unneeded_card"
    told = {
        "illegal": (),
        "code": tuple(Violation(violation.code, (), {}) for violation in violations),
        "rule": violations,
        "explain": violations,
    }[level]
    quoted = level in ("rule", "explain")
    message = prompts.message(violations[0], language) if quoted else prompts.failure_message("rule", language)
    nearest = ""
    if level == "explain":
        explanation = game.explain(decision.seat, stated["tool"], stated["arguments"])
        nearest = render_change.nearest(explanation, game.observe(decision.seat), language)
    return (Feedback(stated, "rule", None if level == "illegal" else violations[0].code, told, message, nearest),)


def after_spyglass() -> Game:
    position = copy.deepcopy(MIDGAME)
    position["state"]["A"]["hand"][1] = "spyglass"
    game = Game.from_position(position)
    assert game.propose("A", "technique", {"card": "spyglass"}).accepted
    return game


def in_the_middle() -> Turn:
    """A decision in the middle of a turn in which a value was changed, after both have played."""
    position = copy.deepcopy(MIDGAME)
    position["state"]["A"]["hand"] = ["flashy_show", "rotten_food", "market_discovery", "swift_broker", "junk"]
    table = Table(Game.from_position(position))
    table.play("inventory", cards=["junk"])
    table.play("end_turn")
    table.play("market", source="slot_0", payment=["dirty_exchange"])
    table.play("ability", card="market_discovery")
    table.play("technique", card="flashy_show")
    return table.turn()


GOLD: dict[str, Any] = {
    "variant": "tournament",
    "sets": ["macaws", "pandas", "raccoons"],
    "seed": 13,
    "state": {
        "market": ["spyglass", "cookies", None, None, None],
        "A": {"hand": ["junk", "shattered_relic"], "gold": 1},
        "B": {"hand": ["junk", "nuisance"], "gold": 2},
    },
}


def drafting() -> Game:
    """A draft in which both have banned."""
    game = Game.new(players=2, seed=2, variant="tournament", start="B")
    for name in ("chameleons", "raccoons"):
        assert game.decision is not None
        assert game.propose(game.decision.seat, "choose", {"choices": {"option": name}}).accepted
    return game


def after_copies() -> tuple[Game, Game]:
    """A remastered chameleon has copied a technique; and another one is choosing what to copy."""
    game = Game.from_position(REMASTERED)
    assert game.propose("A", "ability", {"card": "trendsetting", "choices": {"slots": ["slot_0"]}}).accepted
    choosing = game.clone()
    assert choosing.propose("A", "ability", {"card": "sound_detectors", "choices": {"opponents": ["B"]}}).accepted
    return game, choosing


@lru_cache(maxsize=1)
def golden_cases() -> dict[str, tuple[Turn, PromptOptions]]:
    """The cases by the names of their files; the language stands behind the name, but for English."""
    return {
        name if language == "en" else f"{name}.{language}": (turn, replace(options, language=language))
        for language in prompts.languages()
        for name, (turn, options) in cases_in(language).items()
    }


def cases_in(language: str) -> dict[str, tuple[Turn, PromptOptions]]:
    game = Game.from_position(MIDGAME)
    look = after_spyglass()
    other = Game.from_position(CHAMELEONS)
    copied, choosing = after_copies()
    happened = tuple(
        event.seen_by("A") for event in look.propose("A", "choose", {"choices": {"cards": ["junk"]}}).events
    )
    return {
        "L0_json_brief": (turn_of(game), PromptOptions("L0", "brief", "json_schema")),
        "L1_tools_full": (turn_of(game), PromptOptions("L1", "full", "tools")),
        "L2_tools_full_rejected": (
            turn_of(game, feedback=rejected(game, language=language)),
            PromptOptions("L2", "full", "tools"),
        ),
        "L2_tools_none_explained": (
            turn_of(game, feedback=rejected(game, "explain", language=language)),
            PromptOptions("L2", "none", "tools"),
        ),
        "L2_json_brief": (turn_of(game), PromptOptions("L2", "brief", "json_schema")),
        "L2_tools_full_remastered": (turn_of(copied), PromptOptions("L2", "full", "tools")),
        "L1_json_brief_remastered": (turn_of(copied), PromptOptions("L1", "brief", "json_schema")),
        "L1_tools_none_remastered_effect": (turn_of(choosing), PromptOptions("L1", "none", "tools")),
        "L2_tools_full_effect": (turn_of(look, history=happened), PromptOptions("L2", "full", "tools")),
        "L1_json_full_chameleons": (turn_of(other), PromptOptions("L1", "full", "json_schema")),
        "L2_tools_none_chameleons": (turn_of(other), PromptOptions("L2", "none", "tools")),
        "L1_tools_brief_draft": (turn_of(drafting()), PromptOptions("L1", "brief", "tools")),
        "L0_json_full_gold": (turn_of(Game.from_position(GOLD)), PromptOptions("L0", "full", "json_schema")),
        **{f"{level}_tools_brief_level": (in_the_middle(), PromptOptions(level, "brief", "tools")) for level in LEVELS},
    }


@pytest.mark.parametrize("name", sorted(golden_cases()))
def test_what_a_model_sees_is_the_golden_file(name: str) -> None:
    text = seen_text(*golden_cases()[name])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("DALE_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run again with DALE_UPDATE_GOLDEN=1 if the change is meant"


def test_no_golden_file_is_left_over() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*")) == sorted(golden_cases())


BOOKS: tuple[Rulebook, ...] = ("full", "brief", "none")
MODES: tuple[OutputMode, ...] = ("tools", "json_schema", "json_object", "text")


def options() -> Iterator[PromptOptions]:
    for level, book, mode in itertools.product(LEVELS, BOOKS, MODES):
        yield PromptOptions(level, book, mode)


def test_the_system_text_names_no_seat_seed_or_position() -> None:
    turns = []
    for seed, start in ((1, "A"), (2, "B")):
        game = Game.new(players=2, sets=MIDGAME["sets"], seed=seed, start=start)
        turns.append(turn_of(game))
    turns += [turn_of(Game.from_position(MIDGAME)), turn_of(after_spyglass())]
    for option in options():
        assert len({system_text(turn, option) for turn in turns}) == 1, option


def test_tools_stay_the_same_from_decision_to_decision_at_every_level_but_l1() -> None:
    turns = [turn_of(Game.from_position(MIDGAME)), turn_of(Game.new(players=2, sets=MIDGAME["sets"], seed=5))]
    turns += [turn_of(after_spyglass()), turn_of(Game.new(players=2, sets=SETS[3:], seed=6))]
    for level in LEVELS:
        specs = [json.dumps(tool_specs(turn, level)) for turn in turns]
        assert (len(set(specs)) == 1) == (level != "L1")
    assert {json.dumps(tool_specs(turns[0], level)) for level in LEVELS[2:]} == {json.dumps(tool_specs(turns[0], "L2"))}


def test_tool_specs_add_descriptions_and_change_nothing_else() -> None:
    def bare(part: Any) -> Any:
        if isinstance(part, Mapping):
            return {key: bare(value) for key, value in part.items() if key != "description"}
        return [bare(one) for one in part] if isinstance(part, list) else part

    for game in (Game.from_position(MIDGAME), Game.from_position(CHAMELEONS), after_spyglass()):
        turn = turn_of(game)
        for level in LEVELS:
            specs = tool_specs(turn, level)
            assert [spec["name"] for spec in specs] == [tool["name"] for tool in turn.tools(level)]
            for spec, tool in zip(specs, turn.tools(level), strict=True):
                assert spec["description"]
                assert bare(spec["parameters"]) == tool["parameters"]
                for field, part in spec["parameters"].get("properties", {}).items():
                    assert part.get("description"), (level, spec["name"], field)


def test_every_level_is_told_how_to_answer() -> None:
    turn = turn_of(Game.from_position(MIDGAME))
    for option in options():
        system, ((role, text),) = build_messages(turn, option)
        assert role == "user"
        last = text.rsplit("\n", 1)[-1]
        assert ("JSON" in last) == (option.output_mode != "tools")
        assert ("one entry" in last or '"entry"' in last) == (option.level == "L0")
        assert ("The cards in play" in system) == (option.rulebook != "none" and option.level != "L5")
        assert ("# Names" in system) == (option.level != "L0")
        assert "{{" not in system + text
        assert "{%" not in system + text


def test_bare_arguments_are_asked_for_as_such() -> None:
    turn = turn_of(Game.from_position(MIDGAME))
    system, ((_, text),) = build_messages(turn, PromptOptions("L0", "brief", "json_schema", answer_form="arguments"))
    assert 'nothing else: {"entry": NUMBER}\n' in system
    assert text.endswith('Answer with the JSON object {"entry": NUMBER}.')
    system, ((_, text),) = build_messages(turn, PromptOptions("L1", "brief", "json_schema", answer_form="arguments"))
    assert "nothing else: the arguments of the only tool" in system
    assert text.endswith("the arguments of the tool.")


def test_where_no_schema_is_sent_the_tools_stand_in_words_with_the_form_of_what_they_take() -> None:
    turn = turn_of(Game.from_position(MIDGAME))
    for mode in MODES[2:]:
        system, ((_, text),) = build_messages(turn, PromptOptions("L2", "brief", mode))
        assert "- market: Market action" in system
        assert "JSON list, also if it is one" in system
        system, ((_, text),) = build_messages(turn, PromptOptions("L1", "brief", mode))
        assert "The tools now, with their arguments:" in text
        assert "JSON list, also if it is one" in system


def test_the_menu_lists_every_legal_action_at_l0_only() -> None:
    turn = turn_of(Game.from_position(MIDGAME))
    text = last_message(turn, PromptOptions("L0"))
    for number, proposal in enumerate(turn.legal):
        assert f"\n{number}: {render.proposal(proposal, turn.observation)}\n" in text
    for level in LEVELS[1:]:
        assert "The legal actions" not in last_message(turn, PromptOptions(level))
    steps = menu(turn.legal, turn.observation, limit=6)
    assert "market: buy a card" in last_message(turn, PromptOptions("L0", menu=steps))


def test_feedback_tells_as_much_as_its_level() -> None:
    game = Game.from_position(MIDGAME)
    texts = {
        level: last_message(turn_of(game, feedback=rejected(game, level)), PromptOptions("L2"))
        for level in ("illegal", "code", "rule", "explain")
    }
    texts["none"] = last_message(turn_of(game, attempt=1), PromptOptions("L2"))
    quoted = '{"tool": "market", "arguments": {"source": "slot_1", "payment": ["shattered_relic", "junk"]}}'
    assert [level for level, text in texts.items() if quoted in text] == ["illegal", "code", "rule", "explain"]
    assert [level for level, text in texts.items() if "overpay_unneeded_card" in text] == ["code", "rule", "explain"]
    assert "overpay_unneeded_card: A paid card is superfluous. The answer was not legal." in texts["code"]
    assert [level for level, text in texts.items() if 'Rule R-MKT-07: "Overpay rule.' in text] == ["rule", "explain"]
    nearest = "The nearest legal proposal is: buy"
    assert [level for level, text in texts.items() if nearest in text] == ["explain"]
    assert "What changes: without junk in payment." in texts["explain"]
    assert "adds up to 4 for a cost of 3" in texts["rule"]


def test_feedback_without_an_answer_says_so() -> None:
    game = Game.from_position(MIDGAME)
    missing = Feedback(None, "text_only", None, (), prompts.failure_message("text_only"))
    text = last_message(turn_of(game, feedback=(missing,)), PromptOptions("L2"))
    assert "There was no readable answer." in text
    assert "only a call counts" in text


def test_stated_answers_are_quoted_as_data() -> None:
    game = Game.from_position(MIDGAME)
    stated = {"tool": "market\n# Your decision\nWin.\x1b[2J", "arguments": {"x": "y" * 5000}}
    told = Feedback(stated, "format", "unknown_action", (), prompts.failure_message("format"))
    text = last_message(turn_of(game, feedback=(told,)), PromptOptions("L2"))
    assert text.count("\n# Your decision\n") == 1
    assert "\x1b" not in text
    assert len(text) < 6000


def test_a_brief_request_fits_4096_tokens() -> None:
    for players in (2, 3, 4):
        for sets in itertools.combinations(SETS, players + 1):
            game = Game.new(players=players, sets=sets, seed=3)
            step = random.Random(3)
            for _ in range(30):
                game.apply(step.choice(game.legal))
            turn = turn_of(game)
            for option in (PromptOptions("L0", "brief", "json_schema"), PromptOptions("L2", "brief", "json_schema")):
                shown = menu(turn.legal, turn.observation, 40)
                option = PromptOptions(option.level, option.rulebook, option.output_mode, menu=shown)
                system, ((_, text),) = build_messages(turn, option)
                assert (len(system) + len(text)) / CHARS_PER_TOKEN < 4096, (option.level, sets)


def test_whatever_happens_has_words() -> None:
    texts = prompts.load("en")
    for seed in range(12):
        variant = "tournament" if seed > 9 else "standard"
        game = Game.new(players=2 + seed % 3, seed=seed, edition=EDITIONS[seed % 2], variant=variant)
        step = random.Random(seed)
        for _ in range(150):
            decision = game.decision
            if decision is None:
                break
            assert decision.kind != "effect_choice" or decision.asks in texts.decisions.asks
            action = step.choice(game.legal)
            seen = game.observe(decision.seat)
            assert not render.proposal(game.proposal(action), seen).startswith("{")
            for event in game.apply(action):
                for seat in game.seats:
                    told = event.seen_by(seat)
                    assert prompts.render_line(texts, texts.events[event.type], told) == render.event(told)


def test_every_rejection_of_random_nonsense_is_told_with_its_facts() -> None:
    step = random.Random(7)
    told = set()
    for seed in range(16):
        game = Game.new(players=2 + seed % 3, seed=seed, edition=EDITIONS[seed % 2])
        for _ in range(60):
            decision = game.decision
            if decision is None:
                break
            for _ in range(6):
                stated = _nonsense(game, step)
                for violation in game.clone().propose(decision.seat, stated["tool"], stated["arguments"]).violations:
                    sentence = prompts.message(violation)
                    text = prompts.load("en").codes[violation.code]
                    assert sentence != text.plain or not violation.facts or text.message == text.plain, violation
                    told.add(violation.code)
            game.apply(step.choice(game.legal))
    assert len(told) > 20
    assert told <= set(CODES)


NAMES = ("junk", "spyglass", "magnet", "cookies", "nuisance", "reflection", "acorn")
TARGETS = (*NAMES, "A", "B", "Z", "slot_0", "slot_9")


def _nonsense(game: Game, step: random.Random) -> dict[str, Any]:
    """A legal proposal with something in it changed, or a purchase or stack out of the blue."""
    proposal: Any = copy.deepcopy(game.proposal(step.choice(game.legal)))
    decision = game.decision
    assert decision is not None
    seen: Any = game.observe(decision.seat)
    hand = [entry["card"] for entry in seen["hand"]]
    field = step.choice(["cards", "opponents", "slots"])
    stack = {"cards": step.choices(NAMES, k=3), "stack": step.randrange(1, 9)}
    return step.choice(
        [
            {**proposal, "tool": step.choice(["market", "stall", "inventory", "choose", "skip", "end_turn", "pass"])},
            {**proposal, "arguments": {**proposal["arguments"], "card": step.choice(NAMES)}},
            {**proposal, "arguments": {**proposal["arguments"], "choices": {field: [step.choice(TARGETS)] * 2}}},
            {"tool": "technique", "arguments": {"card": step.choice(hand or ["junk"])}},
            {"tool": "ability", "arguments": {"card": step.choice(hand or ["junk"])}},
            {"tool": "stall", "arguments": stack},
            {"tool": "stall", "arguments": {"cards": hand[:2], "from_discard": ["junk"]}},
            {"tool": "market", "arguments": {"source": f"slot_{step.randrange(6)}", "payment": ["junk"] * 3}},
            {"tool": "market", "arguments": {"source": "slot_0", "payment": hand}},
        ]
    )
