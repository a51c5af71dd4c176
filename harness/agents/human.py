"""A person at the terminal, in plain lines: what happened, the state, the decision and a numbered menu.

Works through pipes. A typed proposal goes to the engine like anybody's, so a person can break rules and be told why.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from harness import prompts, render, render_change, rulebook
from harness.agents.base import Answer, Leave, Proposal, Turn
from harness.agents.spec import AgentSpec
from harness.text import clean_line

PAGE = 20
"""Menu entries shown at a time."""

HELP = """\
  NUMBER        take that entry of the menu
  more          show the next entries of the menu
  WORDS         show the entries that contain all these words, for instance: buy slot_1
  menu, state   show the menu from its start, or the state, again
  {"tool": …}   propose in full, for instance {"tool": "inventory", "arguments": {"cards": ["junk"]}}
  why           why the last proposal was not accepted, all of it, and the nearest one that would be
  why {…}       the same for a proposal, without making it
  quit          leave; the game is kept and can be gone on with"""


class HumanAgent:
    """Reads lines with ``read`` (None at the end of the input) and writes with ``write``."""

    def __init__(self, spec: str, read: Callable[[str], str | None], write: Callable[[str], None]) -> None:
        self.spec = spec
        self.settings: dict[str, Any] = {"language": "en"}
        self._read, self._write = read, write
        self._greeted = False

    async def choose(self, turn: Turn) -> Answer:
        """Ask until a number of the menu or a readable proposal comes; raises Leave at ``quit`` and end of input."""
        menu = _Menu(turn)
        if turn.attempt == 0:
            self._introduce(turn)
        else:
            self._write(f"\nNot accepted. {_why(turn)}")
        self._write(menu.page(0))
        while True:
            line = self._read(f"{turn.seat}> ")
            if line is None or line.strip().casefold() in ("quit", "q", "exit"):
                raise Leave
            answer = self._understand(line.strip(), menu, turn)
            if answer is not None:
                return Answer(proposal=answer)

    async def close(self) -> None:
        """Nothing to give back."""

    def _introduce(self, turn: Turn) -> None:
        if not self._greeted:
            self._greeted = True
            self._write('Choose with the number of an entry; "help" says what else can be typed.')
        if turn.history:
            self._write(f"\nWhat happened:\n{render.history(turn.history)}")
        self._write(f"\n{render.observation(turn.observation)}\n\n{render.decision(turn.decision._asdict())}")

    def _understand(self, line: str, menu: _Menu, turn: Turn) -> Proposal | None:
        """Return the proposal a line states; None, after showing what it asks for, if it states none."""
        word = line.casefold()
        if line.startswith("{"):
            proposal, problem = _typed(line)
            if problem:
                self._write(problem)
            return proposal
        if line.isdecimal():
            number = int(line) if len(line) < 9 else len(turn.legal)
            if number < len(turn.legal):
                return turn.legal[number]
            self._write(f"There is no entry {clean_line(line, 20)}; the menu has 0 to {len(turn.legal) - 1}.")
        elif word in ("help", "h", "?"):
            self._write(HELP)
        elif word.startswith("why") and word[3:4] in ("", " ", "{"):
            self._explain(line[3:].strip(), turn)
        elif word == "state":
            self._introduce(turn)
        elif word in ("more", "m"):
            self._write(menu.page(menu.shown))
        elif word in ("", "menu"):
            self._write(menu.page(0))
        else:
            self._write(menu.containing(word.split()))
        return None

    def _explain(self, typed: str, turn: Turn) -> None:
        """Say everything that stands against a typed proposal or the one refused last, and what would be legal."""
        proposal, problem = _typed(typed) if typed else (_refused(turn), "Nothing was refused at this decision.")
        if proposal is None:
            self._write(problem)
            return
        explanation = turn.explain(proposal)
        if not explanation.violations:
            self._write("That is legal.")
            return
        for violation in explanation.violations:
            self._write(f"{prompts.message(violation)} [{', '.join((violation.code, *violation.rules))}]")
        for rule in explanation.violations[0].rules:
            text = rulebook.rule_text(rule, 500)
            if text:
                self._write(f"  {rule}: {text}")
        self._write(
            render_change.nearest(explanation, turn.observation) or "There is no legal proposal to compare with."
        )


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

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._lines: list[str] | None = None
        self.shown = 0

    @property
    def lines(self) -> list[str]:
        """All entries with their numbers."""
        if self._lines is None:
            turn = self._turn
            self._lines = [
                f"{number:>4}  {render.proposal(proposal, turn.observation)}"
                for number, proposal in enumerate(turn.legal)
            ]
        return self._lines

    def page(self, start: int) -> str:
        """Return the next entries, and how many are left."""
        if start >= len(self.lines):
            return f"That is all: {len(self.lines)} entries."
        self.shown = min(start + PAGE, len(self.lines))
        left = len(self.lines) - self.shown
        rest = [f'      … {left} more: type "more", or words to look for.'] if left else []
        return "\n".join([*self.lines[start : self.shown], *rest])

    def containing(self, words: list[str]) -> str:
        """Return the entries that contain all the words."""
        hits = [line for line in self.lines if all(word in line.casefold() for word in words)]
        if not hits:
            return f'No entry contains {clean_line(" ".join(words), 60)!r}; type "help" for what can be typed.'
        rest = [f"      … {len(hits) - PAGE} more: add words."] if len(hits) > PAGE else []
        return "\n".join([*hits[:PAGE], *rest])


def _typed(line: str) -> tuple[Proposal | None, str]:
    """Return the proposal a JSON line states, or a sentence saying why it states none."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError) as error:
        return None, f"That is not JSON: {error}."
    data = data if isinstance(data, dict) else {}
    arguments = data.get("arguments", {})
    if not isinstance(data.get("tool"), str) or not isinstance(arguments, dict) or set(data) - {"tool", "arguments"}:
        return None, 'A proposal has "tool" (a text) and "arguments" (an object), nothing else.'
    return {"tool": data["tool"], "arguments": arguments}, ""


def _read_line(prompt: str) -> str | None:
    try:
        return input(prompt)
    except (EOFError, KeyboardInterrupt):
        return None


def create(spec: AgentSpec, options: Mapping[str, Any]) -> HumanAgent:
    """Make the agent on standard input and output; it has no options."""
    return HumanAgent(str(spec), _read_line, lambda text: print(text, flush=True))
