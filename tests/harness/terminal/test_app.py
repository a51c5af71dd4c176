"""The full-screen table as a screen for a person: it shows, completes, is typed into and left; nothing breaks it."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from hostile import EVERYTHING
from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot

from engine import Game
from harness import prompts, render
from harness.terminal.app import TableApp
from harness.terminal.entry import Entry
from harness.terminal.screen import View
from harness.terminal.windows import HelpWindow, MenuWindow

NAMES = {"A": "Ana", "B": "merchant"}
WORDS = ["buy slot_0", "buy slot_1", "build", "help"]


def view(language: str = "en", seat: str | None = None, **changes: Any) -> View:
    game = Game.new(2, ["macaws", "pandas", "raccoons"], 4)
    assert game.decision is not None
    seat = seat or game.decision.seat
    seen = game.observe(seat)
    menu = [render.proposal(game.proposal(action), seen, language) for action in game.legal]
    return replace(View(seat, NAMES, seen, game.decision._asdict(), "- B draws 1", menu), **changes)


def completing(typed: str) -> Sequence[str]:
    return [line for line in WORDS if line.startswith(typed)]


@asynccontextmanager
async def table(language: str = "en", size: tuple[int, int] = (80, 24)) -> AsyncIterator[tuple[TableApp, Pilot[None]]]:
    app = TableApp(prompts.load(language))
    async with app.run_test(size=size) as pilot:
        yield app, pilot


def shown(app: App[None]) -> str:
    """The window as text."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


async def shows(app: App[None], pilot: Pilot[None], text: str) -> None:
    """Wait until a text is on the window; a test that waits in vain is stopped by its own end of patience."""
    for _ in range(200):
        if text in shown(app):
            return
        await pilot.pause(0.05)
    raise AssertionError(shown(app))


async def asked(app: TableApp, pilot: Pilot[None], prompt: str = "A> ") -> asyncio.Task[str | None]:
    task = asyncio.create_task(app.read(prompt, completing))
    await pilot.pause()
    return task


async def typed(pilot: Pilot[None], text: str) -> None:
    await pilot.press(*("space" if sign == " " else "underscore" if sign == "_" else sign for sign in text))


@pytest.mark.parametrize("language", prompts.languages())
async def test_the_window_of_80_by_24_holds_table_messages_input_and_keys(language: str) -> None:
    async with table(language) as (app, pilot):
        await app.show(view(language))
        task = await asked(app, pilot)
        lines = shown(app).split("\n")
        texts = prompts.load(language)
        assert len(lines) == 24
        assert max(map(cell_len, lines)) <= 80
        assert lines[0].startswith(texts.say("board_round", round=1))
        assert any(line.startswith("slot_4") for line in lines)
        assert "- B draws 1" in lines
        assert lines[21].startswith(render.decision(view().decision or {}, language)[:60])
        assert lines[22].startswith("A>")
        assert lines[23] == " " + texts.say("app_keys")
        task.cancel()


async def test_a_typed_line_is_what_read_returns_and_it_can_be_recalled() -> None:
    async with table() as (app, pilot):
        await app.show(view())
        for line in ("why", "buy 2"):
            task = await asked(app, pilot)
            await typed(pilot, line)
            await pilot.press("enter")
            assert await task == line
        assert "A> buy 2" in shown(app)
        task = await asked(app, pilot)
        await pilot.press("up", "up", "enter")
        assert await task == "why"


async def test_tab_completes_and_goes_through_the_ways_to_go_on() -> None:
    async with table() as (app, pilot):
        await app.show(view())
        task = await asked(app, pilot)
        await typed(pilot, "bu")
        await pilot.pause()
        assert "Tab buy slot_0  buy slot_1  build" in shown(app)
        await pilot.press("tab", "tab")
        assert app.query_one(Entry).value == "buy slot_1"
        await pilot.press("shift+tab", "tab", "tab", "tab")
        assert app.query_one(Entry).value == "buy slot_0"
        await pilot.press("escape")
        await typed(pilot, "h")
        await pilot.press("tab")
        assert app.query_one(Entry).value == "help "
        await pilot.press("enter")
        assert await task == "help "


async def test_the_menu_is_looked_through_and_gives_the_number_of_an_entry() -> None:
    async with table() as (app, pilot):
        showing = view()
        await app.show(showing)
        task = await asked(app, pilot)
        await pilot.press("f2")
        await typed(pilot, "inventory nothing")
        assert isinstance(app.screen, MenuWindow)
        await pilot.press("enter")
        number = await task
        assert number is not None
        assert showing.menu[int(number)] == "inventory: discard nothing"


async def test_windows_open_and_close_and_leave_the_line_that_is_asked_for() -> None:
    async with table() as (app, pilot):
        await app.show(view())
        task = await asked(app, pilot)
        await pilot.press("f1")
        assert isinstance(app.screen, HelpWindow)
        assert "whose decision it is" in shown(app)
        await pilot.press("escape", "f2", "escape")
        assert len(app.screen_stack) == 1
        await typed(pilot, "q")
        await pilot.press("enter")
        assert await task == "q"


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+d"])
async def test_ctrl_c_and_ctrl_d_end_the_input(key: str) -> None:
    async with table() as (app, pilot):
        await app.show(view())
        task = await asked(app, pilot)
        await pilot.press(key)
        assert await task is None


async def test_ctrl_c_while_others_think_is_the_signal_it_would_be_in_line_mode() -> None:
    caught: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        async with table() as (app, pilot):
            await app.show(view())
            app.thinking("merchant", "gpt-7-mini, 1,234 tokens, $0.01")
            await pilot.pause()
            assert "merchant is deciding (0 s): gpt-7-mini, 1,234 token" in shown(app)
            await pilot.press("ctrl+c")
            app.thinking("", "")
            await pilot.pause()
            assert "is deciding" not in shown(app)
    finally:
        signal.signal(signal.SIGINT, before)
    assert caught == [signal.SIGINT]


async def test_when_the_application_has_ended_no_line_comes_any_more() -> None:
    async with table() as (app, pilot):
        await app.show(view())
        task = await asked(app, pilot)
        app.exit()
    assert await task is None
    assert await app.read("A> ", completing) is None


async def test_a_small_window_says_what_it_needs_and_a_larger_one_shows_the_table_again() -> None:
    async with table(size=(79, 24)) as (app, pilot):
        await app.show(view())
        assert "This window has 79 columns and 24 lines; the table needs 80 by 24." in shown(app)
        await pilot.resize_terminal(140, 40)
        await shows(app, pilot, "Your hand")
        lines = shown(app).split("\n")
        assert "- B draws 1" in lines[0]  # beside the table


async def test_a_long_message_takes_more_room_until_the_next_line_and_can_be_scrolled() -> None:
    async with table() as (app, pilot):
        await app.show(view())
        task = await asked(app, pilot)
        app.write("\n".join(f"line {number}" for number in range(30)))
        await pilot.pause()
        await shows(app, pilot, "PgDn: more")
        assert "line 0\n" in shown(app)  # from its beginning
        assert "line 9\n" in shown(app)
        assert "line 14\n" not in shown(app)
        assert "slot_4" in shown(app)
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        assert "line 29\n" in shown(app)
        await pilot.press("enter")
        await task
        await app.show(view(happened=""))
        task = await asked(app, pilot)
        app.write("short")
        await shows(app, pilot, "\nshort\n")
        assert "line 9\n" not in shown(app)
        task.cancel()


async def test_f3_gives_the_window_to_the_table_or_to_the_messages() -> None:
    async with table() as (app, pilot):
        await app.show(view())
        await pilot.press("f3")
        await pilot.pause()
        assert "- B draws 1" not in shown(app)
        await pilot.press("f3")
        await pilot.pause()
        assert "slot_4" not in shown(app)
        await pilot.press("f3")
        await pilot.pause()
        assert "slot_4" in shown(app)
        assert "- B draws 1" in shown(app)


async def test_what_is_printed_stands_among_the_messages() -> None:
    async with table() as (app, pilot):
        await app.show(view())
        print("something printed this")
        await pilot.pause()
        assert "something printed this" in shown(app).split("\n")


async def test_another_seat_finds_nothing_of_what_the_one_before_could_read() -> None:
    async with table() as (app, pilot):
        await app.show(view(seat="A", happened="- A draws 1: spyglass"))
        task = await asked(app, pilot)
        await typed(pilot, "secret")
        await pilot.press("enter")
        await task
        handed = View("B", NAMES, {}, None, "", (), level="", state="Hand over to B.")
        await app.show(handed)
        assert shown(app).split("\n")[0] == "Hand over to B."
        assert "spyglass" not in shown(app)
        assert "secret" not in shown(app)
        await asked(app, pilot)
        await pilot.press("up")
        assert app.query_one(Entry).value == ""


async def test_a_level_is_shown_as_its_text() -> None:
    async with table() as (app, pilot):
        await app.show(view(level="L3", state="The state in plain text.\n" + "word " * 60))
        await pilot.pause()
        assert shown(app).startswith("The state in plain text.\nword word")
        assert "slot_4" not in shown(app)


def state(decision: str, lines: int = 30) -> str:
    return "\n".join([*(f"line {number}" for number in range(lines)), decision])


@pytest.mark.parametrize(
    ("language", "more"), [("en", "Ctrl-PgUp/PgDn: more"), ("pt-BR", "Ctrl-PgUp/PgDn: mais")], ids=["en", "pt-BR"]
)
async def test_of_a_level_the_end_is_shown_and_it_is_said_that_there_is_more(language: str, more: str) -> None:
    async with table(language) as (app, pilot):
        for decision in ("The first decision.", "The second one."):
            await app.show(view(level="L2", state=state(decision)))
            task = await asked(app, pilot)
            await shows(app, pilot, decision)
            assert shown(app).split("\n")[21].endswith(more)
            for _ in range(2):
                await pilot.press("ctrl+pageup")
            await shows(app, pilot, "line 0\n")  # and the next one begins at its end again
            assert decision not in shown(app)
            assert shown(app).split("\n")[21].endswith(more)
            task.cancel()


async def test_the_state_asked_for_again_is_shown_at_its_end_again() -> None:
    async with table() as (app, pilot):
        refused = view(level="L2", state=state("1. Not accepted: overpay_unneeded_card"))
        await app.show(refused)
        await shows(app, pilot, "Not accepted")
        await pilot.press("ctrl+pageup", "ctrl+pageup")
        await shows(app, pilot, "line 0\n")
        app.write("an answer to a question")
        await shows(app, pilot, "an answer to a question")
        assert "line 0\n" in shown(app)  # who has scrolled reads on
        await app.show(refused)
        await shows(app, pilot, "Not accepted")


async def test_the_end_of_a_state_stays_when_the_window_changes() -> None:
    async with table() as (app, pilot):
        await app.show(view(level="L0", state=state("14: inventory: discard nothing")))
        await shows(app, pilot, "14: inventory")
        await pilot.press("f3", "f3", "f3")
        await shows(app, pilot, "- B draws 1")
        await shows(app, pilot, "14: inventory")
        for size in ((140, 26), (80, 24)):
            await pilot.resize_terminal(*size)
            await shows(app, pilot, "14: inventory")


async def test_a_state_that_fits_is_shown_whole_and_nothing_else_is_promised() -> None:
    async with table() as (app, pilot):
        await app.show(view(level="L2", state=state("The decision.", lines=12)))
        await asked(app, pilot)
        await shows(app, pilot, "The decision.")
        assert shown(app).startswith("line 0\n")
        assert "more" not in shown(app)


async def test_hostile_text_is_only_text() -> None:
    async with table() as (app, pilot):
        await app.show(view(names={"A": EVERYTHING, "B": EVERYTHING}, happened=EVERYTHING))
        app.write(EVERYTHING)
        app.thinking(EVERYTHING, EVERYTHING)
        task = await asked(app, pilot, EVERYTHING)
        await pilot.pause()
        told = shown(app)
        assert "\x1b" not in told
        assert all(sign.isprintable() for sign in told.replace("\n", ""))
        task.cancel()
