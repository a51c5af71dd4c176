"""Profile files: what may stand in them, and what is refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UserError
from harness.providers.profile_file import profile_text, read_profile_file
from harness.providers.profiles import make_profile

URL = "http://127.0.0.1:1/v1"


def written(folder: Path, text: str) -> str:
    path = folder / "server.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    fields = {"api": "responses", "output_mode": "json_schema", "forced_tool": True, "deadline_s": 2.5, "retries": 0}
    text = profile_text(fields, ("What was found of m\nand more \x1b[31m",))
    assert text.startswith("# What was found of m and more [31m\napi = ")
    assert read_profile_file(written(tmp_path, text)) == fields


def test_a_file_stands_between_the_kind_and_what_the_spec_says(tmp_path: Path) -> None:
    text = 'api = "chat"\nforced_tool = true\nmax_output_tokens = 50\nkey_env = "MY_KEY"\ndeadline_s = 3\n'
    file = read_profile_file(written(tmp_path, text))
    profile = make_profile("openai", "gpt", URL, file=file, max_output_tokens=60)
    assert (profile.api, profile.forced_tool, profile.max_output_tokens) == ("chat", True, 60)
    assert (profile.key_env, profile.deadline_s) == ("MY_KEY", 3)
    assert profile.reasoning_effort == "none", "what the other wire format changes holds, too"
    assert make_profile("openai", "gpt", URL, file=file, api="responses").api == "responses"


SECRET = "sk-CANARY-0123456789"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("api = ", "is not valid TOML"),
        ("forced_tol = true", "unknown field 'forced_tol'; did you mean 'forced_tool'?; there are: api, "),
        ("[forced]\ntool = true", "unknown field 'forced'"),
        ('forced_tool = "yes"', "wrong at 'forced_tool': Input should be a valid boolean"),
        ("retries = true", "wrong at 'retries'"),
        ("retries = -1", "wrong at 'retries': it must be at least 0"),
        ("rpm = 0", "wrong at 'rpm': it must be at least 1"),
        ("tpm = -5", "wrong at 'tpm': it must be at least 1"),
        ("temperature = nan", "wrong at 'temperature': it must be a finite number"),
        ("temperature = inf", "wrong at 'temperature': it must be a finite number"),
        ("max_wait_s = nan", "wrong at 'max_wait_s': it must be a finite number"),
        ("deadline_s = inf", "wrong at 'deadline_s': it must be a finite number"),
        (f"max_output_tokens = {'9' * 400}", "wrong at 'max_output_tokens': it must be a finite number"),
        (
            'output_mode = "xml"',
            "wrong at 'output_mode': Input should be 'tools', 'json_schema', 'json_object' or 'text'",
        ),
        ('base_url = "http://x/v1"', "sets 'base_url', which the agent's own text says"),
        ('model = "m"', "sets 'model'"),
        (f'api_key = "{SECRET}"', "holds a key in 'api_key': keys come from the environment only"),
        (f'key = "{SECRET}"', "holds a key in 'key'"),
        (f'key_env = "{SECRET}"', "holds a key in 'key_env'"),
        ('key_env = "my key"', "must name an environment variable in key_env"),
    ],
)
def test_what_a_file_may_not_hold(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserError) as caught:
        read_profile_file(path)
    told = str(caught.value)
    assert says in told
    assert path in told
    assert "\n" not in told
    assert told.endswith(".")
    assert "CANARY" not in told


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read the profile file .*No such file"):
        read_profile_file(str(tmp_path / "nothing.toml"))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="cannot read the profile file"):
        read_profile_file(str(tmp_path / "binary.toml"))


@pytest.mark.parametrize("path", ["~nobody-of-this-name/p.toml", "a\0b.toml"])
def test_a_path_that_no_file_can_have(path: str) -> None:
    with pytest.raises(UserError, match=r"^cannot read the profile file .*[^.]\.$"):
        read_profile_file(path)
