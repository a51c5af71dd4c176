"""The full screen in a real pseudo-terminal of 80 x 24: what a terminal makes of what is written to it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from watched_games import slips

if sys.platform == "win32":
    pytest.skip("there are no pseudo-terminals on Windows", allow_module_level=True)
import pictures
from terminals import Terminal


@pytest.mark.parametrize(
    ("language", "illegal", "view", "hand", "end"),
    [
        ("en", "class rule, unknown_card", "view: only what Ana (A) sees", "Your hand", "unfinished (round limit)"),
        ("pt-BR", "classe rule, unknown_card", "visão: só o que Ana (A) vê", "Sua mão", "não terminado"),
    ],
    ids=["en", "pt-BR"],
)
def test_a_log_is_watched_at_80_by_24(
    tmp_path: Path, language: str, illegal: str, view: str, hand: str, end: str
) -> None:
    terminal = Terminal("watch", str(slips(tmp_path)), "--lang", language)
    assert len(terminal.shows("slot_4", "F1").split("\n")) == 24
    terminal.press("x")
    terminal.shows(illegal, "R-CMP-05")
    terminal.press("a")
    terminal.shows(view, hand)
    terminal.press("\x1b[F")  # End
    terminal.shows(end)
    terminal.press("q")
    assert terminal.ended() == 0


def test_a_terminal_that_is_too_small_gets_plain_lines(tmp_path: Path) -> None:
    terminal = Terminal("watch", str(slips(tmp_path)), columns=70, lines=20)
    terminal.shows("view: everything\n", "\n>")
    terminal.press("illegal\r")
    terminal.shows("class rule, unknown_card")
    terminal.press("quit\r")
    assert terminal.ended() == 0


@pytest.mark.slow
def test_the_picture_of_the_readme_can_be_drawn_and_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    drawn = pictures.watch(tmp_path)
    assert len(drawn.encode()) < 200_000
    words = " ".join(ElementTree.fromstring(drawn).itertext()).replace("\xa0", " ")
    assert "class rule, overpay_unneeded_card" in words
    assert set(re.findall(r"https?://[^\s\"]+", drawn)) == {"http://www.w3.org/2000/svg", "https://www.textualize.io"}


PERSON = """
import asyncio
from engine import Game
from harness import prompts
from harness.terminal.app import full_screen
from harness.terminal.screen import View

async def sit():
    async with full_screen(prompts.load("en")) as screen:
        game = Game.new(2, None, 4)
        seat = game.decision.seat
        await screen.show(View(seat, {}, game.observe(seat), game.decision._asdict(), "", ["one move"]))
        line = await screen.read("seat> ", lambda typed: ["finish"])
        print("printed in between")
        screen.thinking("merchant", "a note")
        await asyncio.sleep(60)

try:
    asyncio.run(sit())
except KeyboardInterrupt:
    print("interrupted, and the terminal is as it was")
"""


def test_a_person_types_at_the_table_and_ctrl_c_breaks_off_the_waiting_for_others() -> None:
    terminal = Terminal(program=PERSON)
    terminal.shows("seat>", "slot_4")
    terminal.press("f")
    terminal.shows("Tab finish")
    terminal.press("\t\r")
    terminal.shows("\nseat> finish\n", "\nprinted in between\n", "merchant is deciding", ": a note")
    terminal.press("\x03")
    terminal.shows("interrupted, and the terminal is as it was")
    assert terminal.ended() == 0
