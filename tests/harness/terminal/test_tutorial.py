"""The first-game lesson: it can be played to its end in every language, and its texts are true."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from persons import Script

from engine import Game
from harness import prompts
from harness.casual import is_casual
from harness.log import read_log
from harness.terminal.commands import understand
from harness.terminal.tutorial import Step, facts_of, lesson, lesson_plan, line_of, play_tutorial, told, wanted

LANGUAGES = prompts.languages()


def positions() -> Iterator[tuple[str, Step, Game]]:
    """Every step with the game as it stands when the step is told."""
    game = lesson_plan("lesson", prompts.load("en")).new_game()
    opponent = iter(lesson().opponent)
    for name, step in lesson().steps.items():
        while game.decision is not None and game.decision.seat == "B":
            play(game, next(opponent))
        yield name, step, game
        if step.move:
            play(game, step.move)
    while game.decision is not None and game.decision.seat == "B":
        play(game, next(opponent))
    assert next(opponent, None) is None
    assert game.round == lesson().turns + 1


def play(game: Game, line: str) -> None:
    decision = game.decision
    assert decision is not None
    proposal = wanted(Step(turn=0, move=line), game.observe(decision.seat), decision._asdict())
    verdict = game.propose(decision.seat, proposal["tool"], proposal["arguments"])
    assert verdict.accepted, (line, verdict.violations)


def test_each_move_is_legal_at_its_step_and_each_mistake_refused_with_its_code() -> None:
    kinds = set[str]()
    for name, step, game in positions():
        decision = game.decision
        assert decision is not None
        assert (decision.seat, game.round) == ("A", step.turn), name
        if not step.ask:
            proposal = wanted(step, game.observe("A"), decision._asdict())
            found = game.judge("A", proposal["tool"], proposal["arguments"])
            assert [violation.code for violation in found[:1]] == ([step.code] if step.mistake else []), name
            kinds.add(f"{proposal['tool']}{' refused' if step.mistake else ''}")
    assert kinds == {"market", "market refused", "technique", "stall", "stall refused", "inventory"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_line_that_is_told_means_the_step_in_every_language(language: str) -> None:
    texts = prompts.load(language)
    for _, step, game in positions():
        seen = game.observe("A")
        decision = seen["decision"]
        said = understand(line_of(step, seen, decision, texts), seen, decision, texts)
        if step.ask:
            assert f"{said.command} {said.text}".strip() == step.ask
        else:
            assert said.proposal == wanted(step, seen, decision)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_has_its_texts_and_they_speak_of_the_table(language: str) -> None:
    texts = prompts.load(language)
    assert list(texts.tutorial) == ["about", *lesson().steps]
    for name, step, game in positions():
        seen = game.observe("A")
        facts = facts_of(step, seen, seen["decision"])
        assert all(told(texts, name, part, facts) for part in ("title", "text", "done"))


def test_what_the_texts_say_of_the_table_is_true() -> None:
    tables = {name: (step, game.observe("A")) for name, step, game in positions()}

    def fact(name: str, key: str) -> int:
        step, seen = tables[name]
        return int(facts_of(step, seen, seen["decision"])[key])

    def slugs(name: str) -> list[str]:
        return [entry["card"] for entry in tables[name][1]["hand"]]

    assert slugs("overpay") == ["junk"] * 5
    assert fact("overpay", "total") == fact("overpay", "cost") + 1
    assert sorted(slugs("inventory")) == ["junk", "junk", "junk", "loyal_partner", "wily_fellow"]
    offers = {slot["slot"]: (slot["card"], slot["cost"]) for slot in tables["slots"][1]["market"]}
    assert offers["slot_2"] == ("dirty_exchange", 6)
    assert offers["slot_3"] == ("dirty_exchange", 7)
    assert fact("cookies", "total") == fact("cookies", "cost")
    assert fact("cookies", "number") == 2
    assert len(slugs("card")) == len(slugs("cookies")) + 1  # Cookies was bought
    assert fact("number", "total") != fact("number", "number")
    assert fact("exact", "total") == fact("exact", "number")
    assert fact("third", "total") == fact("third", "number") == 3
    assert "dirty_exchange" in tables["again"][1]["pools"]["A"]["cards"]
    assert fact("again", "number") == 4
    assert "dirty_exchange" in slugs("mixed")
    assert fact("mixed", "total") == fact("mixed", "number")
    assert fact("last", "total") == fact("last", "number")


class Learner(Script):
    """A person who types what the lesson says, after some lines of its own at the first step."""

    async def read(self, prompt: str, complete: object) -> str | None:
        line = next(self._typed, None)
        if line is None:
            wish = prompts.load(self.language).say("tutorial_type", line="").strip()
            line = next(text for text in reversed(self.shown) if wish in text).rpartition(wish)[2].strip()
        self.shown.append(f"{prompt}{line}")
        return line


def learn(folder: Path, language: str, *first: str) -> tuple[Learner, str]:
    learner = Learner(first, language)
    ending = asyncio.run(play_tutorial(folder / "tutorial-1", learner, prompts.load(language)))
    return learner, ending


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_lesson_is_played_and_logged(tmp_path: Path, language: str) -> None:
    learner, ending = learn(tmp_path, language)
    log = read_log(tmp_path / "tutorial-1" / "games" / "first-game.jsonl")
    assert log.outcome is not None
    assert log.outcome.stacks == {"A": 4, "B": 4}
    assert log.outcome.rounds == lesson().turns
    assert is_casual(log.header)
    refused = [attempt.code for attempt in log.attempts if attempt.result == "rule"]
    assert refused == [step.code for step in lesson().steps.values() if step.mistake]
    assert ending.startswith(told(prompts.load(language), "about", "done", {}))
    assert "R-MKT-07" in learner.text


def test_other_moves_are_explained_and_not_made(tmp_path: Path) -> None:
    other = ["buy 2 with junk junk junk junk", "inventory nothing", "why buy 1 with junk", "hint", "undo", "xyzzy"]
    learner, _ = learn(tmp_path, "en", *other)
    text = learner.text
    assert "That is legal too: buy prepaid_good from slot_2 with junk, junk, junk, junk." in text
    assert "Here the lesson goes on with: buy 1 with junk junk junk junk junk" in text
    assert "That is legal too: inventory: discard nothing." in text
    assert "The merchant would: " in text
    assert "In the lesson nothing is taken back" in text
    log = read_log(tmp_path / "tutorial-1" / "games" / "first-game.jsonl")
    assert [attempt.result for attempt in log.attempts if attempt.seat == "A"][:2] == ["rule", "accepted"]


def test_the_order_in_which_cards_are_named_does_not_matter(tmp_path: Path) -> None:
    typed = ["buy 1 with junk x5", "buy shattered with junk x4", "play shatt junk", "stack swift", "inventory 3 junk"]
    learner, _ = learn(tmp_path, "en", *typed, "buy 2 with junk shattered junk loyal", "quit")
    assert "== Turn 5 of 10: cards that just help ==" in learner.text


def test_a_lesson_can_be_left(tmp_path: Path) -> None:
    _, ending = learn(tmp_path, "en", "quit")
    assert ending == "The lesson ends here. It begins again with: dale play --tutorial"
