"""What the levels from L3 on give and withhold: nothing computed, no present state, no rules (contract section 3)."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest
from llmock.pytest_plugin import LLMock
from turns import Table, turn_of

from engine import EDITIONS, SETS, VARIANTS, Game, catalogue
from harness import prompts, render
from harness.agents.base import Turn
from harness.agents.context import RunContext
from harness.agents.spec import create_agent, parse_spec
from harness.errors import UserError
from harness.prompting import Level, OutputMode, PromptOptions, build_messages, last_message, system_text, tool_specs

LEVELS: tuple[Level, ...] = ("L0", "L1", "L2", "L3", "L4", "L5")
PLAIN: tuple[Level, ...] = ("L3", "L4", "L5")
LANGUAGES = prompts.languages()


def position(hand: list[str], sets: list[str], edition: str = "classic", **state: Any) -> Game:
    """A hand of seat A among these sets."""
    return Game.from_position(
        {"edition": edition, "players": 2, "sets": sets, "seed": 4, "state": {"A": {"hand": hand}, **state}}
    )


def told(game: Game, level: Level = "L3") -> str:
    return last_message(turn_of(game), PromptOptions(level))


@lru_cache(maxsize=16)
def played(seed: int, edition: str, length: int = 80) -> tuple[Turn, ...]:
    """The decisions of a game by random moves, one in four of a game that begins with a draft."""
    game = Game.new(players=2 + seed % 3, seed=seed, edition=edition, variant=VARIANTS[seed % 4 == 3])
    table, step, turns = Table(game), random.Random(seed), []
    for number in range(length):
        if game.decision is None:
            break
        turns.append(table.turn())
        table.apply(step.choice(game.legal), "random_legal" if number % 9 == 8 else "agent")
    return tuple(turns)


def games() -> Iterator[tuple[Turn, ...]]:
    for seed, edition in itertools.product(range(4), EDITIONS):
        yield played(seed, edition)


def test_from_l3_on_no_cost_total_limit_or_next_stack_is_told() -> None:
    game = position(["junk", "cookies", "shattered_relic"], ["macaws", "pandas", "raccoons"])
    computed = re.compile(r"\bcost \d|values in all|[Nn]ext stack: |[Hh]and limit: |\bprinted\b")
    assert computed.search(told(game, "L2"))
    for level in PLAIN:
        assert not computed.search(told(game, level)), level
    for turns in games():
        for turn in turns[::7]:
            for level in PLAIN:
                assert not computed.search(last_message(turn, PromptOptions(level))), level


def test_at_l3_values_are_the_printed_ones_and_changes_are_facts() -> None:
    game = position(["flashy_show", "bold_haggler", "bold_haggler", "junk"], ["macaws", "ocelots", "pandas"])
    assert "In force" not in told(game)
    assert game.propose("A", "technique", {"card": "flashy_show"}).accepted
    assert game.propose("A", "ability", {"card": "bold_haggler"}).accepted
    seen: Any = game.observe("A")
    rolled = next(card for card in seen["hand"] if card.get("ability") == "used")
    text = told(game)
    assert "In force until the turn ends: each card A uses this turn counts 1 more.\n" in text
    changed = f", +{rolled['value'] - 2} this turn"
    assert f"- {rolled['card']}: value 1{changed}, ocelots, passive, ability used\n" in text
    assert "- junk: value 1, junk\n" in text
    assert f"value {rolled['value']} (printed 1)" in told(game, "L2")


def test_at_l3_a_value_that_was_set_is_told_as_such() -> None:
    game = position(["blindfold", "spyglass", "junk"], ["macaws", "ocelots", "pandas"], B={"hand": ["junk"]})
    assert game.propose(
        "A", "technique", {"card": "blindfold", "choices": {"cards": ["spyglass"], "opponents": ["B"]}}
    ).accepted
    assert game.propose("B", "choose", {"choices": {"value": 9}}).accepted
    assert game.propose("A", "choose", {"choices": {"value": 2}}).accepted
    assert "- spyglass: value 4, set to 2 this turn, macaws, technique+\n" in told(game)


def test_at_l3_a_set_value_says_what_no_longer_counts() -> None:
    """R-VAL-02: a Flashy Show before the Blindfold does not raise the card, one after it does."""
    game = position(["flashy_show", "blindfold", "spyglass"], ["macaws", "ocelots", "pandas"], B={"hand": ["junk"]})
    assert game.propose("A", "technique", {"card": "flashy_show"}).accepted
    choices = {"cards": ["spyglass"], "opponents": ["B"]}
    assert game.propose("A", "technique", {"card": "blindfold", "choices": choices}).accepted
    assert game.propose("B", "choose", {"choices": {"value": 9}}).accepted
    assert game.propose("A", "choose", {"choices": {"value": 2}}).accepted
    lost = "(the +1 for all cards came before and no longer counts here)"
    assert f"- spyglass: value 4, set to 2 {lost} this turn, macaws, technique+\n" in told(game)


def test_at_l3_costs_and_the_hand_limit_of_the_turn_are_facts_too() -> None:
    hand = ["essential_purchase", "junk", "gift_voucher"]
    game = position(hand, ["macaws", "ocelots", "pandas"], "remastered")
    assert game.propose("A", "technique", {"card": "essential_purchase", "choices": {"cards": ["junk"]}}).accepted
    assert "In force until the turn ends: market cards cost A 2 less this turn.\n" in told(game)


def test_at_l3_a_copy_is_a_fact_and_its_value_is_not_told() -> None:
    game = position(["trendsetting", "junk"], ["macaws", "chameleons", "pandas"], "remastered", market=["cookies"] * 5)
    assert game.propose("A", "ability", {"card": "trendsetting", "choices": {"slots": ["slot_0"]}}).accepted
    assert "- trendsetting: value 5, chameleons, passive, now a copy of cookies, ability unused\n" in told(game)


def test_from_l3_on_nothing_says_which_cards_can_be_used_now() -> None:
    for turns in games():
        for level in PLAIN:
            systems = {system_text(turn, PromptOptions(level)) for turn in turns if "draft" not in turn.observation}
            assert len(systems) == 1
        for turn in turns[::9]:
            for level in PLAIN:
                assert "Using the cards" not in last_message(turn, PromptOptions(level))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_level_says_for_each_card_which_fields_it_takes(edition: str, language: str) -> None:
    texts = prompts.load(language)
    turn = turn_of(Game.new(players=4, sets=SETS[1:], seed=1, edition=edition))
    fields = system_text(turn, PromptOptions("L5", language=language)).partition(texts.words["use_technique"])[2]
    for level in PLAIN:
        assert fields in system_text(turn, PromptOptions(level, language=language))
    lines = system_text(turn, PromptOptions("L5", language=language)).split("\n")
    for card in catalogue(edition):
        text = texts.card(edition, card.slug)
        if card.set in SETS[1:] and (text.choices or text.copies or text.market or text.stall or card.ability):
            (line,) = [one for one in lines if one.startswith(f"- {card.slug}: ")]
            assert all(f"choices.{field} = {how}" in line for field, how in text.choices.items())
            assert text.copies in line
            assert text.market in line
            assert text.stall in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_closed_book_holds_no_rule_and_no_card_text(language: str) -> None:
    for edition, sets in itertools.product(EDITIONS, (SETS[:3], SETS[3:])):
        turn = turn_of(Game.new(players=2, sets=sets, seed=1, edition=edition))
        texts = prompts.load(language)
        for book, mode in itertools.product(("full", "brief", "none"), ("tools", "json_schema")):
            option = PromptOptions("L5", book, mode, language)  # type: ignore[arg-type]  # the products of literals
            system, ((_, text),) = build_messages(turn, option)
            assert "Dale of Merchants" in system
            assert not re.search(r"\[[A-Z]", system + text)
            for card in catalogue(edition):
                own = texts.card(edition, card.slug)
                assert own.text not in system
                assert own.brief not in system
            assert ", ".join(sets) in system
        assert system_text(turn, PromptOptions("L5", "full")) == system_text(turn, PromptOptions("L5", "none"))
        at_l3 = last_message(turn, PromptOptions("L3", language=language))
        assert last_message(turn, PromptOptions("L5", language=language)) == at_l3


A_RULE = re.compile(r"\b(must|only your|only with|not allowed|illegal|legal|total|once per turn|does not cost)\b")


def test_notation_smuggles_no_rule_into_the_closed_book() -> None:
    """What is told of fields and questions at every level names no condition and no effect."""
    texts = prompts.load("en")
    tools = [
        part
        for name, tool in texts.tools.items()
        if not name.endswith("_card")
        for part in (tool.description, *tool.arguments.values())
    ]
    asks = [part for ask in texts.decisions.asks.values() for part in (ask.text, *ask.choices.values())]
    kinds = [part for kind in texts.decisions.kinds.values() for part in (kind.text, kind.bonus)]
    cards = [
        part
        for edition in EDITIONS
        for card in texts.cards[edition].values()
        for part in (*card.choices.values(), card.market, card.stall, card.bought, card.copies)
    ]
    assert [part for part in (*tools, *asks, *kinds, *cards) if A_RULE.search(part)] == []


def front(turn: Turn, language: str = "en") -> str:
    """The message at L4 up to the decision."""
    heading = {"en": "\n# Your decision\n", "pt-BR": "\n# Sua decisão\n"}[language]
    before, found, _ = last_message(turn, PromptOptions("L4", language=language)).rpartition(heading)
    assert found
    return before


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_l4_the_message_so_far_begins_the_next_one(language: str) -> None:
    growing = 0
    for turns in games():
        last: dict[str, str] = {}
        for turn in turns:
            now = front(turn, language)
            assert now.startswith(last.get(turn.seat, now).rstrip("\n"))
            growing += len(now) > len(last.get(turn.seat, now))
            last[turn.seat] = now
    assert growing > 300


def test_at_l4_everything_shown_and_answered_is_told_in_order_and_the_present_never() -> None:
    for turns in games():
        turn = turns[-1]
        text = last_message(turn, PromptOptions("L4"))
        opening, *later = turn.record
        assert render.observation(opening.data, plain=True) in text
        told = [line for line in text.split("\n") if line.startswith("- ")]
        shown = [event for note in later for event in [note.data] if note.kind == "event"]
        events = render.history(shown, plain=True).split("\n")
        assert [line for line in told if line in set(events)] == events
        own = [note.data for note in later if note.kind == "own"]
        assert [line for line in told if line.startswith("- your answer: ")] == [
            f"- your answer: {one['tool']} {json.dumps({k: v for k, v in one['arguments'].items() if v is not None})}"
            for one in own
        ]
        assert sum("was drawn for you" in line for line in told) == sum(note.kind == "drawn" for note in later)
        present = render.observation(turn.observation, plain=True)
        assert present.partition("\n")[0] not in text or len(later) < 20


def test_at_l4_a_draft_is_followed_by_the_position_after_the_deal() -> None:
    turns = played(3, "classic")
    assert [note.kind for note in turns[0].record] == ["state"]
    dealt = [note for note in turns[-1].record if note.kind == "state"]
    assert len(dealt) == 2
    text = last_message(turns[-1], PromptOptions("L4"))
    assert f"- the position after the deal:\n{render.observation(dealt[1].data, plain=True)}\n" in text
    assert text.count("\nYour hand:\n") == 1


def test_at_l4_cards_looked_at_are_shown_with_the_question() -> None:
    table = Table(position(["spyglass", "junk"], ["macaws", "pandas", "raccoons"]))
    table.play("technique", card="spyglass")
    turn = table.turn()
    offered = ", ".join(turn.observation["offered"])
    text = last_message(turn, PromptOptions("L4"))
    assert f"(top first): {', '.join(prompts.runs(turn.observation['offered']))}\n" in text
    assert text.partition("# Your decision\n")[2].startswith(
        f"\nspyglass: take one of the cards offered.\nOffered to you now: {offered}.\nAnswer with choose: "
    )


def shown(turn: Turn) -> dict[Any, str]:
    """All that is sent for a decision, at every level and in every language."""
    found = {}
    for level, language in itertools.product(LEVELS, LANGUAGES):
        mode: OutputMode = "json_schema" if level == "L1" else "tools"
        told = build_messages(turn, PromptOptions(level, "brief", mode, language))
        found[level, language] = json.dumps([told, tool_specs(turn, level, language)])
    return found


@pytest.mark.rules("R-INF-02", "R-INF-03", "R-INF-04")
@pytest.mark.parametrize("edition", EDITIONS)
def test_dealing_again_what_a_seat_cannot_know_changes_no_request(edition: str) -> None:
    changed = 0
    for seed in range(4):
        game = Game.new(players=2 + seed % 3, seed=40 + seed, edition=edition)
        table, step = Table(game), random.Random(seed)
        for number in range(60):
            decision = game.decision
            if decision is None:
                break
            if number % 6 == 0 or decision.asks:
                seen = {"history": table.memory.history(decision.seat), "record": table.memory.record(decision.seat)}
                other = game.determinise(decision.seat, number)
                changed += other.digest() != game.digest()
                assert shown(turn_of(other, table.number, **seen)) == shown(table.turn())
            table.apply(step.choice(game.legal))
    assert changed > 30


def test_at_l4_hidden_fields_of_events_are_told_to_those_who_know_them_only() -> None:
    """The notes of a seat hold of each event what that seat may see, and no more."""
    table = Table(Game.new(players=3, seed=8, sets=SETS[:4]))
    step, hidden = random.Random(8), 0
    for _ in range(80):
        if table.game.decision is None:
            break
        action = step.choice(table.game.legal)
        clone = table.game.clone()
        events = clone.apply(action)
        before = {seat: len(table.memory.record(seat)) for seat in table.game.seats}
        table.apply(action)
        for seat in table.game.seats:
            new = [note.data for note in table.memory.record(seat)[before[seat] :] if note.kind == "event"]
            assert new == [event.seen_by(seat) for event in events]
            hidden += sum(
                bool(event.secret) and not set(event.secret) <= set(one) for one, event in zip(new, events, strict=True)
            )
    assert hidden > 50


@pytest.mark.parametrize("level", PLAIN)
def test_a_model_is_sent_what_its_level_tells(llmock: LLMock, level: Level) -> None:
    turn = played(2, "classic")[-1]
    agent = create_agent(parse_spec(f"compat:m@{llmock.base_url('openai')}?level={level}"), RunContext("brief"))
    llmock.call_tool("inventory", {"cards": []})

    async def decide() -> Any:
        try:
            return await agent.choose(turn)
        finally:
            await agent.close()

    answer = asyncio.run(decide())
    assert answer.proposal == {"tool": "inventory", "arguments": {"cards": []}}
    system, messages = build_messages(turn, PromptOptions(level, "brief"))
    sent = [(message["role"], message["content"]) for message in llmock.last_request.body["messages"]]
    assert sent == [("system", system), *messages]
    assert agent.settings["level"] == level
    assert agent.settings["rulebook"] == ("none" if level == "L5" else "brief")


def test_the_closed_book_takes_no_rulebook() -> None:
    with pytest.raises(UserError, match=r"at level L5 there is no rulebook: leave rulebook=full out of 'compat:m@"):
        create_agent(parse_spec("compat:m@http://127.0.0.1:9/v1?level=L5&rulebook=full"))
