"""Raw answers of the three wire formats: what was said, and why the model stopped. Reads plain JSON, knows no SDK."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Ending = Literal["", "truncated", "refusal", "rejected"]
"""Why there is no call to look for: cut off, declined, or a call that the server itself could not read."""

_CUT = {"length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded"}
_DECLINED = {"content_filter", "safety", "refusal"}
_REJECTED = {"malformed_function_call"}
_TURNED_DOWN = {"tool_use_failed", "json_validate_failed"}


@dataclass(frozen=True)
class Heard:
    """One answer: the calls in it as (name, arguments as they arrived), its text, and how it ended.

    ``usable`` is False for an answer that is none of the model's: no JSON, an error, a frame without content.
    """

    calls: tuple[tuple[str, Any], ...] = ()
    text: str = ""
    ended: Ending = ""
    usable: bool = True


NOTHING = Heard(usable=False)


def bodies(answer: bytes, count: int) -> tuple[list[Any], bool]:
    """The answers of ``count`` exchanges out of one blob, as JSON; and whether they came apart cleanly.

    A blob holds the answers joined by line ends. All but the last are JSON objects (anything else ends the attempt),
    and an object ends where its bracket closes, so they can be told apart even where they hold line ends themselves.
    The last may be any text; it stands as None if it is no JSON.
    """
    text = answer.decode("utf-8", "replace").removeprefix("\ufeff")
    found: list[Any] = []
    decoder = json.JSONDecoder()
    start = 0
    for _ in range(count - 1):
        start += len(text[start:]) - len(text[start:].lstrip())
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            return found, False
        if not text[end:].startswith("\n"):
            return found, False
        found.append(value)
        start = end + 1
    try:
        found.append(json.loads(text[start:]))
    except (ValueError, RecursionError):
        found.append(None)
    return found, True


def is_known(api: str) -> bool:
    """Whether answers of a wire format can be read."""
    return api in _WIRES


def hear(api: str, body: Any) -> Heard:
    """Read one answer of a wire format; KeyError for a format there is not."""
    listen = _WIRES[api]
    if not isinstance(body, dict):
        return NOTHING
    return Heard(ended="rejected") if _turned_down(body.get("error")) else listen(body)


def _turned_down(error: Any) -> bool:
    """Whether an error is the server's own no to what the model wrote, which is then the model's answer."""
    if not isinstance(error, dict):
        return False
    named = {error[field] for field in ("code", "type") if isinstance(error.get(field), str)}
    return bool(named & _TURNED_DOWN or error.get("failed_generation"))


def _chat(body: Mapping[str, Any]) -> Heard:
    choice = _first(body.get("choices"))
    message = choice.get("message")
    finish = choice.get("finish_reason")
    if body.get("error") or not isinstance(message, dict) or choice.get("error") or finish == "error":
        return NOTHING
    calls = [_function(call) for call in _dicts(message.get("tool_calls"))]
    if not calls and isinstance(message.get("function_call"), dict):
        calls = [_named(message["function_call"])]
    refusal = _text(message.get("refusal"))
    return Heard(tuple(calls), refusal or _text(message.get("content")), "refusal" if refusal else _ending(finish))


def _function(call: Mapping[str, Any]) -> tuple[str, Any]:
    inner = call.get("function")
    return _named(inner if isinstance(inner, dict) else call.get("custom"))


def _named(call: Any) -> tuple[str, Any]:
    call = call if isinstance(call, dict) else {}
    name = call.get("name")
    return name if isinstance(name, str) else "", call["arguments"] if "arguments" in call else call.get("input")


def _messages(body: Mapping[str, Any]) -> Heard:
    if body.get("error") or body.get("type") == "error" or not isinstance(body.get("content"), list):
        return NOTHING
    blocks = _dicts(body["content"])
    calls = tuple(_named(block) for block in blocks if block.get("type") == "tool_use")
    return Heard(calls, _text(blocks), _ending(body.get("stop_reason")))


def _responses(body: Mapping[str, Any]) -> Heard:
    status = body.get("status")
    if body.get("error") or status in ("failed", "cancelled", "queued", "in_progress"):
        return NOTHING
    if not isinstance(body.get("output"), list):
        return NOTHING
    items = _dicts(body["output"])
    said = [item.get("content") for item in items if item.get("type") == "message"]
    called = [item for item in items if item.get("type") in ("function_call", "custom_tool_call")]
    refusal = "".join(_text(part.get("refusal")) for content in said for part in _dicts(content))
    return Heard(
        tuple(_named(item) for item in called),
        refusal or "".join(map(_text, said)),
        "refusal" if refusal else _unfinished(body, items),
    )


def _unfinished(body: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Ending:
    """How an answer of Responses ended: one that is incomplete, as a whole or in a part, holds no call to trust."""
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, dict) else None
    if _ending(reason):
        return _ending(reason)
    incomplete = reason or any(one.get("status") == "incomplete" for one in (body, *items))
    return "truncated" if incomplete else ""


_WIRES: Mapping[str, Callable[[Mapping[str, Any]], Heard]] = {
    "chat": _chat,
    "messages": _messages,
    "responses": _responses,
}


def _ending(reason: Any) -> Ending:
    word = str(reason).lower()
    if word in _CUT:
        return "truncated"
    if word in _DECLINED:
        return "refusal"
    return "rejected" if word in _REJECTED else ""


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _first(value: Any) -> dict[str, Any]:
    return value[0] if isinstance(value, list) and value and isinstance(value[0], dict) else {}


def _text(content: Any) -> str:
    """Text given as such or as a list of parts."""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in _dicts(content) if isinstance(part.get("text"), str))
