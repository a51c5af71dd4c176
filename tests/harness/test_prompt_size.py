"""How many tokens a request takes, and how much of it requests share (a prompt cache holds what begins alike).

Tokens are estimated as characters / 3.5; `pytest -m slow -s tests/harness/test_prompt_size.py` counts them with the
embedded model's own tokenizer.
"""

from __future__ import annotations

import itertools
import json
import random
import statistics
import urllib.request
from collections.abc import Callable, Iterator
from functools import lru_cache

import pytest
from turns import Table, turn_of

from engine import EDITIONS, SETS, VARIANTS, Game
from harness import prompts
from harness.agents.base import Turn
from harness.prompting import Level, OutputMode, PromptOptions, build_messages, last_message, system_text, tool_specs
from harness.providers.local import server
from harness.providers.local.models import is_fetched

CHARS_PER_TOKEN = 3.5
LEVELS: tuple[Level, ...] = ("L0", "L1", "L2", "L3", "L4", "L5")
LANGUAGES = prompts.languages()
LIMIT = 1200
"""Tokens of the last message of an L2 decision in the middle of a two-player game."""
BRIEF_LIMIT = 4096
"""Tokens of a whole brief request at L2: what a server with a small context takes."""


def estimated(text: str) -> int:
    return round(len(text) / CHARS_PER_TOKEN)


@lru_cache(maxsize=1)
def midgame() -> tuple[Turn, ...]:
    """Decisions of two-player games after thirty random ones: every combination of sets, both editions."""
    turns = []
    for seed, (sets, edition) in enumerate(itertools.product(itertools.combinations(SETS, 3), EDITIONS)):
        game = Game.new(players=2, sets=sets, seed=seed, edition=edition, variant=VARIANTS[seed % 5 == 4])
        table, step = Table(game), random.Random(seed)
        for number in range(90):
            if game.decision is None:
                break
            if number >= 30 and number % 3 == 0:
                turns.append(table.turn())
            table.apply(step.choice(game.legal))
    return tuple(turns)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_message_of_an_l2_decision_is_below_1200_tokens(language: str) -> None:
    sizes = [estimated(last_message(turn, PromptOptions("L2", language=language))) for turn in midgame()]
    print(f"{language}: {len(sizes)} messages, median {statistics.median(sizes):.0f}, worst {max(sizes)} tokens")
    assert len(sizes) > 500
    assert max(sizes) < LIMIT


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_of_the_same_sets_share_the_static_part_whoever_plays(language: str) -> None:
    sets = ("pandas", "ocelots", "chameleons")
    games = [Game.new(players=2, sets=sets, seed=seed, start=start) for seed, start in ((1, "A"), (2, "B"), (3, "A"))]
    games[2].apply(games[2].legal[0])
    turns = [turn_of(game) for game in games]
    assert {turn.seat for turn in turns} == {"A", "B"}
    for level, book, mode in itertools.product(LEVELS, ("full", "brief", "none"), ("tools", "json_schema")):
        option = PromptOptions(level, book, mode, language)  # type: ignore[arg-type]  # the products of literals
        assert len({system_text(turn, option) for turn in turns}) == 1
        if level != "L1":
            assert len({json.dumps(tool_specs(turn, level, language)) for turn in turns}) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_games_of_other_sets_share_all_but_what_is_said_of_the_sets(edition: str, language: str) -> None:
    """The rules that hold for every game come first, so that a cache keeps them from deal to deal."""
    turns = [
        turn_of(Game.new(players=2, sets=sets, seed=1, edition=edition)) for sets in itertools.combinations(SETS, 3)
    ]
    for book, last_in_common in (("full", "\n## 13. "), ("brief", "[R-TRN-09, R-PAS-05].\n")):
        texts = [
            system_text(turn, PromptOptions("L2", book, language=language))  # type: ignore[arg-type]  # one of them
            for turn in turns
        ]
        alike = itertools.takewhile(lambda characters: len(set(characters)) == 1, zip(*texts, strict=False))
        common = "".join(characters[0] for characters in alike)
        assert last_in_common in common
        assert len(common) > 0.5 * statistics.mean(map(len, texts))
    assert len({json.dumps(tool_specs(turn, "L2", language)) for turn in turns}) == 1


def requests(language: str) -> Iterator[tuple[str, str]]:
    """The two parts of whole brief requests at L2 in words, all combinations of sets of two players."""
    mode: OutputMode = "json_schema"
    for turn in midgame()[::9]:
        system, ((_, text),) = build_messages(turn, PromptOptions("L2", "brief", mode, language))
        yield system, text


@pytest.fixture(scope="module")
def count() -> Iterator[Callable[[str], int]]:
    """The number of tokens of a text by the embedded model's tokenizer."""
    if not (server.is_installed() and is_fetched()):
        pytest.skip("needs the extra 'local' and the embedded model: dale models fetch")
    address = server.acquire().removesuffix("/v1")

    def tokens(text: str) -> int:
        body = json.dumps({"content": text}).encode()
        asked = urllib.request.Request(f"{address}/tokenize", body, {"content-type": "application/json"})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return len(json.load(answer)["tokens"])

    yield tokens
    server.release()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_tokens_as_the_embedded_model_counts_them(count: Callable[[str], int], language: str) -> None:
    messages = [count(last_message(turn, PromptOptions("L2", language=language))) for turn in midgame()[::5]]
    whole = [count(system) + count(text) for system, text in requests(language)]
    print(f"{language}: last message at L2: median {statistics.median(messages):.0f}, worst {max(messages)} tokens")
    print(f"{language}: brief request at L2 in JSON: median {statistics.median(whole):.0f}, worst {max(whole)} tokens")
    assert max(messages) < LIMIT
    assert max(whole) < BRIEF_LIMIT < server.CONTEXT_TOKENS
