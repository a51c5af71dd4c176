"""A run as plain lines: one for every game that ends, and a sign of life in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from rich.console import Console
from rich.text import Text

from harness import prompts
from harness.budget import Budget, dollars
from harness.endings import ended
from harness.figures import duration, short
from harness.plan import MatchPlan
from harness.progress.tally import Running, Tally
from harness.records import OutcomeRecord, Record
from harness.text import clean_line

HEARTBEAT = 30.0
"""Seconds after which a silent run says that it is alive."""
PARTS = 10
"""So many times a long run says how it stands."""
_NAMED = 6


@dataclass(frozen=True)
class Money:
    """What the run has spent, in US dollars, and its cap, None without one."""

    spent: Decimal
    cap: Decimal | None


def money_of(budget: Budget) -> Money:
    """Return how a budget stands; in the thread of its event loop only."""
    return Money(budget.spent, budget.caps.run)


class Lines:
    """Tells a run on a console that is no terminal. ``clock`` gives seconds."""

    def __init__(self, console: Console, tally: Tally, budget: Budget, clock: Callable[[], float]) -> None:
        self._console, self._tally, self._budget, self._clock = console, tally, budget, clock
        self._began = self._spoke = clock()

    def started(self, plan: MatchPlan) -> None:
        """A game starts."""
        self._tally.started(plan)

    def recorded(self, plan: MatchPlan, record: Record) -> None:
        """Count it; say that the run is alive if nothing was said for long."""
        self._tally.recorded(plan, record)
        if self._clock() - self._spoke >= HEARTBEAT:
            self._say(self._alive())

    def ended(self, plan: MatchPlan, outcome: OutcomeRecord | None) -> None:
        """Say how a game ended."""
        game = self._tally.ended(plan, outcome)
        self._say(ending(self._tally, game, outcome, money_of(self._budget)))
        tally, part = self._tally, self._tally.games // PARTS
        if outcome is not None and part > 1 and tally.finished % part == 0 and tally.finished < tally.games:
            self._say(so_far(tally))

    def _alive(self) -> str:
        tally = self._tally
        attempts = (f"{count} {name}" for name, count in sorted(tally.attempts.items()))
        parts = [*sums(tally, money_of(self._budget)), *attempts]
        left = remaining(tally, self._clock() - self._began)
        done = f"{tally.finished} of {tally.games} games finished, {len(tally.running)} running; {', '.join(parts)}"
        return f"{done}; about {duration(left)} left" if left is not None else done

    def _say(self, line: str) -> None:
        self._spoke = self._clock()
        self._console.print(Text(line), soft_wrap=True)


def ending(tally: Tally, game: Running, outcome: OutcomeRecord | None, money: Money) -> str:
    """Return the line for a game that ended."""
    trouble = f", {game.trouble}" if game.trouble else ""
    spent = "".join(f"; {part}" for part in [", ".join(sums(tally, money))] if part)
    return f"[{tally.finished}/{tally.games}] {game.plan.game}: {tell(game.plan, outcome)}{trouble}{spent}"


def so_far(tally: Tally) -> str:
    """Return a line of who has won how often, and how well each follows the rules."""
    order = sorted(tally.players.items(), key=lambda item: -item[1].wins / max(item[1].games, 1))
    told = []
    for name, player in order[:_NAMED]:
        legal = f", {player.first / player.decisions:.1%} legal at first try" if player.decisions else ""
        told.append(f"{clean_line(name, 48)} won {player.wins} of {player.games}{legal}")
    more = f"; and {len(order) - _NAMED} more" if len(order) > _NAMED else ""
    return f"So far: {'; '.join(told)}{more}"


def sums(tally: Tally, money: Money) -> list[str]:
    """Return what the run has spent, of how much, and the tokens since it was started or gone on with."""
    told = []
    if money.cap is not None:
        told.append(f"${dollars(money.spent)} of ${dollars(money.cap)} spent")
    elif money.spent:
        told.append(f"${dollars(money.spent)} spent")
    if tally.unpriced:
        told.append("some prices unknown")
    if tally.tokens:
        told.append(f"{short(tally.tokens)} tokens")
    return told


def remaining(tally: Tally, elapsed: float) -> float | None:
    """Return about how many seconds the rest of the run takes, None before a game has ended.

    All games count alike; of those under way, the part that is played is not known.
    """
    if not tally.since:
        return None
    return elapsed * (tally.games - tally.finished) / tally.since


def tell(plan: MatchPlan, outcome: OutcomeRecord | None, language: str = prompts.DEFAULT_LANGUAGE) -> str:
    """Return in one line who played and how it ended."""
    names = {seat: clean_line(name, 48) for seat, name in plan.seats.items()}
    return ended(names, outcome, prompts.load(language))
