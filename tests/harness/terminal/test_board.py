"""The table as text: everything a person decides by is on it, at every width, and it fits 80 x 24 where it can.

The files in golden/board hold it whole; they are written anew when DALE_UPDATE_GOLDEN is set.
"""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile import HOSTILE
from rich.cells import cell_len

from engine import Game
from harness import prompts
from harness.terminal.board import board
from harness.terminal.cells import hanging
from harness.terminal.table import Opened, Table

GOLDEN = Path(__file__).parents[1] / "golden" / "board"
LANGUAGES = prompts.languages()
NAMES = {"A": "you", "B": "merchant", "C": "openai:gpt-7-mini", "D": "sloppy:0.1"}
ROOM = 21
"""Lines the full screen has in a window of 24 lines besides its input; three of them are for messages."""

HAND = ["junk", "shattered_relic", "junk", "favourite_toy", "winter_is_coming", "cookies", "reflection"]
CROWDED: dict[str, Any] = {
    "edition": "classic",
    "players": 4,
    "sets": ["macaws", "pandas", "raccoons", "squirrels", "chameleons"],
    "seed": 1,
    "turn": "B",
    "state": {
        "market": ["spyglass", "cookies", None, "stock_clearance", "flexible_shopkeeper"],
        "market_deck": ["rotten_food", "prepaid_good"],
        "market_discard": ["loyal_partner", "acorn", "nostalgic_item", "dirty_exchange", "swift_broker"],
        "junk_pile": 3,
        "A": {
            "hand": ["junk", "junk"],
            "deck": ["junk"],
            "discard": ["cookies", "spyglass"],
            "stall": [["swift_broker"], ["empty_chest"]],
        },
        "B": {
            "hand": [*HAND, "essential_purchase", "market_discovery", "trendsetting"],
            "deck": ["wily_fellow", "junk"],
            "discard": ["treasure_hunter", "junk", "junk", "accordion", "sabotage", "gift_voucher"],
            "stall": [
                ["stashing_vendor"],
                ["loyal_partner", "wily_fellow"],
                ["shattered_relic"],
                ["good_old_times", "flexible_shopkeeper"],
                ["flashy_show"],
                ["special_offer", "loyal_partner"],
                ["nostalgic_item", "empty_chest", "stashing_vendor", "stashing_vendor"],
            ],
        },
        "C": {"hand": [], "deck": [], "discard": [], "stall": []},
        "D": {"hand": ["junk"] * 7, "deck": [], "discard": ["acorn"], "stall": [["wily_fellow"]]},
    },
}


def midgame(players: int, seed: int, steps: int, variant: str = "standard") -> Game:
    game = Game.new(players, None, seed, variant=variant)
    source = random.Random(seed)
    for _ in range(steps):
        if game.decision is None:
            break
        game.apply(game.legal[source.randrange(len(game.legal))])
    return game


def table(game: Game, language: str = "en", names: dict[str, str] = NAMES, opened: bool = False) -> Table:
    seat = game.decision.seat if game.decision is not None else game.seats[0]
    position: dict[str, Any] = game.position()
    hidden = Opened(
        {one: game.observe(one)["hand"] for one in game.seats},
        {one: position[one]["deck"] for one in game.seats},
        position["market_deck"],
    )
    return Table(game.observe(seat), names, prompts.load(language), hidden if opened else None)


def text(shown: Table, width: int, height: int | None = None) -> str:
    return "\n".join(line.plain.rstrip() for line in board(shown, width, height))


def looked_at() -> Game:
    """Spyglass was played: three cards are offered."""
    own = {"hand": ["spyglass"], "deck": ["cookies", "nuisance", "junk"]}
    game = Game.from_position(CROWDED | {"players": 2, "sets": CROWDED["sets"][:3], "turn": "A", "state": {"A": own}})
    assert game.propose("A", "technique", {"card": "spyglass"}).accepted
    offered: Any = game.observe("A")["offered"]
    assert len(offered) == 3
    return game


POSITIONS = {
    "opening": lambda: Game.new(2, ["macaws", "pandas", "raccoons"], 4),
    "crowded": lambda: Game.from_position(CROWDED),
    "offered": looked_at,
    "draft": lambda: midgame(3, 2, 2, "tournament"),
    "over": lambda: midgame(2, 1, 5000),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", POSITIONS)
def test_the_table_stands_as_on_record(name: str, language: str) -> None:
    game = POSITIONS[name]()
    everything = table(game, language, opened=True)
    shown = "\n".join(
        f"== {title}\n{told}\n"
        for title, told in {
            "80 x 18": text(table(game, language), 80, 18),
            "80 x 12": text(table(game, language), 80, 12),
            "120": text(table(game, language), 120),
            "everything, 100": text(everything, 100),
        }.items()
    )
    path = GOLDEN / f"{name}.{language}.txt"
    if os.environ.get("DALE_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == shown, "run again with DALE_UPDATE_GOLDEN=1 if the change is meant"


def positions() -> Iterator[Game]:
    for players, seed, steps in itertools.product((2, 3, 4), (1,), (0, 25, 150)):
        yield midgame(players, seed, steps)
    yield Game.from_position(CROWDED)


def test_no_line_is_longer_than_the_width_nor_has_signs_that_windows_lacks() -> None:
    for game, language, width in itertools.product(positions(), LANGUAGES, (80, 133)):
        for height, opened in itertools.product((None, 24, 12), (False, True)):
            lines = [line.plain for line in board(table(game, language, opened=opened), width, height)]
            assert max(map(cell_len, lines)) <= width
            assert "\n".join(lines).encode("cp1252")


def test_everything_the_hand_and_the_market_hold_is_named_with_cost_and_value_however_little_room_there_is() -> None:
    for game, height in itertools.product(positions(), (None, 17, 5)):
        shown = table(game)
        told = text(shown, 80, height)
        words = told.replace("(", " ").replace(")", " ").split()
        for card in {entry["card"] for entry in shown.seen["hand"]}:
            assert card in words
        for slot in filter(None, shown.seen["market"]):  # cost, name and value stand behind each other
            where = words.index(slot["slot"])
            assert str(slot["cost"]) == words[where + 1]
            assert slot["card"] == words[where + 2]
            assert str(slot["value"]) == words[where + 3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_for_two_with_an_ordinary_hand_fits_80_by_24_with_its_effects(language: str) -> None:
    for seed, steps in itertools.product(range(1, 6), (0, 20, 60, 140)):
        game = midgame(2, seed, steps)
        shown = table(game, language)
        lines = board(shown, 80, ROOM - 3)
        assert len(lines) <= ROOM - 3
        if len(shown.seen["hand"]) <= 6:
            brief = shown.texts.card("classic", shown.seen["hand"][0]["card"].partition("#")[0]).brief
            assert brief[:20] in text(shown, 80, ROOM - 3)


def test_four_players_with_large_hands_fit_80_by_24_shortened() -> None:
    lines = board(table(Game.from_position(CROWDED)), 80, ROOM - 3)
    assert len(lines) <= ROOM - 3
    assert any("…" in line.plain for line in lines)


def test_more_room_shows_more() -> None:
    shown = table(Game.from_position(CROWDED))
    sizes = [len(board(shown, 80, height)) for height in (14, 18, 24, 32, None)]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 3
    assert "…" not in text(shown, 80)


def test_who_decides_and_what_stands_in_the_first_line() -> None:
    game = Game.from_position(CROWDED)
    assert text(table(game), 80).startswith("Round 1  your decision: an action")
    other = Table(game.observe("A"), NAMES, prompts.load("en"))
    assert text(other, 80).startswith("Round 1  merchant (B) decides: an action")
    assert "\n> B merchant: hand 10, deck 2" in text(other, 80)


def test_the_set_and_the_kind_of_a_card_are_letters_beside_their_colours() -> None:
    told = text(table(POSITIONS["opening"]()), 80)
    assert "1 MAC T+ Discard" in told
    assert "1 ---" in told


@pytest.mark.parametrize("name", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_name_is_only_a_name(name: str) -> None:
    game = Game.from_position(CROWDED)
    for height in (None, 12):
        told = text(table(game, names={seat: name for seat in "ABCD"}), 80, height)
        assert "\x1b" not in told
        assert all(cell_len(line) <= 80 for line in told.split("\n"))
        assert all(sign.isprintable() for sign in told.replace("\n", ""))


def test_a_seat_is_shown_no_hand_but_its_own() -> None:
    game = Game.from_position(CROWDED)
    seen = text(Table(game.observe("C"), NAMES, prompts.load("en")), 80)
    assert "trendsetting" not in seen
    assert "trendsetting 5" in text(table(game, opened=True), 80)


def test_what_is_broken_goes_on_below_where_it_began() -> None:
    assert hanging("- one two three", 9) == ["- one two", "  three"]
    assert hanging("  word    what it says of it", 20) == ["  word    what it", "          says of it"]
    assert hanging("a  b\n\nplain words only", 11) == ["a  b", "", "plain words", "only"]
    assert hanging("x" * 12, 5) == ["xxxxx", "xxxxx", "xx"]


def test_the_portuguese_table_keeps_to_gender_and_number() -> None:
    drafting = Game.new(players=2, sets=None, seed=1, variant="tournament")
    assert {"banidos: nenhum", "escolhidos: nenhum"} <= set(text(table(drafting, "pt-BR"), 80).split("\n"))
    market: list[str | None] = ["cookies", "cookies", "cookies", "cookies", None]
    for slots, told in ((market, "slot_4: vazio"), ([*market[:3], None, None], "slot_3, slot_4: vazios")):
        sets = ["macaws", "pandas", "raccoons"]
        game = Game.from_position({"players": 2, "sets": sets, "state": {"market": slots, "market_deck": []}})
        assert told in text(table(game, "pt-BR"), 80).split("\n")
