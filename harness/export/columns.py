"""The tables of an export and their columns: the one list that the files, the card and the tests are made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Type = Literal["text", "integer", "number", "dollars", "yes/no"]


@dataclass(frozen=True)
class Column:
    """One column. ``text`` says that it holds what was sent or answered, and is left out unless asked for."""

    name: str
    type: Type
    about: str
    text: bool = False


@dataclass(frozen=True)
class Table:
    """One table; a row of it is one of what ``row`` says, in the order of ``order``."""

    row: str
    order: str
    columns: tuple[Column, ...]

    def shown(self, texts: bool) -> tuple[Column, ...]:
        """Return the columns of an export with or without texts."""
        return tuple(column for column in self.columns if texts or not column.text)


_RUN = Column("run", "text", "name of the run")
_GAME = Column("game", "text", "the game in its run: deal, line-up and rotation")
_SEAT = Column("seat", "text", "seat at the table, A to D in turn order")
_ENTRANT = Column("entrant", "text", "who sits there, with the settings behind the name where several rows share it")
_NAMED = Column("entrant", "text", "the entrant, with the settings behind its name where several rows share it")
_DECISION = Column("decision", "integer", "number of the decision in the game, from 0")
_RECORD = Column("record", "integer", "number of the attempt in the game's log, from 0; the key of an attempt")
_ATTEMPT = Column("attempt", "integer", "tries used up before this one; class provider uses up none")
_CLASS = Column("class", "text", "how it ended: accepted, rule, format, text_only, empty, refusal, truncated, provider")

_SETTINGS = (
    Column("level", "text", "help given to the model, L0 to L5"),
    Column("language", "text", "language in which the model was told everything"),
    Column("rulebook", "text", "rulebook in the model's request: full, brief or none"),
    Column("output_mode", "text", "how the model was asked for its move: tools, json_schema, json_object or text"),
    Column("api", "text", "wire format"),
    Column("attempts", "integer", "tries allowed for a decision"),
    Column("feedback", "text", "what is told of a refused try: none, illegal, code, rule or explain"),
    Column("policy", "text", "what happens when the tries are used up: random_legal, forfeit or void"),
)

_TOKENS = (
    Column("uncached_input_tokens", "integer", "input tokens neither read from nor written to a cache"),
    Column("cache_read_tokens", "integer", "input tokens read from the provider's cache"),
    Column("cache_write_tokens", "integer", "input tokens written to it"),
    Column("output_tokens", "integer", "output tokens, reasoning included"),
    Column("reasoning_tokens", "integer", "of these, reasoning"),
    Column("cost", "dollars", "US dollars by the prices in the log; empty where unknown or nothing was called"),
    Column("cost_uncertain", "dollars", "US dollars at worst for calls that told no usage"),
)

TABLES: Final[Mapping[str, Table]] = {
    "games": Table("game", "log", (
        _RUN, _GAME,
        Column("deal", "integer", "number of the deal in its run; games of one deal share all cards and dice"),
        Column("line_up", "integer", "number of the line-up: who meets whom"),
        Column("rotation", "integer", "how many seats the line-up is rotated; a block is one deal and line-up in all"),
        Column("edition", "text", "edition of the rules: classic or remastered"),
        Column("variant", "text", "standard or tournament"),
        Column("players", "integer", "number of players"),
        Column("sets", "text", "sets in play, by blanks; empty where the players draft them"),
        Column("seed", "integer", "seed of the deal"),
        Column("run_seed", "integer", "seed of the run"),
        Column("attempts", "integer", "tries allowed for a decision"),
        Column("feedback", "text", "what is told of a refused try: none, illegal, code, rule or explain"),
        Column("policy", "text", "what happens when the tries are used up: random_legal, forfeit or void"),
        Column("provider_failure", "text", "what becomes of a game whose provider gave up: open or void"),
        Column("round_limit", "integer", "rounds after which a game is unfinished"),
        Column("decision_limit", "integer", "decisions after which it is"),
        Column("result", "text", "win, unfinished (ranked by stacks, R-END-04) or void; empty for an open game"),
        Column("reason", "text", "why it ended"),
        Column("winner_seat", "text", "seat of the winner, if there is one"),
        Column("winner", "text", "entrant in that seat"),
        Column("rounds", "integer", "rounds played"),
        Column("decisions", "integer", "decisions made by all seats together"),
        Column("schema_version", "integer", "version of the log's schema"),
        Column("engine_version", "text", "version of the rules engine that played it"),
        Column("rules_version", "text", "version of the rules"),
        Column("harness_epoch", "integer", "figures of different epochs are not comparable"),
    )),
    "seats": Table("game and seat", "log, then seat", (
        _RUN, _GAME, _SEAT, _ENTRANT,
        Column("name", "text", "name of the entrant alone"),
        Column("agent", "text", "spec of its agent, in canonical form"),
        Column("model", "text", "name of the model; empty for scripted agents"),
        *_SETTINGS,
        Column("rank", "integer", "place in the ranking, from 1; equals share a place; empty for void and open games"),
        Column("won", "yes/no", "whether it won"),
        Column("stacks", "integer", "stacks in its stall at the end"),
        Column("forfeited", "yes/no", "whether it forfeited"),
        Column("decisions", "integer", "decisions made"),
        Column("by_policy", "integer", "of these, made by the policy"),
        Column("calls", "integer", "requests sent, faulty ones included"),
        *_TOKENS,
    )),
    "decisions": Table("decision", "log", (
        _RUN, _GAME, _DECISION, _SEAT, _ENTRANT,
        Column("round", "integer", "round of the game, from 1"),
        Column("kind", "text", "action, bonus_stack, effect_choice or end_of_turn"),
        Column("asks", "text", "what an effect asks"),
        Column("card", "text", "the card that asks"),
        Column("bonus", "yes/no", "whether it is a bonus action"),
        Column("refused", "text", "why the first try failed: violation code, or class of an answer without a call"),
        Column("strict", "yes/no", "whether the first try was accepted without a repair of form"),
        Column("settled", "integer", "number of the try that was accepted, from 1; empty if the policy decided"),
        Column("by", "text", "agent, or the policy: random_legal, forfeit or void"),
        Column("asked", "yes/no", "whether a person asked for the policy: resigned, or did not wait for a model"),
        Column("proposal", "text", "the accepted proposal, as JSON"),
        Column("observation", "text", "SHA-256 of what the seat was shown"),
    )),
    "attempts": Table("attempt", "log", (
        _RUN, _GAME, _RECORD, _DECISION, _ATTEMPT, _SEAT, _ENTRANT, _CLASS,
        Column("class_strict", "text", "the same where a repaired answer is one of class format"),
        Column("code", "text", "primary violation code; of class provider, the trouble"),
        Column("repairs", "text", "repairs of form, by blanks"),
        Column("calls", "integer", "requests sent for it"),
        *_TOKENS,
        Column("queued_seconds", "number", "seconds waited for a place among the requests, by the wall clock"),
        Column("latency_seconds", "number", "seconds from request to whole answer, by the wall clock"),
        Column("request", "text", "SHA-256 of the whole request"),
        Column("answer", "text", "SHA-256 of the whole raw answer"),
        Column("stated", "text", "tool and arguments as stated, as JSON", text=True),
        Column("detail", "text", "what was wrong, in words", text=True),
        Column("request_text", "text", "the whole request", text=True),
        Column("answer_text", "text", "the whole raw answer", text=True),
    )),
    "violations": Table("attempt and violation code", "log, then primary first", (
        _RUN, _GAME, _RECORD, _DECISION, _ATTEMPT, _SEAT, _ENTRANT, _CLASS,
        Column("code", "text", "violation code"),
        Column("is_primary", "yes/no", "whether it is the code the attempt is counted under"),
        Column("rules", "text", "IDs of the broken rules, by blanks"),
        Column("meaning", "text", "the code in words"),
    )),
    "opportunities": Table("game, entrant and violation code that was open", "log, then entrant and code", (
        _RUN, _GAME, _NAMED,
        Column("code", "text", "violation code; any: all together, one for each readable first attempt"),
        Column("opportunities", "integer", "readable first attempts at decisions where the code could be broken"),
        Column("violations", "integer", "of these, how many broke it"),
    )),
    "ratings": Table("entrant", "strongest first", (
        _NAMED,
        Column("agent", "text", "spec of its agent, in canonical form"),
        Column("games", "integer", "games with a ranking"),
        Column("blocks", "integer", "blocks: one deal and line-up in every seating"),
        Column("rating", "number", "points of the Elo scale, mean 0; empty where there is no common rating"),
        Column("half_width", "number", "half the width of its 95 % interval, in points"),
        Column("best_rank", "integer", "best rank the games leave open"),
        Column("worst_rank", "integer", "worst rank they leave open"),
        Column("own_moves", "integer", "of its games, those without a move by the policy for it"),
        Column("rating_own_moves", "number", "rating where games with such a move are left out, in points"),
        Column("half_width_own_moves", "number", "half the width of its 95 % interval, in points"),
    )),
    "rates": Table("entrant, figure and code", "entrant, then figure", (
        _NAMED,
        Column("figure", "text", "which figure; they are told above"),
        Column("code", "text", "violation code or class the figure is about; empty: all together"),
        Column("part", "integer", "how many"),
        Column("whole", "integer", "of how many"),
        Column("rate", "number", "part / whole, 0 to 1"),
        Column("low", "number", "lower bound of its 95 % interval"),
        Column("high", "number", "upper bound"),
        Column("effective", "number", "independent decisions that would tell as much"),
        Column("deals", "integer", "deals they are from: the clusters"),
    )),
}  # fmt: skip
"""All tables by name, in the order of the card."""

VIOLATIONS_PER_OPPORTUNITY: Final = "violations_per_opportunity"
"""The figure of the table ``rates`` that is counted in ``harness.compliance.rates``."""
