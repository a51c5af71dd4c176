"""A report as it is printed: the figures of the runs, ratings, and on demand rule following; or the page of one run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from harness.canonical import canonical_json
from harness.errors import UserError
from harness.log import GameLog
from harness.report import Report, make_report
from harness.tables import print_report

if TYPE_CHECKING:
    from harness.compliance.analysis import Compliance
    from harness.compliance.opportunities import FirstAttempt
    from harness.compliance.rates import Difference, Rate
    from harness.ratings.compliant import Compliant
    from harness.ratings.standings import Ratings


@dataclass(frozen=True)
class Analysis:
    """Everything that is told of some logs.

    ``compliant`` is None if not asked for; so are ``rates``, ``differences`` and ``first``, the attempts they are
    computed from.
    """

    report: Report
    ratings: Ratings
    compliant: Compliant | None
    compliance: Compliance
    rates: list[Rate] | None
    differences: list[Difference] | None
    first: list[FirstAttempt] | None

    def to_json(self) -> dict[str, Any]:
        """Return the figures as plain JSON."""
        found = {**self.report.to_json(), "ratings": self.ratings.to_json()}
        found["following"] = self.compliance.to_json()
        if self.compliant is not None:
            found["skill_given_compliance"] = self.compliant.to_json()
        if self.rates is not None and self.differences is not None:
            found["rules"] = {
                "rates": [{**asdict(one), "rate": one.value} for one in self.rates],
                "differences": [asdict(one) for one in self.differences],
            }
        return found


def analyse(logs: Sequence[GameLog], anchor: str | None = None, rules: bool = False, skill: bool = False) -> Analysis:
    """Compute the figures of some logs.

    ``anchor`` is the entrant whose rating is 0, unless given the mean is; ``rules`` says whether to play all games
    again and count opportunities, ``skill`` whether to rate everybody once more in the games without a move by the
    policy for it. Raises UserError for an unknown anchor, or a log that plays differently now.
    """
    from harness.compliance.analysis import analyse as compliance_of
    from harness.compliance.opportunities import first_attempts
    from harness.compliance.rates import table
    from harness.ratings.compliant import compliant
    from harness.ratings.results import results_of
    from harness.ratings.standings import rate

    report = make_report(logs)
    agents = {entry.label: canonical_json([entry.agent, entry.settings]) for entry in report.entries}
    seed = logs[0].header.run_seed
    ratings = rate(results_of(logs, report.label), agents, seed=seed, anchor=anchor)
    own_moves = compliant(logs, report.label, agents, seed=seed, anchor=anchor) if skill else None
    first = list(first_attempts(logs, report.label)) if rules else None
    rates, differences = table(first) if first is not None else (None, None)
    return Analysis(report, ratings, own_moves, compliance_of(logs, report), rates, differences, first)


def print_analysis(console: Console, analysis: Analysis, following: bool = False) -> None:
    """Print all tables, each only if it has anything to tell; those of ``following`` only if asked for."""
    from harness.compliance import show as rules
    from harness.compliance import show_following
    from harness.ratings import show as strength

    print_report(console, analysis.report)
    for table in strength.tables(analysis.ratings):
        console.print(table)
    for line in strength.notes(analysis.ratings):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    if following:
        for table in show_following.tables(analysis.report, analysis.compliance):
            console.print(table)
        if analysis.compliant is not None and analysis.compliant.told and analysis.ratings.standings:
            console.print(strength.compliant_table(analysis.ratings, analysis.compliant))
    if analysis.rates is not None and analysis.differences is not None:
        for table in rules.tables(analysis.rates, analysis.differences):
            console.print(table)


def write_page(logs: Sequence[GameLog], path: Path, language: str) -> None:
    """Write the page of a run; UserError for several runs, an unknown language or a file that cannot be written."""
    from harness.page.build import build_page

    runs = list(dict.fromkeys(log.header.run for log in logs))
    if len(runs) > 1:
        raise UserError(f"a page shows one run, not {len(runs)}: {', '.join(runs)}; write one for each.")
    if not path.name or path.is_dir():
        raise UserError(f"the page cannot be the folder {path}: name a file, such as {path / 'page.html'}.")
    page = build_page(logs, language)
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(page, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise UserError(f"cannot write the page {path}: {error.strerror}.") from None
