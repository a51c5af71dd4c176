"""A Portuguese player reads Portuguese: whole games, refusals, the terminal, and how a language is chosen."""

from __future__ import annotations

import asyncio
import itertools
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from persons import person
from turns import turn_of

from engine import CODES, EDITIONS, SETS, TOOLS, VARIANTS, Game, Violation, catalogue
from harness import data, prompts, render, render_change
from harness.agents.base import Answer, Feedback, FeedbackLevel, MatchSettings, Turn
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
LEVELS: tuple[Level, ...] = ("L0", "L1", "L2", "L3", "L4", "L5")
WORD = re.compile(r"(?<!\w)[^\W\d_]{2,}(?!\w)")

SHARED = "as dale decide do faces for ignore json menu merchants move no null of some total use"
"""Words of both languages, and the game's name."""
FIELDS = """act adjust arguments by card cards choices copies deck discard entry hand number opponents option payment
seat slots source stack targets tool value yes"""
"""Names of fields, places and alternatives, the same in every language; they stand where the tools are explained."""

ALTERNATIVES = {"deck", "discard", "yes"}
"""Answers to a choice between alternatives, named in every language as the tools take them."""


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


def test_the_test_itself_finds_english() -> None:
    assert english_left_in("B draws 2 from the market deck") == {"draws", "from", "the", "deck"}
    assert english_left_in('- spyglass de A: Winter is Coming [R-MKT-07] {"tool": "market"} (market_discard)') == set()


@pytest.mark.parametrize(
    ("edition", "variant", "players"),
    [
        ("classic", "standard", 4),
        ("classic", "tournament", 2),
        ("remastered", "standard", 2),
        ("remastered", "standard", 4),
        ("remastered", "tournament", 3),
    ],
)
def test_a_whole_game_is_told_without_english(edition: str, variant: str, players: int) -> None:
    game = Game.new(players=players, seed=players, edition=edition, variant=variant)
    step = random.Random(players)
    while (decision := game.decision) is not None:
        seen = game.observe(decision.seat)
        if decision.kind == "effect_choice" or step.random() < 0.2:
            legal = [game.proposal(action) for action in step.sample(game.legal, min(len(game.legal), 12))]
            offered = [line for limit in (3, 60) for line in menu(legal, seen, limit, language=LANGUAGE).lines]
            assert english_left_in("\n".join(offered)) <= ALTERNATIVES
        told = [render.observation(seen, LANGUAGE), render.decision(decision._asdict(), LANGUAGE)]
        for event in game.apply(step.choice(game.legal)):
            told += [render.event(event.seen_by(seat), LANGUAGE) for seat in game.seats]
        assert english_left_in("\n".join(told)) == set()
    assert game.winner in game.seats


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_refusal_and_the_nearest_legal_proposal_are_told_without_english(edition: str) -> None:
    named = {*FIELDS.split(), *ALTERNATIVES}
    codes, edits = set[str](), set[str]()
    for seed, variant in enumerate((*VARIANTS, *VARIANTS)):
        game = Game.new(players=2 + seed % 3, seed=seed, edition=edition, variant=variant)
        step = random.Random(seed)
        for number in range(50):
            decision = game.decision
            if decision is None:
                break
            for code, tool, arguments in game.opportunities(seed=number) if number % 6 == 0 else ():
                explanation = game.explain(decision.seat, tool, arguments)
                told = [prompts.message(violation, LANGUAGE) for violation in explanation.violations]
                told.append(render_change.nearest(explanation, game.observe(decision.seat), LANGUAGE))
                assert english_left_in("\n".join(told)) <= named, told
                codes.add(code)
                edits |= {key for edit in explanation.edits for key in edit}
            game.apply(step.choice(game.legal))
    assert len(codes) > 25
    assert edits >= {"field", "from", "to", "drop", "add"}


@pytest.mark.parametrize(
    ("edition", "variant", "sets"),
    [
        ("classic", "standard", SETS[:5]),
        ("classic", "standard", SETS[1:]),
        ("remastered", "tournament", SETS[1:]),
        ("remastered", "tournament", None),
    ],
)
def test_what_a_model_sees_is_free_of_english(edition: str, variant: str, sets: tuple[str, ...] | None) -> None:
    game = Game.new(players=4, sets=sets, seed=9, edition=edition, variant=variant)
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


def sit_down(folder: Path, typed: list[str], plan: MatchPlan = PLAN) -> tuple[GameLog, str]:
    human, screen = person(typed, LANGUAGE)
    asyncio.run(play(plan, {"A": human, "B": RandomAgent("random")}, folder / "g.jsonl", BlobStore(folder / "blobs")))
    return read_log(folder / "g.jsonl"), screen.text


COMMAND_LINE = ("play", "resume", "overpay")
"""What help quotes of the command line and of the rules, which are in English."""


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
    assert english_left_in(shown) <= {"cards", "tool", "arguments", *COMMAND_LINE}
    assert english_left_in("\n".join(step.text for step in replay(log, LANGUAGE))) <= {
        "game",
        "run",
        "random",
        "rule",
        "format",
        "tool",
    }
    assert english_left_in(tell(PLAN, log.outcome, LANGUAGE)) == set()


def test_porque_explains_in_portuguese_and_uses_up_nothing(tmp_path: Path) -> None:
    typed = [
        "porque",
        'porque {"tool": "skip"}',
        'PORQUÊ {"tool": "inventory", "arguments": {"cards": []}}',
        "porque não",
        "porque {",
        '{"tool": "inventory", "arguments": {"cards": ["no_such_card"]}}',
        "pq",
        'why {"tool": "trade"}',
        "sair",
    ]
    log, shown = sit_down(tmp_path, typed)
    assert [record.result for record in log.attempts if record.seat == "A"] == ["rule"]
    assert "Nada foi recusado nesta decisão." in shown
    assert "  R-TRN-07: Não se pode passar." in shown
    nearest = "A proposta permitida mais próxima é: inventário: não descartar nada. O que muda:"
    assert f"{nearest} inventory em vez de skip." in shown
    assert "Isso é permitido." in shown
    assert "Isso não é JSON" in shown
    assert f"{nearest} sem no_such_card em cards." in shown
    assert "Não há proposta permitida com que comparar." in shown
    assert english_left_in(shown) <= {"cards", "inventory", "tool", "arguments"}


def test_a_person_bans_and_picks_in_portuguese(tmp_path: Path) -> None:
    plan = replace(PLAN, variant="tournament", sets=None, start="A")
    typed = ['{"tool": "choose", "arguments": {"choices": {"option": "mercado"}}}', "pq", *["0"] * 3]
    log, shown = sit_down(tmp_path, typed, plan)
    assert "A escolha dos conjuntos: bana um conjunto" in shown
    assert "0  escolher: macaws" in shown
    assert "  R-TRM-01: Esta é a variante de torneio." in shown
    assert "Banidos: nenhum. Escolhidos: nenhum. Restam: macaws, " in shown
    assert "Banidos: macaws, " in shown
    assert "A bane macaws" in shown
    assert "as cartas são distribuídas; sorteado: " in shown
    assert "Ordem dos turnos e ouro: A (você) 0, B 1." in shown
    assert "A (você): ouro 0, baralho" in shown
    assert english_left_in(shown) <= {"option"}
    told = "\n".join(step.text for step in replay(log, LANGUAGE))
    assert "variante de torneio, conjuntos escolhidos antes de distribuir as cartas" in told


@pytest.mark.parametrize("level", ["illegal", "code", "rule", "explain"])
def test_feedback_of_every_level_is_in_the_language_of_the_seat(tmp_path: Path, level: FeedbackLevel) -> None:
    turns: list[Turn] = []
    settings = MatchSettings(feedback=level, round_limit=2)
    agents = {"A": Stubborn(turns), "B": RandomAgent("random")}
    asyncio.run(play(replace(PLAN, settings=settings), agents, tmp_path / "g.jsonl", BlobStore(tmp_path / "blobs")))
    told = next(turn for turn in turns if turn.attempt == 1)
    nearest = (
        "A proposta permitida mais próxima é: inventário: não descartar nada. O que muda: inventory em vez de skip."
    )
    assert told.feedback[0].nearest == (nearest if level == "explain" else "")
    _, ((_, text),) = build_messages(told, PromptOptions("L2", "none", "tools", LANGUAGE))
    refusal = text.partition("# Suas respostas anteriores")[2]
    assert (nearest in refusal) == (level == "explain")
    assert ("Regra R-TRN-07" in refusal) == (level in ("rule", "explain"))
    assert english_left_in(refusal) <= {"arguments", "tool"}


class Stubborn:
    """A Portuguese player who tries first to pass."""

    def __init__(self, turns: list[Turn]) -> None:
        self.spec = "stubborn"
        self.settings: dict[str, Any] = {"language": LANGUAGE}
        self._turns = turns

    async def choose(self, turn: Turn) -> Answer:
        self._turns.append(turn)
        return Answer(proposal=turn.legal[0] if turn.attempt else {"tool": "skip", "arguments": {}})

    async def close(self) -> None:
        """Nothing to give back."""


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
