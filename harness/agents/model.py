"""The agent behind which a language model plays, over any of the wire formats.

One attempt is one fresh request (at L0 one for each step of the menu): prompt, send, read, translate. What the model
did not state is never played for it; the engine judges what it did state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Literal, cast

from engine import EngineError, FormatFault, Game
from harness import prompting, prompts
from harness.agents.base import Answer, Fault, Turn
from harness.agents.context import RunContext
from harness.agents.spec import AgentSpec
from harness.canonical import digest
from harness.errors import UserError
from harness.prompting import PromptOptions
from harness.providers.client import Endpoint
from harness.providers.connections import Connections
from harness.providers.local import server
from harness.providers.normalise import Call, Failure, normalise
from harness.providers.prices import cost_of
from harness.providers.profiles import Profile, make_profile
from harness.providers.types import Exchange, Request, ToolSpec, Usage
from harness.randomness import derive_seed

EMBEDDED = "embedded"
"""What stands in the log for the address of the embedded model, whose port changes from run to run."""


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
        leave: Callable[[], None] | None = None,
    ) -> None:
        """Join the endpoint of the profile; UserError if its key is missing. ``leave`` is called on closing."""
        self.spec = spec
        self.settings = _settings(profile, options)
        self._profile, self._options = profile, options
        self._connections = connections
        self._endpoint: Endpoint = connections.enter(profile)
        self._leave = leave

    async def choose(self, turn: Turn) -> Answer:
        """Ask the model for one decision."""
        talk = _Talk(self._endpoint, self._profile, turn)
        if self._options.prompt.level == "L0":
            return await self._choose_from_menu(turn, talk)
        level = self._options.prompt.level
        tools = tuple(_tool(spec) for spec in self._specs(turn))
        request = self._request(turn, self._options.prompt, tools)
        read = await talk.ask(request, lambda name: _is_known(turn, name, level))
        if read is None or isinstance(read, Failure):
            return talk.failed(read)
        return talk.stated(read, level, read.arguments)

    async def _choose_from_menu(self, turn: Turn, talk: _Talk) -> Answer:
        """Ask for an entry of the legal list, in several steps if it is longer than the limit."""
        prompt, within = self._options.prompt, None
        while True:
            shown = prompting.menu(turn.legal, turn.observation, self._options.menu_limit, within, prompt.language)
            tools = tuple(_tool(self._numbered(spec, len(shown.lines))) for spec in self._specs(turn))
            read = await talk.ask(self._request(turn, replace(prompt, menu=shown), tools), lambda name: False)
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

    def _specs(self, turn: Turn) -> tuple[dict[str, Any], ...]:
        return prompting.tool_specs(turn, self._options.prompt.level, self._options.prompt.language)

    def _numbered(self, spec: dict[str, Any], entries: int) -> dict[str, Any]:
        """The tool of the menu, with the entry numbers in its schema if so set."""
        if self._options.schema_mode == "static":
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
            max_output_tokens=self._profile.max_output_tokens,
            output_mode=prompt.output_mode,
            answer_form=prompt.answer_form,
        )

    async def close(self) -> None:
        """Give back the connections and, for the embedded model, the server."""
        await self._connections.leave(self._endpoint)
        if self._leave is not None:
            self._leave()


class _Talk:
    """The calls behind one answer and what they add up to."""

    def __init__(self, endpoint: Endpoint, profile: Profile, turn: Turn) -> None:
        self._endpoint, self._profile, self._turn = endpoint, profile, turn
        self._exchanges: list[Exchange] = []
        self._repairs: dict[str, None] = {}

    async def ask(self, request: Request, passes: Callable[[str], bool]) -> Call | Failure | None:
        """Make one call and read its answer; None if no usable answer came."""
        seed = derive_seed(*self._turn.key, self._turn.attempt, len(self._exchanges)) & 0x7FFFFFFF
        exchange = await self._endpoint.send(replace(request, seed=seed), self._profile)
        self._exchanges.append(exchange)
        if exchange.reply is None:
            return None
        bare = request.answer_form == "arguments"
        read = normalise(exchange.reply, request.tools, request.output_mode, bare, passes)
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
        error = self._exchanges[-1].error
        assert error is not None
        return self._answer(failure="provider", code=error.kind, detail=error.message)

    def _answer(self, **fields: Any) -> Answer:
        done = self._exchanges
        replies = [exchange.reply for exchange in done if exchange.reply is not None]
        usages = [reply.usage for reply in replies if reply.usage is not None]
        costs = [cost_of(self._profile, reply.usage, reply.model) for reply in replies]
        faults = [fault for exchange in done for fault in exchange.faults]
        answers = [exchange.answer for exchange in done if exchange.answer is not None]
        return Answer(
            **fields,
            repairs=tuple(self._repairs),
            usage=sum(usages, Usage()) if usages else None,
            cost=_total(costs),
            calls=sum(exchange.sent for exchange in done) - len(faults),
            request=b"\n".join(exchange.request for exchange in done),
            answer=b"\n".join(answers) if answers else None,
            timing={
                name: round(math.fsum(exchange.timing[name] for exchange in done), 6) for name in ("queued", "latency")
            },
            faults=tuple(
                Fault(one.error.kind, one.error.message, {"seconds": round(one.seconds, 6)}) for one in faults
            ),
        )


def create(spec: AgentSpec, options: Mapping[str, Any], context: RunContext) -> ModelAgent:
    """Make the agent a spec names.

    Options that the spec leaves out follow the profile of the endpoint. Raises UserError for a missing key, a missing
    extra, or an option that the API does not have.
    """
    given = spec.options
    changes = {
        "output_mode": given.get("output_mode"),
        "temperature": given.get("temperature"),
        "max_output_tokens": given.get("max_output_tokens"),
        "deadline_s": given.get("deadline"),
        "strict": given.get("strict"),
    }
    if options["level"] == "L5" and given.get("rulebook", "none") != "none":
        raise UserError(f"at level L5 there is no rulebook: leave rulebook={given['rulebook']} out of {str(spec)!r}.")
    base_url, leave = spec.base_url, None
    if spec.kind == "local":
        base_url, leave = server.acquire(), server.release
    try:
        profile = make_profile(spec.kind, spec.argument, base_url, **changes)
        if profile.temperature is not None and not profile.sampling:
            raise UserError(f"the models behind {spec.kind} take no temperature: leave it out of {str(spec)!r}.")
        bare = options["level"] == "L0" and profile.output_mode == "json_schema"  # one tool needs no name
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
            leave,
        )
    except BaseException:
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


def _tool(spec: Mapping[str, Any]) -> ToolSpec:
    return ToolSpec(spec["name"], spec["description"], spec["parameters"])


def _is_known(turn: Turn, name: str, level: str) -> bool:
    """Whether a tool that was not offered is one of the game all the same, for the engine to judge."""
    try:
        turn.translate(level, name, {})
    except EngineError:
        return False
    return True


def _total(costs: list[str | None]) -> str | None:
    known = [Decimal(cost) for cost in costs if cost is not None]
    return format(sum(known, Decimal()), "f") if known and len(known) == len(costs) else None
