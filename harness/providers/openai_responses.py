"""OpenAI's Responses, the usual way to OpenAI; some compatible servers speak it too. Both functions are pure."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from harness.providers.errors import error_in_body, unusable
from harness.providers.fixed import Fixed
from harness.providers.openai_usage import usage_of
from harness.providers.prefix import prefix_key
from harness.providers.profiles import Profile
from harness.providers.schema import answer_schema
from harness.providers.sendable import sendable
from harness.providers.stops import stop_of
from harness.providers.types import Json, RawCall, Reply, Request, Stop, ToolSpec

PATH = "/responses"
_NO_ANSWER = ("failed", "cancelled", "queued", "in_progress")


def request(req: Request, profile: Profile) -> Json:
    """Return the body of the request. Seeds do not exist in this API."""
    body: Json = {
        "model": profile.model,
        "input": [{"role": role, "content": text} for role, text in req.messages],
        "max_output_tokens": req.max_output_tokens,
    }
    if req.system and profile.system == "merge_into_user":
        body["input"][0]["content"] = f"{req.system}\n\n{body['input'][0]['content']}"
    elif req.system:
        body["instructions"] = req.system
    if req.output_mode == "tools":
        body["tools"] = _tools(req.tools, profile.strict)
        body["tool_choice"] = _choice(req, profile)
        if profile.parallel_flag:
            body["parallel_tool_calls"] = False
    else:
        body |= _format(req, profile)
    if profile.reasoning_effort is not None:
        body["reasoning"] = {"effort": profile.reasoning_effort}
    if profile.temperature is not None:
        body["temperature"] = profile.temperature
    if profile.store_flag:
        body["store"] = False
    if profile.prompt_cache == "key" and req.static_prefix:
        body["prompt_cache_key"] = prefix_key(req)
    return sendable(body)


@lru_cache(maxsize=64)
def _tools(tools: tuple[ToolSpec, ...], strict: bool) -> Fixed:
    return Fixed(_tool(tool, strict) for tool in tools)


def _tool(tool: ToolSpec, strict: bool) -> Json:
    return {
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": dict(tool.parameters),
        "strict": strict,
    }


def _choice(req: Request, profile: Profile) -> Any:
    if profile.named_tool and len(req.tools) == 1:
        return {"type": "function", "name": req.tools[0].name}
    return "required" if profile.forced_tool else "auto"


def _format(req: Request, profile: Profile) -> Json:
    """Return the fields that say what form the text has; none for output mode ``text``."""
    if req.output_mode == "text":
        return {}
    chat_like = profile.schema_field == "response_format"
    if req.output_mode == "json_object":
        wanted: Json = {"type": "json_object"}
        return {"response_format": wanted} if chat_like else {"text": {"format": wanted}}
    strict = profile.strict
    if chat_like:
        schema = answer_schema(req, strict, root_union=not strict)
        held = {"name": "answer", "strict": strict, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": held}}
    schema = answer_schema(req, strict, root_union=False)
    return {"text": {"format": {"type": "json_schema", "name": "answer", "strict": strict, "schema": schema}}}


def parse(raw: Any) -> Reply:
    """Read the decoded body of an answer; ProviderError if it is none, whatever its status was."""
    if not isinstance(raw, dict):
        raise unusable("the answer is not a JSON object")
    if raw.get("error"):
        raise error_in_body(raw)
    status, output = raw.get("status"), raw.get("output")
    if status in _NO_ANSWER:
        raise unusable(f"the answer is {status}")
    if not isinstance(output, list):
        raise unusable("the answer holds no output")
    items = [item for item in output if isinstance(item, dict)]
    parts = [part for item in items if item.get("type") == "message" for part in _parts(item.get("content"))]
    refusal = _joined(parts, "refusal")
    stop, native = _stop(raw, items)
    return Reply(
        calls=tuple(_call(item) for item in items if item.get("type") in ("function_call", "custom_tool_call")),
        text=refusal or _joined(parts, "text"),
        stop="refusal" if refusal else stop,
        usage=usage_of(raw.get("usage"), "input", "output"),
        native_stop=native,
        model=raw["model"] if isinstance(raw.get("model"), str) else None,
    )


def _stop(raw: Json, items: list[Json]) -> tuple[Stop, str | None]:
    """Return why the answer ends, in our words and in the server's: an unfinished one is void, whatever is in it."""
    status, details = raw.get("status"), raw.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    told = reason if isinstance(reason, str) else status if isinstance(status, str) else None
    stop = stop_of(reason)
    if stop in ("refusal", "bad_call"):
        return stop, told
    if status == "incomplete" or reason or any(item.get("status") == "incomplete" for item in items):
        return "length", told
    return "end", told


def _call(item: Json) -> RawCall:
    name = item.get("name")
    return RawCall(name if isinstance(name, str) else "", item.get("arguments", item.get("input")))


def _parts(content: Any) -> list[Json]:
    if isinstance(content, str):
        return [{"text": content}]
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def _joined(parts: list[Json], field: str) -> str:
    return "".join(part[field] for part in parts if isinstance(part.get(field), str))
