"""Anthropic's Messages; some compatible servers speak it too. Both functions are pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from harness.providers.errors import error_in_body, unusable
from harness.providers.fixed import Fixed
from harness.providers.profiles import Profile
from harness.providers.schema import answer_schema
from harness.providers.sendable import sendable
from harness.providers.stops import stop_of
from harness.providers.types import Json, RawCall, Reply, Request, ToolSpec, Usage, tell_usage, token_count

PATH = "/v1/messages"
_COUNTS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")


def request(req: Request, profile: Profile) -> Json:
    """Return the body of the request.

    Seeds do not exist in this API, and a temperature is for compatible servers alone: Anthropic's own models refuse it.
    """
    body: Json = {
        "model": profile.model,
        "max_tokens": req.max_output_tokens,
        "messages": [{"role": role, "content": text} for role, text in req.messages],
    }
    if req.output_mode == "tools":
        body["tools"] = _tools(req.tools, profile.strict)
        body["tool_choice"] = _choice(req, profile)
        if profile.parallel_flag:
            body["tool_choice"]["disable_parallel_tool_use"] = True
    output: Json = {}
    if profile.reasoning_effort is not None:
        output["effort"] = profile.reasoning_effort
    if req.output_mode == "json_schema":
        output["format"] = {"type": "json_schema", "schema": answer_schema(req, profile.strict, root_union=False)}
    if output:
        body["output_config"] = output
    if profile.temperature is not None:
        body["temperature"] = profile.temperature
    if req.system:
        body["system"] = req.system
    if profile.prompt_cache == "cache_control" and req.static_prefix:
        _mark_prefix(body)
    return sendable(body)


def _mark_prefix(body: Json) -> None:
    """Have everything before the messages cached: the mark on its last block covers the tools and the system text."""
    mark = {"cache_control": {"type": "ephemeral"}}
    if "system" in body:
        body["system"] = [{"type": "text", "text": body["system"], **mark}]
    elif body.get("tools"):
        *tools, last = body["tools"]
        body["tools"] = [*tools, last | mark]


def _choice(req: Request, profile: Profile) -> Json:
    if profile.named_tool and len(req.tools) == 1:
        return {"type": "tool", "name": req.tools[0].name}
    return {"type": "any" if profile.forced_tool else "auto"}


@lru_cache(maxsize=64)
def _tools(tools: tuple[ToolSpec, ...], strict: bool) -> Fixed:
    return Fixed(_tool(tool, strict) for tool in tools)


def _tool(tool: ToolSpec, strict: bool) -> Json:
    spec: Json = {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}
    if strict:
        spec["strict"] = True
    return spec


def parse(raw: Any) -> Reply:
    """Read the decoded body of an answer; ProviderError if it is none, whatever its status was."""
    if not isinstance(raw, dict):
        raise unusable("the answer is not a JSON object")
    if raw.get("type") == "error" or raw.get("error"):
        raise error_in_body(raw)
    content = raw.get("content")
    stop = raw.get("stop_reason")
    if not isinstance(content, list):
        raise unusable("the answer holds no content")
    blocks = [block for block in content if isinstance(block, dict)]
    return Reply(
        calls=tuple(_call(block) for block in blocks if block.get("type") == "tool_use"),
        text="".join(block["text"] for block in blocks if isinstance(block.get("text"), str)),
        stop=stop_of(stop),
        usage=_usage(raw.get("usage")),
        native_stop=stop if isinstance(stop, str) else None,
        model=raw["model"] if isinstance(raw.get("model"), str) else None,
    )


def _call(block: Json) -> RawCall:
    name = block.get("name")
    return RawCall(name if isinstance(name, str) else "", block.get("input"))


def _usage(raw: Any) -> Usage | None:
    if not isinstance(raw, dict):
        return None
    counts = [raw.get(name) for name in _COUNTS]
    if not tell_usage(*counts):
        return None
    uncached, read, write, output = map(token_count, counts)
    details = raw.get("output_tokens_details")
    return Usage(
        uncached_input=uncached,
        cache_read=read,
        cache_write=write,
        output=output,
        reasoning=token_count(details.get("thinking_tokens")) if isinstance(details, dict) else 0,
    )
