from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from persons import person

from harness.agents.base import MatchSettings
from harness.agents.random import RandomAgent
from harness.blobs import BlobStore
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan

PLAN = MatchPlan(
    "run", 1, "game", 1, 1, 0, "classic", ("macaws", "pandas", "raccoons"), 3, {"A": "you", "B": "y"},
    MatchSettings(attempts=1000, round_limit=2),
)  # fmt: skip


def sit_down(folder: Path, typed: Iterable[str], plan: MatchPlan = PLAN) -> tuple[GameLog, str]:
    human, screen = person(typed)
    asyncio.run(play(plan, {"A": human, "B": RandomAgent("random")}, folder / "g.jsonl", BlobStore(folder / "blobs")))
    return read_log(folder / "g.jsonl"), screen.text


def test_numbers_play_a_game_to_its_end(tmp_path: Path) -> None:
    log, shown = sit_down(tmp_path, ["0"] * 200)
    assert log.outcome is not None
    assert log.outcome.result == "unfinished"
    assert shown.count("Type a move or the number of an entry") == 1
    assert "What happened:" in shown


def test_a_person_bans_and_picks(tmp_path: Path) -> None:
    _, shown = sit_down(tmp_path, ["0", "0", "0"], replace(PLAN, variant="tournament", sets=None, start="A"))
    assert "The draft: ban a set" in shown
    assert "0  choose: macaws" in shown
    assert "Banned: macaws, " in shown
    assert "Turn order and gold: A (you) 0, B 1." in shown
    assert "buy " in shown


def test_a_typed_proposal_is_judged_like_anybodys(tmp_path: Path) -> None:
    illegal = '{"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}'
    log, shown = sit_down(tmp_path, [illegal, '{"tool": "inventory", "arguments": {"cards": []}}'])
    mine = [record for record in log.attempts if record.seat == "A"]
    assert [record.result for record in mine] == ["rule", "accepted"]
    assert mine[0].code == "unknown_card"
    assert "Not accepted. There is no card called no_such_card in this game. [unknown_card, R-CMP-05]" in shown


def test_what_states_no_proposal_is_answered_and_uses_up_nothing(tmp_path: Path) -> None:
    typed = [
        "help", "99999", "9999999999", "{oops", '{"tool": 3}', '{"tool": "skip", "extra": 1}', "state", "menu", "more",
        "zebra", "inventory", "", "more", "quit",
    ]  # fmt: skip
    log, shown = sit_down(tmp_path, typed)
    assert not [record for record in log.attempts if record.seat == "A"]
    assert "propose in full" in shown
    assert "There is no entry 99999; the menu has 0 to" in shown
    assert "That is not JSON" in shown
    assert shown.count('A proposal has "tool" (a text) and "arguments" (an object), nothing else.') == 2
    assert "No entry contains 'zebra'" in shown
    assert "more: type" in shown
    assert "inventory: discard nothing" in shown


def test_end_of_input_leaves_a_whole_log_that_can_be_gone_on_with(tmp_path: Path) -> None:
    log, _ = sit_down(tmp_path, ["0"])
    assert log.outcome is None
    assert not log.torn
    before = len(log.decisions)
    again, shown = sit_down(tmp_path, ["0"] * 200)
    assert again.outcome is not None
    assert len(again.decisions) > before
    assert again.decisions[:before] == log.decisions
    assert "What happened:" in shown


def test_why_explains_what_was_refused_or_typed_and_uses_up_nothing(tmp_path: Path) -> None:
    illegal = '{"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}'
    typed = [
        "why",
        'why {"tool": "skip"}',
        'why {"tool": "inventory", "arguments": {"cards": []}}',
        "why {1",
        "why not",
        "why 0",
        "why 999",
        illegal,
        "why",
        'why {"tool": "trade"}',
        "quit",
    ]
    log, shown = sit_down(tmp_path, typed)
    assert [record.result for record in log.attempts if record.seat == "A"] == ["rule"]
    assert "Nothing was refused at this decision." in shown
    assert "There is no pass: an action must be taken" in shown
    assert "R-TRN-07: There is no pass." in shown
    assert (
        "The nearest legal proposal is: inventory: discard nothing. What changes: inventory instead of skip." in shown
    )
    assert shown.count("That is legal.") == 2
    assert "'not' is no move: behind" in shown
    assert "There is no entry 999; the menu has 0 to" in shown
    assert "That is not JSON" in shown
    assert "There is no card called no_such_card in this game. [unknown_card, R-CMP-05]\n  R-CMP-05:" in shown
    assert "What changes: without no_such_card in cards." in shown
    assert "There is no legal proposal to compare with." in shown
