"""The form of a scenario (contract section 5) as strict models: nothing unknown, nothing converted."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from engine import CODES

Seat = Literal["A", "B", "C", "D"]
Kind = Literal["action", "bonus_stack", "effect_choice", "end_of_turn"]
Cards = list[str]


def hint(name: str, known: list[str]) -> str:
    """What a misspelt name may have meant, or what names there are."""
    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known are {', '.join(known)}"


class _Form(BaseModel):
    """Nothing unknown, nothing converted. A field that is not written is not in `model_fields_set`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _event(value: object) -> object:
    if isinstance(value, dict) and not isinstance(value.get("type"), str):
        raise ValueError("an expected event has at least the field type, for example {type: roll, value: 3}")
    return value


class SeatZones(_Form):
    """The zones of one seat, deck top first, discard bottom first, and its gold in the tournament variant."""

    hand: Cards = []
    deck: Cards = []
    discard: Cards = []
    stall: list[Cards] = []
    gold: int = Field(default=0, ge=0)


class State(_Form):
    """A position; zones that are not written are dealt by the seed."""

    market: list[str | None] = Field(default=[], max_length=5)
    market_deck: Cards = []
    market_discard: Cards = []
    junk_pile: int = Field(default=0, ge=0, le=1000)
    A: SeatZones = SeatZones()
    B: SeatZones = SeatZones()
    C: SeatZones = SeatZones()
    D: SeatZones = SeatZones()


class SeatExpectation(SeatZones):
    """What the zones of a seat must hold, or how many cards."""

    hand_size: int = Field(default=0, ge=0)
    deck_size: int = Field(default=0, ge=0)


class ExpectedDecision(_Form):
    """Who must decide, and what kind of decision."""

    seat: Seat = "A"
    kind: Kind = "action"


class Expectation(State):
    """What must hold after a step or at the end; only what is written is compared.

    At the end `accepted`, `violation`, `codes` and `rules` speak of the last step, `events` of all steps.
    """

    A: SeatExpectation = SeatExpectation()
    B: SeatExpectation = SeatExpectation()
    C: SeatExpectation = SeatExpectation()
    D: SeatExpectation = SeatExpectation()
    decision: ExpectedDecision | None = None
    accepted: bool = True
    violation: str = ""
    codes: list[str] = []
    rules: list[str] = []
    events: list[Annotated[dict[str, Any], BeforeValidator(_event)]] = []
    winner: Seat | None = None

    @property
    def refusal(self) -> bool:
        """Whether the step is meant to be refused; a step that says nothing about it must be accepted."""
        written = self.model_fields_set
        return bool({"violation", "codes", "rules"} & written) or ("accepted" in written and not self.accepted)

    @model_validator(mode="after")
    def _agrees(self) -> Expectation:
        written = self.model_fields_set
        refused = {"violation", "codes", "rules"} & written
        if "accepted" in written and self.accepted and refused:
            raise ValueError(f"accepted: true and {min(refused)} exclude each other")
        for code in [*([self.violation] if "violation" in written else []), *self.codes]:
            if code not in CODES:
                raise ValueError(f"unknown violation code {code!r}{hint(code, list(CODES))}")
        return self


class Proposal(_Form):
    """A tool call; the arguments may be as wrong as the scenario needs them."""

    tool: str
    arguments: Any = {}


class Step(_Form):
    """One proposal and what must come of it."""

    seat: Seat
    propose: Proposal
    expect: Expectation = Expectation()


class Forced(_Form):
    """One forced random outcome: exactly one of the three."""

    die: int = 0
    pick: Cards = []
    shuffle: Cards = []

    @model_validator(mode="after")
    def _one(self) -> Forced:
        if len(self.model_fields_set) != 1:
            raise ValueError("a forced outcome has exactly one of die, pick, shuffle")
        return self


class Scenario(_Form):
    """One document of a scenario file."""

    name: str = Field(min_length=1)
    rules: list[str] = []
    edition: Literal["classic", "remastered"] = "classic"
    variant: Literal["standard", "tournament"] = "standard"
    players: int = Field(default=2, ge=2, le=4)
    sets: list[str] = []
    seed: int = Field(default=1, ge=0, lt=2**63)
    turn: Seat = "A"
    state: State = State()
    random: list[Forced] = []
    steps: list[Step] = []
    expect: Expectation = Expectation()

    def position(self) -> dict[str, Any]:
        """The position in the form of `Game.from_position`: only what the file says."""
        position: dict[str, Any] = {
            "edition": self.edition,
            "variant": self.variant,
            "players": self.players,
            "seed": self.seed,
            "turn": self.turn,
            "state": self.state.model_dump(exclude_unset=True),
            "random": [entry.model_dump(exclude_unset=True) for entry in self.random],
        }
        return position | ({"sets": self.sets} if "sets" in self.model_fields_set else {})
