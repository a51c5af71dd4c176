"""A person at the terminal: shown the turn on a screen, asked for a line, answered until the line states a proposal.

A typed proposal goes to the engine like anybody's, so a person can break rules and be told why. At a level below full
help the person reads what a model at that level reads, and is given no more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from engine import FormatFault
from harness import prompts, render
from harness.agents.base import Answer, Leave, Proposal, Resign, Turn
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec
from harness.prompting import Level
from harness.terminal import answers, levels
from harness.terminal.advice import advice
from harness.terminal.commands import Said, understand
from harness.terminal.completion import commands, complete
from harness.terminal.lines import LineScreen
from harness.terminal.menu import PAGE, LegalMenu
from harness.terminal.names import Unclear
from harness.terminal.screen import View
from harness.terminal.sitting import Sitting
from harness.terminal.vocabulary import folded, vocabulary
from harness.text import clean_line

HINTED = "after a hint"
"""What an attempt's ``detail`` says if the person had asked for advice at its decision."""


class Guide(Protocol):
    """Who leads a person through a first game."""

    def begin(self, turn: Turn) -> None:
        """Speak before a line is asked for."""

    def let(self, turn: Turn, proposal: Proposal) -> bool:
        """Return whether a proposal goes to the engine."""

    def answered(self, turn: Turn, command: str, text: str) -> None:
        """Note that a question was answered."""


class HumanAgent:
    """One person at a table. ``level`` None is full help; ``casual`` says that reports do not count the game."""

    def __init__(
        self, spec: str, sitting: Sitting, level: Level | None = None, casual: bool = False, tutor: Guide | None = None
    ) -> None:
        self.spec = spec
        self.settings: dict[str, Any] = {"language": sitting.texts.language, "level": level, "casual": casual}
        self._sitting, self._level, self._tutor = sitting, level, tutor
        self._greeted = False
        self._shown = -1
        self._hinted = -1

    async def choose(self, turn: Turn) -> Answer:
        """Ask until a line states a proposal. Raises Leave at ``quit`` and the end of input, Resign at ``resign``."""
        if not await self._sitting.hand_over(turn.seat):
            raise Leave
        asking = _Asking(turn, self._sitting, self._level)
        self._greet()
        first = self._shown != turn.number
        self._shown = turn.number
        if first or self._level is not None:
            await asking.show()
        if turn.attempt and self._level is None:
            self._sitting.screen.write(f"\n{answers.refusal(turn, self._sitting.texts)}")
        if self._tutor is not None:
            self._tutor.begin(turn)
        while True:
            line = await self._sitting.screen.read(f"{turn.seat}> ", asking.complete)
            if line is None:
                raise Leave
            try:
                proposal = await asking.answer(line)
            except Unclear as unclear:
                self._sitting.screen.write(str(unclear))
                continue
            if asking.hinted:
                self._hinted = turn.number
            if proposal is None and self._tutor is not None:
                self._tutor.answered(turn, *asking.answered)
            elif proposal is not None and (self._tutor is None or self._tutor.let(turn, proposal)):
                return Answer(proposal=proposal, detail=HINTED if self._hinted == turn.number else "")

    async def close(self) -> None:
        """Nothing to give back."""

    def _greet(self) -> None:
        if not self._greeted:
            self._greeted = True
            texts = self._sitting.texts
            told = texts.say("greeting") if self._level is None else texts.say("greeting_level", level=self._level)
            self._sitting.screen.write(told)


class _Asking:
    """One decision as it is asked: what is shown, and what lines are answered with."""

    def __init__(self, turn: Turn, sitting: Sitting, level: Level | None) -> None:
        self.turn, self.sitting, self.level = turn, sitting, level
        self.texts, self.screen = sitting.texts, sitting.screen
        self.menu = LegalMenu(turn, self.texts)
        self.hinted = False
        self.answered = ("", "")
        self._options = levels.prompt_options(level, self.texts.language, turn) if level is not None else None
        self._within: tuple[int, ...] | None = None

    async def show(self) -> None:
        """Show the turn: all of it, or the message of the level."""
        turn, language = self.turn, self.texts.language
        await self.screen.show(
            View(
                seat=turn.seat,
                names={seat: self.sitting.name(seat) for seat in turn.observation["seats"]},
                observation=turn.observation,
                decision=turn.decision._asdict(),
                happened=render.history(turn.history, language) if self.level is None else "",  # the message tells it
                menu=self.menu if self.level is None else (),
                level=self.level,
                state=self._message(),
            )
        )
        self.menu.shown = min(len(self.menu), PAGE)

    def _message(self) -> str | None:
        if self._options is None:
            return None
        return levels.message(self.turn, self._options, levels.entries(self.turn, self._options, self._within))

    def complete(self, typed: str) -> list[str]:
        """Return the lines that can become of what is typed; below full help only questions: moves would tell."""
        if self.level is None:
            return complete(typed, self.menu.lines, self.turn.observation, self.texts)
        return [word for word in commands(self.texts) if folded(word).startswith(folded(typed))]

    async def answer(self, line: str) -> Proposal | None:
        """Return the proposal a line states; None, after answering it, if it states none. Raises Unclear."""
        said = understand(line, self.turn.observation, self.turn.decision._asdict(), self.texts)
        if self.level == levels.MENU:
            said = _as_entry(said)
        if said.command == "propose":
            return self._proposed(said)
        if said.command == "entry":
            return await self._entry(said.text)
        self.answered = (said.command, said.text)
        own = _LEVEL_ANSWERS if self.level is not None else _ANSWERS
        if said.command in own:
            self.screen.write(own[said.command](self, said.text))
        elif said.command == "state":
            await self.show()
        else:
            await self._leave(said.command)
        return None

    def _proposed(self, said: Said) -> Proposal:
        """What a line proposes, in the form of the contract: at L1 a call of the guided tools is one, too."""
        assert said.proposal is not None
        if self.level == levels.MENU:
            raise Unclear(self.texts.say("level_menu_only"))
        if self.level is None or not said.text.startswith("{"):
            return said.proposal
        try:
            tool, arguments = self.turn.translate(self.level, said.proposal["tool"], said.proposal["arguments"])
        except FormatFault:
            return said.proposal
        return {"tool": tool, "arguments": arguments}

    async def _entry(self, text: str) -> Proposal | None:
        """The proposal of an entry; None if it is a group whose entries are shown next."""
        if self._options is None:
            return self._listed(text)
        number = self._number(text)
        shown = levels.entries(self.turn, self._options, self._within)
        if shown is None:
            raise Unclear(self.texts.say("level_refuses", level=self.level))
        if number >= len(shown.groups):
            raise Unclear(self._no_entry(text, len(shown.groups)))
        index = shown.chosen(number)
        if index is not None:
            return self.turn.legal[index]
        self._within = shown.group(number)
        await self.show()
        return None

    def _number(self, text: str) -> int:
        return int(text) if len(text) < 9 else len(self.turn.legal)

    def _listed(self, text: str) -> Proposal:
        """The proposal of an entry of the whole menu. Raises Unclear."""
        number = self._number(text)
        if number < len(self.turn.legal):
            return self.turn.legal[number]
        raise Unclear(self._no_entry(text, len(self.turn.legal)))

    def _no_entry(self, text: str, count: int) -> str:
        return self.texts.say("no_entry", entry=clean_line(text, 20), last=count - 1)

    async def _leave(self, command: str) -> None:
        """Carry out a command that ends the asking; one that a level lacks is refused."""
        if command in ("quit", "save"):
            raise Leave
        if command == "undo":
            self._undo()
        if command != "resign":
            raise Unclear(self.texts.say("level_refuses", level=self.level))
        sure = await self.screen.read(self.texts.say("resign_sure"), lambda typed: [])
        if sure is not None and vocabulary(self.texts.language).options.get(folded(sure.strip())) == "yes":
            raise Resign

    def _undo(self) -> None:
        if self.sitting.no_undo:
            raise Unclear(self.texts.say(self.sitting.no_undo))
        if all(note.kind not in ("own", "drawn") for note in self.turn.record):
            raise Unclear(self.texts.say("undo_first"))
        self.sitting.undo = self.turn.seat
        raise Leave

    def why(self, text: str) -> str:
        """Why the last try, or a line, is refused."""
        proposal = answers.last_refused(self.turn)
        if text:
            said = understand(text, self.turn.observation, self.turn.decision._asdict(), self.texts)
            proposal = self._listed(said.text) if said.command == "entry" else said.proposal
            if proposal is None:
                raise Unclear(self.texts.say("no_move", words=clean_line(text, 60)))
        if proposal is None:
            raise Unclear(self.texts.say("nothing_refused"))
        return answers.explanation(self.turn, proposal, self.texts)

    def hint(self, text: str) -> str:
        """The merchant's advice."""
        self.hinted = True
        return advice(self.turn, self.texts)

    def told_before(self, text: str) -> str:
        """At a level: what is told before the game, or what of it contains some words."""
        assert self._options is not None
        told = levels.before(self.turn, self._options)
        found = answers.containing(told, text) if text else told
        return found or self.texts.say("rules_not_found", words=clean_line(text, 60))


def _as_entry(said: Said) -> Said:
    """The one tool of the menu, in the form a model is asked for, as the number it states."""
    if said.proposal is not None and said.proposal["tool"] == "act":
        entry = said.proposal["arguments"].get("entry")
        if isinstance(entry, int) and not isinstance(entry, bool) and entry >= 0:
            return Said("entry", str(entry))
    return said


_ANSWERS: Mapping[str, Callable[[_Asking, str], str]] = {
    "help": lambda asking, text: asking.texts.terminal["help"],
    "menu": lambda asking, text: asking.menu.page(0),
    "more": lambda asking, text: asking.menu.page(asking.menu.shown),
    "find": lambda asking, text: asking.menu.containing(text.casefold().split()),
    "why": _Asking.why,
    "rules": lambda asking, text: answers.rules(text, asking.turn, asking.texts),
    "cards": lambda asking, text: answers.cards(text, asking.turn, asking.texts),
    "hint": _Asking.hint,
}
"""What answers a question with full help."""

_LEVEL_ANSWERS: Mapping[str, Callable[[_Asking, str], str]] = {
    "help": lambda asking, text: asking.texts.say("help_level", level=asking.level),
    "rules": _Asking.told_before,
    "find": lambda asking, text: asking.texts.say("not_found", words=clean_line(text, 60)),
}
"""The same at a level."""


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> HumanAgent:
    """Make a person of its own at standard input and output; people who share a table are made by ``dale play``."""
    texts = prompts.load(context.language)
    return HumanAgent(str(spec), Sitting(LineScreen(texts), texts), options["level"], options["casual"])
