"""What a tournament is made of: the TOML file as a strict model, and its errors as sentences."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine import SETS, Game, PositionError
from harness.agents.base import FeedbackLevel, MatchSettings, Policy, Rulebook
from harness.agents.spec import parse_spec
from harness.budget import Caps
from harness.config_errors import sentence
from harness.config_estimate import EstimateTable
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


LONGEST_NAME = 200
"""Characters of an entrant's name."""
EntrantName = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(_printable)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Entrant(_Strict):
    """One player of a tournament; the same agent may enter under several names, as a control of the noise."""

    agent: Annotated[str, AfterValidator(_canonical_agent)] = Field(
        description="Who plays, written as on the command line: random, merchant, sloppy:0.1, openai:MODEL, "
        "anthropic:MODEL, compat:MODEL@URL, local, replay:FILE, with options as in local?level=L0&rulebook=brief. "
        "dale agents lists them all. Keys never stand here: they are read from the environment."
    )
    name: EntrantName = Field(description="What it is called in line-ups, logs and tables; unless given, the agent.")
    copies: int = Field(
        default=1,
        ge=1,
        le=16,
        description="How often the same agent enters; the second is called NAME (2), and so on. How far copies end "
        "apart is noise (an A/A control).",
    )

    @model_validator(mode="before")
    @classmethod
    def _name_after_agent(cls, data: Any) -> Any:
        if isinstance(data, dict) and "name" not in data and isinstance(data.get("agent"), str):
            return {**data, "name": data["agent"]}
        return data

    def each(self) -> list[Entrant]:
        """Return the entrants this one stands for, one for each copy. Raises ValueError for a name that gets too long.

        The first keeps the name as it is.
        """
        names = [self.name, *(f"{self.name} ({number})" for number in range(2, self.copies + 1))]
        if len(names[-1]) > LONGEST_NAME:
            raise ValueError(f"the name of a copy gets longer than {LONGEST_NAME} characters: {self.name!r}")
        return [self.model_copy(update={"name": name, "copies": 1}) for name in names]


def _each(entrants: list[Entrant]) -> list[Entrant]:
    return [one for entrant in entrants for one in entrant.each()]


class Schedule(_Strict):
    """Who meets whom. Every line-up plays every deal, once in each rotation of its seats."""

    kind: Literal["round_robin", "one_against_all", "line_ups"] = Field(
        default="round_robin",
        description="round_robin: every combination of as many entrants as there are players; one_against_all: those "
        "of them with one entrant in them; line_ups: the tables as written.",
    )
    deals: int = Field(
        default=1,
        ge=1,
        description="How many deals (sets, market, shuffles, dice) every line-up plays; all play the same ones.",
    )
    rotate: bool = Field(
        default=True,
        description="Whether each deal is played in every rotation of the seats, which makes it a block; false: once, "
        "seated as written.",
    )
    entrant: str | None = Field(default=None, description="Of kind one_against_all: the name of the one.")
    line_ups: list[list[str]] | None = Field(
        default=None, description="Of kind line_ups: entrants' names, one list for each table, seat A first."
    )

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Schedule:
        if (self.kind == "one_against_all") != (self.entrant is not None):
            raise ValueError('"entrant" belongs to kind = "one_against_all" and names the one that meets all others')
        if (self.kind == "line_ups") != bool(self.line_ups):
            raise ValueError('"line_ups" belongs to kind = "line_ups" and lists the names at each table')
        return self


class StopTable(_Strict):
    """When a run of two entrants ends before all its deals are played (``harness.ratings.sequential``)."""

    margin: float = Field(default=60.0, gt=0, description="The difference worth finding, in points of normalised Elo.")
    alpha: float = Field(default=0.05, gt=0, lt=0.5, description="Chance to call equal entrants different.")
    beta: float = Field(default=0.05, gt=0, lt=0.5, description="Chance to miss a difference of the margin.")


class AbortTable(_Strict):
    """When a run gives up: so large a share of its last games failed, by their provider or by an error in here."""

    window: int = Field(default=20, ge=1, description="How many of the last games count; no run gives up before.")
    rate: float = Field(default=0.5, gt=0, le=1, description="The share of them that has to fail.")


class Tournament(_Strict):
    """A whole tournament file."""

    name: str = Field(
        pattern=RUN_NAME,
        description="Name of the run, and of its folder under results/: letters, digits, dots, dashes and underscores.",
    )
    title: str = Field(default="", description="One line about it, for dale tournament list.")
    seed: int = Field(
        default=1, ge=0, lt=2**63, description="Seed of all deals and of all that agents and policies draw."
    )
    edition: Literal["classic", "remastered"] = Field(
        default="classic", description="Edition of the game: classic (2015) or remastered (2026)."
    )
    variant: Literal["standard", "tournament"] = Field(
        default="standard",
        description="tournament: the sets are drafted by bans and picks, and later seats begin with gold.",
    )
    players: int = Field(default=2, ge=2, le=4, description="Seats at each table.")
    sets: list[str] | None = Field(
        default=None,
        description="Sets (animalfolk decks) in play, one more than players; unless given, drawn anew for each deal by "
        "the seed, or drafted.",
    )
    start: Literal["A", "B", "C", "D"] | None = Field(
        default=None, description="The seat that begins every game; unless given, drawn for each deal by the seed."
    )
    attempts: int = Field(default=3, ge=1, le=1000, description="Attempts (answers) an agent has for each decision.")
    feedback: FeedbackLevel = Field(
        default="rule",
        description="What is told about a refused attempt: none (nothing), illegal (that it was), code, rule (code, "
        "rule IDs with their sentences, facts), explain (also the nearest legal proposal).",
    )
    policy: Policy = Field(
        default="random_legal",
        description="When the attempts for a decision are used up: random_legal plays an entry of the legal list, "
        "forfeit ends the seat's game, void ends the game without result.",
    )
    provider_failure: Literal["open", "void"] = Field(
        default="open",
        description="What becomes of a game whose provider gave up: it stays open and can be resumed, or is void.",
    )
    round_limit: int = Field(
        default=100, ge=1, description="Turns per seat; a game that reaches it is unfinished and ranked by stacks."
    )
    decision_limit: int | None = Field(
        default=None,
        ge=1,
        description="Decisions of all seats together after which a game is unfinished; unless given, 50 for each turn "
        "of each seat.",
    )
    rulebook: Rulebook = Field(
        default="full", description="The rulebook that models are given; an agent may have another."
    )
    language: Annotated[str, AfterValidator(_spoken)] = Field(
        default=DEFAULT_LANGUAGE, description="Language of the rules and messages; an agent may have another."
    )
    concurrency: int = Field(default=4, ge=1, le=4096, description="Games played at a time.")
    budget: BudgetTable = Field(default=BudgetTable(), description="The most that may be spent; no limit unless given.")
    stop: StopTable | None = Field(
        default=None,
        description="Ends a run of two entrants once its blocks have decided; unless given, all is played.",
    )
    abort: AbortTable = Field(
        default=AbortTable(), description="When the run gives up because too many of its last games failed."
    )
    prices: dict[str, PriceTable] = Field(
        default={},
        description="What models cost, by the name of a model or of an entrant; else the table of genai-prices.",
    )
    estimate: dict[str, EstimateTable] = Field(
        default={},
        description="What dale tournament plan is to reckon with, by the name of a model or of an entrant. Changes no "
        "game.",
    )
    schedule: Schedule = Field(default=Schedule(), description="Who meets whom, and on how many deals.")
    entrants: Annotated[list[Entrant], AfterValidator(_each)] = Field(
        description="Who plays: one [[entrants]] for each."
    )

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
        self._check_named()
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

    def _check_named(self) -> None:
        models = [parse_spec(entrant.agent).argument for entrant in self.entrants]
        named = {name for entrant in self.entrants for name in (entrant.name, entrant.agent)} | set(models)
        for table, tables in (("prices", self.prices), ("estimate", self.estimate)):
            for name in tables:
                if name not in named:
                    there_are = ", ".join(dict.fromkeys(entrant.name for entrant in self.entrants))
                    raise ValueError(
                        f"{table}.{name}: no entrant is called {name!r} or plays that model; there are: {there_are}"
                    )

    @property
    def match_settings(self) -> MatchSettings:
        """The fields every match of the run shares with its agents."""
        return MatchSettings(
            self.attempts, self.feedback, self.policy, self.round_limit, self.rulebook, self.decision_limit
        )

    @property
    def has_people(self) -> bool:
        """Whether a person plays."""
        return any(parse_spec(entrant.agent).kind == "human" for entrant in self.entrants)

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
    except ValueError:  # Python reads no whole number of thousands of digits
        raise UserError(f"{path} holds a whole number of too many digits.") from None
    except RecursionError:
        raise UserError(f"{path} is nested too deeply for a tournament file.") from None
    data |= {key: value for key, value in overrides.items() if value is not None}
    tournament = make_tournament(data, str(path))
    for entrant in tournament.entrants:
        if parse_spec(entrant.agent).kind == "human":
            raise UserError(f"{path}: entrant {entrant.name!r}: a person plays with dale play, not in a tournament.")
    return tournament


def make_tournament(data: dict[str, Any], source: str) -> Tournament:
    """Return the tournament a plain object describes; UserError, with ``source`` in it, if it describes none.

    What looks like a key is refused, without being repeated: all of this gets into logs.
    """
    try:
        where = find_key(data)
    except RecursionError:  # dotted keys nest deeply without being read so
        raise UserError(f"{source} is nested too deeply for a tournament file.") from None
    if where is not None:
        raise UserError(
            f"{source}: {where} holds what looks like a key: take it out; keys are read from environment variables "
            "alone (see dale agents)."
        )
    try:
        return Tournament.model_validate(data)
    except ValidationError as error:
        raise UserError(f"{source}: {sentence(error.errors()[0], Tournament)}.") from None
