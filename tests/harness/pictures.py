"""Draws the pictures of the README from the programs themselves: python tests/harness/pictures.py [FOLDER]

``dale play`` and ``dale watch`` run in pseudo-terminals on fixed games; what stands on their screens becomes
docs/play.svg and docs/watch.svg.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from itertools import groupby
from pathlib import Path

from rich.color import ColorParseError
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import TerminalTheme
from rich.text import Text

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "harness")]

from terminals import Terminal  # noqa: E402 - found in the folder named above
from watched_games import scripted  # noqa: E402 - likewise

GREY = (158, 158, 158)
THEME = TerminalTheme((28, 28, 28), (228, 228, 228), [GREY] * 8, [GREY] * 8)
FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def picture(terminal: Terminal, title: str) -> str:
    """The screen of a terminal as SVG that needs nothing from elsewhere."""
    screen = terminal.screen
    console = Console(
        width=screen.columns, file=io.StringIO(), force_terminal=True, color_system="truecolor", record=True
    )
    for line in range(screen.lines):
        text = Text(end="")
        cells = [screen.buffer[line][column] for column in range(screen.columns)]
        for look, alike in groupby(cells, key=lambda cell: (cell.fg, cell.bg, cell.bold, cell.reverse)):
            text.append("".join(cell.data for cell in alike), style(*look))
        console.print(text, soft_wrap=True)
    drawn = FONTS.sub("", console.export_svg(title=title, theme=THEME))
    return re.sub(r"\n\s+", "\n", drawn.replace("Fira Code", "monospace"))


def style(foreground: str, background: str, bold: bool, reverse: bool) -> Style:
    """The style of a cell; ``default`` colours are those of the theme."""
    colours = {"color": foreground, "bgcolor": background}
    given = {name: f"#{value}" for name, value in colours.items() if re.fullmatch("[0-9a-f]{6}", value)}
    try:
        return Style(bold=bold, reverse=reverse, **given)
    except ColorParseError:
        return Style(bold=bold, reverse=reverse)


def play(folder: Path) -> str:
    """A person at the table, who tries to overpay and is told why not."""
    terminal = Terminal("play", "--seed", "7", "--name", "picture", "--results", str(folder), columns=100, lines=32)
    terminal.shows("A>", "slot_4")
    terminal.press("buy 0 with junk junk junk\r")
    terminal.shows("R-MKT-07")
    terminal.press("stack flex")
    terminal.shows("A> stack flex")
    terminal.settled()
    drawn = picture(terminal, "dale play")
    terminal.press("\x03")
    terminal.ended()
    return drawn


def watch(folder: Path) -> str:
    """A log at an illegal attempt."""
    terminal = Terminal("watch", str(scripted(folder, "watched3", A="sloppy:0.3", B="merchant")), lines=32)
    terminal.shows("slot_4", "F1")
    terminal.press("/overpay\r")
    terminal.shows("R-MKT-07")
    terminal.settled()
    drawn = picture(terminal, "dale watch")
    terminal.press("q")
    terminal.ended()
    return drawn


def main(target: Path) -> None:
    """Draw all of them into a folder."""
    with tempfile.TemporaryDirectory() as folder:
        for name, draw in (("play", play), ("watch", watch)):
            path = target / f"{name}.svg"
            path.write_text(draw(Path(folder)), encoding="utf-8")
            print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs")
