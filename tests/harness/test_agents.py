from __future__ import annotations

import pytest

from harness.agents.spec import KINDS, create_agent, parse_spec
from harness.errors import UserError


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "merchant",
        "sloppy:0.1",
        "human",
        "local",
        "local?level=L0&rulebook=brief",
        "openai:gpt-5.4-mini?level=L1&temperature=0.5",
        "anthropic:claude-sonnet-5",
        "compat:qwen/qwen3:8b@http://127.0.0.1:8101/v1",
        "compat:a@b@https://host/v1?deadline=2.5&strict=true",
        "replay:C:/logs/a b.jsonl?seat=B",
    ],
)
def test_canonical_text_parses_back(text: str) -> None:
    spec = parse_spec(text)
    assert str(spec) == text
    assert parse_spec(str(spec)) == spec


def test_parts_and_defaults() -> None:
    spec = parse_spec(" compat:org/m@v1@http://127.0.0.1:8101/v1/?menu_limit=40&level=L0 ")
    assert (spec.argument, spec.base_url) == ("org/m@v1", "http://127.0.0.1:8101/v1")
    assert spec.options == {"menu_limit": 40, "level": "L0"}
    assert str(spec) == "compat:org/m@v1@http://127.0.0.1:8101/v1?level=L0&menu_limit=40"
    resolved = spec.resolved()
    assert resolved["output_mode"] is None
    assert resolved["schema_mode"] == "static"
    assert resolved["temperature"] is None
    assert parse_spec("local").resolved()["rulebook"] == "brief"
    assert parse_spec("openai:m").resolved()["rulebook"] is None
    assert str(parse_spec("sloppy:.10")) == "sloppy:0.1"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rnadom", "did you mean 'random'"),
        ("gpt", "there are: random, merchant, sloppy, openai"),
        ("random:3", "takes nothing after a colon"),
        ("random?x=1", "it has no options"),
        ("sloppy:2", "from 0 to 1"),
        ("sloppy:nan", "from 0 to 1"),
        ("openai:", "write openai:MODEL"),
        ("compat:model", "needs the address of its server"),
        ("compat:model@ftp://x", "needs the address of its server"),
        ("local?levl=L0", "did you mean 'level'"),
        ("local?level=L9", "must be one of L0, L1, L2, L3, L4, L5, not 'L9'"),
        ("local?strict=yes", "must be true or false"),
        ("local?menu_limit=1", "an integer of at least 2"),
        ("local?temperature=inf", "a number of at least 0"),
        (f"local?max_output_tokens={'9' * 400}", "an integer of at least 1"),
        ("local?level", "has no value: write level=L0"),
        ("local?level=L0&level=L1", "given twice"),
    ],
)
def test_a_wrong_spec_says_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        parse_spec(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_option_has_help_and_a_value_of_its_type() -> None:
    for kind in KINDS.values():
        assert kind.help.endswith(".")
        for option in kind.options:
            assert option.help
            assert option.default is None or parse_spec_value(option.name, option.default, kind.name) == option.default


def parse_spec_value(name: str, value: object, kind: str) -> object:
    shown = str(value).lower() if isinstance(value, bool) else value
    argument = {"none": "", "optional": "", "required": ":m"}[KINDS[kind].argument]
    address = "@http://h" if KINDS[kind].base_url else ""
    return parse_spec(f"{kind}{argument}{address}?{name}={shown}").options[name]


def test_replay_refuses_what_is_no_log() -> None:
    with pytest.raises(UserError, match="cannot read the game log"):
        create_agent(parse_spec("replay:/no/such/file.jsonl"))
