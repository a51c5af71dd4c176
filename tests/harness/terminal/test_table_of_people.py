"""A person among others: hints, levels, resigning, several people, taking back, and not waiting for a model."""

from __future__ import annotations

import asyncio
import signal
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from persons import Script, person

from harness import prompts
from harness.agents.base import Answer, MatchSettings, Turn
from harness.agents.human import HINTED, HumanAgent
from harness.agents.merchant import MerchantAgent
from harness.agents.random import RandomAgent
from harness.audit.games import audit_game
from harness.blobs import BlobStore
from harness.budget import Budget
from harness.casual import is_casual
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.prompting import Level, PromptOptions, last_message, system_text
from harness.providers.prices import Tariff, UnitPrices
from harness.providers.types import Allow, Exchange, ProviderError, Request
from harness.records import AttemptRecord
from harness.replay import replay
from harness.terminal.levels import LEVELS
from harness.terminal.lines import LineScreen
from harness.terminal.screen import View
from harness.terminal.sitting import Sitting
from harness.terminal.undo import take_back
from harness.terminal.waiting import Awaited, Bill

PLAN = MatchPlan(
    "run", 1, "game", 1, 1, 0, "classic", ("macaws", "pandas", "raccoons"), 3, {"A": "Ana", "B": "Rui"},
    MatchSettings(attempts=1000, round_limit=3), start="A",
)  # fmt: skip


def match(folder: Path, agents: dict[str, Any], plan: MatchPlan = PLAN) -> GameLog:
    asyncio.run(play(plan, agents, folder / "g.jsonl", BlobStore(folder / "blobs")))
    return read_log(folder / "g.jsonl")


def sit_down(folder: Path, *typed: str, level: Level | None = None, language: str = "en") -> tuple[GameLog, Script]:
    human, screen = person(typed, language, level)
    return match(folder, {"A": human, "B": RandomAgent("random")}), screen


def test_words_play_a_move_and_an_illegal_one_is_explained_with_its_rule_and_the_nearest(tmp_path: Path) -> None:
    log, screen = sit_down(tmp_path, "buy 0 with junk junk junk junk", "why?", "inventory nothing", "quit")
    mine = [record for record in log.attempts if record.seat == "A"]
    assert [record.result for record in mine] == ["rule", "accepted"]
    assert screen.text.count(f"[{mine[0].code}, R-MKT-") == 2  # when it was refused, and again for why?
    assert "  R-MKT-0" in screen.text
    assert screen.text.count("The nearest legal proposal is: ") == 2
    assert mine[0].stated == {
        "tool": "market",
        "arguments": {"source": "slot_0", "payment": ["junk", "junk", "junk", "junk"]},
    }


def test_questions_are_answered_and_change_nothing(tmp_path: Path) -> None:
    asked = [
        "rules overpay",
        "rules R-MKT-07",
        "rules",
        "rules zzz",
        "cards spy",
        "cards",
        "cards qqq",
        "help",
        "why inventory nothing",
    ]
    log, screen = sit_down(tmp_path, *asked, "why help", "more", "menu")
    assert log.attempts == []
    for told in (
        "R-MKT-07: Overpay rule.",
        "R-MKT-07  (4. Market action)",
        "and no rule contains this word",
        "Spyglass (spyglass, MAC4): macaws, value 4",
        "No card here is called 'qqq'",
        "buy 2 with junk junk",
        "That is legal.",
    ):
        assert told in screen.text, told


@pytest.mark.parametrize("language", prompts.languages())
def test_a_hint_is_the_merchants_move_with_a_reason_and_is_noted(tmp_path: Path, language: str) -> None:
    words = {"en": ("hint", "type: "), "pt-BR": ("dica", "digite: ")}[language]
    log, screen = sit_down(tmp_path, words[0], language=language)
    assert log.attempts == []
    line = screen.text.rpartition(words[1])[2].partition(")")[0]
    human, _ = person([words[0], line], language)
    advised = match(tmp_path / "again", {"A": human, "B": RandomAgent("random")})
    merchant = match(tmp_path / "merchant", {"A": MerchantAgent("merchant"), "B": RandomAgent("random")})
    assert advised.attempts[0].detail == HINTED
    assert advised.decisions[0].proposal == merchant.decisions[0].proposal


def test_whoever_resigns_forfeits_and_the_log_says_that_it_was_asked_for(tmp_path: Path) -> None:
    log, screen = sit_down(tmp_path, "resign", "no", "resign", "yes")
    assert screen.text.count("Give the game up?") == 2
    (decision,) = log.decisions
    assert (decision.by, decision.asked, decision.proposal) == ("forfeit", True, None)
    assert log.outcome is not None
    assert (log.outcome.winner, log.outcome.reason, log.outcome.forfeited) == ("B", "last_seat", ["A"])
    told = "\n".join(step.text for step in replay(log))
    assert "A (Ana): gives the game up" in told
    again, _ = sit_down(tmp_path)
    assert again.records == log.records


@pytest.mark.parametrize("level", LEVELS)
def test_at_a_level_a_person_reads_what_a_model_reads_and_nothing_else(tmp_path: Path, level: Level) -> None:
    turns: list[Turn] = []

    class Watched(HumanAgent):
        async def choose(self, turn: Turn) -> Answer:
            turns.append(turn)
            return await super().choose(turn)

    typed = ["rules", "hint", "menu", "why", "cards spyglass", "undo", "help", "rules overpay zebra", "zebra", "st\t"]
    screen = Script(typed)
    human = Watched("human", Sitting(screen, prompts.load("en")), level)
    match(tmp_path, {"A": human, "B": RandomAgent("random")})
    options = PromptOptions(level, "full", "text", "en")
    assert last_message(turns[0], options) in screen.text
    assert system_text(turns[0], options) in screen.text
    assert screen.text.count(f"no help a model at level {level} has") == 4
    assert f"You play at level {level}: you are told just what a model" in screen.text
    assert "Nothing of what you are told contains 'overpay zebra'." in screen.text
    assert screen.offered == ["state"]
    assert ("0: buy" in screen.text) == (level == "L0")
    assert ("R-MKT-07" in screen.text) == (level != "L5")


def test_at_level_l0_only_numbers_are_answers(tmp_path: Path) -> None:
    act = ['{"tool": "act", "arguments": {"entry": 999}}', '{"tool": "act", "arguments": {"entry": 0}}']
    log, screen = sit_down(tmp_path, "inventory nothing", '{"tool": "act"}', *act, level="L0")
    assert "an answer is the number of an entry" in screen.text
    assert "There is no entry 999" in screen.text
    assert [record.result for record in log.attempts if record.seat == "A"] == ["accepted"]


def test_at_level_l1_the_guided_tools_are_understood(tmp_path: Path) -> None:
    plan_line = '{"tool": "inventory", "arguments": {"cards": ["junk"]}}'
    log, screen = sit_down(tmp_path, plan_line, "0", level="L1")
    assert [record.result for record in log.attempts if record.seat == "A"] == ["accepted"]
    assert "no help a model at level L1 has" in screen.text


def test_at_a_level_a_refusal_tells_what_a_model_is_told(tmp_path: Path) -> None:
    _, screen = sit_down(tmp_path, "skip", level="L3")
    assert "Not accepted: pass_not_allowed: There is no pass" in screen.text
    assert "The nearest legal proposal" not in screen.text


async def test_at_a_level_nothing_stands_beside_the_message(tmp_path: Path) -> None:
    views: list[View] = []

    class Looked(Script):
        async def show(self, view: View) -> None:
            views.append(view)

    screen = Looked(["inventory nothing"])
    human = HumanAgent("human", Sitting(screen, prompts.load("en")), "L3")
    await play(PLAN, {"A": human, "B": RandomAgent("random")}, tmp_path / "g.jsonl", BlobStore(tmp_path))
    assert len(views) == 2
    for view in views:
        assert (view.level, view.happened, len(view.menu)) == ("L3", "", 0)
        assert view.state is not None
    assert "# Since your last decision, oldest first" in str(views[1].state)


def test_two_people_hand_over_without_a_secret_between_them(tmp_path: Path) -> None:
    screen = Script(["", "inventory nothing", "", "inventory nothing", "", "quit"])
    sitting = Sitting(screen, prompts.load("en"), dict(PLAN.seats), people=2, no_undo="undo_people")
    log = match(tmp_path, {seat: HumanAgent("human", sitting) for seat in "AB"})
    assert [record.seat for record in log.decisions] == ["A", "B"]
    page = "The next decision is for Rui (seat B).\n\nHand over; Rui presses Enter to see the cards."
    at = next(number for number, text in enumerate(screen.shown) if page in text)
    assert screen.shown[at].strip() == page
    before, after = screen.shown[:at], screen.shown[at + 1 :]
    assert not any("You are seat B" in text for text in before)
    assert after[0] == "> "
    assert "You are seat B" in "\n".join(after[:3])
    assert screen.text.count("presses Enter") == 3


def test_nobody_is_asked_to_hand_over_to_itself(tmp_path: Path) -> None:
    _, screen = sit_down(tmp_path, *["inventory nothing"] * 3)
    assert "presses Enter" not in screen.text


def test_undo_goes_back_to_the_last_decision_of_a_seat_and_keeps_what_was_undone(tmp_path: Path) -> None:
    folder = tmp_path / "run" / "games"
    log, _ = sit_down(folder, "inventory nothing", "skip", "inventory junk", "skip")
    mine = [record.number for record in log.decisions if record.seat == "A"]
    aside = take_back(log.path, "A")
    assert aside == tmp_path / "run" / "undone" / "g-1.jsonl"
    assert read_log(aside).records == log.records
    kept = read_log(log.path)
    assert kept.records == log.records[: len(kept.records)]
    assert {record.number for record in (*kept.attempts, *kept.decisions)} == set(range(mine[-1]))
    again, _ = sit_down(folder, "inventory junk")
    assert again.decisions[: mine[-1] + 1] == log.decisions[: mine[-1] + 1]
    assert take_back(log.path, "A") == tmp_path / "run" / "undone" / "g-2.jsonl"
    assert take_back(log.path, "A") is not None
    assert take_back(log.path, "A") is None


@pytest.mark.parametrize(
    ("no_undo", "says"),
    [
        ("", "There is no earlier decision of yours"),
        ("undo_named", "without --as it would not be counted"),
        ("undo_models", "A model sits at the table"),
        ("undo_people", "Another person sits at the table"),
    ],
)
def test_what_cannot_be_taken_back_is_refused_with_the_reason(tmp_path: Path, no_undo: str, says: str) -> None:
    screen = Script(["undo"])
    human = HumanAgent("human", Sitting(screen, prompts.load("en"), no_undo=no_undo))
    assert match(tmp_path, {"A": human, "B": RandomAgent("random")}).decisions == []
    assert says in screen.text


def test_a_casual_game_is_marked_in_its_header(tmp_path: Path) -> None:
    for casual in (True, False):
        human = HumanAgent("human", Sitting(Script([]), prompts.load("en")), casual=casual)
        log = match(tmp_path / str(casual), {"A": human, "B": RandomAgent("random")})
        assert is_casual(log.header) == casual


class Slow:
    """A model that never answers, and presses Ctrl-C for us when it is asked."""

    def __init__(self, presses: int) -> None:
        self.spec = "openai:m"
        self.settings: dict[str, Any] = {"profile": {"model": "m"}}
        self.left = presses
        self.cancelled = 0

    async def choose(self, turn: Turn) -> Answer:
        if self.left:
            self.left -= 1
            asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        raise AssertionError("nothing sets that event")

    async def close(self) -> None:
        """Nothing to give back."""


def wait_for(folder: Path, *typed: str) -> tuple[GameLog, Script, Slow]:
    screen, model = Script(["inventory nothing", *typed]), Slow(1)
    sitting = Sitting(screen, prompts.load("en"), dict(PLAN.seats))
    agents = {"A": HumanAgent("human", sitting), "B": Awaited(model, sitting, Bill(), Budget(), "Rui")}
    return match(folder, agents), screen, model


def test_ctrl_c_while_a_model_thinks_can_have_a_random_move_made_for_it(tmp_path: Path) -> None:
    log, screen, model = wait_for(tmp_path, "random", "quit")
    assert "Rui is thinking (m, 0 tokens, $0.00 so far)" in screen.text
    assert "Rui is still thinking: wait, random" in screen.text
    (decision,) = [record for record in log.decisions if record.seat == "B"]
    assert (decision.by, decision.asked) == ("random_legal", True)
    assert decision.proposal is not None
    assert model.cancelled == 1
    assert list(audit_game(log, BlobStore(tmp_path / "blobs"))) == []  # nothing to disagree with
    assert "drawn because a person at the table did not wait" in "\n".join(step.text for step in replay(log))


def test_ctrl_c_while_a_model_thinks_can_leave_the_game(tmp_path: Path) -> None:
    log, _, model = wait_for(tmp_path, "quit")
    assert log.outcome is None
    assert [record.seat for record in log.decisions] == ["A"]
    assert model.cancelled == 1


def test_what_is_not_understood_waits_on(tmp_path: Path) -> None:
    screen = Script(["inventory nothing", "hm"])
    sitting = Sitting(screen, prompts.load("en"), dict(PLAN.seats))
    model = Answering()
    log = match(tmp_path, {"A": HumanAgent("human", sitting), "B": Awaited(model, sitting, Bill(), Budget(), "Rui")})
    assert [record.by for record in log.decisions] == ["agent", "agent"]
    assert screen.text.count("Rui is thinking") == 2


class Answering(Slow):
    """A model that answers behind a Ctrl-C."""

    def __init__(self) -> None:
        super().__init__(1)

    async def choose(self, turn: Turn) -> Answer:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
        for _ in range(20):
            await asyncio.sleep(0)
        return Answer(proposal=turn.legal[0])


def test_the_bill_counts_tokens_and_cost_of_each_seat() -> None:
    bill = Bill()
    fields: dict[str, Any] = {"number": 0, "attempt": 0, "class": "accepted", "calls": 1}
    usage = {"uncached_input": 100, "output": 7, "reasoning": 5}
    bill.recorded(PLAN, AttemptRecord(**fields, seat="A", usage=usage, cost="0.25"))
    bill.recorded(PLAN, AttemptRecord(**fields, seat="B", usage=usage))
    assert bill.tokens == {"A": 107, "B": 107}
    assert str(bill.cost["A"]) == "0.25"
    assert bill.unpriced == {"B"}


def test_a_call_that_was_broken_off_is_logged_with_what_it_cost_at_worst(tmp_path: Path) -> None:
    for number, (typed, decided) in enumerate({"random": "random_legal", "quit": None}.items()):
        screen, model = Script(["inventory nothing", typed, "quit"]), Slow(1)
        budget = Budget()
        budget.broken_off["Rui"] = Decimal("0.125")
        sitting = Sitting(screen, prompts.load("en"), dict(PLAN.seats))
        agents = {
            "A": HumanAgent("human", sitting),
            "B": Awaited(model, sitting, Bill(), budget, "Rui"),
        }
        log = match(tmp_path / str(number), agents)
        (lost,) = [record for record in log.attempts if record.seat == "B"]
        assert (lost.result, lost.code, lost.uncertain, lost.calls) == ("provider", "broken_off", "0.125", 1)
        assert [record.by for record in log.decisions if record.seat == "B"] == ([decided] if decided else [])
        assert budget.broken_off == {}


async def test_a_purse_remembers_what_a_cancelled_call_cost_at_worst() -> None:
    dollar = Decimal(1_000_000)
    tariff = Tariff("run", "m", "http://127.0.0.1:1/v1", UnitPrices(dollar, dollar, dollar, dollar))
    budget = Budget()

    async def send(allow: Allow) -> Exchange:
        assert await allow(ProviderError("timeout", "")) is None
        never: asyncio.Future[Exchange] = asyncio.get_running_loop().create_future()
        return await never

    call = asyncio.create_task(budget.purse("x", tariff).pay("g", Request("r" * 35, (), (), 5), send))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.wait((call,))
    assert budget.broken_off == {"x": 30}  # twice 10 tokens in and 5 out, at a dollar each


def test_a_menu_that_is_too_long_is_asked_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.terminal.levels.MENU_LIMIT", 6)
    log, screen = sit_down(tmp_path, "1", "0", "quit", level="L0")
    assert "The legal actions by kind; what kind do you choose?" in screen.text
    assert [record.result for record in log.attempts if record.seat == "A"] == ["accepted"]
    chosen = screen.text.rpartition("of the part you have chosen:\n0: ")[2].partition("\n")[0]
    assert chosen.startswith("inventory: ") or chosen.startswith("play ") or chosen.startswith("buy ")


async def test_a_hand_over_clears_nothing_but_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    screen = LineScreen(prompts.load("en"))
    await screen.show(View("B", {}, {}, None, "", (), level="", state="The next decision is for Rui."))
    assert capsys.readouterr().out == "\nThe next decision is for Rui.\n"
