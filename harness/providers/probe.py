"""What a server takes, found out by a handful of tiny calls: the same for ``dale models probe`` and for a preflight.

Every call goes through whatever sends the others, so it is retried, limited and recorded as they are. What is found is
what the server did with one tiny question, not what it promises.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from harness.providers.normalise import Call, Failure, normalise
from harness.providers.profiles import CapParam, Profile
from harness.providers.types import Exchange, OutputMode, ProviderError, Request, ToolSpec

State = Literal["works", "ignored", "unclear", "refused", "failed", "not sent"]
Ask = Callable[[Request, Profile], Awaitable[Exchange]]

SYSTEM = "You play a game. A tool call or a JSON object is the only answer that counts."
CALL = '{"tool": "act", "arguments": {"entry": 2}}'
IN_WORDS = f"Choose entry 2. Answer with this JSON object and nothing else: {CALL}"
IN_TOOLS = "Choose entry 2: call the tool act with entry 2."
IDLE = "Say hello in one word."
CAP = 16
"""Tokens; OpenAI takes no fewer."""
REFUSALS = ("unsupported", "bad_request", "context")


def _record(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


ACT = ToolSpec("act", "Choose an entry.", _record(entry={"type": "integer", "enum": [1, 2, 3]}))
SKIP = ToolSpec("skip", "Do nothing.", _record())


@dataclass(frozen=True)
class Finding:
    """What became of one question. ``works`` is said only of what was seen."""

    name: str
    state: State
    detail: str = ""


@dataclass(frozen=True)
class Probe:
    """All findings, the output mode they speak for (None: no mode gave a readable answer) and the profile's fields."""

    findings: tuple[Finding, ...]
    output_mode: OutputMode | None
    fields: dict[str, Any]

    def state(self, name: str) -> State | None:
        """Return the state of the finding of that name, None if there is none."""
        return next((finding.state for finding in self.findings if finding.name == name), None)


def question(profile: Profile, text: str, mode: OutputMode, *tools: ToolSpec) -> Request:
    """Return a tiny request; unless given, it offers both tools."""
    return Request(
        system=SYSTEM,
        messages=(("user", text),),
        tools=tools or (ACT, SKIP),
        max_output_tokens=profile.max_output_tokens,
        output_mode=mode,
        seed=1,
        static_prefix=False,
    )


async def probe(ask: Ask, profile: Profile) -> Probe:
    """Ask everything. Raises ProviderError if the server answers nothing at all: no key, no model, no connection."""
    base = replace(
        profile, forced_tool=False, named_tool=False, parallel_flag=False, strict=False, retries=min(profile.retries, 1)
    )
    findings = [await _plain(ask, base)]
    for step in (_auto, _forced, _named, _strict, _parallel, _json_schema, _json_object, _text, _sampling):
        findings.append(await step(ask, base))
    cap, cap_param = await _cap(ask, base)
    findings += [cap, await _reasoning(ask, base)]
    found = Probe(tuple(findings), _best_mode({finding.name: finding.state for finding in findings}), {})
    return replace(found, fields=_fields(found, profile, cap_param))


async def _plain(ask: Ask, base: Profile) -> Finding:
    exchange = await ask(question(base, IDLE, "text"), base)
    if exchange.reply is None:
        assert exchange.error is not None
        raise exchange.error
    usage = exchange.reply.usage
    counted = f"{usage.output} tokens" if usage is not None else "no usage reported"
    return Finding("plain text", "works", f"answers as {exchange.reply.model or 'an unnamed model'}, {counted}")


async def _calls(ask: Ask, name: str, base: Profile, more: Profile, text: str, *tools: ToolSpec) -> Finding:
    """Whether a question with tools brings a readable call."""
    exchange = await ask(question(base, text, "tools", *tools), more)
    wrong = _refusal(name, exchange)
    if wrong is not None:
        return wrong
    assert exchange.reply is not None
    return _reading(name, normalise(exchange.reply, tools or (ACT, SKIP)))


def _reading(name: str, read: Call | Failure) -> Finding:
    """Return the finding for an answer: prose where a call was wanted means that the wish was not heard."""
    if isinstance(read, Call):
        return Finding(name, "works", "repaired: " + ", ".join(read.repairs) if read.repairs else "")
    return Finding(name, "ignored" if read.kind == "text_only" else "unclear", f"{read.kind}: {read.detail}")


def _refusal(name: str, exchange: Exchange) -> Finding | None:
    """Return the finding if the server did not take what was asked for, None if it did."""
    refused = [fault.error for fault in exchange.faults if fault.error.kind == "unsupported"]
    if exchange.error is not None and exchange.reply is None:
        return Finding(name, "refused" if exchange.error.kind in REFUSALS else "failed", str(exchange.error))
    return Finding(name, "refused", refused[0].message) if refused else None


async def _auto(ask: Ask, base: Profile) -> Finding:
    return await _calls(ask, "tools", base, base, IN_TOOLS)


async def _forced(ask: Ask, base: Profile) -> Finding:
    return await _calls(ask, "forced call", base, replace(base, forced_tool=True), IDLE)


async def _named(ask: Ask, base: Profile) -> Finding:
    return await _calls(ask, "named call", base, replace(base, named_tool=True), IDLE, ACT)


async def _strict(ask: Ask, base: Profile) -> Finding:
    text = "Choose entry 3: call the tool act with entry 3."
    return await _calls(ask, "strict tools", base, replace(base, strict=True), text)


async def _parallel(ask: Ask, base: Profile) -> Finding:
    name, text = "one call only", "Call the tool act twice, with entry 1 and with entry 2."
    exchange = await ask(question(base, text, "tools"), replace(base, parallel_flag=True))
    wrong = _refusal(name, exchange)
    if wrong is not None:
        return wrong
    assert exchange.reply is not None
    calls = len(exchange.reply.calls)
    if calls == 0:
        return Finding(name, "unclear", "no call came")
    return Finding(name, "works" if calls == 1 else "ignored", "" if calls == 1 else f"{calls} calls came")


async def _object(ask: Ask, name: str, base: Profile, text: str, mode: OutputMode) -> Finding:
    """Whether an output mode without tools brings a readable object."""
    exchange = await ask(question(base, text, mode), base)
    wrong = _refusal(name, exchange)
    if wrong is not None:
        return wrong
    assert exchange.reply is not None
    return _reading(name, normalise(exchange.reply, (ACT, SKIP), mode))


async def _json_schema(ask: Ask, base: Profile) -> Finding:
    return await _object(ask, "json_schema", base, IDLE, "json_schema")


async def _json_object(ask: Ask, base: Profile) -> Finding:
    if base.api == "messages":
        return Finding("json_object", "not sent", "the wire format messages has no such mode")
    return await _object(ask, "json_object", base, IN_WORDS, "json_object")


async def _text(ask: Ask, base: Profile) -> Finding:
    return await _object(ask, "text", base, IN_WORDS, "text")


async def _sampling(ask: Ask, base: Profile) -> Finding:
    name = "temperature"
    if not base.sampling:
        return Finding(name, "not sent", "the models behind this API take none")
    exchange = await ask(question(base, IDLE, "text"), replace(base, temperature=0.5))
    return _refusal(name, exchange) or Finding(name, "works", "0.5 is taken")


async def _cap(ask: Ask, base: Profile) -> tuple[Finding, CapParam]:
    """Whether the longest answer is kept to; over Chat Completions, under which name."""
    other: CapParam = "max_tokens" if base.cap_param == "max_completion_tokens" else "max_completion_tokens"
    names = (base.cap_param, other) if base.api == "chat" else (base.cap_param,)
    first = None
    for cap_param in names:
        called = cap_param if base.api == "chat" else "max_tokens" if base.api == "messages" else "max_output_tokens"
        request = replace(question(base, "Count in words from one to two hundred.", "text"), max_output_tokens=CAP)
        exchange = await ask(request, replace(base, cap_param=cap_param))
        finding = _refusal("token limit", exchange) or _kept_to(exchange, called)
        if finding.state == "works":
            return finding, cap_param
        first = first or finding
    assert first is not None
    return first, base.cap_param


def _kept_to(exchange: Exchange, called: str) -> Finding:
    assert exchange.reply is not None
    usage = exchange.reply.usage
    if exchange.reply.stop == "length":
        return Finding("token limit", "works", called)
    if usage is not None and CAP - 1 <= usage.output <= CAP + 1:
        return Finding("token limit", "works", f"{called}; but a cut-off answer is not marked as such")
    if usage is not None and usage.output > CAP:
        return Finding("token limit", "ignored", f"{called}: the answer goes on")
    return Finding("token limit", "unclear", f"{called}: the answer ended by itself")


async def _reasoning(ask: Ask, base: Profile) -> Finding:
    name = "reasoning effort"
    exchange = await ask(question(base, IDLE, "text"), replace(base, reasoning_effort="low"))
    wrong = _refusal(name, exchange)
    if wrong is not None:
        return wrong
    assert exchange.reply is not None
    usage = exchange.reply.usage
    thought = usage.reasoning if usage is not None else 0
    return Finding(name, "works" if thought else "unclear", f"low is taken, {thought} tokens of reasoning reported")


def _best_mode(states: dict[str, State]) -> OutputMode | None:
    """Return the output mode to use: what the server enforces before what the model does of its own accord.

    A server that refuses to force a call says so and is believed; one that takes the wish and answers prose does not
    enforce anything about tools.
    """
    called = states["tools"] == "works"
    if states["forced call"] == "works" or (called and states["forced call"] == "refused"):
        return "tools"
    if states["json_schema"] == "works":
        return "json_schema"
    if called:
        return "tools"
    for mode in ("json_object", "text"):
        if states[mode] == "works":
            return mode
    return None


def _fields(found: Probe, profile: Profile, cap_param: CapParam) -> dict[str, Any]:
    """Return the fields of the profile that were found out."""
    fields: dict[str, Any] = {
        "api": profile.api,
        "output_mode": found.output_mode or profile.output_mode,
        "forced_tool": found.state("forced call") == "works",
        "named_tool": found.state("named call") == "works" and found.state("forced call") != "works",
        "parallel_flag": found.state("one call only") == "works",
        "strict": profile.strict and found.state("strict tools") == "works",
        "sampling": found.state("temperature") not in ("refused", "not sent"),
    }
    if profile.api == "chat":
        fields["cap_param"] = cap_param
    return fields


def explain(error: ProviderError, profile: Profile) -> str:
    """Return what is wrong when nothing is answered, and what would be right: the end of a sentence after a name."""
    where, model = profile.base_url, profile.model
    told = f"({error.message})"
    if error.kind == "authentication":
        return f"is turned away by {where} {told}: check the key in the environment variable {profile.key_env}."
    if error.kind == "not_found":
        return f"asks {where} for the model {model!r}, which it does not have {told}: check the name and the address."
    if error.kind == "quota":
        return f"has no credit left at {where} {told}: add some, or raise the limit there."
    if error.kind == "connection":
        return f"gets no answer from {where} {told}: start the server, or check the address."
    if error.kind in REFUSALS:
        return f"asks {where} for what it does not take {told}: another output_mode or api may do (dale models probe)."
    return f"gets no answer from {where} now {told}: try again later."
