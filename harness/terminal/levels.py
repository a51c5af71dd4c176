"""What a person at a level below full help is shown: the messages a model at that level gets, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from harness import prompting
from harness.agents.base import Turn
from harness.prompting import Level, Menu, PromptOptions

LEVELS: tuple[Level, ...] = get_args(Level)
MENU = "L0"
MENU_LIMIT = 200
"""Entries of a menu at most, as for a model; a longer one is asked in steps."""


def prompt_options(level: Level, language: str, turn: Turn) -> PromptOptions:
    """Return how a turn is put at a level: in words, as to a model whose answer is text."""
    return PromptOptions(level, turn.settings.rulebook, "text", language)


def entries(turn: Turn, options: PromptOptions, within: Sequence[int] | None) -> Menu | None:
    """Return the menu, or its part ``within``, at the level that has one."""
    if options.level != MENU:
        return None
    return prompting.menu(turn.legal, turn.observation, MENU_LIMIT, within, options.language)


def message(turn: Turn, options: PromptOptions, menu: Menu | None) -> str:
    """Return the message about a turn."""
    return prompting.last_message(turn, replace(options, menu=menu))


def before(turn: Turn, options: PromptOptions) -> str:
    """Return what is told before the game."""
    return prompting.system_text(turn, options)
