"""Watching on the full screen: the keys walk, the view changes, games are chosen, a running game is followed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.app import App
from textual.pilot import Pilot
from watched_games import slips

from harness import prompts
from harness.errors import UserError
from harness.terminal.watch_app import WatchApp
from harness.terminal.windows import HelpWindow, MenuWindow


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("run")
    return [slips(folder, "one"), slips(folder, "two", rounds=2, players=4)]


@asynccontextmanager
async def watching(
    games: Sequence[Path], seat: str | None = None, follow: bool = False, language: str = "en"
) -> AsyncIterator[tuple[WatchApp, Pilot[None]]]:
    app = WatchApp(games, prompts.load(language), seat, follow)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        yield app, pilot


async def shown(app: App[None], pilot: Pilot[None]) -> str:
    """The window as text, once everything is drawn."""
    await pilot.pause()
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


@pytest.mark.parametrize("language", prompts.languages())
async def test_every_step_of_a_game_fits_the_window_in_every_view(games: list[Path], language: str) -> None:
    texts = prompts.load(language)
    for path in games:
        async with watching([path], language=language) as (app, pilot):
            assert app.walk is not None
            for number in range(0, len(app.walk.steps), 6):
                app.walk.place = number
                await pilot.press("v")
                lines = (await shown(app, pilot)).split("\n")
                assert len(lines) == 24
                assert max(map(cell_len, lines)) <= 80
                assert lines[-1] == " " + texts.say("watch_keys")
                assert app.walk.where() in lines[-3]


async def test_keys_walk_by_decision_by_step_and_to_illegal_attempts(games: list[Path]) -> None:
    async with watching(games[:1]) as (app, pilot):
        assert "1 of 15  view: everything" in await shown(app, pilot)
        await pilot.press("x")
        told = await shown(app, pilot)
        assert "class rule, unknown_card" in told
        assert "R-CMP-05" in told
        await pilot.press("right")
        assert "inventory: discard no_such_card" not in await shown(app, pilot)
        await pilot.press("up")
        assert "class rule, unknown_card" in await shown(app, pilot)
        await pilot.press("end")
        assert "unfinished (round limit)" in await shown(app, pilot)
        assert (await shown(app, pilot)).split("\n")[0].startswith("Round 6  the game is over")
        await pilot.press("x")
        assert "There is no failed attempt further on." in await shown(app, pilot)
        await pilot.press("left_square_bracket", "right_square_bracket", "home", "left")
        assert "There is nothing further back." in await shown(app, pilot)


async def test_the_view_goes_from_everything_to_each_seat(games: list[Path]) -> None:
    async with watching(games[:1], seat="B") as (app, pilot):
        assert "view: only what Bia (B) sees" in await shown(app, pilot)
        assert "Your hand" in await shown(app, pilot)
        await pilot.press("v")
        assert "view: everything" in await shown(app, pilot)
        await pilot.press("a")
        assert "view: only what Ana (A) sees" in await shown(app, pilot)
        await pilot.press("d", "0")
        assert "view: everything" in await shown(app, pilot)


async def test_words_are_looked_for_and_found_again(games: list[Path]) -> None:
    async with watching(games[:1]) as (app, pilot):
        await pilot.press("slash", *"buys", "enter")
        first = await shown(app, pilot)
        assert " buys " in first
        await pilot.press("n")
        assert await shown(app, pilot) != first
        await pilot.press("N")
        assert await shown(app, pilot) == first
        await pilot.press("slash", *"zebra", "enter")
        assert "'zebra' is not found further on." in await shown(app, pilot)
        await pilot.press("slash", "q", "escape", "right")  # leaves the search, not the program
        assert app.is_running


async def test_a_run_begins_with_the_list_of_its_games(games: list[Path]) -> None:
    async with watching(games) as (app, pilot):
        assert isinstance(app.screen, MenuWindow)
        assert "one  Ana against Bia: unfinished after 5 rounds" in await shown(app, pilot)
        await pilot.press(*"davi", "enter")
        assert (await shown(app, pilot)).count("two  1 of") == 1
        await pilot.press("g", "enter", "f1")
        assert isinstance(app.screen, HelpWindow)
        await pilot.press("escape")
        assert "one  1 of" in await shown(app, pilot)


async def test_a_running_game_is_followed_to_its_end(games: list[Path], tmp_path: Path) -> None:
    data = games[0].read_bytes()
    cut = data.index(b"\n", len(data) // 2) + 1
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(data[:cut])
    async with watching([games[0], growing], follow=True) as (app, pilot):
        assert "is deciding." in await shown(app, pilot)
        assert "still open" in await shown(app, pilot)
        with growing.open("ab") as file:
            file.write(data[cut:])
        for _ in range(100):
            if "unfinished (round limit)" in await shown(app, pilot):
                break
            await pilot.pause(0.1)
        assert "unfinished (round limit)" in await shown(app, pilot)
        await pilot.press("q")
    assert not app.is_running


def test_a_seat_that_is_not_at_the_table_and_a_broken_log_are_refused_before_anything_is_drawn(
    games: list[Path], tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="there is no seat D"):
        WatchApp(games[:1], prompts.load("en"), "D")
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    with pytest.raises(UserError, match="not a record of a game log"):
        WatchApp([broken], prompts.load("en"))


async def test_a_broken_log_among_others_is_only_named(games: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n")
    async with watching([*games, broken]) as (app, pilot):
        await pilot.press(*"broken", "enter")
        assert "not a record of a game log" in (await shown(app, pilot)).replace("\n", " ")
        await pilot.press("g", "enter")
        assert "one  1 of" in await shown(app, pilot)
