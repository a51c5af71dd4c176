"""OpenAI's Chat Completions, spoken by every compatible server and by OpenAI. Both functions are pure."""

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
from harness.providers.types import Json, RawCall, Reply, Request, ToolSpec

PATH = "/chat/completions"


def request(req: Request, profile: Profile) -> Json:
    """Return the body of the request."""
    body: Json = {
        "model": profile.model,
        "messages": _messages(req, profile),
        profile.cap_param: req.max_output_tokens,
    }
    strict = profile.strict
    if req.output_mode == "tools":
        body["tools"] = _tools(req.tools, strict)
        body["tool_choice"] = _choice(req, profile)
        if profile.parallel_flag:
            body["parallel_tool_calls"] = False
    elif req.output_mode == "json_schema":
        schema = answer_schema(req, strict, root_union=not strict)
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": strict, "schema": schema},
        }
    elif req.output_mode == "json_object":
        body["response_format"] = {"type": "json_object"}
    return sendable(body | _extras(req, profile))


def _extras(req: Request, profile: Profile) -> Json:
    """Return the fields that only some servers take."""
    extras: Json = {}
    if profile.reasoning_effort is not None:
        extras["reasoning_effort"] = profile.reasoning_effort
    if profile.temperature is not None:
        extras["temperature"] = profile.temperature
    if profile.seed and req.seed is not None:
        extras["seed"] = req.seed
    if profile.store_flag:
        extras["store"] = False
    if profile.prompt_cache == "key" and req.static_prefix:
        extras["prompt_cache_key"] = prefix_key(req)
    return extras


def _choice(req: Request, profile: Profile) -> Any:
    if profile.named_tool and len(req.tools) == 1:
        return {"type": "function", "function": {"name": req.tools[0].name}}
    return "required" if profile.forced_tool else "auto"


def _messages(req: Request, profile: Profile) -> list[Json]:
    messages = [{"role": role, "content": text} for role, text in req.messages]
    if not req.system:
        return messages
    if profile.system == "merge_into_user":
        first, *rest = messages
        return [{**first, "content": f"{req.system}\n\n{first['content']}"}, *rest]
    return [{"role": profile.system, "content": req.system}, *messages]


@lru_cache(maxsize=64)
def _tools(tools: tuple[ToolSpec, ...], strict: bool) -> Fixed:
    return Fixed(_tool(tool, strict) for tool in tools)


def _tool(tool: ToolSpec, strict: bool) -> Json:
    function: Json = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    if strict:
        function["strict"] = True
    return {"type": "function", "function": function}


def parse(raw: Any) -> Reply:
    """Read the decoded body of an answer; ProviderError if it is none, whatever its status was."""
    if not isinstance(raw, dict):
        raise unusable("the answer is not a JSON object")
    if raw.get("error"):
        raise error_in_body(raw)
    choices = raw.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise unusable("the answer holds no choice")
    message = choices[0].get("message")
    finish = choices[0].get("finish_reason")
    if finish == "error" or choices[0].get("error"):
        raise error_in_body({"error": choices[0].get("error") or "finish_reason error"})
    if not isinstance(message, dict):
        raise unusable("the answer holds no message")
    refusal = _text(message.get("refusal"))
    return Reply(
        calls=_calls(message),
        text=refusal or _text(message.get("content")),
        stop="refusal" if refusal else stop_of(finish),
        usage=usage_of(raw.get("usage"), "prompt", "completion"),
        native_stop=finish if isinstance(finish, str) else None,
        model=raw["model"] if isinstance(raw.get("model"), str) else None,
    )


def _calls(message: Json) -> tuple[RawCall, ...]:
    listed = message.get("tool_calls")
    found = listed if isinstance(listed, list) else []
    if not found and isinstance(message.get("function_call"), dict):
        found = [{"function": message["function_call"]}]
    calls = []
    for one in found:
        if not isinstance(one, dict):
            continue
        part: Json = next((one[key] for key in ("function", "custom") if isinstance(one.get(key), dict)), {})
        name = part.get("name")
        calls.append(RawCall(name if isinstance(name, str) else "", part.get("arguments", part.get("input"))))
    return tuple(calls)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
