"""The agent behind which a language model plays, over any of the wire formats.

One attempt is one fresh request (at L0 one for each step of the menu): prompt, send, read, translate. What the model
did not state is never played for it; the engine judges what it did state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any, Literal, cast

from engine import FormatFault, Game, form_of
from harness import prompting, prompts
from harness.agents.base import Answer, Fault, Turn
from harness.agents.context import RunContext
from harness.agents.kinds import MOST_ENUM
from harness.agents.served import join
from harness.agents.spec import AgentSpec
from harness.budget import BUDGET_CODE, Paid, Purse, Reached
from harness.canonical import digest
from harness.errors import UserError
from harness.prompting import PromptOptions
from harness.providers.client import EMBEDDED, Endpoint
from harness.providers.connections import Connections
from harness.providers.normalise import Call, Failure, Form, normalise
from harness.providers.prices import amount, make_tariff
from harness.providers.profiles import Profile
from harness.providers.shortfall import shortfall
from harness.providers.types import FailedTry, ProviderError, Request, ToolSpec, Usage
from harness.randomness import derive_seed
from harness.tool_texts import GUIDED, static_specs


@dataclass(frozen=True)
class ModelOptions:
    """How a turn is put to the model."""

    prompt: PromptOptions
    menu_limit: int
    schema_mode: Literal["static", "enum"]


class ModelAgent:
    """Plays what the model states. Holds a share of the endpoint's connections until it is closed."""

    def __init__(
        self,
        spec: str,
        profile: Profile,
        options: ModelOptions,
        connections: Connections,
        purse: Purse,
        leave: Callable[[], None] | None = None,
    ) -> None:
        """Join the endpoint of the profile; UserError if its key is missing. ``leave`` is called on closing."""
        self.spec = spec
        self.settings = _settings(profile, options) | {"price": purse.tariff.to_json()}
        self._profile, self._options = profile, options
        self._connections, self._purse = connections, purse
        self._endpoint: Endpoint = connections.enter(profile)
        self._leave = leave

    def wire(self) -> tuple[Endpoint, Profile]:
        """Return where the agent's questions go and what is sent there, for a test of the connection."""
        return self._endpoint, self._profile

    async def choose(self, turn: Turn) -> Answer:
        """Ask the model for one decision."""
        talk = _Talk(self._endpoint, self._profile, self._purse, turn)
        if self._options.prompt.level == "L0":
            return await self._choose_from_menu(turn, talk)
        level = self._options.prompt.level
        tools = self._tools(turn)
        request = self._request(turn, self._options.prompt, tools)
        read = await talk.ask(request, partial(form_of, len(turn.observation["seats"]), level))
        if read is None or isinstance(read, Failure):
            return talk.failed(read)
        return talk.stated(read, level, read.arguments)

    async def _choose_from_menu(self, turn: Turn, talk: _Talk) -> Answer:
        """Ask for an entry of the legal list, in several steps if it is longer than the limit."""
        prompt, within = self._options.prompt, None
        while True:
            shown = prompting.menu(turn.legal, turn.observation, self._options.menu_limit, within, prompt.language)
            tools = tuple(_tool(self._numbered(spec, len(shown.lines))) for spec in self._specs(turn))
            read = await talk.ask(self._request(turn, replace(prompt, menu=shown), tools), lambda name: None)
            if read is None or isinstance(read, Failure):
                return talk.failed(read)
            entry = read.arguments["entry"]
            try:
                within = shown.group(entry)
            except IndexError as error:
                return talk.failed(Failure("format", "malformed_arguments", str(error), read.stated))
            index = shown.chosen(entry)
            if index is not None:
                return talk.stated(read, "L0", {"entry": index})

    def _tools(self, turn: Turn) -> tuple[ToolSpec, ...]:
        """The tools of a turn; those that are static are made once."""
        prompt, seen = self._options.prompt, turn.observation
        if prompt.level == GUIDED:
            return tuple(map(_tool, self._specs(turn)))
        return _static_tools(prompt.level, prompt.language, seen["edition"], len(seen["seats"]))

    def _specs(self, turn: Turn) -> tuple[dict[str, Any], ...]:
        return prompting.tool_specs(turn, self._options.prompt.level, self._options.prompt.language)

    def _numbered(self, spec: dict[str, Any], entries: int) -> dict[str, Any]:
        """The tool of the menu, with the entry numbers in its schema if so set and an enum may be that long."""
        if self._options.schema_mode == "static" or entries > MOST_ENUM:
            return spec
        schema = spec["parameters"]
        entry = {**schema["properties"]["entry"], "enum": list(range(entries))}
        return {**spec, "parameters": {**schema, "properties": {"entry": entry}}}

    def _request(self, turn: Turn, prompt: PromptOptions, tools: tuple[ToolSpec, ...]) -> Request:
        system, messages = prompting.build_messages(turn, prompt)
        return Request(
            system=system,
            messages=messages,
            tools=tools,
            max_output_tokens=self._longest_answer(turn),
            output_mode=prompt.output_mode,
            answer_form=prompt.answer_form,
            static_prefix=self._is_static(prompt),
        )

    def _longest_answer(self, turn: Turn) -> int:
        """The cap on the answer in tokens, doubled once an answer to this very decision was cut off by it."""
        return self._profile.max_output_tokens * (2 if "truncated" in turn.earlier else 1)

    def _is_static(self, prompt: PromptOptions) -> bool:
        """Whether the system text and the tools come again unchanged, so that a server may keep them."""
        if prompt.output_mode in ("json_object", "text"):
            return True
        return prompt.level != "L1" and (prompt.level != "L0" or self._options.schema_mode == "static")

    async def close(self) -> None:
        """Give back the connections and, for the embedded model, the server."""
        await self._connections.leave(self._endpoint)
        if self._leave is not None:
            self._leave()


class _Talk:
    """The calls behind one answer and what they add up to."""

    def __init__(self, endpoint: Endpoint, profile: Profile, purse: Purse, turn: Turn) -> None:
        self._endpoint, self._profile, self._purse, self._turn = endpoint, profile, purse, turn
        self._paid: list[Paid] = []
        self._reached: Reached | None = None
        self._repairs: dict[str, None] = {}
        self._short = ""

    async def ask(self, request: Request, form: Form) -> Call | Failure | None:
        """Make one call and read its answer, held against these forms of the tools.

        None if no usable answer came, or the budget allows no call.
        """
        seed = derive_seed(*self._turn.key, self._turn.attempt, len(self._paid)) & 0x7FFFFFFF
        _, game, seat, number = self._turn.key
        scope = (game, seat, number, self._turn.attempt, self._turn.failed, len(self._paid))
        send = partial(self._endpoint.send, replace(request, seed=seed), self._profile, scope)
        paid = await self._purse.pay(game, request, send)
        if isinstance(paid, Reached):
            self._reached = paid
            return None
        longest = self._profile.max_output_tokens
        if _is_too_long(paid.exchange.error) and request.max_output_tokens > longest:
            self._paid.append(_as_fault(paid))
            return await self.ask(replace(request, max_output_tokens=longest), form)
        self._paid.append(paid)
        reply = paid.exchange.reply
        if reply is None:
            return None
        self._short = self._short or shortfall(request, reply)
        bare = request.answer_form == "arguments"
        read = normalise(reply, request.tools, request.output_mode, bare, form, request.max_output_tokens)
        if isinstance(read, Call):
            self._repairs.update(dict.fromkeys(read.repairs))
        return read

    def stated(self, call: Call, level: str, arguments: dict[str, Any]) -> Answer:
        """The answer for a readable call with these arguments; at L0 they name the place in the whole legal list."""
        try:
            tool, arguments = self._turn.translate(level, call.name, arguments)
        except FormatFault as fault:
            code = cast(Literal["malformed_arguments", "unknown_action"], fault.code)
            return self.failed(Failure("format", code, fault.message, call.stated))
        return self._answer(proposal={"tool": tool, "arguments": arguments}, stated=call.stated)

    def failed(self, failure: Failure | None) -> Answer:
        """The answer for an unreadable reply, or for None, no reply at all."""
        if failure is not None:
            return self._answer(failure=failure.kind, code=failure.code, detail=failure.detail, stated=failure.stated)
        if self._reached is not None:
            return self._answer(failure="provider", code=BUDGET_CODE, detail=str(self._reached))
        error = self._paid[-1].exchange.error
        assert error is not None
        return self._answer(failure="provider", code=error.kind, detail=error.message)

    def _answer(self, **fields: Any) -> Answer:
        done = [paid.exchange for paid in self._paid]
        fields["detail"] = "; ".join(part for part in (fields.get("detail", ""), self._short) if part)
        replies = [exchange.reply for exchange in done if exchange.reply is not None]
        usages = [reply.usage for reply in replies if reply.usage is not None]
        faults = [
            (fault, at_worst)
            for paid in self._paid
            for fault, at_worst in zip(paid.exchange.faults, paid.faults, strict=True)
        ]
        requests = [exchange.request for exchange in done if exchange.request]
        answers = [exchange.answer for exchange in done if exchange.answer is not None]
        return Answer(
            **fields,
            repairs=tuple(self._repairs),
            usage=sum(usages, Usage()) if usages else None,
            cost=_total(paid.cost for paid in self._paid),
            uncertain=_total(paid.uncertain for paid in self._paid),
            calls=sum(exchange.sent for exchange in done) - len(faults),
            request=b"\n".join(requests) if requests else None,
            answer=b"\n".join(answers) if answers else None,
            timing={
                name: round(math.fsum(exchange.timing[name] for exchange in done), 6) for name in ("queued", "latency")
            },
            faults=tuple(
                Fault(one.error.kind, one.error.message, {"seconds": round(one.seconds, 6)}, _total([at_worst]))
                for one, at_worst in faults
            ),
        )


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> ModelAgent:
    """Make the agent a spec names.

    Options that the spec leaves out follow the profile of the endpoint. Raises UserError for a missing key, a missing
    extra, or an option that the API does not have.
    """
    given = spec.options.get("rulebook", "none")
    if options["level"] == "L5" and given != "none":
        raise UserError(f"at level L5 there is no rulebook: leave rulebook={given} out of {str(spec)!r}.")
    profile, leave = join(spec, context.connections.replaying)
    try:
        bare = options["level"] == "L0" and profile.output_mode != "tools"  # one tool needs no name
        names = (context.entrant, str(spec), profile.model)
        purse = context.budget.purse(context.entrant or str(spec), make_tariff(profile, context.prices, names))
        prompt = PromptOptions(
            level=options["level"],
            rulebook=options["rulebook"],
            output_mode=profile.output_mode,
            language=options["language"],
            answer_form="arguments" if bare else "call",
        )
        return ModelAgent(
            str(spec),
            profile,
            ModelOptions(prompt, options["menu_limit"], options["schema_mode"]),
            context.connections,
            purse,
            leave,
        )
    except BaseException:  # an interruption, too: nobody else would give the server back
        if leave is not None:
            leave()
        raise


def _settings(profile: Profile, options: ModelOptions) -> dict[str, Any]:
    """Everything the model's answers depend on, as it stands in the log."""
    prompt = options.prompt
    told = profile.to_json()
    if profile.name == "local":
        told["base_url"] = EMBEDDED
    return {
        "level": prompt.level,
        "rulebook": prompt.book,
        "language": prompt.language,
        "menu_limit": options.menu_limit,
        "schema_mode": options.schema_mode,
        "prompts": prompts.prompt_hash(prompt.language),
        "tools": _tools_hash(prompt.level),
        "profile": told,
    }


def _tools_hash(level: str) -> str | None:
    """The digest of a level's static tools for 2 to 4 players; None at L1, whose tools are made for each decision."""
    if level == "L1":
        return None
    return digest([Game.new(players=players).tools(level) for players in (2, 3, 4)])


@lru_cache(maxsize=64)
def _static_tools(level: str, language: str, edition: str, players: int) -> tuple[ToolSpec, ...]:
    return tuple(map(_tool, static_specs(level, language, edition, players)))


def _tool(spec: Mapping[str, Any]) -> ToolSpec:
    return ToolSpec(spec["name"], spec["description"], spec["parameters"])


def _is_too_long(error: ProviderError | None) -> bool:
    """Whether a server that refuses a longer answer than usual may refuse it for its length."""
    return error is not None and error.kind in ("context", "bad_request")


def _as_fault(paid: Paid) -> Paid:
    """A call that is made anew with less: its error is one more fault of the question, and its body is not kept."""
    exchange = paid.exchange
    assert exchange.error is not None
    faults = (*exchange.faults, FailedTry(exchange.error, exchange.timing["latency"]))
    made_anew = replace(exchange, error=None, request=b"", answer=None, faults=faults)
    return replace(paid, exchange=made_anew, uncertain=None, faults=(*paid.faults, paid.uncertain))


def _total(costs: Iterable[Decimal | None]) -> str | None:
    """The sum of what is known, as it stands in the log; None if nothing is."""
    known = [cost for cost in costs if cost is not None]
    return amount(sum(known, Decimal())) if known else None
