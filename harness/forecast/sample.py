"""What a calibration run showed: decisions, calls, tokens and seconds of entrants like those of the tournament."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.agents.base import AttemptClass
from harness.compliance.rates import ANY_RULE, Rate, rate
from harness.config import Tournament
from harness.log import GameLog
from harness.plan import MatchPlan
from harness.records import Header, SeatRecord

_GAME = ("edition", "variant", "players", "round_limit", "decision_limit")
"""Settings on which the length of a game depends."""
_TRIES = ("attempts", "feedback")
"""Settings on which the number of attempts at a decision depends."""
_TOLD = ("level", "rulebook", "language")
"""Settings of a model, beside its spec, on which the size of its requests depends."""
_READABLE: tuple[AttemptClass, ...] = ("accepted", "rule")


@dataclass
class Seen:
    """What was seen of one kind of entrant.

    ``games`` are finished ones as long as the tournament's may be, ``decided`` counts the decisions in them.
    ``decisions`` and ``calls`` are of games with the tournament's attempts and feedback. ``tokens`` are of the
    ``counted`` calls, those whose server said what it used; ``seconds`` is the latency of the ``timed`` calls.
    """

    games: int = 0
    decided: int = 0
    decisions: int = 0
    calls: int = 0
    counted: int = 0
    tokens: Counter[str] = field(default_factory=Counter)
    timed: int = 0
    seconds: float = 0.0
    answered: int = 0
    """First attempts, whether they could be read or not."""
    firsts: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By deal: first attempts that broke a rule, and all that could be read."""

    @property
    def decisions_per_game(self) -> float | None:
        """Decisions in a game; None if none like the tournament's was finished."""
        return self.decided / self.games if self.games else None

    @property
    def calls_per_decision(self) -> float | None:
        """Calls for a decision, None if there was none."""
        return self.calls / self.decisions if self.decisions and self.calls else None

    @property
    def tokens_per_call(self) -> dict[str, float] | None:
        """Tokens of a call by kind, None if no server said how many it used."""
        if not self.counted:
            return None
        return {name: count / self.counted for name, count in self.tokens.items()}

    @property
    def seconds_per_call(self) -> float | None:
        """Seconds until a call was answered; None if no call was timed."""
        return self.seconds / self.timed if self.timed else None

    @property
    def readable(self) -> float:
        """The share of first attempts that could be read; 1 if there was none."""
        return sum(there for _, there in self.firsts.values()) / self.answered if self.answered else 1.0

    def violations(self, name: str) -> Rate | None:
        """Return the rate of first attempts that broke a rule, None if none could be read."""
        return rate(name, ANY_RULE, self.firsts) if self.firsts else None


def read_sample(
    logs: Iterable[GameLog], tournament: Tournament, plan: MatchPlan, told: Mapping[str, Mapping[str, Any]]
) -> dict[str, Seen]:
    """Return what the logs show of each entrant of the tournament, by name; ``plan`` is any of its games.

    Another entrant is alike if its agent is, and what a model was told by way of rules; ``told`` holds the settings of
    those of the tournament that are models, by name. A game that did not end says nothing of the length of games.
    """
    found = {entrant.name: Seen() for entrant in tournament.entrants}
    wanted = {**tournament.model_dump(include={*_GAME, *_TRIES}), "decision_limit": plan.decision_limit}
    for log in logs:
        header, outcome = log.header, log.outcome
        whole = outcome is not None and outcome.result != "void" and _is_alike(header, wanted, _GAME)
        for seat, who in header.seats.items():
            for entrant in tournament.entrants:
                if _is_the_same(who, entrant.agent, told.get(entrant.name)):
                    _count(found[entrant.name], log, seat, whole, _is_alike(header, wanted, _TRIES))
    return found


def _is_alike(header: Header, wanted: Mapping[str, Any], names: Sequence[str]) -> bool:
    return all(getattr(header, name) == wanted[name] for name in names)


def _is_the_same(who: SeatRecord, agent: str, told: Mapping[str, Any] | None) -> bool:
    return who.agent == agent and (told is None or all(who.settings.get(name) == told[name] for name in _TOLD))


def _count(seen: Seen, log: GameLog, seat: str, whole: bool, tries: bool) -> None:
    decided = sum(record.seat == seat for record in log.decisions)
    attempts = [record for record in log.attempts if record.seat == seat]
    if whole:
        seen.games += 1
        seen.decided += decided
    if tries:
        seen.decisions += decided
        seen.calls += sum(record.calls for record in attempts)
    for record in attempts:
        if record.usage is not None:
            seen.counted += record.calls
            seen.tokens.update(record.usage.model_dump())
        if record.calls and record.timing is not None and "latency" in record.timing:
            seen.timed += record.calls
            seen.seconds += float(record.timing["latency"])
    answers = [record.result for record in attempts if record.attempt == 0 and record.result != "provider"]
    first = [result for result in answers if result in _READABLE]
    seen.answered += len(answers)
    if first:
        header = log.header
        deal = "/".join(map(str, (header.edition, header.variant, header.players, *header.sets, header.seed)))
        broken, read = seen.firsts.get(deal, (0, 0))
        seen.firsts[deal] = (broken + first.count("rule"), read + len(first))
