"""Skill given compliance: who is how strong in the games in which the policy never had to move."""

from __future__ import annotations

from made import made_log

from harness.log import GameLog
from harness.ratings.compliant import Compliant, compliant
from harness.records import Header, SeatRecord

SEATS = {"A": ("x", "random", {}), "B": ("y", "merchant", {})}


def name(who: SeatRecord, header: Header) -> str:
    return who.name


def game(number: int, winner: str, *helped: str) -> GameLog:
    """A game on a deal of its own in which the policy moved for the seats of ``helped``."""
    decided = [(seat, ["overpay"] if seat in helped else ["accepted"]) for seat in "AB"]
    return made_log(SEATS, decided, deal=number, game=f"g{number}", winner=winner, attempts=1)


def found(*logs: GameLog) -> Compliant:
    return compliant(logs, name, {"x": "random", "y": "merchant"}, seed=1)


def test_the_share_of_own_games_is_each_ones_own() -> None:
    one = found(game(1, "A", "A"), game(2, "A"), game(3, "B", "A", "B"), game(4, "B"))
    assert {who: (share.part, share.whole) for who, share in one.own.items()} == {"x": (2, 4), "y": (3, 4)}
    assert one.told


def test_games_in_which_it_was_helped_are_left_out_for_it_alone() -> None:
    lost, won = [game(n, "B", "A") for n in range(6)], [game(n, "A", *"B" * (n == 6)) for n in range(6, 12)]
    one = found(*lost, *won)
    assert {who: standing.games for who, standing in one.standings.items()} == {"x": 6, "y": 11}
    assert one.standings["x"].rating > 0
    assert one.standings["y"].rating > -one.standings["x"].rating


def test_where_nobody_was_helped_there_is_nothing_to_tell() -> None:
    one = found(game(1, "A"), game(2, "B"))
    assert (one.standings, one.told) == ({}, False)


def test_where_every_game_was_helped_there_is_no_rating() -> None:
    one = found(game(1, "A", "A"), game(2, "B", "A"))
    assert (one.standings, one.told) == ({}, True)
    assert [(row["entrant"], row["rating"]) for row in one.to_json()] == [("x", None), ("y", None)]


def test_an_anchor_without_a_game_left_is_let_go() -> None:
    others = {"A": ("x", "random", {}), "B": ("z", "sloppy", {})}
    logs = [game(1, "A", "A"), *(made_log(others, [("A", ["accepted"])], deal=n, game=f"z{n}") for n in (2, 3))]
    one = compliant(logs, name, {"x": "random", "y": "merchant", "z": "sloppy"}, seed=1, anchor="y")
    assert one.standings["x"].games == 2
    assert one.standings["x"].rating > 0


def test_open_games_do_not_count() -> None:
    log = made_log(SEATS, [("A", ["overpay"])], winner=None)
    assert found(log, game(2, "B")).own["x"].whole == 1
