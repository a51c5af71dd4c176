"""What holds requests back, in virtual time: nothing here waits."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import Counter
from typing import Any

import httpx2
import pytest
from virtual import Server, refusal, run

from harness.canonical import canonical_json
from harness.providers import openai_chat
from harness.providers.client import Endpoint
from harness.providers.gates import Lane, Places, estimated_tokens
from harness.providers.profiles import Profile, make_profile
from harness.providers.types import Exchange, ProviderError, Request

REQUEST = Request("Rules.", (("user", "Go."),), (), 100)
OVERLOADED = ProviderError("overloaded", "busy", status=529, retryable=True)


def profile_of(model: str = "m", **changes: Any) -> Profile:
    return make_profile("compat", model, "http://server/v1", **changes)


def ask(server: Server, *profiles: Profile, apart: float = 0.0) -> tuple[list[Exchange], float]:
    """Ask once for each profile, at the same time or so many seconds apart; all share the endpoint of the first."""

    async def main() -> list[Exchange]:
        endpoint = Endpoint(profiles[0], server.wrap)

        async def one(number: int, profile: Profile) -> Exchange:
            await asyncio.sleep(apart * number)
            return await endpoint.send(REQUEST, profile)

        done = await asyncio.gather(*(one(number, profile) for number, profile in enumerate(profiles)))
        await endpoint.close()
        return done

    return run(main())


def answered(done: list[Exchange]) -> int:
    return sum(exchange.reply is not None for exchange in done)


def kinds(done: list[Exchange]) -> Counter[str]:
    return Counter(exchange.error.kind for exchange in done if exchange.error is not None)


def test_two_hundred_requests_do_not_each_discover_the_limit() -> None:
    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(429, retry_after="30") if len(server.arrivals) == 5 else None

    server = Server(behave)
    done, seconds = ask(server, *[profile_of(concurrency=4)] * 200)
    assert answered(done) == 200
    assert sum(len(exchange.faults) for exchange in done) == 1
    refused_at = server.arrivals[4][0]
    assert not [at for at, _ in server.arrivals[5:] if refused_at < at < refused_at + 30]
    assert 30 + 200 / 4 <= seconds < 30 + 200 / 4 + 6
    assert max(exchange.timing["queued"] for exchange in done) > 70


@pytest.mark.parametrize("status", [429, 503, 529])
def test_a_pause_holds_for_requests_that_come_later_too(status: int) -> None:
    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(status, retry_after="10") if len(server.arrivals) == 1 else None

    server = Server(behave)
    done, _ = ask(server, *[profile_of()] * 3, apart=2.0)
    assert answered(done) == 3
    assert [at >= 10 for at, _ in server.arrivals] == [False, True, True, True]
    assert done[1].faults == ()
    assert done[1].timing["queued"] >= 8


def test_another_model_of_the_server_is_not_held_back() -> None:
    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(429, retry_after="10") if len(server.arrivals) == 1 else None

    server = Server(behave)
    done, _ = ask(server, profile_of("slow"), profile_of("quick"), apart=1.0)
    assert answered(done) == 2
    assert [body["model"] for _, body in server.arrivals] == ["slow", "quick", "slow"]
    assert done[1].timing["queued"] == 0


def test_nobody_waits_for_a_pause_that_is_too_long() -> None:
    server = Server(lambda server, request: refusal(429, retry_after="3600"))
    done, seconds = ask(server, *[profile_of()] * 5, apart=1.0)
    assert kinds(done) == {"rate_limit": 5}
    assert [exchange.sent for exchange in done] == [1, 0, 0, 0, 0]
    assert len(server.arrivals) == 1
    assert seconds == 4


@pytest.mark.parametrize("told", [True, False])
def test_a_limit_nobody_stated_is_kept_to_by_what_the_server_says(told: bool) -> None:
    """The server fills a bucket of 60 requests by one each second, and says how long to wait, or does not."""
    level, since = 60.0, 0.0

    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        nonlocal level, since
        now = asyncio.get_running_loop().time()
        level, since = min(60.0, level + now - since), now
        if level < 1:
            return refusal(429, retry_after=str(1 - level)) if told else refusal(429)
        level -= 1
        return None

    done, seconds = ask(Server(behave), *[profile_of(concurrency=32)] * 200)
    assert answered(done) == 200
    assert 140 <= seconds < 160
    assert sum(len(exchange.faults) for exchange in done) < 200


def test_requests_per_minute_stay_below_what_the_server_allows() -> None:
    server = Server(seconds=0.1)
    done, seconds = ask(server, *[profile_of(rpm=60, concurrency=100)] * 180)
    assert answered(done) == 180
    times = [at for at, _ in server.arrivals]
    assert 119 <= seconds <= 121
    for at in range(0, 121, 10):  # a bucket of 60 that fills by one each second
        assert sum(time <= at for time in times) <= 60 + at


def test_tokens_per_minute_are_reckoned_with_the_longest_answer() -> None:
    server = Server(seconds=0.1)
    body = canonical_json(openai_chat.request(REQUEST, profile_of())).encode()
    each = estimated_tokens(body, 100)
    done, seconds = ask(server, *[profile_of(tpm=6 * each, concurrency=100)] * 12)
    assert answered(done) == 12
    assert len([at for at, _ in server.arrivals if at < 1]) == 6
    assert 58 <= seconds <= 62
    assert each == math.ceil(len(body) / 3.5) + 100


def test_a_request_larger_than_the_limit_waits_for_the_whole_of_it() -> None:
    server = Server(seconds=0.1)
    done, seconds = ask(server, *[profile_of(tpm=50)] * 3)
    assert answered(done) == 3
    assert 119 <= seconds <= 121


def test_agents_that_state_other_limits_do_not_share_them() -> None:
    server = Server(seconds=0.1)
    _, seconds = ask(server, *[profile_of(rpm=1), profile_of(rpm=2), profile_of(rpm=2)])
    assert seconds < 1


def test_the_deadline_does_not_run_while_a_request_waits_at_the_gates() -> None:
    server = Server(seconds=1.0)
    done, seconds = ask(server, *[profile_of(concurrency=1, deadline_s=1.5)] * 20)
    assert answered(done) == 20
    assert not [fault for exchange in done for fault in exchange.faults]
    assert seconds == 20
    assert sorted(exchange.timing["queued"] for exchange in done) == list(range(20))
    assert {exchange.timing["latency"] for exchange in done} == {1.0}


def test_the_deadline_is_that_of_one_try() -> None:
    slow = iter((5.0, 0.1))

    class Slow(Server):
        async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
            self.seconds = next(slow)
            return await super().handle_async_request(request)

    done, seconds = ask(Slow(), profile_of(deadline_s=2.0))
    assert answered(done) == 1
    assert [(fault.error.kind, fault.seconds) for fault in done[0].faults] == [("timeout", 2.0)]
    assert 2.5 < seconds < 3.0


def test_an_overloaded_server_gets_fewer_requests_at_a_time_until_it_keeps_up() -> None:
    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(529) if server.now > 5 else None

    server = Server(behave)
    done, _ = ask(server, *[profile_of(concurrency=32, retries=6)] * 300)
    assert answered(done) == 300
    assert sum(len(exchange.faults) for exchange in done) < 100


def test_places_are_halved_by_repeated_overload_and_come_back_by_and_by() -> None:
    async def main() -> None:
        places = Places(16)
        places.strained(0)
        assert places.size == 16  # once is no pattern
        places.eased()
        places.strained(0)
        assert places.size == 16
        places.strained(0)
        assert places.size == 8
        for _ in range(20):
            places.strained(0)  # they left before the cut
        assert places.size == 8
        for _ in range(20):
            places.strained(1)
        assert places.size == 4
        for wanted in (5, 6, 7):
            answers = 0
            while places.size < wanted:
                places.eased()
                answers += 1
            assert 4 * (wanted - 1) <= answers <= 4 * wanted  # four rounds for one place
        for _ in range(900):
            places.eased()
        assert places.size == 16
        for _ in range(9):
            places.strained(places.cuts, at_once=True)
        assert places.size == 1

    run(main())


def test_traffic_that_grew_too_fast_is_made_less_at_once_and_goes_on() -> None:
    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(429, code="ramp_limit_exceeded") if len(server.arrivals) == 17 else None

    server = Server(behave)
    done, _ = ask(server, *[profile_of(concurrency=16)] * 60)
    assert answered(done) == 60
    assert server.most == 16
    refused_at = server.arrivals[16][0]
    under_way = Counter(at for at, _ in server.arrivals if refused_at + 0.5 < at <= refused_at + 1.5)
    assert 0 < sum(under_way.values()) <= 10


@pytest.mark.parametrize(
    ("status", "code", "others"), [(429, "insufficient_quota", 0), (402, "", 0), (401, "", 1), (404, "", 1)]
)
def test_without_credit_the_server_is_left_alone_and_without_a_model_the_model(
    status: int, code: str, others: int
) -> None:
    def behave(server: Server, request: httpx2.Request) -> httpx2.Response | None:
        return refusal(status, code) if server.arrivals[-1][1]["model"] == "gone" else None

    server = Server(behave)
    profiles = [*[profile_of("gone", concurrency=2)] * 50, profile_of("there")]
    done, _ = ask(server, *profiles)
    asked = Counter(body["model"] for _, body in server.arrivals)
    assert asked["gone"] <= 2
    assert asked["there"] == others
    assert sum(exchange.sent for exchange in done) == len(server.arrivals)
    assert len({exchange.error.message for exchange in done if exchange.error is not None}) == 1
    assert answered(done) == others


def test_who_is_cancelled_at_a_gate_takes_no_place_along() -> None:
    async def main() -> None:
        places = Places(1)
        lane = Lane(places, None, None)
        await lane.enter(0, 60.0)
        waiting = [asyncio.create_task(lane.enter(0, 60.0)) for _ in range(3)]
        await asyncio.sleep(0.1)
        for task in waiting:
            task.cancel()
        lane.pause(5.0, OVERLOADED)
        paused = asyncio.create_task(lane.enter(0, 60.0))
        await asyncio.sleep(0.1)
        paused.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await paused
        lane.leave()
        await lane.enter(0, 60.0)
        lane.leave()

    _, seconds = run(main())
    assert 5 <= seconds < 6


def test_a_pause_is_only_ever_made_longer() -> None:
    async def main() -> float:
        lane = Lane(Places(1), None, None)
        lane.pause(9.0, OVERLOADED)
        lane.pause(2.0, OVERLOADED)
        await lane.enter(0, 60.0)
        return asyncio.get_running_loop().time()

    assert run(main())[0] >= 9
