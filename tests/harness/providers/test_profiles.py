"""The profiles that come with the program, and where keys and addresses come from."""

from __future__ import annotations

import json

import pytest

from harness.errors import UserError
from harness.providers.profiles import NO_KEY, make_profile, preflight_key, read_key


@pytest.mark.parametrize(
    ("name", "key", "url"), [("openai", "OPENAI", "https://api.openai.com/v1"), ("anthropic", "ANTHROPIC", "https://api.anthropic.com")]
)  # fmt: skip
def test_key_and_address_of_the_providers(monkeypatch: pytest.MonkeyPatch, name: str, key: str, url: str) -> None:
    monkeypatch.delenv(f"{key}_BASE_URL", raising=False)
    monkeypatch.delenv(f"{key}_API_KEY", raising=False)
    profile = make_profile(name, "m")
    assert profile.base_url == url
    with pytest.raises(UserError, match=f"set the environment variable {key}_API_KEY"):
        preflight_key(profile)
    monkeypatch.setenv(f"{key}_API_KEY", " sk-CANARY\n")
    assert read_key(profile) == "sk-CANARY"
    assert "CANARY" not in json.dumps(profile.to_json())
    monkeypatch.setenv(f"{key}_BASE_URL", "http://127.0.0.1:9/v1")
    assert make_profile(name, "m").base_url == "http://127.0.0.1:9" + ("/v1" if name == "openai" else "")
    assert make_profile(name, "m", "http://127.0.0.1:8").base_url == "http://127.0.0.1:8"


def test_a_compatible_server_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DALE_COMPAT_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-CANARY")
    profile = make_profile("compat", "m", "http://127.0.0.1:8/v1")
    assert read_key(profile) == NO_KEY
    monkeypatch.setenv("DALE_COMPAT_API_KEY", "k")
    assert read_key(profile) == "k"


def test_a_key_that_cannot_be_sent_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-\u2026")
    with pytest.raises(UserError, match="OPENAI_API_KEY holds characters"):
        preflight_key(make_profile("openai", "m"))


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000", "ftp://h/v1", "http://", "http://[::1", "nonsense",
        "http://h:99999/v1", "http://h:abc/v1", "http://h:0/v1",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    with pytest.raises(UserError, match="address of the server must be an address such as"):
        make_profile("compat", "m", url)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(UserError, match="variable OPENAI_BASE_URL must be an address such as"):
        make_profile("openai", "m")


@pytest.mark.parametrize("url", ["https://me:sk-CANARY@h/v1", "https://h/v1?key=sk-CANARY"])
def test_an_address_with_a_secret_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(UserError, match="must not hold") as caught:
        make_profile("compat", "m", url)
    assert "CANARY" not in str(caught.value)


def test_changes_win_and_none_changes_nothing() -> None:
    profile = make_profile("local", base_url="http://127.0.0.1:8/v1", deadline_s=None, max_output_tokens=9)
    assert (profile.deadline_s, profile.max_output_tokens, profile.model) == (300.0, 9, "smollm2-135m")
