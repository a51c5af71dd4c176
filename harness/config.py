"""What a tournament is made of: the TOML file as a strict model, and its errors as sentences."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from engine import SETS, Game, PositionError
from harness.agents.base import FeedbackLevel, MatchSettings, Policy, Rulebook
from harness.agents.spec import parse_spec
from harness.budget import Caps
from harness.config_money import BudgetTable, PriceTable
from harness.errors import UserError
from harness.prompts import DEFAULT_LANGUAGE, languages
from harness.providers.prices import UnitPrices
from harness.secrets import find_key

RUN_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"


def _printable(name: str) -> str:
    if not name.isprintable() or not name.strip() or name != name.strip():
        raise ValueError("must be printable text without blanks at its ends")
    return name


def _canonical_agent(text: str) -> str:
    try:
        spec = parse_spec(text)
    except UserError as error:
        raise ValueError(str(error)) from None
    return str(spec)


def _spoken(language: str) -> str:
    if language not in languages():
        raise ValueError(f"must be one of {', '.join(languages())}, not {language!r}")
    return language


EntrantName = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_printable)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Entrant(_Strict):
    """One player of a tournament; the same agent may enter under several names."""

    agent: Annotated[str, AfterValidator(_canonical_agent)]
    name: EntrantName

    @model_validator(mode="before")
    @classmethod
    def _name_after_agent(cls, data: Any) -> Any:
        if isinstance(data, dict) and "name" not in data and isinstance(data.get("agent"), str):
            return {**data, "name": data["agent"]}
        return data


class Schedule(_Strict):
    """Who meets whom. Every line-up plays every deal, once in each rotation of its seats."""

    kind: Literal["round_robin", "one_against_all", "line_ups"] = "round_robin"
    deals: int = Field(default=1, ge=1)
    rotate: bool = Field(default=True, description="False: each line-up plays each deal once, seated as written")
    entrant: str | None = Field(default=None, description="one_against_all: the one")
    line_ups: list[list[str]] | None = Field(default=None, description="line_ups: names, one list for each table")

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Schedule:
        if (self.kind == "one_against_all") != (self.entrant is not None):
            raise ValueError('"entrant" belongs to kind = "one_against_all" and names the one that meets all others')
        if (self.kind == "line_ups") != bool(self.line_ups):
            raise ValueError('"line_ups" belongs to kind = "line_ups" and lists the names at each table')
        return self


class StopTable(_Strict):
    """When a run of two entrants ends before all its deals are played (``harness.ratings.sequential``)."""

    margin: float = Field(default=60.0, gt=0, description="The difference worth finding, in normalised Elo")
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="Chance to call equal entrants different")
    beta: float = Field(default=0.05, gt=0, lt=0.5, description="Chance to miss a difference of the margin")


class AbortTable(_Strict):
    """When a run gives up: so large a share of its last games failed, by their provider or by an error in here."""

    window: int = Field(default=20, ge=1, description="How many of the last games count; no run gives up before")
    rate: float = Field(default=0.5, gt=0, le=1, description="The share of them that has to fail")


class Tournament(_Strict):
    """A whole tournament file."""

    name: str = Field(pattern=RUN_NAME)
    title: str = ""
    seed: int = Field(default=1, ge=0, lt=2**63)
    edition: Literal["classic", "remastered"] = "classic"
    variant: Literal["standard", "tournament"] = "standard"
    players: int = Field(default=2, ge=2, le=4)
    sets: list[str] | None = None
    start: Literal["A", "B", "C", "D"] | None = Field(default=None, description="The start player, else drawn")
    attempts: int = Field(default=3, ge=1, le=1000)
    feedback: FeedbackLevel = "rule"
    policy: Policy = "random_legal"
    provider_failure: Literal["open", "void"] = "open"
    round_limit: int = Field(default=100, ge=1)
    decision_limit: int | None = Field(default=None, ge=1, description="Decisions per game; else by round_limit")
    rulebook: Rulebook = "full"
    language: Annotated[str, AfterValidator(_spoken)] = DEFAULT_LANGUAGE
    concurrency: int = Field(default=4, ge=1, le=4096)
    budget: BudgetTable = BudgetTable()
    stop: StopTable | None = None
    abort: AbortTable = AbortTable()
    prices: dict[str, PriceTable] = {}
    schedule: Schedule = Schedule()
    entrants: list[Entrant]

    @model_validator(mode="after")
    def _fits_together(self) -> Tournament:
        names = [entrant.name for entrant in self.entrants]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ValueError(f"entrants: two entrants are called {twice!r}: give each a name of its own")
        if len(names) < self.players:
            raise ValueError(
                f"entrants: {self.players} players need at least {self.players} entrants, not {len(names)}"
            )
        if self.stop is not None and not (len(names) == self.players == 2 and self.schedule.rotate):
            raise ValueError("stop: a comparison that ends by itself needs two entrants, two players and rotate = true")
        self._check_tables(names)
        self._check_sets()
        self._check_prices()
        return self

    def _check_tables(self, names: list[str]) -> None:
        for name in [self.schedule.entrant] if self.schedule.entrant is not None else []:
            if name not in names:
                raise ValueError(f"schedule.entrant: no entrant is called {name!r}; there are: {', '.join(names)}")
        for number, table in enumerate(self.schedule.line_ups or []):
            unknown = [name for name in table if name not in names]
            if unknown:
                raise ValueError(
                    f"schedule.line_ups[{number}]: no entrant is called {unknown[0]!r}; there are: {', '.join(names)}"
                )
            if len(table) != self.players or len(set(table)) < len(table):
                raise ValueError(
                    f"schedule.line_ups[{number}]: needs {self.players} different names, as many as there are players"
                )

    def _check_sets(self) -> None:
        for name in self.sets or []:
            if name not in SETS:
                raise ValueError(f"sets: there is no set {name!r}; there are: {', '.join(SETS)}")
        if self.sets is not None and (len(self.sets) != self.players + 1 or len(set(self.sets)) < len(self.sets)):
            raise ValueError(f"sets: {self.players} players use {self.players + 1} different sets (R-SET-01)")
        try:
            Game.new(self.players, self.sets, self.seed, self.edition, self.start, self.variant)
        except PositionError as error:
            raise ValueError(f"edition, players, sets and start: {str(error).rstrip('.')}") from None

    def _check_prices(self) -> None:
        models = [parse_spec(entrant.agent).argument for entrant in self.entrants]
        named = {name for entrant in self.entrants for name in (entrant.name, entrant.agent)} | set(models)
        for name in self.prices:
            if name not in named:
                there_are = ", ".join(dict.fromkeys(entrant.name for entrant in self.entrants))
                raise ValueError(
                    f"prices.{name}: no entrant is called {name!r} or plays that model; there are: {there_are}"
                )

    @property
    def match_settings(self) -> MatchSettings:
        """The fields every match of the run shares with its agents."""
        return MatchSettings(
            self.attempts, self.feedback, self.policy, self.round_limit, self.rulebook, self.decision_limit
        )

    @property
    def caps(self) -> Caps:
        """The most that may be spent."""
        return Caps(self.budget.run, self.budget.entrant, self.budget.game)

    @property
    def unit_prices(self) -> Mapping[str, UnitPrices | None]:
        """The declared prices by the name of an entrant or a model, None for free."""
        return {name: price.unit_prices for name, price in self.prices.items()}

    def with_budget(self, run: str | None) -> Tournament:
        """Return the tournament with another budget for the whole run, itself for None."""
        if run is None:
            return self
        data = self.model_dump(mode="json")
        data["budget"]["run"] = run
        return make_tournament(data, "--budget")


def load_tournament(path: Path, **overrides: Any) -> Tournament:
    """Read a tournament file; ``overrides`` replace top-level keys unless they are None.

    Raises UserError naming file, key and what would be right.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read the tournament file {path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"{path} is not a text file in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path} is not valid TOML: {error}.") from None
    data |= {key: value for key, value in overrides.items() if value is not None}
    tournament = make_tournament(data, str(path))
    for number, entrant in enumerate(tournament.entrants):
        if parse_spec(entrant.agent).kind == "human":
            raise UserError(f"{path}: entrants[{number}].agent: a person plays with dale play, not in a tournament.")
    return tournament


def make_tournament(data: dict[str, Any], source: str) -> Tournament:
    """Return the tournament a plain object describes; UserError, with ``source`` in it, if it describes none.

    What looks like a key is refused, without being repeated: all of this gets into logs.
    """
    where = find_key(data)
    if where is not None:
        raise UserError(
            f"{source}: {where} holds what looks like a key: take it out; keys are read from environment variables "
            "alone (see dale agents)."
        )
    try:
        return Tournament.model_validate(data)
    except ValidationError as error:
        raise UserError(f"{source}: {_sentence(error.errors()[0])}.") from None


def _sentence(error: ErrorDetails) -> str:
    """Say one validation error as: key, what is wrong, what would be right."""
    key = _key(error["loc"])
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":
        text = str(context["error"]).rstrip(".")
        return f"{key}: {text}" if key else text
    if kind == "missing":
        return f"the key {key!r} is missing"
    if kind == "extra_forbidden":
        known = _known_keys(error["loc"])
        close = get_close_matches(str(error["loc"][-1]), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"unknown key {key!r}{hint}; known here are: {', '.join(known)}"
    if kind == "literal_error":
        return f"{key} must be one of {context['expected']}, not {error['input']!r}"
    if kind == "string_pattern_mismatch":
        return f"{key} must be letters, digits, dots, dashes and underscores, at most 64, not {error['input']!r}"
    message = error["msg"].removeprefix("Input should be ")
    return f"{key} must be {message[:1].lower()}{message[1:]}, not {error['input']!r}"


def _key(location: tuple[int | str, ...]) -> str:
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _known_keys(location: tuple[int | str, ...]) -> list[str]:
    inner: dict[int | str, type[BaseModel]] = {
        "entrants": Entrant, "schedule": Schedule, "budget": BudgetTable, "stop": StopTable, "prices": PriceTable,
        "abort": AbortTable,
    }  # fmt: skip
    model = inner.get(location[0], Tournament) if len(location) > 1 else Tournament
    return list(model.model_fields)
