"""Rule following by entrant, recovery, settings compared on the same deals and effort, as tables for the terminal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rich.table import Table

from harness.compliance.analysis import Compliance
from harness.compliance.effort import Effort
from harness.compliance.following import EVERY_REFUSAL
from harness.compliance.settings import Effect
from harness.compliance.shares import Gap, Share
from harness.report import Report
from harness.tables import about, entrants_table, new_table
from harness.text import for_terminal

CODES_SHOWN = 5
"""Kinds of refusal shown of each entrant, the commonest."""
COMPARED_SHORT = {
    "first_try": "legal at\nfirst try",
    "put_right_by_second": "put right\nby 2nd try",
    "by_policy": "left to\nthe policy",
}
"""How the compared figures are headed."""


def tables(report: Report, compliance: Compliance) -> Iterator[Table]:
    """Yield the tables that have anything to tell."""
    shares = {(one.entrant, one.figure, one.code): one.share for one in compliance.figures}
    made = [_legality(report, shares), _recovery(report, shares), _by_code(report, compliance)]
    for table in (*made, _effects(compliance.effects), _efforts(report, compliance.efforts)):
        if table.row_count:
            yield table


def _legality(report: Report, shares: dict[tuple[str, str, str], Share]) -> Table:
    table = entrants_table(
        report, "Rule following (95 % intervals; strict: without repairs of form)",
        "decisions", "legal at\nfirst try", "interval", "strict", "interval", "by\npolicy",
    )  # fmt: skip
    for entry in report.entries:
        lenient = shares.get((entry.label, "first_try", EVERY_REFUSAL))
        if lenient is not None:
            strict = shares[entry.label, "first_try_strict", EVERY_REFUSAL]
            policy = shares[entry.label, "by_policy", EVERY_REFUSAL]
            cells = (str(lenient.whole), *_with_interval(lenient), *_with_interval(strict), f"{policy.value:.1%}")
            table.add_row(*about(report, entry), *cells)
    return table


def _recovery(report: Report, shares: dict[tuple[str, str, str], Share]) -> Table:
    table = entrants_table(
        report, "Recovery after feedback: refused decisions put right",
        "refused", "by 2nd\ntry", "interval", "by 3rd\ntry", "interval",
    )  # fmt: skip
    for entry in report.entries:
        second = shares.get((entry.label, "put_right_by_second", EVERY_REFUSAL))
        if second is not None:
            third = _with_interval(shares.get((entry.label, "put_right_by_third", EVERY_REFUSAL)))
            table.add_row(*about(report, entry), str(second.whole), *_with_interval(second), *third)
    return table


def _by_code(report: Report, compliance: Compliance) -> Table:
    table = new_table("Recovery by what was wrong with the first try", "agent", "refused", "by 2nd try", "by 3rd try")
    table.add_column("code or class", no_wrap=True)
    told = [one for one in compliance.figures if one.code != EVERY_REFUSAL]
    third = {(one.entrant, one.code): one.share for one in told if one.figure == "put_right_by_third"}
    for entry in report.entries:
        own = [one for one in told if one.entrant == entry.label and one.figure == "put_right_by_second"]
        for one in own[:CODES_SHOWN]:
            later = third.get((entry.label, one.code))
            shown = (f"{one.share.value:.0%}", "-" if later is None else f"{later.value:.0%}")
            table.add_row(for_terminal(entry.label, 48), str(one.share.whole), *shown, for_terminal(one.code))
    return table


def _effects(effects: tuple[Effect, ...]) -> Table:
    """One row for each two values of a setting, one column for each figure that could be compared."""
    rows: dict[tuple[str, str, str, str], dict[str, Effect]] = defaultdict(dict)
    for one in effects:
        rows[one.player, one.setting, one.first, one.second][one.figure] = one
    table = new_table("The same player on the same deals: difference in points (95 % intervals)", "player")
    table.add_column("setting: first less second", overflow="fold")
    for heading in ("deals", *COMPARED_SHORT.values()):
        table.add_column(heading, justify="right", no_wrap=True)
    for (player, setting, first, second), found in rows.items():
        some = next(iter(found.values()))
        told = for_terminal(f"{setting.replace('_', ' ')}: {first} less {second}")
        also = f"\n{for_terminal('also differs: ' + ', '.join(some.also))}" if some.also else ""
        cells = (_gap(found[name].gap if name in found else None) for name in COMPARED_SHORT)
        table.add_row(for_terminal(player, 48), f"{told}{also}", str(some.gap.deals), *cells)
    return table


def _gap(gap: Gap | None) -> str:
    if gap is None:
        return "-"
    reach = "" if gap.low is None or gap.high is None else f"\n{100 * gap.low:+.0f} to {100 * gap.high:+.0f}"
    return f"{100 * gap.value:+.1f}{reach}"


def _efforts(report: Report, efforts: tuple[Effort, ...]) -> Table:
    found = {(one.entrant, one.figure): one for one in efforts}
    table = entrants_table(
        report, "Per decision, with 95 % intervals; seconds of an attempt",
        "input\ntokens", "output\ntokens", "US\ndollars", "seconds\nmedian", "95 of\n100",
    )  # fmt: skip
    digits = {"input_tokens": 0, "output_tokens": 0, "cost": 4, "seconds_median": 1, "seconds_95": 1}
    for entry in report.entries:
        if any((entry.label, name) in found for name in digits):
            cells = (_effort(found.get((entry.label, name)), places) for name, places in digits.items())
            table.add_row(*about(report, entry), *cells)
    return table


def _effort(one: Effort | None, digits: int) -> str:
    if one is None:
        return "-"
    value, low, high = ("?" if number is None else f"{number:.{digits}f}" for number in (one.value, one.low, one.high))
    return value if one.low is one.high is None else f"{value}\n{low}-{high}"


def _with_interval(share: Share | None) -> tuple[str, str]:
    return ("-", "-") if share is None else (f"{share.value:.1%}", share.bounds())
