"""The limiter by virtual time: pace, bursts, tokens, learning from headers and refusals, fairness, shares."""

from __future__ import annotations

import asyncio
import math
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from goldassay.judging.bucket import Bucket
from goldassay.judging.limits import AdaptiveLimiter
from goldassay.judging.rate_headers import RateSense
from goldassay.judging.settings import JudgeConfig
from tests.judging.judge_wire import VirtualClock


async def _times(limiter: AdaptiveLimiter, clock: VirtualClock, count: int, *, tokens: int = 0) -> list[float]:
    """When so many waiting calls get their permits."""
    times: list[float] = []

    async def one() -> None:
        await limiter.acquire(tokens)
        times.append(clock.monotonic())

    await asyncio.gather(*(one() for _ in range(count)))
    return times


def _most_in(times: list[float], seconds: float) -> int:
    return max(sum(start <= time < start + seconds for time in times) for start in times)


async def test_a_minute_is_not_sent_in_one_burst() -> None:
    """600 a minute: about ten in any second, from the first one on."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=600), clock=clock)

    times = await _times(limiter, clock, 100)

    assert 9.0 <= times[-1] <= 10.0
    assert _most_in(times, 1.0) <= 13


async def test_a_set_burst_is_kept() -> None:
    """Five free permits, then one a second."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=60, burst=5), clock=clock)

    times = await _times(limiter, clock, 12)

    assert times[:5] == [0.0] * 5
    assert times[-1] == pytest.approx(7.0, abs=0.01)


async def test_tokens_hold_back_too() -> None:
    """The tighter of the two limits counts: 6,000 tokens a minute at 500 a call are 12 calls a minute."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=600, tokens_per_minute=6000), clock=clock)

    times = await _times(limiter, clock, 13, tokens=500)

    assert 55 <= times[-1] <= 61


async def test_a_prompt_larger_than_the_stock_of_tokens_goes_out_all_the_same() -> None:
    """Once the bucket is full; the next one waits for the debt."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(tokens_per_minute=6000), clock=clock)

    times = await _times(limiter, clock, 2, tokens=3000)

    assert times[0] == 0.0
    assert times[1] == pytest.approx(30.0, abs=0.5)


async def test_tokens_that_were_not_used_are_given_back() -> None:
    """The estimate is corrected by what the provider counted."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(tokens_per_minute=6000), clock=clock)
    await limiter.acquire(600)

    limiter.release("ok", tokens=600, tokens_used=100, headers={}, wait_s=None)

    assert await _times(limiter, clock, 1, tokens=500) == [0.0]


async def test_permits_are_given_in_turn() -> None:
    """First come, first served: no criterion starves."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=600), clock=clock)
    order: list[int] = []

    async def one(number: int) -> None:
        await limiter.acquire(0)
        order.append(number)

    await asyncio.gather(*(one(number) for number in range(30)))

    assert order == list(range(30))


def _answer(
    limiter: AdaptiveLimiter, *, refused: int = 0, good: int = 0, headers: dict[str, str] | None = None
) -> None:
    for _ in range(refused):
        limiter.release("throttled", tokens=0, tokens_used=None, headers=headers or {}, wait_s=1.0)
    for _ in range(good):
        limiter.release("ok", tokens=0, tokens_used=None, headers=headers or {}, wait_s=None)


async def test_refusals_in_number_halve_the_pace_and_it_grows_back_to_the_set_maximum() -> None:
    """Half at once, the whole after some seconds, never more."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=600), clock=clock)
    clock.now = 5.0

    _answer(limiter, refused=5)

    assert limiter.rate_per_s == pytest.approx(5.0)
    rates = []
    for _ in range(120):
        clock.now += 0.1
        await limiter.acquire(0)
        rates.append(limiter.rate_per_s)
    assert rates == sorted(rates)
    assert rates[-1] == pytest.approx(10.0)


async def test_one_burst_of_refusals_is_one_event() -> None:
    """Fifty calls in flight that are all refused do not bring the pace down to nothing."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=600), clock=clock)
    clock.now = 5.0

    _answer(limiter, refused=50)

    assert limiter.rate_per_s == pytest.approx(5.0)


async def test_a_lone_refusal_concerns_its_own_call_only() -> None:
    """Random 429s of a healthy server do not slow the run."""
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=600), clock=VirtualClock())

    for _ in range(20):
        _answer(limiter, good=19)
        _answer(limiter, refused=1)

    assert limiter.rate_per_s == pytest.approx(10.0)


async def test_an_unset_limit_is_guessed_from_what_was_let_through() -> None:
    """No header, no setting: 20 accepted in a second, the rest refused."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(), clock=clock)
    for _ in range(26):
        await limiter.acquire(0)
    clock.now = max(clock.now, 1.0)

    _answer(limiter, refused=6)

    assert 3.0 <= limiter.rate_per_s <= 15.0


@pytest.mark.parametrize(("rate", "limit"), [(20.0, 20), (200.0, 200), (1.5, 90)])
async def test_the_limit_is_learnt_from_the_headers_of_a_bucket(rate: float, limit: int) -> None:
    """OpenAI's kind: full again after `reset`."""
    limiter = AdaptiveLimiter(JudgeConfig(), clock=VirtualClock())

    for used in (limit // 4, limit // 2, limit - 1):
        reset = f"{used / rate:.3f}s"
        names = ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests")
        _answer(limiter, good=1, headers=dict(zip(names, (str(limit), str(limit - used), reset), strict=True)))

    assert limiter.rate_per_s == pytest.approx(rate, rel=0.1)


def test_a_window_is_not_taken_for_a_bucket() -> None:
    """600 a minute, ten used after five seconds: that is no limit of one request in six seconds."""
    sense = RateSense("requests")
    names = ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests")

    rates = [
        sense.observe(dict(zip(names, ("600", str(600 - used), f"{60 - passed}s"), strict=True)), now_s=0.0)
        for used, passed in ((10, 5), (20, 7), (100, 20), (300, 40))
    ]

    assert all(rate is not None and rate >= 8.0 for rate in rates)


def test_a_days_bucket_is_a_quota_and_no_pace() -> None:
    """14,400 requests a day, far from used up, are not 10 a minute; nearly used up, they are."""
    sense = RateSense("requests")
    names = ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests")

    early = [
        sense.observe(dict(zip(names, ("14400", str(14400 - used), f"{used * 6}s"), strict=True)), now_s=0.0)
        for used in (30, 60, 200)
    ]
    late = sense.observe(dict(zip(names, ("14400", "400", f"{14000 * 6}s"), strict=True)), now_s=0.0)

    assert early[1:] == [None, None]
    assert late == pytest.approx(1 / 6, rel=0.05)


def test_a_days_window_is_a_quota_and_no_pace() -> None:
    """900 requests that are left until midnight may go out now: spread over six hours they would take the night."""
    headers = {
        "x-ratelimit-limit-requests": "1000",
        "x-ratelimit-remaining-requests": "900",
        "x-ratelimit-reset-requests": "6h0m0s",
    }

    assert RateSense("requests").observe(headers, now_s=0.0) is None


def test_headers_of_junk_tell_nothing() -> None:
    """No number, no limit."""
    sense = RateSense("requests")
    names = ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests")

    for values in (("many", "few", "soon"), ("-5", "3", "1s"), ("10", "3", "")):
        assert sense.observe(dict(zip(names, values, strict=True)), now_s=0.0) is None


async def test_a_learnt_limit_never_lifts_the_set_maximum() -> None:
    """Headers may only lower it."""
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=60), clock=VirtualClock())
    names = ("x-ratelimit-limit-requests", "x-ratelimit-remaining-requests", "x-ratelimit-reset-requests")

    for used in (30, 60, 90):
        headers = dict(zip(names, ("100", str(100 - used), f"{used / 50:.2f}s"), strict=True))
        _answer(limiter, good=1, headers=headers)

    assert limiter.rate_per_s == pytest.approx(1.0)


async def test_a_fixed_share_of_the_limits() -> None:
    """For several processes under one key."""
    limiter = AdaptiveLimiter(JudgeConfig(requests_per_minute=600, rate_share=0.25), clock=VirtualClock())

    assert limiter.rate_per_s == pytest.approx(2.5)


async def test_without_any_limit_the_first_calls_are_staggered_and_the_rest_is_free() -> None:
    """So that a server that will be overrun can say so before all have gone out."""
    clock = VirtualClock()
    limiter = AdaptiveLimiter(JudgeConfig(max_in_flight=100), clock=clock)

    times = await _times(limiter, clock, 300)

    assert times.count(0.0) == 20
    assert 0.2 <= times[99] <= 0.3
    assert times[99] == times[-1]
    assert math.isinf(limiter.rate_per_s)


@settings(max_examples=50)
@given(
    rate=st.floats(0.1, 1000),
    capacity=st.floats(1, 100),
    steps=st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 3)), min_size=1, max_size=60),
)
def test_a_bucket_never_gives_more_than_its_pace_and_stock(
    rate: float, capacity: float, steps: list[tuple[float, float]]
) -> None:
    """Whatever is taken when, after waiting as told."""
    bucket, now, taken = Bucket(rate, capacity, 0.0), 0.0, 0.0
    for pause, amount in steps:
        now += pause
        now += bucket.wait_s(amount, now)
        bucket.take(amount, now)
        taken += amount
        assert taken <= capacity + rate * now + max(0.0, amount - capacity) + 1e-3
