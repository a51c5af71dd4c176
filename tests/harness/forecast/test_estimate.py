"""What a tournament will take: figures from what can be computed, from what is declared, and from a sample."""

from __future__ import annotations

import asyncio
import json
import socket
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from harness.budget import Budget
from harness.cli import run as dale
from harness.config import Tournament, make_tournament
from harness.errors import UserError
from harness.forecast.budgets import remarks
from harness.forecast.estimate import Declared, Expected, expect
from harness.forecast.forecast import forecast
from harness.forecast.totals import Sum, Time, add_up, time_of, whole
from harness.log import read_log
from harness.progress import Silent
from harness.providers.client import Endpoint
from harness.providers.profiles import Profile
from harness.providers.types import Exchange, RawCall, Reply, Request, Usage
from harness.schedule import make_schedule
from harness.store import create_run, resume_run
from harness.tournament import play_run, seated

OWN = "compat:m@http://127.0.0.1:1/v1"
PRICES = {"m": {"input": 2, "output": 10}}


@pytest.fixture(autouse=True)
def neither_key_nor_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "DALE_COMPAT_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)

    def refuse(*_: Any) -> None:
        raise AssertionError("a plan went to the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def tournament(*agents: str, **changes: Any) -> Tournament:
    entrants = [{"agent": one, "name": f"e{number}"} for number, one in enumerate(agents)]
    data = {"name": "t", "round_limit": 6, "sets": ["macaws", "pandas", "raccoons"], "entrants": entrants}
    return make_tournament(data | changes, "test")


def expected(made: Tournament, **more: Any) -> dict[str, Expected]:
    return {one.name: one for one in expect(made, make_schedule(made), **more)}


def summed(made: Tournament) -> tuple[list[Sum], list[str]]:
    """What each entrant takes, and what is said of the budgets."""
    plans = make_schedule(made)
    found = expect(made, plans)
    sums = [add_up(one) for one in found]
    return sums, remarks(made, plans, found, sums, whole(sums, len(plans)))


def usages(one: Expected) -> tuple[Usage, Usage]:
    assert one.calls is not None
    return one.calls.first, one.calls.other


def test_scripted_entrants_make_no_calls_and_their_decisions_are_counted_in_games() -> None:
    made = tournament("merchant", "random", schedule={"deals": 2})
    found = expected(made)
    assert [one.calls for one in found.values()] == [None, None]
    assert [one.games for one in found.values()] == [4, 4]
    assert all(5 <= one.decisions <= 12 for one in found.values())
    assert {one.basis["decisions"] for one in found.values()} == {"computed"}


def test_a_model_that_caches_pays_for_the_rules_once_in_a_game() -> None:
    found = expected(tournament("openai:gpt-5.5", "anthropic:claude-haiku-5-5", "openai:gpt-5.5?level=L1", OWN))
    first, other = usages(found["e0"])
    assert first.cache_read == first.cache_write == 0
    assert other.cache_read > 5000  # the full rulebook and the tools
    assert first.uncached_input == other.uncached_input + other.cache_read
    first, other = usages(found["e1"])
    assert (first.cache_write, first.cache_read) == (other.cache_read, 0)
    assert first.uncached_input == other.uncached_input
    first, other = usages(found["e2"])  # its tools, in front of all, change with every decision
    assert first == other
    assert other.cache_read == other.cache_write == 0
    first, other = usages(found["e3"])  # nothing is known of what this server keeps
    assert first == other
    assert other.cache_read == 0


def test_requests_are_as_long_as_level_language_and_rulebook_make_them() -> None:
    agents = [f"{OWN}?level=L2&rulebook={book}" for book in ("full", "brief", "none")]
    agents += [f"{OWN}?level=L2&rulebook=full&language=pt-BR", f"{OWN}?level=L5"]
    sizes = [usages(one)[0].uncached_input for one in expected(tournament(*agents, players=2)).values()]
    full, brief, none, portuguese, closed = sizes
    assert full > brief > max(none, closed)
    assert portuguese != full


def test_a_menu_in_steps_takes_several_calls() -> None:
    made = tournament(f"{OWN}?level=L0&menu_limit=5", f"{OWN}?level=L0", "random", attempts=1)
    found = expected(made)
    calls = [one.calls.per_decision for one in found.values() if one.calls is not None]
    assert calls[0] > 1.5
    assert calls[1] == 1.0


def test_assumed_figures_are_those_that_are_told() -> None:
    found = expected(tournament("openai:gpt-5.5", "openai:gpt-5.5?reasoning_effort=low", f"{OWN}?level=L0", OWN))
    outputs = [(usages(one)[1].output, usages(one)[1].reasoning) for one in found.values()]
    assert outputs == [(1104, 1024), (336, 256), (20, 0), (80, 0)]
    assert [one.calls.per_decision for one in found.values() if one.calls] == [1.2, 1.2, 1.0, 1.2]
    assert {one.basis["output"] for one in found.values()} == {"assumed"}


def test_one_attempt_is_one_attempt() -> None:
    found = expected(tournament(OWN, "random", attempts=1))
    assert found["e0"].calls is not None
    assert (found["e0"].calls.per_decision, found["e0"].calls.at_most) == (1.0, 1.0)


def test_what_is_declared_goes_before_what_is_computed_and_options_before_the_file() -> None:
    table = {
        "decisions_per_game": 20, "calls_per_decision": 1.5, "input_tokens": 5000, "cached_tokens": 4000,
        "output_tokens": 700, "reasoning_tokens": 600, "seconds_per_call": 4.0,
    }  # fmt: skip
    made = tournament(OWN, "random", estimate={"m": table}, prices=PRICES, schedule={"deals": 5})
    (one, _) = expected(made).values()
    assert one.decisions == 20
    assert usages(one) == (Usage(1000, 4000, 0, 700, 600),) * 2
    assert set(one.basis.values()) == {"declared"}
    own = add_up(one)
    assert (own.games, own.decisions, own.calls) == (10, 200, 300)
    assert own.tokens == Usage(300_000, 1_200_000, 0, 210_000, 180_000)
    assert own.cost == Decimal(300 * (5000 * 2 + 700 * 10)) / 1_000_000
    assert own.at_most == own.cost * 2  # three attempts each in place of one and a half
    (one, _) = expected(made, declared=Declared(output_tokens=50, seconds_per_call=2.0)).values()
    assert one.calls is not None
    assert (one.calls.other.output, one.calls.seconds) == (50, 2.0)


def test_an_unknown_price_is_said_and_never_guessed() -> None:
    sums, told = summed(tournament(OWN, "openai:gpt-5.5", "random"))
    assert [own.cost is None for own in sums] == [True, False, False]
    assert whole(sums, 6).cost is None
    assert told == []
    assert summed(tournament(OWN, "random", budget={"run": 5}))[1] == [
        "The run would be refused: it has a budget, but the price of e0 is unknown; declare it in "
        '[prices."m"], or take out the budget.'
    ]


FIVE = {"schedule": {"deals": 5}}
TABLE = {"decisions_per_game": 20, "calls_per_decision": 1.5, "input_tokens": 5000, "output_tokens": 700}
"""In ten games 300 calls, which at the prices above cost 0.017 dollars each."""


@pytest.mark.parametrize(
    ("budget", "says"),
    [
        ({"run": 5}, "WARNING: the budget of the run is 5.00 US dollars, the estimate 5.10: the run would be stopped"),
        ({"run": 6}, "The budget of the run is 6.00 US dollars, the estimate 5.10, 10.20 if every attempt were used"),
        ({"run": 11}, "The budget of the run is 11.00 US dollars, the estimate 5.10: it will do."),
        (
            {"entrant": 2},
            "WARNING: the budget of e0 is 2.00 US dollars, the estimate 5.10: its games would be stopped after",
        ),
        (
            {"game": 0.5},
            "WARNING: the budget of a game such as d001-p01-r0 is 0.50 US dollars, the estimate 0.51: such",
        ),
        ({"game": 0.6}, "the estimate 0.51: it will do."),
    ],
)
def test_a_budget_is_compared_with_the_estimate(budget: dict[str, float], says: str) -> None:
    made = tournament(OWN, "random", estimate={"m": TABLE}, prices=PRICES, budget=budget, **FIVE)
    (told,) = summed(made)[1]
    assert says in told


def test_time_is_bound_by_games_at_a_time_by_the_longest_game_and_by_limits() -> None:
    def time(agent: str = OWN, concurrency: int = 5, **more: Any) -> Time:
        made = tournament(agent, "random", concurrency=concurrency, estimate={"m": TABLE | more}, **FIVE)
        plans = make_schedule(made)
        return time_of(made, plans, expect(made, plans))

    assert time(concurrency=1, seconds_per_call=4).expected == 10 * 30 * 4
    assert time(concurrency=5, seconds_per_call=4).expected == 2 * 30 * 4
    assert time(concurrency=99, seconds_per_call=4).expected == 10 * 30 * 4 / 8  # its server's places
    assert time("openai:m", concurrency=99, seconds_per_call=4).expected == 30 * 4  # call after call of one game
    limited = time(f"{OWN}?rpm=10", seconds_per_call=4)
    assert limited.expected == limited.least == 60 * (300 / 10 - 1)
    assert time(f"{OWN}?tpm=100000").least == 60 * (300 * (5000 + 2048) / 100_000 - 1)
    unknown = time(f"{OWN}?rpm=10")
    assert (unknown.expected, unknown.least, unknown.untimed) == (None, limited.least, ("e0",))
    scripted = tournament("merchant", "random")
    plans = make_schedule(scripted)
    assert time_of(scripted, plans, expect(scripted, plans)) == Time(None, 0.0, ())


class Server:
    """Answers every question with taking inventory of nothing, which is legal now and then."""

    async def send(self, endpoint: Endpoint, req: Request, profile: Profile, *more: Any) -> Exchange:
        usage = Usage(uncached_input=1000, cache_read=len(req.messages[0][1]) % 7, output=40, reasoning=30)
        call = RawCall("inventory", {"cards": []})
        return Exchange(Reply((call,), usage=usage), None, b"", b"", sent=1, timing={"queued": 0.0, "latency": 1.5})


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a calibration run: four games of the model."""
    server = Server()

    async def send(endpoint: Endpoint, req: Request, profile: Profile, *more: Any) -> Exchange:
        return await server.send(endpoint, req, profile)

    monkeypatch.setattr(Endpoint, "send", send)
    return played(tmp_path, tournament(OWN, "random", name="small", schedule={"deals": 2}, prices=PRICES))


def played(results: Path, made: Tournament) -> Path:
    run = create_run(results, made)
    budget = Budget(made.caps)

    async def go() -> None:
        async with seated(made, budget=budget) as agents:
            await play_run(run, agents, Silent(), signals=False, budget=budget)

    asyncio.run(go())
    return run.folder


def test_a_sample_foretells_the_run_it_is_a_sample_of(sample: Path, tmp_path: Path) -> None:
    logs = [read_log(path) for path in sorted(sample.glob("games/*.jsonl"))]
    made = tournament(OWN, "random", schedule={"deals": 8}, prices=PRICES, concurrency=2)
    found = forecast(made, logs)
    one, own = found.expected[0], found.sums[0]
    assert set(one.basis.values()) == {"sample"}
    assert one.seen.games == 4
    told = [
        attempt
        for path in sorted(played(tmp_path, made).glob("games/*.jsonl"))
        for log in [read_log(path)]
        for attempt in log.attempts
        if log.header.seats[attempt.seat].name == "e0"
    ]
    assert own.calls == pytest.approx(sum(attempt.calls for attempt in told), rel=0.15)
    assert own.cost is not None
    assert float(own.cost) == pytest.approx(sum(float(attempt.cost or 0) for attempt in told), rel=0.15)
    assert found.time.expected == pytest.approx(own.calls * 1.5 / 2)
    assert own.tokens.reasoning == own.calls * 30
    rate = found.following["e0"]
    assert rate is not None
    assert rate.assumed == one.seen.violations("e0").value  # type: ignore[union-attr]  # it stated something readable
    assert found.following["e1"].assumed == 0.0  # type: ignore[union-attr]  # random breaks no rule


def test_what_a_sample_cannot_tell_is_taken_from_elsewhere(sample: Path) -> None:
    logs = [read_log(path) for path in sorted(sample.glob("games/*.jsonl"))]
    other_games = expected(tournament(OWN, "random", round_limit=9), logs=logs)["e0"]
    assert other_games.basis["decisions"] == "computed"
    assert other_games.basis["input"] == "sample"
    other_tries = expected(tournament(OWN, "random", attempts=2), logs=logs)["e0"]
    assert (other_tries.basis["decisions"], other_tries.basis["calls"]) == ("sample", "assumed")
    for stranger in (f"{OWN}?level=L3", "openai:gpt-5.5"):
        assert "sample" not in expected(tournament(stranger, "random"), logs=logs)["e0"].basis.values()
    told_otherwise = expected(tournament(OWN, "random", rulebook="brief"), logs=logs)["e0"]
    assert "sample" not in told_otherwise.basis.values()


def test_what_is_declared_changes_no_game(tmp_path: Path) -> None:
    run = create_run(tmp_path, tournament(OWN, "random"))
    resumed = resume_run(tmp_path, tournament(OWN, "random", estimate={"m": TABLE}))
    assert make_schedule(resumed.tournament) == make_schedule(run.tournament)


def test_a_plan_is_the_same_every_time_and_is_printed_or_told_as_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, sample: Path
) -> None:
    path = tmp_path / "my.toml"
    path.write_text(
        'name = "my"\nround_limit = 4\n[schedule]\ndeals = 3\n[budget]\nrun = 0.001\n'
        '[[entrants]]\nagent = "openai:gpt-5.5"\nname = "a [bold]model"\n[[entrants]]\nagent = "random"\ncopies = 2\n'
    )
    outs = []
    for _ in range(2):
        assert dale(["tournament", "plan", str(path), "--games"]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]
    text = outs[0]
    assert "my: 18 games = 3 line-ups x 3 deals x 2 seatings" in text
    assert "A a [bold]model, B random (2)" in text
    assert "WARNING: the budget of the run is 0.0010 US dollars" in text
    tables = text.partition("Games ")[2].partition("Time:")[0].splitlines()
    assert len(tables) > 40
    assert max(map(len, tables)) <= 80
    assert dale(["tournament", "plan", str(path), "--json", "--budget", "50", "--output-tokens", "9"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["games"]["total"] == len(data["games"]["list"]) == 18
    (model, *_) = data["entrants"]
    assert model["other_calls"]["output"] == 9
    assert model["rests_on"]["output"] == "declared"
    assert Decimal(data["total"]["cost"]) == Decimal(model["cost"])
    assert "it will do" in data["remarks"][0]
    assert dale(["tournament", "plan", str(path), "--sample", str(sample)]) == 0


def test_what_the_run_would_refuse_the_plan_refuses_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="leave rulebook=full out"):
        forecast(tournament("openai:gpt-5.5?level=L5&rulebook=full", "random"))
    assert dale(["tournament", "plan", "none.toml"]) == 2
    assert "there is no file 'none.toml' and no tournament of that name" in capsys.readouterr().err
    assert dale(["tournament", "plan", "scripted", "--sample", str(tmp_path)]) == 2
    assert "there is no game log in" in capsys.readouterr().err
