"""The key is taken out of what a server repeats, and a dummy out of nothing."""

from __future__ import annotations

import json

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


def heard(answer: bytes, name: str = "compat") -> bytes:
    """What is handed on of an answer."""

    async def ask() -> Heard:
        server = Server(lambda server, request: httpx2.Response(200, content=answer))
        network = Network(make_profile(name, "m", "http://server/v1"), server.wrap)
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


HARD = "sk-SE/CR<E>T&k'e\"y\\=+x~"
SPELLINGS = {
    "JSON": json.dumps(HARD),
    "PHP": json.dumps(HARD).replace("/", r"\/"),
    "Go": json.dumps(HARD).replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026"),
    "Ruby": json.dumps(HARD).replace("'", r"\u0027").replace("+", r"\u002B").replace("/", r"\u002F"),
    "all": '"' + "".join(f"\\u{ord(letter):04x}" for letter in HARD) + '"',
}


@pytest.mark.parametrize("spelling", list(SPELLINGS.values()), ids=list(SPELLINGS))
def test_a_key_is_taken_out_however_json_spells_it(monkeypatch: pytest.MonkeyPatch, spelling: str) -> None:
    assert json.loads(spelling) == HARD
    monkeypatch.setenv("DALE_COMPAT_API_KEY", HARD)
    assert heard(b'{"error": "Incorrect: %b"}' % spelling[1:-1].encode()) == b'{"error": "Incorrect: [key]"}'


def test_a_key_is_taken_out_of_an_error_that_a_gateway_passes_on_inside_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DALE_COMPAT_API_KEY", "sk-SECRET/k&y")
    body = json.dumps({"message": "bad sk-SECRET/k&y"}).replace("/", r"\/").replace("&", r"\u0026")
    for _ in range(3):
        body = json.dumps({"error": {"metadata": {"raw": body}}}).replace("/", r"\/")
        assert b"SECRET" not in heard(body.encode())
    assert heard(b"\\" * 200_000) == b"\\" * 200_000


def test_what_is_secret_in_headers_of_the_environment_is_taken_out_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gateway-Token: Bearer TOP/SECRET\nX-Title: Dale of Merchants")
    answer = rb'{"error": "TOP\/SECRET, sk-0123456789 of Dale of Merchants"}'
    assert heard(answer, "openai") == b'{"error": "[key], [key] of Dale of Merchants"}'


def test_a_key_is_taken_out_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DALE_COMPAT_API_KEY", "abcdEF12")
    assert heard(b'{"error": "abcdEF12, xabcdEF12x"}') == b'{"error": "[key], x[key]x"}'
