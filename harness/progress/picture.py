"""The screen of a run: how far it is, what it spends, who leads, which games are under way. Fits 80 x 24."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from harness.agents.base import AttemptClass
from harness.budget import dollars
from harness.figures import duration, short
from harness.progress.lines import Money, remaining, sums
from harness.progress.rater import Standings
from harness.progress.tally import Player, Running, Tally
from harness.providers.gates import GateState
from harness.text import clean_line, for_terminal

FRAME = 3
"""Lines beside figures, standings and games under way: the first one, the table's head, how many are left out."""
_OTHERS: Sequence[AttemptClass] = ("truncated", "refusal", "empty", "text_only")
_BAR = 24


@dataclass(frozen=True)
class Moment:
    """When a picture is taken, and of which size: seconds since the run was begun to be shown, columns, lines."""

    elapsed: float
    width: int
    height: int


def picture(
    name: str, tally: Tally, money: Money, standings: Standings, gates: Sequence[GateState], now: Moment
) -> Group:
    """Return the screen; of more entrants, games or servers than fit in, those that tell most."""
    lines = [*_sums(tally, money), *_waits(tally, gates)[:3]]
    room = max(2, now.height - FRAME - len(lines) - 1)  # the cursor stands on the last line of a terminal
    shown = min(len(tally.players), max(1, room - min(len(tally.running), room // 3)))
    return Group(
        _head(name, tally, now),
        *(_line(line, now.width) for line in lines),
        _standings(tally, standings, shown),
        *(_line(line, now.width) for line in _games(tally, room - shown)),
    )


def _line(text: str, width: int) -> Text:
    line = Text(text, no_wrap=True, overflow="ellipsis")
    line.truncate(width, overflow="ellipsis")
    return line


def _head(name: str, tally: Tally, now: Moment) -> Table:
    left = remaining(tally, now.elapsed)
    parts = [f"{tally.finished}/{tally.games} games", f"{duration(now.elapsed)} so far"]
    if left is not None and tally.finished < tally.games:
        parts.append(f"about {duration(left)} left")
    told = ", ".join(parts)
    head = Table.grid(padding=(0, 1), expand=False)
    for _ in range(3):
        head.add_column(no_wrap=True)
    title = clean_line(name, 16)
    bar = ProgressBar(
        total=max(tally.games, 1), completed=tally.finished,
        width=max(4, min(_BAR, now.width - len(title) - len(told) - 3)),
    )  # fmt: skip
    head.add_row(Text(title, style="bold"), bar, Text(told))
    return head


def _sums(tally: Tally, money: Money) -> list[str]:
    """What is spent, and the attempts by class, as far as there are any."""
    attempts = tally.attempts
    told = [f"{short(attempts[name])} {name}" for name in sorted(attempts, key=lambda name: (-attempts[name], name))]
    return [line for line in (", ".join(sums(tally, money)), f"attempts: {', '.join(told)}" if told else "") if line]


def _waits(tally: Tally, gates: Sequence[GateState]) -> list[str]:
    """A line for each server that is paused, slowed down or busy, and for who met limits."""
    found = []
    for gate in gates:
        parts = [f"{clean_line(one.model, 24)} paused for {one.seconds:.0f} s ({one.reason})" for one in gate.pauses]
        less = f" ({gate.full} without overload)" if gate.places < gate.full else ""
        parts.append(f"{gate.busy} of {gate.places} places taken{less}")
        found.append((not gate.pauses, not less, f"{clean_line(gate.address, 40)}: {', '.join(parts)}"))
    lines = [line for *_, line in sorted(found)]
    limited = [f"{clean_line(name, 32)} {player.limited}x" for name, player in tally.players.items() if player.limited]
    if limited:
        queued = duration(sum(player.queued for player in tally.players.values()))
        lines.insert(0, f"turned away, {queued} of waiting: {', '.join(limited)}")
    return lines


def _standings(tally: Tally, standings: Standings, shown: int) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="underline", expand=False)
    table.add_column("agent", no_wrap=True, overflow="ellipsis", max_width=20)
    for column in ("games", "wins", "rating", "1st try", "rule", "form", "other", "prov", "spent"):
        table.add_column(column, justify="right", no_wrap=True)
    players = sorted(tally.players.items(), key=lambda item: _order(item[0], item[1], standings))
    for name, player in players[:shown]:
        table.add_row(for_terminal(name, 48), *_row(player, name, standings))
    if shown < len(players):
        table.caption, table.caption_justify = f"and {len(players) - shown} more", "left"
    return table


def _order(name: str, player: Player, standings: Standings) -> tuple[bool, float, float]:
    """Best first: by rating, those without one by wins."""
    rated = standings.get(name)
    return rated is None, -rated.rating if rated is not None else 0.0, -player.wins / max(player.games, 1)


def _row(player: Player, name: str, standings: Standings) -> list[str]:
    rated, attempts = standings.get(name), player.attempts
    rating = "-"
    if rated is not None:
        reach = f" ±{rated.half_width:.0f}" if rated.half_width is not None else ""
        rating = f"{rated.rating:+.0f}{reach}"
    legal = f"{player.first / player.decisions:.1%}" if player.decisions else "-"
    counts = (
        attempts["rule"], attempts["format"], sum(attempts[one] for one in _OTHERS), attempts["provider"],
    )  # fmt: skip
    spent = "?" if player.unpriced else dollars(player.cost) if player.cost else "-"
    return [str(player.games), str(player.wins), rating, legal, *map(short, counts), spent]


def _games(tally: Tally, room: int) -> list[str]:
    """The games under way, those in trouble first, then the longest."""
    if room < 1 or not tally.running:
        return []
    running = sorted(tally.running.values(), key=lambda one: (not one.trouble, -one.decisions, one.plan.game))
    if len(running) <= room:
        return [_game(one) for one in running]
    return [*(_game(one) for one in running[: room - 1]), f"and {len(running) - room + 1} more games under way"]


def _game(one: Running) -> str:
    names = ", ".join(clean_line(name, 24) for name in one.plan.seats.values())
    trouble = f": {clean_line(one.trouble, 100)}" if one.trouble else ""
    return f"{one.plan.game} round {one.round}, {one.decisions} decisions: {names}{trouble}"
