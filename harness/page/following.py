"""Rule following as the page tells it: the players' rows with their settings, what settings change, and effort."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from harness.compliance.analysis import Compliance
from harness.compliance.effort import MEANS, QUANTILES, Effort
from harness.compliance.following import EVERY_REFUSAL, FIGURES
from harness.compliance.settings import Effect
from harness.compliance.shares import Share
from harness.page.charts import Chart, share_chart
from harness.report import Entry, Report
from harness.tables import differing

NONE: Final = "–"
"""Stands where there is no value."""


@dataclass(frozen=True)
class Line:
    """A row: the entrant, its settings that differ from others', and its figures by name."""

    entry: Entry
    settings: tuple[str, ...]
    shares: Mapping[str, Share]
    codes: tuple[tuple[str, Share, Share | None], ...]
    """Recovery by what was refused: by the second try, and by the third where there can be one."""
    effort: Mapping[str, Effort]

    @property
    def about(self) -> str:
        """The settings in one line."""
        return ", ".join(value for value in self.settings if value != NONE)


@dataclass(frozen=True)
class Told:
    """All of it. ``columns`` are the settings that differ; ``effects`` come in groups of one player and setting."""

    columns: tuple[str, ...]
    lines: tuple[Line, ...]
    chart: Chart | None
    effects: tuple[tuple[str, str, tuple[Effect, ...]], ...]

    @property
    def recovered(self) -> bool:
        """Whether anybody had a second try at a decision."""
        return any("put_right_by_second" in line.shares for line in self.lines)

    @property
    def spent(self) -> bool:
        """Whether anybody called a model."""
        return any(line.effort for line in self.lines)


def told(report: Report, compliance: Compliance) -> Told:
    """Return the section's figures; the rows of one player stand together, by their settings."""
    columns = tuple(differing(report))
    lines = [_line(entry, columns, compliance) for entry in report.entries]
    first = {line.entry.agent.partition("?")[0]: place for place, line in reversed(list(enumerate(lines)))}
    lines.sort(key=lambda line: (first[line.entry.agent.partition("?")[0]], line.settings))
    rows = [
        (line.entry.label, line.about, line.shares["first_try"], line.shares["first_try_strict"])
        for line in lines
        if "first_try" in line.shares
    ]
    groups: dict[tuple[str, str], list[Effect]] = {}
    for one in compliance.effects:
        if one.figure == "first_try" or one.gap.value:
            groups.setdefault((one.player, one.setting), []).append(one)
    effects = tuple((player, setting, tuple(found)) for (player, setting), found in groups.items())
    return Told(columns, tuple(lines), share_chart(rows), effects)


def _line(entry: Entry, columns: tuple[str, ...], compliance: Compliance) -> Line:
    own = [one for one in compliance.figures if one.entrant == entry.label]
    by = {(one.figure, one.code): one.share for one in own}
    codes = [one.code for one in own if one.figure == "put_right_by_second" and one.code != EVERY_REFUSAL]
    effort = {one.figure: one for one in compliance.efforts if one.entrant == entry.label}
    return Line(
        entry,
        tuple(NONE if entry.settings[name] is None else str(entry.settings[name]) for name in columns),
        {figure: by[figure, EVERY_REFUSAL] for figure in FIGURES if (figure, EVERY_REFUSAL) in by},
        tuple((code, by["put_right_by_second", code], by.get(("put_right_by_third", code))) for code in codes),
        {name: effort[name] for name in (*MEANS, *QUANTILES) if name in effort},
    )
