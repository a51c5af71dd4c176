"""Every generated tool schema keeps to the subset all providers accept (contract section 3, "Schemas")."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine import EDITIONS, TOOLS, EngineError, FormatFault, Game, Verdict, catalogue

KEYWORDS = {
    "object": {"type", "properties", "required", "additionalProperties"},
    "array": {"type", "items"},
    "string": {"type", "enum"},
    "integer": {"type"},
    "boolean": {"type"},
}


def lint(schema: dict[str, Any], objects: int = 1) -> int:
    """Hold one schema to the subset; the number of values in its enums."""
    if "anyOf" in schema:
        assert list(schema) == ["anyOf"]
        inner, null = schema["anyOf"]
        assert null == {"type": "null"}
        assert "anyOf" not in inner
        return lint(inner, objects)
    kind = schema["type"]
    assert set(schema) <= KEYWORDS[kind], schema
    if kind == "object":
        assert objects <= 3
        assert set(schema) == KEYWORDS[kind]
        assert schema["additionalProperties"] is False
        assert sorted(schema["required"]) == sorted(schema["properties"])
        return sum(lint(part, objects + 1) for part in schema["properties"].values())
    if kind == "array":
        assert schema["items"].get("type") in ("string", "object"), schema
        return lint(schema["items"], objects)
    values = schema.get("enum", [])
    assert "enum" not in schema or 0 < len(values) <= 200
    assert len(set(values)) == len(values)
    assert all(isinstance(value, str) for value in values)
    return len(values)


def lint_tools(tools: list[dict[str, Any]]) -> None:
    """Hold the tools of one request to the subset."""
    assert len({tool["name"] for tool in tools}) == len(tools)
    total = 0
    for tool in tools:
        assert list(tool) == ["name", "parameters"]
        assert tool["parameters"]["type"] == "object"
        total += lint(tool["parameters"])
    assert total <= 800


def walk(players: int, seed: int, decisions: int, edition: str) -> Iterator[Game]:
    """A random game, stopped at each of its first decisions."""
    game = Game.new(players=players, seed=seed, edition=edition)
    chance = random.Random(seed)
    for _ in range(decisions):
        if game.over:
            return
        yield game
        legal = game.legal
        game.apply(legal[chance.randrange(len(legal))])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_schemas_of_random_games(players: int, edition: str) -> None:
    for game in walk(players, seed=players, decisions=150, edition=edition):
        for level in ("L0", "L1", "L2"):
            lint_tools(game.tools(level))


def test_the_schemas_of_a_crowded_hand(position: Callable[..., Game]) -> None:
    game = position(
        players=4,
        sets="macaws squirrels ocelots chameleons raccoons",
        market=["blindfold", "charm", "acorn", "spyglass", "gamble"],
        market_discard=["bold_haggler"],
        A={
            "hand": [
                "junk",
                "spyglass",
                "accordion",
                "nostalgic_item",
                "reflection",
                "reflection",
                "trendsetting",
                "seeing_doubles",
                "good_old_times",
                "flexible_shopkeeper",
                "blindfold",
                "swift_broker",
            ],
            "discard": ["cookies", "junk", "reflection", "nuisance"],
            "stall": [["swift_broker"], ["cookies"]],
        },
        B={"discard": ["whirligig"], "stall": [["swift_broker"], ["junk", "cookies"]]},
        C={"discard": ["good_old_times"], "stall": [["stashing_vendor"]]},
        D={"discard": ["winter_is_coming"]},
    )
    lint_tools(game.tools("L1"))
    lint_tools(game.tools("L2"))


def test_cards_are_any_strings_where_the_enums_had_more_values_than_a_request_may_have(
    position: Callable[..., Game],
) -> None:
    sets = "macaws squirrels ocelots chameleons raccoons"
    every = ["junk", *(card.slug for card in catalogue("classic") if card.set in sets.split())]
    assert len(every) == 31

    def tools_of(cards: int) -> list[dict[str, Any]]:
        others = {
            seat: {"discard": every, "stall": [[card] for card in every[7 * place + 1 : 7 * place + 8]]}
            for place, seat in enumerate("BCD")
        }
        mine = {"hand": every[-cards:], "discard": every}
        market = ["cookies", "spyglass", "nuisance", "acorn", "charm"]
        game = position(players=4, sets=sets, market=market, market_discard=every, A=mine, **others)
        return game.tools("L1")

    few, many = tools_of(8), tools_of(31)
    for tools in (few, many):
        lint_tools(tools)
    assert few[0]["parameters"]["properties"]["payment"]["items"]["enum"] == every[-8:]
    assert many[0]["parameters"]["properties"]["payment"]["items"] == {"type": "string"}
    assert many[0]["parameters"]["properties"]["source"]["enum"] == [f"slot_{slot}" for slot in range(5)]


def test_the_static_tools_are_the_eight_of_section_1() -> None:
    game = Game.new(players=3, seed=1)
    tools = {tool["name"]: tool["parameters"]["properties"] for tool in game.tools("L2")}
    assert tuple(tools) == TOOLS
    assert {name: list(fields) for name, fields in tools.items()} == {
        "market": ["source", "payment", "throw_away", "copies"],
        "technique": ["card", "choices", "copies"],
        "stall": ["cards", "from_discard", "stack", "adjust", "copies"],
        "inventory": ["cards"],
        "ability": ["card", "choices", "copies"],
        "choose": ["choices"],
        "skip": [],
        "end_turn": [],
    }
    choices = tools["choose"]["choices"]["properties"]
    assert list(choices) == ["cards", "opponents", "slots", "stack", "value", "option"]
    assert choices["opponents"]["anyOf"][0]["items"]["enum"] == ["A", "B", "C"]
    assert tools["market"]["source"]["enum"] == ["slot_0", "slot_1", "slot_2", "slot_3", "slot_4", "market_discard"]


def test_the_static_tools_are_the_same_at_every_decision() -> None:
    first = Game.new(players=2, seed=8).tools("L2")
    assert all(game.tools("L2") == first for game in walk(2, seed=8, decisions=60, edition="classic"))
    assert all(game.tools("L0") == first_menu(game) for game in walk(2, seed=8, decisions=60, edition="classic"))


def first_menu(game: Game) -> list[dict[str, Any]]:
    """The one tool of L0."""
    return [
        {
            "name": "act",
            "parameters": {
                "type": "object",
                "properties": {"entry": {"type": "integer"}},
                "required": ["entry"],
                "additionalProperties": False,
            },
        }
    ]


def test_guided_tools_name_only_what_can_occur(position: Callable[..., Game], accept: Callable[..., Verdict]) -> None:
    game = position(
        A={"hand": ["spyglass", "junk", "cookies"], "deck": ["junk", "nuisance", "rotten_food"]},
        market=["cookies", None, "nuisance", None, None],
    )
    tools = {tool["name"]: tool["parameters"]["properties"] for tool in game.tools("L1")}
    assert sorted(tools) == ["inventory", "market", "stall", "technique_spyglass"]
    assert tools["market"]["source"]["enum"] == ["slot_0", "slot_2"]
    assert tools["market"]["payment"]["items"]["enum"] == ["spyglass", "junk", "cookies"]
    assert tools["technique_spyglass"] == {}
    accept(game, "A", "technique", card="spyglass")
    (choose,) = game.tools("L1")
    assert choose["name"] == "choose"
    assert sorted(choose["parameters"]["properties"]["cards"]["items"]["enum"]) == ["junk", "nuisance", "rotten_food"]


@pytest.mark.parametrize(
    ("level", "name", "arguments", "code"),
    [
        ("L0", "market", {}, "unknown_action"),
        ("L0", "act", {}, "malformed_arguments"),
        ("L0", "act", {"entry": -1}, "malformed_arguments"),
        ("L0", "act", {"entry": 100_000}, "malformed_arguments"),
        ("L0", "act", {"entry": True}, "malformed_arguments"),
        ("L0", "act", {"entry": "3"}, "malformed_arguments"),
        ("L1", "trade", {}, "unknown_action"),
        ("L2", "trade", {}, "unknown_action"),
        ("L2", "act", {"entry": 0}, "unknown_action"),
        ("L2", "technique_spyglass", {}, "unknown_action"),
        ("L1", "market", [], "malformed_arguments"),
        ("L2", "market", "slot_0", "malformed_arguments"),
    ],
)
def test_a_call_that_cannot_be_read_is_a_fault_of_form(level: str, name: str, arguments: Any, code: str) -> None:
    with pytest.raises(FormatFault) as caught:
        Game.new(players=2, seed=1).translate(level, name, arguments)
    assert caught.value.code == code
    assert caught.value.message


def test_a_tool_that_is_not_usable_now_goes_to_the_engine() -> None:
    game = Game.new(players=2, seed=1)
    assert game.translate("L1", "end_turn", {}) == ("end_turn", {})
    assert game.translate("L1", "technique_magnet", {}) == ("technique", {"card": "magnet", "choices": {}})
    assert game.translate("L2", "skip", {}) == ("skip", {})


def test_from_l2_on_the_levels_differ_in_what_is_told_not_in_what_can_be_said() -> None:
    for game in walk(2, seed=8, decisions=25, edition="remastered"):
        for level in ("L3", "L4", "L5"):
            assert game.tools(level) == game.tools("L2")
            assert game.express(level, 0) == game.express("L2", 0)
            assert game.translate(level, "skip", {}) == ("skip", {})
            with pytest.raises(FormatFault):
                game.translate(level, "act", {"entry": 0})


def test_a_level_there_is_not_is_named_with_those_there_are() -> None:
    with pytest.raises(EngineError, match=r"no level 'L6': the levels are L0, L1, L2, L3, L4, L5"):
        Game.new(players=2, seed=1).tools("L6")
