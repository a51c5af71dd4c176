"""Watching logged games in plain lines: every step, whose view it is, what was illegal and why; running games too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile import EVERYTHING
from watched_games import edited, scripted, slips

from engine import Game
from harness import prompts, render
from harness.cli.app import run
from harness.errors import UserError
from harness.log import read_log
from harness.records import AttemptRecord, DecisionRecord, OutcomeRecord
from harness.terminal.board import board
from harness.terminal.following import Followed, glance, running
from harness.terminal.walk import Walk
from harness.terminal.watch_lines import LineWatcher
from harness.terminal.watched import Step, WatchedGame, next_step, table_of

TEXTS = prompts.load("en")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return slips(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def steps(game: Path) -> list[Step]:
    return WatchedGame.of(read_log(game)).steps


def lines(games: list[Path], *typed: str, seat: str | None = None, language: str = "en") -> str:
    """What is written while these lines are typed."""
    written: list[str] = []
    waiting: Iterator[str] = iter(typed)
    watcher = LineWatcher(games, prompts.load(language), lambda prompt: next(waiting, None), written.append)
    watcher.run(seat)
    return "\n".join(written)


def test_every_decision_and_every_failed_attempt_is_a_step(game: Path, steps: list[Step]) -> None:
    log = read_log(game)
    assert steps[0].record is None
    failed = [record for record in log.attempts if record.result != "accepted"]
    assert [step.record for step in steps if isinstance(step.record, AttemptRecord)] == failed
    assert [step.record for step in steps if isinstance(step.record, DecisionRecord)] == log.decisions
    assert steps[-1].record == log.outcome
    assert len(steps) == 2 + len(failed) + len(log.decisions)


def test_a_step_shows_the_position_in_which_it_was_made(steps: list[Step]) -> None:
    for step in steps:
        if isinstance(step.record, AttemptRecord | DecisionRecord):
            assert step.game.decision is not None
            assert step.game.decision.seat == step.record.seat


def places(steps: list[Step], by: Any, way: int, seat: str | None = None) -> list[int]:
    place: int | None = 0 if way > 0 else len(steps) - 1
    found = []
    while (place := next_step(steps, place, by, way, seat)) is not None:
        found.append(place)
    return found


@pytest.mark.parametrize("seat", [None, "A", "B"])
def test_walking_back_meets_the_steps_that_walking_on_has_met(steps: list[Step], seat: str | None) -> None:
    seen = [number for number, step in enumerate(steps) if step.seen_by(seat)]
    assert [0, *places(steps, "step", 1, seat)] == seen
    assert places(steps, "step", -1, seat)[::-1] == seen[:-1]
    decisions = [number for number in seen if not isinstance(steps[number].record, AttemptRecord)]
    assert [0, *places(steps, "decision", 1, seat)] == decisions
    illegal = [number for number in seen if steps[number].illegal]
    assert places(steps, "illegal", 1, seat) == illegal == places(steps, "illegal", -1, seat)[::-1]
    assert illegal


def test_a_turn_is_gone_to_at_its_first_step(steps: list[Step]) -> None:
    firsts = [number for number, step in enumerate(steps) if number == 0 or step.turn != steps[number - 1].turn]
    assert len(firsts) == 10 + 1  # five turns of two seats, and the eleventh that the limit cut off
    assert [0, *places(steps, "turn", 1)] == firsts
    assert next_step(steps, firsts[3] + 1, "turn", -1, None) == firsts[3]
    assert next_step(steps, firsts[3], "turn", -1, None) == firsts[2]


def test_an_illegal_attempt_is_told_with_class_code_rule_reason_and_the_nearest_legal_move(game: Path) -> None:
    told = lines([game], "illegal")
    assert "Bia (B) tries, attempt 1:\ninventory: discard no_such_card\nclass rule, unknown_card\n" in told
    assert "There is no card called no_such_card" in told
    assert "The nearest legal proposal is" in told
    assert "classe rule, unknown_card" in lines([game], "ilegal", language="pt-BR")

    def skip(record: dict[str, Any]) -> None:
        if record["class"] == "rule":
            record["proposal"] = {"tool": "skip", "arguments": {}}

    assert "\nR-TRN-07: There is no pass." in lines([edited(game, "attempt", skip)], "illegal")


def test_an_attempt_without_a_proposal_is_told_with_what_it_came_with_cleaned(game: Path) -> None:
    told = lines([game], "illegal", "illegal")
    assert "class text_only" in told
    assert "told: I would [bold]rather not" in told


def test_the_view_of_a_seat_holds_what_it_could_see_and_nothing_else(game: Path, steps: list[Step]) -> None:
    watched = Followed.open(game)
    for seat in "AB":
        walk = Walk(watched, TEXTS, seat)
        while True:
            step = steps[walk.place]
            assert not isinstance(step.record, AttemptRecord) or step.record.seat == seat
            over = {"decision": None} if isinstance(step.record, OutcomeRecord) else {}
            assert walk.table().seen == step.game.observe(seat) | over
            assert walk.table().opened is None
            told = "\n".join(line for line, _ in walk.told())
            for event in step.events:
                assert f"- {render.event(event.seen_by(seat))}" in told.split("\n")
            if isinstance(step.record, DecisionRecord) and step.record.seat != seat:
                private = [event for event in step.events if event.secret and event.seen_by(seat) != event.to_json()]
                assert all(render.event(event.to_json()) not in told for event in private)
            if walk.go("step", 1):
                break


def test_everything_opens_all_hands_and_decks(game: Path) -> None:
    table = Walk(Followed.open(game), TEXTS).table()
    position: Any = WatchedGame.of(read_log(game)).steps[0].game.position()
    assert table.opened is not None
    for seat in "AB":
        assert [entry["card"] for entry in table.opened.hands[seat]] == position[seat]["hand"]
        assert table.opened.decks[seat] == position[seat]["deck"]


def test_words_walk_search_and_change_the_view(game: Path) -> None:
    count = len(WatchedGame.of(read_log(game)).steps)
    told = lines(
        [game], "next", "back", "last", "next", "first", "turn", "turn back", "view A", "find refilled", "again"
    )
    assert f"game  1 of {count}  view: everything" in told
    assert f"game  {count} of {count}" in told
    assert "There is nothing further on." in told
    assert "view: only what Ana (A) sees" in told
    assert told.count("market refilled") >= 2
    assert "'zebra' is not found further on." in lines([game], "find zebra")
    assert "'fly' is not known here" in lines([game], "fly")
    assert "there is no seat Z; there are A, B." in lines([game], "view z")
    assert "Market cost" in lines([game], "table")
    assert "next, back" in lines([game], "help")
    assert "jogos, abrir NÚMERO" in lines([game], "ajuda", language="pt-BR")


def test_a_run_is_a_list_of_games_of_which_one_is_opened(tmp_path: Path) -> None:
    games = [slips(tmp_path, "one"), slips(tmp_path, "two", rounds=2)]
    broken = tmp_path / "games" / "x.jsonl"
    broken.write_text("{}\n")
    told = lines([*games, broken], "open 2", "games", "open 9", "open 3")
    assert "   1  one  Ana against Bia: unfinished after 5 rounds, stacks " in told
    assert "   3  x  cannot be read: " in told
    assert "two  1 of" in told
    assert "There is no game 9; the list has 1 to 3." in told
    assert "not a record of a game log" in told


def test_a_whole_game_ends_with_who_won(tmp_path: Path) -> None:
    told = lines([scripted(tmp_path, "whole", A="merchant", B="merchant")], "last")
    assert "wins (eighth stack) after" in told


@pytest.mark.parametrize(("language", "over"), [("en", "the game is over"), ("pt-BR", "o jogo acabou")])
def test_at_the_end_nobody_decides_though_a_limit_came_before_a_decision(game: Path, language: str, over: str) -> None:
    walk = Walk(Followed.open(game), prompts.load(language))
    walk.last()
    assert walk.steps[walk.place].game.decision is not None
    for seat in (None, "A", "B"):
        walk.look(seat)
        heading, *rest = [line.plain for line in board(walk.table(), 80)]
        assert over in heading
        assert not any(line.startswith(">") for line in rest)
    told = lines([game], "last", "table", language=language)
    assert over in told
    assert "\n> " not in told


def test_at_the_end_nothing_is_offered_any_more(steps: list[Step]) -> None:
    start = {"edition": "classic", "players": 2, "sets": ["macaws", "pandas", "raccoons"], "seed": 1, "turn": "A"}
    cards = {"hand": ["spyglass"], "deck": ["cookies", "junk", "swift_broker"]}
    stopped = Game.from_position(start | {"state": {"A": cards}})
    assert stopped.propose("A", "technique", {"card": "spyglass"}).accepted
    for record, offered in ((None, True), (steps[-1].record, False)):
        table = table_of(Step(stopped, record, 0), "A", {}, TEXTS)
        assert ("offered to you now" in "\n".join(line.plain for line in board(table, 80))) == offered


@pytest.mark.parametrize("played", prompts.languages())
@pytest.mark.parametrize(("language", "noun"), [("en", "person"), ("pt-BR", "pessoa")])
def test_a_person_who_gave_no_name_is_a_person_to_who_watches(
    game: Path, played: str, language: str, noun: str
) -> None:
    you = prompts.load(played).terminal["you"]

    def unnamed(record: dict[str, Any], casual: bool = True) -> None:
        record["seats"]["A"] |= {"name": you, "settings": {"casual": casual, "language": played}}

    log = edited(game, "header", unnamed)
    told = lines([log, log], "games", "open 1", "table", "view B", "table", "view A", "illegal", language=language)
    assert f"{noun} (A) " in told
    assert f"A {noun}: " in told
    assert f"  A: {noun} (random)" in told  # at the deal
    assert glance(log, prompts.load(language)).split()[1] == noun
    assert f"{you} (A)" not in told
    assert f"A {you}" not in told
    named = edited(game, "header", lambda record: unnamed(record, casual=False))
    assert f"{you} (A)" in lines([named], "view A", language=language)  # who is called so


def test_a_game_that_grows_is_read_on_and_a_torn_line_waits_for_its_rest(game: Path, tmp_path: Path) -> None:
    data = game.read_bytes()
    cut = data.index(b"\n", len(data) // 2) + 1
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(data[:cut])
    followed = Followed.open(growing)
    assert not followed.game.finished
    assert not followed.grow()
    place = len(followed.game.steps) - 1
    assert followed.game.steps[place].record is None  # the decision that is open
    with growing.open("ab") as file:
        file.write(data[cut : cut + 50])
        file.flush()
        assert not followed.grow()
        file.write(data[cut + 50 :])
        file.flush()
        assert followed.grow()
    assert followed.game.finished
    assert [step.record for step in followed.game.steps] == [step.record for step in Followed.open(game).game.steps]
    growing.write_bytes(data[:cut])  # begun again
    assert followed.grow()
    assert len(followed.game.steps) == place + 1


def test_following_tells_each_step_as_it_comes_and_ends_with_the_game(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = game.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing.jsonl"
    growing.write_bytes(b"".join(data[:4]))
    parts = [data[start : start + 9] for start in range(4, len(data), 9)]

    def more(seconds: float) -> None:
        with growing.open("ab") as file:
            file.writelines(parts.pop(0))

    monkeypatch.setattr("harness.terminal.watch_lines.time.sleep", more)
    written: list[str] = []
    LineWatcher([growing], TEXTS, lambda prompt: None, written.append).follow(None)
    steps = WatchedGame.of(read_log(game)).steps
    assert len(written) == len(steps)
    assert "unfinished (round limit) after 5 rounds" in written[-1]


def test_the_running_game_of_a_run_is_the_one_without_an_outcome(game: Path, tmp_path: Path) -> None:
    open_game = tmp_path / "open.jsonl"
    open_game.write_bytes(b"\n".join(game.read_bytes().split(b"\n")[:5]) + b"\n")
    assert running([game, open_game]) == open_game
    assert running([game]) is None


def test_what_a_log_says_is_shown_as_text_and_what_the_engine_says_counts(game: Path) -> None:
    def lie(record: dict[str, Any]) -> None:
        if record["class"] == "rule":
            record |= {"code": "overpay_unneeded_card", "detail": EVERYTHING, "stated": {EVERYTHING: [EVERYTHING]}}

    told = lines([edited(game, "attempt", lie)], "illegal")
    assert "The log has overpay_unneeded_card here." in told
    assert "There is no card called no_such_card" in told
    assert "\x1b" not in told
    assert all(sign.isprintable() for sign in told.replace("\n", ""))

    def rename(record: dict[str, Any]) -> None:
        record["seats"]["A"]["name"] = EVERYTHING
        record["game"] = EVERYTHING

    named = lines([edited(game, "header", rename)], "next", "table", "games")
    assert "\x1b" not in named
    assert all(sign.isprintable() for sign in named.replace("\n", ""))


def test_a_log_of_another_version_is_refused_with_a_sentence(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = edited(game, "header", lambda record: record.update(schema_version=99))
    assert run(["watch", str(other), "--plain"]) == 2
    assert "schema version 99, this program reads" in capsys.readouterr().err
    seed = edited(game, "header", lambda record: record.update(seed=6))
    assert run(["watch", str(seed), "--plain"]) == 2
    assert "differently than recorded" in capsys.readouterr().err


def test_the_command_takes_a_run_a_folder_or_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = slips(tmp_path / "mine")
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    for where in ("mine", str(tmp_path / "mine"), str(path)):
        assert run(["watch", where, "--plain", "--results", str(tmp_path), "--seat", "b"]) == 0
        assert "view: only what Bia (B) sees" in capsys.readouterr().out
    assert run(["watch", str(path), "--plain", "--follow"]) == 0
    assert "unfinished (round limit)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "there is no run and no game log nowhere"),
        (["{folder}"], "there is no game log in"),
        (["{file}", "--seat", "Z"], "a seat is A, B, C or D"),
        (["{file}", "--seat", "C", "--plain"], "there is no seat C; there are A, B."),
        (["{file}", "--lang", "xx"], "there are no prompts in language 'xx'"),
    ],
)
def test_what_cannot_be_watched_is_one_sentence_and_exit_code_2(
    arguments: list[str], told: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["watch", *(one.format(folder=tmp_path, file=game) for one in arguments)]) == 2
    assert told in capsys.readouterr().err


def test_a_decision_that_does_not_replay_is_named_with_its_log(game: Path) -> None:
    changed = edited(game, "decision", lambda record: record.update(events=[]))
    with pytest.raises(UserError, match=r"plays decision 0 differently than recorded; see dale replay"):
        Followed.open(changed)
    assert isinstance(Followed.open(game).game.steps[-1].record, OutcomeRecord)
