"""An event loop whose clock jumps to the next timer instead of waiting, and a server inside the process for it."""

from __future__ import annotations

import asyncio
import json
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpx2

T = TypeVar("T")


class _Jump(selectors.SelectSelector):
    """Finds nothing to wait for in the world outside, and has the time pass at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("all tasks wait for something that never comes")
        self.now += max(timeout, 0.0)
        return super().select(0)


class Loop(asyncio.SelectorEventLoop):
    """All that asyncio, anyio and aiolimiter know of time comes from here; it begins at 0."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
        """At once and in this thread: the clock would jump while another works."""
        done = self.create_future()
        done.set_result(func(*args))
        return done


def run(main: Coroutine[Any, Any, T]) -> tuple[T, float]:
    """Run to the end without waiting; return the result and how many seconds it would have taken."""
    with asyncio.Runner(loop_factory=Loop) as runner:
        result = runner.run(main)
        return result, runner.get_loop().time()


Behaviour = Callable[["Server", httpx2.Request], httpx2.Response | None]


class Server(httpx2.AsyncBaseTransport):
    """Takes `seconds` for every answer; `behaviour` is asked first and may refuse.

    `arrivals` holds the loop's time and the body of each request, `now` how many are under way, `most` their maximum.
    """

    def __init__(self, behaviour: Behaviour = lambda server, request: None, seconds: float = 1.0) -> None:
        self.behaviour, self.seconds = behaviour, seconds
        self.arrivals: list[tuple[float, Any]] = []
        self.now = self.most = 0

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self.arrivals.append((asyncio.get_running_loop().time(), json.loads(request.content)))
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            refusal = self.behaviour(self, request)
            if refusal is not None:
                return refusal
            await asyncio.sleep(self.seconds)
            return httpx2.Response(200, json=self.answer(request.url.path))
        finally:
            self.now -= 1

    def answer(self, path: str) -> Any:
        """The body of an answer, in the form that belongs to the path."""
        return ANSWERS[path.rpartition("/")[2]]

    def wrap(self, network: httpx2.AsyncBaseTransport) -> httpx2.AsyncBaseTransport:
        """What an endpoint calls with the transport that would go to the network."""
        return self


class Inventory(Server):
    """Answers every question with taking inventory, and numbers its answers, so that each is like no other."""

    def answer(self, path: str) -> Any:
        call = {"function": {"name": "inventory", "arguments": json.dumps({"cards": [], "n": len(self.arrivals)})}}
        choice = {"message": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
        return {"model": "m", "choices": [choice], "usage": {"completion_tokens": 9}}


ANSWERS: dict[str, Any] = {
    "completions": {"model": "m", "choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]},
    "messages": {
        "type": "message", "model": "m", "content": [{"type": "text", "text": "hello"}], "stop_reason": "end_turn",
    },
    "responses": {
        "object": "response", "model": "m", "status": "completed",
        "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "hello"}]}],
    },
}  # fmt: skip


def refusal(status: int, code: str = "", message: str = "no", **headers: str) -> httpx2.Response:
    """A response of a server that says no; `retry_after="2"` becomes the header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, json={"error": {"message": message, "code": code}}, headers=named)
