"""Where the marks of the page's charts stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.compliance.shares import share
from harness.errors import UserError
from harness.page import picture
from harness.page.charts import HEIGHT, WIDTH, matrix, rating_chart, scatter, share_chart
from harness.ratings.standings import Meeting, Standing

CHEAP = Standing("cheap", 10, 5, -100.0, 50.0, (2, 3))
DEAR = Standing("dear", 10, 5, 200.0, None, None)
FREE = Standing("free", 10, 5, 0.0, 10.0, (1, 3))


def test_ratings_stand_on_an_axis_that_holds_all_intervals() -> None:
    chart = rating_chart([DEAR, FREE, CHEAP])
    assert chart is not None
    assert [bar.value for bar in chart.bars] == ["+200", "+0 ± 10", "-100 ± 50"]
    assert all(0 < bar.low <= bar.middle <= bar.high < 100 for bar in chart.bars)
    assert chart.bars[0].low == chart.bars[0].high
    zero = next(tick.at for tick in chart.ticks if tick.label == "0")
    assert chart.bars[1].middle == zero
    assert rating_chart([]) is None


def test_shares_stand_on_an_axis_from_nothing_to_all() -> None:
    lenient, strict = share({"a": (5, 10), "b": (5, 10)}), share({"a": (0, 10), "b": (0, 10)})
    chart = share_chart([("x", "L2", lenient, strict)])
    assert chart is not None
    (bar,) = chart.bars
    assert (bar.middle, bar.beside) == (50, chart.ticks[0].at)
    assert bar.value.startswith("50.0% (")
    assert [tick.label for tick in chart.ticks] == ["0%", "25%", "50%", "75%", "100%"]


def test_cost_stands_on_a_logarithmic_axis_and_labels_stay_inside() -> None:
    found = scatter([DEAR, FREE, CHEAP], {"cheap": 0.001, "dear": 1.0})
    assert found is not None
    assert [tick.label for tick in found.across] == ["$0.001", "$0.01", "$0.1", "$1"]
    dear, cheap = found.dots
    assert dear.x > WIDTH / 2 > cheap.x
    assert (dear.left, cheap.left) == (True, False)
    assert 0 <= dear.y < cheap.y <= HEIGHT
    assert scatter([DEAR, FREE], {"dear": 1.0}) is None


def test_the_matrix_has_a_cell_for_each_pair_that_met() -> None:
    rows = matrix(["x", "y", "z"], [Meeting("x", "y", 4, 0.75, 0.3, 0.9), Meeting("y", "x", 4, 0.25, 0.1, 0.7)])
    shown = [[cell.share if cell else "" for cell in cells] for _, cells in rows]
    assert shown == [["", "75%", ""], ["25%", "", ""], ["", "", ""]]
    assert rows[0][1][1] is not None
    assert rows[0][1][1].title == "4 games, 95 % interval 30% to 90%"


def test_a_picture_needs_a_page_and_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "page.html"
    with pytest.raises(UserError, match="there is no page"):
        picture.take(page, tmp_path / "page.png")
    page.write_text("<p>x</p>")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="needs a browser on the PATH"):
        picture.take(page, tmp_path / "page.png")
