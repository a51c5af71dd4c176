"""The lesson of ``dale play --tutorial``: a game on a fixed deal in which a person is told what to try, and why.

The deal, the other seat's moves and the lines of the steps are data (``first_game.toml`` beside this file); what a
person reads stands in ``prompts/<language>/tutorial.toml``. Other moves are explained and not made, so that the game
stays the one the lesson speaks of; what breaks a rule goes to the engine and into the log like anybody's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from harness import prompts, render
from harness.agents.base import Answer, MatchSettings, Proposal, Turn
from harness.agents.human import HumanAgent
from harness.blobs import BlobStore
from harness.match import play
from harness.plan import MatchPlan
from harness.prompts import Texts
from harness.render import bare, slot_card
from harness.terminal.commands import understand
from harness.terminal.screen import Screen
from harness.terminal.seating import ATTEMPTS
from harness.terminal.sitting import Sitting
from harness.terminal.spelling import spell
from harness.terminal.vocabulary import vocabulary

OF_THE_DATA = "en"
"""The language of the lines in ``first_game.toml``."""


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Step(_Record):
    """One step: a move to make, a mistake to try, which is refused with ``code``, or a question to ask."""

    turn: int
    move: str = ""
    mistake: str = ""
    code: str = ""
    ask: str = ""


class Lesson(_Record):
    """The game of the lesson."""

    edition: Literal["classic", "remastered"]
    sets: tuple[str, ...]
    seed: int
    turns: int
    opponent: tuple[str, ...]
    steps: dict[str, Step]


@lru_cache(maxsize=1)
def lesson() -> Lesson:
    """Return the game of the lesson."""
    return Lesson.model_validate(tomllib.loads((Path(__file__).parent / "first_game.toml").read_text(encoding="utf-8")))


def lesson_plan(name: str, texts: Texts) -> MatchPlan:
    """Return the match of the lesson, in which the person sits first and begins."""
    game = lesson()
    return MatchPlan(
        run=name,
        run_seed=game.seed,
        game="first-game",
        deal=1,
        line_up=1,
        rotation=0,
        edition=game.edition,
        sets=game.sets,
        seed=game.seed,
        seats={"A": texts.say("you"), "B": texts.say("partner")},
        settings=MatchSettings(attempts=ATTEMPTS, round_limit=game.turns),
        start="A",
    )


def line_of(step: Step, seen: Mapping[str, Any], decision: Mapping[str, Any], texts: Texts) -> str:
    """Return the line a step asks for, in the words of a language."""
    if step.ask:
        command, _, rest = step.ask.partition(" ")
        return f"{vocabulary(texts.language).spell(f'command_{command}')} {rest}".strip()
    return spell(wanted(step, seen, decision), texts.language)


def wanted(step: Step, seen: Mapping[str, Any], decision: Mapping[str, Any]) -> Proposal:
    """Return the proposal of a step that is a move or a mistake."""
    proposal = understand(step.move or step.mistake, seen, decision, prompts.load(OF_THE_DATA)).proposal
    assert proposal is not None
    return proposal


@dataclass
class Tutor:
    """Leads a person through the steps; ``at`` counts those that are done."""

    screen: Screen
    texts: Texts
    at: int = 0

    @property
    def step(self) -> tuple[str, Step] | None:
        """The name and the content of the present step, None behind the last one."""
        steps = list(lesson().steps.items())
        return steps[self.at] if self.at < len(steps) else None

    def begin(self, turn: Turn) -> None:
        """Say what the present step asks for, after saying what a mistake has shown."""
        if (
            turn.feedback
            and self.step is not None
            and self.step[1].mistake
            and self._is_wanted(turn, turn.feedback[-1].stated)
        ):
            self._done(turn)
        self._tell(turn)

    def let(self, turn: Turn, proposal: Proposal) -> bool:
        """Whether a proposal goes to the engine: that of the step, or one that breaks a rule; others are explained."""
        if self.step is None:
            return True
        _, step = self.step
        if step.move and self._is_wanted(turn, proposal):
            self._done(turn)
            return True
        if turn.explain(proposal).violations:
            return True
        told = render.proposal(proposal, turn.observation, self.texts.language)
        self.screen.write(self.texts.say("tutorial_other", move=told, line=self._line(turn)))
        return False

    def answered(self, turn: Turn, command: str, text: str) -> None:
        """Note that a question was answered; the one that a step asks for ends it."""
        if self.step is None or not self.step[1].ask:
            return
        wished, _, rest = self.step[1].ask.partition(" ")
        if command == wished and (not rest or _names(rest, text)):
            self._done(turn)
            self._tell(turn)

    def _tell(self, turn: Turn) -> None:
        if self.step is None:
            return
        name, step = self.step
        title = self._text(name, "title", turn)
        head = self.texts.say("tutorial_step", turn=step.turn, turns=lesson().turns, title=title)
        line = self.texts.say("tutorial_type", line=self._line(turn))
        self.screen.write(f"\n== {head} ==\n{self._text(name, 'text', turn)}\n\n{line}")

    def _done(self, turn: Turn) -> None:
        assert self.step is not None
        self.screen.write(f"\n-> {self._text(self.step[0], 'done', turn)}")
        self.at += 1

    def _line(self, turn: Turn) -> str:
        assert self.step is not None
        return line_of(self.step[1], turn.observation, turn.decision._asdict(), self.texts)

    def _is_wanted(self, turn: Turn, proposal: Mapping[str, Any] | None) -> bool:
        assert self.step is not None
        step = self.step[1]
        return proposal is not None and _same(wanted(step, turn.observation, turn.decision._asdict()), proposal)

    def _text(self, name: str, part: str, turn: Turn) -> str:
        assert self.step is not None
        facts = facts_of(self.step[1], turn.observation, turn.decision._asdict())
        return told(self.texts, name, part, facts)


def told(texts: Texts, name: str, part: str, facts: Mapping[str, Any]) -> str:
    """Return a text of the lesson with the facts it speaks of, as one paragraph."""
    line = prompts.render_line(texts, " ".join(texts.tutorial[name][part].split()), facts)
    assert line is not None, f"the text {part} of the step {name} speaks of what there is not"
    return line


def facts_of(step: Step, seen: Mapping[str, Any], decision: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the texts of a step can speak of, read from the table."""
    facts: dict[str, Any] = {"number": seen["next_stack"], "limit": seen["hand_limit"]}
    if step.ask:
        return facts
    arguments = wanted(step, seen, decision)["arguments"]
    paid = arguments.get("payment") or arguments.get("cards") or []
    values = {bare(entry["card"]): entry["value"] for entry in seen["hand"]}
    facts["total"] = sum(values[card] for card in paid)
    source = arguments.get("source", "")
    facts["cost"] = next((slot["cost"] for slot in seen["market"] if slot is not None and slot["slot"] == source), 0)
    card = arguments.get("card") or slot_card(seen, source) or paid[0]
    facts["card"] = render.card_facts(seen["edition"])[card].name
    return facts


def _names(rest: str, typed: str) -> bool:
    """Whether words name the same card as a step does: the beginning of its name is enough."""
    part = "_".join(typed.casefold().split())
    return bool(part) and any(piece.startswith(part) for piece in (rest, *rest.split("_")))


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return _plain(one) == _plain(other)


def _plain(proposal: Mapping[str, Any]) -> dict[str, Any]:
    """A proposal without the order of its cards and what is not given."""
    given = {**proposal["arguments"], **(proposal["arguments"].get("choices") or {})}
    given.pop("choices", None)
    ordered = {name: sorted(map(str, value)) if isinstance(value, list) else value for name, value in given.items()}
    return {"tool": proposal["tool"], **{name: value for name, value in ordered.items() if value not in (None, [], "")}}


class Partner:
    """The other seat of the lesson: plays the lines it was given."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.spec = "lesson"
        self.settings: dict[str, Any] = {}
        self._lines = iter(lines)

    async def choose(self, turn: Turn) -> Answer:
        """Return the next move."""
        step = Step(turn=0, move=next(self._lines))
        return Answer(proposal=wanted(step, turn.observation, turn.decision._asdict()))

    async def close(self) -> None:
        """Nothing to give back."""


async def play_tutorial(folder: Path, screen: Screen, texts: Texts) -> str:
    """Give the lesson, logged below ``folder``; returns what is to be said when the screen is gone."""
    plan = lesson_plan(folder.name, texts)
    sitting = Sitting(screen, texts, dict(plan.seats), no_undo="undo_lesson")
    person = HumanAgent("human?casual=true", sitting, casual=True, tutor=Tutor(screen, texts))
    screen.write(f"{told(texts, 'about', 'title', {})}\n\n{told(texts, 'about', 'text', {})}")
    log = folder / "games" / f"{plan.game}.jsonl"
    outcome = await play(plan, {"A": person, "B": Partner(lesson().opponent)}, log, BlobStore(folder / "blobs"))
    if outcome is None:
        return texts.say("tutorial_left")
    return f"{told(texts, 'about', 'done', {})}\n\n{texts.say('tutorial_next')}"
