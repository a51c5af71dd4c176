"""Sessions of ``dale play`` as a person has them: at a pseudo-terminal of 80 columns and 24 lines, in plain lines."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect
import pytest

from harness import prompts
from harness.casual import is_casual
from harness.log import GameLog, read_log
from harness.terminal.tutorial import lesson

DALE = ["-c", "from harness.cli import main; main()"]
WAIT = 120
"""Seconds for one answer: only a machine that hangs needs so many."""
QUESTION = r"[A-D]> |> \Z"
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
IN_WORDS = {
    "en": {"buy": "buy 0 with junk junk junk junk junk", "nothing": "inventory nothing", "undo": "undo", "save": "save",
           "hint": "hint", "why": "why?", "type": "type:", "refused": "Not accepted.", "nearest": "The nearest legal",
           "back": "Taken back", "kept": "The game is kept", "over": "The game is over", "step": "Type: ",
           "casual": "not counted in reports", "rule": "R-MKT-0"},
    "pt-BR": {"buy": "comprar 0 com junk junk junk junk junk", "nothing": "inventário nada", "undo": "desfazer",
              "save": "salvar", "hint": "dica", "why": "porque?", "type": "digite:", "refused": "Proposta não aceita.",
              "nearest": "A proposta permitida mais", "back": "De volta", "kept": "O jogo está guardado",
              "over": "O jogo acabou", "step": "Digite: ", "casual": "não conta nos relatórios", "rule": "R-MKT-0"},
}  # fmt: skip


class Session:
    """One process of the program at a terminal."""

    def __init__(self, folder: Path, *arguments: str, term: str = "xterm") -> None:
        environment = {**os.environ, "TERM": term, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._child = pexpect.spawn(
            sys.executable, [*DALE, "play", *arguments], cwd=str(folder), env=environment, dimensions=(24, 80),
            timeout=WAIT, encoding="utf-8", echo=False,
        )  # fmt: skip
        self.raw = ""
        self.widest = 0

    def asked(self) -> str | None:
        """Wait until a line is asked for; returns what was shown, with single blanks; None at the program's end."""
        ended = self._child.expect([QUESTION, pexpect.EOF]) == 1
        self.raw = str(self._child.before)
        text = ESCAPES.sub("", self.raw)
        self.widest = max(self.widest, *map(len, text.splitlines()), 0)
        self.said = " ".join(text.split())
        return None if ended else self.said

    def type(self, line: str) -> str:
        """Type a line, and wait for the next question."""
        self._child.sendline(line)
        told = self.asked()
        assert told is not None, self.said
        return told

    def end(self, line: str) -> str:
        """Type a line, again and again, until the program ends, which it must do well; returns what it said last."""
        self._child.sendline(line)
        while self.asked() is not None:
            self._child.sendline(line)
        self.close()
        assert self._child.exitstatus == 0, self.said
        return self.said

    def close(self) -> None:
        """End the process, if it still runs."""
        self._child.close(force=True)


@contextmanager
def session(folder: Path, *arguments: str, term: str = "xterm") -> Iterator[Session]:
    opened = Session(folder, *arguments, term=term)
    try:
        yield opened
    finally:
        opened.close()


def game(folder: Path, run: str = "play-1", name: str = "d001-p01-r0") -> GameLog:
    return read_log(folder / "results" / run / "games" / f"{name}.jsonl")


@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_a_whole_tutorial(tmp_path: Path, language: str) -> None:
    words = IN_WORDS[language]
    with session(tmp_path, "--tutorial", "--plain", "--lang", language) as person:
        person.asked()
        for _ in range(len(lesson().steps) - 1):
            person.type(person.said.rpartition(words["step"])[2])
        end = person.end(person.said.rpartition(words["step"])[2])
    texts = prompts.load(language)
    assert " ".join(texts.tutorial["about"]["done"].split()) in end
    assert person.widest <= 80
    log = game(tmp_path, "tutorial-1", "first-game")
    assert log.outcome is not None
    assert log.outcome.stacks["A"] == 4


@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_an_illegal_buy_undo_save_resume_and_a_game_to_its_end(tmp_path: Path, language: str) -> None:
    words = IN_WORDS[language]
    deal = ["--plain", "--seed", "3", "--start", "A", "--sets", "macaws,pandas,raccoons", "--rounds", "2"]
    with session(tmp_path, *deal, "--lang", language) as person:
        person.asked()
        refused = person.type(words["buy"])
        for said in ("refused", "rule", "nearest"):
            assert words[said] in refused
        assert words["rule"] in person.type(words["why"])
        person.type(words["nothing"])
        assert words["back"] in person.type(words["undo"])
        hint = person.type(words["hint"])
        person.type(hint.rpartition(words["type"])[2].partition(")")[0].strip())
        assert words["kept"] in person.end(words["save"])
    with session(tmp_path, "--resume", "--plain") as person:
        person.asked()
        end = person.end("0")
    assert words["over"] in end
    assert words["casual"] in end
    log = game(tmp_path)
    assert log.outcome is not None
    assert is_casual(log.header)
    mine = [record for record in log.attempts if record.seat == "A"]
    assert {record.result for record in mine} == {"accepted"}
    undone = read_log(tmp_path / "results" / "play-1" / "undone" / "d001-p01-r0-1.jsonl")
    assert [record.result for record in undone.attempts if record.seat == "A"] == ["rule", "accepted"]


def test_two_named_people_share_a_terminal_that_is_cleared_between_them(tmp_path: Path) -> None:
    with session(
        tmp_path, "--plain", "--people", "2", "--as", "Ana", "--as", "Rui", "--start", "A", "--rounds", "1"
    ) as one:
        one.asked()
        assert "The next decision is for Ana (seat A)." in one.said
        one.type("")
        one.type("inventory nothing")
        page = one.raw
        assert page.count("\x1b[2J") == 1
        assert "You are seat" not in page.partition("\x1b[2J")[2]
        assert "You are seat B" in one.type("")
        end = one.end("inventory nothing")
    assert "not counted" not in end
    log = game(tmp_path)
    assert [who.name for who in log.header.seats.values()] == ["Ana", "Rui"]
    assert not is_casual(log.header)


def test_tab_completes_a_move(tmp_path: Path) -> None:
    with session(tmp_path, "--plain", "--seed", "3", "--start", "A") as person:
        person.asked()
        person.type("inv\t not\t")
        person.end("quit")
    (mine,) = [record for record in game(tmp_path).decisions if record.seat == "A"]
    assert mine.proposal == {"tool": "inventory", "arguments": {"cards": []}}


def test_a_dumb_terminal_gets_plain_lines_unasked(tmp_path: Path) -> None:
    with session(tmp_path, "--seed", "3", "--level", "L0", term="dumb") as person:
        person.asked()
        assert "The legal actions:" in person.said
        person.end("quit")


@pytest.mark.parametrize("language", ["en", "pt-BR"])
def test_a_whole_game_against_merchant_by_its_own_hints(tmp_path: Path, language: str) -> None:
    words = IN_WORDS[language]
    with session(tmp_path, "--plain", "--seed", "3", "--lang", language) as person:
        person.asked()
        while True:
            hint = person.type(words["hint"]).rpartition(words["type"])[2].partition(")")[0]
            person._child.sendline(hint.strip())
            if person.asked() is None:
                break
    assert words["over"] in person.said
    log = game(tmp_path)
    assert log.outcome is not None
    assert log.outcome.reason == "eighth_stack"
