"""Games that were scored again, as lines and tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table

from harness.log import GameLog
from harness.reporting import print_analysis
from harness.rescoring.rejudging import Difference
from harness.rescoring.report import Rescoring
from harness.rescoring.scoring import How, Rescored, Scoring
from harness.rescoring.sensitivity import POLICIES, Counts, Scenario, Standing
from harness.tables import new_table
from harness.text import clean_line, for_terminal, quoted
from harness.versions import ENGINE_VERSION, RULES_VERSION

_WHY: Mapping[How, str] = {
    "drawn": "the policy draws a move that was not played",
    "forfeit": "a seat forfeits",
    "void": "the game is void",
    "untried": "more attempts are allowed than were made",
    "engine": "the engine judges a proposal otherwise",
}


def print_rescoring(console: Console, found: Rescoring, following: bool = False) -> None:
    """Print what was done to the games, their tables, what hangs on the policy, and every change.

    ``following`` is as in ``harness.reporting.print_analysis``.
    """

    def say(lines: Iterator[str]) -> None:
        for line in lines:
            console.print(line, markup=False, highlight=False, soft_wrap=True)

    say(_summary(found))
    print_analysis(console, found.analysis, following)
    console.print(_fates(found.sensitivity))
    say(_asked_too_little(found.sensitivity))
    console.print(_standings(found.sensitivity))
    say(_cut_ratings(found.sensitivity))
    say(_results(found))
    say(_differences(found))


def _summary(found: Rescoring) -> Iterator[str]:
    headers = [game.recorded.header for game in found.games]
    policies = dict.fromkeys(header.policy for header in headers)
    attempts = dict.fromkeys(str(header.attempts) for header in headers)
    scoring = found.scoring
    yield (
        f"Scored again: policy {scoring.policy or '/'.join(policies)} (played under {'/'.join(policies)}), "
        f"attempts {scoring.attempts or '/'.join(attempts)} (played with {'/'.join(attempts)}), "
        f"{'strict' if scoring.strict else 'lenient'} reading. Players knew the terms they played under."
    )
    recorded = "; ".join(
        f"engine {clean_line(engine)}, rules {clean_line(rules)}" for engine, rules in found.versions()
    )
    yield f"Judged again by engine {ENGINE_VERSION}, rules {RULES_VERSION}; played with {recorded}."
    counts = found.counts
    yield f"{_affected(counts)}."
    for how, count in counts.left.items():
        if count:
            yield f"  {count} because {_WHY[how]}"
    if counts.cut:
        yield (
            "A cut game would have gone on otherwise than it was played: it counts up to that decision, stands in the "
            "column open and has no part in ratings."
        )


def _affected(counts: Counts) -> str:
    kept = counts.affected - counts.changed - counts.cut
    return (
        f"{counts.affected} of {counts.games} games are counted otherwise than they were played: "
        f"{counts.changed} end with another result, {counts.cut} are cut, {kept} keep their result"
    )


def _fates(scenarios: tuple[Scenario, ...]) -> Table:
    table = new_table(
        "What each policy does to the games", "policy", "games", "affected", "other\nresult", "cut",
        "not asked\nagain",
    )  # fmt: skip
    for one in scenarios:
        counts = one.counts
        figures = (counts.games, counts.affected, counts.changed, counts.cut, counts.early)
        table.add_row(_named(one.scoring, scenarios), *map(str, figures))
    return table


def _asked_too_little(scenarios: tuple[Scenario, ...]) -> Iterator[str]:
    if any(one.counts.early for one in scenarios):
        yield (
            "Not asked again: the player's answer is one that strict reading does not take, and attempts were left; it "
            "would have been asked again, but never was. The decision counts as used up; with --attempts 1 none is."
        )


def _standings(scenarios: tuple[Scenario, ...]) -> Table:
    """Every entrant under every policy; strict beside lenient where they are two readings."""
    table = new_table("Sensitivity: ranked games, wins, games lost by forfeit (out) and rating", "agent\n policy")
    table.columns[0].min_width = 1 + max(map(len, POLICIES))
    readings = {one.scoring.strict: "strict" if one.scoring.strict else "lenient" for one in scenarios}
    for reading in readings.values():
        for name in ("games", "wins", "out", "rating"):
            above = reading if name == "rating" and len(readings) > 1 else ""
            table.add_column(f"{above}\n{name}", justify="right", no_wrap=True)
    by = {(one.scoring.policy, one.scoring.strict): one for one in scenarios}
    for place, standing in enumerate(scenarios[0].standings):
        table.add_row(for_terminal(standing.name, 48))
        for policy in POLICIES:
            row = [by[policy, strict] for strict in readings]
            table.add_row(f" {policy}", *(cell for one in row for cell in _cells(one, one.standings[place])))
    return table


def _cells(scenario: Scenario, one: Standing) -> list[str]:
    rating = "-" if one.rating is None else f"{one.rating:+.0f}"
    if one.rating is not None and one.half_width is not None:
        rating += f" ± {one.half_width:.0f}"
    star = "*" if scenario.counts.cut and one.rating is not None else " "
    return [str(one.ranked), str(one.wins), str(one.forfeits), f"{rating}{star}"]


def _cut_ratings(scenarios: tuple[Scenario, ...]) -> Iterator[str]:
    if any(one.counts.cut for one in scenarios):
        yield (
            "* Games are cut here, most of all those of entrants that fail: the rating is of the games that are left "
            "and tells nothing of what failing would have cost."
        )


def _named(scoring: Scoring, scenarios: tuple[Scenario, ...]) -> str:
    if not any(one.scoring.strict for one in scenarios):
        return str(scoring.policy)
    return f"{scoring.policy}, {'strict' if scoring.strict else 'lenient'}"


def _results(found: Rescoring) -> Iterator[str]:
    if not found.moved:
        yield "Every game keeps its result."
        return
    yield f"Games that do not keep their result ({len(found.moved)}):"
    for game in found.moved:
        where = ""
        if game.departure is not None:
            where = f" at decision {game.departure.number}: {_WHY[game.departure.how]}"
        yield f"  {_name(game.recorded, found)}: {_told(game.recorded)} -> {_now(game)}{where}"


def _name(log: GameLog, found: Rescoring) -> str:
    """The name of a game, with its run where there are several."""
    runs = {game.recorded.header.run for game in found.games}
    return clean_line(f"{log.header.run}/{log.header.game}" if len(runs) > 1 else log.header.game)


def _now(game: Rescored) -> str:
    return "cut" if game.fate == "cut" else _told(game.log)


def _told(log: GameLog) -> str:
    """How a game ended, in a few words."""
    outcome = log.outcome
    if outcome is None:
        return "open"
    if outcome.winner is not None:
        return f"{clean_line(log.header.seats[outcome.winner].name, 48)} wins"
    if outcome.ranking and len(outcome.ranking[0]) == 1:
        return f"{outcome.result}, {clean_line(log.header.seats[outcome.ranking[0][0]].name, 48)} leads"
    return outcome.result


def _differences(found: Rescoring) -> Iterator[str]:
    judged = sum(one.judged for one in found.judged)
    if not found.differences:
        yield f"All {judged} recorded proposals are judged as they were, with the same events."
        return
    for one in found.judged:
        for difference in one.differences:
            yield from _difference(difference)
        if one.lost is not None:
            name = _name(one.log, found)
            yield f"{name} cannot be followed from decision {one.lost} on: what was played there no longer fits."
    games = sum(bool(one.differences) for one in found.judged)
    yield f"{len(found.differences)} differences in {games} games, {judged} recorded proposals judged."


def _difference(one: Difference) -> Iterator[str]:
    seat = "" if one.seat is None else f" of seat {one.seat}"
    attempt = "" if one.attempt is None else f", attempt {one.attempt + 1}"
    yield f"DIFFERENT: {clean_line(one.game)}, decision {one.number}{seat}{attempt}: {one.kind}"
    if one.proposal is not None:
        yield f"  proposal: {quoted(one.proposal, 300)}"
    yield f"  recorded: {quoted(one.recorded, 300)}"
    yield f"  now:      {quoted(one.now, 300)}"
