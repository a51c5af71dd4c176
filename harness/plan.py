"""What one game is made of, and the header of its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine import Game
from harness.agents.base import Agent, MatchSettings
from harness.records import Header, SeatRecord, comparable
from harness.versions import ENGINE_VERSION, RULES_VERSION

DECISIONS_PER_TURN = 50
"""The default limit of a game's decisions allows so many for each of its turns."""


@dataclass(frozen=True)
class MatchPlan:
    """What one game is made of; together with the agents it fixes the header of its log.

    ``seats`` maps seats to entrants' names; ``sets`` None lets the seed draw them, or in the tournament variant the
    players draft them; ``start`` None lets the seed draw the start player.
    """

    run: str
    run_seed: int
    game: str
    deal: int
    line_up: int
    rotation: int
    edition: Literal["classic", "remastered"]
    sets: tuple[str, ...] | None
    seed: int
    seats: Mapping[str, str]
    settings: MatchSettings
    provider_failure: Literal["open", "void"] = "open"
    variant: Literal["standard", "tournament"] = "standard"
    start: Literal["A", "B", "C", "D"] | None = None

    @property
    def decision_limit(self) -> int:
        """Decisions after which the game is unfinished: some effects of the remastered edition never end (R-CPR-04)."""
        given = self.settings.decision_limit
        return given if given is not None else DECISIONS_PER_TURN * self.settings.round_limit * len(self.seats)

    def new_game(self) -> Game:
        """Return the game at its first decision. Raises PositionError."""
        return Game.new(len(self.seats), self.sets, self.seed, self.edition, self.start, self.variant)


def make_header(plan: MatchPlan, game: Game, agents: Mapping[str, Agent]) -> Header:
    """Return the header of the game's log."""
    settings = plan.settings
    seats: dict[Any, SeatRecord] = {
        seat: SeatRecord(name=name, agent=agents[seat].spec, settings=dict(agents[seat].settings))
        for seat, name in plan.seats.items()
    }
    return Header(
        engine_version=ENGINE_VERSION,
        rules_version=RULES_VERSION,
        run=plan.run,
        run_seed=plan.run_seed,
        game=plan.game,
        deal=plan.deal,
        line_up=plan.line_up,
        rotation=plan.rotation,
        edition=plan.edition,
        variant=plan.variant,
        players=len(plan.seats),
        sets=list(game.sets),
        start=plan.start,
        seed=plan.seed,
        seats=seats,
        attempts=settings.attempts,
        feedback=settings.feedback,
        policy=settings.policy,
        provider_failure=plan.provider_failure,
        round_limit=settings.round_limit,
        decision_limit=plan.decision_limit,
        rulebook=settings.rulebook,
    )


def difference(found: Header, wanted: Header) -> str:
    """Say the first field in which two unlike headers differ."""
    old, new = comparable(found), comparable(wanted)
    field = next(name for name in new if old.get(name) != new[name])
    return f"{field} is {old.get(field)!r} there and {new[field]!r} now"
