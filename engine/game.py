"""The door to the engine: one game, what is to be decided, what a seat sees, and the judging of proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.actions import Action
from engine.checks.judge import judge
from engine.codes import Violation
from engine.decisions import Decision, decision_of
from engine.determinise import determinise
from engine.errors import EngineError
from engine.events import Event
from engine.explanations.nearest import Explanation, explain
from engine.legal import LegalActions
from engine.observe import Observation, observe
from engine.opportunities.find import Opportunity, opportunities
from engine.position import position_of, state_from_position
from engine.proposals import Proposal, proposal_of
from engine.schemas import Schema
from engine.serial import state_digest, state_from_json, state_to_json
from engine.setup import new_state
from engine.state import State
from engine.tables import SETS
from engine.tools import express, tools_of, translate
from engine.turn import apply, forfeit
from engine.types import EDITIONS, JSON, SEATS, STANDARD, TOURNAMENT, VARIANTS, Seat


class Verdict(NamedTuple):
    """The engine's answer to a proposal.

    Accepted: the action, its canonical proposal and the events it caused. Refused: the violations, the primary
    one first; the game is as it was (R-TRN-11).
    """

    accepted: bool
    action: Action | None
    proposal: Proposal | None
    events: tuple[Event, ...]
    violations: tuple[Violation, ...]

    @property
    def primary(self) -> Violation | None:
        """The primary violation (R-ERR-01), None if the proposal was accepted."""
        return self.violations[0] if self.violations else None


class Game:
    """A game in progress. Seats are letters, cards are slugs."""

    def __init__(self, state: State) -> None:
        """Wrap a state; use `new`, `from_position` or `from_json`."""
        self.state = state

    @classmethod
    def new(
        cls,
        players: int = 2,
        sets: Sequence[str] | None = None,
        seed: int = 0,
        edition: str = "classic",
        start: str | None = None,
        variant: str = "standard",
    ) -> Game:
        """Deal a new game. Raises PositionError.

        `sets` and `start` None: chosen by the seed; but in the tournament variant the players name the sets first.
        """
        return cls(new_state(edition, players, sets, seed, start, variant))

    @classmethod
    def from_position(cls, position: Mapping[str, Any]) -> Game:
        """A game that stands as a scenario describes it (contract section 5). Raises PositionError."""
        return cls(state_from_position(position))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Game:
        """A saved game. Raises PositionError."""
        return cls(state_from_json(data))

    def to_json(self) -> dict[str, JSON]:
        """The whole game as plain JSON, hidden cards included."""
        return state_to_json(self.state)

    def clone(self) -> Game:
        """An independent copy."""
        return Game(self.state.clone())

    def digest(self) -> str:
        """Hex sha256 of the whole state."""
        return state_digest(self.state)

    def position(self) -> dict[str, JSON]:
        """All zones in the form of a scenario's `state`."""
        return position_of(self.state)

    @property
    def edition(self) -> str:
        """The edition's name."""
        return EDITIONS[self.state.edition]

    @property
    def variant(self) -> str:
        """The variant's name."""
        return VARIANTS[TOURNAMENT if self.state.gold else STANDARD]

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the sets in play; while sets are drafted, those picked so far."""
        return tuple(SETS[number] for number in self.state.sets)

    @property
    def seed(self) -> int:
        """The seed all randomness comes from."""
        return self.state.seed

    @property
    def seats(self) -> tuple[str, ...]:
        """The seats in turn order of the table."""
        return tuple(SEATS[: self.state.players])

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None when the game is over."""
        return decision_of(self.state)

    @property
    def legal(self) -> LegalActions:
        """The legal list of the pending decision; take it again after every action."""
        return LegalActions(self.state)

    @property
    def round(self) -> int:
        """How many turns the active seat has begun, the running one included."""
        return self.state.rounds[self.state.turn]

    @property
    def over(self) -> bool:
        """Whether somebody has won."""
        return self.state.winner >= 0

    @property
    def winner(self) -> str | None:
        """The seat that has won."""
        return SEATS[self.state.winner] if self.state.winner >= 0 else None

    @property
    def stacks(self) -> dict[str, int]:
        """How many stacks each seat has built."""
        return {SEATS[seat]: len(stall) for seat, stall in enumerate(self.state.stalls)}

    @property
    def forfeited(self) -> tuple[str, ...]:
        """The seats that take no more turns."""
        return tuple(seat for index, seat in enumerate(self.seats) if self.state.forfeited >> index & 1)

    def propose(self, seat: str, tool: object, arguments: object) -> Verdict:
        """Judge a proposal and, if it is legal, carry it out. Never trusts its caller; a refusal changes nothing."""
        found = judge(self.state, self._seat(seat), tool, arguments)
        if not isinstance(found, Action):
            return Verdict(False, None, None, (), found)
        proposal = proposal_of(self.state, found)
        return Verdict(True, found, proposal, self.apply(found), ())

    def judge(self, seat: str, tool: object, arguments: object) -> tuple[Violation, ...]:
        """What stands against a proposal, the primary violation first; empty if it is legal. Changes nothing."""
        found = judge(self.state, self._seat(seat), tool, arguments)
        return () if isinstance(found, Action) else found

    def explain(self, seat: str, tool: object, arguments: object) -> Explanation:
        """Why a proposal is refused, and the nearest legal proposal with the edits that lead to it. Changes nothing.

        Nearest: of the same tool, with the same subject, with the fewest changes, first in the legal list, in this
        order (`engine.explanations.nearest`). Depends only on what the seat is entitled to know.
        """
        return explain(self.state, self._seat(seat), tool, arguments)

    def opportunities(self, seat: str | None = None, seed: int | None = None) -> tuple[Opportunity, ...]:
        """Every violation code open to a seat, by default the deciding one, each with an example that breaks it.

        The denominator of a rule-following rate: one opportunity to break a code is one decision at which it is open.
        A code is open if at least one readable proposal (contract section 1, one that fits the schema) is refused with
        it as the primary code. So `malformed_arguments` and `unknown_action` (failure class `format`), `game_over`, and
        the codes no tool call can express (R-ERR-06) never are; a seat that does not decide can only act out of turn.
        The checker has refused every example with exactly its code. Codes and examples follow from what the seat is
        entitled to know and from `seed`, which chooses among several examples; without it the plainest is taken.
        Codes stand in the order of R-ERR-01; empty when the game is over.
        """
        return opportunities(self.state, None if seat is None else self._seat(seat), seed)

    def proposal(self, action: Action) -> Proposal:
        """The canonical proposal of a legal action."""
        return proposal_of(self.state, action)

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Carry out a legal action without checking it, and return its events."""
        return self._logged(lambda: apply(self.state, action))

    def advance(self, action: Action) -> None:
        """Carry out a legal action without checking it and without making events: for search and measuring."""
        apply(self.state, action)

    def forfeit(self, seat: str) -> tuple[Event, ...]:
        """The seat takes no more turns; when one seat is left it wins (contract section 4)."""
        return self._logged(lambda: forfeit(self.state, self._seat(seat)))

    def observe(self, seat: str) -> Observation:
        """Everything this seat is entitled to know, as plain JSON."""
        return observe(self.state, self._seat(seat))

    def tools(self, level: str) -> list[Schema]:
        """The tools of a level, L0 to L5, for the pending decision, each {"name", "parameters": JSON schema}."""
        return tools_of(self.state, level)

    def translate(self, level: str, name: str, arguments: Mapping[str, object]) -> tuple[str, dict[str, object]]:
        """A call in the tools of a level as (tool, arguments) of section 1. Raises FormatFault."""
        return translate(self.state, level, name, arguments)

    def express(self, level: str, index: int) -> tuple[str, dict[str, JSON]]:
        """The call by which a player at this level makes the index-th action of the legal list."""
        return express(self.state, level, index)

    def determinise(self, seat: str, seed: int) -> Game:
        """Another game this seat could be in: all it cannot know is dealt again by `seed` (contract section 7)."""
        return Game(determinise(self.state, self._seat(seat), seed))

    def _logged(self, change: Any) -> tuple[Event, ...]:
        log: list[Event] = []
        self.state.log = log
        try:
            change()
        finally:
            self.state.log = None
        return tuple(log)

    def _seat(self, seat: str) -> Seat:
        if seat not in self.seats:
            raise EngineError(f"no seat {seat!r}: the seats are {', '.join(self.seats)}")
        return SEATS.index(seat)
