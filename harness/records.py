"""The four kinds of record of a game log, as models; ``docs/log.schema.json`` is made from them.

Only the field ``timing`` holds wall-clock facts. Names change only together with ``SCHEMA_VERSION``.
``python -m harness.records`` prints the schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from engine import EVENT_TYPES, LIST_FIELDS, NUMBER_FIELDS, TEXT_FIELDS
from harness.agents.base import AttemptClass, FeedbackLevel, Policy, Rulebook
from harness.versions import HARNESS_EPOCH

SCHEMA_VERSION = 3

Seat = Literal["A", "B", "C", "D"]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Reason = Literal["eighth_stack", "last_seat", "round_limit", "decision_limit", "attempts", "provider"]
JsonObject = dict[str, Any]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Money = Annotated[str, Field(pattern="^-?[0-9]{1,18}([.][0-9]{1,60})?$")]
Seconds = Annotated[float, Field(allow_inf_nan=False)]


def _proposal(value: JsonObject) -> JsonObject:
    if "tool" not in value or "arguments" not in value:
        raise ValueError("a proposal holds tool and arguments")
    return value


def _event(value: JsonObject) -> JsonObject:
    if not isinstance(value.get("type"), str) or not isinstance(value.get("seat"), str):
        raise ValueError("an event holds type and seat")
    return value


def _settings(value: JsonObject) -> JsonObject:
    profile = value.get("profile")
    if "profile" in value and not isinstance(profile, dict):
        raise ValueError("the profile among the settings of an agent is an object")
    for name, told in {**value, **(profile or {})}.items():
        if name in ("level", "language", "rulebook", "api", "model", "output_mode") and not isinstance(
            told, str | None
        ):
            raise ValueError(f"{name} among the settings of an agent is a text")
    return value


Proposal = Annotated[
    JsonObject, AfterValidator(_proposal), Field(json_schema_extra={"required": ["tool", "arguments"]})
]
Event = Annotated[JsonObject, AfterValidator(_event)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, serialize_by_alias=True)

    timing: Mapping[str, float | str] | None = Field(default=None, description="Wall-clock facts; never compared.")


class SeatRecord(BaseModel):
    """Who sits where."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(description="Name of the entrant.")
    agent: str = Field(description="The agent's spec in canonical form.")
    settings: Annotated[JsonObject, AfterValidator(_settings)] = Field(
        description="The agent's settings in full: of a model its level, language, hashes of prompts and tool schemas, "
        "and the price in US dollars for a million tokens when the log was begun (never compared: it changes no game)."
    )


class Header(_Record):
    """The first record: everything the game depends on."""

    record: Literal["header"] = "header"
    schema_version: int = SCHEMA_VERSION
    engine_version: str
    rules_version: str
    harness_epoch: int = HARNESS_EPOCH
    run: str
    run_seed: int
    game: str
    deal: int = Field(description="Number of the deal; games of one deal share seed and sets.")
    line_up: int = Field(description="Number of the line-up (which entrants meet).")
    rotation: int = Field(description="How many seats the line-up is rotated.")
    edition: Literal["classic", "remastered"]
    variant: Literal["standard", "tournament"]
    players: int = Field(ge=2, le=4)
    sets: list[str] = Field(description="The sets in play, drawn or given; empty where the players draft them.")
    start: Seat | None = Field(description="The start player if one was given, else null: drawn by the seed.")
    seed: int = Field(description="Seed of the deal, all shuffles, dice and draws.")
    seats: dict[Seat, SeatRecord]
    attempts: int = Field(description="Attempts per decision.")
    feedback: FeedbackLevel
    policy: Policy = Field(description="What happens when the attempts for a decision are used up.")
    provider_failure: Literal["open", "void"] = Field(description="What becomes of a game whose provider gave up.")
    round_limit: int
    decision_limit: int = Field(description="Decisions of all seats together after which a game is unfinished.")
    rulebook: Rulebook

    @model_validator(mode="after")
    def _seated(self) -> Header:
        seats = list("ABCD"[: self.players])
        if sorted(self.seats) != seats:
            raise ValueError(f"the seats of a game of {self.players} players are {', '.join(seats)}")
        if self.start is not None and self.start not in seats:
            raise ValueError(f"start: there is no seat {self.start} with {self.players} players")
        return self


class UsageRecord(BaseModel):
    """Tokens of the calls behind one attempt."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    uncached_input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = Field(default=0, description="Reasoning included.")
    reasoning: int = 0


class ViolationRecord(BaseModel):
    """One rule a proposal breaks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    rules: list[str]
    facts: JsonObject


class AttemptRecord(_Record):
    """One attempt at a decision, written as soon as it was classed."""

    timing: dict[str, Seconds] | None = Field(default=None, description="Wall-clock facts; never compared.")
    record: Literal["attempt"] = "attempt"
    number: Count = Field(description="Number of the decision in the game, from 0.")
    seat: Seat
    attempt: Count = Field(description="Attempts used up before this one; class provider uses up none.")
    result: AttemptClass = Field(alias="class")
    code: str | None = Field(default=None, description="Primary code; of class provider, the trouble.")
    violations: list[ViolationRecord] = Field(default=[], description="All that could be established, primary first.")
    detail: str = ""
    repairs: list[str] = Field(default=[], description="Repairs of form; with any, the strict class is format.")
    stated: JsonObject | None = Field(default=None, description="Tool and arguments as stated.")
    proposal: Proposal | None = Field(default=None, description="The same in the form of section 1 of the contract.")
    usage: UsageRecord | None = None
    cost: Money | None = Field(default=None, description="US dollars as a decimal; null if unknown.")
    uncertain: Money | None = Field(
        default=None, description="US dollars at worst for calls that may be charged for but told no usage; else null."
    )
    calls: int = 0
    request: Digest | None = Field(default=None, description="Digest of the whole request, stored under blobs/.")
    answer: Digest | None = Field(default=None, description="Digest of the whole raw answer, stored under blobs/.")


class DecisionRecord(_Record):
    """How a decision ended, and what followed from it."""

    record: Literal["decision"] = "decision"
    number: Count
    seat: Seat
    kind: Literal["action", "bonus_stack", "effect_choice", "end_of_turn"]
    asks: str = Field(default="", description="What an effect asks, empty outside effects.")
    card: str | None = Field(default=None, description="The card that asks.")
    bonus: bool = Field(default=False, description="Whether the action is a bonus action.")
    round: Count
    observation: Digest = Field(description="Digest of what the seat was shown.")
    by: Literal["agent", "random_legal", "forfeit", "void"] = Field(description="The agent, or the policy.")
    asked: bool = Field(
        default=False,
        description="Whether the policy decided because a person asked for it, not because the attempts were used up: "
        "the seat was given up (forfeit), or its answer was not waited for (random_legal).",
    )
    proposal: Proposal | None = Field(description="The accepted proposal, null for forfeit and void.")
    events: list[Event]


class OutcomeRecord(_Record):
    """The last record of a finished game."""

    record: Literal["outcome"] = "outcome"
    result: Literal["win", "unfinished", "void"]
    reason: Reason
    winner: Seat | None
    ranking: list[list[Seat]] = Field(description="Best first; seats of equal rank together; empty for void.")
    stacks: dict[Seat, int]
    forfeited: list[Seat]
    rounds: int
    decisions: int
    state: Digest = Field(description="Digest of the final state.")


Record: TypeAlias = Header | AttemptRecord | DecisionRecord | OutcomeRecord

_ADAPTER: TypeAdapter[Record] = TypeAdapter(Annotated[Record, Field(discriminator="record")])


def parse_record(data: Any) -> Record:
    """Return the record a plain JSON object holds; pydantic's ValidationError if it is none."""
    return _ADAPTER.validate_python(data)


def comparable(record: Record) -> JsonObject:
    """Return a record as plain JSON without its wall-clock facts and the prices of the day."""
    return record.model_dump(exclude={"timing": True, "seats": {"__all__": {"settings": {"price"}}}})


def _event_schema(name: str) -> JsonObject:
    """The schema of one type of event."""
    shape = EVENT_TYPES[name]
    slots = {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
    kinds: JsonObject = {
        **{field: {"type": "string"} for field in TEXT_FIELDS},
        **{field: {"type": "integer"} for field in NUMBER_FIELDS},
        **{field: {"type": "array", "items": {"type": "string"}} for field in LIST_FIELDS},
        "adjust": {"type": "array", "items": {"type": "object"}},
        "market": slots,
        "right": {"type": "boolean"},
        "stacks": {"type": "object", "additionalProperties": {"type": "integer"}},
    }
    properties = {field: kinds[field] for field in (*shape.required, *shape.optional)}
    if shape.secret:
        properties["known_to"] = {"type": "array", "items": {"enum": ["A", "B", "C", "D"]}}
    return {
        "type": "object",
        "properties": {"type": {"const": name}, "seat": {"enum": ["A", "B", "C", "D"]}, **properties},
        "required": ["type", "seat", *shape.required],
        "additionalProperties": False,
    }


def schema_text() -> str:
    """Return the JSON schema of one line of a game log, as the text of ``docs/log.schema.json``."""
    schema = _ADAPTER.json_schema()
    schema["$defs"]["Event"] = {"oneOf": [_event_schema(name) for name in EVENT_TYPES]}
    schema["$defs"]["DecisionRecord"]["properties"]["events"]["items"] = {"$ref": "#/$defs/Event"}
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "One line of a game log of dale-arena"
    schema["description"] = (
        f"Schema version {SCHEMA_VERSION}. A log holds a header, attempts and decisions, an outcome."
    )
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
