"""A Portuguese player reads Portuguese: whole games, refusals, the terminal, and how a language is chosen."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine import CODES, SETS, TOOLS, Game, Violation, catalogue
from harness import data, prompts, render
from harness.agents.base import Feedback, MatchSettings, Turn, TurnKey
from harness.agents.human import HumanAgent
from harness.agents.random import RandomAgent
from harness.blobs import BlobStore
from harness.cli.app import run
from harness.config import load_tournament
from harness.errors import UserError
from harness.log import GameLog, read_log
from harness.match import play
from harness.plan import MatchPlan
from harness.progress import tell
from harness.prompting import Level, PromptOptions, build_messages, menu, tool_specs
from harness.replay import replay
from harness.tournament import seated

LANGUAGE = "pt-BR"
CHARS_PER_TOKEN = 3.5
LEVELS: tuple[Level, ...] = ("L0", "L1", "L2")
WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")

SHARED = "as dale decide do faces for ignore json menu merchants no null of some total use"
"""Words of both languages, and the game's name."""
FIELDS = """act adjust arguments by card cards choices copies deck discard entry hand number opponents option payment
seat slots source stack targets tool value yes"""
"""Names of fields, places and alternatives, the same in every language; they stand where the tools are explained."""


def values(table: Any) -> Iterator[str]:
    for value in table.values() if isinstance(table, Mapping) else ():
        yield from values(value) if isinstance(value, Mapping) else [value]


def words_of(language: str) -> set[str]:
    """The words of the texts of a language, in lower case."""
    told: list[str] = []
    for name in data.names(f"prompts/{language}"):
        text = data.read_text(f"prompts/{language}/{name}")
        told += values(tomllib.loads(text)) if name.endswith(".toml") else [text]
    return {word.casefold() for word in WORD.findall(NAMES.sub(" ", re.sub(r"\{[{%].*?[%}]\}", " ", " ".join(told))))}


def identifiers() -> re.Pattern[str]:
    """What stays as it is in every language: names of cards and sets, codes, tools, and what is quoted as JSON."""
    cards = [card for edition in ("classic", "remastered") for card in catalogue(edition)]
    names = {card.name for card in cards} | {card.slug for card in cards} | set(SETS) | set(CODES) | set(TOOLS)
    longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    place = r"\b(?:hand|market|stall):\w+"
    quoted = r"\{\"\w+\":.*?\}+|\[\{.*?\}\]"
    return re.compile(rf"\b[A-Z]{{1,3}}[\w-]*-\d+|{place}|{quoted}|\b(?:{longest_first})\b|\b\w+_\w+\b")


NAMES = identifiers()
FOREIGN = words_of("en") - set(SHARED.split())


def english_left_in(text: str) -> set[str]:
    """The English words in a text, names and identifiers left out."""
    if not foreign_in(text):
        return set()
    return foreign_in(NAMES.sub(" ", text))


def foreign_in(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)} & FOREIGN


def turn_of(game: Game, **changes: Any) -> Turn:
    decision = game.decision
    assert decision is not None
    fields: dict[str, Any] = {
        "seat": decision.seat,
        "decision": decision,
        "observation": game.observe(decision.seat),
        "legal": [game.proposal(action) for action in game.legal],
        "tools": game.tools,
        "translate": game.translate,
        "history": (),
        "number": 0,
        "attempt": 0,
        "feedback": (),
        "key": TurnKey(1, "g", decision.seat, 0),
        "settings": MatchSettings(),
    }
    return Turn(**{**fields, **changes})


def test_the_test_itself_finds_english() -> None:
    assert english_left_in("B draws 2 from the market deck") == {"draws", "from", "the", "deck"}
    assert english_left_in('- spyglass de A: Winter is Coming [R-MKT-07] {"tool": "market"} (market_discard)') == set()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_told_without_english(players: int) -> None:
    for seed in range(2):
        game = Game.new(players=players, seed=seed)
        step = random.Random(seed)
        for _ in range(120):
            decision = game.decision
            if decision is None:
                break
            seen = game.observe(decision.seat)
            legal = [game.proposal(action) for action in game.legal]
            told = [render.observation(seen, LANGUAGE), render.decision(decision._asdict(), LANGUAGE)]
            told += [line for limit in (5, 60) for line in menu(legal, seen, limit, language=LANGUAGE).lines]
            for event in game.apply(step.choice(game.legal)):
                told += [render.event(event.seen_by(seat), LANGUAGE) for seat in game.seats]
            assert english_left_in("\n".join(told)) == set()


@pytest.mark.parametrize("sets", [SETS[:5], SETS[1:]])
def test_what_a_model_sees_is_free_of_english(sets: tuple[str, ...]) -> None:
    game = Game.new(players=4, sets=list(sets), seed=9)
    step = random.Random(9)
    for _ in range(8):
        turn = turn_of(game)
        for level, book, mode in itertools.product(LEVELS, ("full", "brief", "none"), ("tools", "json_schema")):
            options = PromptOptions(level, book, mode, LANGUAGE)  # type: ignore[arg-type]  # the products of literals
            system, ((_, text),) = build_messages(turn, options)
            specs = [describing for spec in tool_specs(turn, level, LANGUAGE) for describing in descriptions(spec)]
            assert english_left_in("\n".join([system, text, *specs])) <= set(FIELDS.split())
        for _ in range(12):
            if game.decision is not None:
                game.apply(step.choice(game.legal))


def descriptions(spec: Any) -> Iterator[str]:
    for key, value in spec.items():
        if key == "description":
            yield value
        elif isinstance(value, Mapping):
            yield from descriptions(value)


@pytest.mark.parametrize("code", list(CODES))
def test_a_refusal_quotes_its_rules_in_portuguese(code: str) -> None:
    game = Game.new(players=4, sets=["macaws", "pandas", "squirrels", "ocelots", "chameleons"], seed=1)
    violation = Violation(code, CODES[code].rules, {})
    told = Feedback(
        {"tool": "market", "arguments": {}}, "rule", code, (violation,), prompts.message(violation, LANGUAGE)
    )
    _, ((_, text),) = build_messages(turn_of(game, feedback=(told,)), PromptOptions("L2", "none", "tools", LANGUAGE))
    refusal = text.partition("# Suas respostas anteriores")[2]
    assert f"Não aceita: {code}: " in refusal
    assert english_left_in(refusal) <= {"inventory", "copies"}
    quoted = re.findall(r"Regra (\S+): \"(.*)\"", refusal)
    assert all(rule in CODES[code].rules and len(quote) > 15 for rule, quote in quoted)
    assert quoted or set(CODES[code].rules) <= UNQUOTED


UNQUOTED = {"R-CMP-05", "R-DEC-01", "R-END-03", "R-ERR-02", "R-CPR-05", "PAN3c", "PAN3c-3"}
"""Rules that neither the rulebook of a classic game nor its cards have a sentence for."""


def test_a_brief_request_fits_4096_tokens() -> None:
    for players in (2, 3, 4):
        for sets in itertools.combinations(SETS, players + 1):
            game = Game.new(players=players, sets=sets, seed=3)
            step = random.Random(3)
            for _ in range(30):
                game.apply(step.choice(game.legal))
            turn = turn_of(game)
            system, ((_, text),) = build_messages(turn, PromptOptions("L2", "brief", "json_schema", LANGUAGE))
            assert (len(system) + len(text)) / CHARS_PER_TOKEN < 4096, sets


PLAN = MatchPlan(
    "run", 1, "game", 1, 1, 0, "classic", None, 3, {"A": "você", "B": "y"}, MatchSettings(attempts=1000, round_limit=4)
)


def sit_down(folder: Path, typed: list[str]) -> tuple[GameLog, str]:
    lines, shown = iter(typed), list[str]()
    human = HumanAgent("human", lambda prompt: next(lines, None), shown.append, LANGUAGE)
    asyncio.run(play(PLAN, {"A": human, "B": RandomAgent("random")}, folder / "g.jsonl", BlobStore(folder / "blobs")))
    return read_log(folder / "g.jsonl"), "\n".join(shown)


def test_a_person_plays_and_is_refused_in_portuguese(tmp_path: Path) -> None:
    unreadable = ["{oops", "{}", '{"tool": "inventory", "arguments": {"cards": 3}}']
    illegal = ['{"tool": "inventory", "arguments": {"cards": ["x"]}}', '{"tool": "trade", "arguments": {}}']
    asked = ["ajuda", "mais", "estado", "", "zebra", "99999"]
    typed = [*asked, *unreadable, *illegal, *["0"] * 200]
    log, shown = sit_down(tmp_path, typed)
    assert log.outcome is not None
    assert log.header.seats["A"].settings["language"] == LANGUAGE
    assert "Proposta não aceita. Não existe carta chamada x neste jogo. [unknown_card, R-CMP-05]" in shown
    assert "cards deve ser uma lista de cartas" in shown
    assert "O que aconteceu:" in shown
    assert english_left_in(shown) <= {"cards", "tool", "arguments"}
    assert english_left_in("\n".join(step.text for step in replay(log, LANGUAGE))) <= {
        "game",
        "run",
        "random",
        "rule",
        "format",
        "tool",
    }
    assert english_left_in(tell(PLAN, log.outcome, LANGUAGE)) == set()


def test_sair_leaves_the_game(tmp_path: Path) -> None:
    assert sit_down(tmp_path, ["sair"])[0].outcome is None


def dale(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(arguments) == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


def test_the_commands_speak_the_language_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda prompt: "sair")
    out = dale(capsys, "play", "--against", "random", "--seed", "3", "--lang", LANGUAGE)
    log = "results/play-1/games/d001-p01-r0.jsonl"
    assert out.endswith(
        f"O jogo está guardado. Continue com: dale play --resume play-1\nVeja-o com: dale replay {log} --lang pt-BR\n"
    )
    assert "Escolha sua ação" in dale(capsys, "play", "--resume", "play-1")
    told = dale(capsys, "replay", log, "--lang", LANGUAGE)
    assert "edição clássica" in told
    assert "O registro termina aqui: o jogo ainda está aberto." in told
    assert f"{log}: repetido com os mesmos eventos" in told
    cards = dale(capsys, "cards", "macaws", "--lang", LANGUAGE)
    assert "Shattered Relic (shattered_relic, MAC3): macaws, valor 3, 3 cópias, técnica, ação bônus" in cards
    assert english_left_in(cards) == set()


@pytest.mark.parametrize("command", [["play"], ["replay", "x.jsonl"], ["cards"]])
def test_an_unknown_language_is_named_in_one_sentence(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    told = dale(capsys, *command, "--lang", "tlh", code=2)
    assert told == "dale: there are no prompts in language 'tlh'; there are: en, pt-BR.\n"


TOURNAMENT = """
name = "t"
language = "pt-BR"
[[entrants]]
agent = "random"
[[entrants]]
agent = "anthropic:m"
[[entrants]]
agent = "anthropic:m?language=en"
"""


def test_a_run_has_a_language_and_an_entrant_may_have_another(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    path = tmp_path / "t.toml"
    path.write_text(TOURNAMENT)

    async def spoken() -> list[Any]:
        async with seated(load_tournament(path)) as agents:
            return [agent.settings.get("language") for agent in agents.values()]

    assert asyncio.run(spoken()) == [None, "pt-BR", "en"]
    path.write_text(TOURNAMENT.replace('"pt-BR"', '"pt"'))
    with pytest.raises(UserError, match=r"t\.toml: language: must be one of en, pt-BR, not 'pt'"):
        load_tournament(path)
    path.write_text(TOURNAMENT.replace("?language=en", "?language=tlh"))
    with pytest.raises(UserError, match=r"option 'language' of 'anthropic:m\?language=tlh' must be one of en, pt-BR"):
        load_tournament(path)
