"""The key is taken out of what a server repeats, and a dummy out of nothing."""

from __future__ import annotations

import httpx2
import pytest
from virtual import Server, run

from harness.providers.network import Network
from harness.providers.outcomes import Heard
from harness.providers.profiles import make_profile

ANSWER = (
    b'{"choices": [{"message": {"tool_calls": [{"function": {"name": "market", "arguments": "{\\"payment\\": '
    b'[\\"junk\\", \\"spyglass\\"]}"}}]}}], "usage": {"prompt_tokens": 11, "completion_tokens": 9}}'
)


def heard(answer: bytes) -> bytes:
    """What is handed on of an answer."""

    async def ask() -> Heard:
        server = Server(lambda server, request: httpx2.Response(200, content=answer))
        network = Network(make_profile("compat", "m", "http://server/v1"), server.wrap)
        try:
            outcome = await network.post("/chat/completions", {}, 5.0)
        finally:
            await network.close()
        assert isinstance(outcome, Heard)
        return outcome

    return run(ask())[0].body


@pytest.mark.parametrize("key", ["", "1", "k", "x", "token", "EMPTY", "no-key", "market"])
def test_a_dummy_for_a_key_is_taken_out_of_no_answer(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("DALE_COMPAT_API_KEY", key)
    assert heard(ANSWER) == ANSWER


def test_a_key_is_taken_out_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DALE_COMPAT_API_KEY", "abcdEF12")
    assert heard(b'{"error": "abcdEF12, xabcdEF12x"}') == b'{"error": "[key], x[key]x"}'
