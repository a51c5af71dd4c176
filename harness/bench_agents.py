"""`dale bench --agents`: what the harness costs beside the model, with many games at once and no network.

Every seat is a model behind an in-process transport that answers after a delay with a legal tool call, prepared before
the clock starts. Measured are the wall time against the ideal, the CPU time of a model's turn beyond the bare call of
the SDK in the same run, the memory of a running game, and whether any record or call was lost or doubled.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx2
import openai
from rich.console import Console
from rich.table import Table

from harness.agents.base import Agent, Answer, Proposal, Turn
from harness.agents.model import ModelAgent, ModelOptions
from harness.blobs import BlobStore
from harness.budget import Budget
from harness.config import Tournament, make_tournament
from harness.log import GameLog, read_log
from harness.plan import MatchPlan
from harness.progress import Silent
from harness.prompting import PromptOptions
from harness.providers.connections import Connections
from harness.providers.prices import make_tariff
from harness.providers.profiles import Profile, make_profile
from harness.randomness import Draws
from harness.schedule import make_schedule
from harness.store import Run, create_run
from harness.tournament import play_run

ADDRESS = "http://bench.invalid/v1"
GAMES = 256
DELAY_S = 2.0
ROUNDS = 8
"""Turns of each seat in a game."""
MAX_WALL = 1.2
MAX_CPU_MS = 4.0
MAX_GAME_MB = 2.0
_ASKED: ContextVar[tuple[str, int]] = ContextVar("asked")
"""The game and the decision whose turn sends the request under way in this task."""

Answers = Mapping[tuple[str, int], bytes]


class Figures(NamedTuple):
    """What was measured: seconds, and bytes (None where the system does not tell); ``faults`` in words."""

    games: int
    turns: int
    wall: float
    ideal: float
    cpu_per_turn: float
    cpu_per_call: float
    memory_per_game: float | None
    faults: tuple[str, ...]


class _Prepared(httpx2.AsyncBaseTransport):
    """Answers each request after the delay with what was prepared for its turn, and counts how often it was asked."""

    def __init__(self, answers: Answers, delay: float) -> None:
        self._answers, self._delay = answers, delay
        self.asked: Counter[tuple[str, int]] = Counter()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        place = _ASKED.get()
        self.asked[place] += 1
        await asyncio.sleep(self._delay)
        return httpx2.Response(200, headers={"content-type": "application/json"}, content=self._answers[place])


class _Marked:
    """A model agent that leaves word in its task whose turn it is."""

    def __init__(self, agent: ModelAgent) -> None:
        self.agent, self.spec, self.settings = agent, agent.spec, agent.settings

    async def choose(self, turn: Turn) -> Answer:
        _ASKED.set((turn.key.game, turn.number))
        return await self.agent.choose(turn)

    async def close(self) -> None:
        await self.agent.close()


def measure(games: int = GAMES, delay: float = DELAY_S, rounds: int = ROUNDS) -> Figures:
    """Play the games at once, against answers that take ``delay`` seconds each."""
    with TemporaryDirectory(prefix="dale-bench-") as folder:
        _play(create_run(Path(folder), _tournament("warm-up", 2, 1)), 0.0)
        before = _peak_memory()
        tournament = _tournament("bench", games, rounds)
        run = create_run(Path(folder), tournament)
        answers, transport, wall, cpu = _play(run, delay)
        after = _peak_memory()
        faults = tuple(_faults(answers, transport, Path(folder) / "bench" / "games"))
        per_call = _bare_call(_a_request(run.blobs, run.log(make_schedule(tournament)[0].game)), answers)
    turns = len(answers)
    chain = max(Counter(game for game, _ in answers).values())
    return Figures(
        games=games,
        turns=turns,
        wall=wall,
        ideal=chain * delay,
        cpu_per_turn=cpu / turns,
        cpu_per_call=per_call,
        memory_per_game=(after - before) / games if before is not None and after is not None else None,
        faults=faults,
    )


def _tournament(name: str, games: int, rounds: int) -> Tournament:
    data = {
        "name": name,
        "round_limit": rounds,
        "attempts": 1,
        "concurrency": games,
        "schedule": {"kind": "line_ups", "deals": games, "rotate": False, "line_ups": [["one", "other"]]},
        "entrants": [{"name": seat, "agent": f"compat:bench@{ADDRESS}"} for seat in ("one", "other")],
    }
    return make_tournament(data, "dale bench")


def _play(run: Run, delay: float) -> tuple[Answers, _Prepared, float, float]:
    """Play a run; returns its answers, the transport that was asked, and the wall and CPU seconds it took."""
    tournament = run.tournament
    answers = {
        (plan.game, number): _answer(proposal)
        for plan in make_schedule(tournament)
        for number, proposal in enumerate(_game(plan))
    }
    transport = _Prepared(answers, delay)
    profile = replace(_profile(), concurrency=tournament.concurrency)

    async def play() -> tuple[float, float]:
        connections = Connections(wrap=lambda network: transport)
        options = ModelOptions(PromptOptions(), menu_limit=200, schema_mode="static")
        purse = Budget().purse("bench", make_tariff(profile, {}, ()))
        agents: dict[str, Agent] = {
            entrant.name: _Marked(ModelAgent(entrant.agent, profile, options, connections, purse))
            for entrant in tournament.entrants
        }
        wall, cpu = time.perf_counter(), time.process_time()
        await play_run(run, agents, Silent(), signals=False)
        taken = time.perf_counter() - wall, time.process_time() - cpu
        for agent in agents.values():
            await agent.close()
        return taken

    return (answers, transport, *asyncio.run(play()))


def _profile() -> Profile:
    return make_profile("compat", "bench", ADDRESS)


def _game(plan: MatchPlan) -> Iterator[Proposal]:
    """The proposals of a random game within the limits of the plan."""
    game = plan.new_game()
    draws = Draws(plan.seed, "bench")
    while not game.over and game.round <= plan.settings.round_limit:
        action = draws.choice(game.legal)
        yield game.proposal(action)
        game.advance(action)


def _answer(proposal: Proposal) -> bytes:
    """A Chat Completions answer with one tool call."""
    function = {"name": proposal["tool"], "arguments": json.dumps(proposal["arguments"])}
    message = {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    body = {
        "id": "bench",
        "object": "chat.completion",
        "created": 0,
        "model": "bench",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050},
    }
    return json.dumps(body).encode()


def _a_request(blobs: BlobStore, log: Path) -> dict[str, Any]:
    """The body of the last request of a game."""
    digest = read_log(log).attempts[-1].request
    assert digest is not None
    body: dict[str, Any] = json.loads(blobs.get(digest))
    return body


def _bare_call(body: dict[str, Any], answers: Answers, calls: int = 400) -> float:
    """CPU seconds of one call of the SDK alone, with the request of a turn and without any delay."""
    transport = _Prepared(answers, 0.0)

    async def call() -> float:
        _ASKED.set(next(iter(answers)))
        http = httpx2.AsyncClient(transport=transport)
        async with openai.AsyncOpenAI(api_key="none", base_url=ADDRESS, max_retries=0, http_client=http) as sdk:
            for _ in range(20):
                await sdk.post("/chat/completions", cast_to=httpx2.Response, body=body)
            start = time.process_time()
            for _ in range(calls):
                await sdk.post("/chat/completions", cast_to=httpx2.Response, body=body)
            return (time.process_time() - start) / calls

    return asyncio.run(call())


def _faults(answers: Answers, transport: _Prepared, folder: Path) -> Iterator[str]:
    """What is lost, doubled or otherwise not as prepared, in words."""
    for place, times in sorted(transport.asked.items()):
        if times != 1 or place not in answers:
            yield f"{place[0]}, decision {place[1]}: asked {times} times"
    decisions = Counter(game for game, _ in answers)
    logs = {path.stem: read_log(path) for path in sorted(folder.glob("*.jsonl"))}
    for game, expected in sorted(decisions.items()):
        log = logs.pop(game, None)
        if log is None:
            yield f"{game}: no log"
        else:
            yield from _in_log(game, log, expected)
    yield from (f"{game}: a log of a game that was not planned" for game in logs)


def _in_log(game: str, log: GameLog, expected: int) -> Iterator[str]:
    numbers = list(range(expected))
    if log.outcome is None or log.torn:
        yield f"{game}: the log has no end"
    if [record.number for record in log.decisions] != numbers:
        yield f"{game}: {len(log.decisions)} decisions instead of {expected}, or not in order"
    if [record.number for record in log.attempts] != numbers:
        yield f"{game}: {len(log.attempts)} attempts instead of {expected}, or not in order"
    wrong = Counter(record.result for record in log.attempts if record.result != "accepted" or record.repairs)
    if wrong:
        yield f"{game}: prepared answers classed as {dict(wrong)}"


def _peak_memory() -> float | None:
    """The most memory this process has held so far, in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return float(peak if sys.platform == "darwin" else peak * 1024)


def run(games: int = GAMES, delay: float = DELAY_S, rounds: int = ROUNDS) -> bool:
    """Measure and print every figure with its target beside it; returns whether all targets are met."""
    found = measure(games, delay, rounds)
    table = Table("measured", "value", "target", "met", title=f"{games} games at once, answers after {delay:g} s")
    rows = list(_rows(found))
    for what, value, target, met in rows:
        table.add_row(what, value, target, "" if met is None else "yes" if met else "NO")
    console = Console()
    console.print(table)
    for fault in found.faults[:20]:
        console.print(fault, markup=False)
    return all(met is not False for _, _, _, met in rows)


def _rows(found: Figures) -> Iterator[tuple[str, str, str, bool | None]]:
    beyond = (found.cpu_per_turn - found.cpu_per_call) * 1000
    yield "model turns", str(found.turns), "", None
    yield "ideal wall time", f"{found.ideal:.1f} s", "", None
    share = found.wall / found.ideal if found.ideal else 0.0
    yield "wall time", f"{found.wall:.1f} s = {share:.2f} x ideal", f"<= {MAX_WALL} x ideal", share <= MAX_WALL
    yield "CPU of a model's turn", f"{found.cpu_per_turn * 1000:.2f} ms", "", None
    yield "CPU of a bare SDK call", f"{found.cpu_per_call * 1000:.2f} ms", "", None
    yield "CPU beyond it", f"{beyond:.2f} ms", f"<= {MAX_CPU_MS:g} ms", beyond <= MAX_CPU_MS
    if found.memory_per_game is None:
        yield "memory of a running game", "unknown", f"<= {MAX_GAME_MB:g} MB", None
    else:
        memory = found.memory_per_game / 1e6
        yield "memory of a running game", f"{memory:.2f} MB", f"<= {MAX_GAME_MB:g} MB", memory <= MAX_GAME_MB
    yield "records or calls lost or doubled", str(len(found.faults)), "0", not found.faults
