"""Positions built for what random play seldom meets, in both editions, with gold, and in the draft."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import Game


def at(sets: str, players: int = 2, accepted: tuple[Any, ...] = (), **state: Any) -> Game:
    """A position, and what A does first."""
    state = {"market_deck": ["cookies"] * 9 if "macaws" in sets else [], "market_discard": [], **state}
    return after({"players": players, "sets": sets.split(), "seed": 1, "state": state}, accepted)


def remastered(sets: str, *accepted: Any, players: int = 2, variant: str = "standard", **state: Any) -> Game:
    """A position of the remastered edition, and what A does first."""
    start = {"edition": "remastered", "variant": variant, "players": players, "sets": sets.split(), "seed": 1}
    return after({**start, "state": {"market_discard": [], **state}}, accepted)


def after(start: dict[str, Any], accepted: tuple[Any, ...]) -> Game:
    """A position after what A does first."""
    game = Game.from_position(start)
    for tool, arguments in accepted:
        assert game.propose("A", tool, arguments).accepted
    return game


def drafting(edition: str, players: int, said: int) -> Game:
    """The draft of a tournament game after so many bans and picks."""
    game = Game.new(edition=edition, variant="tournament", players=players, seed=said)
    for _ in range(said):
        game.apply(game.legal[said % len(game.legal)])
    return game


def use(card: str, **choices: Any) -> tuple[str, dict[str, Any]]:
    """An ability used."""
    return "ability", {"card": card, "choices": choices}


FOUR = [["junk"]] * 4
LOOK = {"hand": ["spyglass", "junk"], "deck": ["cookies", "junk", "swift_broker", "junk"]}
WINTER = {"hand": ["winter_is_coming", "bold_haggler", "acorn", "junk", "accordion"], "stall": FOUR}
SECRET = {"hand": ["blindfold", "junk", "charm"]}
CHAMELEONS = ["reflection", "good_old_times", "flexible_shopkeeper", "sound_detectors", "seeing_doubles"]
RARE: dict[str, Callable[[], Game]] = {
    "nothing in hand and nothing to buy": lambda: at(
        "macaws pandas raccoons", market=[None] * 5, A={"hand": [], "discard": []}
    ),
    "nothing in hand, cards discarded": lambda: at(
        "macaws pandas raccoons", A={"hand": [], "discard": ["spyglass", "junk"]}
    ),
    "the market discard alone can be paid for": lambda: at(
        "macaws pandas raccoons",
        market=[None] * 5,
        market_discard=["special_offer"],
        A={"hand": ["market_discovery"]},
    ),
    "only Stock Clearance to pay with": lambda: at(
        "macaws pandas raccoons", market=["swift_broker", None, None, None, None], A={"hand": ["stock_clearance"]}
    ),
    "a Nostalgic Item and a full discard pile": lambda: at(
        "squirrels pandas raccoons",
        A={"hand": ["nostalgic_item", "acorn"], "discard": ["junk", "junk", "nuisance"], "stall": FOUR},
    ),
    "looked-at cards to choose from": lambda: at(
        "macaws pandas raccoons", accepted=(("technique", {"card": "spyglass"}),), A=LOOK
    ),
    "looked-at cards to put back": lambda: at(
        "macaws pandas raccoons",
        accepted=(("technique", {"card": "spyglass"}), ("choose", {"choices": {"cards": ["cookies"]}})),
        A=LOOK,
    ),
    "a card to give back": lambda: at(
        "macaws pandas raccoons",
        accepted=(("technique", {"card": "dirty_exchange"}),),
        A={"hand": ["dirty_exchange", "junk", "cookies"]},
        B={"hand": ["spyglass"]},
    ),
    "a guess": lambda: at(
        "macaws pandas ocelots",
        accepted=(("technique", {"card": "blindfold", "choices": {"cards": ["junk"]}}),),
        A=SECRET,
    ),
    "a bonus stack": lambda: at(
        "macaws squirrels ocelots", accepted=(("stall", {"cards": ["winter_is_coming"]}),), A=WINTER
    ),
    "a copy to build as": lambda: at(
        "macaws chameleons ocelots",
        accepted=(("technique", {"card": "charm"}),),
        market=["spyglass", "charm", "cookies", "blindfold", "gamble"],
        market_deck=["trendsetting"],
        A={"hand": ["charm", "junk"], "stall": FOUR[:3]},
    ),
    "an ability rolled": lambda: at(
        "macaws pandas ocelots",
        accepted=(("ability", {"card": "bold_haggler"}),),
        A={"hand": ["bold_haggler", "market_discovery", "junk"]},
    ),
    "an ability with nothing to do": lambda: at(
        "raccoons pandas ocelots", market_deck=[], A={"hand": ["market_discovery", "new_season"], "discard": ["junk"]}
    ),
    "the end of a turn": lambda: at(
        "macaws pandas ocelots",
        accepted=(("inventory", {"cards": []}),),
        A={"hand": ["bold_haggler", "market_discovery", "junk"], "deck": ["junk"] * 9},
    ),
    "one player of three with a discard pile": lambda: at(
        "macaws pandas raccoons squirrels",
        players=3,
        A={"hand": ["treasure_hunter", "loyal_partner", "acorn"]},
        B={"discard": [], "stall": FOUR},
        C={"discard": ["cookies"]},
    ),
    "the first ban": lambda: drafting("classic", 2, 0),
    "a pick with sets banned and picked": lambda: drafting("remastered", 2, 3),
    "the last pick of four": lambda: drafting("classic", 4, 3),
    "gold to pay with": lambda: remastered(
        "macaws pandas ocelots",
        variant="tournament",
        market=["charm", "cookies", None, "spyglass", "loyal_partner"],
        A={"hand": ["junk", "exclusive_contacts", "essential_purchase"], "gold": 3},
    ),
    "gold and nothing else": lambda: remastered(
        "macaws pandas ocelots",
        variant="tournament",
        market=["cookies", None, None, None, None],
        A={"hand": [], "gold": 2},
    ),
    "chameleons that can copy": lambda: remastered(
        "macaws raccoons squirrels chameleons",
        players=3,
        market=["cookies", "acorn", None, None, None],
        market_deck=["spyglass"],
        A={"hand": CHAMELEONS, "stall": [["cookies"], ["nuisance", "acorn"]]},
        B={"hand": [], "deck": ["junk"], "discard": []},
        C={"hand": ["junk"], "deck": [], "discard": []},
    ),
    "chameleons without anything to copy": lambda: remastered(
        "macaws raccoons chameleons",
        market=[None] * 5,
        market_deck=[],
        A={"hand": [*CHAMELEONS, "trendsetting"]},
        B={"hand": [], "deck": [], "discard": []},
    ),
    "a lone chameleon": lambda: remastered(
        "macaws raccoons chameleons", market=[None] * 5, A={"hand": ["seeing_doubles"]}, B={"discard": ["cookies"]}
    ),
    "two of a chameleon": lambda: remastered(
        "macaws raccoons chameleons",
        use("seeing_doubles#1", cards=["treasure_hunter"]),
        A={"hand": ["seeing_doubles", "seeing_doubles", "treasure_hunter", "nuisance"]},
        B={"discard": []},
    ),
    "a chameleon that copied a chameleon": lambda: remastered(
        "macaws raccoons pandas chameleons",
        use("trendsetting", slots=["slot_0"]),
        players=3,
        market=["reflection", "cookies", None, None, None],
        A={"hand": ["trendsetting", "junk"]},
        B={"deck": [], "discard": ["treasure_hunter"]},
        C={"deck": [], "discard": []},
    ),
    "cards shown to Sound Detectors": lambda: remastered(
        "macaws raccoons chameleons",
        use("sound_detectors", opponents=["B"]),
        A={"hand": ["sound_detectors", "junk"]},
        B={"hand": ["cookies", "spyglass"]},
    ),
    "a value to set": lambda: remastered(
        "macaws pandas ocelots",
        ("technique", {"card": "blindfold", "choices": {"value": 2}}),
        A={"hand": ["blindfold"], "deck": ["cookies"]},
    ),
    "a source that is empty": lambda: remastered(
        "macaws raccoons pandas squirrels",
        players=3,
        market=[None] * 5,
        A={"hand": ["treasure_hunter", "nuisance", "loyal_partner"]},
        B={"deck": ["junk"], "discard": []},
        C={"deck": [], "discard": []},
    ),
    "an ability used, another not": lambda: remastered(
        "macaws chameleons ocelots",
        use("bold_haggler"),
        A={"hand": ["bold_haggler", "bold_haggler", "sound_detectors", "cookies"]},
        B={"hand": ["junk"]},
    ),
    "Cookies at the end of a turn": lambda: remastered(
        "macaws chameleons ocelots",
        ("inventory", {"cards": []}),
        A={"hand": ["cookies", "cookies", "bold_haggler", "reflection", "junk"], "deck": ["junk"] * 3},
    ),
}
