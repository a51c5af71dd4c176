"""A person at the terminal, in plain lines: what happened, the state, the decision and a numbered menu.

Works through pipes. A typed proposal goes to the engine like anybody's, so a person can break rules and be told why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from harness import prompts, render, render_change
from harness.agents.base import Answer, Leave, Proposal, Turn
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec
from harness.prompts import DEFAULT_LANGUAGE, Texts
from harness.quotes import rule_quote
from harness.text import clean_line

PAGE = 20
"""Menu entries shown at a time."""


class HumanAgent:
    """Reads lines with ``read`` (None at the end of the input) and writes with ``write``, in one language."""

    def __init__(
        self,
        spec: str,
        read: Callable[[str], str | None],
        write: Callable[[str], None],
        language: str = DEFAULT_LANGUAGE,
    ) -> None:
        self.spec = spec
        self.settings: dict[str, Any] = {"language": language}
        self._read, self._write = read, write
        self._texts = prompts.load(language)
        self._greeted = False

    async def choose(self, turn: Turn) -> Answer:
        """Ask until a number of the menu or a readable proposal comes; raises Leave at ``quit`` and end of input."""
        menu = _Menu(turn, self._texts)
        if turn.attempt == 0:
            self._introduce(turn)
        else:
            self._write(f"\n{self._texts.say('refused', reason=_why(turn))}".rstrip(" "))
        self._write(menu.page(0))
        while True:
            line = self._read(f"{turn.seat}> ")
            if line is None or self._is(line.strip().casefold(), "quit"):
                raise Leave
            answer = self._understand(line.strip(), menu, turn)
            if answer is not None:
                return Answer(proposal=answer)

    async def close(self) -> None:
        """Nothing to give back."""

    def _introduce(self, turn: Turn) -> None:
        if not self._greeted:
            self._greeted = True
            self._write(self._texts.say("greeting"))
        language = self._texts.language
        if turn.history:
            self._write(f"\n{self._texts.say('happened')}\n{render.history(turn.history, language)}")
        state = render.observation(turn.observation, language)
        self._write(f"\n{state}\n\n{render.decision(turn.decision._asdict(), language)}")

    def _is(self, word: str, command: str) -> bool:
        """Whether a word is one of those for a command."""
        return word in self._texts.terminal[f"command_{command}"].split()

    def _understand(self, line: str, menu: _Menu, turn: Turn) -> Proposal | None:
        """Return the proposal a line states; None, after showing what it asks for, if it states none."""
        word = line.casefold()
        first = re.split(r"[\s{]", word, maxsplit=1)[0]
        if line.startswith("{"):
            proposal, problem = _typed(line, self._texts)
            if problem:
                self._write(problem)
            return proposal
        if line.isdecimal():
            number = int(line) if len(line) < 9 else len(turn.legal)
            if number < len(turn.legal):
                return turn.legal[number]
            self._write(self._texts.say("no_entry", entry=clean_line(line, 20), last=len(turn.legal) - 1))
        elif self._is(word, "help"):
            self._write(self._texts.terminal["help"])
        elif self._is(first, "why"):
            self._explain(line[len(first) :].strip(), turn)
        elif self._is(word, "state"):
            self._introduce(turn)
        elif self._is(word, "more"):
            self._write(menu.page(menu.shown))
        elif not word or self._is(word, "menu"):
            self._write(menu.page(0))
        else:
            self._write(menu.containing(word.split()))
        return None

    def _explain(self, typed: str, turn: Turn) -> None:
        """Say everything that stands against a typed proposal or the one refused last, and what would be legal."""
        texts = self._texts
        proposal, problem = _typed(typed, texts) if typed else (_refused(turn), texts.say("nothing_refused"))
        if proposal is None:
            self._write(problem)
            return
        explanation = turn.explain(proposal)
        if not explanation.violations:
            self._write(texts.say("is_legal"))
            return
        language = texts.language
        for violation in explanation.violations:
            marks = ", ".join((violation.code, *violation.rules))
            self._write(f"{prompts.message(violation, language)} [{marks}]")
        for rule in explanation.violations[0].rules:
            quote = rule_quote(rule, texts, turn.observation)
            if quote:
                self._write(f"  {rule}: {quote}")
        self._write(render_change.nearest(explanation, turn.observation, language) or texts.say("no_nearest"))


def _refused(turn: Turn) -> Proposal | None:
    """Return the proposal that was refused last at this decision."""
    stated = turn.feedback[-1].stated if turn.feedback else None
    return dict(stated) if stated is not None else None


def _why(turn: Turn) -> str:
    """Return the reason as far as the run tells it, with the rules to look up."""
    if not turn.feedback:
        return ""
    told = turn.feedback[-1]
    rules = " ".join(told.violations[0].rules) if told.violations else ""
    marks = ", ".join(filter(None, (told.code, rules)))
    return f"{told.message} [{marks}]" if marks else told.message


class _Menu:
    """The legal list as lines, paged."""

    def __init__(self, turn: Turn, texts: Texts) -> None:
        self._turn, self._texts = turn, texts
        self._lines: list[str] | None = None
        self.shown = 0

    @property
    def lines(self) -> list[str]:
        """All entries with their numbers."""
        if self._lines is None:
            turn = self._turn
            self._lines = [
                f"{number:>4}  {render.proposal(proposal, turn.observation, self._texts.language)}"
                for number, proposal in enumerate(turn.legal)
            ]
        return self._lines

    def page(self, start: int) -> str:
        """Return the next entries, and how many are left."""
        if start >= len(self.lines):
            return self._texts.say("no_more", count=len(self.lines))
        self.shown = min(start + PAGE, len(self.lines))
        left = len(self.lines) - self.shown
        rest = [f"      {self._texts.say('more', left=left)}"] if left else []
        return "\n".join([*self.lines[start : self.shown], *rest])

    def containing(self, words: list[str]) -> str:
        """Return the entries that contain all the words."""
        hits = [line for line in self.lines if all(word in line.casefold() for word in words)]
        if not hits:
            return self._texts.say("not_found", words=clean_line(" ".join(words), 60))
        left = len(hits) - PAGE
        rest = [f"      {self._texts.say('more_found', left=left)}"] if left > 0 else []
        return "\n".join([*hits[:PAGE], *rest])


def _typed(line: str, texts: Texts) -> tuple[Proposal | None, str]:
    """Return the proposal a JSON line states, or a sentence saying why it states none."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        position = error.pos + 1 if isinstance(error, json.JSONDecodeError) else None
        return None, texts.say("not_json", position=position)
    data = data if isinstance(data, dict) else {}
    arguments = data.get("arguments", {})
    if not isinstance(data.get("tool"), str) or not isinstance(arguments, dict) or set(data) - {"tool", "arguments"}:
        return None, texts.say("not_a_proposal")
    return {"tool": data["tool"], "arguments": arguments}, ""


def _read_line(prompt: str) -> str | None:
    try:
        return input(prompt)
    except (EOFError, KeyboardInterrupt):
        return None


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> HumanAgent:
    """Make the agent on standard input and output, in the language of its options."""
    return HumanAgent(str(spec), _read_line, lambda text: print(text, flush=True), options["language"])
