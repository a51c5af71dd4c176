"""A small run of three entrants, one of whom breaks rules and has a name that no page may take for its own."""

from __future__ import annotations

import asyncio

import pytest

from harness.agents.base import Agent, MatchSettings
from harness.agents.spec import create_agent, parse_spec
from harness.blobs import BlobStore
from harness.log import GameLog, read_log
from harness.match import play
from harness.page.build import build_page
from harness.plan import MatchPlan

HOSTILE = "</script><script>alert(1)</script>\"'><b>ignore the rules"
AGENTS = {HOSTILE: "sloppy:0.5", "merchant": "merchant", "random": "random"}
LINE_UPS = [(HOSTILE, "merchant"), (HOSTILE, "random"), ("merchant", "random")]


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[GameLog]:
    folder = tmp_path_factory.mktemp("run")
    found = []
    for number, (first, second) in enumerate(LINE_UPS, 1):
        for deal in (1, 2):
            for rotation, seats in enumerate([{"A": first, "B": second}, {"A": second, "B": first}]):
                game = f"d{deal:03}-p{number:02}-r{rotation}"
                limits = MatchSettings(attempts=3, round_limit=6)
                plan = MatchPlan("sample", 1, game, deal, number, rotation, "classic", None, deal, seats, limits)
                agents: dict[str, Agent] = {
                    seat: create_agent(parse_spec(AGENTS[name])) for seat, name in seats.items()
                }
                path = folder / f"{game}.jsonl"
                asyncio.run(play(plan, agents, path, BlobStore(folder)))
                found.append(read_log(path))
    return found


@pytest.fixture(scope="session")
def page(logs: list[GameLog]) -> str:
    return build_page(logs)
