"""What a run may spend. A fake price of one dollar a token makes every sum plain."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest
from llmock.pytest_plugin import LLMock
from turns import turn_of

from engine import Game
from harness.agents.base import Answer
from harness.agents.context import RunContext
from harness.agents.spec import create_agent, parse_spec
from harness.budget import Budget, Caps, Paid, Purse, Reached, dollars
from harness.errors import UserError
from harness.providers.prices import Tariff, UnitPrices
from harness.providers.types import Allow, Exchange, FailedTry, ProviderError, Reply, Request, Usage, token_count

TOKEN = Decimal(1_000_000)
"""A dollar for each token."""
TARIFF = Tariff("run", "m", "http://127.0.0.1:1/v1", UnitPrices(TOKEN, TOKEN, TOKEN, TOKEN))
REQUEST = Request("r" * 35, (), (), 5)
"""At worst 10 tokens in and 5 out."""


def answer(usage: Usage | None) -> Exchange:
    return Exchange(Reply(usage=usage), None, b"", b"{}", sent=1)


def purse(tariff: Tariff = TARIFF, **caps: int) -> tuple[Budget, Purse]:
    budget = Budget(Caps(**{name: Decimal(cap) for name, cap in caps.items()}))
    return budget, budget.purse("x", tariff)


async def pay(purse: Purse, exchange: Exchange, game: str = "g") -> Paid | Reached:
    async def send(allow: Allow) -> Exchange:
        return exchange

    return await purse.pay(game, REQUEST, send)


async def test_the_cap_trips_at_the_first_call_that_could_pass_it() -> None:
    budget, mine = purse(run=30)
    for _ in range(4):  # 0, 5, 10, 15 spent: the worst case of 15 still fits
        assert isinstance(await pay(mine, answer(Usage(uncached_input=4, output=1))), Paid)
    reached = await pay(mine, answer(Usage(uncached_input=4, output=1)))
    assert reached == Reached("run", "", Decimal(30), Decimal(20), Decimal(15))
    assert str(reached) == (
        "the budget of the run, 30.00 US dollars, is reached: 20.00 spent, and the next call may cost 15.00"
    )
    assert budget.spent == 20
    assert budget.closed("any", ["anybody"])


@pytest.mark.parametrize(
    ("exchange", "counts"),
    [
        (answer(Usage(uncached_input=4, output=1)), 5),
        (answer(None), 15),
        (Exchange(None, ProviderError("timeout", ""), b"", None), 15),
        (Exchange(None, ProviderError("bad_gateway", ""), b"", None), 15),
        (Exchange(None, ProviderError("overloaded", ""), b"", None), 0),
        (Exchange(None, ProviderError("connection", ""), b"", None), 0),
        (Exchange(None, ProviderError("connection", "", maybe_billed=True), b"", None), 15),
        (Exchange(Reply(usage=Usage(output=1)), None, b"", b"", (FailedTry(ProviderError("timeout", ""), 1.0),)), 16),
    ],
)
async def test_a_call_is_settled_by_its_usage_and_at_worst_without_one(exchange: Exchange, counts: int) -> None:
    budget, mine = purse(run=100)
    await pay(mine, exchange)
    assert budget.spent == counts
    assert await budget.reserve("y", "h", Decimal(100 - counts)) is None  # nothing stays reserved


TIMEOUT = ProviderError("timeout", "")


async def test_a_try_after_one_that_may_be_charged_for_needs_money_like_a_call_of_its_own() -> None:
    budget, mine = purse(run=40)

    async def send(allow: Allow) -> Exchange:
        assert await allow(ProviderError("overloaded", "")) is None
        assert (await allow(TIMEOUT), budget.spent) == (None, 15)
        forbidden = await allow(TIMEOUT)  # 30 spent, and a third worst case of 15 would come to 45
        assert forbidden is not None
        return Exchange(None, forbidden, b"", None, (FailedTry(TIMEOUT, 1.0),) * 2, sent=2)

    paid = await mine.pay("g", REQUEST, send)
    assert isinstance(paid, Paid)
    assert (paid.cost, paid.uncertain, paid.faults, budget.spent) == (None, None, (15, 15), 30)
    assert str(paid.exchange.error) == (
        "budget: the budget of the run, 40.00 US dollars, is reached: 30.00 spent, and the next call may cost 15.00"
    )
    assert budget.closed("any", ["anybody"])
    assert await budget.reserve("y", "h", Decimal(10)) is None  # nothing stays reserved


async def test_calls_that_are_tried_again_at_once_wait_for_each_other_and_none_stands_still() -> None:
    budget, mine = purse(run=90)
    under_way = 0

    async def one_try() -> None:
        nonlocal under_way
        under_way += 1
        assert budget.spent + 15 * under_way <= 90
        await asyncio.sleep(0)
        under_way -= 1

    async def send(allow: Allow) -> Exchange:
        await one_try()
        assert await allow(TIMEOUT) is None
        await one_try()
        return Exchange(Reply(usage=Usage(output=2)), None, b"", b"{}", (FailedTry(TIMEOUT, 1.0),), sent=2)

    async with asyncio.timeout(60):
        made = await asyncio.gather(*(mine.pay(f"g{number}", REQUEST, send) for number in range(4)))
    assert all(isinstance(one, Paid) for one in made)
    assert budget.spent == 4 * 17


async def test_a_call_that_breaks_off_while_it_waits_to_be_tried_again_counts_what_was_tried() -> None:
    budget, mine = purse(run=30)
    assert await budget.reserve("y", "h", Decimal(5)) is None

    async def send(allow: Allow) -> Exchange:
        await allow(TIMEOUT)
        pytest.fail("the other call has not been settled")

    call = asyncio.create_task(mine.pay("g", REQUEST, send))
    await asyncio.sleep(0)
    call.cancel()
    await asyncio.wait((call,))
    assert budget.spent == 15
    budget.settle("y", "h", Decimal(5), Decimal(0))
    assert await budget.reserve("y", "h", Decimal(15)) is None


def test_a_number_of_tokens_that_nobody_can_have_used_is_none() -> None:
    assert [token_count(number) for number in (10**9, 10**9 + 1, 10**400)] == [10**9, 0, 0]


async def test_a_call_that_breaks_off_counts_at_worst_and_lets_the_others_go_on() -> None:
    budget, mine = purse(run=100)

    async def broken(allow: Allow) -> Exchange:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await mine.pay("g", REQUEST, broken)
    assert budget.spent == 15
    assert await budget.reserve("y", "h", Decimal(85)) is None


async def test_many_at_once_never_exceed_the_cap_and_wait_for_each_other() -> None:
    budget, mine = purse(run=60)
    under_way = most = 0

    async def send(allow: Allow) -> Exchange:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        assert budget.spent + 15 * under_way <= 60
        await asyncio.sleep(0)
        under_way -= 1
        return answer(Usage(uncached_input=1, output=1))

    made = await asyncio.gather(*(mine.pay(f"g{number}", REQUEST, send) for number in range(40)))
    assert most == 4
    assert sum(isinstance(one, Paid) for one in made) == 23  # after 46 dollars the worst case of 15 no longer fits
    assert budget.spent == 46


async def test_caps_of_entrants_and_games_close_what_they_are_for() -> None:
    budget, mine = purse(entrant=30, game=18)
    other = budget.purse("y", TARIFF)
    for game in ("g1", "g2", "g3", "g4"):
        assert isinstance(await pay(mine, answer(Usage(output=4)), game), Paid)
    dear = await pay(mine, answer(Usage(output=4)), "g5")
    assert isinstance(dear, Reached)
    assert (dear.kind, dear.name, dear.spent) == ("entrant", "x", 16)
    long = await pay(other, answer(Usage(output=4)), "g1")
    assert isinstance(long, Reached)
    assert (long.kind, long.name, long.spent) == ("game", "g1", 4)
    assert isinstance(await pay(other, answer(Usage(output=4)), "g5"), Paid)
    assert [budget.closed(*game) for game in (("g5", ["y"]), ("g1", ["y"]), ("g5", ["x", "y"]))] == [False, True, True]


async def test_a_server_that_counts_more_tokens_than_estimated_raises_the_estimate() -> None:
    _, mine = purse(run=100)
    await pay(mine, answer(Usage(uncached_input=20)))
    reached = await mine.pay("g", Request("r" * 35, (), (), 61), lambda allow: pytest.fail("called"))
    assert isinstance(reached, Reached)
    assert reached.call == 20 + 61


async def test_free_calls_need_no_money() -> None:
    free = Tariff("free", "m", "http://127.0.0.1:1/v1")
    budget, mine = purse(free, run=0)
    paid = await pay(mine, answer(Usage(uncached_input=5)))
    assert isinstance(paid, Paid)
    assert (paid.cost, budget.spent) == (0, 0)


def test_an_unknown_price_and_a_budget_do_not_go_together() -> None:
    unknown = Tariff("unknown", "m", "http://127.0.0.1:1/v1")
    with pytest.raises(UserError, match=r'the price of \'x\' is unknown: add \[prices\."m"\]'):
        purse(unknown, game=1)
    with pytest.raises(UserError, match=r"unknown: leave out --budget, or let it play in a tournament, whose file can"):
        Budget(Caps(run=Decimal(1)), file=False).purse("x", unknown)
    _, mine = purse(unknown)
    paid = asyncio.run(pay(mine, answer(Usage(uncached_input=5))))
    assert isinstance(paid, Paid)
    assert paid.cost is None


def test_amounts_are_shown_short_and_never_as_nothing() -> None:
    shown = [dollars(Decimal(text)) for text in ("0", "5", "4.93", "0.1234", "1.23456", "0.0000456")]
    assert shown == ["0.00", "5.00", "4.93", "0.1234", "1.2346", "0.000046"]


@pytest.mark.parametrize("wire", ["openai", "anthropic", "compat"])
def test_what_a_server_reports_is_what_is_paid_over_every_wire(llmock: LLMock, wire: str) -> None:
    spec = {"openai": "openai:m", "anthropic": "anthropic:m", "compat": f"compat:m@{llmock.base_url('openai')}"}[wire]
    budget = Budget(Caps(run=Decimal(10**9)))
    context = RunContext("brief", budget=budget, prices={"m": UnitPrices(TOKEN, TOKEN, TOKEN, TOKEN)}, entrant="x")

    async def ask() -> Answer:
        agent = create_agent(parse_spec(spec), context)
        try:
            return await agent.choose(turn_of(Game.new(players=2, seed=3)))
        finally:
            await agent.close()

    answer = asyncio.run(ask())
    assert answer.usage is not None
    tokens = answer.usage.uncached_input + answer.usage.output
    assert tokens > 100
    assert (answer.cost, answer.uncertain, budget.spent) == (str(tokens), None, tokens)
