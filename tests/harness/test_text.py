"""Text from models, servers and names cannot steer a terminal or a layout."""

from __future__ import annotations

import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from harness.text import clean, clean_data, clean_line, for_terminal, quoted


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("\x1b]8;;http://example.org\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;a title without an end\nnext line", "\nnext line"),
        ("\x9b2Jgone", "gone"),
        ("a\x00b\x07c\x08", "abc"),
        ("left\u202eright\u200b\ufeff", "leftright"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("tab\there", "tab here"),
        ("Zoë plays 山 [bold]", "Zoë plays 山 [bold]"),
    ],
)
def test_clean_takes_out_what_is_not_text(raw: str, shown: str) -> None:
    assert clean(raw) == shown


def test_clean_bounds_the_length_and_marks_the_cut() -> None:
    assert clean("x" * 50, limit=10) == "x" * 9 + "…"
    assert clean("x" * 10, limit=10) == "x" * 10


def test_what_is_left_out_at_the_end_of_a_long_text_is_marked_too() -> None:
    assert clean("ab" + "\x00" * 100_000 + "c", limit=10) == "ab…"


def test_clean_line_is_one_line() -> None:
    assert clean_line("  a \n\n b\tc ") == "a b c"


@given(st.text())
def test_cleaning_twice_changes_nothing_and_leaves_no_control(raw: str) -> None:
    once = clean(raw)
    assert clean(once) == once
    assert all(c == "\n" or not unicodedata.category(c).startswith("C") for c in once)


@given(st.text(max_size=300))
def test_rich_prints_terminal_text_as_it_stands(raw: str) -> None:
    out = io.StringIO()
    console = Console(file=out, width=10_000, color_system=None, highlight=False, emoji=False, soft_wrap=True)
    console.print(f"[b]{for_terminal(raw)}[/b]", end="")
    assert out.getvalue() == clean_line(raw, 4000)


def test_data_is_cleaned_in_depth() -> None:
    assert clean_data({"a\x1b[1m": ["\x07b", 1, None, {"c": "d\ne"}]}) == {"a": ["b", 1, None, {"c": "d e"}]}


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_quotations_are_one_bounded_line(value: object) -> None:
    line = quoted(value, limit=120)
    assert "\n" not in line
    assert len(line) <= 120
    if not line.endswith("…"):
        json.loads(line)
