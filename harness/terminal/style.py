"""How the full-screen applications look: the style sheet they share, and scroll bars of plain blanks."""

from __future__ import annotations

from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender

SHEET = """
Screen { background: #1c1c1c; color: #e4e4e4; layout: vertical; }
#panes { height: 1fr; }
#board { padding: 0; }
#told { background: #262626; }
#status { height: 1; background: #1c1c1c; color: #9e9e9e; }
#entry { height: 1; background: #303030; }
#prompt { width: auto; height: 1; color: #ffd75f; text-style: bold; background: #303030; }
#line { width: 1fr; height: 1; border: none; padding: 0; background: #303030; color: #ffffff; }
#line:focus { border: none; background: #303030; }
#line:disabled { opacity: 60%; }
#line > .input--suggestion { color: #9e9e9e; }
#line > .input--cursor { background: #ffd75f; color: #1c1c1c; }
#keys { height: 1; background: #3a3a3a; color: #c6c6c6; }
#small { display: none; height: 1fr; content-align: center middle; text-align: center; }
VerticalScroll, OptionList { scrollbar-size-vertical: 1;
    scrollbar-color: #585858; scrollbar-color-hover: #808080; scrollbar-color-active: #808080;
    scrollbar-background: #1c1c1c; scrollbar-background-hover: #1c1c1c; scrollbar-background-active: #1c1c1c; }
ModalScreen { align: center middle; background: #000000 50%; }
.window { background: #262626; border: solid #87afd7; padding: 0 1; }
"""


class PlainBars(ScrollBarRender):
    """Scroll bars without the parts of blocks that some fonts lack."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


ScrollBar.renderer = PlainBars
