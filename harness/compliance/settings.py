"""One model under two settings on the same deals: how much a level, a language or a kind of feedback changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from harness.canonical import canonical_json
from harness.compliance.following import EVERY_REFUSAL
from harness.compliance.shares import Counts, Gap, gap
from harness.log import GameLog
from harness.records import SeatRecord
from harness.report import SETTINGS, Entry, Report

COMPARED: Final = ("first_try", "put_right_by_second", "by_policy")
"""The figures of ``harness.compliance.following`` that are compared."""

_FOLLOWS: Final[Mapping[str, tuple[str, ...]]] = {"level": ("rulebook", "output_mode")}
"""What may change together with a setting: the closed book (L5) has no rulebook."""

_OTHER: Final = ("max_output_tokens", "temperature", "reasoning_effort", "menu_limit", "schema_mode")
"""Options of a model that are no column of a report, and are named where they differ."""


@dataclass(frozen=True)
class Row:
    """A row of the report as it is compared: whose it is, under which settings, and its other options."""

    label: str
    player: str
    settings: Mapping[str, Any]
    other: Mapping[str, Any]


@dataclass(frozen=True)
class Effect:
    """How much higher a figure of one player is under the first value of a setting than under the second.

    ``pairs`` are the labels compared, alike in every other setting; ``also`` names options that differ beside it.
    """

    player: str
    setting: str
    first: str
    second: str
    figure: str
    gap: Gap
    pairs: tuple[tuple[str, str], ...]
    also: tuple[str, ...]


def rows_of(report: Report, logs: Iterable[GameLog]) -> list[Row]:
    """Return the rows of a report in its order, with whose they are."""
    seats: dict[str, SeatRecord] = {}
    for log in logs:
        for who in log.header.seats.values():
            seats.setdefault(report.label(who, log.header), who)
    return [_row(entry, seats[entry.label]) for entry in report.entries]


def _row(entry: Entry, who: SeatRecord) -> Row:
    profile = who.settings.get("profile") or {}
    other = {name: who.settings.get(name, profile.get(name)) for name in _OTHER}
    return Row(entry.label, player_of(entry, who), entry.settings, other)


def player_of(entry: Entry, who: SeatRecord) -> str:
    """Return what stays the same under all settings: the model and its server, or the spec of a scripted agent."""
    return entry.agent.partition("?")[0] if who.settings.get("profile") else entry.agent


def effects(rows: Sequence[Row], counts: Mapping[tuple[str, str, str], Counts]) -> list[Effect]:
    """Compare every player's rows that differ in one setting, on the deals both played; in the order of the rows."""
    found = []
    for player in dict.fromkeys(row.player for row in rows):
        own = [row for row in rows if row.player == player]
        for setting in SETTINGS:
            values = sorted({str(row.settings[setting]) for row in own if row.settings[setting] is not None})
            for first, second in combinations(values, 2):
                pairs = _pairs(own, setting, first, second)
                for figure in COMPARED:
                    found += _effect(player, setting, (first, second), figure, pairs, counts)
    return found


def _pairs(rows: Sequence[Row], setting: str, first: str, second: str) -> list[tuple[Row, Row]]:
    """The rows with the two values that are alike in all other settings; of the same player twice the first."""
    free = (setting, *_FOLLOWS.get(setting, ()))
    groups: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        alike = canonical_json({name: value for name, value in row.settings.items() if name not in free})
        groups[alike][str(row.settings[setting])].append(row)
    return [(group[first][0], group[second][0]) for group in groups.values() if group[first] and group[second]]


def _effect(
    player: str,
    setting: str,
    values: tuple[str, str],
    figure: str,
    pairs: Sequence[tuple[Row, Row]],
    counts: Mapping[tuple[str, str, str], Counts],
) -> list[Effect]:
    """The effect as a list of one; of none where no deal is common to a pair."""
    compared, data = [], []
    for one, other in pairs:
        mine = counts.get((one.label, figure, EVERY_REFUSAL), {})
        theirs = counts.get((other.label, figure, EVERY_REFUSAL), {})
        if not mine.keys().isdisjoint(theirs):
            compared.append((one, other))
            data.append((mine, theirs))
    if not data:
        return []
    also = {
        name
        for one, other in compared
        for mine, theirs in ((one.other, other.other), (one.settings, other.settings))
        for name in mine
        if name != setting and mine[name] != theirs[name]
    }
    labels = tuple((one.label, other.label) for one, other in compared)
    return [Effect(player, setting, *values, figure, gap(data), labels, tuple(sorted(also)))]
